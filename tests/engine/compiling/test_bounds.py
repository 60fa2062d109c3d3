"""What is known of numbers before a game runs holds when it runs; nothing is written or read
outside of a value's own cells.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from rulegame.diagnostics import Passage, Span
from rulegame.evaluation.emitting import Layout, Sites
from rulegame.evaluation.evaluator import compile_expression
from rulegame.evaluation.runtime import Fault, Meter, f_lines
from rulegame.game import Game, GameError
from rulegame.language import typed
from rulegame.language.arguments import line_count
from rulegame.language.binding import Binder
from rulegame.language.costs import cost, work
from rulegame.language.parsing import parse_expression
from rulegame.language.types import (
    NONE_CODE,
    UNBOUNDED,
    Grid,
    Int,
    List,
    Optional,
    Set,
    Type,
    between,
    is_bounded,
)
from rulegame.language.vocabulary import Scope, Vocabulary
from rulegame.limits import LIMITS
from rulegame.loading import load_ruleset, make_game

MOST: Final = LIMITS.integer
EDGES: Final = (0, 1, -1, 2, 3, -3, 7, MOST, -MOST, MOST - 1, 1 - MOST, 2**62, -(2**62), 2**31)
VARIABLES: Final = (
    typed.Variable("a", Int()),
    typed.Variable("b", Int()),
    typed.Variable("l", List(Int(), 3)),
    typed.Variable("s", Set(2, 7)),
    typed.Variable("o", Optional(Int())),
    typed.Variable("g", Grid(Int(), 2, 2)),
    typed.Variable("x", Int(), each_player=True),
)
OFFSETS: Final = {"a": 0, "b": 1, "l": 2, "s": 5, "o": 6, "g": 7, "x": 11}


class Written:
    """Random expressions as text, of numbers, conditions and lists of numbers."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._names: list[str] = []

    def number(self, depth: int) -> str:
        pick = self._chance.choice
        if depth <= 0:
            return pick([f"({pick(EDGES)})", "a", "b", "a", "b", "my.x", *self._names])
        one, two = self.number, self.number
        forms: list[Callable[[], str]] = [
            lambda: f"({one(depth - 1)} + {two(depth - 1)})",
            lambda: f"({one(depth - 1)} - {two(depth - 1)})",
            lambda: f"({one(depth - 1)} * {two(depth - 2)})",
            lambda: f"({one(depth - 1)} / {two(depth - 2)})",
            lambda: f"(-{one(depth - 1)})",
            lambda: f"min({one(depth - 1)}, {two(depth - 1)})",
            lambda: f"max({one(depth - 1)}, {two(depth - 1)})",
            lambda: f"abs({one(depth - 1)})",
            lambda: f"mod({one(depth - 1)}, {two(depth - 2)})",
            lambda: f"({one(depth - 1)} if {self.condition(depth - 1)} else {two(depth - 1)})",
            lambda: f"{pick(['sum', 'min', 'max', 'size'])}({self.items(depth - 1)})",
            lambda: f"{self.items(depth - 1)}[{one(depth - 2)}]",
            lambda: f"(o if o != none else {one(depth - 1)})",
            lambda: f"g[{one(depth - 2)}, {one(depth - 2)}]",
            lambda: self.over(pick(["sum", "min", "max", "count"]), depth),
        ]
        return pick(forms)()

    def over(self, function: str, depth: int) -> str:
        name = f"v{depth}_{len(self._names)}"
        collection = self.items(depth - 1)
        self._names.append(name)
        body = self.number(depth - 1)
        condition = f" if {self.condition(depth - 2)}" if self._chance.random() < 0.3 else ""
        self._names.remove(name)
        return f"{function}({body} for {name} in {collection}{condition})"

    def condition(self, depth: int) -> str:
        relation = self._chance.choice(["<", "<=", ">", "==", "!="])
        return f"{self.number(depth - 1)} {relation} {self.number(depth - 1)}"

    def items(self, depth: int) -> str:
        if depth <= 0:
            return self._chance.choice(["l", "x", "g", "[1, 3]", "(1..3)"])
        forms: list[Callable[[], str]] = [
            lambda: "s",
            lambda: f"[{self.number(depth - 1)}, {self.number(depth - 1)}]",
            lambda: f"({self.number(depth - 2)}..{self.number(depth - 2)})",
            lambda: f"({self.items(depth - 1)} if {self.condition(depth - 1)} else l)",
            lambda: self.over("list", depth),
        ]
        return self._chance.choice(forms)()


def bound(text: str) -> typed.Typed | None:
    vocabulary = Vocabulary(2)
    vocabulary.variables.update({v.name: v for v in VARIABLES})
    return Binder(vocabulary).bind(parse_expression(Passage(Span.whole("here"), text)), Scope())


def holds(type_: Type, value: Any) -> bool:
    """Whether a value is what its type says."""
    match type_:
        case Int(low=low, high=high):
            above = low == -UNBOUNDED or low <= value
            return bool(above and (high == UNBOUNDED or value <= high))
        case Optional(of=of):
            return value == NONE_CODE or holds(of, value)
        case List(of=of, size=size):
            return (size is None or len(value) == size) and all(holds(of, v) for v in value)
        case Set(low=low, high=high):
            return bool(0 <= value < 1 << (high - low + 1))
    return True


def cells(chance: Random) -> tuple[int, ...]:
    numbers = [chance.choice(EDGES) for _ in range(13)]
    numbers[5] = chance.randrange(64)
    numbers[6] = chance.choice([NONE_CODE, 5, MOST])
    return tuple(numbers)


def test_every_value_is_within_its_bounds() -> None:
    chance = Random(9)
    layout = Layout(OFFSETS, 2, None, 99)
    worked_out = proved = 0
    for _ in range(900):
        text = Written(chance).number(chance.randrange(2, 5))
        expression = bound(text)
        if expression is None:
            continue
        made = compile_expression(expression, layout, Sites(), {}, Meter(), {})
        for _ in range(6):
            state = cells(chance)
            try:
                value = made(state, (), chance.randrange(2), ())
            except Fault:
                continue
            assert holds(expression.type, value), (text, state, value, expression.type)
            worked_out += 1
            proved += isinstance(expression.type, Int) and is_bounded(expression.type)
    assert worked_out > 1_500
    assert 300 < proved < worked_out


def test_lists_have_the_sizes_and_elements_of_their_types() -> None:
    chance = Random(10)
    layout = Layout(OFFSETS, 2, None, 99)
    worked_out = 0
    for _ in range(400):
        text = Written(chance).items(chance.randrange(1, 4))
        expression = bound(text)
        if expression is None:
            continue
        made = compile_expression(expression, layout, Sites(), {}, Meter(), {})
        for _ in range(4):
            state = cells(chance)
            try:
                value = made(state, (), 0, ())
            except Fault:
                continue
            assert holds(expression.type, value), (text, state, value, expression.type)
            worked_out += 1
    assert worked_out > 400


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("max(abs(i - 3) for i in 1..7)", 0, 4),
        ("max(abs(i) for i in 2..5)", 2, 5),
        ("max(abs(-i) for i in 2..5)", 2, 5),
        ("max(i * j for i in -2..3 for j in 4..5)", -10, 15),
        ("max(i - j for i in 1..3 for j in 4..9)", -8, -1),
        ("max(mod(i, 4) for i in 0..9)", 0, 3),
    ],
)
def test_bounds_are_no_wider_than_they_need_be(text: str, low: int, high: int) -> None:
    """Or an index would be refused, or a value, that can never be wrong."""
    expression = bound(text)
    assert expression is not None and expression.type == Int(low, high)


def test_there_are_as_many_lines_in_a_grid_as_its_type_says() -> None:
    for rows, columns, length in product(range(1, 6), range(1, 6), range(-1, 7)):
        found = f_lines(rows, columns, tuple(range(rows * columns)), length)
        assert line_count(Grid(Int(), rows, columns), length) == len(found)


def test_few_numbers_have_few_subsets_wherever_they_lie() -> None:
    assert bound("size(subsets(list(i for i in 1000..1010 if i > a), 5))") is not None


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("a", "a + b"),
        ("sum(i for i in 1..5)", "sum(i for i in 1..6)"),
        ("sum(i for i in 1..5)", "sum(i for i in 1..5 if i > a)"),
        ("sum(i for i in 1..5 if i > a)", "sum(i for i in 1..5 if i > a and i > b)"),
        ("sum(i for i in 1..5)", "sum(i + j for i in 1..5 for j in 1..2)"),
        ("sum(i for i in s)", "sum(i + a for i in s)"),
        ("size(list(i for i in 1..5))", "size(list(i for i in 1..9))"),
    ],
)
def test_what_takes_more_steps_counts_for_more(less: str, more: str) -> None:
    one, other = bound(less), bound(more)
    assert one is not None and other is not None
    assert 0 < cost(one) < cost(other)
    assert 0 < work(one) < work(other)


def test_what_is_kept_in_a_list_counts() -> None:
    short, long = bound("[a, b]"), bound("[a, b, a, b]")
    assert short is not None and long is not None
    assert cost(long) - cost(short) >= 4  # two more are worked out, and two more are kept


@pytest.mark.parametrize(
    "text",
    [
        "g[1, true]",
        "g[true, 1]",
        "l[true]",
        "1..true",
        "true..1",
        "1 + true",
        "true * 2",
        "sum(neighbours(g, true, 1))",
        "sum(neighbours(g, 1, true))",
        "size(lines(g, true))",
        "a < true",
        "a and true",
        "not a",
        "1 if a else 2",
        "unknown + 1",
        "max(1, true)",
    ],
)
def test_one_mistake_is_one_message(text: str) -> None:
    vocabulary = Vocabulary(2)
    vocabulary.variables.update({v.name: v for v in VARIABLES})
    binder = Binder(vocabulary)
    assert binder.bind(parse_expression(Passage(Span.whole("here"), text)), Scope()) is None
    assert len(binder.diagnostics) == 1


def test_what_is_beyond_64_bits_is_not_known() -> None:
    assert between(1, MOST) == Int(1, MOST)
    assert between(1, MOST + 1) == Int(1, UNBOUNDED)
    assert between(-MOST - 1, 5) == Int(-UNBOUNDED, 5)
    assert between(3 * MOST, 4 * MOST) == Int(MOST, UNBOUNDED)


# ---- rulesets that try it

STATE: Final = "{left: %d, a: [1, 2, 3], b: 5}"
DOUBLE: Final = "(left + left)"


def game(folder: Path, state: str, operation: str, more: str = "") -> Game:
    path = folder / "bounds.yaml"
    path.write_text(
        f"rulegame: 1\ntitle: Bounds\nstate: {state}\noperations:\n  take: {operation}\n"
        f"end: {{done: {{when: left == 0, result: win}}}}\n{more}",
        "utf-8",
    )
    model, found = load_ruleset(path)
    assert model is not None, [str(d) for d in found]
    return make_game(model)


# what is written or read, at the largest `left` and at half of it; each must fail with its place
OUTSIDE: Final = {
    "a write below": ("'a[min(3, 9223372036854775807 - (left + left) + 1)]': 77", 2**62 + 1),
    "a write above": ("'a[max(1, left + left - 9223372036854775807)]': 77", 2**62 + 3),
    "a write far above": ("'a[max(1, left + left)]': 77", MOST),
    "a read below": ("b: 'a[min(3, 9223372036854775807 - (left + left) + 1)]'", 2**62 + 1),
    "a read far above": ("left: 'a[max(1, left + left - 9223372036854775807)]'", MOST),
    "a negated sum": ("b: 'a[min(3, -(left + left) + 9223372036854775807)]'", 2**62 + 1),
    "a sum of a list": ("b: 'a[min(3, 9223372036854775807 - sum([left, left]))]'", 2**62 + 1),
    "a sum in a loop": (
        "b: 'a[min(3, 9223372036854775807 - sum(left for i in 1..2))]'",
        2**62 + 1,
    ),
    "a difference": ("b: 'a[max(1, left - (0 - left) - 9223372036854775807)]'", MOST),
    "an absolute value": ("b: 'a[min(3, 9223372036854775807 - abs(left + left))]'", 2**62 + 1),
    "through a list": ("b: 'a[min(3, 9223372036854775807 - [left + left, 1][1])]'", 2**62 + 1),
    "a remainder": ("b: 'a[max(1, mod(left - 1, left + left))]'", MOST),
    "a loop's element": (
        "b: 'sum(a[i] for i in min(1, 9223372036854775807 - (left + left))..3)'",
        2**62 + 1,
    ),
    "effects in a loop": (
        "'a[i] for i in min(1, 9223372036854775807 - (left + left))..3': 7",
        2**62 + 1,
    ),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_is_outside(name: str, tmp_path: Path) -> None:
    effect, left = OUTSIDE[name]
    made = game(tmp_path, STATE % left, f"{{effects: {{{effect}}}}}")
    with pytest.raises(GameError) as failed:
        made.start().play(made.start().moves[0])
    assert failed.value.diagnostic.code == "E502"
    assert failed.value.diagnostic.span.line == 5


def test_a_set_keeps_to_its_own_numbers(tmp_path: Path) -> None:
    """What is stored in a set is what its type says: indices from it need no check."""
    state = "{left: 5, a: [1, 2, 3], s: {type: set of 1..3}, t: {type: set of 1..9, start: [1, 9]}}"
    steps = "{steps: {x: {effects: {s: t}}, y: {effects: {'a[i] for i in s': 7}}}}"
    made = game(tmp_path, state, steps)
    with pytest.raises(GameError, match=r"9 cannot be in a set of 1\.\.3") as failed:
        made.start().play(made.start().moves[0])
    assert failed.value.diagnostic.code == "E508"
    made = game(tmp_path, state.replace("[1, 9]", "[1, 3]"), "{effects: {s: t}}")
    after = made.start().play(made.start().moves[0])
    assert after["s"] == frozenset({1, 3})


def test_sets_that_begin_with_different_numbers_do_not_mix(tmp_path: Path) -> None:
    """Their bits mean different numbers."""
    path = tmp_path / "sets.yaml"
    path.write_text(
        "rulegame: 1\ntitle: Sets\n"
        "state: {left: 5, s: {type: set of 1..9}, t: {type: set of 3..9, start: [3]}}\n"
        "operations: {take: {effects: {left: sum(s if left > 9 else t)}}}\n"
        "end: {done: {when: left == 0, result: win}}\n"
    )
    model, found = load_ruleset(path)
    assert model is None
    assert [d.code for d in found] == ["E303"]
    assert "same number" in found[0].hint


NONE_STATE: Final = (
    "{left: 2, a: {type: list of optional int, start: [none, none, 5]}, b: [1, 2, 3], c: 0}"
)


def test_only_the_element_that_was_asked_about_is_known_not_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    text = (
        "rulegame: 1\ntitle: None\nstate: " + NONE_STATE + "\n"
        "operations: {take: {effects: {c: 'b[a[left %s 1]] if a[left + 1] != none else 0'}}}\n"
        "end: {done: {when: left == 0, result: win}}\n"
    )
    path.write_text(text % "-")
    model, found = load_ruleset(path)
    assert model is None
    assert [d.code for d in found] == ["E306"]
    path.write_text((text % "+").replace("none, none, 5", "none, none, 3"))
    model, found = load_ruleset(path)
    assert model is not None, [str(d) for d in found]
    made = make_game(model)
    assert made.start().play(made.start().moves[0])["c"] == 3


def test_a_number_is_not_taken_for_none(tmp_path: Path) -> None:
    """-2**63 is how none is kept; sums can come to it."""
    state = f"{{left: {-MOST}, o: {{type: optional int}}, c: 0}}"
    made = game(tmp_path, state, "{effects: {o: 'left - 1 if left < 0 else none'}}")
    with pytest.raises(GameError) as failed:
        made.start().play(made.start().moves[0])
    assert failed.value.diagnostic.code == "E501"
    made = game(tmp_path, state, "{effects: {c: min(left - i for i in 1..1) + 5}}")
    assert made.start().play(made.start().moves[0])["c"] == 4 - MOST


FAR_APART: Final = ["[0, 9223372036854775807]", "[0, 62]", "0..left", "[-9, 100]"]


@pytest.mark.parametrize("numbers", FAR_APART)
def test_subsets_of_numbers_that_are_far_apart(numbers: str, tmp_path: Path) -> None:
    made = game(tmp_path, STATE % 70, f"{{effects: {{b: 'size(subsets({numbers}, 1))'}}}}")
    with pytest.raises(GameError, match="cannot be in a set of") as failed:
        made.start().play(made.start().moves[0])
    assert failed.value.diagnostic.code == "E508"


@pytest.mark.parametrize("size", ["9", "9223372036854775807", "left * left"])
def test_subsets_of_more_than_there_are(size: str, tmp_path: Path) -> None:
    made = game(tmp_path, STATE % 70, f"{{effects: {{b: 'size(subsets(1..5, {size}))'}}}}")
    assert made.start().play(made.start().moves[0])["b"] == 0


def test_subsets_of_any_numbers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "subsets.yaml"
    path.write_text(
        "rulegame: 1\ntitle: Subsets\nstate: {left: 5, a: [1, 2, 3]}\n"
        "operations: {take: {effects: {left: 'size(subsets(a, 2))'}}}\n"
        "end: {done: {when: left == 0, result: win}}\n"
    )
    assert [d.code for d in load_ruleset(path)[1]] == ["E303"]


def test_the_second_wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the bounds were wrong, no other value would be overwritten."""
    from rulegame.evaluation import emitting

    monkeypatch.setattr(emitting.Emitter, "_index", lambda self, i, *_: self.emit(i))
    for index in ("left", "left - 9"):
        made = game(tmp_path, STATE % 4, f"{{effects: {{'a[{index}]': 77}}}}")
        with pytest.raises(GameError) as failed:
            made.start().play(made.start().moves[0])
        assert failed.value.diagnostic.code == "E502"
    people = game(
        tmp_path,
        "{left: 4, each player: {x: [1, 2]}, b: 5}",
        "{effects: {'my.x[left + left]': 77}}",
    )
    with pytest.raises(GameError):
        people.start().play(people.start().moves[0])
