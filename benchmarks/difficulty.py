"""How the opponents that are named by their difficulty fare against each other.

    python benchmarks/difficulty.py [--games 60] [GAME ...]

Each pair plays so many games, in alternating seats; a score of 100 is a win in each, a draw counts
as half of one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random

import rulegame
from rulegame.game import CHANCE, Game
from rulegame.players import Player, make_player

GAMES = ("tic_tac_toe", "zero_sum_duel", "nim", "double_or_nothing_31", "dice_duel", "pig")
PAIRS = (("easy", "random"), ("medium", "easy"), ("hard", "medium"))
MOST_MOVES = 2000


def play(game: Game, players: Sequence[Player], first: int, rng: Random) -> float:
    """What the first of the players scores."""
    state, past = game.start(first), []
    while state.outcome is None and len(past) < MOST_MOVES:
        seat = state.player
        assert seat is not None
        if seat == CHANCE:
            move = state.roll(rng.randrange)
        else:
            move = players[seat].choose(state.view(seat, past), rng)
        past.append((state, move))
        state = state.play(move)
    if state.outcome is None or not state.outcome.winners:
        return 0.5
    return float(0 in state.outcome.winners)


def score(game: Game, pair: tuple[str, str], games: int) -> float:
    """In percent, for the first of the pair."""
    total = 0.0
    made = {
        (name, first): make_player(name, game, first=first) for name in pair for first in (0, 1)
    }
    for number in range(games):
        first, rng = number % 2, Random(number)
        players = [made[pair[0], first], made[pair[1], first]]
        total += play(game, players, first, rng)
    return 100 * total / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=GAMES)
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    print("| game |", " | ".join(f"{a} against {b}" for a, b in PAIRS), "|")
    for name in options.names:
        game = rulegame.load(name)
        scores = (score(game, pair, options.games) for pair in PAIRS)
        print(f"| {name} |", " | ".join(f"{value:.0f}" for value in scores), "|", flush=True)


if __name__ == "__main__":
    main()
