"""The sample game of a rulebook: a table of the moves and of what they led to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from rulegame.game import CHANCE, Game, Outcome, State
from rulegame.language.types import Grid
from rulegame.model import Operation, StateValue
from rulegame.rulebook.boards import boards
from rulegame.rulebook.document import Block, TableBlock
from rulegame.rulebook.examples import in_an_operation, move_text, plain
from rulegame.rulebook.markup import and_list, capital, clean
from rulegame.rulebook.nouns import possessive, spoken
from rulegame.rulebook.plays import Played, Plays
from rulegame.rulebook.wording import Wording

MOST_ROWS = 24  # of the table; of a longer game the middle is left out
SHOWN_FIRST, SHOWN_LAST = 12, 8
WIDEST = 36  # letters in a column for a value
WIDEST_TABLE = 100


class _Column(NamedTuple):
    heading: str
    value: StateValue
    seat: int | None


def sample(game: Game, plays: Plays) -> Iterator[Block]:
    """A game from beginning to end, if one was found."""
    played = plays.sample
    if played is None:
        yield "No short game was found that comes to an end."
        return
    w = Wording(game.ruleset)
    columns = _columns(game, w)
    has_rolls = any(p.before.player == CHANCE for p in played)
    header = ("Player", *(("Rolled",) if has_rolls else ()), "Move", *(c.heading for c in columns))
    rows = list(_rows(w, played, columns, has_rolls))
    if len(rows) > MOST_ROWS:
        more = len(rows) - SHOWN_FIRST - SHOWN_LAST
        gap = (f"… {more} more …", *[""] * (len(header) - 1))
        rows = [*rows[:SHOWN_FIRST], gap, *rows[-SHOWN_LAST:]]
    kept = _fitting(header, columns, rows)
    narrow = (tuple(row[k] for k in kept) for row in (header, *rows))
    yield TableBlock("The moves, and what they led to", next(narrow), tuple(narrow))
    if len(kept) < len(header):
        left_out = [header[k] for k in range(len(header)) if k not in kept]
        yield f"The table has no room for: {and_list(left_out)}."
    hidden = [
        capital(spoken(name))
        for name, value in game.ruleset.state.items()
        if value.seen_by != "all" and not isinstance(value.variable.type, Grid)
    ]
    if hidden:
        yield f"Hidden, and not in the table: {and_list(hidden)}."
    last = played[-1].after
    yield from boards(w, last, "at the end", [(p.before, p.move) for p in played])
    assert last.outcome is not None
    yield _ending(w, last, last.outcome)


def _fitting(
    header: tuple[str, ...], columns: list[_Column], rows: list[tuple[str, ...]]
) -> list[int]:
    """The columns for which a page has room. Those of values may be left out; those of one value
    stay together.
    """
    widths = [max(len(row[k]) + 2 for row in (header, *rows)) for k in range(len(header))]
    fixed = len(header) - len(columns)
    kept, width = list(range(fixed)), sum(widths[:fixed])
    for _, group in groupby(range(fixed, len(header)), lambda k: columns[k - fixed].value):
        places = list(group)
        needed = sum(widths[k] for k in places)
        longest = max(len(row[k]) for row in rows for k in places) if rows else 0
        if longest <= WIDEST and width + needed <= WIDEST_TABLE:
            kept += places
            width += needed
    return kept


def _columns(game: Game, w: Wording) -> list[_Column]:
    """A column for each value that all see, one for each player where each has one."""
    found: list[_Column] = []
    for value in game.ruleset.state.values():
        variable = value.variable
        if value.seen_by != "all" or isinstance(variable.type, Grid):
            continue
        name = capital(spoken(variable.name))
        if variable.each_player:
            players = enumerate(w.names.players)
            found += [_Column(f"{possessive(p)} {name.lower()}", value, s) for s, p in players]
        else:
            found.append(_Column(name, value, None))
    return found


def _rows(
    w: Wording, played: tuple[Played, ...], columns: list[_Column], has_rolls: bool
) -> Iterator[tuple[str, ...]]:
    """A row for each move; what was rolled before it, or in it, stands beside it."""
    rolled: list[str] = []
    pending: tuple[str, str] | None = None  # a move whose rolls follow
    for number, one in enumerate(played):
        if one.before.player == CHANCE:
            rolled.append(clean(one.move.text.partition(" ")[2]))
            pending = pending or _by_itself(w, one, played[number + 1 : number + 2])
        else:
            assert one.before.player is not None
            mover = w.names.players[one.before.player]
            pending = mover, move_text(one.before.game, one.move)
        unfinished = number + 1 < len(played) and in_an_operation(one.after)
        if pending is not None and not unfinished:
            yield _row(w, pending, rolled, one.after, columns, has_rolls)
            pending, rolled = None, []
        yield from _passes(w, one.after, columns, has_rolls)
    if rolled:  # the game ended with a roll
        yield _row(w, ("", ""), rolled, played[-1].after, columns, has_rolls)


def _by_itself(w: Wording, played: Played, following: tuple[Played, ...]) -> tuple[str, str] | None:
    """The last roll of what happens by itself in the setup: for whom, and what it is."""

    def entry(one: Played) -> tuple[int, Operation | None]:
        return one.before.turn, one.before.game.point(one.before).operation

    seat, operation = entry(played)
    if operation is None or not operation.is_automatic:
        return None
    if any(entry(one) == (seat, operation) for one in following):
        return None
    return "" if operation.once else w.names.players[seat], clean(operation.label)


def _row(
    w: Wording,
    move: tuple[str, str],
    rolled: list[str],
    after: State,
    columns: list[_Column],
    has_rolls: bool,
) -> tuple[str, ...]:
    values = [_cell(w, after, column) for column in columns]
    return (move[0], *((", ".join(rolled),) if has_rolls else ()), move[1], *values)


def _passes(
    w: Wording, after: State, columns: list[_Column], has_rolls: bool
) -> Iterator[tuple[str, ...]]:
    for event in after.events:
        what = {"pass": "passes (no valid move)", "stuck": "has no valid move"}.get(event.kind)
        if what is not None:
            yield _row(w, (w.names.players[event.player], what), [], after, columns, has_rolls)


def _cell(w: Wording, state: State, column: _Column) -> str:
    value = state[column.value.variable.name]
    one = value if column.seat is None else value[column.seat]
    return plain(w, column.value.variable.type, one)


def _ending(w: Wording, last: State, outcome: Outcome) -> str:
    by_rule = f", by the rule “{capital(spoken(outcome.rule))}”"
    rule = "" if outcome.rule in ("stuck", "all_stuck") else by_rule
    if outcome.draw:
        return f"The game is a draw{rule}."
    if outcome.score is not None:
        return f"The game ends{rule}, and the score is {outcome.score}."
    if len(w.names.players) > 1 and len(w.names.players) in map(
        len, (outcome.winners, outcome.losers)
    ):
        return f"Everyone {'wins' if outcome.winners else 'loses'} the game{rule}."
    names = [w.names.players[seat] for seat in outcome.winners]
    if not names:
        losers = [w.names.players[seat] for seat in outcome.losers]
        return f"{and_list(losers)} {'loses' if len(losers) == 1 else 'lose'} the game{rule}."
    return f"{and_list(names)} {'wins' if len(names) == 1 else 'win'} the game{rule}."
