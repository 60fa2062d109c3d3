"""Opponents for any ruleset. `make_player("search:2s", game)` returns one; whatever has
`choose(view, rng)` is one.

A player gets a `View`: it knows what its seat knows, and neither hidden choices nor dice to come.
"""

from rulegame.players.interface import Player, PlayerFailed, UnknownPlayer
from rulegame.players.registry import make_player, player_names

__all__ = ["Player", "PlayerFailed", "UnknownPlayer", "make_player", "player_names"]
