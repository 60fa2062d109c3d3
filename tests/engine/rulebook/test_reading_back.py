"""Every shape that is put into words, read back by `reader`: each of its readings has the value of
the expression, in many states.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from engine.rulebook.reader import Nonsense, Person, Reading, Scene, conditions, deeds, values
from rulegame import Game, State
from rulegame.evaluation.runtime import Fault
from rulegame.language.typed import Typed
from rulegame.loading import load_ruleset
from rulegame.model import Effects, Operation
from rulegame.rulebook.deeds import effect_clauses, next_sentence, together, wording_for
from rulegame.rulebook.markup import runs
from rulegame.rulebook.verdicts import end_sentence, required

RULES = """
rulegame: 1
title: Words
players: [Ann, Bob, Cid]
define:
  twice(x): x * 2
  near(a, b): abs(a - b) <= 2
  late: number > 3
state:
  number: 1
  goal: 5
  last: {{type: optional int}}
  leader: {{type: optional player}}
  light: {{type: red | green, start: red}}
  done: false
  piles: {{type: list of int, start: "[3, 0, 2]"}}
  deck: {{type: list of int, start: "[1, 2]"}}
  board: {{type: grid of optional player, rows: 2, columns: 2}}
  bag: {{type: set of 0..4}}
  each player:
    score: 0
    cards: {{type: set of 1..4}}
    hand: {{type: set of 1..4}}
    out: false
operations:
{operations}
  go:
    choose: {{n: 1..3, other: players}}
    effects:
      number: number + n
      my.score: my.score - n
      score of (next(me)): goal
      "piles[1]": piles[1] + n
      done: not done
      last: n
      my.hand: with(my.hand, n)
validity:
{rules}
stuck: draw
end: {{over: {{when: number > 99, result: win}}}}
"""
CODES = ("'", "‘", "`")

# A slot is filled with something of its kind: i a whole number, b a condition, p a player; k is a
# small number as it stands. What is in scope inside a loop is named there.
NUMBERS = {
    "a constant": "k",
    "a shared value": "number",
    "an own value": "my.score",
    "a player's value": "score of (p)",
    "a value afterwards": "after.number",
    "an own value afterwards": "after.my.score",
    "an element": "piles[k]",
    "an element by number": "piles[i]",
    "an element afterwards": "after.piles[k]",
    "an entry": "deck[m]",
    "a choice": "n",
    "plus": "i + i",
    "minus": "i - i",
    "times": "i * i",
    "divided": "i / k",
    "a remainder": "mod(i, k)",
    "the smaller": "min(i, i)",
    "the greatest": "max(i, i, i)",
    "the difference": "abs(i - i)",
    "a sum": "sum(piles)",
    "an extreme of a list": "max(piles)",
    "an extreme of all players": "min(score)",
    "a size": "size(bag)",
    "a set's extreme": "max(my.hand)",
    "a count": "count(b for q in players)",
    "a count of elements": "count(1 for j in 1..k if b)",
    "a sum over players": "sum(i for q in players if b)",
    "a sum over numbers": "sum(j for j in 1..k if b)",
    "an extreme over numbers": "max(i for j in 1..k)",
    "a seat": "seat(p)",
    "either": "(i if b else i)",
    "a definition": "twice(i)",
}
PLAYERS = {
    "you": "me",
    "next": "next(p)",
    "previous": "previous(me)",
    "a name": "players[k]",
    "chosen": "other",
}
CONDITIONS = {
    "equal": "i == i",
    "unequal": "i != i",
    "above": "i > i",
    "at least": "i >= i",
    "below": "i < i",
    "at most": "i <= i",
    "a constant first": "k < i",
    "a chain": "k <= i <= i",
    "a strict chain": "i < i <= i",
    "in a range": "i in k..9",
    "outside a range": "i not in k..9",
    "one of": "i in [k, 7]",
    "none of": "i not in [k, 7, 9]",
    "neither": "i not in [k, 7]",
    "in a set": "i in my.hand",
    "not in a set": "i not in bag",
    "in a list": "i in piles",
    "a truth": "done",
    "an own truth": "out of (p)",
    "a falsehood": "not done",
    "a truth compared": "done == false",
    "a truth afterwards": "after.done",
    "a word": "light == red",
    "another word": "light != green",
    "not set": "last == none",
    "set": "leader != none",
    "an optional": "last == i",
    "whose": "leader == p",
    "not whose": "leader != p",
    "who": "p == p",
    "a cell": "board[1, m] == p",
    "a cell of another": "board[1, m] != p",
    "an empty cell": "board[1, m] == none",
    "inside": "inside(board, i, k)",
    "and": "b and b",
    "or": "b or b",
    "three": "b and b and b",
    "not": "not (b)",
    "not and": "not (b and b)",
    "either": "(b if b else b)",
    "any player": "any(b for q in players)",
    "all players": "all(b for q in players)",
    "no player": "not any(score of q > k for q in players)",
    "each player's": "all(score of q > i for q in players)",
    "each one's truth": "all(out of q for q in players)",
    "nobody's truth": "all(not out of q for q in players)",
    "any of some": "any(b for q in players if b)",
    "all of some": "all(b for q in players if b)",
    "any number": "any(b for j in 1..k)",
    "all numbers": "all(piles[j] > i for j in 1..3)",
    "any element": "any(h == k for h in piles)",
    "no element": "all(h != k for h in piles)",
    "every element": "not any(h != k for h in piles)",
    "an element twice": "any(h > k and h < i for h in piles)",
    "every cell": "all(c != none for c in board)",
    "no cell": "all(c != me for c in board)",
    "some row": "any(all(c == me for c in r) for r in rows(board))",
    "a card": "any(c > k for c in my.cards)",
    "a number in a set": "all(c > k for c in bag)",
    "cards": "size(my.cards) == 0",
    "some cards": "size(my.cards) > 0",
    "many cards": "size(my.cards) >= 2",
    "all cards": "all(size(cards of q) == 0 for q in players)",
    "a full hand": "size(my.hand) > 0",
    "how many": "count(b for q in players) >= 2",
    "how many whose": "count(score of q > k for q in players) < 2",
    "none counted": "count(score of q > k for q in players) == 0",
    "a definition": "near(i, i)",
    "a plain definition": "late",
}


class Maker:
    """Fills the slots of shapes at random."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._count = 0

    def fill(self, shape: str, depth: int, scope: tuple[str, ...] = ()) -> str:
        """A shape with its slots filled; loops get names of their own."""
        names = {}
        for name in re.findall(r"\bfor (\w+) in", shape):
            self._count += 1
            names[name] = f"{name}{self._count}"
        shape = re.sub(r"\b\w+\b", lambda m: names.get(m[0], m[0]), shape)

        def filled(slot: re.Match[str]) -> str:
            known = [n for n in names.values() if _is_inside(shape, slot.start(), n)]
            return self._slot(slot[0], depth, (*scope, *known))

        return re.sub(r"\b[ibpkm]\b", filled, shape)

    def _slot(self, kind: str, depth: int, scope: tuple[str, ...]) -> str:
        if kind in "km":
            return str(self._rng.choice((1, 2, 2, 3) if kind == "k" else (1, 2)))
        shapes = {"i": NUMBERS, "b": CONDITIONS, "p": PLAYERS}[kind]
        if depth <= 0:
            return self._leaf(kind, scope)
        return f"({self.fill(self._rng.choice(list(shapes.values())), depth - 1, scope)})"

    def _leaf(self, kind: str, scope: tuple[str, ...]) -> str:
        people = [name for name in scope if name.startswith("q")]
        numbers = [name for name in scope if name.startswith(("j", "h"))]
        if kind == "p":
            return self._rng.choice(["me", "next(me)", "other", *people, *people])
        if kind == "i":
            own = [f"score of {name}" for name in people]
            return self._rng.choice(["number", "my.score", "goal", "n", "4", *own, *own, *numbers])
        return self.fill(self._rng.choice(("i > i", "i == i", "done", "leader == p")), 0, scope)


def _is_inside(shape: str, at: int, name: str) -> bool:
    """Whether a place in a shape is inside the loop of a name."""
    depth, start = 0, 0
    loop = shape.index(f"for {name} in")
    for place in range(loop, -1, -1):
        depth += (shape[place] == ")") - (shape[place] == "(")
        if depth < 0:
            start = place
            break
    depth = 0
    for place in range(start, at):
        depth += (shape[place] == "(") - (shape[place] == ")")
    return start < at and depth > 0


def _load(folder: Path, expressions: list[str], operations: list[str] | None = None) -> Game:
    """A game with a rule for each expression, and some operations; those that are refused, such as
    ones in which all is known, are left out.
    """
    file = folder / "words.yaml"
    rules = [f'  r{k}: {{require: "{e}", for: [go]}}' for k, e in enumerate(expressions)]
    more = list(operations or [])
    for _ in range(3):
        said = "\n".join(rules) or "  fine: {require: true, for: [go]}"
        text = RULES.format(rules=said, operations="\n".join(more))
        file.write_text(text, "utf-8")
        found = [d for d in load_ruleset(file)[1] if d.severity == "error"]
        if not found:
            return rulegame.load(file)
        lines = text.splitlines()
        refused = {lines[d.span.line - 1] for d in found}
        rules = [rule for rule in rules if rule not in refused]
        more = [operation for operation in more if operation not in refused]
    raise AssertionError([str(one) for one in found])


# ---- states, for the engine and for the reader


def _states(game: Game, count: int) -> list[tuple[State, State, int, int]]:
    """States at random, each with the one after a move, and what was chosen."""
    found = []
    for seed in range(count):
        rng = Random(seed)

        def some(high: int, rng: Random = rng) -> list[int]:
            return sorted(rng.sample(range(1, high + 1), rng.randrange(0, high)))

        given = {
            "number": rng.randrange(-3, 6),
            "goal": rng.randrange(0, 6),
            "last": rng.choice([None, 1, 2, 4]),
            "leader": rng.choice([None, 0, 1, 2]),
            "light": rng.choice(["red", "green"]),
            "done": rng.random() < 0.5,
            "piles": [rng.randrange(-1, 4) for _ in range(3)],
            "deck": [rng.randrange(0, 4) for _ in range(2)],
            "board": [[rng.choice([None, 0, 1, 2]) for _ in range(2)] for _ in range(2)],
            "bag": some(4),
            "score": [rng.randrange(-2, 5) for _ in range(3)],
            "cards": [some(4) for _ in range(3)],
            "hand": [some(4) for _ in range(3)],
            "out": [rng.random() < 0.5 for _ in range(3)],
        }
        state = game.begin(given, first=seed % 3)
        n, other = rng.randrange(1, 4), rng.randrange(3)
        after = state.play(game.move("go", n=n, other=other))
        found.append((state, after, n, other))
    return found


def _values(state: State) -> dict[str, Any]:
    """The values of a state as the reader knows them: players are no numbers."""
    found = {name: state[name] for name in state.game.ruleset.state}
    for name in ("bag",):
        found[name] = frozenset(found[name])
    for name in ("cards", "hand"):
        found[name] = [frozenset(one) for one in found[name]]
    found["leader"] = _person(found["leader"])
    found["board"] = [[_person(cell) for cell in row] for row in found["board"]]
    return found


def _person(seat: int | None) -> Person | None:
    return None if seat is None else Person(seat)


@cache
def _scenes() -> tuple[list[tuple[State, State, int, int]], list[Scene]]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        game = _load(Path(folder), [])
    states = _states(game, 30)
    scenes = [
        Scene(
            _values(state),
            seed % 3,
            _values(after),
            {"n": n, "the chosen other": Person(other)},
        )
        for seed, (state, after, n, other) in enumerate(states)
    ]
    return states, scenes


NAMES = frozenset(("n", "the chosen other"))


def _own_values(game: Game, expression: Typed) -> list[Any]:
    """The expression's own value in each state; None where the rules fail."""
    function = game.evaluator(expression, ("n", "other"))
    found: list[Any] = []
    for seed, (state, after, n, other) in enumerate(_scenes()[0]):
        try:
            value = function(state.cells, after.cells, seed % 3, (), n, other)
        except Fault:
            value = None
        found.append(None if value is None else bool(value))
    return found


def _read_values(reading: Reading, afterwards: bool) -> list[Any]:
    found: list[Any] = []
    for scene in _scenes()[1]:
        if afterwards:
            scene = Scene(scene.after, scene.me, scene.after, scene.names)
        try:
            found.append(bool(reading(scene)))
        except (Nonsense, TypeError):
            found.append(None)
    return found


def _check(game: Game, rule: int, expression: str) -> bool:
    """Whether an expression is put into words; they must have its value in every reading."""
    found = next((r for r in game.ruleset.validity if r.name == f"r{rule}"), None)
    if found is None:
        return False
    bound = found.requires["go"]
    w = wording_for(game.ruleset, game.ruleset.operations[0])
    said, afterwards = required(w, bound, found.sources["require"])
    if any(run.style == "code" and run.text not in ("done", "out") for run in runs(said)):
        return False
    text = "".join(f"‘{r.text}’" if r.style == "code" else r.text for r in runs(said))
    readings = conditions(text, NAMES)
    assert readings, f"{expression}\n  cannot be read: {text}"
    own = _own_values(game, bound)
    sensible = 0
    for reading in readings:
        read = _read_values(reading, afterwards)
        pairs = [(a, b) for a, b in zip(own, read, strict=True) if None not in (a, b)]
        if sum(b is None for b in read) > sum(a is None for a in own):
            continue  # nobody takes it so
        sensible += 1
        assert all(a == b for a, b in pairs), f"{expression}\n  is said to be: {text}"
    assert sensible, f"{expression}\n  makes no sense: {text}"
    return True


SHAPES = {
    **{f"number: {name}": f"{shape} >= k" for name, shape in NUMBERS.items()},
    **{f"player: {name}": f"leader == {shape}" for name, shape in PLAYERS.items()},
    **CONDITIONS,
}


def test_each_shape_is_put_into_words_that_are_true(tmp_path: Path) -> None:
    names, expressions = [], []
    for name, shape in SHAPES.items():
        for seed in range(2):
            names.append(name)
            expressions.append(Maker(Random(f"{name} {seed}")).fill(shape, 0))
    game = _load(tmp_path, expressions)
    worded = [_check(game, k, expression) for k, expression in enumerate(expressions)]
    assert {n for n, said in zip(names, worded, strict=True) if said} == set(SHAPES)


@pytest.mark.quick(1)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_shapes_inside_of_one_another_are_true_or_quoted(depth: int, tmp_path: Path) -> None:
    expressions = []
    for seed in range(50):
        maker, rng = Maker(Random(f"{depth} {seed}")), Random(seed)
        expressions.append(maker.fill(rng.choice(list(SHAPES.values())), depth))
    game = _load(tmp_path, expressions)
    worded = [_check(game, k, expression) for k, expression in enumerate(expressions)]
    assert sum(worded) > len(worded) / 10


# ---- effects

EFFECTS = {
    "up": ("number", "number + i"),
    "up, the other way round": ("number", "i + number"),
    "up by two": ("my.score", "my.score + i + i"),
    "down": ("my.score", "my.score - i"),
    "doubled": ("goal", "goal * 2"),
    "multiplied": ("goal", "goal * (i)"),
    "halved": ("goal", "goal / 2"),
    "divided": ("number", "number / k"),
    "set": ("number", "i"),
    "set for another": ("score of (p)", "i"),
    "cleared": ("last", "none"),
    "optional": ("last", "i"),
    "a player": ("leader", "p"),
    "a word": ("light", "red"),
    "a truth": ("done", "b"),
    "switched": ("done", "not done"),
    "as it is": ("number", "i if b else number"),
    "an element": ("piles[k]", "piles[k] - 1"),
    "an element by number": ("piles[n]", "i"),
    "an entry": ("deck[m]", "deck[m] + i"),
    "a cell": ("board[m, m]", "p"),
    "a cell cleared": ("board[m, m]", "none"),
    "added": ("my.hand", "with(my.hand, n)"),
    "taken out": ("my.hand", "without(my.hand, n)"),
    "joined": ("my.hand", "union(my.hand, hand of p)"),
    "joined with numbers": ("my.hand", "union(my.hand, [mod(n, 3) + 1, 2])"),
    "all of them taken out": ("my.hand", "difference(my.hand, hand of p, [n, 3])"),
    "a range taken out": ("my.hand", "difference(my.hand, i..k)"),
    "one taken out": ("my.hand", "difference(my.hand, [n])"),
    "only some kept": ("my.hand", "intersection(my.hand, hand of p)"),
    "emptied": ("my.hand", "[]"),
    "given numbers": ("my.hand", "[1, mod(n, 3) + 1, 3]"),
    "either": ("number", "i if b else i"),
    "nested": ("number", "(i if b else i) if b else i"),
    "nested twice": ("my.score", "(i if b else my.score) if b else (i if b else my.score + i)"),
    "of every player": ("score of q for q in players", "i"),
    "for every player": ("score of q for q in players", "score of q + k"),
    "for some players": ("score of q for q in players if score of q > i", "score of q - i"),
    "round the table": ("score of q for q in players", "score of (next(q))"),
    "for every element": ("piles[j] for j in 1..3", "piles[j] + j"),
    "for some elements": ("piles[j] for j in 1..3 if piles[j] > 0", "piles[j] - 1"),
    "alike": ("my.score", "number + n"),
}


def _operation(name: str, effects: list[tuple[str, str]], maker: Maker, depth: int = 1) -> str:
    """An operation with some effects, on one line."""
    said = []
    for target, value in effects:
        whole = maker.fill(
            f"⟦{target}⟧ ({value})" if "for" in target else f"⟦{target}⟧ {value}", depth
        )
        place, _, new = whole.removeprefix("⟦").partition("⟧ ")
        said.append(f'"{place}": "{new}"')
    choose = "choose: {n: 1..3, other: players}"
    return f"  {name}: {{{choose}, effects: {{{', '.join(said)}}}}}"


def _check_effects(game: Game, operation: Operation) -> bool:
    """Whether the effects of an operation are put into words; they must do the same."""
    w = wording_for(game.ruleset, operation)
    step = operation.steps[0]
    assert isinstance(step, Effects)
    said = together(effect_clauses(w, step))
    if any(run.style == "code" and run.text not in ("done", "out") for run in runs(said)):
        return False
    text = "".join(f"‘{r.text}’" if r.style == "code" else r.text for r in runs(said))
    readings = deeds(text, NAMES)
    assert readings, f"{operation.name} cannot be read: {text}"
    sensible = 0
    for reading in readings:
        told = [_told(reading, scene) for scene in _scenes()[1]]
        happened = [_happened(game, operation, number) for number in range(len(told))]
        if sum(t is None for t in told) > sum(h is None for h in happened):
            continue
        sensible += 1
        for said_, is_ in zip(told, happened, strict=True):
            assert said_ is None or is_ is None or said_ == is_, f"{operation.name}: {text}"
    assert sensible, f"{operation.name} makes no sense: {text}"
    return True


def _told(reading: Any, scene: Scene) -> dict[str, Any] | None:
    try:
        values: dict[str, Any] = reading(scene)
    except (Nonsense, TypeError):
        return None
    return values


def _happened(game: Game, operation: Operation, number: int) -> dict[str, Any] | None:
    state, _, n, other = _scenes()[0][number]
    here = game.resume(state.cells)
    try:
        return _values(here.play(game.move(operation.name, n=n, other=other)))
    except (rulegame.GameError, rulegame.IllegalMove):
        return None


@pytest.mark.full
def test_effects_in_words_do_what_the_effects_do(tmp_path: Path) -> None:
    operations: list[str] = []
    names: list[str] = []
    for name, effect in EFFECTS.items():
        for seed in range(2):
            maker = Maker(Random(f"{name} {seed}"))
            operations.append(_operation(f"op{len(names)}", [effect], maker, min(seed, 1)))
            names.append(name)
    game = _load(tmp_path, [], operations)
    worded = {
        names[int(one.name[2:])]
        for one in game.ruleset.operations
        if one.name != "go" and _check_effects(game, one)
    }
    assert worded == set(EFFECTS)


def test_several_effects_can_be_carried_out_as_they_are_told(tmp_path: Path) -> None:
    operations = []
    for seed in range(50):
        rng = Random(seed)
        chosen = {
            e[0].partition("[")[0].partition(" ")[0]: e
            for e in rng.sample(list(EFFECTS.values()), 4)
        }
        effects = rng.sample(list(chosen.values()), min(3, len(chosen)))
        operations.append(_operation(f"op{seed}", effects, Maker(Random(f"several {seed}"))))
    game = _load(tmp_path, [], operations)
    checked = [_check_effects(game, o) for o in game.ruleset.operations if o.name != "go"]
    assert len(checked) > 25 and sum(checked) > len(checked) / 2


# ---- whose turn is next, and how it ends

NEXT = ["me", "p if b else me", "(me if b else p) if b else p", "p if b else (p if b else p)"]
PLAYER_NAMES = ("Ann", "Bob", "Cid")
RESULTS = ["win if b else draw", "(win if b else draw) if b else draw", "draw if b else win"]


def _cases(text: str, apart: str, start: str) -> list[tuple[list[Reading] | None, str]]:
    """The cases of a sentence in order, each with its condition, if it has one."""
    found: list[tuple[list[Reading] | None, str]] = []
    for part in text.split(apart):
        case = part.removeprefix(", ").removeprefix("and ").strip()
        if start == "if" and case.lower().startswith("if "):
            condition, _, rest = case[3:].rpartition(", ")
            found.append((conditions(condition, NAMES), rest))
        elif start != "if" and " if " in case:
            rest, _, condition = case.partition(" if ")
            found.append((conditions(condition, NAMES), rest))
        else:
            found.append((None, case))
    assert all(readings is None or len(readings) for readings, _ in found), text
    return found


def _decided(cases: list[tuple[list[Reading] | None, str]], scene: Scene) -> set[str]:
    """What the first case that applies says, in each reading."""
    said: set[str] = set()
    for readings, what in cases:
        truths = {bool(reading(scene)) for reading in readings} if readings is not None else {True}
        if True in truths:
            said.add(what)
        if False not in truths:
            break
    return said


def test_whose_turn_is_next_is_told_case_by_case(tmp_path: Path) -> None:
    expressions = [Maker(Random(f"next {k}")).fill(NEXT[k % len(NEXT)], 0) for k in range(24)]
    choose = "choose: {n: 1..3, other: players}"
    lines = [
        f'  op{k}: {{{choose}, effects: {{}}, next: "{one}"}}' for k, one in enumerate(expressions)
    ]
    game = _load(tmp_path, [], lines)
    for operation in game.ruleset.operations[:-1]:
        assert operation.next is not None
        w = wording_for(game.ruleset, operation)
        text = next_sentence(w, operation.next, operation.sources["next"]).rstrip(".")
        text = "".join(f"‘{r.text}’" if r.style == "code" else r.text for r in runs(text))
        cases = _cases(text, "; otherwise", "if")
        function = game.evaluator(operation.next, ("n", "other"))
        for seed, scene in enumerate(_scenes()[1]):
            state, after, n, other = _scenes()[0][seed]
            (said,) = _decided(cases, scene)
            lower = said if said.startswith(PLAYER_NAMES) else said[:1].lower() + said[1:]
            who = "you" if lower == "you move again" else lower.removesuffix(" moves next")
            (reading,) = values(who, NAMES)
            assert reading(scene) == Person(
                function(state.cells, after.cells, seed % 3, (), n, other)
            )


def test_results_are_told_case_by_case(tmp_path: Path) -> None:
    game = _load(tmp_path, [])
    expressions = [Maker(Random(f"result {k}")).fill(RESULTS[k % 3], 0) for k in range(24)]
    kept = [one for one in expressions if "n" not in re.findall(r"\w+", one) and "other" not in one]
    ends = "\n".join(f"  e{k}: {{when: number > {k}, result: {e}}}" for k, e in enumerate(kept))
    text = RULES.format(rules="  fine: {require: true, for: [go]}", operations="")
    file = tmp_path / "ends.yaml"
    file.write_text(text.replace("end: {over: {when: number > 99, result: win}}", f"end:\n{ends}"))
    game = rulegame.load(file)
    words = {"you win": "win", "the game is a draw": "draw"}
    for rule in game.ruleset.end:
        said = end_sentence(game.ruleset, rule).partition(": ")[2].rstrip(".")
        said = "".join(f"‘{r.text}’" if r.style == "code" else r.text for r in runs(said))
        cases = _cases(said.replace(", and otherwise ", ", otherwise "), ", otherwise", "behind")
        assert rule.verdict.result is not None
        function = game.evaluator(rule.verdict.result, ())
        for seed, scene in enumerate(_scenes()[1]):
            cells = _scenes()[0][seed][0].cells
            (told,) = _decided(cases, scene)
            assert words[told] == game.ruleset.words[function(cells, cells, seed % 3, ())]
