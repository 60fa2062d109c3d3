"""`rulegame export`: write a game in the formats of other programs."""

from __future__ import annotations

import sys

from rulegame.extras import require
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import FIRST, MOST_STATES, OUTPUT, RulesetOptions, option
from rulegame_cli.calling.output import check_output, deliver, deliver_bytes, problems_apart
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count, read_first
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import visible


class ExportOptions(RulesetOptions):
    """Export a game: its tree (Gambit), a model (PRISM, Storm), or its state graph (DOT, GraphML,
    CSV, Parquet).
    """

    to: str = option("efg|nfg|prism|dot|graphml|csv|parquet", "File format.", heading=OUTPUT)
    output: str = option("FILE", "Write to FILE instead of standard output.", heading=OUTPUT)
    seats: str = option(
        "PLAYER,PLAYER",
        "For prism: who decides in each seat, or one for all: random, perfect, or free (left "
        "open).",
    )
    first: str = FIRST
    max_states: str = MOST_STATES


def run(options: ExportOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be written so."""
    if options.to == "parquet" and not options.output:
        raise WrongCall("--to parquet needs --output FILE: Parquet files are binary")
    if options.to == "parquet":
        require("parquet")
    require("solve", "Exporting a game")
    from rulegame.errors import TooLarge
    from rulegame.exporting import FORMATS, CannotExport, export_bytes
    from rulegame.game import GameError

    if not options.to:
        raise WrongCall("--to is required, e.g. --to dot")
    if options.to not in FORMATS:
        expected = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        raise WrongCall(f"--to: expected {expected}, not '{options.to}'")
    check_output(options.output)
    most = read_count("--max-states", options.max_states) or 1_000_000
    with problems_apart(True):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        players = _seats(options, len(game.players))
        try:
            with working() as progress:
                data = export_bytes(
                    game,
                    options.to,
                    first=first,
                    players=players,
                    max_states=most,
                    progress=progress,
                )
        except GameError as error:
            sys.stdout.write(problems_text([error.diagnostic], options.style))
            return 1
        except (CannotExport, TooLarge) as error:
            print(visible(f"Cannot export {options.ruleset} as {options.to}: {error}"))
            return 1
    if options.output:
        deliver_bytes(data, options.output, "--output")
    else:
        deliver(data.decode(), "")
    return 0


def _seats(options: ExportOptions, seats: int) -> tuple[str, ...] | None:
    """Who decides in each seat; None if nothing was said."""
    from rulegame.exporting import PLAYED_BY

    if not options.seats:
        return None
    if options.to != "prism":
        raise WrongCall(f"--seats works only with --to prism, not with {options.to}")
    names = tuple(name.strip().lower() for name in options.seats.split(","))
    if unknown := [name for name in names if name not in PLAYED_BY]:
        raise WrongCall(f"--seats: expected {', '.join(PLAYED_BY)}, not '{unknown[0]}'")
    if len(names) not in (1, seats):
        wanted = "1" if seats == 1 else f"1 player or {seats} separated by commas"
        raise WrongCall(f"--seats: expected {wanted}, not {len(names)}")
    return names * seats if len(names) == 1 else names
