"""Perft: how many sequences of moves of each length every bundled ruleset has.

A count that changes means that the rules of a game have changed. The games that have a reference
implementation are counted a second time with that.
"""

from __future__ import annotations

from collections import Counter

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
from rulegame.bundled import ruleset_names
from support.games import bundled_game

COUNTS = {
    "dice_duel": [6, 12, 36, 72, 216, 432, 2052, 4104, 19494, 38988, 189126, 378252],
    "double_or_nothing_10": [2, 4, 8, 16, 32, 64, 128, 256, 448, 728, 1040, 1360],
    "double_or_nothing_31": [2, 4, 8, 16, 30, 50, 74, 98, 116, 126, 130, 128],
    "nim": [12, 113, 810, 4338, 17496, 53442, 123228, 211470, 262248, 222390, 115500, 27720, 0],
    "number_duel": [84, 7056, 84672],
    "pig": [1, 6, 11, 41, 96, 301, 781, 2286, 6191, 17621, 48576, 136681],
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
    "zero_sum_duel": [5, 20, 80, 320, 1280, 5120, 20480, 81664, 310557, 1128241],
    "dice_duel_multiply": [6, 18, 72, 216, 864, 2592, 11880, 35640, 163350],
    "misere_nim": [16, 206, 2116, 17338, 113912, 602492, 2568392],
    "three_player_pig": [1, 6, 11, 41, 96, 301, 781, 2286, 6191, 17621],
    "triple_or_nothing": [3, 12, 46, 183, 704, 2618, 9231, 30973, 99411, 306634],
    "zero_sum_sprint": [4, 12, 24, 48, 96, 192, 358, 569, 528, 229, 30, 0],
}

STARTS: dict[str, Position] = {
    "dice_duel": dice_duel.start(),
    "double_or_nothing_10": double_or_nothing_10.start(),
    "double_or_nothing_31": double_or_nothing_31.start(),
    "nim": nim.start(),
    "number_duel": number_duel.start(),
    "pig": pig.start(),
    "tic_tac_toe": tic_tac_toe.start(),
    "zero_sum_duel": zero_sum_duel.start(),
    "misere_nim": nim.start(heaps=(1, 3, 5, 7), misere=True),
    "triple_or_nothing": double_or_nothing_31.start(target=100, enable=("subtract_one", "triple")),
}

KNOWN = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720],  # by every book
    "dice_duel": [6, 12, 36],  # a roll, a choice, a roll
    "nim": [3 + 4 + 5],
    "number_duel": [84, 84 * 84, 84 * 84 * 4 * 3],  # 9 over 3 picks each; 4 operations, 3 numbers
}


def test_every_bundled_ruleset_has_its_counts() -> None:
    assert set(COUNTS) == set(ruleset_names("games", "variants"))


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    game = bundled_game(name)
    for depth, count in enumerate(COUNTS[name], start=1):
        assert (depth, rulegame.perft(game, depth)) == (depth, count)


def test_the_empty_sequence() -> None:
    assert rulegame.perft(bundled_game("nim"), 0) == 1


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", STARTS)
def test_the_reference_counts_the_same(name: str) -> None:
    layer: Counter[Position] = Counter({STARTS[name]: 1})
    for depth, count in enumerate(COUNTS[name], start=1):
        following: Counter[Position] = Counter()
        for position, ways in layer.items():
            for text in position.moves:
                following[position.play(text)] += ways
        layer = following
        assert (depth, layer.total()) == (depth, count)


@pytest.mark.parametrize("name", KNOWN)
def test_the_counts_are_those_that_are_known(name: str) -> None:
    assert COUNTS[name][: len(KNOWN[name])] == KNOWN[name]
