"""Perfect players where something is hidden: they mix as the solution does, by what they see."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import rulegame
from rulegame.players.mixed import MixedPlayer
from support.games import bundled_game


def reached(
    game: rulegame.Game, *texts: str
) -> tuple[rulegame.State, list[tuple[rulegame.State, rulegame.Move]]]:
    state, past = game.start(), []
    for text in texts:
        move = state.meant(text)
        past.append((state, move))
        state = state.play(move)
    return state, past


def test_a_perfect_player_mixes_its_moves() -> None:
    """In Kuhn poker the lowest card bluffs one time in three after a pass."""
    game = bundled_game("kuhn_poker")
    player = rulegame.make_player("perfect", game)
    assert isinstance(player, MixedPlayer) and player.note is None
    state, past = reached(game, "card 3", "card 1", "pass")
    rng = Random(1)
    drawn = Counter(player.choose(state.view(1, past), rng).text for _ in range(3000))
    assert set(drawn) == {"pass", "bet"} and 900 < drawn["bet"] < 1100
    state, past = reached(game, "card 1", "card 3", "bet")
    assert {player.choose(state.view(1, past), rng).text for _ in range(50)} == {"bet"}


def test_what_it_plays_does_not_depend_on_what_it_does_not_see() -> None:
    game = bundled_game("kuhn_poker")
    player = rulegame.make_player("perfect", game)
    chosen = []
    for other in ("card 2", "card 3"):
        state, past = reached(game, other, "card 1", "bet")
        chosen.append([player.choose(state.view(1, past), Random(k)).text for k in range(40)])
    assert chosen[0] == chosen[1]


def test_it_gets_its_value_against_itself_and_no_less_against_others() -> None:
    game = bundled_game("liars_dice", {"sides": 2})
    player = rulegame.make_player("perfect", game)
    other = rulegame.make_player("random", game)
    rng, total = Random(3), Fraction(0)
    for _ in range(400):
        state = game.start()
        past: list[tuple[rulegame.State, rulegame.Move]] = []
        while state.outcome is None:
            if state.player == rulegame.CHANCE:
                move = state.roll(rng.randrange)
            else:
                seat = state.player
                assert seat is not None
                move = (player if seat == 0 else other).choose(state.view(seat, past), rng)
            past.append((state, move))
            state = state.play(move)
        total += state.outcome.payoffs[0]
    assert total > 400 * 0.4  # the value is 1/2


def test_a_game_that_is_too_large_is_searched() -> None:
    player = rulegame.make_player("perfect", bundled_game("number_duel"))
    assert "'numbers' is hidden information" in str(getattr(player, "note", ""))
