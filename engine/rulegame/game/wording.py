"""Moves in words: by the label of the operation, with the choices that those who read may know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulegame.evaluation.values import choice_text, show
from rulegame.game.moves import Move
from rulegame.game.rendering import renderer_of
from rulegame.game.rules import Rules
from rulegame.game.visibility import SECRET, Sight
from rulegame.language.types import Set
from rulegame.model import Operation

EMPTY = "none"  # how people read and type a set with nothing in it


def move_words(
    game: Rules,
    operation: Operation,
    move: Move,
    names: Sequence[str],
    kept: Collection[str],
    drawn: bool = True,
) -> str:
    """A move as people read it, `Take 3`, without the choices that are kept from them; cards as
    they are `drawn`.
    """
    words = game.ruleset.words
    cards = renderer_of(game).cards if drawn else {}
    made = list(zip(operation.choices, move.codes[1:], strict=True))
    texts = [
        SECRET
        if choice.name in kept
        else choice_text(choice.element, code, words) or EMPTY
        if isinstance(choice.element, Set)
        else cards.get(choice.name, {}).get(code) or show(choice.element, code, words, names)
        for choice, code in made
    ]
    if made and all(choice.name in kept for choice, _ in made):
        texts = [SECRET]
    return " ".join([operation.label, *texts])


def seen_words(
    game: Rules, mover: int, move: Move, names: Sequence[str], eyes: Collection[int]
) -> str:
    """The same as all of some seats may read it; not even its name, if that is kept from them."""
    operation = game.ruleset.operation(move.operation)
    assert operation is not None
    sight = game.companion(Sight)
    if all(eye == mover for eye in eyes):
        return move_words(game, operation, move, names, ())
    if sight.keeps_name(operation):
        return SECRET
    if operation.secret:
        return f"{operation.label} {SECRET}"
    return move_words(game, operation, move, names, sight.kept(operation))
