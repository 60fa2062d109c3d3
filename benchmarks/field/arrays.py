"""Random games a second: `rulegame.simulate` beside pgx, whose games run as arrays on the
processor: many at once (vmap), compiled (jit) before they are measured. A lane whose game is over
begins another one, so that none waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from field.measuring import Options, fewest_games, heading, in_turns, rate_row, show
from field.sameness import Played, Simulated, check
from field.versions import Measure

LANES: Final = 4096  # games at once; more are not faster
STEPS: Final = 50  # of all lanes, in one call of the compiled function
FEWEST: Final = 100_000  # games in a measurement: several calls
NAMES: Final = ("tic_tac_toe", "connect_four")  # the same on both sides

Keys = Any
Steps = Callable[[Any, Keys], tuple[Any, Any]]


def run(options: Options) -> None:
    """The section."""
    jax.config.update("jax_platforms", "cpu")
    heading("random games a second", "pgx", about=f"{LANES:,} lanes, on the processor.")
    for name in NAMES:
        ours, env = Simulated(name), pgx.make(name)
        least = fewest_games(name), FEWEST
        show(rate_row(name, in_turns(ours.play, Lanes(env).play, options, least)))
        check(name, ours.played(), whole_games(env))


class Lanes:
    """Games that go on from one measurement to the next."""

    def __init__(self, env: Any) -> None:
        self._key = jax.random.PRNGKey(1)
        self._states = jax.jit(jax.vmap(env.init))(jax.random.split(self._key, LANES))
        self._advance = advance(env)
        self._ahead = 0  # games that are over and were not asked for yet

    def play(self, games: int, seed: int) -> None:
        """Steps until so many games are over; the seed makes no difference to how many."""
        while self._ahead < games:
            self._key, key = jax.random.split(self._key)
            self._states, ended = self._advance(self._states, key)
            self._ahead += int(ended)
        self._ahead -= games


def advance(env: Any) -> Steps:
    """Takes a number of random steps in all lanes; counts the games that end."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def take_step(carry: tuple[Any, Keys], _: None) -> tuple[tuple[Any, Keys], Any]:
        states, key = carry
        key, chosen, begun = jax.random.split(key, 3)
        states = step(states, random_actions(states, chosen), jax.random.split(begun, LANES))
        return (states, key), states.terminated.sum()

    def steps(states: Any, key: Keys) -> tuple[Any, Any]:
        (states, _), ended = jax.lax.scan(take_step, (states, key), length=STEPS)
        return states, ended.sum()

    return jax.jit(steps)


def random_actions(states: Any, key: Keys) -> Any:
    """One of the valid actions of each lane, all equally likely."""

    def pick(key: Keys, valid: Any) -> Any:
        counted = jnp.cumsum(valid)
        return jnp.argmax(counted > jax.random.randint(key, (), 0, counted[-1]))

    return jax.vmap(pick)(jax.random.split(key, LANES), states.legal_action_mask)


def whole_games(env: Any) -> Played:
    """A game in each lane, from its beginning to its end, to see what they are like."""
    states = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(2), LANES))
    first = states.current_player
    step, key = jax.jit(jax.vmap(env.step)), jax.random.PRNGKey(3)
    lengths = jnp.zeros(LANES, jnp.int32)
    paid = jnp.zeros(LANES)
    while not bool(states.terminated.all()):
        key, chosen = jax.random.split(key)
        lengths += ~states.terminated
        states = step(states, random_actions(states, chosen))
        paid += states.rewards[jnp.arange(LANES), first]  # what the first player gets, once
    return Played.of(lengths.tolist(), int((paid > 0).sum()), int((paid < 0).sum()))


def measures(options: Options) -> list[Measure]:
    """Our games, to compare versions."""
    return [Measure(name, "field.rollouts.measure", (name, {}, options.seconds)) for name in NAMES]
