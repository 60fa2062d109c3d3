"""`rulegame simulate`: play many games and report the results."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from rulegame_cli.calling.hiring import JOBS, Hiring, WorkerOptions
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import LIMITS, PLOT_FILE, ReportOptions, option
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.calling.plotting import check_plot, write_plot
from rulegame_cli.calling.simulated import Plan, SimulatedOptions, read_plan
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.simulate_report import as_data, report_text
from rulegame_cli.printing.terminal import Style, visible

if TYPE_CHECKING:
    from rulegame.game import Game, GameError
    from rulegame.simulation import Report

LONGEST_STORY: Final = 2000  # characters of the moves that led to an error


class SimulateOptions(SimulatedOptions, WorkerOptions, ReportOptions):
    """Play many games between computer players and report wins, endings and game lengths."""

    jobs: str = JOBS._replace(about="Number of processes. Default: one process, several threads.")
    batch: str = option(
        "NUMBER", "Games to run side by side. Does not change the result.", heading=LIMITS
    )
    plot: str = PLOT_FILE


def run(options: SimulateOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be played that way."""
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        plan = read_plan(options, options.players, game.ruleset)
        batch = read_count("--batch", options.batch)
        hiring = Hiring(options)
        check_plot(options.plot)
        report = _simulate(game, plan, batch, options, hiring)
        if report is None:
            return 1
    if options.as_json:
        text = json.dumps(as_data(report), indent=2) + "\n"
    else:
        text = report_text(report, options.style, sys.stdout.encoding)
    write_plot(report, options.plot)
    page(text)
    return 0


def _simulate(
    game: Game, plan: Plan, batch: int | None, options: SimulateOptions, hiring: Hiring
) -> Report | None:
    from rulegame.errors import CannotSolve, TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.simulation import simulate
    from rulegame.workers import executor_for, share_of_memory

    try:
        with (
            hiring.hired() as (given, jobs),
            executor_for(given, jobs or 1) as executor,
            working() as progress,
        ):
            plan = plan._replace(max_memory=share_of_memory(plan.max_memory, jobs or 1))
            call = {**plan._asdict(), "batch": batch, "executor": executor}
            return simulate(game, progress=progress, **call)
    except (CannotSolve, TooLarge) as refusal:
        why = f"{options.ruleset} has no perfect player: {refusal}"
        print(visible(why), file=sys.stderr)
    except UnknownPlayer as problem:  # one that was registered, and cannot be made
        raise WrongCall(f"--players: {problem}") from None
    except PlayerFailed as failure:
        print(visible(f"{options.ruleset}: {failure}"), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(_fault_text(error, options.style))
    return None


def _fault_text(error: GameError, style: Style) -> str:
    """Where the rules failed, and the moves that led there."""
    story = ", ".join(error.moves) or "none"
    if len(story) > LONGEST_STORY:
        story = f"… {story[-LONGEST_STORY:]}"
    problem = problems_text([error.diagnostic], style)
    return f"{problem}Moves so far: {visible(story)}\n"
