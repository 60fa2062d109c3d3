"""The report of `rulegame solve`: the verdict, the moves, best first, strategies where best play
mixes, and how it was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame.rounding import bounds_text, ceiling_text, floor_text, near_text
from rulegame.wording import counted
from rulegame_cli.printing.explanation import explained
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.explaining import SolutionExplanation
    from rulegame.game import Move, State
    from rulegame.solving import (
        LookaheadSolution,
        MixedSolution,
        MoveValue,
        MultiplayerSolution,
        PerfectInformationSolution,
        RevealedSolution,
        Solution,
        ValueBounds,
    )

ROWS: Final = 10  # of a table, if nobody says how many
FEW: Final = 3  # equal rows at the end of a table that are not folded
LONGEST: Final = 20  # characters of a fraction that is shown beside its decimal
DIGITS: Final = 10  # decimals of a value
SIDES: Final = ("first", "second")
FIGURES: Final = ("chance", "payoff")  # results that are told by numbers
WORDS: Final = {"first": "wins", "second": "loses", "draw": "draw", "endless": "endless",
                "lost": "loses"}  # fmt: skip
OTHER_SIDE: Final = {"first": "second", "second": "first"}


class Place(NamedTuple):
    """From where on the game is solved."""

    first: int  # who moved first, and whose the values are
    played: list[Move]
    state: State | None  # None: from the start


class Amount(NamedTuple):
    """How much of it people want to see."""

    rows: int | None = ROWS  # of each table; None: all
    folded: bool = True  # whether equal rows at the end of a table are only counted
    exact: bool = False  # whether fractions are written out, however long

    def number(self, value: Fraction | float | None, lower: float, upper: float) -> str:
        """A value, or its bounds."""
        if value is None:
            return bounds_text(lower, upper)
        if not isinstance(value, Fraction):
            return f"{value:.10g}"
        text = str(value)
        if value.denominator == 1:
            return text
        decimal = f"{float(value):.10g}"
        return f"{text} ({decimal})" if self.exact or len(text) <= LONGEST else decimal

    def share(self, share: Fraction | float) -> str:
        """A probability in a strategy."""
        if isinstance(share, Fraction):
            text = str(share)
            if share.denominator == 1:
                return text
            if self.exact or len(text) <= LONGEST:
                return f"{text} = {float(share):.6f}"
        return f"{float(share):.6f}"


def as_data(solution: Solution, place: Place, amount: Amount, seconds: float) -> dict[str, Any]:
    """The solution as JSON has it."""
    return {
        **solution.to_dict(None if amount == Amount() else amount.rows),
        "at": [move.text for move in place.played],
        "first": place.first + 1,
        "seconds": round(seconds, 3),
    }


def report(
    solution: Solution,
    place: Place,
    amount: Amount,
    seconds: float,
    explanation: SolutionExplanation | None = None,
) -> Iterator[str]:
    """The solution for people to read."""
    from rulegame.solving import Method

    found: Any = solution
    title = one_line(solution.game.ruleset.title)
    yield title + " with revealed picks" * (solution.algorithm is Method.REVEALED)
    if place.state is not None:
        yield one_line(where(place, place.state))
    yield ""
    if solution.algorithm is Method.LOOKAHEAD:
        yield from _ahead(found, amount)
    elif solution.algorithm is Method.MULTIPLAYER:
        yield from _each(found, amount)
    else:
        yield from _verdict(solution, place, amount)
        yield from _tables(found, place, amount)
    if explanation is not None:
        yield ""
        yield from explained(explanation)
    yield ""
    yield " ".join([solution.account, *_size(solution, place), f"It took {time_text(seconds)}."])


def where(place: Place, state: State) -> str:
    """The position, and who is to move there."""
    if state.outcome is not None:
        then = "the game is over"
    elif len(state.choosing) > 1:
        names = [state.game.players[seat] for seat in state.choosing]
        then = f"{' and '.join(names)} to choose"
    elif state.player is not None and state.player >= 0:
        then = f"{state.game.players[state.player]} to move"
    else:
        then = f"{state.moves[0].operation} to roll"
    played = ", ".join(move.text for move in place.played)
    return f"{f'After {played}' if played else 'At the start'}: {then}."


def time_text(seconds: float) -> str:
    """Seconds of processor time."""
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


# ---- the verdict


def _verdict(solution: Solution, place: Place, amount: Amount) -> Iterator[str]:
    from rulegame.solving import Method

    names, first = [one_line(name) for name in solution.game.players], solution.first
    name, alone = names[first], len(names) == 1
    if solution.algorithm is Method.REVEALED:
        yield "This is another game: both pick at once, then see each other's picks before play."
    if place.state is not None and place.state.outcome is not None:
        yield _ended(names, place.state)
        return
    if solution.is_vacuous:
        yield from _not_solved(solution, name)
        return
    result, away = solution.result, solution.distance
    end = "" if away is None else f" in {counted(away, 'move')}"
    if result in SIDES and not (alone and result == "second"):
        seat = first if result == "first" else 1 - first
        order = "" if alone else _order(solution, place, str(result), ",")
        yield f"With best play {names[seat]}{order} wins{end or SURELY}."
    elif result == "lost":
        yield f"{name} always loses{end or SURELY}."
    elif result == "draw":
        alone_text = f"{name} cannot win. Best play leads to a draw{end}."
        yield alone_text if alone else f"With best play the game is a draw{end}."
    elif result == "endless":
        yield (
            f"{name} cannot win, and best play never ends."
            if alone
            else "With best play the game never ends: neither side can force an end."
        )
    else:
        yield from _in_numbers(solution, place, name, amount)


def _order(solution: Solution, place: Place, order: str, comma: str = "") -> str:
    """Who somebody is; nobody moves first where both choose at once."""
    if solution.kind.simultaneous:
        return ""
    return f", who {'moves' if place.state is None else 'moved'} {order}{comma}"


SURELY: Final = " with probability 1"


def _in_numbers(solution: Solution, place: Place, name: str, amount: Amount) -> Iterator[str]:
    chance = solution.win_probability
    if chance is not None:
        yield f"{name} wins with probability {float(chance):.10g} with best play."
    if solution.result == "mixed" and chance is None:
        yield "Best play mixes moves at random."
    who = name
    if len(solution.game.players) > 1:
        who += _order(solution, place, "first")
    value = amount.number(solution.value, solution.lower, solution.upper)
    if len(solution.game.players) == 1 and solution.result == "payoff":
        yield f"Best {'expected ' * solution.kind.chance}payoff for {who}: {value}"
    else:
        yield f"Value for {who}: {value}"
    most = getattr(solution, "exploitability", 0.0)
    if most:
        yield f"Each strategy is exploitable by at most {_rounded_up(most)}."


def _not_solved(solution: Solution, name: str) -> Iterator[str]:
    between = bounds_text(solution.lower, solution.upper)
    low, high = solution.payoffs_between or (-inf, inf)
    all_ = "as payoffs are" if (solution.lower, solution.upper) == (low, high) else (
        f"and payoffs are between {float(low):g} and {float(high):g}"
    )  # fmt: skip
    yield f"Not solved: the value for {name} is {between}, {all_}."
    yield "A longer --max-time, a larger --max-states or a smaller game (--set) would help."


def _ended(names: list[str], state: State) -> str:
    """How a game is over."""
    outcome = state.outcome
    assert outcome is not None
    if state.game.kind.payoffs:
        paid = [f"{name} {pay}" for name, pay in zip(names, outcome.payoffs, strict=True)]
        return f"Payoffs: {', '.join(paid)}."
    if outcome.winners:
        return f"{names[outcome.winners[0]]} has won."
    return "It is a draw." if outcome.draw else f"{names[outcome.losers[0]]} has lost."


def _rounded_up(number: float) -> str:
    """With three digits, and no less than it is."""
    text = f"{number:.2e}"
    if float(text) < number:
        text = f"{number * 1.005:.2e}"
    return f"{float(text):.3g}"


# ---- tables


def _tables(solution: Any, place: Place, amount: Amount) -> Iterator[str]:
    from rulegame.solving import Method

    if solution.algorithm is Method.PERFECT_INFORMATION:
        yield from _openings(solution, place, amount)
    elif solution.algorithm is Method.REVEALED:
        for side in (0, 1):
            yield from _picks(solution, side, amount)
    elif not solution.is_vacuous:
        yield from _strategies(solution, amount)


def _rows(rows: Sequence[tuple[str, ...]], amount: Amount, left: Sequence[int]) -> Iterator[str]:
    """A table, best rows first: so many of them, and the equal ones at its end only counted. The
    first cell of a row is what it is about, the others are its worth.
    """
    count = len(rows) if amount.rows is None else min(amount.rows, len(rows))
    equal = next((k for k, row in enumerate(reversed(rows)) if row[1:] != rows[-1][1:]), len(rows))
    if amount.folded and FEW < equal < len(rows):
        count = min(count, len(rows) - equal)
    yield from columns(rows[:count], left=left)
    more = len(rows) - count
    if more:
        worth = ", ".join(filter(None, rows[-1][1:]))
        yield f"  … and {more:,} more{f', all: {worth}' if more <= equal else ''}"


def _openings(solution: PerfectInformationSolution, place: Place, amount: Amount) -> Iterator[str]:
    moves = solution.moves()
    if not moves:
        return
    rolled, low = solution.graph.owner[0] < 0, solution.arena.role[0] == 1
    total = solution.graph.payoff_sum if low else Fraction(0)
    yield ""
    yield _heading(solution, place)
    rows = []
    for one in moves:
        cost = ""
        if one.loss and one.result in FIGURES and not one.best:
            about = "" if isinstance(one.loss, Fraction) else "about "
            cost = f"({about}{float(one.loss):.10g} worse)"
        mark = "*" if one.best and not rolled else " "
        rows.append((f"{mark} {one_line(one.move.text)}", _worth(one, low, total), cost))
    yield from _rows(rows, amount, (0, 1, 2))


def _heading(solution: PerfectInformationSolution, place: Place) -> str:
    owner = int(solution.graph.owner[0])
    if place.state is None:
        return "Value of each first roll:" if owner < 0 else "Opening moves, best first:"
    players = [one_line(name) for name in solution.game.players]
    if owner < 0:
        return f"Value of each roll for {players[place.first]}:"
    both = owner != place.first and solution.result in FIGURES
    whose = f"; values for {players[place.first]}" if both else ""
    return f"Moves for {players[owner]}, best first{whose}:"


def _worth(one: MoveValue, low: bool, total: Fraction) -> str:
    """What a move is worth to who makes it; figures are those of who moves first, as always."""
    if one.result in FIGURES:
        value = one.value if isinstance(one.value, Fraction) else Fraction(one.decimal or 0.0)
        return _decimal(total - value if low else value)
    result = OTHER_SIDE.get(str(one.result), str(one.result)) if low else str(one.result)
    away = "" if one.distance is None else f" in {counted(one.distance, 'move')}"
    return WORDS[result] + away


def _decimal(value: Fraction) -> str:
    """A number with its sign and ten decimals, which are all right."""
    parts = round(abs(value) * 10**DIGITS)
    whole, rest = divmod(parts, 10**DIGITS)
    return f"{'-' if value < 0 and parts else '+'}{whole}.{rest:0{DIGITS}}"


def _picks(solution: RevealedSolution, side: int, amount: Amount) -> Iterator[str]:
    """The picks of a side, each with its share in the mix and its value for the first mover."""
    players = [one_line(name) for name in solution.game.players]
    names = players[solution.first], players[1 - solution.first]
    sign = 1 if side == 0 else -1
    yield ""
    yield (
        f"Picks of {names[side]}: probability in an optimal mix, and value for {names[0]} against "
        f"an optimal mix of {names[1 - side]}:"
    )
    rows = [
        (
            f"{'*' if one.best else ' '} {one_line(one.move.text)}",
            amount.share(one.probability or Fraction(0)),
            _decimal(sign * Fraction(one.decimal or 0.0)),
        )
        for one in solution.picks_of(side)
    ]
    yield from _rows(rows, amount, (0,))


def _strategies(solution: MixedSolution, amount: Amount) -> Iterator[str]:
    for seat in solution.seats:
        found = list(solution.information_sets(seat, opening=True))
        if not found:
            continue
        yield ""
        what = "Best strategy" if solution.exact else "Strategy"
        yield f"{what} for {one_line(solution.game.players[seat])}, first choice:"
        for one in found[: amount.rows]:
            used = [move for move in one.moves if move.probability]
            moves = [f"{move.move.text} {amount.share(move.probability)}" for move in used]
            yield f"  {one_line(one.knows)}: {one_line(', '.join(moves))}"
        if amount.rows is not None and len(found) > amount.rows:
            yield f"  … and {len(found) - amount.rows} more"


# ---- how large it is


def _size(solution: Any, place: Place) -> Iterator[str]:
    """The size of what was looked at, and how long games are."""
    from rulegame.solving import Method

    if solution.algorithm is Method.LOOKAHEAD:
        yield f"{counted(solution.positions, 'position')} searched."
        return
    size = f"{counted(len(solution.graph), 'position')}, "
    if solution.algorithm is Method.HIDDEN:
        sides = solution.histories.sides[: solution.kind.players]
        sets = counted(sum(len(side.parents) for side in sides), "information set")
        size += f"{solution.histories.histories:,} histories, {sets}"
    else:
        size += counted(solution.graph.edges, "move")
    if solution.algorithm is Method.REVEALED:
        counts = [len(picks) for picks in solution.picks]
        size += f", {counts[0]:,} × {counts[1]:,} picks"
    yield f"{size}."
    game = "A game" if place.state is None else "The rest of the game"
    low, high = solution.shortest_game, solution.longest_game
    if low is None:
        yield f"{game} cannot end."
    elif high is None:
        yield f"{game} takes {counted(low, 'move')} or more, and can go on forever."
    else:
        span = counted(high, "move") if low == high else f"{low:,} to {counted(high, 'move')}"
        yield f"{game} takes {span}."


# ---- many players


def _each(solution: MultiplayerSolution, amount: Amount) -> Iterator[str]:
    names = [one_line(name) for name in solution.game.players]
    yield from _equilibria(solution, names, amount)
    yield ""
    yield "Guaranteed payoff of each player, even if all others cooperate against them:"
    rows = [
        (name, amount.number(one.value, *one.bounds) + _a_win(solution, one))
        for name, one in zip(names, solution.alone, strict=True)
    ]
    yield from _indented(rows)
    if solution.winning is not None:
        chance = amount.number(solution.winning.value, *solution.winning.bounds)
        yield f"Together, all players can win with probability {chance}"
    if solution.game.kernel.is_common and solution.kind.payoffs:
        total, players = solution.together, len(names)
        bounds = [bound / players for bound in total.bounds]
        score = None if total.value is None else total.value / players
        yield f"Highest score if all cooperate: {amount.number(score, bounds[0], bounds[1])}"
    elif len(solution.totals) > 1 or solution.longest_game is None:
        most = amount.number(solution.together.value, *solution.together.bounds)
        yield f"Highest total payoff if all cooperate: {most}"
    else:
        yield f"The payoffs always add up to {next(iter(solution.totals))}."
    if solution.equilibria is not None and solution.graph.owner[0] >= 0:
        options, best = dict(solution.options()), solution.best_moves()
        yield ""
        yield "Moves, with the payoff of every player (ties later on: first move taken):"
        table = [
            (
                f"{'*' if one.move in best else ' '} {one_line(one.move.text)}",
                ", ".join(amount.number(pay, 0, 0) for pay in options[one.move]),  # type: ignore[index]
            )
            for one in solution.moves()
        ]
        yield from _rows(table, amount, (0, 1))


def _a_win(solution: MultiplayerSolution, one: Solution) -> str:
    return ", a win" if not solution.kind.payoffs and one.value == 1 else ""


def _equilibria(solution: MultiplayerSolution, names: list[str], amount: Amount) -> Iterator[str]:
    outcomes = solution.outcomes
    if solution.equilibria is None:
        endless = solution.longest_game is None
        why = "play can go on forever" if endless else "the game has too many positions"
        yield f"No equilibrium computed: {why}."
    elif outcomes is not None and len(outcomes) == 1:
        yield "If every player maximises their own payoff, each gets on average:"
        yield from _paid(names, outcomes[0], amount)
    else:
        yield "If every player maximises their own payoff, the result depends on how ties between"
        yield "equally good moves are broken."
        if outcomes is None:
            yield "One of many possible results:"
            yield from _paid(names, solution.equilibria.chosen[0], amount)
        else:
            yield f"{len(outcomes)} possible results; payoffs from lowest to highest:"
            spans = [(min(paid), max(paid)) for paid in zip(*outcomes, strict=True)]
            told = [" to ".join(amount.number(pay, 0, 0) for pay in span) for span in spans]
            yield from _indented(list(zip(names, told, strict=True)))


def _paid(names: list[str], payoffs: Sequence[Fraction], amount: Amount) -> Iterator[str]:
    told = [amount.number(pay, 0, 0) for pay in payoffs]
    yield from _indented(list(zip(names, told, strict=True)))


def _indented(rows: list[tuple[str, str]]) -> Iterator[str]:
    yield from (f"  {line}" for line in columns(rows, left=(0, 1)))


# ---- looking ahead


def _ahead(found: LookaheadSolution, amount: Amount) -> Iterator[str]:
    names = [one_line(name) for name in found.game.players]
    pair = names[found.first], names[1 - found.first]
    if found.is_plain:
        yield from _forced(found, pair)
    else:
        yield from _amounts(found, pair)
    rows = [(f"  {one_line(move.text)}", _bound(found, worth)) for move, worth in found.ranked]
    if rows:
        yield ""
        rolled = "First rolls" if found.mover < 0 else "Opening moves, best first"
        values = found.has_chance or not found.is_plain
        yield f"{rolled}{f', with the value for {pair[0]}' if values else ''}:"
        yield from _rows(rows, amount, (0, 1))


def _steps(found: LookaheadSolution, count: int) -> str:
    return f"{count} moves and rolls" if found.has_chance else counted(count, "move")


def _forced(found: LookaheadSolution, names: tuple[str, str]) -> Iterator[str]:
    first, second = f"{names[0]}, who moves first,", f"{names[1]}, who moves second,"
    low, high = found.lower, found.upper
    within = found.whole.lower_within, found.whole.upper_within
    if low == 1:
        yield f"{first} can force a win within {_steps(found, within[0])}."
    elif high == -1:
        yield f"{second} can force a win within {_steps(found, within[1])}."
    elif found.is_vacuous:
        yield f"Not solved: neither side can force {_hardly(found)} within {_reach(found)}."
        yield DEEPER
    elif found.has_chance:
        yield from _amounts(found, names)
    elif low == high:
        yield f"Both sides can force a draw within {_steps(found, max(within))}: the value is 0."
    else:
        if low == 0:
            yield f"{first} can force a draw within {_steps(found, within[0])}."
        if high == 0:
            yield f"{second} can force a draw within {_steps(found, within[1])}."
        yield f"Neither side can force a win within {_reach(found)}."


DEEPER: Final = "A greater --depth or a longer --max-time would help."


def _hardly(found: LookaheadSolution) -> str:
    return "much" if found.has_chance else "a win or a draw"


def _reach(found: LookaheadSolution) -> str:
    return _steps(found, found.depth)


def _amounts(found: LookaheadSolution, names: tuple[str, str]) -> Iterator[str]:
    """The same where ends pay amounts, or chance decides between them."""
    whole, first = found.whole, f"{names[0]}, who moves first,"
    within = whole.lower_within, whole.upper_within
    average = " on average" if found.has_chance else ""
    if whole.value is not None:
        away = max(within)
        forced = f", forced within {_steps(found, away)}" if away else ""
        yield f"The value for {first} is {whole.value}{forced}."
        return
    if (near := near_text(whole.lower, whole.upper)) is not None:
        yield f"The value for {first} is {near}, forced within {_steps(found, max(within))}."
        return
    if not any(within):
        yield f"Not solved: neither side can force anything within {_reach(found)}."
    if within[0]:
        least = f"at least {floor_text(whole.lower)}{average}"
        yield f"{first} can force {least} within {_steps(found, within[0])}."
    if within[1]:
        most = f"at most {ceiling_text(whole.upper)}{average}"
        held = f"{names[1]}, who moves second, can hold {names[0]} to"
        yield f"{held} {most} within {_steps(found, within[1])}."
    yield f"The value for {first} {_between(whole)}."
    if not any(within):
        yield DEEPER


def _between(bounds: ValueBounds) -> str:
    match bounds.lower > -inf, bounds.upper < inf:
        case True, True:
            return f"is between {floor_text(bounds.lower)} and {ceiling_text(bounds.upper)}"
        case True, False:
            return f"is at least {floor_text(bounds.lower)}; the rules set no upper bound"
        case False, True:
            return f"is at most {ceiling_text(bounds.upper)}; the rules set no lower bound"
    return "has no bound: the rules pay numbers of any size"


def _bound(found: LookaheadSolution, bounds: ValueBounds) -> str:
    """What a move is worth to who makes it."""
    low, high = bounds.lower, bounds.upper
    within = bounds.lower_within, bounds.upper_within
    if not any(within) and not bounds.is_settled:
        return "open"
    if not found.is_plain or found.has_chance:
        return _amount_within(bounds)
    if found.mover == 1 - found.first:
        low, high, within = -high, -low, within[::-1]
    if low == high == 1:
        return f"wins within {within[0]}"
    if low == high == -1:
        return f"loses within {within[1]}"
    if low == high:
        return f"draw within {max(within)}"
    if low == 0:
        return f"draw or win, within {within[0]}"
    return f"draw or loss, within {within[1]}" if high == 0 else "open"


def _amount_within(bounds: ValueBounds) -> str:
    """The bounds of the first mover's payoff after a move."""
    low, high = bounds.lower, bounds.upper
    within = bounds.lower_within, bounds.upper_within
    if bounds.value is not None:
        return f"{bounds.value} within {max(within)}" if any(within) else str(bounds.value)
    if (near := near_text(low, high)) is not None:
        return f"{near} within {max(within)}"
    if low == -inf:
        return f"at most {ceiling_text(high)}, within {within[1]}"
    if high == inf:
        return f"at least {floor_text(low)}, within {within[0]}"
    return f"{floor_text(low)} to {ceiling_text(high)}, within {max(within)}"
