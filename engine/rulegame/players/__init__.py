"""Opponents for any game. In: a view, which shows what the seat knows and nothing more. Out: a
move, and what moves are worth.

`make_player("search:2s", game)` returns one; whatever has `choose(view, rng)` is one.
"""

from rulegame.players.interface import Player, PlayerFailed, UnknownPlayer
from rulegame.players.registry import make_player, player_names

__all__ = ["Player", "PlayerFailed", "UnknownPlayer", "make_player", "player_names"]
