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
from field.versions import add_option, compare_versions

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
NOT_TIMED: Final = ("match",)  # sections without --before


def main() -> None:
    """Runs the sections that are asked for, all if none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections: %(default)s")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="of both sides, in turns")
    parser.add_argument("--core", type=int, help="the core to run on; the last if left out")
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--move", type=float, default=0.1, help="seconds a move in a match")
    add_option(parser)
    parser.add_argument("--huge", action="store_true", help="solve 100 million states, too")
    given = parser.parse_args()
    sections = given.only.split(",")
    if unknown := [name for name in sections if name not in SECTIONS]:
        parser.error(f"there is no section {unknown[0]!r}: {', '.join(SECTIONS)}")
    options = Options(given.seconds, given.rounds, given.games, given.move, given.huge)
    if given.before:
        sections = [name for name in sections if name not in NOT_TIMED]
    pinned = "" if given.before else f"{pin(given.core)} "
    print(f"{pinned}Medians of {options.rounds} rounds of about {options.seconds:g} s each.")
    for name in sections:
        module, function, library = SECTIONS[name]
        if library and find_spec(library) is None:
            print(f'\n== {name}: left out, there is no {library}: pip install -e ".[bench]"')
            continue
        section = import_module(f"field.{module}")
        if given.before:
            compare_versions(name, given.before, section.measures(options), options.rounds)
        else:
            getattr(section, function)(options)


if __name__ == "__main__":
    main()
