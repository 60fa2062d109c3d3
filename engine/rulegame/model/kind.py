"""The kind of a game, as far as its rules say: how many play, what is random or hidden, whether the
payoffs have a constant sum, and whether a position can come back. Solvers, players, claims, exports
and adapters ask here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rulegame.language import typed
from rulegame.language.typed import Typed, Write
from rulegame.language.types import Int
from rulegame.model import Effects, Operation, Ruleset, Verdict
from rulegame.model.payoffs import verdicts
from rulegame.model.secrecy import hidden_roll, hidden_values
from rulegame.wording import counted


class GameKind(NamedTuple):
    """What the rules say about a game before it is explored."""

    players: int
    chance: bool  # something is rolled
    simultaneous: bool  # players choose at once, unseen
    hidden: str | None  # what else is kept from a player, as a clause; None if nothing is
    payoffs: bool  # ends pay amounts, not only a win, a loss or a draw
    constant_sum: bool | None  # False: some end is the same for all; None: the ends decide
    cyclic: bool | None  # False: no position comes back; None: the positions decide

    @property
    def is_open(self) -> bool:
        """Whether every player knows everything (perfect information)."""
        return self.hidden is None and (self.players == 1 or not self.simultaneous)

    @property
    def is_staged(self) -> bool:
        """Whether at most two players choose at once, and nothing else is hidden."""
        return self.simultaneous and self.hidden is None and self.players <= 2

    @property
    def is_duel(self) -> bool:
        """Whether there are two players, who may be opposed."""
        return self.players == 2 and self.constant_sum is not False

    def __str__(self) -> str:
        """The kind in one line: `2 players, perfect information, chance, payoffs`."""
        traits = [counted(self.players, "player")]
        traits += ["simultaneous moves"] if self.simultaneous else []
        traits += ["hidden information"] if self.hidden is not None else []
        traits += ["perfect information"] if self.is_open else []
        traits.append("chance" if self.chance else "no chance")
        traits.append("payoffs" if self.payoffs else "win, loss or draw")
        if self.players > 1 and self.constant_sum is not None:
            traits.append("constant sum" if self.constant_sum else "not constant-sum")
        traits += ["always ends"] if self.cyclic is False else []
        return ", ".join(traits)

    def as_data(self) -> dict[str, Any]:
        """The kind for programs."""
        return {**self._asdict(), "perfect_information": self.is_open, "text": str(self)}


def kind_of(ruleset: Ruleset) -> GameKind:
    """The kind of a ruleset's game. A value that no rule changes hides nothing, whoever sees it:
    the rules state it.
    """
    ends = verdicts(ruleset)
    return GameKind(
        players=len(ruleset.players),
        chance=_has_chance(ruleset),
        simultaneous=ruleset.together is not None,
        hidden=_hidden(ruleset),
        payoffs=any(verdict.pays for verdict in ends),
        constant_sum=_constant_sum(ends, len(ruleset.players)),
        cyclic=False if _progresses(ruleset) else None,
    )


def _hidden(ruleset: Ruleset) -> str | None:
    unseen = [*hidden_values(ruleset), hidden_roll(ruleset)]
    if unseen[0] is not None:
        return f"'{unseen[0]}' is hidden information"
    if len(ruleset.players) == 1:
        return None
    secret = [operation for operation in (*ruleset.setup, *ruleset.operations) if operation.secret]
    alone = sum(operation.secret for operation in ruleset.operations) < 2
    for operation in secret:
        # a lone secret move without a choice or a roll is known by being made
        if operation.choices or operation.rolls or not alone:
            return f"'{operation.name}' is secret"
    return None


def _has_chance(ruleset: Ruleset) -> bool:
    rolled = (*ruleset.turn.rolls, *ruleset.turn.later_rolls)
    return bool(rolled) or any(one.rolls for one in (*ruleset.setup, *ruleset.operations))


# ---- payoffs


def _constant_sum(ends: tuple[Verdict, ...], players: int) -> bool | None:
    """Whether all ends pay the players the same together, as far as the rules tell."""
    if any(verdict.is_common for verdict in ends):
        return False
    totals = {0 if verdict.payoff is None else _total(verdict.payoff) for verdict in ends}
    if players != 2 or None in totals:
        return None
    return True if len(totals) == 1 else None


def _total(payoff: Typed) -> int | None:
    """The sum of a payoff that is the same in every state; None if the rules do not tell."""
    match payoff:
        case typed.ListLiteral(items=(typed.Constant(code=one), typed.Constant(code=other))):
            return one + other
        case typed.ListLiteral(items=(one, other)) if _negates(one, other) or _negates(other, one):
            return 0
        case typed.IfElse(then=then, otherwise=otherwise):
            total = _total(then)
            return total if total == _total(otherwise) else None
    return None


def _negates(one: Typed, other: Typed) -> bool:
    return (
        isinstance(one, typed.Arithmetic)
        and one.operator == "-"
        and len(one.operands) == 1
        and one.operands[0] == other
    )


# ---- progress: a number that every move brings nearer to its bound

UP: Final = 1
DOWN: Final = -1


def _progresses(ruleset: Ruleset) -> bool:
    """Whether some whole number only grows, or only shrinks, and does so in every turn: then no
    position comes back, and 64-bit numbers end.
    """
    done = None if ruleset.together is None else ruleset.together.done
    everything = [*ruleset.operations, *([] if done is None else [done])]
    writes = [write for one in everything for _, write in _writes(one)]
    if ruleset.stuck.effects is not None:
        writes += ruleset.stuck.effects.writes
    if ruleset.turn.begin is not None:
        writes += ruleset.turn.begin.writes
    for name in {write.variable.name for write in writes}:
        if name not in ruleset.state:
            continue
        about = [write for write in writes if write.variable.name == name]
        for way in (UP, DOWN):
            always = [_always(one, name, way) for one in ruleset.operations]
            moves = all(always) or (done is not None and _always(done, name, way))
            if ruleset.operations and moves and all(_least(one, way) >= 0 for one in about):
                return True
    return False


def _writes(operation: Operation) -> Iterator[tuple[Effects, Write]]:
    for step in operation.steps:
        if isinstance(step, Effects):
            yield from ((step, write) for write in step.writes)


def _always(operation: Operation, name: str, way: int) -> bool:
    """Whether an operation moves a value in one direction, whatever the state."""
    return any(
        write.variable.name == name and not write.loops and _least(write, way) > 0
        for step, write in _writes(operation)
        if step.when is None and step.repeat is None and step.while_ is None
    )


def _least(write: Write, way: int) -> int:
    """By how much a write moves its value at least; -1 if it may move it the other way."""
    match write.value:
        case typed.Arithmetic(operator="+", operands=(base, by)) if _is_old(base, write):
            return max(-1, _reach(by, way))
        case typed.Arithmetic(operator="+", operands=(by, base)) if _is_old(base, write):
            return max(-1, _reach(by, way))
        case typed.Arithmetic(operator="-", operands=(base, by)) if _is_old(base, write):
            return max(-1, _reach(by, -way))
    return -1


def _reach(by: Typed, way: int) -> int:
    if not isinstance(by.type, Int):
        return -1
    return by.type.low if way == UP else -by.type.high


def _is_old(base: Typed, write: Write) -> bool:
    """Whether an expression is the value that is written, as it was before the move."""
    if write.indices:
        if not isinstance(base, typed.Element) or base.indices != write.indices:
            return False
        base = base.base
    return (
        isinstance(base, typed.Value)
        and base.era == "now"
        and base.variable.name == write.variable.name
        and base.owner == write.owner
    )
