"""Rules that say who wins: games whose theory is known, games without a rule, no false rule."""

from __future__ import annotations

import re
from random import Random

import pytest

import rulegame
from rulegame.bundled import ruleset_path
from rulegame.explaining import SolutionExplanation, explain_solution
from rulegame.solving import solve

ANY = ", in all {} positions reachable with these settings."


def ruleset_text(name: str) -> str:
    path = ruleset_path(name)
    assert path is not None
    return path.read_text("utf-8")


def explained(text: str, **settings: object) -> SolutionExplanation:
    game = rulegame.loads(text, settings) if "\n" in text else rulegame.load(text, settings)
    return explain_solution(solve(game, symmetric=False))


def pile(numbers: list[int], size: int, last: str = "win", stuck: str = "lose") -> str:
    """A subtraction game."""
    return f"""
rulegame: 1
title: A pile
state: {{left: {size}}}
operations:
  take:
    choose: {{n: {{from: "{numbers}"}}}}
    effects: {{left: left - n}}
validity: {{enough: after.left >= 0}}
stuck: {stuck}
end:
  empty: {{when: left == 0, result: {last}}}
"""


def corner(moves: str, a: int, b: int) -> str:
    """A game with two numbers, which moves lower."""
    operations = "\n".join(
        f"  {name}: {{choose: {{n: 1..15}}, effects: {{{effects}}}}}"
        for name, effects in (
            ("first", "a: a - n"),
            ("second", "b: b - n"),
            ("both", "a: a - n, b: b - n"),
        )
        if name in moves
    )
    return f"""
rulegame: 1
title: Two piles
state: {{a: {a}, b: {b}}}
operations:
{operations}
validity: {{enough: after.a >= 0 and after.b >= 0}}
stuck: lose
end:
  empty: {{when: a + b == 0, result: win}}
"""


SMALL_MOVES = corner("first second", 9, 11)
for name, most in (("first", 2), ("second", 3)):
    SMALL_MOVES = SMALL_MOVES.replace(
        f"{name}: {{choose: {{n: 1..15", f"{name}: {{choose: {{n: 1..{most}"
    )
CHOMP = """
rulegame: 1
title: Chomp
state: {rows: {type: list of int, start: "[5, 5, 5]"}}
operations:
  bite:
    choose: {r: 1..3, c: 1..5}
    effects:
      rows[1]: min(rows[1], c - 1) if r <= 1 else rows[1]
      rows[2]: min(rows[2], c - 1) if r <= 2 else rows[2]
      rows[3]: min(rows[3], c - 1)
validity: {there: "rows[r] >= c"}
end:
  poison: {when: sum(rows) == 0, result: lose}
"""
KAYLES = """
rulegame: 1
title: Kayles
state: {pins: {type: list of bool, start: "[true, true, true, true, true, true, true]"}}
operations:
  one: {choose: {k: 1..7}, effects: {"pins[k]": false}}
  two: {choose: {k: 1..6}, effects: {"pins[k]": false, "pins[k+1]": false}}
validity:
  there: "pins[k]"
  also: {require: "pins[k+1]", for: [two]}
stuck: lose
end:
  never: {when: size(pins) == 0, result: win}
"""
TURTLES = """
rulegame: 1
title: Turning turtles
state: {up: {type: list of bool, start: "[true, false, true, true, false, true, true]"}}
operations:
  one: {choose: {k: 1..7}, effects: {"up[k]": false}}
  two:
    choose: {k: 2..7, j: 1..6}
    effects: {"up[k]": false, "up[j]": "not up[j]"}
validity:
  there: "up[k]"
  left: {require: j < k, for: [two]}
stuck: lose
end:
  never: {when: size(up) == 0, result: win}
"""
SMALL_HEAPS = """
rulegame: 1
title: At most three from a heap
state: {heaps: {type: list of int, start: "[7, 6, 9]"}}
operations:
  take: {choose: {h: 1..3, n: 1..3}, effects: {"heaps[h]": "heaps[h] - n"}}
validity: {enough: "heaps[h] >= n"}
stuck: lose
end:
  never: {when: size(heaps) == 0, result: win}
"""
FIBONACCI = """
rulegame: 1
title: Fibonacci nim
state: {left: 30, most: 29}
operations:
  take: {choose: {n: 1..30}, effects: {left: left - n, most: 2 * n}}
validity: {enough: after.left >= 0, few: n <= most}
end:
  empty: {when: left == 0, result: win}
"""
EUCLID = """
rulegame: 1
title: Euclid
state: {a: 0, b: 0}
setup:
  size: {choose: {x: 1..14, y: 1..14}, effects: {a: x, b: y}}
operations:
  first: {choose: {n: 1..14}, effects: {a: a - n * b}}
  second: {choose: {n: 1..14}, effects: {b: b - n * a}}
validity: {enough: {require: after.a >= 0 and after.b >= 0, for: [first, second]}}
end:
  zero: {when: a == 0 or b == 0, result: win}
"""
CIRCLE = """
rulegame: 1
title: A circle
state: {at: 0}
operations:
  one: {effects: {at: "mod(at + 1, 9)"}}
  two: {effects: {at: "mod(at + 2, 9)"}}
  back: {effects: {at: "mod(at + 8, 9)"}}
end:
  there: {when: at == 7, result: win}
"""
DIE = """
rulegame: 1
title: A die
state: {left: 12}
turn: {roll: {die: 1..3}}
operations:
  all: {effects: {left: left - die}}
validity: {enough: after.left >= 0}
stuck: pass
end:
  empty: {when: left == 0, result: win}
"""
WHATEVER = """
rulegame: 1
title: Whatever
state: {left: 13, red: 0}
operations:
  red: {effects: {left: left - 1, red: red + 1}}
  blue: {effects: {left: left - 1}}
end:
  empty: {when: left == 0, result: win}
"""
THREE = """
rulegame: 1
title: Three players
players: [A, B, C]
state: {left: 9}
operations:
  take: {choose: {n: 1..3}, effects: {left: left - n}}
validity: {enough: after.left >= 0}
stuck: draw
end:
  empty: {when: left == 0, result: win}
"""
ONE_PILE_LIMITED = """
rulegame: 1
title: One pile with a limit
state: {x: 6, y: 9}
operations:
  first: {choose: {n: 1..6}, effects: {x: x - n}}
  second: {choose: {n: 1..2}, effects: {y: y - n}}
validity: {enough: after.x >= 0 and after.y >= 0}
stuck: draw
end:
  empty: {when: x + y == 0, result: win}
"""
CORNER_RACE = """
rulegame: 1
title: To the corner
state: {row: 0, col: 0}
operations:
  down: {effects: {row: row + 1}}
  right: {effects: {col: col + 1}}
  both: {effects: {row: row + 1, col: col + 1}}
validity: {inside: after.row <= 7 and after.col <= 7}
stuck: draw
end:
  corner: {when: row == 7 and col == 7, result: win}
"""
LOSES = "The player to move loses exactly when "


@pytest.mark.parametrize(
    ("text", "settings", "rule"),
    [
        ("nim", {}, LOSES + "nim-sum(heaps) = 0" + ANY.format(119)),
        ("nim", {"heaps": [4, 5]}, LOSES + "nim-sum(heaps) = 0" + ANY.format(29)),
        ("double_or_nothing_31", {}, LOSES + "number is odd" + ANY.format(30)),
        ("tests/rulesets/countdown.yaml", {}, LOSES + "left mod 4 = 0" + ANY.format(21)),
        (pile([1, 2, 3, 4], 25, last="lose"), {}, LOSES + "left mod 5 = 1" + ANY.format(25)),
        (pile([1, 3, 5], 30), {}, LOSES + "left is even" + ANY.format(30)),
        (pile([1, 3, 4], 30), {}, LOSES + "left mod 7 is 0 or 2" + ANY.format(30)),
        (pile([1, 2, 4, 8, 16], 40), {}, LOSES + "left mod 3 = 0" + ANY.format(40)),
        (corner("first second", 12, 15), {}, LOSES + "a = b" + ANY.format(207)),
        (SMALL_HEAPS, {}, LOSES + "nim-sum(heaps mod 4) = 0" + ANY.format(559)),
        (pile([3, 6], 40), {}, LOSES + "left mod 9 = 1" + ANY.format(13)),
        (ONE_PILE_LIMITED, {}, LOSES + "x = y mod 3" + ANY.format(69)),
        (CORNER_RACE, {}, LOSES + "row is odd and col is odd" + ANY.format(63)),
        (SMALL_MOVES, {}, LOSES + "a mod 3 = b mod 4" + ANY.format(119)),
        (TURTLES, {}, LOSES + "nim-sum(places of up = true) = 0" + ANY.format(105)),
        (CIRCLE, {}, "The player to move wins exactly when at >= 5" + ANY.format(8)),
        (DIE, {}, "The player to move certainly wins exactly when die = left" + ANY.format(36)),
    ],
)
def test_rules_of_the_theory(text: str, settings: dict[str, object], rule: str) -> None:
    assert explained(text, **settings).rules == (rule,)


@pytest.mark.parametrize("heaps", [[3, 5], [3, 4, 5], [1, 3, 5, 7]])
def test_misere_nim_has_two_cases(heaps: list[int]) -> None:
    (rule,) = explained("nim", heaps=heaps, misere=True).rules
    assert rule.startswith(
        "If max(heaps) <= 1, the player to move loses exactly when nim-sum(heaps) = 1; "
        "otherwise loses exactly when nim-sum(heaps) = 0, in all "
    )


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    "text",
    [corner("first second both", 12, 15), EUCLID, FIBONACCI, CHOMP, KAYLES, "double_or_nothing_10",
     "tic_tac_toe", pile([1, 4, 9, 16, 25], 60), pile([1, 3, 4], 8), THREE, "kuhn_poker"],
)  # fmt: skip
def test_no_rule_where_there_is_none(text: str) -> None:
    found = explained(text)
    assert (found.rules, found.strategy) == ((), None)
    assert found.sentences[0] == "No simple rule found."


def test_the_same_move_at_every_turn() -> None:
    found = explained("zero_sum_duel")
    assert found.rules == ()
    assert found.strategy == "Player 1 wins by playing subtract 5 at every turn."


def test_a_strategy_holds_against_every_reply() -> None:
    """Subtracting 5 wins from 20; from 21 it leaves 1 at last."""
    assert explained("zero_sum_duel", start=21).strategy != explained("zero_sum_duel").strategy


def test_a_game_that_nobody_can_influence() -> None:
    found = explained(WHATEVER)
    assert found.rules == (LOSES + "left is even" + ANY.format(91),)
    assert found.strategy == "Player 1 wins whatever both play."


def test_the_table_of_two_piles() -> None:
    chart = explained(corner("first second", 3, 4)).chart
    assert chart is not None
    assert chart.rows is not None
    assert (chart.rows.name, chart.columns.name) == ("a", "b")
    assert chart.cells == (" WWWW", "WLWWW", "WWLWW", "WWWLW")


def test_a_table_names_what_is_fixed() -> None:
    chart = explained("nim").chart
    assert chart is not None
    assert chart.fixed == (("heaps[1]", "1"),)
    assert chart.cells == ("WLWWWW", "LWWWWW", "WWWLWW", "WWLWWW", "WWWWWL")


def test_few_positions_support_few_numbers() -> None:
    """Five positions support one number; two take six, and two rounds of the period."""
    assert explained(pile([1, 2, 3], 5)).rules == (LOSES + "left = 4" + ANY.format(5),)
    assert explained(pile([1, 3, 4], 8)).rules == ()
    assert explained(pile([1, 2, 3], 9)).rules == (LOSES + "left mod 4 = 0" + ANY.format(9),)


def test_certain_losses_of_one_player() -> None:
    """Nothing but chance decides, and every end is lost."""
    text = """
rulegame: 1
title: Alone
players: [Ann]
state: {left: 5}
turn: {roll: {die: 1..2}}
operations:
  take: {effects: {left: left - die}}
  one: {effects: {left: left - 1}}
end:
  empty: {when: left <= 0, result: lose}
"""
    (rule,) = explained(text).rules
    assert rule == "Ann always loses, in all 10 positions reachable with these settings."


def losing(numbers: list[int], size: int) -> set[int]:
    """The losing positions of a subtraction game, by hand."""
    found: set[int] = set()
    for left in range(size + 1):
        if not any(left - n in found for n in numbers if n <= left):
            found.add(left)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_rules_of_random_piles_are_true(seed: int) -> None:
    random = Random(seed)
    numbers = sorted(random.sample(range(1, 8), random.randint(1, 4)))
    size = random.randint(20, 60)
    for rule in explained(pile(numbers, size)).rules:
        text = rule.split(", in all")[0]
        found = re.fullmatch(LOSES + r"left mod (\d+) (?:= (\d+)|is (.*))", text)
        if not found:
            assert text in {LOSES + "left is even", LOSES + "left is odd"}
            modulus, rests = 2, {int("odd" in text)}
        else:
            modulus = int(found[1])
            rests = {int(rest) for rest in re.findall(r"\d+", found[2] or found[3])}
        reached = {size}
        for left in range(size, 0, -1):
            reached |= {left - n for n in numbers if left in reached and n <= left}
        told = {left for left in reached - {0} if left % modulus in rests}
        assert told == losing(numbers, size) & reached - {0}


def test_symmetric_solutions_are_refused() -> None:
    """A rule for the states that stand for others could be false for those."""
    game = rulegame.loads(ruleset_text("tic_tac_toe") + "\nsymmetry: mirror columns\n")
    with pytest.raises(ValueError, match="symmetric=False"):
        explain_solution(solve(game))
    assert explain_solution(solve(game, symmetric=False)).rules == ()


def test_the_explanation_for_programs() -> None:
    data = explained("nim").to_dict()
    assert data["rules"] == [LOSES + "nim-sum(heaps) = 0" + ANY.format(119)]
    assert data["strategy"] is None
    assert data["positions"] == 119
    across = {"name": "heaps[3]", "values": ["0", "1", "2", "3", "4", "5"]}
    assert data["table"]["columns"] == across
