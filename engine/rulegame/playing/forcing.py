"""Moves without a choice, which are made at once where a ruleset says so."""

from __future__ import annotations

from rulegame.compiling import Fault
from rulegame.game import CHANCE, State
from rulegame.game.candidates import offers_of
from rulegame.game.visibility import Sight, Unseen


def is_forced(state: State) -> bool:
    """Whether the player whose turn it is has one valid move only, and is not asked for it. That
    nobody is asked tells the others as much; so it must not depend on what is hidden from them.
    """
    if not state.game.ruleset.turn.forced or state.player == CHANCE:
        return False
    if state.game.point(state).kind != "turn" or len(state.moves) != 1:
        return False
    return not state.game.companion(Sight).hides_something or _all_can_tell(state)


def _all_can_tell(state: State) -> bool:
    """Whether every player sees enough to know that there is only one valid move."""
    game = state.game
    offers, everybody = offers_of(game), range(len(game.players))
    seen = game.companion(Sight).seen_state(state, everybody)
    try:
        valid = [move for move in offers.candidates(seen) if not any(offers.barring(seen, move))]
    except (Unseen, Fault):
        return False
    return len(valid) == 1
