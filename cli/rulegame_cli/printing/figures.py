"""Values and lengths of solved games, and settings, as reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import as_written, counted
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from fractions import Fraction

    from rulegame.exploring import StateGraph
    from rulegame.showing.faces import Valued

LONGEST_FRACTION: Final = 200  # digits of a fraction that people still want to see in full


NO_SHORTEST: Final = "none (no game can end)"
NO_LONGEST: Final = "unlimited (play can go on forever)"


def size_text(graph: StateGraph) -> str:
    """The size of a state graph."""
    return f"{counted(len(graph), 'position')}, {counted(graph.edges, 'move')}"


def length_lines(solution: Any, game: str = "game") -> tuple[str, str]:
    """The shortest and the longest game of a solution."""
    return (
        f"Shortest {game}: {moves_text(solution.shortest_game, NO_SHORTEST)}",
        f"Longest {game}: {moves_text(solution.longest_game, NO_LONGEST)}",
    )


def moves_text(count: int | None, otherwise: str) -> str:
    """How many moves; `otherwise` if there is no such number."""
    return otherwise if count is None else counted(count, "move")


def fraction_text(value: Fraction | None) -> str | None:
    """A fraction as JSON has it."""
    return None if value is None else str(value)


def decimal(valued: Valued) -> float:
    """The value; halfway between the bounds where it is not known."""
    if valued.value is not None:
        return float(valued.value)
    return (valued.lower + valued.upper) / 2


def value_for_people(valued: Valued) -> str:
    """The value in full where it can be read, and as a decimal; or the bounds."""
    if valued.value is None:
        width = valued.upper - valued.lower
        return f"between {valued.lower!r} and {valued.upper!r} (width {width:.1e})"
    text = str(valued.value)
    if valued.value.denominator == 1:
        return text
    if len(text) > LONGEST_FRACTION:
        text = f"a fraction with a {len(str(valued.value.denominator))}-digit denominator"
    return f"{text} ({float(valued.value):.10g})"


def value_text(value: Any) -> str:
    """A value as it is typed."""
    return one_line(as_written(value))


def setting_text(values: Sequence[tuple[str, Any]]) -> str:
    """A setting as it is typed."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in values)


def bytes_text(size: int) -> str:
    """A number of bytes as people read it: `312 bytes`, `140 KiB`, `2.5 GiB`."""
    if size < 1024:
        return counted(size, "byte")
    power = 1 + (size > 999 * 2**10) + (size > 999 * 2**20)
    amount, unit = size / 2 ** (10 * power), ("KiB", "MiB", "GiB")[power - 1]
    return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
