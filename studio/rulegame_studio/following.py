"""The words of a game for one audience: a conversation that is led along the moves, and in which
nothing is said that one of those who read may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from rulegame.game import Game, GameError, Move, State
from rulegame.playing.conversation import (
    WITHOUT_VALUES,
    Ask,
    Conversation,
    Ending,
    NothingRolled,
    converse,
)
from rulegame.playing.session import Step


class Follower:
    """One audience of a table: the seats whose players read it, and the seats at whose turns they
    are only told what happens.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        first: int,
        line: Callable[[], Sequence[Step]],
        *,
        eyes: Collection[int],
        told: Collection[int],
    ) -> None:
        self._line = line
        self._at = 0
        self._conversation: Conversation = converse(
            game,
            roll=self._roll,
            first=first,
            names=names,
            played=self._played,
            discreet=told,
            audience=eyes,
            narrated=told,
            drawn=True,
        )
        self._begun = False
        self._ended = False
        self.said = ""

    def catch_up(self) -> str:
        """Go on to where the game stands; what was said since the last decision."""
        while not self._ended and (not self._begun or self._at < len(self._line())):
            try:
                reached = self._next()
            except StopIteration as end:
                ending: Ending = end.value
                self.said, self._ended = ending.text, True
            except NothingRolled as stopped:
                self.said, self._ended = stopped.said, True
            except GameError as error:
                self.said, self._ended = f"{error.said}{failure_text(error)}\n", True
            else:
                text = reached.text
                own = reached.menu and text.endswith(reached.menu)
                self.said = text.removesuffix(reached.menu) if own else text
        return self.said

    def _next(self) -> Ask:
        if not self._begun:
            self._begun = True
            return next(self._conversation)
        return self._conversation.send(self._line()[self._at].move)

    def _roll(self, state: State) -> Move:
        line = self._line()
        if self._at >= len(line):
            raise NothingRolled
        return line[self._at].move

    def _played(self, state: State, move: Move) -> None:
        self._at += 1


def failure_text(error: GameError) -> str:
    """That the rules fail, in one line, without values that somebody may not see."""
    told = WITHOUT_VALUES.get(error.diagnostic.code, "a value cannot be computed")
    return f"The rules fail here: {told}."
