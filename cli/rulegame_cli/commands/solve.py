"""`rulegame solve`: solve a game and print the report."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from time import process_time
from typing import TYPE_CHECKING, Final

from rulegame.extras import require
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.opponents import OPPONENTS
from rulegame_cli.calling.options import (
    FIRST,
    LIMITS,
    MOST_MEMORY,
    MOST_STATES,
    PLOT_FILE,
    ReportOptions,
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
from rulegame_cli.printing.solution import Amount, Place, as_data, report
from rulegame_cli.printing.terminal import visible

if TYPE_CHECKING:
    from rulegame.explaining import SolutionExplanation
    from rulegame.game import Game
    from rulegame.players.exploiting import Exploited
    from rulegame.solving import Limits, Solution


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
    "Try instead: `rulegame prove {ruleset}`, `rulegame simulate {ruleset}` or "
    "`rulegame play {ruleset} --vs search`."
)
NO_DEPTH: Final = (
    "cannot be searched with --depth: that needs two players, perfect information and payoffs "
    "that always have the same sum"
)
INSTEAD_OF_REVEALED: Final = "Try instead: solve it without --revealed."
INSTEAD_OF_DEPTH: Final = "Try instead: solve it without --depth."
REVEALED: Final = (
    "`rulegame solve {ruleset} --revealed` solves another game, in which picks are shown before "
    "the first turn."
)
NO_HIDDEN: Final = "note: --hidden has no effect: games are solved with their hidden information."


class SolveOptions(RulesetOptions, ReportOptions):
    """Solve a game: who wins with best play, and how good each opening move is."""

    first: str = FIRST
    at: str = option(
        "MOVES|FILE", 'Solve from a later position: moves ("drop 4, drop 4") or a saved game.'
    )
    top: str = option("NUMBER", "Show at most NUMBER rows of each table (default: 10).")
    all_rows: bool = flag("Show all rows of each table.", "--all")
    exact: bool = flag("Show exact fractions, however long.")
    explain: bool = flag("Explain why: a table of winning positions and the simplest rule.")
    revealed: bool = flag("Solve the variant whose secret picks are revealed before play.")
    hidden: bool = flag("No effect: games are solved with their hidden information.")
    policy: str = option("FILE", "Save the best move for every position (CSV, or JSON for *.json).")
    against: str = option(
        OPPONENTS, "Find the best response to this player, and how exploitable it is."
    )
    depth: str = option("NUMBER", "Look only NUMBER moves ahead, and report what can be forced.")
    max_states: str = MOST_STATES
    max_memory: str = MOST_MEMORY
    max_time: str = option(
        "SECONDS", "Stop after SECONDS, with bounds if the game is not solved.", heading=LIMITS
    )
    plot: str = PLOT_FILE


def run(options: SolveOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be solved."""
    began = process_time()
    check_plot(options.plot)
    require("solve")
    amount = _amount(options)
    limits = _limits(options)
    check_output(options.policy, "--policy")
    if options.hidden:
        print(NO_HIDDEN, file=sys.stderr)
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        answers = _answer(game, first, limits, options) if options.against else None
        place = None if options.against else _place(game, first, options)
        solution = None if place is None else _solve(game, place, limits, options)
    if answers is not None:
        return _print_answers(game, answers, options)
    if place is None or solution is None:
        return 1
    sys.set_int_max_str_digits(0)  # exact values may have more digits than Python writes by default
    if options.policy:
        _write_policy(solution, options.policy)
    write_plot(solution, options.plot)
    seconds = process_time() - began
    explanation = _explain(solution) if options.explain else None
    if options.as_json:
        data = as_data(solution, place, amount, seconds)
        if explanation is not None:
            data["explanation"] = explanation.to_dict()
        print(json.dumps(data, indent=2))
    else:
        lines = report(solution, place, amount, seconds, explanation)
        page("".join(f"{line}\n" for line in lines))
    return 0


def _explain(solution: Solution) -> SolutionExplanation:
    from rulegame.explaining import explain_solution

    return explain_solution(solution)


def _amount(options: SolveOptions) -> Amount:
    """How many rows, and how many digits."""
    top = read_count("--top", options.top)
    if top is not None and options.all_rows:
        raise WrongCall("--top and --all cannot be combined")
    if top is None and not options.all_rows:
        return Amount(exact=options.exact)
    return Amount(top, folded=False, exact=options.exact)


def _limits(options: SolveOptions) -> Limits:
    from rulegame.solving import MAX_STATES, Limits

    return Limits(
        read_count("--max-states", options.max_states) or MAX_STATES,
        read_memory(options.max_memory),
        read_seconds("--max-time", options.max_time),
        read_depth(options.depth),
    )


def _answer(
    game: Game, first: int, limits: Limits, options: SolveOptions
) -> list[Exploited] | None:
    """What can be had against a player, by seat; None, and why, if that cannot be worked out."""
    from rulegame.errors import CannotSolve, OutOfTime, TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.players.exploiting import exploit_from_all_seats

    given = (options.at, options.depth, options.policy, options.revealed, options.top, options.plot)
    if any(given) or options.explain:
        raise WrongCall(
            "--against can be combined only with --first, --max-states, --max-time and --json"
        )
    if game.kind.players == 1:
        raise WrongCall("--against: this game has only one player")
    try:
        with working() as progress:
            return exploit_from_all_seats(
                game, options.against, first=first, max_states=limits.max_states,
                max_time=limits.max_time, progress=progress,
            )  # fmt: skip
    except UnknownPlayer as mistake:
        raise WrongCall(f"--against: {mistake}") from None
    except (CannotSolve, TooLarge, PlayerFailed) as refusal:
        instead = "Try instead: `rulegame simulate {} --players search:200,{}`."
        told = f"{options.ruleset}: cannot compute the best response: {refusal}"
        if isinstance(refusal, OutOfTime):
            told = (
                f"{options.ruleset}: the best response was not found within {limits.max_time:g} s"
            )
        print(visible(told), file=sys.stderr)
        print(visible(instead.format(options.ruleset, options.against)), file=sys.stderr)
        return None
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return None


def _print_answers(game: Game, found: list[Exploited], options: SolveOptions) -> int:
    from rulegame_cli.printing import best_response

    if options.as_json:
        print(json.dumps(best_response.as_data(game, options.against, found), indent=2))
    else:
        lines = best_response.report(game, options.against, found)
        page("".join(f"{line}\n" for line in lines))
    return 0


def _write_policy(solution: Solution, path: str) -> None:
    from rulegame.solving import LookaheadSolution, MultiplayerSolution, RevealedSolution
    from rulegame.solving.policies import Followed, policy
    from rulegame_cli.printing.policy_table import policy_text

    if isinstance(solution, MultiplayerSolution) and solution.equilibria is None:
        raise WrongCall("--policy: there is no known equilibrium, because play can go on forever")
    if isinstance(solution, RevealedSolution | LookaheadSolution):
        left_out = "--depth" if isinstance(solution, LookaheadSolution) else "--revealed"
        raise WrongCall(f"--policy: this result is not a full solution (leave out {left_out})")
    assert isinstance(solution, Followed)
    deliver(policy_text(policy(solution), path.endswith(".json")), path, "--policy")


# ---- solving


def _place(game: Game, first: int, options: SolveOptions) -> Place | None:
    if not options.at:
        return Place(first, [], None)
    from rulegame.game import GameError
    from rulegame_cli.calling.reaching import position_at

    try:
        return Place(*position_at(game, first, options.at))
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return None


def _solve(game: Game, place: Place, limits: Limits, options: SolveOptions) -> Solution | None:
    from dataclasses import replace

    from rulegame.errors import CannotSolve, TooLarge
    from rulegame.game import GameError
    from rulegame.solving import Method, solve
    from rulegame.solving.deadline import deadline_after, time_left

    if options.revealed and (options.at or options.depth):
        raise WrongCall("--revealed cannot be combined with --at or --depth")
    deadline = deadline_after(limits.max_time)
    method = Method.LOOKAHEAD if limits.depth is not None else Method.AUTO
    method = Method.REVEALED if options.revealed else method
    first_try, ahead = limits, method is Method.AUTO and game.kind.is_duel and game.kind.is_open
    if ahead and limits.max_time is not None:
        first_try = replace(limits, max_time=limits.max_time / 2)  # the rest is for looking ahead
    try:
        with working() as progress:
            return solve(
                game, method, limits=first_try, progress=progress, first=place.first,
                at=place.state, symmetric=not options.explain,
            )  # fmt: skip
    except (CannotSolve, TooLarge) as refusal:
        _refuse(game, refusal, first_try, options)
        if isinstance(refusal, TooLarge) and ahead and limits.max_time is not None:
            left = replace(limits, max_time=time_left(deadline))
            print("Looking ahead in the remaining time.", file=sys.stderr)
            with suppress(CannotSolve), working() as progress:
                return solve(
                    game,
                    Method.LOOKAHEAD,
                    limits=left,
                    progress=progress,
                    first=place.first,
                    at=place.state,
                )
        for line in _instead(game, refusal, options):
            print(visible(line), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
    return None


def _refuse(game: Game, refusal: Exception, limits: Limits, options: SolveOptions) -> None:
    """Say why there is no solution, and what is known without one."""
    from rulegame.errors import NotOpposed, OutOfTime
    from rulegame.model.payoffs import PayoffRange, possible_payoffs

    why, known = f"cannot be solved: {refusal}", PayoffRange(None, None)
    searchable = game.kind.is_duel and game.kind.is_open and not isinstance(refusal, NotOpposed)
    first = game.kernel.who_begins(read_first(options.first, game.ruleset))
    if isinstance(refusal, OutOfTime):
        why = f"was not solved within {limits.max_time:g} s"
        if game.kind.players <= 2 and not searchable:  # then it is searched
            known = possible_payoffs(game.ruleset, first)
    payoffs = getattr(refusal, "payoffs", None)  # of TooManyHistories
    if payoffs is not None:
        why, known = f"is not solved: {refusal}", PayoffRange(*payoffs)
    if options.depth and not searchable:
        why = NO_DEPTH
    print(visible(f"{options.ruleset} {why}"), file=sys.stderr)
    low, high = known
    if low is not None and high is not None:
        text = f"The value for {game.players[first]} is between {low} and {high}."
        print(visible(text), file=sys.stderr)


def _instead(game: Game, refusal: Exception, options: SolveOptions) -> list[str]:
    """What to try after a refusal."""
    from rulegame.errors import OutOfTime, TooLarge
    from rulegame.solving import can_reveal

    revealed = [REVEALED] if not options.revealed and can_reveal(game) else []
    if isinstance(refusal, OutOfTime):
        told = [INSTEAD_TIME]
    elif isinstance(refusal, TooLarge):
        told = [INSTEAD if game.kind.is_duel and game.kind.is_open else INSTEAD_OTHER]
    elif options.depth:
        return [INSTEAD_OF_DEPTH]
    elif options.revealed:
        return [INSTEAD_OF_REVEALED]
    else:
        told = [INSTEAD_KIND]
    return [line.format(ruleset=options.ruleset) for line in (*revealed, *told)]
