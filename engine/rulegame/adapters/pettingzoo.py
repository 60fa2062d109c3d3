"""Rulesets as environments of PettingZoo: `env("my_game.yaml", start=30)`.

Agents are called `player_0`, `player_1`, … by their seats. An observation is what the agent's seat
may see, with a mask of the valid actions, which are numbered as in `game.actions`. Where players
choose at once, `parallel_env` lets all agents act together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from rulegame.extras import is_installed, missing

if not is_installed("pettingzoo"):
    raise missing("pettingzoo")

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from rulegame.adapters.episode import Episode, observe, rendered
from rulegame.adapters.hosts import game_of
from rulegame.adapters.observing import Observations
from rulegame.adapters.traits import LONGEST
from rulegame.game import Game

RENDER_MODES: Final = ("human", "ansi", "rgb_array")

Form = Literal["flat", "dict"]


def env(name: str | Path | Game, **options: Any) -> Any:
    """An environment of a bundled ruleset's name, a file or a game, which takes a move that is not
    valid for a loss. Options that `AgentsEnv` does not have are parameters of the ruleset.
    """
    found = raw_env(name, **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.TerminateIllegalWrapper(
            wrappers.AssertOutOfBoundsWrapper(found), illegal_reward=-1
        )
    )


def raw_env(
    name: str | Path | Game,
    render_mode: str | None = None,
    observations: Form = "flat",
    max_moves: int = LONGEST,
    **parameters: Any,
) -> AgentsEnv:
    """The same without the wrappers."""
    return AgentsEnv(game_of(name, parameters), render_mode, observations, max_moves)


def parallel_env(name: str | Path | Game, **options: Any) -> TogetherEnv:
    """An environment in which all agents act at once, of a game in which players choose at once;
    options as for `env`.
    """
    found = raw_env(name, **options)
    if not found.game.kind.simultaneous:
        raise ValueError(
            f"in {found.game.ruleset.title} one player moves after the other: env(…) is for it"
        )
    return TogetherEnv(found)


class AgentsEnv(AECEnv):  # type: ignore[misc]
    """A game, one agent after the other."""

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        observations: Form = "flat",
        max_moves: int = LONGEST,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, or None")
        self.metadata = {
            "name": game.ruleset.title,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game = game
        self.render_mode = render_mode
        self._form = observations
        self._max_moves = max_moves
        self._observations = Observations(game)
        self.possible_agents = [f"player_{seat}" for seat in range(len(game.players))]
        self._space = _space(self._observations, len(game.actions), observations)
        self._actions = {a: spaces.Discrete(len(game.actions)) for a in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent can see."""
        self._seat(agent)
        return self._space

    def action_space(self, agent: str) -> Any:
        """What an agent can do."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game; the seed decides what is rolled, `options={"first": 1}` who begins."""
        first = 0 if options is None else int(options.get("first", 0))
        self._episode = Episode(self.game, seed, first, self._max_moves)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(self._episode.player, 0)]
        self._conclude()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now, and which actions are valid."""
        seat = self._seat(agent)
        row = observe(self._episode, self._observations, seat)
        seen: Any = self._observations.parts(row) if self._form == "dict" else row
        return {"observation": seen, "action_mask": self._episode.mask(seat)}

    def step(self, action: int | None) -> None:
        """The move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self._episode.play_as(int(action)):
            raise ValueError(f"{action} is not a valid action of {agent}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._conclude()
        if self._episode.player >= 0:
            self.agent_selection = self.possible_agents[self._episode.player]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _conclude(self) -> None:
        """What everybody gets, if the game is over."""
        episode = self._episode
        if not episode.state.is_over and not episode.is_cut:
            return
        for agent, reward in zip(self.possible_agents, episode.rewards, strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = episode.state.is_over
            self.truncations[agent] = episode.is_cut

    def render(self) -> Any:
        """What everybody at the table sees: printed, as text, or as a picture."""
        return rendered(self._episode, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)


class TogetherEnv(ParallelEnv):  # type: ignore[misc]
    """A game in which all choose at once. Who has nothing to choose has a mask without a valid
    action, and what they do does not count; any other action that is not valid loses.
    """

    def __init__(self, turns: AgentsEnv) -> None:
        self._turns = turns
        self.game = turns.game
        self.render_mode = turns.render_mode
        self.metadata = turns.metadata | {"is_parallelizable": True}
        self.possible_agents = turns.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """What an agent can see."""
        return self._turns.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """What an agent can do."""
        return self._turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins a game."""
        self._turns.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """What all choose, carried out together."""
        episode, numbers = self._turns._episode, self.game.actions
        lost = set()
        for seat, moves in episode.choosing.items():
            move = numbers[int(actions[self.possible_agents[seat]])]
            if move not in moves:
                lost.add(seat)
            elif not lost:
                episode.play(move)
        over = episode.state.is_over or bool(lost)
        paid = [-1.0 * (seat in lost) for seat in range(len(self.possible_agents))]
        rewards = paid if lost else episode.rewards
        agents, seen = self.agents, self._seen()
        if over or episode.is_cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            seen,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, episode.is_cut and not over),
            {agent: {} for agent in agents},
        )

    def _seen(self) -> dict[str, Any]:
        return {agent: self._turns.observe(agent) for agent in self.agents}

    def render(self) -> Any:
        """What everybody at the table sees."""
        return self._turns.render()

    def close(self) -> None:
        """There is nothing to close."""


def _space(observations: Observations, actions: int, form: Form) -> Any:
    """What agents see: a row of numbers, or its parts by name, and a mask."""
    seen: Any = _box((observations.size,))
    if form == "dict":
        seen = spaces.Dict({name: _box(shape) for name, shape in observations.shapes.items()})
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask})


def _box(shape: tuple[int, ...]) -> Any:
    return spaces.Box(-np.inf, np.inf, shape, np.float32)
