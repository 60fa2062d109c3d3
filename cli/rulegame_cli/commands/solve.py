"""`rulegame solve`: who wins under best play, and what every opening move is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import chain
from time import process_time
from typing import TYPE_CHECKING, Any, Final

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


FEW_SECONDS: Final = 20  # of processor time
INSTEAD: Final = (
    "What can be done: find what can be forced within 10 moves (--depth 10), solve a later "
    "position (--at MOVES), allow more (--max-states NUMBER), or let the computer think "
    "(rulegame play {ruleset} --vs search) and play at random (rulegame simulate {ruleset})."
)


INSTEAD_OTHER: Final = (
    "What can be done: make it smaller (--set), allow more (--max-states NUMBER), or let the "
    "computer think (rulegame play {ruleset} --vs search) and play at random (rulegame simulate "
    "{ruleset})."
)


INSTEAD_KIND: Final = (
    "What can be had: the claims that need no solution (rulegame check {ruleset}), games at random "
    "or between computers (rulegame simulate {ruleset}), and one who thinks (rulegame play "
    "{ruleset} --vs search)."
)
NO_DEPTH: Final = (
    "cannot be looked ahead in: that is for games of two who see everything, and who win, lose or "
    "draw"
)
NOT_SO: Final = {  # an option that asks for what a game does not have
    "--depth": "What can be had: leave out --depth, and the game is solved as far as it can be.",
    "--hidden": "What can be had: leave out --hidden, and the game is solved as it is.",
}


class SolveOptions(RulesetOptions):
    """Solve a game of two: who wins under best play, and what each opening move is worth."""

    first: str = FIRST
    at: str = option(
        "MOVES|FILE", 'Solve from a later position: "drop 4, drop 4", or the file of a saved game.'
    )
    top: str = option("NUMBER", "Show only so many opening moves.")
    hidden: bool = flag("Solve it with its secrets, even if they could be laid open.")
    policy: str = option(
        "FILE", "Write what best play does in every situation: CSV, or JSON if the name ends so."
    )
    against: str = option(
        OPPONENTS, "The best answer to this player, and how far it is exploitable."
    )
    depth: str = option("NUMBER", "Do not solve it: find what can be forced within so many moves.")
    max_states: str = MOST_STATES
    max_memory: str = MOST_MEMORY
    max_time: str = option(
        "SECONDS", "Look ahead for so long, if the game is too large to be solved.", heading=LIMITS
    )
    as_json: bool = JSON
    plot: str = PLOT_FILE


def run(options: SolveOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be solved."""
    began = process_time()
    top = read_count("--top", options.top)
    budget = read_count("--max-states", options.max_states), read_memory(options.max_memory)
    ahead = read_depth(options.depth), read_seconds("--max-time", options.max_time)
    check_output(options.policy, "--policy")
    check_plot(options.plot)
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        answers = _answer(game, first, budget[0], options) if options.against else None
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
    game: Game, first: int, most: int | None, options: SolveOptions
) -> list[Exploited] | None:
    """What can be had against a player, by seat; None, and why, if that cannot be worked out."""
    from rulegame.exploring import TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.players.exploiting import exploit
    from rulegame.solving import MAX_STATES, CannotSolve

    given = (options.at, options.depth, options.policy, options.hidden, options.top, options.plot)
    if any(given):
        raise WrongCall("--against goes with --first, --max-states and --json alone")
    if len(game.players) == 1:
        raise WrongCall("--against: in a game of one there is nobody to play against")
    try:
        with working() as progress:
            return [
                exploit(
                    game, options.against, seat, first=first, max_states=most or MAX_STATES,
                    progress=progress,
                )
                for seat in range(len(game.players))
            ]  # fmt: skip
    except UnknownPlayer as mistake:
        raise WrongCall(f"--against: {mistake}") from None
    except (CannotSolve, TooLarge, PlayerFailed) as refusal:
        instead = "What can be done: let them play (rulegame simulate {} --players search:200,{})."
        told = f"{options.ruleset}: the best answer cannot be worked out: {refusal}"
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
    """Seconds of processor time; few of them are not worth counting."""
    return "a few seconds" if seconds < FEW_SECONDS else f"{seconds:.0f} seconds"


def _write_policy(solution: Strongest | DepthBounds, path: str) -> None:
    from rulegame.solving import LaidOpenSolution, ManySolution
    from rulegame.solving.deepening import DepthBounds
    from rulegame.solving.policies import policy
    from rulegame_cli.printing.policy_table import policy_text

    if isinstance(solution, ManySolution) and solution.equilibria is None:
        raise WrongCall("--policy: what everybody plays is not known where play can go on for ever")
    if isinstance(solution, LaidOpenSolution | DepthBounds):
        instead = "leave out --depth" if isinstance(solution, DepthBounds) else "use --hidden"
        raise WrongCall(f"--policy: this is no solution of the game as it is ({instead})")
    deliver(policy_text(policy(solution), path.endswith(".json")), path, "--policy")


# ---- solving


def _place(game: Game, first: int, options: SolveOptions) -> SolvedFrom | None:
    if not options.at:
        return SolvedFrom(first, [], None)
    from rulegame.game import GameError
    from rulegame_cli.table.revisiting import revisit

    try:
        return SolvedFrom(*revisit(game, first, options.at))
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
    from rulegame.exploring import TooLarge
    from rulegame.game import GameError
    from rulegame.solving import MAX_STATES, CannotSolve
    from rulegame.solving.strongest import solve_strongest

    given: dict[str, Any] = {"max_states": budget[0] or MAX_STATES, "max_memory": budget[1]}
    try:
        if ahead[0] is not None:
            return _look_ahead(game, place, budget[1], ahead)
        with working() as progress:
            return solve_strongest(
                game, first=place.first, at=place.state, hidden=options.hidden,
                max_time=ahead[1], progress=progress, **given,
            )  # fmt: skip
    except (CannotSolve, TooLarge) as refusal:
        why = f"cannot be solved: {refusal}"
        if options.depth and isinstance(refusal, CannotSolve):
            why = NO_DEPTH
        print(visible(f"{options.ruleset} {why}"), file=sys.stderr)
        if isinstance(refusal, TooLarge) and _can_look_ahead(game):
            if ahead[1] is not None:
                return _look_ahead(game, place, budget[1], ahead)
            print(visible(INSTEAD.format(ruleset=options.ruleset)), file=sys.stderr)
        else:
            print(visible(_instead(refusal, options)), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
    return None


def _instead(refusal: Exception, options: SolveOptions) -> str:
    """What can be had where that is refused which was asked for."""
    from rulegame.exploring import TooLarge

    if isinstance(refusal, TooLarge):
        return INSTEAD_OTHER.format(ruleset=options.ruleset)
    if options.depth:
        return NOT_SO["--depth"]
    if "nothing is hidden" in str(refusal):
        return NOT_SO["--hidden"]
    return INSTEAD_KIND.format(ruleset=options.ruleset)


def _can_look_ahead(game: Game) -> bool:
    """Whether something can be forced in a game: two players who see everything win or lose."""
    from rulegame.solving import has_secrets

    plain = len(game.players) == 2 and game.kernel.is_plain
    return plain and not has_secrets(game.ruleset)


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
