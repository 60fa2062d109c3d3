"""Many games of a ruleset as one environment of Gymnasium: `vector_env("my_game.yaml", 1024)`. All
of them are moved on by machine code, in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rulegame.extras import is_installed, missing

if not is_installed("gymnasium"):
    raise missing("gymnasium")

import numpy as np
from numpy.typing import NDArray

from rulegame.adapters.batch import Batch
from rulegame.adapters.hosts import game_of
from rulegame.adapters.traits import LONGEST
from rulegame.game import Game
from rulegame.native.kernels.lanes import CUT, FINISHED, INVALID, PLAYING

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as problem:
    raise missing("gymnasium", "A vector environment") from problem

Found = tuple[
    NDArray[np.float32],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.bool_],
    dict[str, Any],
]
MASK: Final = "reset_mask"  # the option of `reset` that says which games begin anew


def vector_env(
    name: str | Path | Game,
    num_envs: int,
    seat: int | None = None,
    max_moves: int = LONGEST,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    copy: bool = True,
    **parameters: Any,
) -> GamesEnv:
    """Games of a bundled ruleset's name, a file or a game, side by side. Actions are those of
    whoever is to move, or of one seat; then others choose at random. Other arguments are parameters
    of the ruleset.
    """
    batch = Batch(game_of(name, parameters), num_envs, seat, max_moves)
    return GamesEnv(batch, AutoresetMode(autoreset_mode), copy)


class GamesEnv(VectorEnv):  # type: ignore[misc]
    """Many games at once. An observation is what the seat sees that is to move; a reward is what
    the seat gets whose action it was.
    """

    def __init__(self, batch: Batch, autoreset_mode: AutoresetMode, copy: bool = True) -> None:
        """Without `copy`, arrays that are given out are changed by the next step."""
        self.batch = batch
        self.game = batch.game
        self.num_envs = batch.count
        self.metadata = {"render_modes": [], "autoreset_mode": autoreset_mode}
        self.render_mode = None
        self._mode, self._copy = autoreset_mode, copy
        self.single_observation_space = spaces.Box(
            -np.inf, np.inf, (batch.layout.size,), np.float32
        )
        self.single_action_space = spaces.Discrete(len(batch.game.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """New games: in all rows, or in those of `options["reset_mask"]`. A seed is that of the
        first row, the next one that of the second, and so on; `options={"first": 1}` says who
        begins.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        given = options or {}
        which = None if MASK not in given else self._checked(given[MASK])
        seeds = self._seeds(seed)
        if not self._begun and which is not None and not which.all():
            raise ValueError("no game has begun: the first reset is that of all rows")
        self.batch.begin(seeds, which, int(given.get("first", 0)))
        self._begun = True
        return self._given(self.batch.observations), self._infos()

    def _checked(self, mask: Any) -> NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"options[{MASK!r}] must be an array of truths")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"options[{MASK!r}] must have {self.num_envs} truths, not all False")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None] | None:
        if seed is None and self._begun:
            return None
        if seed is None:
            seed = int(self.np_random.integers(1 << 62))
        if isinstance(seed, int):
            return range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, not {len(seed)}")
        return seed

    def step(self, actions: NDArray[Any]) -> Found:
        """An action in each game; what is rolled after it falls, and others move. An action that is
        not valid loses. What has ended begins again as the mode of the environment says.
        """
        batch, mode = self.batch, self._mode
        if not self._begun:
            raise RuntimeError("no game has begun: call reset first")
        movers = batch.players
        again = mode == AutoresetMode.SAME_STEP
        over = batch.ended != PLAYING
        if mode == AutoresetMode.DISABLED and over.any():
            row = int(np.flatnonzero(over)[0])
            raise ValueError(f"game {row} is over: reset(options={{{MASK!r}: …}}) begins another")
        batch.step(actions, again, None if again else over)
        ended = batch.ended
        infos = self._infos()
        infos |= _for_all("rewards", self._given(batch.rewards))
        infos |= _for_all("invalid", ended == INVALID)
        if again and ended.any():
            infos["final_obs"], infos["_final_obs"] = self._given(batch.finals), ended != PLAYING
        return (
            self._given(batch.observations),
            batch.rewards[np.arange(self.num_envs), movers],
            (ended == FINISHED) | (ended == INVALID),
            ended == CUT,
            infos,
        )

    def _infos(self) -> dict[str, Any]:
        return _for_all("action_mask", self._given(self.batch.masks)) | _for_all(
            "player", self.batch.players
        )

    def _given(self, array: Any) -> Any:
        return array.copy() if self._copy else array


def _for_all(key: str, values: NDArray[Any]) -> dict[str, Any]:
    """An entry of Gymnasium's `infos` that every game has."""
    return {key: values, f"_{key}": np.ones(len(values), np.bool_)}
