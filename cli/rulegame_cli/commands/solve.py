"""`rulegame solve`: who wins under best play, and what every opening move is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from rulegame.extras import require
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.opponents import OPPONENTS
from rulegame_cli.calling.options import (
    FIRST,
    JSON,
    LIMITS,
    MOST_MEMORY,
    MOST_STATES,
    PLOT_FILE,
    RulesetOptions,
    flag,
    option,
)
from rulegame_cli.calling.output import check_output, deliver, problems_apart
from rulegame_cli.calling.plotting import check_plot, write_plot
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import (
    read_count,
    read_depth,
    read_first,
    read_memory,
    read_seconds,
)
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.solve_report import SolvedFrom
from rulegame_cli.printing.terminal import visible

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.players.exploiting import Exploited
    from rulegame.solving.deepening import DepthBounds
    from rulegame.solving.strongest import Strongest


INSTEAD: Final = (
    "Try instead: --depth 10, --at MOVES, --max-states NUMBER, or "
    "`rulegame play {ruleset} --vs search`."
)


INSTEAD_OTHER: Final = (
    "Try instead: a smaller game (--set NAME=VALUE), --max-states NUMBER, or "
    "`rulegame play {ruleset} --vs search`."
)


INSTEAD_TIME: Final = (
    "Try instead: a longer --max-time, a smaller game (--set NAME=VALUE), or "
    "`rulegame play {ruleset} --vs search`."
)


INSTEAD_KIND: Final = (
    "Try instead: `rulegame check {ruleset}`, `rulegame simulate {ruleset}` or "
    "`rulegame play {ruleset} --vs search`."
)
NO_DEPTH: Final = (
    "cannot be searched with --depth: that needs two players, perfect information and payoffs "
    "that always have the same sum"
)
NOT_SO: Final = {  # an option that asks for what a game does not have
    "--depth": "Try instead: solve it without --depth.",
    "--hidden": "Try instead: solve it without --hidden.",
}


class SolveOptions(RulesetOptions):
    """Solve a game: who wins with best play, and how good each opening move is."""

    first: str = FIRST
    at: str = option(
        "MOVES|FILE", 'Solve from a later position: moves ("drop 4, drop 4") or a saved game.'
    )
    top: str = option("NUMBER", "Show at most NUMBER opening moves.")
    hidden: bool = flag(
        "Solve with hidden information, even if a simpler game with open picks exists."
    )
    policy: str = option("FILE", "Save the best move for every position (CSV, or JSON for *.json).")
    against: str = option(
        OPPONENTS, "Find the best response to this player, and how exploitable it is."
    )
    depth: str = option("NUMBER", "Only look NUMBER moves ahead, and report what can be forced.")
    max_states: str = MOST_STATES
    max_memory: str = MOST_MEMORY
    max_time: str = option(
        "SECONDS", "Stop after SECONDS, with bounds if the game is not solved.", heading=LIMITS
    )
    as_json: bool = JSON
    plot: str = PLOT_FILE


def run(options: SolveOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be solved."""
    began = process_time()
    check_plot(options.plot)
    require("solve")
    top = read_count("--top", options.top)
    budget = read_count("--max-states", options.max_states), read_memory(options.max_memory)
    ahead = read_depth(options.depth), read_seconds("--max-time", options.max_time)
    check_output(options.policy, "--policy")
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        answers = _answer(game, first, budget[0], ahead[1], options) if options.against else None
        place = None if options.against else _place(game, first, options)
        solution = None if place is None else _solve(game, place, budget, ahead, options)
    if answers is not None:
        return _print_answers(game, answers, options)
    if place is None or solution is None:
        return 1
    sys.set_int_max_str_digits(0)  # exact values may have more digits than Python writes by default
    if options.policy:
        _write_policy(solution, options.policy)
    write_plot(solution, options.plot)
    data, lines = _reported(solution, place, top)
    account = _account(solution)
    if account is not None:
        took = process_time() - began
        data |= {"account": account, "seconds": round(took, 3)}
        lines = chain(lines, ("", f"{account} It took {_time_text(took)}."))
    if options.as_json:
        print(json.dumps(data, indent=2))
    else:
        page("".join(f"{line}\n" for line in lines))
    return 0


def _answer(
    game: Game, first: int, most: int | None, seconds: float | None, options: SolveOptions
) -> list[Exploited] | None:
    """What can be had against a player, by seat; None, and why, if that cannot be worked out."""
    from rulegame.errors import CannotSolve, OutOfTime, TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.players.exploiting import exploit
    from rulegame.solving import MAX_STATES
    from rulegame.solving.deadline import deadline_after, time_left

    given = (options.at, options.depth, options.policy, options.hidden, options.top, options.plot)
    if any(given):
        raise WrongCall(
            "--against can be combined only with --first, --max-states, --max-time and --json"
        )
    if len(game.players) == 1:
        raise WrongCall("--against: this game has only one player")
    deadline = deadline_after(seconds)
    try:
        with working() as progress:
            return [
                exploit(
                    game, options.against, seat, first=first, max_states=most or MAX_STATES,
                    max_time=time_left(deadline), progress=progress,
                )
                for seat in range(len(game.players))
            ]  # fmt: skip
    except UnknownPlayer as mistake:
        raise WrongCall(f"--against: {mistake}") from None
    except (CannotSolve, TooLarge, PlayerFailed) as refusal:
        instead = "Try instead: `rulegame simulate {} --players search:200,{}`."
        told = f"{options.ruleset}: cannot compute the best response: {refusal}"
        if isinstance(refusal, OutOfTime):
            told = f"{options.ruleset}: the best response was not found within {seconds:g} s"
        print(visible(told), file=sys.stderr)
        print(visible(instead.format(options.ruleset, options.against)), file=sys.stderr)
        return None
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return None


def _print_answers(game: Game, found: list[Exploited], options: SolveOptions) -> int:
    from rulegame_cli.printing import solve_answer_report as answer

    if options.as_json:
        print(json.dumps(answer.as_data(options.against, found), indent=2))
    else:
        page("".join(f"{line}\n" for line in answer.report(game, options.against, found)))
    return 0


def _reported(
    solution: Strongest | DepthBounds, place: SolvedFrom, top: int | None
) -> tuple[dict[str, Any], Iterable[str]]:
    """A solution for programs, and for people."""
    from rulegame.solving import HiddenSolution, ManySolution, Solution, TogetherSolution
    from rulegame.solving.deepening import DepthBounds
    from rulegame_cli.printing import solve_bounds_report as bounds
    from rulegame_cli.printing import solve_hidden_report as secret
    from rulegame_cli.printing import solve_many_report as many
    from rulegame_cli.printing import solve_picks_report as picks
    from rulegame_cli.printing import solve_report as whole
    from rulegame_cli.printing import solve_together_report as together

    if isinstance(solution, Solution):
        return whole.as_data(solution, place, top), whole.report(solution, place, top)
    if isinstance(solution, ManySolution):
        return many.as_data(solution, place, top), many.report(solution, place, top)
    if isinstance(solution, HiddenSolution):
        return secret.as_data(solution, place, top), secret.report(solution, place, top)
    if isinstance(solution, TogetherSolution):
        return together.as_data(solution, place, top), together.report(solution, place, top)
    if isinstance(solution, DepthBounds):
        return bounds.as_data(solution, top), bounds.report(solution, top)
    return picks.as_data(solution, top), picks.report(solution, place.first, top)


def _account(solution: Strongest | DepthBounds) -> str | None:
    """How a solution was found; what one looks ahead for says that itself."""
    from rulegame.solving.accounts import account_of
    from rulegame.solving.deepening import DepthBounds

    return None if isinstance(solution, DepthBounds) else account_of(solution)


def _time_text(seconds: float) -> str:
    """Seconds of processor time."""
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def _write_policy(solution: Strongest | DepthBounds, path: str) -> None:
    from rulegame.solving import LaidOpenSolution, ManySolution
    from rulegame.solving.deepening import DepthBounds
    from rulegame.solving.policies import policy
    from rulegame_cli.printing.policy_table import policy_text

    if isinstance(solution, ManySolution) and solution.equilibria is None:
        raise WrongCall("--policy: there is no known equilibrium, because play can go on forever")
    if isinstance(solution, LaidOpenSolution | DepthBounds):
        instead = "leave out --depth" if isinstance(solution, DepthBounds) else "use --hidden"
        raise WrongCall(f"--policy: this result is not a full solution ({instead})")
    deliver(policy_text(policy(solution), path.endswith(".json")), path, "--policy")


# ---- solving


def _place(game: Game, first: int, options: SolveOptions) -> SolvedFrom | None:
    if not options.at:
        return SolvedFrom(first, [], None)
    from rulegame.game import GameError
    from rulegame_cli.table.position_at import position_at

    try:
        return SolvedFrom(*position_at(game, first, options.at))
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return None


def _solve(
    game: Game,
    place: SolvedFrom,
    budget: tuple[int | None, int | None],
    ahead: tuple[int | None, float | None],
    options: SolveOptions,
) -> Strongest | DepthBounds | None:
    from rulegame.errors import CannotSolve, OutOfTime, TooLarge
    from rulegame.game import GameError
    from rulegame.solving import MAX_STATES
    from rulegame.solving.deadline import deadline_after, time_left
    from rulegame.solving.strongest import solve_strongest

    seconds = ahead[1]
    deadline = deadline_after(seconds)
    if seconds is not None and _can_look_ahead(game):
        seconds /= 2  # the rest is for looking ahead
    given: dict[str, Any] = {"max_states": budget[0] or MAX_STATES, "max_memory": budget[1]}
    try:
        if ahead[0] is not None:
            return _look_ahead(game, place, budget[1], ahead)
        with working() as progress:
            return solve_strongest(
                game, first=place.first, at=place.state, hidden=options.hidden,
                max_time=seconds, progress=progress, **given,
            )  # fmt: skip
    except (CannotSolve, TooLarge) as refusal:
        why = f"cannot be solved: {refusal}"
        if isinstance(refusal, OutOfTime):
            why = f"was not solved within {seconds:g} s"
        if options.depth and isinstance(refusal, CannotSolve):
            why = NO_DEPTH
        print(visible(f"{options.ruleset} {why}"), file=sys.stderr)
        if isinstance(refusal, TooLarge) and _can_look_ahead(game):
            if seconds is not None:
                with suppress(CannotSolve):
                    return _look_ahead(game, place, budget[1], (None, time_left(deadline)))
            print(visible(INSTEAD.format(ruleset=options.ruleset)), file=sys.stderr)
        else:
            print(visible(_instead(game, refusal, options)), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
    return None


def _instead(game: Game, refusal: Exception, options: SolveOptions) -> str:
    """What to try after a refusal."""
    from rulegame.errors import OutOfTime, TooLarge

    if isinstance(refusal, OutOfTime):
        return INSTEAD_TIME.format(ruleset=options.ruleset)
    if isinstance(refusal, TooLarge):
        return INSTEAD_OTHER.format(ruleset=options.ruleset)
    if options.depth:
        return NOT_SO["--depth"]
    if options.hidden and game.kind.is_open:
        return NOT_SO["--hidden"]
    return INSTEAD_KIND.format(ruleset=options.ruleset)


def _can_look_ahead(game: Game) -> bool:
    """Whether something can be forced in a game: by two players who see everything."""

    return game.kind.is_duel and game.kind.is_open


def _look_ahead(
    game: Game, place: SolvedFrom, memory: int | None, ahead: tuple[int | None, float | None]
) -> DepthBounds:
    from rulegame.solving.deepening import MOST_DEPTH, solve_bounds

    depth, seconds = ahead
    with working() as progress:
        return solve_bounds(
            game, depth=depth or MOST_DEPTH, first=place.first, at=place.state, max_time=seconds,
            max_memory=memory, progress=progress,
        )  # fmt: skip
