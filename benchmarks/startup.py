"""The wall time of `rulegame validate`, compared with that of importing its libraries.

Runs with the interpreter that runs this file, in which rulegame must be installed. The two calls
take turns, so that a busy machine slows both; the ratio is that of their medians.
"""

from __future__ import annotations

import argparse
from statistics import median

from field.measuring import timed_call
from field.versions import Measure, Seconds, add_option, compare_versions

IMPORTS = "import yaml, lark, jsonschema, typer"


def validate(name: str) -> Seconds:
    """The time of one call."""
    return timed_call("-m", "rulegame_cli", "validate", name)._asdict()


def main() -> None:
    """Prints the ratio for every bundled ruleset."""
    from rulegame.bundled import ruleset_names

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="calls of each, in turns")
    add_option(parser)
    parser.add_argument("names", nargs="*", help="bundled rulesets; all if left out")
    options = parser.parse_args()
    names = options.names or ruleset_names()
    if options.before:
        measures = [Measure(f"validate {name}", "startup.validate", (name,)) for name in names]
        compare_versions("start-up", options.before, measures, options.rounds)
        return
    for name in names:
        ours, theirs = [], []
        for _ in range(options.rounds + 1):
            theirs.append(timed_call("-c", IMPORTS).wall)
            ours.append(validate(name)["wall"])
        ratio = median(ours[1:]) / median(theirs[1:])  # the first round fills caches
        print(f"validate {name}: {ratio:.2f} times the wall time of the imports")


if __name__ == "__main__":
    main()
