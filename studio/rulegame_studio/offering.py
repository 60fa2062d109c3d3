"""The moves that are put before a player, as JSON: valid or not, why not, and which places of the
boards they are about. It is made of what the player sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rulegame.compiling import Fault
from rulegame.drawing.pictures import DrawnBoard, Graph, Picture, Track
from rulegame.evaluation.values import choice_text, show
from rulegame.game import Game, Move, State
from rulegame.game.candidates import offers_of
from rulegame.game.visibility import Sight, Unseen
from rulegame.game.wording import choice_words
from rulegame.language.types import NONE_CODE, Cell, Grid, List, Optional, PlayerType, Set
from rulegame.model import Operation
from rulegame.playing.questions import OPERATION, Question, offered_moves, why_text
from rulegame.playing.telling import label_text
from rulegame_studio.limits import LIMITS

Place = tuple[int, int, int]  # the number of a shape, row and column


class Offers:
    """The moves of one seat in one state."""

    def __init__(self, state: State, seat: int, names: Sequence[str], picture: Picture) -> None:
        self._game: Game = state.game
        self._state = state
        self._names = names
        self._seat = seat
        self.moves = offered_moves(state, seat)
        self._valid = set(state.moves)
        if len(self.moves) > LIMITS.moves:  # those that are not valid are left out first
            self.moves = [move for move in self.moves if move in self._valid]
        self._places = Places(state, seat, picture)

    @property
    def are_many(self) -> bool:
        """Whether they are asked for step by step."""
        return len(self.moves) > LIMITS.moves

    def as_data(self) -> list[dict[str, Any]]:
        """All of them, for a page."""
        if not self.moves or self.are_many:
            return []
        valid, eyes = self._valid, (self._seat,)
        question = Question(
            self._game, self._state, OPERATION, self.moves, self._names, self.moves, eyes
        )
        return [
            {
                "text": move.text,
                "label": label_text(self._game, move, self._names),
                "operation": move.operation,
                "choices": self._choices(move),
                "cells": self._places.of(move, valid=move in valid),
                "valid": move in valid,
                "why": None if move in valid else why_text(question, move),
            }
            for move in self.moves
        ]

    def _choices(self, move: Move) -> list[tuple[str, str, str]]:
        """The name of each choice, its value in the text of the move, and the value in words."""
        words = self._game.ruleset.words
        return [
            (
                choice.name.replace("_", " "),
                choice_text(choice.element, code, words)
                if isinstance(choice.element, Set)
                else show(choice.element, code, words, self._names),
                choice_words(self._game, choice, code, self._names),
            )
            for choice, code in zip(
                _operation(self._game, move).choices, move.codes[1:], strict=True
            )
        ]


def _operation(game: Game, move: Move) -> Operation:
    operation = game.ruleset.operation(move.operation)
    assert operation is not None
    return operation


class Places:
    """Which places of the boards the moves of a seat are about."""

    def __init__(self, state: State, seat: int, picture: Picture) -> None:
        self._game, self._seat = state.game, seat
        self._seen = state.game.companion(Sight).seen_state(state, (seat,))
        self._boards = list(_boards(state.game, picture))

    def of(self, move: Move, *, valid: bool) -> list[Place]:
        """The places that a move names; or, if it is valid, those that it changes."""
        named = list(self._named_cells(move))
        if named or not valid or not self._boards:
            return named
        return self._changed_cells(move)

    def _named_cells(self, move: Move) -> Iterator[Place]:
        """The choices that are cells of a board that is drawn."""
        for choice, code in zip(_operation(self._game, move).choices, move.codes[1:], strict=True):
            of = choice.element.of if isinstance(choice.element, Optional) else choice.element
            if not isinstance(of, Cell) or not 0 <= code < of.rows * of.columns:
                continue
            alike = [b for b in self._boards if (b.rows, b.columns) == (of.rows, of.columns)]
            named = [board for board in alike if board.name == of.board]
            for board in (named or alike)[:1]:
                yield board.shape, *divmod(code, board.columns)

    def _changed_cells(self, move: Move) -> list[Place]:
        """Where a move takes something of the player's from, and where it puts something; worked
        out of what the player sees alone.
        """
        try:
            after = offers_of(self._game).after(self._seen, move)
        except (Unseen, Fault):
            return []
        changed = [place for board in self._boards for place in self._changed(board, after)]
        gone = [c.place for c in changed if c.was_own and not c.is_own]
        came = [c.place for c in changed if c.is_own and not c.was_own]
        came = [c.place for c in changed if c.place in came and c.was_empty] or came
        if len(gone) <= 1 and len(came) == 1:
            return [*gone, *came]
        return [changed[0].place] if not gone and not came and len(changed) == 1 else []

    def _changed(self, board: _Board, after: Sequence[int]) -> Iterator[_Changed]:
        """The places of a board on which something else lies after a move."""
        places = slice(board.places.start, board.places.stop)
        try:
            old, new = self._seen.cells[places], after[places]
        except Unseen:
            return
        for at, (before, now) in enumerate(zip(old, new, strict=True)):
            if before != now:
                own = (self._seat,) if board.of_players else ()
                yield _Changed(
                    (board.shape, *divmod(at, board.columns)),
                    before in own if own else before != board.empty,
                    now in own if own else now != board.empty,
                    before == board.empty,
                )


class _Changed(NamedTuple):
    place: Place
    was_own: bool
    is_own: bool
    was_empty: bool


class _Board(NamedTuple):
    """A board or a track of a picture: the number of its shape, and where its cells are."""

    name: str
    shape: int
    places: range
    rows: int
    columns: int
    empty: int  # the code of an empty place
    of_players: bool


def _boards(game: Game, picture: Picture) -> Iterator[_Board]:
    shapes = {
        (shape.caption.label, shape.caption.owner): number
        for number, shape in enumerate(picture.shapes)
        if isinstance(shape, DrawnBoard | Graph | Track)
    }
    for name, value in game.ruleset.state.items():
        type_ = value.variable.type
        if not isinstance(type_, Grid | List):
            continue
        owners: Sequence[int | None] = (
            range(len(game.players)) if value.variable.each_player else (None,)
        )
        for owner in owners:
            number = shapes.get((name.replace("_", " "), owner))
            places = game.kernel.places(name, owner or 0)
            if number is None or not places:
                continue
            rows, columns = (1, len(places))
            if isinstance(type_, Grid):
                rows, columns = type_.rows, type_.columns
            optional = isinstance(type_.of, Optional)
            of = type_.of.of if isinstance(type_.of, Optional) else type_.of
            empty = NONE_CODE if optional else 0
            players_lie = isinstance(of, PlayerType)
            yield _Board(name, number, places, rows, columns, empty, players_lie)
