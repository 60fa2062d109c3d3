"""rulegame beside other programs for the same games: OpenSpiel, plain C, pgx, PettingZoo.

Both sides of every ratio are measured in this run, in turns and on one core, and must play the
same game: how long games are and who wins is compared, too. `pip install -e ".[bench]"` installs
the others; what is not there is said and left out.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from field.measuring import Options, pin

SECTIONS: Final = {  # where each is, and the library that it needs
    "rollouts": ("rollouts", "run", "pyspiel"),
    "c": ("plain_c", "run", ""),
    "search": ("searching", "run", "pyspiel"),
    "match": ("searching", "run_matches", "pyspiel"),
    "pgx": ("arrays", "run", "pgx"),
    "pettingzoo": ("environments", "run", "pettingzoo"),
    "vector": ("vectors", "run", "pettingzoo"),
    "solve": ("solving", "run", ""),
    "cold": ("cold", "run", ""),
}


def main() -> None:
    """Runs the sections that are asked for, all if none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections: %(default)s")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="of both sides, in turns")
    parser.add_argument("--core", type=int, help="the core to run on; the last if left out")
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--move", type=float, default=0.1, help="seconds a move in a match")
    parser.add_argument("--before", help="another rulegame executable, for cold calls")
    parser.add_argument("--huge", action="store_true", help="solve 100 million states, too")
    given = parser.parse_args()
    sections = given.only.split(",")
    if unknown := [name for name in sections if name not in SECTIONS]:
        parser.error(f"there is no section {unknown[0]!r}: {', '.join(SECTIONS)}")
    options = Options(
        given.seconds, given.rounds, given.games, given.move, given.before, given.huge
    )
    print(
        pin(given.core), f"Medians of {options.rounds} rounds of about {options.seconds:g} s each."
    )
    for name in sections:
        module, function, library = SECTIONS[name]
        if library and find_spec(library) is None:
            print(f'\n== {name}: left out, there is no {library}: pip install -e ".[bench]"')
            continue
        getattr(import_module(f"field.{module}"), function)(options)


if __name__ == "__main__":
    main()
