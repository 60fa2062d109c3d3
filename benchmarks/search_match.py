"""`search` beside OpenSpiel's MCTSBot (C++): simulations a second, and a match at equal time.

Both sides in one run, on one core each: `pip install open_spiel` first. Games begin with two random
plies, the same for two games in alternating seats; the bot counts simulations, so for each move it
gets as many as it would have done in that time the move before.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt
from random import Random
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import pyspiel

import rulegame
from rulegame import Game, Move, State
from rulegame.players.budget import Budget
from rulegame.players.machinery import Machinery
from rulegame.players.search import SearchPlayer, search

UCT = 2.0  # the bot's own default
MEMORY = 1000  # megabytes


class Rivalry(NamedTuple):
    """A game that both know."""

    theirs: str
    settings: dict[str, int]
    told: Callable[[Move], str]  # a move in the words of OpenSpiel


RIVALRIES = {
    "connect_four": Rivalry("connect_four", {}, lambda m: str(m.choices[0] - 1)),
    "breakthrough": Rivalry(
        "breakthrough(rows=6,columns=6)",
        {"rows": 6, "columns": 6},
        lambda m: "{1}{0}{2}".format(7 - m.choices[0], *("-abcdef"[c] for c in m.choices[1:])),
    ),
}


class Bot:
    """OpenSpiel's bot, thinking for so many seconds."""

    def __init__(self, game: Any, seconds: float) -> None:
        self._game, self._seconds = game, seconds
        self._simulations, self._seed = 5000, 1
        self.simulations = 0
        self.spent, self.moves = 0.0, 0

    def choose(self, state: Any) -> int:
        self._seed += 1
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
        bot = pyspiel.MCTSBot(
            self._game, evaluator, UCT, self._simulations, MEMORY, True, self._seed, False
        )
        began = perf_counter()
        action = bot.step(state)
        took = perf_counter() - began
        self.spent, self.moves = self.spent + took, self.moves + 1
        self.simulations += self._simulations
        if took > self._seconds / 3:  # or it was certain what to play
            faster = min(1.5, max(0.5, self._seconds / took))
            self._simulations = max(100, int(self._simulations * faster))
        return int(action)


def _action(state: Any, told: str) -> int:
    """The action that is written so; captures have a star, rows where a step ends are left out."""
    for action in state.legal_actions():
        text = state.action_to_string(state.current_player(), action).rstrip("*")
        if told in (str(action), text[:3]):
            return int(action)
    raise ValueError(f"{told} is no action")


def play(rivalry: Rivalry, game: Game, seat: int, seed: int, bot: Bot, own: list[float]) -> float:
    """One game; what `search` in a seat gets for it: 1, 0.5 or 0."""
    rng = Random(seed)
    theirs = pyspiel.load_game(rivalry.theirs).new_initial_state()
    state: State = game.start(0)
    player = SearchPlayer(Budget(seconds=bot._seconds))
    while state.outcome is None:
        moves = state.moves
        if sum(1 for _ in theirs.history()) < 2:
            move = rng.choice(moves)
        elif state.player == seat:
            began = perf_counter()
            move = player.choose(state.view(seat), rng)
            own[0] += perf_counter() - began
            own[1] += 1
        else:
            action = bot.choose(theirs)
            move = next(m for m in moves if _action(theirs, rivalry.told(m)) == action)
        theirs.apply_action(_action(theirs, rivalry.told(move)))
        state = state.play(move)
    assert theirs.is_terminal()
    assert list(theirs.returns()) == [float(p) for p in state.outcome.payoffs]
    return (state.outcome.payoffs[seat] + 1) / 2


def speeds(rivalry: Rivalry, game: Game, simulations: int) -> tuple[float, float]:
    """Simulations a second of both from the start, the better of three runs."""
    ours, theirs = [], []
    other = pyspiel.load_game(rivalry.theirs)
    for seed in range(3):
        began = thread_time()
        search(game.start(0).view(0), Random(seed), Budget(iterations=simulations))
        ours.append(simulations / (thread_time() - began))
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(other, evaluator, UCT, simulations, MEMORY, True, seed, False)
        began = thread_time()
        bot.step(other.new_initial_state())
        theirs.append(simulations / (thread_time() - began))
    return max(ours), max(theirs)


def match(rivalry: Rivalry, game: Game, games: int, seconds: float, every: int) -> None:
    """Prints the score with its 95% interval."""
    bot = Bot(pyspiel.load_game(rivalry.theirs), seconds)
    own, scores = [0.0, 0.0], []
    for k in range(games):
        scores.append(play(rivalry, game, k % 2, k // 2, bot, own))
        if (k + 1) % every and k + 1 < games:
            continue
        mean = sum(scores) / len(scores)
        spread = sqrt(sum((s - mean) ** 2 for s in scores) / len(scores) / len(scores))
        print(
            f"  {k + 1} games: {mean:.3f} (95% interval {mean - 1.96 * spread:.3f} to "
            f"{mean + 1.96 * spread:.3f}); {1000 * own[0] / own[1]:.0f} ms a move against "
            f"{1000 * bot.spent / bot.moves:.0f} ms",
            flush=True,
        )


def main() -> None:
    """Both measures for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a move")
    parser.add_argument("--every", type=int, default=50, help="games between two reports")
    parser.add_argument("names", nargs="*", default=list(RIVALRIES))
    options = parser.parse_args()
    for name in options.names:
        rivalry = RIVALRIES[name]
        game = rulegame.load(name, rivalry.settings)
        if game.companion(Machinery).wait() is None:
            print("there is no machine code here: the search runs in Python")
        ours, theirs = speeds(rivalry, game, 10_000)
        print(f"{name}: {ours:,.0f} simulations a second against {theirs:,.0f} of MCTSBot")
        match(rivalry, game, options.games, options.seconds, options.every)


if __name__ == "__main__":
    main()
