"""Moves as text: what a move can begin with, which choices follow, and what is wrong with a text
that is none.
"""

from __future__ import annotations

from rulegame.diagnostics import Hint, PortableError, did_you_mean
from rulegame.evaluation.values import read_choice, words_in_move
from rulegame.language.types import Type
from rulegame.model import Roll, Ruleset


class NotAMove(PortableError, ValueError):
    """A text that is not a move, and what helps: another name that it could begin with, or an
    operation to be switched on.
    """

    def __init__(self, message: str, hint: Hint, switched_off: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message = message
        self.hint = hint
        self.switched_off = switched_off


def move_parts(ruleset: Ruleset) -> dict[str, tuple[tuple[str, Type], ...]]:
    """The choices of everything that a move can begin with: operations, setup choices, rolls."""
    parts: dict[str, tuple[tuple[str, Type], ...]] = {}
    rolls: list[Roll] = [*ruleset.turn.rolls, *ruleset.turn.later_rolls]
    for operation in (*ruleset.operations, *ruleset.setup):
        if not operation.is_automatic:
            parts[operation.name] = tuple((c.name, c.element) for c in operation.choices)
        rolls += operation.rolls
    for roll in rolls:
        parts.setdefault(roll.name, ((roll.name, roll.element),))
    return parts


def _rolled(ruleset: Ruleset, name: str, piece: str, seats: list[str]) -> int | None:
    """What was rolled under a name, which may be of one kind here and of another there."""
    operations = (*ruleset.operations, *ruleset.setup)
    rolls = [*ruleset.turn.rolls, *(roll for o in operations for roll in o.rolls)]
    types = dict.fromkeys(roll.element for roll in rolls if roll.name == name)
    codes = (read_choice(type_, piece, ruleset.words, seats) for type_ in types)
    return next((code for code in codes if code is not None), None)


def read_move(ruleset: Ruleset, text: str) -> tuple[str, tuple[int, ...]]:
    """The name and the choices' codes of a move such as `subtract 5`; `NotAMove` if it is none."""
    name, _, rest = text.strip().partition(" ")
    known = move_parts(ruleset)
    if name not in known:
        if any(operation.name == name for operation in ruleset.disabled):
            message = f"'{text}' is not a move here: the operation is switched off"
            raise NotAMove(message, Hint(f"enable: [{name}]"), switched_off=name)
        raise NotAMove(f"there is no move '{text}'", did_you_mean(name, known))
    parts = known[name]
    tokens = rest.split()
    if not parts and tokens:
        raise NotAMove(f"'{text}' is not a move: '{name}' takes no choices", Hint(f"write {name}"))
    seats = [str(seat + 1) for seat in range(len(ruleset.players))]
    codes: list[int] = []
    for k, (choice, type_) in enumerate(parts):
        last = k == len(parts) - 1  # which takes the rest: a set is several numbers
        count = len(tokens) if last else words_in_move(type_, tokens)
        piece, tokens = " ".join(tokens[:count]), tokens[count:]
        code = read_choice(type_, piece, ruleset.words, seats)
        if code is None and choice == name:
            code = _rolled(ruleset, name, piece, seats)
        if code is None:
            usage = " ".join([name, *(n.upper() for n, _ in parts)])
            message = f"'{text}' is not a move: {choice} must be {type_}"
            raise NotAMove(message, Hint(f"write {usage}"))
        codes.append(code)
    return name, tuple(codes)
