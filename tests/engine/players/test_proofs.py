"""What a search calls certain, beside every play of the others; and how it plays a lost game."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random
from unittest.mock import Mock

import pytest

import rulegame
from rulegame import CHANCE, Game, Player, State, make_player
from rulegame.evaluation.runtime import Cells
from rulegame.exploring.explorer import Explorer
from rulegame.players import distance
from rulegame.players.advice import advise
from rulegame.players.budget import Budget
from rulegame.players.perfect import PerfectPlayer
from rulegame.players.search import search
from rulegame.players.table import FastTable
from rulegame.progress import silent
from rulegame.solving import solve_graph
from support.games import bundled_game, load, play_at_random

# Three race for a number; whoever cannot win any more still decides who does.
THREE = """
rulegame: 1
title: Race of Three
players: [Ann, Bob, Cid]
parameters: {{goal: 7, most: 3}}
state: {{n: 0}}
operations:
  add: {{choose: {{k: 1..most}}, effects: {{n: n + k}}}}
validity: {{within: after.n <= goal}}
stuck: draw
end: {{reached: {{when: {when}, {verdict}}}}}
"""

# With a die: it may decide at once, or bring a draw on average that is none.
DICE = """
rulegame: 1
title: Dice
state: {n: 0, drawn: false}
operations:
  add: {choose: {k: 1..2}, effects: {n: n + k}}
  toss:
    when: n > 1
    roll: {coin: 0..1}
    effects: {n: 9 if coin == 1 else -9}
  halve: {when: n > 2, effects: {drawn: true}}
end:
  lucky: {when: n == 9, result: win}
  unlucky: {when: n < 0, result: lose}
  drawn: {when: drawn, result: draw}
  five: {when: n >= 5, result: lose}
"""

# Payoffs for two, not opposed: what helps the one may help the other.
SHARES = """
rulegame: 1
title: Shares
state:
  turns: 0
  each player: {got: 0}
operations:
  split: {effects: {my.got: my.got + 2, their.got: their.got + 2, turns: turns + 1}}
  grab: {effects: {my.got: my.got + 3, turns: turns + 1}}
  leave: {effects: {their.got: their.got + OTHER, turns: turns + 1}}
end: {over: {when: turns == 4, payoff: got}}
"""

TEXTS = {
    "one winner": THREE.format(when="n == goal", verdict="result: win"),
    "two winners": THREE.format(
        when="n == goal", verdict="winners: 'list(p for p in players if p != next(me))'"
    ),
    "whose turn it was": THREE.format(when="n == goal", verdict="winners: previous(me)"),
    "a draw on the way": THREE.format(
        when="n >= goal - 1", verdict="result: win if n == goal else draw"
    ),
    "dice": DICE,
}


# ---- an independent judge: every play of the others


def _judge(two: bool) -> Callable[[State, int, int, int], bool]:
    @cache
    def forced(state: State, seat: int, aim: int, within: int) -> bool:
        """Whether `seat` gets `aim` within some moves whatever all others do. With two who both
        see everything, a loss is forced by the other one."""
        if state.outcome is not None:
            return state.outcome.payoffs[seat] == aim
        if within == 0:
            return False
        helped = state.player == seat if aim > 0 else two and state.player == 1 - seat
        if state.player == CHANCE:
            following = [move for move, _ in state.chances]
        else:
            following = list(state.moves)
        results = (forced(state.play(move), seat, aim, within - 1) for move in following)
        return any(results) if helped and state.player != CHANCE else all(results)

    return forced


@cache
def _ends(state: State, seat: int) -> frozenset[int]:
    """Every result that a seat can still meet with."""
    if state.outcome is not None:
        return frozenset([int(state.outcome.payoffs[seat])])
    moves = [m for m, _ in state.chances] if state.player == CHANCE else state.moves
    return frozenset().union(*(_ends(state.play(move), seat) for move in moves))


@cache
def _value(state: State) -> float:
    """The value for seat 0 of a game of two who are opposed."""
    if state.outcome is not None:
        return float(state.outcome.payoffs[0])
    if state.player == CHANCE:
        return sum(float(p) * _value(state.play(move)) for move, p in state.chances)
    values = [_value(state.play(move)) for move in state.moves]
    return max(values) if state.player == 0 else min(values)


def _states(game: Game, count: int) -> list[State]:
    found: dict[State, None] = {}
    for seed in range(count):
        _, past = play_at_random(game, Random(seed))
        found.update((state, None) for state, _ in past if state.player != CHANCE)
    return list(found)


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_called_certain_holds_whatever_the_others_do(name: str) -> None:
    game = load(TEXTS[name])
    two = name == "dice"
    forced, certain = _judge(two), 0
    for state in _states(game, 15):
        seat = state.player
        assert seat is not None
        view = state.view(seat, [])
        if view.state is None:
            continue
        advice = advise(view, Random(1), budget=Budget(iterations=300), max_states=0)
        assert advice.source == "search"
        for worth in advice.worths:
            after = state.play(worth.move)
            told = re.fullmatch(r"(wins|loses) (at once|within (\d+) moves)", worth.text)
            if told:
                left = int(told.group(3) or 1) - 1
                aim = 1 if told.group(1) == "wins" else -1
                assert forced(after, seat, aim, left), (state.cells, worth)
                certain += 1
            elif worth.text == "draws" and two:
                assert _value(after) == 0 and forced(after, 0, 1, 9) == forced(after, 1, 1, 9)
                assert _ends(after, seat) != frozenset([-1, 1]), (state.cells, worth)
            elif worth.text == "draws":
                assert _ends(after, seat) == frozenset([0]), (state.cells, worth)
            else:
                assert "about" in worth.text or worth.text == "not searched" or two
    assert certain


def test_an_average_of_nothing_is_no_draw() -> None:
    game = load(DICE)
    state = game.begin({"n": 3})
    advice = advise(state.view(0), Random(0), budget=Budget(iterations=400), max_states=0)
    told = {worth.move.text: worth.text for worth in advice.worths}
    assert told["toss"] == "is worth +0.000" and told["halve"] == "draws"
    assert told["add 2"] == "loses at once"


def test_who_cannot_win_proves_nothing() -> None:
    game = load(TEXTS["one winner"], goal=6)
    advice = advise(game.start().view(0), Random(0), budget=Budget(iterations=3000), max_states=0)
    assert not [w.text for w in advice.worths if "about" not in w.text]


def test_a_win_against_all_others_together_is_found() -> None:
    game = load(TEXTS["one winner"], goal=4, most=1)
    state = game.begin({"n": 0})
    advice = advise(state.view(0), Random(0), budget=Budget(iterations=100), max_states=0)
    assert [w.text for w in advice.worths] == ["wins within 4 moves"]


@pytest.mark.parametrize(("other", "certain"), [(-2, True), (1, False)])
def test_payoffs_are_certain_only_where_they_are_opposed(other: int, certain: bool) -> None:
    """`leave` and the others together give as much in every end, or not."""
    text = SHARES.replace("OTHER", str(other))
    if certain:
        text = text.replace("their.got: their.got + 2", "their.got: their.got - 2")
        text = text.replace("{my.got: my.got + 3", "{my.got: my.got + 3, their.got: their.got - 3")
        text = text.replace("{their.got: their.got", "{my.got: my.got + 2, their.got: their.got")
    game = load(text)
    found = search(game.start().view(0), Random(0), Budget(iterations=6000))
    assert found is not None
    known = {one.move: one.proof.value for one in found.moves if one.proof is not None}
    assert bool(known) == certain
    assert all(value == _value(game.start().play(move)) for move, value in known.items())


# ---- a game that is lost, and one that is won

FOUR = """
rulegame: 1
title: Four in a Row
players: [Ann, Bob]
parameters: {rows: 4, columns: 5, length: 4}
state:
  board: {type: grid of optional player, rows: rows, columns: columns}
define:
  free(c): count(board[r, c] == none for r in 1..rows)
operations:
  drop:
    choose: {c: 1..columns}
    effects: {'board[free(c), c]': me}
validity: {room: free(c) > 0}
stuck: draw
end:
  row:
    when: any(all(x == me for x in line) for line in lines(board, length))
    result: win
  full:
    when: all(x != none for x in board)
    result: draw
"""


# Bob is lost: he can stop the three in a column, and loses later than by anything else.
LOST = {
    "drop 5": [".....", "....x", "o.x.x", "oooxx"],
    "drop 4": [".....", "...x.", ".xoxo", ".xoxo"],
    "drop 3": [".....", "x.x..", "o.xx.", "ooxo."],
}


@pytest.mark.parametrize("best", LOST)
@pytest.mark.parametrize("spec", ["search:3000", "perfect"])
def test_a_lost_game_is_not_given_up(best: str, spec: str) -> None:
    state = _four(LOST[best])
    player = make_player(spec, state.game) if spec != "perfect" else _perfect(state)
    for seed in range(2):
        assert player.choose(state.view(1), Random(seed)).text == best


def _four(rows: list[str], **parameters: int) -> State:
    """A position, Ann's stones `x` and Bob's `o`, with Bob to move."""
    game = load(FOUR, **parameters)
    seats = {"x": 0, "o": 1, ".": None}
    board = [[seats[stone] for stone in row] for row in rows]
    return game.begin({"board": board}, first=1)


def _perfect(state: State) -> Player:
    graph = Explorer(state.game, 100_000, 1 << 30, silent).explore(state.cells)
    return PerfectPlayer(solve_graph(graph, 1), make_player("random", state.game))


def test_the_longest_resistance_and_among_equals_the_hardest_answer() -> None:
    """Three in a row on a board of 3 by 4: in every lost position the choice of `search` loses as
    late as can be, and of such moves it does best against an opponent who chooses at random.
    """
    game = load(FOUR, rows=3, columns=4, length=3)
    player, looked_at = make_player("search:1000", game), 0
    for state in _states(game, 20):
        seat = state.player
        assert seat is not None
        if len(state.moves) < 2 or _distance(state)[0] != -1:
            continue
        after = {move: state.play(move) for move in state.moves}
        longest = max(_distance(one)[1] for one in after.values())
        latest = {m: one for m, one in after.items() if _distance(one)[1] == longest}
        chosen = player.choose(state.view(seat), Random(2))
        assert chosen in latest
        best = max(_against_random(one, seat) for one in latest.values())
        assert _against_random(latest[chosen], seat) == pytest.approx(best)
        looked_at += 1
    assert looked_at > 5


@cache
def _distance(state: State) -> tuple[int, int]:
    """What a state is worth to the player to move, and how many moves away the end is."""
    if state.outcome is not None:
        return (0, 0) if state.outcome.draw else (-1, 0)
    ways = [_distance(state.play(move)) for move in state.moves]
    best = max((-value, away if value > 0 else -away) for value, away in ways)
    return best[0], abs(best[1]) + 1


@cache
def _against_random(state: State, seat: int) -> float:
    """What the best player in a seat gets on average, if the other chooses at random."""
    if state.outcome is not None:
        return float(state.outcome.payoffs[seat])
    values = [_against_random(state.play(move), seat) for move in state.moves]
    return max(values) if state.player == seat else sum(values) / len(values)


# With a die that changes nothing: no distances are known to the solution.
WITH_A_DIE = """
rulegame: 1
title: With a Die
state: {n: 0, eyes: 0}
operations:
  add: {choose: {k: 1..3}, roll: {die: 1..2}, effects: {n: n + k, eyes: die}}
  give_up: {effects: {n: -1}}
end:
  goal: {when: n >= 12, result: win}
  given_up: {when: n < 0, result: lose}
"""


def test_a_perfect_player_with_dice_resists_and_wins_soon() -> None:
    game = load(WITH_A_DIE)
    player = make_player("perfect", game)
    for seed in range(5):
        for n in (4, 8):  # lost, and only giving up loses sooner
            assert player.choose(game.begin({"n": n}).view(0), Random(seed)).text != "give_up"
        assert player.choose(game.begin({"n": 9}).view(0), Random(seed)).text == "add 3"


def test_a_draw_that_is_certain_is_better_than_a_likely_loss() -> None:
    game = load(DICE)
    for seed in range(5):
        chosen = make_player("search:60", game).choose(game.begin({"n": 4}).view(0), Random(seed))
        assert chosen.text in ("halve", "toss")


def test_looking_ahead_stops_when_its_plays_are_spent() -> None:
    """What has not been told apart until then stays equal."""
    state = bundled_game("tic_tac_toe").start()
    table = state.game.companion(FastTable)
    played = 0

    def after(cells: Cells, code: int) -> Cells:
        nonlocal played
        played += 1
        return table.after(cells, code)

    known = {"opposed": table.opposed, "common": table.common, "kernel": table.kernel}
    counted = Mock(wraps=table, after=after, **known)
    moves = list(state.options)
    assert distance.longest_resistance(counted, state.cells, moves, most_plays=30) == moves
    assert played == 30
    assert distance.quickest_wins(counted, state.cells, moves, most_plays=30) == moves
    assert played == 60


# From 0 two ways win, one a move sooner; from 10 two ways lose, one a move later. Who comes to 90
# wins, who must go to 91 loses.
LANES = """
rulegame: 1
title: Lanes
state: {at: 0}
operations:
  go: {choose: {to: 1..91}, effects: {at: to}}
validity:
  lane: {require: "(at == 0 and to in [1, 2]) or (at == 10 and to in [11, 12])
    or (at in [1, 13] and to == 91) or (at == 2 and to == 3) or (at == 12 and to == 13)
    or (at in [3, 11] and to == 90)"}
end:
  won: {when: at == 90, result: win}
  lost: {when: at == 91, result: lose}
"""


def test_a_move_sooner_or_later_counts() -> None:
    game = load(LANES)
    table = game.companion(FastTable)
    for at, look, best in (
        (0, distance.quickest_wins, "go 1"),
        (10, distance.longest_resistance, "go 12"),
    ):
        state = game.begin({"at": at})
        found = look(table, state.cells, list(state.options))
        assert [game.move_of(code).text for code in found] == [best]


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("nim", {"heaps": [1, 2, 3]}),
        ("misere_nim", {"heaps": [1, 2, 3]}),
        ("zero_sum_duel", {"start": 5}),
        ("tic_tac_toe", {}),
    ],
)
def test_looking_ahead_finds_the_distances_of_the_solution(
    name: str, setting: dict[str, object]
) -> None:
    solution = rulegame.solve(bundled_game(name, setting), "perfect_information")
    graph, told = solution.graph, 0
    table = graph.game.companion(FastTable)
    states = [k for k in range(len(graph)) if graph.owner[k] >= 0]
    for number in states if len(states) < 500 else states[::25]:
        wanted = "first" if graph.owner[number] == 0 else "second"
        options = {option.move: option for option in solution.options(number)}
        for look, result, best in (
            (distance.quickest_wins, wanted, min),
            (distance.longest_resistance, {"first": "second"}.get(wanted, "first"), max),
        ):
            away = {m: o.distance for m, o in options.items() if o.result == result}
            if away:
                moves = [m for m in away if away[m] == best(filter(None, away.values()))]
                codes = [graph.game.code_of(move) for move in away]
                found = look(table, graph.cells[number], codes)
                assert list(map(graph.game.move_of, found)) == moves
                told += len(moves) < len(away)
    assert told  # that some were told apart
