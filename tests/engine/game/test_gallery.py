"""The gallery of well-known games: perft counts, and random games beside plain implementations."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import rulegame
from reference import (
    blackjack,
    breakthrough,
    connect_four,
    dots_and_boxes,
    english_draughts,
    german_whist,
    go,
    gomoku,
    goofspiel,
    kalah,
    kuhn_poker,
    leaking_boat,
    leduc_poker,
    liars_dice,
    los_alamos_chess,
    love_letter,
    mastermind,
    nine_mens_morris,
    othello,
    rock_paper_scissors,
    sealed_bids,
    shut_the_box,
)
from reference import (
    hex as hex_game,
)
from reference.interface import Position
from reference.side_by_side import Setting, agree, chances_agree, settings
from rulegame.bundled import ruleset_names, ruleset_path
from support.games import bundled_game

GALLERY = [
    *settings(blackjack, {}, {"dealer_stands": 12}, {"dealer_stands": 21}),
    *settings(breakthrough, {}, {"rows": 6, "columns": 6}, {"rows": 5, "columns": 3}),
    *settings(connect_four, {}, {"rows": 4, "columns": 5}, {"rows": 2, "columns": 3}, {"line": 3}),
    *settings(dots_and_boxes, {}, {"rows": 1, "columns": 2}, {"rows": 2, "columns": 4}),
    *settings(english_draughts, {}, {"size": 6}, {"size": 5, "quiet": 10}),
    *settings(german_whist, {}, {"ranks": 1}, {"ranks": 2}, {"ranks": 4}),
    *settings(go, {"size": 3}, {"size": 4, "komi": 0}, {"size": 2, "komi": 1}),
    *settings(gomoku, {}, {"size": 7, "line": 4}, {"size": 2}),
    *settings(goofspiel, {}, {"cards": 4}, {"cards": 5, "shuffled": False}, {"cards": 1}),
    *settings(hex_game, {}, {"size": 2}, {"size": 5}),
    *settings(kalah, {}, {"width": 3, "seeds": 7}, {"width": 1}, {"width": 8, "seeds": 2}),
    *settings(kuhn_poker, {}, {"cards": 2}, {"cards": 13, "ante": 2, "bet": 3}),
    *settings(leaking_boat, {}, {"holds": 2, "deep": 1}, {"nails": 1, "hours": 20}, {"holds": 1}),
    *settings(leduc_poker, {}, {"suits": True}, {"ranks": 5, "suits": True}, {"ranks": 2}),
    *settings(liars_dice, {}, {"sides": 2}, {"wild": False}, {"sides": 1}),
    *settings(los_alamos_chess, {}),
    *settings(love_letter, {}, {"guards": 1}),
    *settings(mastermind, {"colours": 3}, {"colours": 2, "tries": 1}),
    *settings(
        nine_mens_morris, {}, {"men": 3}, {"men": 5, "flying": False}, {"men": 11, "longest": 50}
    ),
    *settings(othello, {}, {"size": 4}, {"size": 5}),
    *settings(rock_paper_scissors, {}, {"target": 1}),
    *settings(sealed_bids, {}, {"second_price": True}, {"lots": 7, "money": 3}, {"money": 0}),
    *settings(shut_the_box, {}, {"tiles": 12}, {"tiles": 3, "sides": 2}, {"tiles": 1}),
]

# fmt: off
# A game, and how many sequences of moves of each length it has, from 1 on.
COUNTS: list[tuple[Setting, list[int]]] = [
    (Setting(blackjack), [10, 100, 1000, 2960]),
    (Setting(breakthrough), [22, 484]),
    (Setting(breakthrough, {"rows": 6, "columns": 6}), [16, 256, 4308]),
    (Setting(connect_four), [7, 49, 343, 2401, 16807]),  # as everybody counts
    (Setting(dots_and_boxes), [24, 552, 12144]),
    (Setting(dots_and_boxes, {"rows": 1, "columns": 1}), [4, 12, 24, 24, 0]),
    (Setting(english_draughts), [7, 49, 302, 1469]),  # as everybody counts
    (Setting(german_whist), [52, 2652]),
    (Setting(german_whist, {"ranks": 1}), [4, 12, 24, 24, 24, 24, 24, 24, 0]),
    (Setting(go), [82, 6643]),
    (Setting(go, {"size": 2}), [5, 21, 68, 156, 316, 604, 1088]),
    (Setting(go, {"size": 3}), [10, 91, 738]),
    (Setting(gomoku), [225]),
    (Setting(gomoku, {"size": 5, "line": 3}), [25, 600, 13800]),
    # As OpenSpiel counts the plays: 576, and 13,824 with a shuffled row.
    (Setting(goofspiel, {"cards": 4, "shuffled": False}),
     [1, 4, 16, 16, 48, 144, 144, 288, 576, 576, 576, 576, 0]),
    (Setting(goofspiel, {"cards": 4}),
     [4, 16, 64, 192, 576, 1728, 3456, 6912, 13824, 13824, 13824, 13824, 0]),
    (Setting(hex_game), [121]),
    (Setting(hex_game, {"size": 3}), [9, 72, 504, 3024, 15120]),
    (Setting(kalah), [6, 35, 185, 942, 4690]),
    (Setting(kuhn_poker), [3, 6, 12, 24, 12, 0]),
    (Setting(leaking_boat), [3, 15, 45, 189, 567]),
    (Setting(leduc_poker), [3, 9, 18, 45, 93]),
    (Setting(leduc_poker, {"suits": True}), [6, 30, 60, 150, 390]),
    (Setting(liars_dice), [6, 36, 432, 2808]),
    (Setting(los_alamos_chess), [10, 100, 1212]),
    (Setting(love_letter), [8, 61, 442, 3029, 11293]),
    (Setting(mastermind), [6, 36, 216, 1296]),
    (Setting(mastermind, {"colours": 2, "tries": 1}), [2, 4, 8, 16, 256, 0]),
    (Setting(nine_mens_morris), [24, 552, 12144]),
    (Setting(othello), [4, 12, 56, 244]),  # as everybody counts
    (Setting(othello, {"size": 4}), [4, 12, 44, 128, 436, 1296, 3784]),
    (Setting(rock_paper_scissors, {"target": 2}), [3, 9, 27, 81, 189]),
    (Setting(sealed_bids, {"lots": 2, "money": 1}), [6, 12, 24, 48, 288]),
    (Setting(shut_the_box), [6, 36, 194, 1164]),
]
# fmt: on


def test_every_game_of_the_gallery_has_its_reference_and_its_counts() -> None:
    assert {setting.name for setting in GALLERY} == set(ruleset_names("gallery"))
    assert {setting.name for setting, _ in COUNTS} == set(ruleset_names("gallery"))


@pytest.mark.quick(26)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("setting", GALLERY, ids=str)
def test_random_games(setting: Setting, first: int) -> None:
    random = Random(f"{setting} {first}")
    for _ in range(2):
        first %= len(setting.game().players)
        state, position = setting.game().start(first), setting.position(first)
        while True:
            agree(state, position)
            chances_agree(state, position)
            if state.outcome is not None:
                break
            move = random.choice(state.moves)
            state, position = state.play(move), position.play(str(move))


@pytest.mark.quick(12)
@pytest.mark.parametrize(("setting", "counts"), COUNTS, ids=lambda value: str(value)[:30])
def test_counts(setting: Setting, counts: list[int]) -> None:
    game = setting.game()
    found = [rulegame.perft(game, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


@pytest.mark.parametrize(("setting", "counts"), COUNTS, ids=lambda value: str(value)[:30])
def test_the_reference_counts_the_same(setting: Setting, counts: list[int]) -> None:
    layer: Counter[Position] = Counter({setting.position(0): 1})
    for depth, count in enumerate(counts, start=1):
        if count > 10_000:
            break
        following: Counter[Position] = Counter()
        for position, ways in layer.items():
            for text in position.moves:
                following[position.play(text)] += ways
        layer = following
        assert (depth, layer.total()) == (depth, count)


LARGEST: list[Setting] = [
    Setting(breakthrough, {"rows": 20, "columns": 20}),
    Setting(connect_four, {"rows": 20, "columns": 20}),
    Setting(english_draughts, {"size": 10}),
    Setting(hex_game, {"size": 15}),
    Setting(kalah, {"width": 12, "seeds": 12}),
    Setting(othello, {"size": 16}),
]


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_the_largest_boards_are_within_the_limits(setting: Setting) -> None:
    """What finding the moves of a state may cost is limited, and so must be the parameters."""
    parameters = setting.game().ruleset.parameters
    assert {name: parameters[name].high for name in setting.set} == setting.set
    state, position = setting.game().start(), setting.position(0)
    for _ in range(3):
        agree(state, position)
        move = state.moves[-1]
        state, position = state.play(move), position.play(str(move))


# ---- what is dealt and thrown in secret


@pytest.mark.parametrize(
    ("setting", "plays"),
    [  # as OpenSpiel counts them
        (Setting(kuhn_poker), 30),
        (Setting(leduc_poker), 1_116),
        (Setting(leduc_poker, {"suits": True}), 5_520),
        (Setting(liars_dice), 147_420),
    ],
    ids=str,
)
def test_plays_from_the_deal_to_the_end(setting: Setting, plays: int) -> None:
    ways: dict[rulegame.State, int] = {}

    def count(state: rulegame.State) -> int:
        if state not in ways:
            following = sum(count(state.play(move)) for move in state.moves)
            ways[state] = 1 if state.outcome is not None else following
        return ways[state]

    assert count(setting.game().start()) == plays


@pytest.mark.parametrize(
    ("name", "hidden", "deal", "play"),
    [
        ("kuhn_poker", "hand", "card", ["pass", "bet"]),
        ("leduc_poker", "hand", "card", ["raise", "call"]),
        ("liars_dice", "cup", "die", ["bid 1 3", "bid 2 1"]),
    ],
)
def test_nobody_sees_what_the_other_one_was_dealt(
    name: str, hidden: str, deal: str, play: list[str]
) -> None:
    """Whatever the other one has, a player's view is the same at every step."""
    game = bundled_game(name)
    for seat in (0, 1):
        views = []
        for other in (2, 3):
            state = game.start()
            for number in (1, other) if seat == 0 else (other, 1):
                state = state.play(f"{deal} {number}")
            steps = [state.view(seat)]
            for text in play:
                state = state.play(text)
                steps.append(state.view(seat))
            assert state[hidden][seat] == 1 and state[hidden][1 - seat] != 1
            assert steps[-1][hidden][1 - seat] is rulegame.HIDDEN
            views.append(steps)
        assert views[0] == views[1]


def test_the_code_of_mastermind_is_seen_by_nobody() -> None:
    state = Setting(mastermind, {"tries": 2}).game().start()
    for peg in ("first_peg 5", "second_peg 6", "third_peg 6", "fourth_peg 5"):
        state = state.play(peg)
    assert state.view(0)["code"] is rulegame.HIDDEN
    state = state.play("guess 5 5 6 1")
    view = state.view(0)
    assert (view["black"], view["white"], view["code"]) == (2, 1, rulegame.HIDDEN)
    assert not any("5" in str(seen.move) for seen in view.past[:4])


@pytest.mark.parametrize(("name", "most"), [("kuhn_poker", 35)])
def test_a_game_is_as_short_as_its_rules(name: str, most: int) -> None:
    """Lines of the rules, in the style of `rulegame fmt`: without tests, texts and claims."""
    path = ruleset_path(name)
    assert path is not None
    section, count = "", 0
    for line in path.read_text("utf-8").splitlines():
        if line[:1].isalpha():
            section = line.partition(":")[0]
        rules = section not in ("tests", "texts", "claims", "rulebook")
        count += rules and bool(line.strip()) and not line.lstrip().startswith("#")
    assert count <= most
