"""Moves in words: by the label of the operation, with the choices that those who read may know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulegame.evaluation.values import choice_text, show
from rulegame.game.moves import Move
from rulegame.game.rendering import renderer_of
from rulegame.game.rules import Rules
from rulegame.game.visibility import SECRET, Sight
from rulegame.language.types import Set
from rulegame.model import Choice, Operation, Roll

EMPTY = "none"  # how people read and type a set with nothing in it


def choice_words(
    game: Rules, choice: Choice, code: int, names: Sequence[str], drawn: bool = True
) -> str:
    """A chosen value as people read it; cards and cells as they are `drawn`."""
    renderer, words = renderer_of(game), game.ruleset.words
    if isinstance(choice.element, Set):
        return choice_text(choice.element, code, words) or EMPTY
    sign = renderer.signs.get(choice.name, {}).get(code) if drawn else None
    type_ = renderer.drawn_type(choice.element) if drawn else choice.element
    return sign or show(type_, code, words, names)


def move_words(
    game: Rules,
    operation: Operation,
    move: Move,
    names: Sequence[str],
    kept: Collection[str],
    drawn: bool = True,
) -> str:
    """A move as people read it, `Take 3`, without the choices that are kept from them; cards and
    cells as they are `drawn`.
    """
    renderer = renderer_of(game)
    made = list(zip(operation.choices, move.codes[1:], strict=True))
    if made and all(choice.name in kept for choice, _ in made):
        return f"{operation.label} {SECRET}"

    texts = [
        SECRET if choice.name in kept else choice_words(game, choice, code, names, drawn)
        for choice, code in made
    ]
    for row, column in renderer.pairs[operation.name] if drawn else ():  # `c2`, in one word
        if SECRET not in (texts[row], texts[column]):
            texts[row], texts[column] = f"{texts[column]}{texts[row]}", ""
    return " ".join([operation.label, *filter(None, texts)])


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


def roll_words(game: Rules, roll: Roll, code: int, names: Sequence[str], drawn: bool = True) -> str:
    """A rolled value as people read it; cards as they are `drawn`."""
    sign = renderer_of(game).signs.get(roll.name, {}).get(code) if drawn else None
    return sign or show(roll.element, code, game.ruleset.words, names)
