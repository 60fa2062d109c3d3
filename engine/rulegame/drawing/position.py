"""From a state to its picture, for the seats that look on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from rulegame.drawing.goals import counted_values, goals_of
from rulegame.drawing.pictures import (
    Bar,
    Caption,
    Die,
    Drawing,
    DrawnBoard,
    DrawnPiece,
    Hand,
    Heaps,
    HiddenValue,
    LastMove,
    Picture,
    PlainValue,
    Result,
    Shape,
    Track,
)
from rulegame.evaluation.runtime import Fault
from rulegame.evaluation.values import decode, show
from rulegame.game import CHANCE, Game, GameError, Move, Outcome, State, View
from rulegame.game.rendering import Context, renderer_of
from rulegame.game.rules import Rules
from rulegame.game.visibility import Sight
from rulegame.game.wording import seen_words
from rulegame.language.cells import column_name, row_name
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
)
from rulegame.model import Ruleset, StateValue

Past = Sequence[tuple[State, Move]]  # the moves and rolls so far, each with the state before it
Codes = tuple[int | None, ...]  # of a value; None for each that may not be seen

MOST_PIPS: Final = 6
LARGEST: Final = 1600  # places of a board that is drawn as one


class _Goals:
    """The goals of a game, and where its numbers begin; worked out once."""

    def __init__(self, game: Rules) -> None:
        self._start = game.kernel.start(0)
        self._places = game.kernel.places
        self._goals = goals_of(game.ruleset)
        self.counted = counted_values(game.ruleset)

    def way_of(self, name: str, owner: int) -> tuple[int, int] | None:
        """Where a number begins, and where it leads; None if it leads nowhere else."""
        start = self._start[self._places(name, owner).start]
        goal = self._goals.get(name, start)
        return None if start == goal else (start, goal)


def draw(
    state: State,
    past: Past,
    eyes: Collection[int],
    names: Sequence[str] = (),
    revealed: bool = True,
) -> Picture:
    """The position as all of some seats see it (nobody's: all of it). When the game is over what
    was hidden is shown, as at a table, unless `revealed` is False.
    """
    if revealed and state.outcome is not None:
        eyes = ()
    return _Drawing(state, past, eyes, names or state.game.players).picture()


def draw_view(view: View) -> Picture:
    """What a player knows, and no more, also when the game is over. This looks behind the view:
    what the seat may not see is left out here, as everywhere, by `Sight`.
    """
    return draw(view._state, view._past, (view.seat,), revealed=False)


class _Drawing:
    def __init__(
        self, state: State, past: Past, eyes: Collection[int], names: Sequence[str]
    ) -> None:
        self._game: Game = state.game
        self._ruleset: Ruleset = state.game.ruleset
        self._state = state
        self._names = names
        self._sight = state.game.companion(Sight)
        self._eyes = tuple(eyes)
        self._waiting = len(self._game.kernel.chosen(state.cells))  # until all have chosen
        past = past[: len(past) - self._waiting]
        open_ = not self._sight.hides_something  # then all notice every step
        self._past = list(past) if open_ else [s for s in past if self._noticed(s[0])]
        self._cells = self._seen(state)
        decided = [step for step in past if step[0].player != CHANCE]
        self._last = decided[-self._chosen_at_once(decided) :]
        self._before = self._seen(self._last[0][0]) if self._last else None

    def _chosen_at_once(self, decided: Past) -> int:
        """How many of the last decisions were made at once."""
        return 1 + len(self._game.kernel.chosen(decided[-1][0].cells)) if decided else 0

    def _noticed(self, before: State) -> bool:
        return all(self._sight.notices(before.cells, eye) for eye in self._eyes)

    def _seen(self, state: State) -> Codes:
        return self._sight.seen_by_all(state.cells, self._eyes)

    # ---- the whole

    def picture(self) -> Picture:
        outcome, turn = self._state.outcome, self._state.turn
        turns = sum(
            before.player != CHANCE
            and self._game.point(before).kind != "setup"
            and not self._game.kernel.chosen(before.cells)
            for before, _ in self._past
        )
        return Picture(
            title=self._ruleset.title,
            players=tuple(self._names),
            signs=tuple(map(self._sign, range(len(self._names)))),
            has_pieces=self._has_pieces(),
            turn=turn if outcome is None and turn >= 0 else None,
            number=turns + (outcome is None and self._is_turn()),
            shapes=(*self._shapes(), *self._dice()),
            last=tuple(map(self._last_move, self._last)),
            winners=() if outcome is None else outcome.winners,
            result=_result(outcome),
        )

    def _sign(self, seat: int) -> str:
        """What stands for a player, wherever that is drawn first."""
        for value in self._ruleset.state.values():
            if _holds_players(value.variable.type) and seat in value.show.symbols:
                return value.show.symbols[seat]
        return ""

    def _has_pieces(self) -> bool:
        """Whether places of a board or a row belong to players, and are not drawn by a text."""
        return any(
            isinstance(value.variable.type, Grid | List)
            and _holds_players(value.variable.type)
            and value.show.form != "text"
            for value in self._ruleset.state.values()
        )

    def _is_turn(self) -> bool:
        return self._game.point(self._state).kind != "setup"

    def _last_move(self, step: tuple[State, Move]) -> LastMove:
        before, move = step
        seat = before.player
        assert seat is not None
        return LastMove(seat, seen_words(self._game, seat, move, self._names, self._eyes))

    # ---- what has fallen

    def _dice(self) -> Iterator[Shape]:
        """The rolls since the last decision, as far as they are seen."""
        since: list[tuple[State, Move]] = []
        for before, move in reversed(self._past):
            if before.player != CHANCE:
                break
            since.append((before, move))
        for before, move in reversed(since):
            point = self._game.point(before)
            hidden = any(not self._sight.shows_roll(before.cells, eye) for eye in self._eyes)
            dealt = point.kind == "setup" or (point.operation is not None and point.operation.setup)
            if point.roll is None or dealt or hidden:
                continue
            element, code = point.roll.element, move.codes[1]
            like_a_die = isinstance(element, Int) and element.low >= 1 and element.high <= MOST_PIPS
            yield Die(
                Caption(_spoken(point.roll.name)),
                self._piece(element, code),
                code if like_a_die else None,
            )

    # ---- values

    def _shapes(self) -> Iterator[Shape]:
        marking = self._marking()
        drawing = self._drawing(marking)
        drawn = () if drawing is None else self._texts()
        told = self._told()
        for name in self._ruleset.state:
            if drawing is not None and drawn[:1] == (name,):
                yield drawing
            if name not in marking and name not in drawn and name not in told:
                yield from self._shapes_of(name, marking)

    def _told(self) -> frozenset[str]:
        """The values that the ruleset leaves to the words of its text."""
        turn, values = self._ruleset.texts.get("turn"), self._ruleset.state.items()
        by_text = frozenset(name for name, value in values if value.show.form == "text")
        if turn is None or not by_text:
            return frozenset()
        split = renderer_of(self._game).split(turn)
        return by_text & split.told - split.values

    def _shapes_of(self, name: str, marking: Mapping[str, str]) -> Iterator[Shape]:
        value = self._ruleset.state[name]
        marks = tuple(other for other, board in marking.items() if board == name)
        for owner in range(len(self._names)) if value.variable.each_player else (None,):
            yield self._shape(value, owner, marks)

    def _texts(self) -> tuple[str, ...]:
        """The values that the ruleset draws itself, by its text."""
        turn = self._ruleset.texts.get("turn")
        if turn is None:
            return ()
        listed = renderer_of(self._game).split(turn).values
        values = self._ruleset.state.items()
        return tuple(n for n, v in values if v.show.form == "text" and n in listed)

    def _drawing(self, marking: Mapping[str, str]) -> Drawing | None:
        """What the ruleset draws itself, as those who look on may see it."""
        names, turn = self._texts(), self._ruleset.texts.get("turn")
        if not names or turn is None:
            return None
        renderer = renderer_of(self._game)
        context = Context(
            cells=self._sight.masked(self._state.cells, self._eyes),
            me=max(self._state.turn, 0),
            names=self._names,
        )
        try:
            text = renderer.render(renderer.split(turn).lists, context)
        except (GameError, Fault):  # the text itself will say so
            return None
        lines = tuple(line.rstrip() for line in text.rstrip().split("\n"))
        instead = (shape for name in names for shape in self._shapes_of(name, marking))
        return Drawing(Caption(_spoken(names[0])), lines, tuple(instead)) if text.strip() else None

    def _marking(self) -> dict[str, str]:
        """Boards of true and false that only mark the places of another one that is as large: the
        names of both. What cannot be seen marks nothing.
        """
        found: dict[str, str] = {}
        boards: dict[tuple[int, int], str] = {}
        for name, value in self._ruleset.state.items():
            type_ = value.variable.type
            if value.variable.each_player or value.seen_by != "all" or not isinstance(type_, Grid):
                continue
            size = type_.rows, type_.columns
            if not isinstance(type_.of, Bool):
                boards.setdefault(size, name)
            elif size in boards:
                found[name] = boards[size]
        return found

    def _codes(self, cells: Codes, name: str, owner: int | None) -> Codes:
        places = self._game.kernel.places(name, owner or 0)
        return cells[places.start : places.stop]

    def _shape(self, value: StateValue, owner: int | None, marks: tuple[str, ...]) -> Shape:
        name, type_ = value.variable.name, value.variable.type
        caption = Caption(_spoken(name), " ".join(value.about.split()), owner)
        seen = self._codes(self._cells, name, owner)
        if None in seen:
            return HiddenValue(caption)
        codes = tuple(code for code in seen if code is not None)
        changed = self._changed(name, owner, codes)
        match type_:
            case Grid() if len(codes) <= LARGEST:
                return self._board(caption, value, codes, changed, marks)
            case List(of=Int()) if min(codes, default=0) >= 0 and self._is_counted(value):
                return Heaps(caption, codes, changed)
            case Set():
                return Hand(caption, tuple(self._numbers(value, codes)))
        pieces = self._pieces(value, codes, changed)
        if isinstance(type_, Grid | List):
            return (Hand if value.show.form == "cards" else Track)(caption, pieces)
        return self._single(caption, value, codes[0], changed[0])

    def _is_counted(self, value: StateValue) -> bool:
        """Whether a list of numbers says how many there are, in each of several places."""
        if value.show.form or value.show.symbols:
            return False
        return value.variable.name in self._game.companion(_Goals).counted

    def _numbers(self, value: StateValue, codes: tuple[int, ...]) -> Iterator[DrawnPiece]:
        """The numbers of a set."""
        for number in sorted(decode(value.variable.type, codes, self._ruleset.words)):
            yield DrawnPiece(str(number), symbol=value.show.symbols.get(number, ""))

    def _pieces(
        self, value: StateValue, codes: tuple[int, ...], changed: tuple[bool, ...]
    ) -> tuple[DrawnPiece, ...]:
        type_ = value.variable.type
        of = type_.of if isinstance(type_, Grid | List) else type_
        dice = value.show.form == "pips"
        return tuple(
            self._piece(of, code, new)._replace(
                symbol=value.show.symbols.get(code, ""),
                pips=code if dice and 1 <= code <= MOST_PIPS else None,
            )
            for code, new in zip(codes, changed, strict=True)
        )

    def _single(self, caption: Caption, value: StateValue, code: int, changed: bool) -> Shape:
        """A single value: as the ruleset says, or as far on its way as it has come."""
        type_, show = value.variable.type, value.show
        (piece,) = self._pieces(value, (code,), (changed,))
        if show.form == "cards":
            return Hand(caption, (piece,) if piece.text else ())
        if code != NONE_CODE and show.form == "bar" and show.full is not None:
            return Bar(caption, code, 0, show.full, changed)
        if show.form == "pips":
            return Die(caption, piece, piece.pips)
        if isinstance(type_, Int) and not show.symbols:
            way = self._game.companion(_Goals).way_of(value.variable.name, caption.owner or 0)
            if way is not None:
                return Bar(caption, code, *way, changed)
        return PlainValue(caption, piece)

    def _changed(self, name: str, owner: int | None, codes: tuple[int, ...]) -> tuple[bool, ...]:
        """Which parts of a value are not what they were before the last decision. What could not be
        seen then counts as unchanged: that it has changed may be no one's business.
        """
        if self._before is None:
            return (False,) * len(codes)
        before = self._codes(self._before, name, owner)
        return tuple(old is not None and old != new for old, new in zip(before, codes, strict=True))

    def _board(
        self,
        caption: Caption,
        value: StateValue,
        codes: tuple[int, ...],
        changed: tuple[bool, ...],
        marks: tuple[str, ...],
    ) -> DrawnBoard:
        grid = value.variable.type
        assert isinstance(grid, Grid)
        marked = {mark: self._codes(self._cells, mark, None) for mark in marks}
        pieces = [
            piece._replace(
                marks=tuple(_spoken(mark) for mark, truths in marked.items() if truths[k])
            )
            for k, piece in enumerate(self._pieces(value, codes, changed))
        ]
        wide = grid.columns
        cell = Cell("", grid.rows, wide, grid.hexagons, grid.naming)
        return DrawnBoard(
            caption,
            tuple(tuple(pieces[r * wide : (r + 1) * wide]) for r in range(grid.rows)),
            tuple(row_name(cell, row) for row in range(grid.rows)),
            tuple(column_name(grid.naming, column) for column in range(wide)),
            tuple(map(_spoken, marks)),
            grid.hexagons,
        )

    def _piece(self, type_: Type, code: int, changed: bool = False) -> DrawnPiece:
        inner: Any = type_.of if isinstance(type_, Optional) else type_
        if isinstance(type_, Optional) and code == NONE_CODE:
            return DrawnPiece("", changed=changed)
        if isinstance(inner, PlayerType):
            return DrawnPiece(self._names[code], code, changed)
        if isinstance(inner, Bool):
            return DrawnPiece("yes" if code else "no", changed=changed)
        return DrawnPiece(show(inner, code, self._ruleset.words, self._names), changed=changed)


def _holds_players(type_: Type) -> bool:
    of = type_.of if isinstance(type_, Grid | List) else type_
    return isinstance(of.of if isinstance(of, Optional) else of, PlayerType)


def _result(outcome: Outcome | None) -> Result:
    if outcome is None:
        return ""
    return "won" if outcome.winners else "draw" if outcome.draw else "lost"


def _spoken(name: str) -> str:
    return name.replace("_", " ")
