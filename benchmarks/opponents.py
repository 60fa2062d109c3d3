"""How strong the built-in players are: beside the exact solution, and against random play.

For every game that can be solved: the mean value that a player loses in a move (a win is worth 1, a
loss -1), in positions of random games; and its score over games against random play in alternating
seats, beside the best score that is possible. Reproducible: all budgets are iterations.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import rulegame
from rulegame.players import make_player

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from engine.players.rating import best_response, score_against, value_lost

GAMES = (
    "tic_tac_toe",
    "zero_sum_duel",
    "nim",
    "misere_nim",
    "double_or_nothing_10",
    "double_or_nothing_31",
    "dice_duel",
)
PLAYERS = ("random", "greedy", "search:100", "search:1000", "perfect")


def main() -> None:
    """Prints one table for each measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=150, help="moves that are compared")
    parser.add_argument("--games", type=int, default=200, help="games against random play")
    parser.add_argument("names", nargs="*", default=GAMES)
    options = parser.parse_args()
    lost, scores = [], []
    for name in options.names:
        game = rulegame.load(name)
        solution = rulegame.solve(game)
        random = make_player("random", game)
        players = [make_player(spec, game) for spec in PLAYERS]
        losses = [value_lost(player, solution, options.moves).mean for player in players]
        lost.append(f"| {name} | " + " | ".join(f"{loss:.3f}" for loss in losses) + " |")
        won = [score_against(player, random, game, options.games) for player in players]
        best = sum(best_response(solution.graph, seat) for seat in (0, 1)) / 2
        row = " | ".join(f"{100 * score:.1f}" for score in (*won, best))
        scores.append(f"| {name} | {row} |")
        print(lost[-1], scores[-1], sep="\n", flush=True)
    print("\n| value lost in a move | " + " | ".join(PLAYERS) + " |")
    print("| --- |" + " ---: |" * len(PLAYERS), *lost, sep="\n")
    print("\n| score against random play | " + " | ".join(PLAYERS) + " | the best possible |")
    print("| --- |" + " ---: |" * (len(PLAYERS) + 1), *scores, sep="\n")


if __name__ == "__main__":
    main()
