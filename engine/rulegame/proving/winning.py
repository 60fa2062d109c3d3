"""The claims about best play: who wins, and how fair it is. They need the solution of the game."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rulegame.model import Claim
from rulegame.proving.findings import Evidence
from rulegame.proving.inquiry import Inquiry
from rulegame.proving.plays import Cycle, find_cycle, shortest_paths
from rulegame.solving import MixedSolution, PerfectInformationSolution

LONGEST = 40  # characters of a fraction worth printing


def first_player_wins(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether the player who moves first wins with probability 1, whatever the others do."""
    return _wins(inquiry, 0)


def second_player_wins(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether the player who moves second wins with probability 1, whatever the others do."""
    return _wins(inquiry, 1)


def _wins(inquiry: Inquiry, order: int) -> Evidence:
    players = len(inquiry.game.players)
    if order >= players:
        return Evidence(None, "the game has only one player")
    if players > 1 and inquiry.game.kernel.is_shared:
        return Evidence(None, "all players share the result")
    solution = inquiry.solution if players == 2 else ""
    plain = not isinstance(solution, str) and solution.arena.plain
    wanted = 1 - 2 * order if plain else 1
    if not plain:
        solution = inquiry.winning((inquiry.first + order) % players)
    if isinstance(solution, str):
        return Evidence(None, solution)
    low, high = sorted((wanted * solution.lower, wanted * solution.upper))
    if solution.value is not None:
        holds: bool | None = solution.value == wanted
    else:
        holds = True if low == 1 else False if high < 1 else None
    if holds is None:
        return Evidence(None, _worth(solution))
    play, cycle = _line(inquiry, solution, (wanted,) if holds else (-wanted, 0))
    moves = inquiry.plays.moves
    detail = _result(inquiry, solution) if plain else _certain(inquiry, order, solution)
    return Evidence(holds, detail, moves(play), moves(cycle))


def cooperative_win(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether all players together can win with probability 1, whatever is rolled."""
    solution = inquiry.winning_together
    if isinstance(solution, str):
        return Evidence(None, solution)
    holds = None if solution.lower < 1 <= solution.upper else solution.lower == 1
    if holds is None:
        return Evidence(None, "only bounds on the probability are known")
    play, _ = _line(inquiry, solution, (1,)) if holds else ([], [])
    if holds:
        return Evidence(True, "the players can force a win together", inquiry.plays.moves(play))
    most = "no game is won by all" if solution.upper <= 0 else "they may fail"
    return Evidence(False, f"the players cannot force a win together: {most}")


def _certain(inquiry: Inquiry, order: int, solution: PerfectInformationSolution) -> str:
    """Whether one player can force a win against all others, as a clause."""
    names = inquiry.game.players
    name = names[(inquiry.first + order) % len(names)]
    who = f"{name}, who moves {('first', 'second')[order]}," if len(names) > 1 else name
    return f"{who} {'can' if solution.result == 'first' else 'cannot'} force a win"


def first_player_gets(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether the player who moves first can guarantee this expected payoff."""
    solution = inquiry.guaranteed
    if isinstance(solution, str):
        return Evidence(None, solution)
    wanted, detail = Fraction(claim.value), _worth(solution)
    if solution.value is not None:
        return Evidence(solution.value >= wanted, detail)
    if Fraction(solution.lower) >= wanted:
        return Evidence(True, detail)
    return Evidence(False if Fraction(solution.upper) < wanted else None, detail)


def fair_within(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether the value for the first mover is at most this far from 0."""
    solution = inquiry.valued
    if isinstance(solution, str):
        return Evidence(None, solution)
    allowed = Fraction(claim.value)
    detail = _worth(solution)
    if solution.value is not None:
        return Evidence(abs(solution.value) <= allowed, detail)
    low, high = Fraction(solution.lower), Fraction(solution.upper)
    if -allowed <= low and high <= allowed:
        return Evidence(True, detail)
    return Evidence(False if low > allowed or high < -allowed else None, detail)


def _line(inquiry: Inquiry, solution: PerfectInformationSolution, pays: tuple[int, ...]) -> Cycle:
    """A shortest line of best play to an end that pays one of these; if there is none, an endless
    one.
    """
    plays = inquiry.plays
    allowed = plays.rolls[plays.sources]
    allowed[solution.chosen[solution.chosen >= 0]] = True
    paths = shortest_paths(plays, allowed)
    end = paths.nearest(plays.ends & np.isin(solution.arena.pay, pays))
    if end is not None:
        return paths.to(end), []
    found = find_cycle(plays, paths, paths.distance >= 0, allowed)
    assert found is not None, "otherwise best play is endless"
    return found


def _result(inquiry: Inquiry, solution: PerfectInformationSolution) -> str:
    names = inquiry.game.players
    match solution.result:
        case "first":
            return f"{names[inquiry.first]}, who moves first, can force a win"
        case "second":
            return f"{names[1 - inquiry.first]}, who moves second, can force a win"
        case "draw":
            return "best play leads to a draw"
        case "endless":
            return "best play never ends"
    return _worth(solution)


def _worth(solution: PerfectInformationSolution | MixedSolution) -> str:
    if solution.value is None:
        return f"the first player's value is between {solution.lower!r} and {solution.upper!r}"
    exact = str(solution.value)
    if solution.value.denominator == 1:
        return f"the value for the first player is {exact}"
    decimal = f"{float(solution.value):.6g}"
    shown = f"{exact} ({decimal})" if len(exact) <= LONGEST else f"about {decimal}"
    return f"the value for the first player is {shown}"
