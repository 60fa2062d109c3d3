"""The reference games against the example games of their documents and known numbers."""

from __future__ import annotations

from collections import Counter
from functools import cache, reduce
from operator import xor

import pytest

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
from reference.interface import Position, Result


def play(position: Position, *texts: str) -> Position:
    """Return the position after these moves and events."""
    return reduce(lambda before, text: before.play(text), texts, position)


def won(seat: int, rule: str) -> Result:
    """Return the result in which this seat wins."""
    return Result((seat,), (1 - seat,), draw=False, rule=rule)


def count(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly this many moves and events."""
    if depth == 0:
        return 1
    return sum(count(position.play(text), depth - 1) for text in position.moves)


def refuses(position: Position, text: str) -> bool:
    """Tell whether a move is invalid."""
    assert text not in position.moves
    with pytest.raises(ValueError, match="invalid move"):
        position.play(text)
    return True


def follow(position: Position, steps: list[tuple[int, str, dict[str, object]]]) -> Position:
    """Play steps of (seat, moves, values after), checking each, and return the last position."""
    for seat, texts, values in steps:
        *events, move = texts.split(", ")
        position = play(position, *events)
        assert position.turn == seat
        position = position.play(move)
        assert position.values == values
    return position


def over(position: Position, result: Result) -> bool:
    """Tell whether the game is over with this result."""
    assert position.result == result
    assert position.turn is None
    assert position.moves == ()
    return refuses(position, "roll")


# Dice Duel


def test_dice_duel_example_game() -> None:
    end = follow(
        dice_duel.start(),
        [
            (0, "die 5, add", {"score": [5, 0]}),
            (1, "die 3, add", {"score": [5, 3]}),
            (0, "die 6, add", {"score": [11, 3]}),
            (1, "die 4, add", {"score": [11, 7]}),
            (0, "die 4, add", {"score": [15, 7]}),
        ],
    )
    assert over(end, won(0, "exact"))


def test_dice_duel_command_line_example() -> None:
    follow(
        dice_duel.start(),
        [
            (0, "die 5, add", {"score": [5, 0]}),
            (1, "die 6, add", {"score": [5, 6]}),
            (0, "die 4, add", {"score": [9, 6]}),
        ],
    )
    assert over(play(dice_duel.start(1, start=12), "die 3", "add"), won(1, "exact"))


def test_dice_duel_choice_between_adding_and_subtracting() -> None:
    rolled = play(dice_duel.start(start=10), "die 4")
    assert rolled.moves == ("add", "subtract")
    assert rolled.play("add").values == {"score": [14, 10]}
    assert rolled.play("subtract").values == {"score": [6, 10]}


def test_dice_duel_losses() -> None:
    assert over(play(dice_duel.start(), "die 5", "subtract"), won(1, "outside"))
    assert over(play(dice_duel.start(1, start=12), "die 4", "add"), won(0, "outside"))
    assert over(play(dice_duel.start(sides=20, start=7), "die 9"), won(1, "stuck"))
    assert play(dice_duel.start(sides=20, start=7), "die 8").moves == ("add", "subtract")
    assert over(play(dice_duel.start(disable=("add",)), "die 1"), won(1, "stuck"))


def test_dice_duel_begins_with_a_roll() -> None:
    position = dice_duel.start()
    assert position.turn == "chance"
    assert position.moves == ("die 1", "die 2", "die 3", "die 4", "die 5", "die 6")
    assert refuses(position, "add")
    assert refuses(position, "die 7")
    assert [count(position, depth) for depth in (1, 2, 3)] == [6, 12, 36]


# Double or Nothing with a shared number


def test_double_or_nothing_31_example_game() -> None:
    opening = follow(
        double_or_nothing_31.start(),
        [
            (0, "double", {"number": 2}),
            (1, "double", {"number": 4}),
            (0, "add_one", {"number": 5}),
        ],
    )
    late = play(opening, "double", "double", *["add_one"] * 10)
    assert late.values == {"number": 30}
    assert late.turn == 1
    assert late.moves == ("add_one",)
    assert over(late.play("add_one"), won(1, "target"))


def test_double_or_nothing_31_command_line_examples() -> None:
    assert double_or_nothing_31.start().moves == ("double", "add_one")
    assert play(double_or_nothing_31.start(), "double", "add_one").values == {"number": 3}
    invalid = double_or_nothing_31.start(start=29)
    assert refuses(invalid, "double")
    assert invalid.play("add_one").values == {"number": 30}
    assert over(double_or_nothing_31.start(start=31), won(1, "stuck"))


def test_double_or_nothing_31_variations() -> None:
    every = double_or_nothing_31.start(enable=("triple", "subtract_one"))
    assert every.moves == ("double", "add_one", "triple")
    assert play(every, "triple").moves == ("double", "add_one", "subtract_one", "triple")
    assert play(every, "triple", "triple", "subtract_one").values == {"number": 8}
    assert over(play(double_or_nothing_31.start(target=2), "double"), won(0, "target"))
    doubling = double_or_nothing_31.start(disable=("add_one",))
    assert over(play(doubling, *["double"] * 4), won(1, "stuck"))
    with pytest.raises(ValueError, match="unknown operations"):
        double_or_nothing_31.start(enable=("halve",))


# Zero Sum Duel


def test_zero_sum_duel_example_game() -> None:
    end = follow(
        zero_sum_duel.start(),
        [
            (0, "subtract 5", {"score": [15, 20], "last": 5}),
            (1, "subtract 4", {"score": [15, 16], "last": 4}),
            (0, "subtract 3", {"score": [12, 16], "last": 3}),
            (1, "subtract 5", {"score": [12, 11], "last": 5}),
            (0, "subtract 2", {"score": [10, 11], "last": 2}),
            (1, "subtract 4", {"score": [10, 7], "last": 4}),
            (0, "subtract 5", {"score": [5, 7], "last": 5}),
            (1, "subtract 3", {"score": [5, 4], "last": 3}),
            (0, "subtract 2", {"score": [3, 4], "last": 2}),
            (1, "subtract 4", {"score": [3, 0], "last": 4}),
        ],
    )
    assert over(end, won(1, "zero"))


def test_zero_sum_duel_available_numbers() -> None:
    def available(*subtracted: int) -> list[int]:
        texts = [f"subtract {number}" for number in subtracted]
        position = play(zero_sum_duel.start(), *texts)
        return [int(text.split()[1]) for text in position.moves]

    assert available() == [1, 2, 3, 4, 5]
    assert available(5) == [1, 2, 3, 4]
    assert available(5, 4) == [1, 2, 3, 5]
    assert available(5, 4, 3) == [1, 2, 4, 5]
    assert available(5, 4, 3, 5) == [1, 2, 3, 4]
    assert available(5, 4, 3, 5, 2, 4, 5, 3, 2) == [1, 3, 4]
    assert refuses(play(zero_sum_duel.start(), "subtract 5"), "subtract 5")


def test_zero_sum_duel_without_a_valid_move() -> None:
    position = play(zero_sum_duel.start(start=2), "subtract 1")
    assert position.moves == ("subtract 2",)
    position = play(zero_sum_duel.start(start=4), "subtract 3", "subtract 1")
    assert over(position, won(1, "stuck"))
    assert over(zero_sum_duel.start(1, start=0), won(0, "stuck"))
    assert zero_sum_duel.start().values == {"score": [20, 20], "last": None}


# Number Duel

PICKS = ("pick 2 3 5", "pick 1 4 6")


def test_number_duel_example_game() -> None:
    position = play(number_duel.start(), *PICKS, "add 5")
    assert position.values == {
        "number": 5,
        "numbers": [{2, 3}, {1, 4, 6}],
        "result": [5, None],
    }
    end = position.play("multiply 6")
    assert end.values["number"] == 30
    assert over(end, won(0, "exceeded"))


def test_number_duel_alternate_scenario() -> None:
    position = play(number_duel.start(), *PICKS, "add 3", "multiply 4")
    assert position.values["number"] == 12
    end = position.play("add 5")
    assert end.values["number"] == 17
    assert over(end, won(1, "exceeded"))


def test_number_duel_command_line_example() -> None:
    position = play(number_duel.start(), *PICKS)
    for seat, text, number in [
        (0, "add 5", 5),
        (1, "add 4", 9),
        (0, "add 3", 12),
        (1, "add 1", 13),
        (0, "add 2", 15),
    ]:
        assert position.turn == seat
        position = position.play(text)
        assert position.values["number"] == number
    assert over(position, won(0, "target"))


def test_number_duel_choice_of_numbers() -> None:
    position = number_duel.start(1)
    assert position.turn == 0
    assert len(position.moves) == 84
    assert position.moves[0] == "pick 1 2 3"
    assert position.moves[-1] == "pick 7 8 9"
    assert refuses(position, "pick 3 2 5")
    assert refuses(position, "pick 2 2 5")
    chosen = play(position, "pick 2 3 5")
    assert chosen.turn == 1
    assert chosen.values == {
        "number": 0,
        "numbers": [{2, 3, 5}, frozenset()],
        "result": [None, None],
    }
    assert play(chosen, "pick 2 3 5").turn == 1
    with pytest.raises(ValueError, match="enough numbers"):
        number_duel.start(count=10)


def test_number_duel_moves() -> None:
    position = play(number_duel.start(disable=("multiply",)), *PICKS)
    assert position.moves[:4] == ("add 2", "add 3", "add 5", "subtract 2")
    assert position.moves[-1] == "divide 5"
    assert len(position.moves) == 9
    with_zero = play(number_duel.start(lowest=0, count=1), "pick 0", "pick 1")
    assert with_zero.moves == ("add 0", "subtract 0", "multiply 0")


@pytest.mark.parametrize(
    ("number", "divisor", "quotient"),
    [(7, 3, 2), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (0, 4, 0), (-1, 2, 0), (6, 3, 2)],
)
def test_number_duel_division_discards_the_remainder(
    number: int, divisor: int, quotient: int
) -> None:
    assert number_duel.apply("divide", number, divisor) == quotient


def test_number_duel_closest() -> None:
    picks = ("pick 2", "pick 3")
    position = play(number_duel.start(count=1), *picks)
    assert over(play(position, "add 2", "add 3"), won(1, "closest"))
    assert over(play(position, "add 2", "subtract 3"), won(0, "closest"))
    assert over(play(position, "multiply 2", "divide 3"), won(1, "closest"))
    position = play(number_duel.start(1, count=1), *picks)
    assert position.turn == 1
    assert over(play(position, "multiply 3", "divide 2"), won(0, "closest"))
    assert over(play(position, "add 3", "subtract 2"), won(1, "closest"))


# Double or Nothing with two scores


def test_double_or_nothing_10_example_game() -> None:
    position = follow(
        double_or_nothing_10.start(),
        [
            (0, "add_one", {"score": [1, 0]}),
            (1, "double", {"score": [1, 0]}),
            (0, "double", {"score": [2, 0]}),
            (1, "add_one", {"score": [2, 1]}),
            (0, "double", {"score": [4, 1]}),
            (1, "double", {"score": [4, 2]}),
            (0, "double", {"score": [8, 2]}),
            (1, "add_one", {"score": [8, 3]}),
        ],
    )
    assert refuses(position, "double")
    position = play(position, "add_one", "double")
    assert position.values == {"score": [9, 6]}
    assert position.moves == ("add_one",)
    end = position.play("add_one")
    assert end.values == {"score": [10, 6]}
    assert over(end, won(0, "target"))


def test_double_or_nothing_10_both_players_stuck() -> None:
    position = double_or_nothing_10.start(1, start=3, disable=("add_one",))
    assert position.moves == ("double",)
    assert over(play(position, "double", "double"), won(0, "all_stuck"))
    assert over(double_or_nothing_10.start(start=10), won(1, "all_stuck"))


def test_double_or_nothing_10_stuck_player_passes() -> None:
    stuck = double_or_nothing_10.DoubleOrNothing10(10, ("double",), mover=1, score=(6, 1))
    position = play(stuck, "double", "double", "double")
    assert position.turn is None
    assert position.values == {"score": [6, 8]}
    assert position.result == won(1, "all_stuck")
    assert play(stuck, "double").turn == 1
    assert double_or_nothing_10.start().moves == ("add_one", "double")


# Nim


@cache
def mover_wins(position: Position) -> bool:
    """Tell whether the mover can force a win at a game without chance or draws."""
    after = [position.play(text) for text in position.moves]
    return any(
        position.turn in following.result.winners if following.result else not mover_wins(following)
        for following in after
    )


def test_nim_moves_and_end() -> None:
    position = nim.start(heaps=(1, 2))
    assert position.moves == ("take 1 1", "take 2 1", "take 2 2")
    assert play(position, "take 2 1").values == {"heaps": [1, 1]}
    assert over(play(position, "take 2 2", "take 1 1"), won(1, "last_taken"))
    misere = nim.start(1, heaps=(1, 2), misere=True)
    assert over(play(misere, "take 2 2", "take 1 1"), won(1, "last_taken"))
    assert nim.start().values == {"heaps": [3, 4, 5]}
    assert len(nim.start().moves) == 12
    with pytest.raises(ValueError, match="heap"):
        nim.start(heaps=(0, 0))


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_won_as_the_theory_says(misere: bool) -> None:
    for code in range(1, 64):
        heaps = (code // 16, code // 4 % 4, code % 4)
        wins = reduce(xor, heaps) != 0
        if misere and max(heaps) == 1:
            wins = not wins
        assert mover_wins(nim.start(heaps=heaps, misere=misere)) == wins


# Pig


def test_pig_turns() -> None:
    position = pig.start()
    assert position.moves == ("roll",)
    assert refuses(position, "hold")
    assert play(position, "roll").turn == "chance"
    assert play(position, "roll").moves == tuple(f"die {number}" for number in range(1, 7))
    risky = play(position, "roll", "die 4", "roll", "die 6")
    assert risky.turn == 0
    assert risky.moves == ("roll", "hold")
    assert risky.values == {"score": [0, 0], "total": 10}
    unlucky = play(risky, "roll", "die 1")
    assert unlucky.turn == 1
    assert unlucky.values == {"score": [0, 0], "total": 0}
    held = play(risky, "hold")
    assert held.turn == 1
    assert held.values == {"score": [10, 0], "total": 0}


def test_pig_target() -> None:
    position = play(pig.start(1, target=10), "roll", "die 6", "roll", "die 5")
    assert position.turn == 1
    assert position.moves == ("hold",)
    end = position.play("hold")
    assert end.values == {"score": [0, 11], "total": 0}
    assert over(end, won(1, "target"))


# Tic-tac-toe


@cache
def outcomes(position: Position) -> Counter[Result]:
    """Return how many complete games end with each result."""
    if position.result is not None:
        return Counter([position.result])
    return sum((outcomes(position.play(text)) for text in position.moves), Counter[Result]())


def test_tic_tac_toe_moves_and_ends() -> None:
    position = tic_tac_toe.start(1)
    assert position.moves[:4] == ("place 1 1", "place 1 2", "place 1 3", "place 2 1")
    placed = play(position, "place 2 3")
    assert placed.values == {"board": [[None] * 3, [None, None, 1], [None] * 3]}
    assert refuses(placed, "place 2 3")
    diagonal = ("place 1 3", "place 1 1", "place 2 2", "place 1 2", "place 3 1")
    assert over(play(position, *diagonal), won(1, "line"))
    cells = ("1 1", "2 2", "3 3", "1 2", "3 2", "3 1", "1 3", "2 3", "2 1")
    full = play(position, *(f"place {cell}" for cell in cells))
    assert over(full, Result((), (), draw=True, rule="full"))


def test_tic_tac_toe_sizes() -> None:
    moves = ("place 4 2", "place 1 1", "place 3 3", "place 1 2")
    position = play(tic_tac_toe.start(size=4), *moves)
    assert over(position.play("place 2 4"), won(0, "line"))
    assert play(tic_tac_toe.start(size=4, line=4), *moves, "place 2 4").result is None


@pytest.mark.full
def test_tic_tac_toe_known_numbers() -> None:
    position = tic_tac_toe.start()
    counts = [count(position, depth) for depth in range(1, 7)]
    assert counts == [9, 72, 504, 3024, 15120, 54720]
    assert outcomes(position) == {
        won(0, "line"): 131184,
        won(1, "line"): 77904,
        Result((), (), draw=True, rule="full"): 46080,
    }


def test_tic_tac_toe_reachable_positions() -> None:
    reached: set[Position] = {tic_tac_toe.start()}
    frontier = reached
    while frontier:
        frontier = {before.play(text) for before in frontier for text in before.moves} - reached
        reached = reached | frontier
    assert len(reached) == 5478
