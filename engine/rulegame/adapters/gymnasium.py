"""Rulesets as environments of Gymnasium: a game of one player, or one seat of a game against
opponents that are given by name: `env("my_game.yaml", opponent="perfect")`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from rulegame.extras import is_installed, missing

if not is_installed("gymnasium"):
    raise missing("gymnasium")

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from rulegame.adapters.episode import Episode, observe, rendered
from rulegame.adapters.hosts import game_of
from rulegame.adapters.observing import Observations
from rulegame.adapters.traits import LONGEST
from rulegame.game import Game
from rulegame.players import make_player

RENDER_MODES: Final = ("human", "ansi", "rgb_array")


def env(
    name: str | Path | Game,
    seat: int = 0,
    opponent: str = "random",
    render_mode: str | None = None,
    max_moves: int = LONGEST,
    **parameters: Any,
) -> SeatEnv:
    """An environment of a bundled ruleset's name, a file or a game, from one seat. Other arguments
    are parameters of the ruleset.
    """
    return SeatEnv(game_of(name, parameters), seat, opponent, render_mode, max_moves)


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):  # type: ignore[misc]
    """A game, as one of its players sees it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: Game,
        seat: int = 0,
        opponent: str = "random",
        render_mode: str | None = None,
        max_moves: int = LONGEST,
    ) -> None:
        if seat not in range(len(game.players)):
            raise IndexError(f"there is no seat {seat}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, or None")
        self.game = game
        self.seat = seat
        self.render_mode = render_mode
        self._max_moves = max_moves
        self._opponent = (
            make_player(opponent, game, repeatable=True) if len(game.players) > 1 else None
        )
        self._observations = Observations(game)
        shape = (self._observations.size,)
        self.observation_space = spaces.Box(-np.inf, np.inf, shape, np.float32)
        self.action_space = spaces.Discrete(len(game.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins a game; the seed decides what is rolled and what opponents do, `options={"first":
        1}` who begins.
        """
        super().reset(seed=seed)
        first = 0 if options is None else int(options.get("first", 0))
        drawn = int(self.np_random.integers(1 << 62))
        self._random = Random(drawn)
        self._episode = Episode(self.game, drawn, first, self._max_moves)
        self._let_others_move()
        return self._seen(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """The player's move, and those of others up to the next one. A move that is not valid ends
        the game with a loss.
        """
        episode = self._episode
        if episode.player >= 0 and not episode.play_as(int(action)):
            return self._seen(), -1.0, True, False, self._info() | {"invalid": True}
        self._let_others_move()
        over = episode.state.is_over
        reward = episode.rewards[self.seat]
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, over, episode.is_cut, self._info()

    def _let_others_move(self) -> None:
        episode = self._episode
        while (player := episode.player) not in (-1, self.seat):
            assert self._opponent is not None
            episode.play(self._opponent.choose(episode.view(player), self._random))

    def _seen(self) -> NDArray[np.float32]:
        return observe(self._episode, self._observations, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._episode.mask(self.seat)}

    def render(self) -> Any:
        """What everybody at the table sees: printed, as text, or as a picture."""
        return rendered(self._episode, self.render_mode)
