"""A perfect player never gives away what the solution says it has."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import rulegame
from rulegame import CHANCE, Move, State
from rulegame.players import make_player
from rulegame.players.mixed import MixedPlayer
from rulegame.players.solutions import Solutions
from rulegame.solving import PerfectInformationSolution
from rulegame.solving.arena import HIGH, LOW
from support.games import bundled_game, load
from support.rulesets import THROWS

SOLVED = [
    "tic_tac_toe",
    "zero_sum_duel",
    "nim",
    "misere_nim",
    "double_or_nothing_10",
    "double_or_nothing_31",
    "triple_or_nothing",
    "zero_sum_sprint",
]


def worth(solution: PerfectInformationSolution, state: State, seat: int) -> float:
    """What a state is worth to a seat."""
    low, high = solution.bounds_of(solution.number(state))
    assert high - low < 1e-6
    return float(low + high) / 2 * (1 if seat == 0 else -1)


def winning_starts(solution: PerfectInformationSolution, count: int, rng: Random) -> list[int]:
    """Random states that the player to move has won."""
    values = solution.lowers
    role = solution.arena.role
    won = [k for k in range(len(role)) if role[k] == HIGH and values[k] == 1]
    won += [k for k in range(len(role)) if role[k] == LOW and values[k] == -1]
    return rng.choices(won, k=count)


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("opponent", ["random", "greedy", "perfect"])
def test_a_won_position_is_won_within_its_distance(name: str, opponent: str) -> None:
    game = bundled_game(name)
    player, other = make_player("perfect", game), make_player(opponent, game)
    solution = game.companion(Solutions).find(0, 100_000)
    assert isinstance(solution, PerfectInformationSolution)
    rng = Random(7)
    for number in winning_starts(solution, 60, rng):
        state = solution.graph.state(number)
        seat, left = state.player, solution.distance_of(number)
        assert seat is not None and left is not None
        while state.outcome is None:
            assert state.player is not None
            mover = player if state.player == seat else other
            state = state.play(mover.choose(state.view(state.player), rng))
            left -= 1
            assert left >= 0
        assert state.outcome.winners == (seat,)


@pytest.mark.parametrize("name", [*SOLVED, "dice_duel", "dice_duel_multiply"])
def test_no_move_gives_value_away(name: str) -> None:
    game = bundled_game(name)
    player = make_player("perfect", game)
    solution = game.companion(Solutions).find(0, 100_000)
    assert isinstance(solution, PerfectInformationSolution)
    rng = Random(3)
    for _ in range(40):
        state = game.start()
        for _ in range(60):
            if state.outcome is not None:
                break
            move: Move
            if state.player == CHANCE:
                move = state.roll(rng.randrange)
            else:
                assert state.player is not None
                chosen = player.choose(state.view(state.player), rng)
                after = worth(solution, state.play(chosen), state.player)
                assert after == pytest.approx(worth(solution, state, state.player), abs=1e-6)
                move = rng.choice([chosen, rng.choice(state.moves)])
            state = state.play(move)


def test_two_perfect_players_end_a_dice_game_that_could_go_on_for_ever() -> None:
    game = bundled_game("dice_duel")
    player = make_player("perfect", game)
    for seed in range(30):
        state, rng = game.start(), Random(seed)
        for _ in range(2000):
            if state.outcome is not None:
                break
            if state.player == CHANCE:
                state = state.play(state.roll(rng.randrange))
            else:
                assert state.player is not None
                state = state.play(player.choose(state.view(state.player), rng))
        assert state.outcome is not None


def test_a_drawn_move_is_the_one_that_is_hardest_to_answer() -> None:
    """In tic-tac-toe a corner leaves only one answer that does not lose."""
    game = bundled_game("tic_tac_toe")
    player = make_player("perfect", game)
    chosen = {player.choose(game.start().view(0), Random(seed)).text for seed in range(30)}
    assert chosen == {"place 1 1", "place 1 3", "place 3 1", "place 3 3"}


ROUND = """
rulegame: 1
title: Round
state: {at: 0}
operations:
  go: {choose: {to: 0..9}, effects: {at: to}}
validity:
  lane: {require: "(at == 0 and to in [1, 2]) or (at in [2, 3] and to == at + 1)
    or (at == 2 and to == 0) or (at in [1, 4] and to == 9)"}
end:
  drawn: {when: at == 9, result: draw}
"""


def test_a_draw_that_can_be_forced_is_taken_rather_than_a_walk() -> None:
    """One way draws at once, the other may lead round."""
    game = load(ROUND)
    player = make_player("perfect", game)
    assert {player.choose(game.start().view(0), Random(k)).text for k in range(9)} == {"go 1"}


DAWDLING = """
rulegame: 1
title: Dawdling
state: {n: 0}
operations:
  finish: {effects: {n: 10}}
  dawdle: {when: n < 3, roll: {die: 1..2}, effects: {n: n + die}, next: me}
end:
  over: {when: n == 10, result: win}
"""


@pytest.mark.parametrize("first", [0, 1])
def test_a_win_is_taken_at_once_where_dice_could_put_it_off(first: int) -> None:
    game = load(DAWDLING)
    player = make_player("perfect", game, first=first)
    view = game.start(first).view(first)
    assert {player.choose(view, Random(seed)).text for seed in range(12)} == {"finish"}


def test_who_moves_first_is_taken_into_account() -> None:
    game = bundled_game("zero_sum_duel", {"start": 10})
    player = make_player("perfect", game, first=1)
    state = game.start(1)
    solution = game.companion(Solutions).find(1, 100_000)
    assert isinstance(solution, PerfectInformationSolution)
    assert player.choose(state.view(1), Random(0)) in solution.best_moves(solution.number(state))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pig", "this game is too big to solve exactly (over 3,000 positions). search:60"),
        ("number_duel", "'numbers' is hidden information"),
        ("three_player_pig", "this game has 3 players"),
    ],
)
def test_what_cannot_be_solved_is_told_with_who_plays_instead(name: str, told: str) -> None:
    game = bundled_game(name)
    player = make_player("perfect:3000", game, fallback="search:60")
    note = getattr(player, "note", None)
    assert note is not None and told in note and note.endswith("search:60 plays instead.")
    state = game.start()
    assert state.player is not None
    assert player.choose(state.view(state.player), Random(0)) in state.moves


def test_a_state_that_the_game_never_comes_to_is_searched() -> None:
    game = bundled_game("zero_sum_duel", {"start": 6})
    player = make_player("perfect", game, fallback="search:50")
    state = game.begin({"score": [9, 9]})
    assert player.choose(state.view(0), Random(0)) in state.moves


def test_a_game_is_solved_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(game: rulegame.Game, method: str, **options: Any) -> rulegame.Solution:
        calls.append(options)
        return rulegame.solve(game, method, **options)

    monkeypatch.setattr("rulegame.players.solutions.solve", counted)
    game = rulegame.load("nim")
    for _ in range(3):
        make_player("perfect", game)
    assert len(calls) == 1


def test_rules_that_fail_somewhere_are_no_reason_to_crash() -> None:
    game = load(
        """
        rulegame: 1
        title: Growth
        state: {n: 3, turns: 0}
        operations:
          square: {effects: {n: n * n, turns: turns + 1}}
          stay: {effects: {turns: turns + 1}}
        end:
          long: {when: turns == 9, result: win}
        """,
    )
    player = make_player("perfect", game, fallback="search:80")
    assert "plays instead" in str(getattr(player, "note", ""))
    for spec in ("greedy", "search:200"):
        assert make_player(spec, game).choose(game.start().view(0), Random(0))


def test_hidden_choices_are_never_solved_as_if_they_were_open() -> None:
    game = load(THROWS)
    player = make_player("perfect", game, fallback="random")
    assert isinstance(player, MixedPlayer)
    drawn = {player.choose(game.start().view(0), Random(seed)).text for seed in range(40)}
    assert drawn == {"rock", "paper", "scissors"}
