"""Dice by hand: how `--rolls` is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.model import Roll, Ruleset


def read_rolls(text: str, ruleset: Ruleset) -> list[str]:
    """The values of `--rolls`, none of which is impossible in the whole game."""
    values = [" ".join(part.split()) for part in text.split(",")]
    if not text.strip():
        return []
    rolls = [
        *ruleset.turn.rolls,
        *ruleset.turn.later_rolls,
        *(r for o in (*ruleset.setup, *ruleset.operations) for r in o.rolls),
    ]
    if not rolls:
        raise WrongCall("--rolls: this game has no dice")
    for value in values:
        if not any(_can_be(roll, value, ruleset) for roll in rolls):
            ranges = "; ".join(
                dict.fromkeys(f"{r.name} can be {_range(r, ruleset)}" for r in rolls)
            )
            raise WrongCall(f"--rolls: '{value}' is not possible; {ranges}")
    return values


def _can_be(roll: Roll, value: str, ruleset: Ruleset) -> bool:
    """Whether a value may fall, as far as can be seen before the game."""
    from rulegame.evaluation.values import choice_text, read_choice
    from rulegame.language.types import Int

    element, words = roll.element, ruleset.words
    code = read_choice(element, value, words, ruleset.players)
    if code is None or (isinstance(element, Int) and not element.low <= code <= element.high):
        return False
    return choice_text(element, code, words) == value


def _range(roll: Roll, ruleset: Ruleset) -> str:
    from rulegame.language.types import Int, PlayerType, Word

    match roll.element:
        case Int(low=low, high=high):
            return f"{low} to {high}"
        case Word(words=words):
            return ", ".join(words)
        case PlayerType():
            return f"1 to {len(ruleset.players)}"
    return str(roll.element)
