"""The kind of a game, as far as its rules say: whether players choose at once, and whether anything
is hidden from one of them.
"""

from __future__ import annotations

from typing import NamedTuple

from rulegame.model import Ruleset
from rulegame.model.secrecy import hidden_roll, hidden_values


class GameKind(NamedTuple):
    """What solvers, players and exports ask about a game."""

    simultaneous: bool  # players choose at once, unseen
    hidden: str | None  # what else is kept from a player, as a clause; None if nothing is

    @property
    def is_open(self) -> bool:
        """Whether every player knows everything."""
        return not self.simultaneous and self.hidden is None


def kind_of(ruleset: Ruleset) -> GameKind:
    """The kind of a ruleset's game. A value that no rule changes hides nothing, whoever sees it:
    the rules state it.
    """
    return GameKind(ruleset.together is not None, _hidden(ruleset))


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
