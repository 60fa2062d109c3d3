"""From a state to its picture, for the seats that look on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Any, Final

from rulegame.drawing.goals import counted_values, goals_of
from rulegame.drawing.pictures import (
    Bar,
    Caption,
    Die,
    Drawing,
    DrawnBoard,
    DrawnPiece,
    Earlier,
    Form,
    Graph,
    Hand,
    Heaps,
    HiddenValue,
    History,
    LastMove,
    Picture,
    Pits,
    PlainValue,
    Shape,
    Track,
)
from rulegame.drawing.winning import winning_places
from rulegame.evaluation.runtime import Fault
from rulegame.evaluation.values import decode, index_labels, show
from rulegame.game import CHANCE, Game, GameError, Move, State, View
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
    Word,
)
from rulegame.model import Display, Ruleset, StateValue
from rulegame.model.secrecy import written_names
from rulegame.model.uses import (
    display_of,
    drawn_type,
    ground_of,
    helper_values,
    holds_players,
    is_laid_open,
    lettered_boards,
    spots,
)

Past = Sequence[tuple[State, Move]]  # the moves and rolls so far, each with the state before it
Codes = tuple[int | None, ...]  # of a value; None for each that may not be seen

MOST_PIPS: Final = 6
PIECES: Final[Mapping[str, Form]] = {
    "discs": "disc",
    "stones": "stone",
    "men": "man",
    "pegs": "peg",
    "tokens": "token",
    "chess": "chess",
}
SHORTEST_WAY: Final = 3  # steps of a number to its goal that are drawn as a bar
TICK: Final = "✓"  # where something is true
MOST_EARLIER: Final = 60
LARGEST: Final = 1600  # places of a board that is drawn as one


class _Looks:
    """What the rules say of how values look, worked out once."""

    def __init__(self, game: Rules) -> None:
        ruleset = game.ruleset
        helpers = helper_values(ruleset)
        self.grounds = {
            name: ground_of(ruleset, value)
            for name, value in ruleset.state.items()
            if isinstance(value.variable.type, Grid)
        }
        self.forms = {name: self._form(value) for name, value in ruleset.state.items()}
        self.lettered = lettered_boards(ruleset)
        counted = counted_values(ruleset)
        self.pits = {n for n, v in ruleset.state.items() if self._is_pits(ruleset, v, counted)}
        self.stores = {v.show.store for v in ruleset.state.values() if v.show.store}
        shown = frozenset(n for n, v in ruleset.state.items() if self._is_shown(v, helpers))
        self.shown = shown or frozenset(ruleset.state)

    def _form(self, value: StateValue) -> Form:
        """What the pieces of a value look like: on a board with discs in columns, or with men on
        squares of two colours, discs.
        """
        name, show = value.variable.name, value.show
        if show.form in PIECES:
            return PIECES[show.form]
        ground = self.grounds.get(name, "")
        if show.form or show.symbols or not holds_players(value.variable.type):
            return ""
        forms: Mapping[str, Form] = {"upright": "disc", "chequered": "disc"}
        return "stone" if ground == "intersections" else forms.get(ground, "")

    def _is_pits(self, ruleset: Ruleset, value: StateValue, counted: Collection[str]) -> bool:
        """Whether the lists of all players are drawn as pits that face one another: as the ruleset
        says, or else if two players choose among places of theirs, in which something is counted.
        """
        name, type_, show = value.variable.name, value.variable.type, value.show
        if not value.variable.each_player or value.seen_by != "all":
            return False
        if show.form or show.symbols or show.points or show.lines or show.history:
            return show.form == "pits"
        row = isinstance(type_, List) and isinstance(type_.of, Int) and type_.index is None
        chosen = any(
            spot.board == name for one in ruleset.operations for spot in spots(ruleset, one)
        )
        return row and name in counted and chosen and len(ruleset.players) == 2

    def _is_shown(self, value: StateValue, helpers: frozenset[str]) -> bool:
        """Whether it is drawn: as the ruleset says, or else if it is for some player's eyes and no
        helper.
        """
        name, show = value.variable.name, value.show
        if show.form == "no" or name in self.stores:
            return False
        return show.declared or value.seen_by not in ("all", "nobody") or name not in helpers


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


def undrawn_values(game: Game) -> frozenset[str]:
    """The names of the values that are not drawn: helpers, and what the ruleset hides."""
    return (
        frozenset(game.ruleset.state) - game.companion(_Looks).shown - game.companion(_Looks).stores
    )


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
        self._looks = state.game.companion(_Looks)
        self._waiting = len(self._game.kernel.chosen(state.cells))  # until all have chosen
        past = past[: len(past) - self._waiting]
        open_ = not self._sight.hides_something  # then all notice every step
        self._past = list(past) if open_ else [s for s in past if self._noticed(s[0])]
        self._cells = self._seen(state)
        decided = [step for step in past if step[0].player != CHANCE]
        self._decided = decided
        self._won = self._winning(past)
        self._last = decided[-self._chosen_at_once(decided) :]
        self._before = self._seen(self._last[0][0]) if self._last else None

    def _chosen_at_once(self, decided: Past) -> int:
        """How many of the last decisions were made at once."""
        return 1 + len(self._game.kernel.chosen(decided[-1][0].cells)) if decided else 0

    def _winning(self, past: Past) -> frozenset[int]:
        """The cells with the pieces that have won, once all is open."""
        if not past or self._state.outcome is None or (self._eyes and self._sight.hides_something):
            return frozenset()
        return winning_places(self._state, max(past[-1][0].turn, 0))

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
            form=self._piece_form(),
            turn=turn if outcome is None and turn >= 0 else None,
            number=turns + (outcome is None and self._is_turn()),
            shapes=(*self._shapes(), *self._dice()),
            last=tuple(map(self._last_move, self._last)),
            winners=() if outcome is None else outcome.winners,
            result="" if outcome is None else outcome.result,
            captured=self._captured(),
        )

    # ---- what has happened

    def _after(self, number: int) -> State:
        """The state that the next decision after one, and what was rolled, has led to."""
        later = self._decided[number + 1 :]
        return later[0][0] if later else self._state

    def _captured(self) -> tuple[int, ...]:
        """How many pieces each player has taken from the others: those that go while the player's
        own do not become as many more, as they do where pieces are turned over.
        """
        counts = [0] * len(self._names)
        boards = [
            place
            for name, value in self._ruleset.state.items()
            if holds_players(value.variable.type) and value.seen_by == "all"
            if isinstance(value.variable.type, Grid | List) and not value.variable.each_player
            for place in self._game.kernel.places(name, 0)
        ]
        if not boards or self._chosen_at_once(self._decided) > 1:
            return tuple(counts)
        for number, (before, _) in enumerate(self._decided):
            if before.player is None:
                continue
            was, now = before.cells, self._after(number).cells
            old, new = [was[place] for place in boards], [now[place] for place in boards]
            if old == new:
                continue
            seat = before.player
            gain = new.count(seat) - old.count(seat)
            others = [other for other in range(len(self._names)) if other != seat]
            lost = sum(max(0, old.count(other) - new.count(other)) for other in others)
            if gain >= 0:
                counts[seat] += max(0, lost - max(0, gain - 1))
        return tuple(counts)

    def _all_histories(self) -> Iterator[tuple[tuple[str, int | None], History]]:
        """The histories that stand in place of values, which are their last rows."""
        for name, value in self._ruleset.state.items():
            if not value.show.history:
                continue
            for owner in range(len(self._names)) if value.variable.each_player else (None,):
                found = self._history(value, owner)
                if found is not None:
                    yield (name, owner), found

    def _is_in_history(self, name: str) -> bool:
        """Whether a single value is a result in the last row of a history."""
        value = self._ruleset.state[name]
        if value.variable.each_player:
            return False
        now = {(_spoken(name), _pieces_of(self._shape(value, None, ())))}
        return any(
            (label, (piece.text,)) in now
            for history in self._histories.values()
            for label, piece in history.rows[-1].results
        )

    def _history(self, value: StateValue, owner: int | None) -> History | None:
        """What a value was after each move that has set it, as far as all who look on saw it."""
        rows = []
        noticed = 0
        single = not isinstance(value.variable.type, Grid | List | Set)
        since: list[LastMove] = []
        for number, (before, move) in enumerate(self._decided):
            operation = self._ruleset.operation(move.operation)
            written = () if operation is None else set(written_names(operation.steps))
            if not self._noticed(before):
                continue
            noticed += 1
            since.append(self._last_move((before, move)))
            if value.variable.name not in written:
                continue
            if owner is not None and before.player != owner:
                continue
            cells = self._seen(self._after(number))
            codes = self._codes(cells, value.variable.name, owner)
            if None in codes:
                continue
            shown = tuple(code for code in codes if code is not None)
            pieces = self._pieces(value, shown, (False,) * len(shown))
            results = () if single else tuple(self._results(cells, written, value))
            rows.append(Earlier(noticed, pieces, results, tuple(since) if single else ()))
            since.clear()
        if not rows:
            return None
        return History(self._caption(value, owner), tuple(rows[-MOST_EARLIER:]))

    def _results(
        self, cells: Codes, written: Collection[str], of: StateValue
    ) -> Iterator[tuple[str, DrawnPiece]]:
        """The single values that a move has set, but counters."""
        counted = self._game.companion(_Goals).counted
        for name, value in self._ruleset.state.items():
            type_ = value.variable.type
            if value is of or name not in written or name in counted:
                continue
            if value.variable.each_player or isinstance(type_, Grid | List | Set):
                continue
            (code,) = self._codes(cells, name, None)
            if name in self._looks.shown and code is not None:
                (piece,) = self._pieces(value, (code,), (False,))
                yield _spoken(name), piece

    def _sign(self, seat: int) -> str:
        """What stands for a player, wherever that is drawn first."""
        for value in self._ruleset.state.values():
            if holds_players(value.variable.type) and seat in value.show.symbols:
                return value.show.symbols[seat]
        return ""

    def _has_pieces(self) -> bool:
        """Whether places of a board or a row belong to players, and are not drawn by a text."""
        return any(
            isinstance(value.variable.type, Grid | List)
            and holds_players(value.variable.type)
            and value.show.form != "text"
            for value in self._ruleset.state.values()
        )

    def _piece_form(self) -> Form:
        """What the pieces of players look like."""
        forms = (
            self._looks.forms[name]
            for name, value in self._ruleset.state.items()
            if holds_players(value.variable.type)
        )
        return next(filter(None, forms), "")

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
            like_a_die = isinstance(element, Int) and (element.low, element.high) == (1, MOST_PIPS)
            show = display_of(self._ruleset, point.operation, point.roll)
            if show.form == "no" or (
                show.form == "cards" and is_laid_open(self._ruleset, point.operation, point.roll)
            ):
                continue
            piece = self._dressed(self._piece(element, code), show, code)
            caption = Caption(_spoken(point.roll.name))
            if show.form == "cards":
                yield Hand(caption, (piece,))
            else:
                yield Die(caption, piece, code if like_a_die else None)

    # ---- values

    def _shapes(self) -> Iterator[Shape]:
        marking = self._marking()
        self._histories = dict(self._all_histories())
        drawing = self._drawing(marking)
        drawn = () if drawing is None else self._texts()
        told = self._told()
        for name in self._ruleset.state:
            if drawing is not None and drawn[:1] == (name,):
                yield drawing
            hidden = name in marking or name in told or name not in self._looks.shown
            hidden = hidden or self._is_in_history(name)
            if not hidden and name not in drawn:
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
        if name in self._looks.pits and self._are_counts(name):
            yield self._pits(value)
            return
        marks = tuple(other for other, board in marking.items() if board == name)
        for owner in range(len(self._names)) if value.variable.each_player else (None,):
            shape, history = self._shape(value, owner, marks), self._histories.get((name, owner))
            if history is None and value.show.history and isinstance(shape, PlainValue):
                continue  # nothing has happened yet
            if history is None or _pieces_of(shape) != _texts_of(history.rows[-1].pieces):
                yield shape
            if history is not None:
                yield history

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
            if value.show.form == "no":
                continue
            size = type_.rows, type_.columns
            if not isinstance(type_.of, Bool):
                boards.setdefault(size, name)
            elif size in boards:
                found[name] = boards[size]
        return found

    def _caption(self, value: StateValue, owner: int | None) -> Caption:
        return Caption(_spoken(value.variable.name), " ".join(value.about.split()), owner)

    def _codes(self, cells: Codes, name: str, owner: int | None) -> Codes:
        places = self._game.kernel.places(name, owner or 0)
        return cells[places.start : places.stop]

    def _shape(self, value: StateValue, owner: int | None, marks: tuple[str, ...]) -> Shape:
        name, type_ = value.variable.name, value.variable.type
        caption = self._caption(value, owner)
        seen = self._codes(self._cells, name, owner)
        if None in seen:
            return HiddenValue(caption)
        codes = tuple(code for code in seen if code is not None)
        changed = self._changed(name, owner, codes)
        match type_:
            case Grid() if len(codes) <= LARGEST:
                return self._board(caption, value, codes, changed, marks)
            case List() if value.show.points or value.show.lines:
                points = self._marked(value, owner, self._pieces(value, codes, changed))
                return _graph(caption, points, value.show)
            case List(of=Int()) if min(codes, default=0) >= 0 and self._is_counted(value):
                return Heaps(caption, codes, changed, self._labels_of(type_))
            case Set():
                return Hand(caption, tuple(self._numbers(value, codes)))
        pieces = self._marked(value, owner, self._pieces(value, codes, changed))
        if isinstance(type_, Grid | List):
            if value.show.form == "cards":
                return Hand(caption, pieces)
            return Track(caption, pieces, self._labels_of(type_))
        return self._single(caption, value, codes[0], changed[0])

    def _labels_of(self, type_: Type) -> tuple[str, ...]:
        """What the elements of a list are called; nothing if they are counted from 1."""
        index = type_.index if isinstance(type_, List) else None
        return () if index is None else index_labels(index, self._ruleset.words)

    def _is_counted(self, value: StateValue) -> bool:
        """Whether a list of numbers says how many there are, in each of several places."""
        if value.show.form or value.show.symbols:
            return False
        return value.variable.name in self._game.companion(_Goals).counted

    def _numbers(self, value: StateValue, codes: tuple[int, ...]) -> Iterator[DrawnPiece]:
        """The numbers of a set."""
        for number in sorted(decode(value.variable.type, codes, self._ruleset.words)):
            yield self._dressed(DrawnPiece(str(number)), value.show, number)

    def _pieces(
        self, value: StateValue, codes: tuple[int, ...], changed: tuple[bool, ...]
    ) -> tuple[DrawnPiece, ...]:
        type_ = value.variable.type
        of = type_.of if isinstance(type_, Grid | List) else type_
        form = self._looks.forms[value.variable.name]
        ticks = of is not type_ and isinstance(of, Bool) and not value.show.symbols
        return tuple(
            DrawnPiece("yes" * code, changed=new, symbol=TICK * code)
            if ticks
            else self._dressed(self._piece(of, code, new), value.show, code, form)
            for code, new in zip(codes, changed, strict=True)
        )

    def _tint(self, text: str, code: int) -> int:
        """The colour of a number, counted from 1, or of a word, in the order of their type."""
        for value in self._ruleset.state.values():
            of = _element(value.variable.type)
            if isinstance(of, Word) and text in of.words:
                return of.words.index(text)
        return max(0, code - 1)

    def _marked(
        self, value: StateValue, owner: int | None, pieces: tuple[DrawnPiece, ...]
    ) -> tuple[DrawnPiece, ...]:
        """The pieces, with those marked that have won."""
        if not self._won:
            return pieces
        places = self._game.kernel.places(value.variable.name, owner or 0)
        return tuple(
            piece._replace(won=place in self._won)
            for place, piece in zip(places, pieces, strict=True)
        )

    def _dressed(self, piece: DrawnPiece, show: Display, code: int, form: Form = "") -> DrawnPiece:
        """A piece as the ruleset wants it drawn."""
        symbol = show.symbols.get(code) or show.cards.get(code, "")
        pips = code if show.form == "pips" and 1 <= code <= MOST_PIPS else None
        empty = show.form == "cards" and bool(show.cards) and not symbol
        if empty:  # a number that is no card stands for none
            return piece._replace(text="")
        form = form or PIECES.get(show.form, "")
        coloured = form in ("peg", "token") and piece.text not in ("", "0")
        tint = self._tint(piece.text, code) if coloured else None
        figure = form == "chess" and bool(piece.text) and symbol.lower() in tuple("kqrbnp")
        lies = piece.seat is not None or tint is not None or figure
        return piece._replace(symbol=symbol, pips=pips, form=form if lies else "", tint=tint)

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
            if way is not None and abs(way[1] - way[0]) >= SHORTEST_WAY:
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
        kings = [mark for mark in marks if self._ruleset.state[mark].show.form == "kings"]
        marks = tuple(mark for mark in marks if mark not in kings)
        pieces = [
            piece._replace(
                marks=tuple(_spoken(mark) for mark in marks if marked[mark][k]),
                form="king"
                if piece.seat is not None and any(marked[mark][k] for mark in kings)
                else piece.form,
            )
            for k, piece in enumerate(
                self._marked(value, caption.owner, self._pieces(value, codes, changed))
            )
        ]
        wide = grid.columns
        naming = "letters" if value.variable.name in self._looks.lettered else grid.naming
        cell = Cell("", grid.rows, wide, grid.hexagons, naming)
        return DrawnBoard(
            caption,
            tuple(tuple(pieces[r * wide : (r + 1) * wide]) for r in range(grid.rows)),
            tuple(row_name(cell, row) for row in range(grid.rows)),
            tuple(column_name(naming, column) for column in range(wide)),
            tuple(map(_spoken, marks)),
            grid.hexagons,
            self._looks.grounds[value.variable.name] or "plain",
            value.show.sides,
            tuple(self._ruleset.state[mark].show.symbols.get(1, "") for mark in marks),
            value.show.numbers,
        )

    def _are_counts(self, name: str) -> bool:
        """Whether no player's list has a negative number."""
        seats = range(len(self._names))
        codes = [code for seat in seats for code in self._codes(self._cells, name, seat)]
        return min((code for code in codes if code is not None), default=0) >= 0

    def _pits(self, value: StateValue) -> Pits:
        """The pits of all players, which face one another."""
        name, store = value.variable.name, value.show.store
        counts: list[tuple[int, ...]] = []
        changed: list[tuple[bool, ...]] = []
        stores: list[int] = []
        for owner in range(len(self._names)):
            codes = tuple(code or 0 for code in self._codes(self._cells, name, owner))
            counts.append(codes)
            changed.append(self._changed(name, owner, codes))
            if store and self._ruleset.state[store].seen_by == "all":
                (count,) = self._codes(self._cells, store, owner)
                stores.append(count or 0)
        about = " ".join(value.about.split())
        caption = Caption(_spoken(name), about)
        return Pits(caption, tuple(counts), tuple(changed), tuple(stores), _spoken(store))

    def _piece(self, type_: Type, code: int, changed: bool = False) -> DrawnPiece:
        inner: Any = type_.of if isinstance(type_, Optional) else type_
        if isinstance(type_, Optional) and code == NONE_CODE:
            return DrawnPiece("", changed=changed)
        if isinstance(inner, PlayerType):
            return DrawnPiece(self._names[code], code, changed)
        if isinstance(inner, Bool):
            return DrawnPiece("yes" if code else "no", changed=changed)
        inner = drawn_type(inner, self._looks.lettered)
        return DrawnPiece(show(inner, code, self._ruleset.words, self._names), changed=changed)


def _texts_of(pieces: Sequence[DrawnPiece]) -> tuple[str, ...]:
    return tuple(piece.text for piece in pieces)


def _pieces_of(shape: Shape) -> tuple[str, ...]:
    """The texts of the pieces of a value that is a row, or a single one."""
    match shape:
        case Track(pieces=pieces) | Hand(pieces=pieces) | Graph(pieces=pieces):
            return _texts_of(pieces)
        case PlainValue(piece=piece) | Die(piece=piece):
            return (piece.text,)
        case Bar(value=value):
            return (str(value),)
        case Heaps(counts=counts):
            return tuple(map(str, counts))
    return ()


def _graph(caption: Caption, pieces: tuple[DrawnPiece, ...], show: Display) -> Graph:
    """Points where the ruleset puts them, or on a circle, and the lines between them."""
    count = len(pieces)
    points = [(column - 1, row - 1) for column, row in show.points] or _circle(count)
    found = dict.fromkeys(
        (min(a, b) - 1, max(a, b) - 1) for line in show.lines for a, b in pairwise(line) if a != b
    )
    names = show.names or tuple(str(number) for number in range(1, count + 1))
    return Graph(caption, pieces, tuple(points), tuple(found), names)


def _circle(count: int) -> list[tuple[int, int]]:
    """Points on a circle, from the top on, wide enough that no two of them meet."""
    radius = max(2, count // 2)
    return [
        (
            radius + round(radius * sin(2 * pi * k / count)),
            radius - round(radius * cos(2 * pi * k / count)),
        )
        for k in range(count)
    ]


def _element(type_: Type) -> Type:
    """The type of each part of a value, where it is there."""
    of = type_.of if isinstance(type_, Grid | List) else type_
    return of.of if isinstance(of, Optional) else of


def _spoken(name: str) -> str:
    return name.replace("_", " ")
