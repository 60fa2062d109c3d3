"""The moves of a game as people read them, without what was done in secret."""

from __future__ import annotations

from collections.abc import Sequence

from rulegame.game import CHANCE, Game, Move
from rulegame.game.rendering import renderer_of
from rulegame.game.visibility import SECRET, Sight
from rulegame.game.wording import move_words, seen_words
from rulegame.playing.session import Step


def label_text(game: Game, move: Move, names: Sequence[str]) -> str:
    """A move by the label of its operation."""
    operation = game.ruleset.operation(move.operation)
    assert operation is not None
    return move_words(game, operation, move, names, ())


def public_steps(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps of which all may know that they happened."""
    if not steps:
        return ()
    game = steps[0].state.game
    sight, seats = game.companion(Sight), range(len(game.players))
    return [s for s in steps if all(sight.notices(s.state.cells, seat) for seat in seats)]


def told_texts(steps: Sequence[Step], names: Sequence[str]) -> list[str]:
    """The same by the labels of operations, as people read them."""
    seats = range(len(names))
    return [
        text
        if text == SECRET
        else _roll_text(step, text)
        if step.seat == CHANCE
        else seen_words(step.state.game, step.seat, step.move, names, seats)
        for step, text in zip(steps, public_texts(steps), strict=True)
    ]


def _roll_text(step: Step, text: str) -> str:
    """A roll as people read it, if all may: a card by its suit and rank."""
    signs = renderer_of(step.state.game).signs.get(step.move.operation, {})
    card = signs.get(step.move.codes[1]) if text == step.move.text else None
    return f"{step.move.operation} {card}" if card else text


def public_texts(steps: Sequence[Step]) -> list[str]:
    """The last moves and rolls of a game, for everybody to read; not those that wait until all
    have chosen.
    """
    if not steps:
        return []
    game, last = steps[-1].state.game, steps[-1]
    waiting = len(game.kernel.chosen(last.state.play(last.move).cells))
    sight, shown = game.companion(Sight), len(steps) - waiting
    return [sight.public_text(*step, waits=at >= shown) for at, step in enumerate(steps)]
