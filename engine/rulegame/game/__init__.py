"""Games to be played. In: a model. Out: `Game`, `State`, `Move`, `Outcome` and what each seat sees
of them (`View`), as immutable values.
"""

from rulegame.game.game import (
    CHANCE,
    HIDDEN,
    Check,
    Event,
    Game,
    GameError,
    IllegalMove,
    Move,
    Outcome,
    Reason,
    Seen,
    State,
    View,
)

__all__ = [
    "CHANCE",
    "HIDDEN",
    "Check",
    "Event",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "Outcome",
    "Reason",
    "Seen",
    "State",
    "View",
]
