"""A turn told to others, in one sentence: what fell, what was played, and what came of it.

Texts of a ruleset speak to the player whose turn it is; for a player who is no person, this is said
in their place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rulegame.evaluation.text_functions import with_article
from rulegame.evaluation.values import show
from rulegame.game import Game, Move, State
from rulegame.game.rendering import renderer_of
from rulegame.game.visibility import SECRET, Sight
from rulegame.game.wording import roll_words, seen_words
from rulegame.language.typed import Local
from rulegame.language.types import Cell, Int, Optional, PlayerType, Type, Word
from rulegame.model import Effects, Roll
from rulegame.wording import joined

MOST_VALUES: Final = 4  # that a sentence tells of
NO_CARD: Final = "none"  # a number that stands for no card, such as 0


class Fallen(NamedTuple):
    """What was rolled in a turn: before the decision, or by what was decided."""

    roll: Roll
    code: int
    later: bool


def told_turn(
    before: State,
    after: State,
    move: Move,
    fallen: Sequence[Fallen],
    names: Sequence[str],
    eyes: Collection[int],
) -> str:
    """The turn of a player as all of some seats may know it. `fallen` is what all of them saw."""
    game, seat = before.game, before.turn
    words = seen_words(game, seat, move, names, eyes)
    played = "makes a secret move" if words == SECRET else f"plays {words}"
    parts = [
        *(" ".join(_roll_words(game, one, names)) for one in fallen if not one.later),
        played,
        *(" ".join(_roll_words(game, one, names)) for one in fallen if one.later),
    ]
    copies = set() if words == SECRET else _copies(game, move)
    values = list(_changed(before, after, copies, names, eyes))[:MOST_VALUES]
    came = f" New {', '.join(values)}." if values else ""
    return f"{names[seat]} {joined(parts, 'and')}.{came}"


def told_rolls(game: Game, seat: int, fallen: Sequence[Fallen], names: Sequence[str]) -> str:
    """What fell for a player who can do nothing with it."""
    if not fallen:
        return ""
    said = [_roll_words(game, one, names) for one in fallen]
    parts = [
        f"{verb} {joined([value for _, value in one], 'and')}"
        for verb, one in groupby(said, key=lambda pair: pair[0])
    ]
    return f"{names[seat]} {joined(parts, 'and')}."


def _roll_words(game: Game, fallen: Fallen, names: Sequence[str]) -> tuple[str, str]:
    """`rolls`, `a 5`; or `draws`, `♣Q`."""
    roll, value = fallen.roll, roll_words(game, fallen.roll, fallen.code, names)
    if roll.name in renderer_of(game).signs:
        return "draws", value
    if isinstance(roll.element, Int):
        return "rolls", with_article(value)
    return "rolls", f"{value} ({roll.name.replace('_', ' ')})"


def _changed(
    before: State,
    after: State,
    copies: Collection[str],
    names: Sequence[str],
    eyes: Collection[int],
) -> Iterator[str]:
    """The single values that changed, the player's own ones first; without copies of a choice,
    which the move names already.
    """
    game, seat = before.game, before.turn
    sight = game.companion(Sight)
    old, new = sight.seen_by_all(before.cells, eyes), sight.seen_by_all(after.cells, eyes)
    owners = [seat, None, *(other for other in range(len(names)) if other != seat)]
    for owner in owners:
        for name, value in game.ruleset.state.items():
            type_ = value.variable.type
            if value.variable.each_player == (owner is None) or not _is_told(type_):
                continue
            if name in copies:
                continue
            place = game.kernel.places(name, owner or 0).start
            code = new[place]
            if code is None or code == old[place]:
                continue
            whose = "" if owner in (seat, None) else f"{names[owner]}'s "
            cards = value.show.cards
            sign = cards.get(code, NO_CARD) if cards else None
            shown = sign or show(type_, code, game.ruleset.words, names)
            yield f"{whose}{name.replace('_', ' ')}: {shown}"


def _copies(game: Game, move: Move) -> set[str]:
    """The values of the state that the move only sets to one of its choices."""
    operation = game.ruleset.operation(move.operation)
    if operation is None:
        return set()
    chosen = {choice.name for choice in operation.choices}
    writes = [w for step in operation.steps if isinstance(step, Effects) for w in step.writes]
    other = {
        w.variable.name
        for w in writes
        if not (isinstance(w.value, Local) and w.value.name in chosen)
    }
    return {w.variable.name for w in writes} - other


def _is_told(type_: Type) -> bool:
    of = type_.of if isinstance(type_, Optional) else type_
    return isinstance(of, Int | Word | PlayerType | Cell)
