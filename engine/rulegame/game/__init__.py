"""Games to be played. In: a model. Out: `Game`, `State`, `Move`, `Outcome` and what each seat sees
of them (`View`), as immutable values.

`rules` stands between the kernel and all others, `game` is the public interface on top; what is
said of moves (`visibility`, `rendering`, `candidates`, `reasons`, `explaining`) lies between.
"""

from rulegame.compiling import CHANCE, Outcome
from rulegame.game.actions import Actions, Unbounded
from rulegame.game.game import Event, Game, State, View
from rulegame.game.moves import HIDDEN, Check, GameError, IllegalMove, Move, Reason, Seen
from rulegame.game.rules import Position, Rules

__all__ = [
    "CHANCE",
    "HIDDEN",
    "Actions",
    "Check",
    "Event",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "Seen",
    "State",
    "Unbounded",
    "View",
]
