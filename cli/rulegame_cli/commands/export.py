"""`rulegame export`: a game in the formats of other programs."""

from __future__ import annotations

import sys

from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import FIRST, MOST_STATES, OUTPUT, RulesetOptions, option
from rulegame_cli.calling.output import check_output, deliver, problems_apart
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count, read_first
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import visible


class ExportOptions(RulesetOptions):
    """Write a game for other programs: its tree for Gambit, or its states and moves as a graph or
    a table.
    """

    to: str = option("efg|nfg|dot|graphml|csv", "The format.", heading=OUTPUT)
    output: str = option("FILE", "Write to a file, instead of printing.", heading=OUTPUT)
    first: str = FIRST
    max_states: str = MOST_STATES


def run(options: ExportOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be written so."""
    from rulegame.exploring import TooLarge
    from rulegame.exporting import FORMATS, CannotExport, export
    from rulegame.game import GameError

    if options.to not in FORMATS:
        expected = "efg, nfg, dot, graphml or csv"
        raise WrongCall(f"--to: expected {expected}, not '{options.to}'")
    check_output(options.output)
    most = read_count("--max-states", options.max_states) or 1_000_000
    with problems_apart(True):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        try:
            with working() as progress:
                found = export(game, options.to, first=first, max_states=most, progress=progress)
                text = "".join(f"{line}\n" for line in found)
        except GameError as error:
            sys.stdout.write(problems_text([error.diagnostic], options.style))
            return 1
        except (CannotExport, TooLarge) as error:
            print(visible(f"{options.ruleset} cannot be written as {options.to}: {error}"))
            return 1
    deliver(text, options.output)
    return 0
