"""Every bundled game against an independent hand-written implementation of its rules.

A game and its reference are walked through together: at random through whole games, and through
every reachable state of small settings. At each step they must agree about everything that the
public interface shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import rulegame
from reference import (
    dice_duel,
    double_or_nothing_10,
    double_or_nothing_31,
    nim,
    number_duel,
    pig,
    tic_tac_toe,
    zero_sum_duel,
)
from reference.interface import Position
from reference.side_by_side import Setting, agree, chances_are_fair, settings
from support.games import bundled_game

Pair = tuple[rulegame.State, Position]

DEFAULTS = [
    Setting(module)
    for module in (
        dice_duel,
        double_or_nothing_10,
        double_or_nothing_31,
        nim,
        number_duel,
        pig,
        tic_tac_toe,
        zero_sum_duel,
    )
]

VARIED = [
    *settings(
        dice_duel,
        {"target": 1},
        {"target": 7, "sides": 2},
        {"target": 10, "sides": 20},
        {"target": 100, "sides": 12, "start": 50},
        {"target": 5, "start": 9},
        {"sides": 1},
        {"disable": ["subtract"]},
        {"disable": ["add"], "start": 12},
        {"target": 99_999, "sides": 1000, "start": 99_000},
    ),
    *settings(
        double_or_nothing_10,
        {"target": 1},
        {"target": 7},
        {"target": 100, "start": 3},
        {"start": 10},
        {"start": 11},
        {"disable": ["double"]},
        {"disable": ["add_one"], "start": 1},
        {"disable": ["add_one"], "start": 1, "target": 8},
        {"disable": ["add_one"], "start": 3},
        {"disable": ["add_one"]},
        {"disable": ["add_one"], "start": 6},
    ),
    *settings(
        double_or_nothing_31,
        {"target": 1},
        {"target": 2, "start": 0},
        {"target": 100},
        {"start": 31},
        {"start": 40, "enable": ["subtract_one"]},
        {"start": 0, "enable": ["subtract_one", "triple"]},
        {"enable": ["subtract_one"]},
        {"enable": ["triple"]},
        {"enable": ["triple", "subtract_one"], "target": 50},
        {"disable": ["add_one"]},
        {"disable": ["double"], "start": 20},
        {"disable": ["double", "add_one"], "enable": ["triple"]},
        {"disable": ["double", "add_one"], "enable": ["subtract_one"], "start": 5},
        {"enable": ["subtract_one"], "target": 1},
    ),
    *settings(
        nim,
        {"heaps": [1]},
        {"heaps": [7, 7]},
        {"heaps": [0, 2, 0, 3]},
        {"heaps": [1, 1, 1, 1, 1], "misere": True},
        {"heaps": [4, 6, 8, 1], "misere": True},
        {"heaps": [2] * 20},
        {"heaps": [1000, 999]},
    ),
    *settings(
        number_duel,
        {"target": 1},
        {"target": 7, "count": 2},
        {"target": 60, "count": 4, "lowest": 2, "highest": 8},
        {"count": 1, "lowest": 5, "highest": 5},
        {"count": 9},
        {"target": 1000, "count": 2, "lowest": 50, "highest": 60},
        {"disable": ["multiply"]},
        {"disable": ["add", "subtract"], "count": 2},
        {"disable": ["add", "subtract", "multiply"], "count": 2},
    ),
    *settings(
        pig,
        {"target": 1},
        {"target": 20},
        {"target": 13, "sides": 2},
        {"target": 40, "sides": 100},
        {"target": 8, "disable": ["hold"]},
    ),
    *settings(
        tic_tac_toe,
        {"size": 1, "line": 1},
        {"size": 1},
        {"size": 2, "line": 2},
        {"size": 2},
        {"size": 3, "line": 2},
        {"size": 3, "line": 1},
        {"size": 4},
        {"size": 4, "line": 4},
        {"size": 6, "line": 4},
        {"size": 10, "line": 5},
    ),
    *settings(
        zero_sum_duel,
        {"start": 1},
        {"start": 2, "numbers": [2]},
        {"start": 3, "numbers": [2]},
        {"start": 30},
        {"start": 20, "numbers": [5, 1, 3]},
        {"start": 17, "numbers": [4, 7]},
        {"start": 9, "numbers": [10, 20]},
        {"start": 100, "numbers": list(range(1, 101))},
        {"start": 1000, "numbers": [1000, 1]},
    ),
]

SMALL = [
    *settings(
        dice_duel,
        {},
        {"target": 4, "sides": 3},
        {"target": 6, "sides": 10, "start": 2},
        {"target": 9, "disable": ["subtract"]},
    ),
    *settings(
        double_or_nothing_10,
        {},
        {"target": 6, "start": 1},
        {"target": 12, "start": 1, "disable": ["add_one"]},
        {"target": 5, "start": 7},
    ),
    *settings(
        double_or_nothing_31,
        {},
        {"enable": ["subtract_one", "triple"]},
        {"target": 20, "start": 0, "enable": ["subtract_one"], "disable": ["add_one"]},
    ),
    *settings(
        nim, {}, {"misere": True}, {"heaps": [0, 2, 3]}, {"heaps": [2, 2, 2], "misere": True}
    ),
    *settings(
        number_duel,
        {"count": 2, "highest": 4, "target": 6},
        {"count": 3, "highest": 3, "target": 9},
        {"count": 1, "highest": 3, "target": 2, "disable": ["divide"]},
    ),
    *settings(pig, {"target": 12}, {"target": 9, "sides": 3}),
    *settings(
        tic_tac_toe,
        {},
        {"size": 2},
        {"size": 2, "line": 2},
        {"size": 3, "line": 2},
    ),
    *settings(
        zero_sum_duel,
        {},
        {"start": 8, "numbers": [3, 1]},
        {"start": 12, "numbers": [2, 4, 5]},
    ),
]


# ---- one step


def moves_round_trip(state: rulegame.State) -> None:
    """A move can be had from its text, and from the names of its choices."""
    game = state.game
    for move in state.moves:
        assert game.parse_move(str(move)) == move
        assert game.move(move.operation, **named_choices(game, move)) == move
        assert state.why_not(move) is None


def named_choices(game: rulegame.Game, move: rulegame.Move) -> dict[str, Any]:
    """The choices of a move by their names; what is rolled is called as the roll is."""
    operation = game.ruleset.operation(move.operation)
    names = [c.name for c in operation.choices] if operation else [move.operation]
    return dict(zip(names, move.choices, strict=True))


def refuses(state: rulegame.State, text: str, rule: str | None) -> None:
    """A move is not valid, by this rule, whichever way one asks."""
    move = state.game.parse_move(text)
    assert move not in state.moves
    reason = state.why_not(move)
    assert reason is not None
    assert (text, reason.rule) == (text, rule)
    with pytest.raises(rulegame.IllegalMove) as refusal:
        state.play(move)
    assert refusal.value.reason == reason
    assert refusal.value.move == move
    assert reason.message


# ---- what bars a move, by the documents: (move, rule) for all that could be tried but is not valid

Barred = Iterator[tuple[str, str | None]]


def barred_in_zero_sum_duel(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    numbers = setting.set.get("numbers", [1, 2, 3, 4, 5])
    for n in numbers:
        if n == values["last"]:
            yield f"subtract {n}", "not_repeated"
        elif n > values["score"][seat]:
            yield f"subtract {n}", "not_negative"
    yield f"subtract {max(numbers) + 1}", None
    yield "subtract 0", None


def barred_in_double_or_nothing_31(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    number, target = values["number"], setting.set.get("target", 31)
    results = {
        "double": number * 2,
        "add_one": number + 1,
        "subtract_one": number - 1,
        "triple": number * 3,
    }
    on = ({"double", "add_one"} | set(setting.enable)) - set(setting.disable)
    for operation in on:
        if results[operation] > target:
            yield operation, "within_target"
        elif operation == "subtract_one" and number <= 1:
            yield operation, "at_least_one"


def barred_in_double_or_nothing_10(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    score, target = values["score"][seat], setting.set.get("target", 10)
    for operation, result in (("add_one", score + 1), ("double", score * 2)):
        if operation not in setting.disable and result > target:
            yield operation, "within_target"


def barred_in_nim(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    for heap, left in enumerate(values["heaps"], start=1):
        yield f"take {heap} {left + 1}", None
        yield f"take {heap} 0", None
    yield f"take {len(values['heaps']) + 1} 1", None


def barred_in_number_duel(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    if values["numbers"][1] or any(result is not None for result in values["result"]):
        for n in set(range(1, 10)) - values["numbers"][seat]:
            yield from ((f"{o} {n}", None) for o in ("add", "divide") if o not in setting.disable)
        yield "pick 1 2 3", None
    elif not setting.disable:
        yield "add 1", None


def barred_in_pig(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    if values["total"] == 0 and "hold" not in setting.disable:
        yield "hold", "when"
    if values["score"][seat] + values["total"] >= setting.set.get("target", 100):
        yield "roll", "when"
    yield "die 1", None


def barred_in_tic_tac_toe(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    board = values["board"]
    for row, cells in enumerate(board, start=1):
        for column, mark in enumerate(cells, start=1):
            if mark is not None:
                yield f"place {row} {column}", "empty"
    yield f"place {len(board) + 1} 1", None
    yield "place 1 0", None


def barred_in_dice_duel(values: dict[str, Any], setting: Setting, seat: int) -> Barred:
    yield "die 1", None


BARRED: dict[str, Callable[[dict[str, Any], Setting, int], Barred]] = {
    "dice_duel": barred_in_dice_duel,
    "double_or_nothing_10": barred_in_double_or_nothing_10,
    "double_or_nothing_31": barred_in_double_or_nothing_31,
    "nim": barred_in_nim,
    "number_duel": barred_in_number_duel,
    "pig": barred_in_pig,
    "tic_tac_toe": barred_in_tic_tac_toe,
    "zero_sum_duel": barred_in_zero_sum_duel,
}


def bars_what_the_rules_bar(state: rulegame.State, position: Position, setting: Setting) -> None:
    """Every invalid candidate is refused with the right rule; nothing is a move after the end."""
    if state.player is None:
        for move in state.game.start().moves[:3]:
            refuses(state, str(move), None)
    elif state.player == rulegame.CHANCE:
        decisions = [o for o in state.game.ruleset.operations if not o.choices]
        for operation in decisions:
            refuses(state, operation.name, None)
    else:
        for text, rule in BARRED[setting.name](position.values, setting, state.player):
            if "pick" not in text or setting.set.get("count", 3) == 3:
                refuses(state, text, rule)


# ---- whole games


@pytest.mark.quick(40)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("setting", [*DEFAULTS, *VARIED], ids=str)
def test_random_games(setting: Setting, first: int) -> None:
    game = setting.game()
    random = Random(f"{setting} {first}")
    for number in range(6):
        state, position = game.start(first), setting.position(first)
        for step in range(120):
            agree(state, position)
            chances_are_fair(state)
            if number == 0 and len(state.moves) <= 100 and step < 20:
                moves_round_trip(state)
            if number <= 1 and step < 20:
                bars_what_the_rules_bar(state, position, setting)
            if not state.moves:
                break
            move = random.choice(state.moves)
            state, position = state.play(move), position.play(str(move))


def reachable(setting: Setting, first: int) -> Iterator[Pair]:
    """Every reachable state once, beside the position of the reference; the nearest come first."""
    seen = {setting.game().start(first): setting.position(first)}
    layer = dict(seen)
    while layer:
        following = {}
        for state, position in layer.items():
            yield state, position
            for move in state.moves:
                after = state.play(move)
                if after not in seen:
                    seen[after] = following[after] = position.play(str(move))
        layer = following


@pytest.mark.quick(20)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("setting", SMALL, ids=str)
def test_every_reachable_state(setting: Setting, first: int) -> None:
    """Nothing is reached that the reference does not know, and equal positions are equal states."""
    states: dict[tuple[Position, int], rulegame.State] = {}
    for state, position in reachable(setting, first):
        agree(state, position)
        if state.outcome is None:
            key = position, len(state.events)  # the passes in a row are part of a state
            assert states.setdefault(key, state) == state
    assert {p for p, _ in states} == unfinished(setting.position(first))


def unfinished(start: Position) -> set[Position]:
    """Every position of the reference that is reachable, and is not an end."""
    seen = {start}
    layer = [start]
    while layer:
        following = {position.play(text) for position in layer for text in position.moves}
        layer = list(following - seen)
        seen |= following
    return {position for position in seen if position.result is None}


# ---- states are values


@pytest.mark.parametrize("setting", DEFAULTS, ids=str)
def test_states_do_not_change(setting: Setting) -> None:
    state = setting.game().start()
    before = hash(state), state.moves, repr(state)
    state.play(state.moves[0])
    for name in ("player", "moves", "outcome", "cells", "game", "anything"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
        with pytest.raises(AttributeError):
            delattr(state, name)
    for name in setting.position(0).values:
        value = state[name]
        if isinstance(value, list):
            value.clear()  # a copy
            assert state[name] != value
    assert (hash(state), state.moves, repr(state)) == before


@pytest.mark.parametrize("setting", DEFAULTS, ids=str)
def test_equal_states_are_equal_values(setting: Setting) -> None:
    game = setting.game()
    one, other = game.start(), game.start()
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != one.play(one.moves[0])
    assert one != "a state"
    assert one.play(one.moves[0]) == other.play(other.moves[0])


def test_the_way_to_a_state_does_not_count() -> None:
    game = bundled_game("tic_tac_toe")

    def after(*texts: str) -> rulegame.State:
        state = game.start()
        for text in texts:
            state = state.play(game.parse_move(text))
        return state

    assert after("place 1 1", "place 2 2", "place 3 3") == after(
        "place 3 3", "place 2 2", "place 1 1"
    )
    assert after("place 1 1", "place 2 2") != after("place 2 2", "place 1 1")


def test_who_moved_first_counts_only_where_a_rule_reads_it() -> None:
    """Number Duel gives a tie to the second player; Nim does not care."""
    duel = bundled_game("number_duel", {"count": 1, "highest": 3})
    heaps = bundled_game("nim")

    def after(game: rulegame.Game, first: int, *texts: str) -> rulegame.State:
        state = game.start(first)
        for text in texts:
            state = state.play(game.parse_move(text))
        return state

    assert after(duel, 0, "pick 1", "pick 2") != after(duel, 1, "pick 1", "pick 2")
    assert after(heaps, 0, "take 1 1", "take 1 1") != after(heaps, 1, "take 1 1", "take 1 1")
    assert after(heaps, 0, "take 1 1", "take 1 1") == after(heaps, 1, "take 1 2")


# ---- what cannot be asked for


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("double_or_nothing_31", "triple"),  # ships switched off
        ("double_or_nothing_31", "double 2"),
        ("double_or_nothing_31", ""),
        ("zero_sum_duel", "subtract"),
        ("zero_sum_duel", "subtract five"),
        ("zero_sum_duel", "subtract 1 2"),
        ("zero_sum_duel", "add 1"),
        ("nim", "take 1"),
        ("nim", "take 1 2 3"),
        ("dice_duel", "die"),
        ("dice_duel", "die six"),
        ("number_duel", "pick 2 3 five"),
    ],
)
def test_a_text_that_is_no_move(name: str, text: str) -> None:
    with pytest.raises(ValueError, match="move"):
        bundled_game(name).parse_move(text)


@pytest.mark.parametrize(
    ("name", "operation", "choices"),
    [
        ("zero_sum_duel", "subtract", {}),
        ("zero_sum_duel", "subtract", {"m": 1}),
        ("zero_sum_duel", "subtract", {"n": 1, "m": 1}),
        ("zero_sum_duel", "subtract", {"n": "1"}),
        ("zero_sum_duel", "subtract", {"n": True}),
        ("zero_sum_duel", "divide", {"n": 1}),
        ("double_or_nothing_31", "triple", {}),
        ("number_duel", "pick", {"picked": {0, 1, 2}}),
    ],
)
def test_names_that_make_no_move(name: str, operation: str, choices: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"takes|must be|no operation"):
        bundled_game(name).move(operation, **choices)


@pytest.mark.parametrize("first", [-1, 2])
def test_there_is_no_such_seat(first: int) -> None:
    game = bundled_game("nim")
    with pytest.raises(IndexError):
        game.start(first)
    with pytest.raises(IndexError):
        game.begin({}, first)
    with pytest.raises(IndexError):
        game.start().view(first)


def test_a_reason_has_the_values_that_made_the_rule_fail() -> None:
    game = bundled_game("zero_sum_duel", {"start": 7})
    state = game.start().play(game.parse_move("subtract 5"))
    repeated = state.why_not(game.parse_move("subtract 5"))
    assert repeated is not None
    assert (repeated.rule, repeated.values) == ("not_repeated", {"n": 5, "last": 5})
    assert repeated.message == "5 was just used by Player 1."
    state = state.play(game.parse_move("subtract 1"))
    below = state.why_not(game.parse_move("subtract 4"))
    assert below is not None
    assert (below.rule, below.values) == ("not_negative", {"after.my.score": -2})
    assert below.message == "Subtracting 4 would bring your score below zero."


# ---- what a player sees


def picked(first: str, second: str, *texts: str) -> rulegame.State:
    """Number Duel after the picks, and some moves."""
    state = DUEL.start()
    for text in (f"pick {first}", f"pick {second}", *texts):
        state = state.play(DUEL.parse_move(text))
    return state


DUEL = bundled_game("number_duel")


def test_a_view_hides_what_is_secret() -> None:
    state = picked("2 3 5", "1 4 6")
    assert state["numbers"] == [{2, 3, 5}, {1, 4, 6}]
    assert state.view(0)["numbers"] == [{2, 3, 5}, rulegame.HIDDEN]
    assert state.view(1)["numbers"] == [rulegame.HIDDEN, {1, 4, 6}]
    assert state.view(0)["numbers"][1] is rulegame.HIDDEN
    assert state.view(0)["number"] == 0
    assert state.view(0)["result"] == [None, None]


def test_a_view_has_the_moves_of_its_own_player_only() -> None:
    state = picked("2 3 5", "1 4 6")
    assert state.view(0).player == state.view(1).player == 0
    assert state.view(0).moves == state.moves
    assert state.view(1).moves == ()


def test_views_do_not_tell_hidden_values_apart() -> None:
    one, other = picked("2 3 5", "1 4 6"), picked("2 3 5", "7 8 9")
    assert one != other
    assert one.view(0) == other.view(0)
    assert hash(one.view(0)) == hash(other.view(0))
    assert one.view(1) != other.view(1)
    assert one.view(0) != one.view(1)
    later, other = picked("2 3 5", "1 4 6", "add 2", "add 1"), picked("2 3 5", "1 2 3", "add 2")
    assert later.view(0) != other.view(0)


def test_picks_are_hidden_from_the_second_player_at_once() -> None:
    views = {DUEL.start().play(pick).view(1) for pick in DUEL.start().moves}
    assert len(views) == 1
    (view,) = views
    assert view["numbers"] == [rulegame.HIDDEN, frozenset()]
    assert list(view) == list(DUEL.start()) and "numbers" in view and "nothing" not in view


@pytest.mark.parametrize("setting", DEFAULTS, ids=str)
def test_a_view_of_an_open_game_has_everything(setting: Setting) -> None:
    state = setting.game().start()
    hidden = {"numbers"} if setting.name == "number_duel" else set()
    for seat in (0, 1):
        view = state.view(seat)
        assert view.player == state.player
        for name in set(setting.position(0).values) - hidden:
            assert view[name] == state[name]
