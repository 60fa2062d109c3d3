"""The names of computer players, without the players: `--help` and completion must be quick."""

from __future__ import annotations

from typing import Final

OPPONENTS: Final = "random|greedy|search|perfect|easy|medium|hard"  # as a metavar has them
GROUP: Final = "rulegame.players"


def opponents() -> list[str]:
    """Those that come with rulegame, then those that other packages have registered."""
    from importlib.metadata import entry_points

    built_in = OPPONENTS.split("|")
    return built_in + sorted({entry.name for entry in entry_points(group=GROUP)} - set(built_in))


def shown_metavar(metavar: str) -> str:
    """A metavar as people see it: with every opponent there is."""
    return "|".join(opponents()) if metavar == OPPONENTS else metavar
