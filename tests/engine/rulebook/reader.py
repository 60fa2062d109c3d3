# mypy: disable-error-code="misc"
# (a lambda with defaults, which keep the values of a loop, has no type that mypy can infer)
"""Reads the English of rulebooks back: a sentence becomes a function of a scene, with no help from
the code that wrote it.

A text may have several readings; all of them are found, so that a test can see whether they agree.
The vocabulary is that of the one ruleset in `test_reading_back`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, pairwise
from typing import Any

PLAYERS = ("Ann", "Bob", "Cid")
WORDS = ("red", "green")
SHARED = {
    "the number": "number",
    "the goal": "goal",
    "the last number": "last",
    "the leader": "leader",
    "the light": "light",
    "the piles": "piles",
    "the deck": "deck",
    "the board": "board",
    "the bag": "bag",
    "‘done’": "done",
}
OWNED = {"score": "score", "cards": "cards", "hand": "hand", "‘out’": "out"}
LISTS = {"pile": "piles"}  # of which one is called so
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "above": lambda a, b: a > b,
    "below": lambda a, b: a < b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
    "exactly": lambda a, b: a == b,
    "fewer than": lambda a, b: a < b,
    "more than": lambda a, b: a > b,
}


@dataclass(frozen=True)
class Scene:
    """Values before and after a move, who moves, and what names stand for."""

    now: dict[str, Any]
    me: int
    after: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    at_once: bool = False  # what is done is seen only when all is done

    def knowing(self, name: str, value: Any) -> Scene:
        return replace(self, names={**self.names, name: value})


Reading = Callable[[Scene], Any]


class Nonsense(Exception):
    """A reading that makes no sense: numbers and players compared, a pile that is not there."""


# ---- texts


def outside(text: str) -> list[bool]:
    """Which characters stand outside all parentheses."""
    depth, found = 0, []
    for character in text:
        depth -= character == ")"
        found.append(depth == 0)
        depth += character == "("
    return found


def inner(text: str) -> str | None:
    """What a pair of parentheses around the whole text holds."""
    if text.startswith("(") and text.endswith(")") and not any(outside(text)[1:-1]):
        return text[1:-1]
    return None


def splits(text: str, by: str) -> Iterator[tuple[str, str]]:
    """All ways to cut a text in two at some words, outside of parentheses."""
    free = outside(text)
    for found in re.finditer(re.escape(by), text):
        if free[found.start()]:
            yield text[: found.start()], text[found.end() :]


def listed(text: str, word: str) -> Iterator[list[str]]:
    """All ways to read `a, b and c` as a list."""
    for left, last in splits(text, f" {word} "):
        commas = [at for at, _ in ((len(a), b) for a, b in splits(left, ", "))]
        for count in range(len(commas) + 1):
            for chosen in combinations(commas, count):
                edges = [-2, *chosen, len(left)]
                yield [left[a + 2 : b] for a, b in pairwise(edges)] + [last]


# ---- values


def values(text: str, names: frozenset[str]) -> list[Reading]:
    return _values(text.strip(), names)


@cache
def _values(text: str, names: frozenset[str]) -> list[Reading]:
    found: list[Reading] = []
    for read in (_parenthesised, _atoms, _places, _sums, _functions, _counts):
        found += read(text, names)
    return found


def _parenthesised(text: str, names: frozenset[str]) -> Iterator[Reading]:
    inside = inner(text)
    if inside is None:
        return
    yield from values(inside, names)
    divided = inside.removesuffix(", without the remainder")
    if divided != inside:
        for left, right in splits(divided, " divided by "):
            yield from _both(left, right, names, _quotient)
    for first, rest in splits(inside, " if "):
        for condition, otherwise in splits(rest, ", otherwise "):
            yield from _choices(values(first, names), condition, values(otherwise, names), names)


def _choices(
    then: list[Reading], condition: str, otherwise: list[Reading], names: frozenset[str]
) -> Iterator[Reading]:
    for c in conditions(condition, names):
        for a in then:
            for b in otherwise:
                yield lambda s, a=a, b=b, c=c: a(s) if c(s) else b(s)


def _both(
    left: str, right: str, names: frozenset[str], worth: Callable[[int, int], int]
) -> Iterator[Reading]:
    for a in values(left, names):
        for b in values(right, names):
            yield lambda s, a=a, b=b: worth(_number(a(s)), _number(b(s)))


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Nonsense
    return value


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise Nonsense
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    if b == 0:
        raise Nonsense
    return a % abs(b)


@dataclass(frozen=True)
class Person:
    """A player, who is no number."""

    seat: int


def _atoms(text: str, names: frozenset[str]) -> Iterator[Reading]:
    if re.fullmatch(r"-?\d+", text):
        yield lambda _: int(text)
    if text in WORDS:
        yield lambda _: text
    if text in PLAYERS:
        yield lambda _: Person(PLAYERS.index(text))
    if text == "you":
        yield lambda s: Person(s.me)
    if text in ("true", "false"):
        yield lambda _: text == "true"
    if text in names:
        yield lambda s: s.names[text]
    for word, step in (("after", 1), ("before", -1)):
        player = text.removeprefix(f"the player {word} ")
        if player != text:
            for p in values(player, names):
                yield lambda s, p=p, step=step: Person((_seat(p(s)) + step) % len(PLAYERS))
    seat = text.removeprefix("the player in seat ")
    if seat != text:
        yield from (lambda s, n=n: Person(_within(n(s), len(PLAYERS))) for n in values(seat, names))


def _seat(value: Any) -> int:
    if not isinstance(value, Person):
        raise Nonsense
    return value.seat


def _within(index: Any, size: int) -> int:
    if not 1 <= _number(index) <= size:
        raise Nonsense
    return int(index) - 1


def _places(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """What is kept in the state: `your score after the move`."""
    place = places(text, names)
    yield from (lambda s, p=p: p.get(s, s.now) for p in place)
    later = text.removesuffix(" after the move")
    if later != text:
        yield from (lambda s, p=p: p.get(s, s.after) for p in places(later, names))


@dataclass(frozen=True)
class Place:
    """Where a value is kept: its name, the owner, the indices."""

    name: str
    owner: Reading | None = None
    indices: tuple[Reading, ...] = ()

    def get(self, scene: Scene, values: dict[str, Any]) -> Any:
        value = values[self.name]
        if self.owner is not None:
            value = value[_seat(self.owner(scene))]
        for index in self.indices:
            value = value[_within(index(scene), len(value))]
        return value


def places(text: str, names: frozenset[str]) -> Iterator[Place]:
    if text in SHARED:
        yield Place(SHARED[text])
    for noun, name in OWNED.items():
        owner = None
        if text == f"your {noun}":
            owner = "you"
        elif text.endswith(f"'s {noun}"):
            owner = text.removesuffix(f"'s {noun}")
        elif text.startswith(f"the {noun} of "):
            owner = text.removeprefix(f"the {noun} of ")
        if owner is not None:
            yield from (Place(name, o) for o in values(owner, names))
    for noun, name in LISTS.items():
        index = text.removeprefix(f"the number in {noun} ")
        if index != text:
            index = index.removeprefix("number ")
            yield from (Place(name, None, (i,)) for i in _index(index, names))
    if found := re.fullmatch(r"entry (\S+) of the deck|the entry of the deck for (.+)", text):
        yield from (Place("deck", None, (i,)) for i in _index(found[1] or found[2], names))
    if found := re.fullmatch(r"the cell in row (.+) of the board", text):
        for row, column in splits(found[1], ", column "):
            for r in _index(row, names):
                yield from (Place("board", None, (r, c)) for c in _index(column, names))


def _index(text: str, names: frozenset[str]) -> list[Reading]:
    """What stands for a position: a word, a thing that has a name, or all in the parentheses."""
    plain = " " not in text or inner(text) is not None or text in SHARED or text in names
    return values(text, names) if plain else []


def _sums(text: str, names: frozenset[str]) -> Iterator[Reading]:
    spoken = {
        " plus ": lambda a, b: a + b,
        " minus ": lambda a, b: a - b,
        " times ": lambda a, b: a * b,
    }
    for word, worth in spoken.items():
        for left, right in splits(text, word):
            yield from _both(left, right, names, worth)
    yield from _formula(text, names)


def _formula(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """`a + b × 2 − c`, as everybody learns it at school."""
    signs = {" + ": lambda a, b: a + b, " − ": lambda a, b: a - b}
    cuts = [(len(left), sign) for sign in signs for left, _ in splits(text, sign)]
    if cuts:
        at, sign = max(cuts)
        yield from _both(text[:at], text[at + 3 :], names, signs[sign])
        return
    cut = max((len(left) for left, _ in splits(text, " × ")), default=None)
    if cut is not None:
        yield from _both(text[:cut], text[cut + 3 :], names, lambda a, b: a * b)


def _functions(text: str, names: frozenset[str]) -> Iterator[Reading]:
    rest = text.removeprefix("the remainder of ")
    if rest != text:
        for left, right in splits(rest.removesuffix(" (never below 0)"), " divided by "):
            yield from _both(left, right, names, _remainder)
    rest = text.removeprefix("the difference between ")
    if rest != text:
        for left, right in splits(rest, " and "):
            yield from _both(left, right, names, lambda a, b: abs(a - b))
    for end, pick in (("least", min), ("greatest", max), ("smaller", min), ("greater", max)):
        yield from _extremes(text, names, end, pick)
    if text == "the sum of the piles":
        yield lambda s: sum(s.now["piles"])
    rest = text.removeprefix("the number of elements of ")
    if rest != text:
        yield from (lambda s, v=v: len(v(s)) for v in values(rest, names))
    rest = text.removeprefix("the seat number of ")
    if rest != text:
        yield from (lambda s, v=v: _seat(v(s)) + 1 for v in values(rest, names))


def _extremes(
    text: str, names: frozenset[str], end: str, pick: Callable[[Any], int]
) -> Iterator[Reading]:
    if text == f"the {end} score of all players":
        yield lambda s: pick(s.now["score"])
    rest = text.removeprefix(f"the {end} of ")
    if rest == text:
        return
    for items in listed(rest, "and"):
        for reading in _all(items, names):
            yield lambda s, r=reading: pick([_number(n) for n in r(s)])
    for v in values(rest, names):
        yield lambda s, v=v: _of_many(v(s), pick)


def _of_many(value: Any, pick: Callable[[Any], int]) -> int:
    if not isinstance(value, (list, frozenset)) or not value:
        raise Nonsense
    return pick([_number(n) for n in value])


def _all(items: list[str], names: frozenset[str]) -> list[Reading]:
    """The readings of several values as one list."""
    found: list[Reading] = [lambda _: []]
    for item in items:
        found = [
            lambda s, before=before, one=one: [*before(s), one(s)]
            for before in found
            for one in values(item, names)
        ]
    return found


# ---- loops


@dataclass(frozen=True)
class Loop:
    """What a loop runs over, and the name of one element inside it."""

    name: str
    elements: Reading


def loops(text: str, names: frozenset[str], plural: bool) -> Iterator[Loop]:
    """`player`, `number i from 1 to 3`, `cell of the board for which …`."""
    s = "s" if plural else ""
    yield from _bare_loops(text, names, s)
    for such in (" for whom ", " for which "):
        for whole, condition in splits(text, such):
            for loop in _bare_loops(whole, names, s):
                for c in conditions(condition, names | {loop.name}):
                    yield Loop(
                        loop.name,
                        lambda sc, loop=loop, c=c: [
                            e for e in loop.elements(sc) if c(sc.knowing(loop.name, e))
                        ],
                    )


def _bare_loops(text: str, names: frozenset[str], s: str) -> Iterator[Loop]:
    if found := re.fullmatch(r"player (\w+)", text):
        yield Loop(found[1], lambda _: [Person(k) for k in range(len(PLAYERS))])
    if text == f"player{s}":
        yield Loop("that player", lambda _: [Person(k) for k in range(len(PLAYERS))])
    if text == f"pile{s}":
        yield Loop("that pile", lambda sc: sc.now["piles"])
    if text == f"cell{s} of the board":
        yield Loop("that cell", lambda sc: [c for row in sc.now["board"] for c in row])
    if text == f"row{s} of the board":
        yield Loop("that row", lambda sc: sc.now["board"])
    if text == f"cell{s} of that row" and "that row" in names:
        yield Loop("that cell", lambda sc: sc.names["that row"])
    if found := re.fullmatch(rf"card{s} of (.+)", text):
        owner = "you" if found[1] == "yours" else found[1]
        for o in values(owner, names):
            yield Loop("that card", lambda sc, o=o: sorted(sc.now["cards"][_seat(o(sc))]))
    if found := re.fullmatch(rf"number{s}(?: (\w+))? in (.+)", text):
        for v in values(found[2], names):
            yield Loop(found[1] or "that number", lambda sc, v=v: sorted(v(sc)))
    if found := re.fullmatch(rf"number{s}(?: (\w+))? from (.+)", text):
        for low, high in splits(found[2], " to "):
            for a in values(low, names):
                for b in values(high, names):
                    yield Loop(
                        found[1] or "that number",
                        lambda sc, a=a, b=b: list(range(a(sc), b(sc) + 1)),
                    )


def _counts(text: str, names: frozenset[str]) -> Iterator[Reading]:
    rest = text.removeprefix("the number of ")
    if rest != text:
        for loop in loops(rest, names, True):
            yield lambda s, loop=loop: len(loop.elements(s))
    for end, pick in (("least", min), ("greatest", max), ("sum", sum)):
        whole = text.removeprefix(f"the {end} of ")
        if whole == text:
            continue
        for loop in loops(whole.removeprefix("all "), names, True) if "all " in whole[:4] else ():
            yield lambda s, loop=loop, pick=pick: _over(loop.elements(s), pick)
        for what, among in splits(whole, " over all "):
            for loop in loops(among, names, True):
                for v in values(what, names | {loop.name}):
                    yield lambda s, loop=loop, pick=pick, v=v: _over(
                        [v(s.knowing(loop.name, e)) for e in loop.elements(s)], pick
                    )


def _over(items: list[Any], pick: Callable[[Any], int]) -> int:
    if not items and pick is not sum:
        raise Nonsense
    return pick([_number(n) for n in items])


# ---- conditions


def conditions(text: str, names: frozenset[str]) -> list[Reading]:
    return _conditions(text.strip(), names)


@cache
def _conditions(text: str, names: frozenset[str]) -> list[Reading]:
    found: list[Reading] = []
    for read in (_enclosed, _joined, _quantified, _about_each, _having, _compared):
        found += read(text, names)
    return found


def _enclosed(text: str, names: frozenset[str]) -> Iterator[Reading]:
    if text in ("this is always so", "this is never so"):
        yield lambda _: text == "this is always so"
    inside = inner(text)
    if inside is None:
        return
    yield from conditions(inside, names)
    for first, rest in splits(inside, " if "):
        for condition, otherwise in splits(rest, ", otherwise "):
            then, other = conditions(first, names), conditions(otherwise, names)
            yield from _choices(then, condition, other, names)


def _joined(text: str, names: frozenset[str]) -> Iterator[Reading]:
    for word, whole in (("and", all), ("or", any)):
        for items in listed(text, word):
            readings: list[list[Reading]] = [[]]
            for item in items:
                readings = [[*r, c] for r in readings for c in conditions(item, names)]
            for parts in readings:
                yield lambda s, parts=parts, whole=whole: whole(bool(c(s)) for c in parts)


def _quantified(text: str, names: frozenset[str]) -> Iterator[Reading]:
    for start, whole, truth in (
        ("there is a ", any, True), ("there is an ", any, True), ("there is no ", any, False),
    ):  # fmt: skip
        rest = text.removeprefix(start)
        if rest != text:
            for what, condition in splits(rest, " such that "):
                for loop in loops(what, names, False):
                    for c in conditions(condition, names | {loop.name}):
                        yield _each(loop, c, whole, truth)
    rest = text.removeprefix("for every ")
    if rest != text:
        for what, condition in splits(rest, ", "):
            for loop in loops(what, names, False):
                for c in conditions(condition, names | {loop.name}):
                    yield _each(loop, c, all, True)
    amount = r"there are (exactly|fewer than|more than|at most|at least) (-?\d+) (.+)"
    if found := re.fullmatch(amount, text):
        compare, number = RELATIONS[found[1]], int(found[2])
        for loop in loops(found[3], names, True):
            yield lambda s, loop=loop: compare(len(loop.elements(s)), number)
        for those in _whose(found[3], names):
            yield lambda s, those=those: compare(len(those(s)), number)


def _each(loop: Loop, c: Reading, whole: Callable[[Iterator[bool]], bool], truth: bool) -> Reading:
    return lambda s: whole(bool(c(s.knowing(loop.name, e))) for e in loop.elements(s)) == truth


def _whose(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """`players whose score is above 3`: those players."""
    for what, condition in splits(text, " whose "):
        if what == "players":
            for c in conditions(f"that player's {condition}", names | {"that player"}):
                yield lambda s, c=c: [
                    p for p in map(Person, range(len(PLAYERS))) if c(s.knowing("that player", p))
                ]


def _about_each(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """`no player's score is above 3`."""
    for quantity, whole, truth in (
        ("at least one ", any, True), ("every ", all, True), ("no ", any, False),
    ):  # fmt: skip
        rest = text.removeprefix(quantity)
        if rest == text:
            continue
        for at in [m.start() for m in re.finditer(r"'s | is | has ", rest)]:
            for loop in loops(rest[:at], names, False):
                # A clause has one subject: what is joined to it stands for itself.
                said, known = loop.name + rest[at:], names | {loop.name}
                for c in (*_compared(said, known), *_having(said, known)):
                    yield _each(loop, c, whole, truth)


def _having(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """`you have no cards left`."""
    found = re.fullmatch(r"(.+?) ha(?:ve|s) (.*?)cards left", text)
    if not found:
        return
    owner, amount = found.groups()
    if (owner, amount) == ("no player", "any "):
        yield lambda s: not any(s.now["cards"])
        return
    many = re.fullmatch(r"(exactly|fewer than|more than|at most|at least) (-?\d+) ", amount)
    compare, number = (RELATIONS[many[1]], int(many[2])) if many else (RELATIONS["above"], 0)
    if amount == "no ":
        compare = RELATIONS["exactly"]
    elif amount and not many:
        return
    for o in values(owner, names):
        yield lambda s, o=o: compare(len(s.now["cards"][_seat(o(s))]), number)


def _compared(text: str, names: frozenset[str]) -> Iterator[Reading]:
    for verb in (" is ", " are "):
        for subject, predicate in splits(text, verb):
            tests = list(_predicates(predicate, names))
            for v in values(subject, names):
                for test in tests:
                    yield lambda s, v=v, test=test: test(s, v(s))
    has = re.fullmatch(r"the board (has|does not have) a cell in row (.+)", text)
    if has:
        for row, column in splits(has[2], ", column "):
            for r in values(row, names):
                for c in values(column, names):
                    yield (
                        lambda s, r=r, c=c: (1 <= r(s) <= 2 and 1 <= c(s) <= 2) == (has[1] == "has")
                    )


Predicate = Callable[[Scene, Any], bool]


def _predicates(text: str, names: frozenset[str]) -> Iterator[Predicate]:
    """What may be said of a value."""
    fixed: dict[str, Predicate] = {
        "true": lambda _, v: _truth(v),
        "false": lambda _, v: not _truth(v),
        "set": lambda _, v: v is not None,
        "not set": lambda _, v: v is None,
        "taken": lambda _, v: v is not None,
        "empty": lambda _, v: v is None if not isinstance(v, frozenset) else not v,
        "not empty": lambda _, v: bool(v),
        "yours": lambda s, v: v == Person(s.me),
        "not yours": lambda s, v: v != Person(s.me),
    }
    if text in fixed:
        yield fixed[text]
        return
    for word, compare in RELATIONS.items():
        rest = text.removeprefix(f"{word} ")
        if rest != text:
            for b in values(rest, names):
                yield lambda s, v, b=b, compare=compare: compare(_number_or_none(v), _number(b(s)))
    yield from _equals(text, names)
    yield from _ranges(text, names)
    yield from _members(text, names)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Nonsense
    return value


def _number_or_none(value: Any) -> Any:
    return value if value is None else _number(value)


def _equals(text: str, names: frozenset[str]) -> Iterator[Predicate]:
    rest = text.removeprefix("not ")
    for said in {rest, rest.removesuffix("'s")}:
        for b in values(said, names):
            yield lambda s, v, b=b: _same(v, b(s)) == (rest == text)


def _same(left: Any, right: Any) -> bool:
    if None not in (left, right) and type(left) is not type(right):
        raise Nonsense
    return bool(left == right)


def _ranges(text: str, names: frozenset[str]) -> Iterator[Predicate]:
    for start, middle, inside in (("from ", " to ", True), ("below ", " or above ", False)):
        rest = text.removeprefix(start)
        if rest == text:
            continue
        for low, high in splits(rest, middle):
            for a in values(low, names):
                for b in values(high, names):
                    yield lambda s, v, a=a, b=b, inside=inside: (a(s) <= v <= b(s)) == inside


def _members(text: str, names: frozenset[str]) -> Iterator[Predicate]:
    for start, truth in (
        ("in ", True),
        ("among ", True),
        ("not in ", False),
        ("not among ", False),
    ):
        rest = text.removeprefix(start)
        if rest != text:
            for c in values(rest, names):
                yield lambda s, v, c=c, truth=truth: (v in c(s)) == truth
    for items in listed(text, "or"):
        for c in _all(items, names):
            yield lambda s, v, c=c: v in c(s)
    rest = text.removeprefix("neither ")
    for left, right in splits(rest, " nor ") if rest != text else ():
        for c in _all([left, right], names):
            yield lambda s, v, c=c: v not in c(s)
    rest = text.removeprefix("none of ")
    for items in listed(rest, "and") if rest != text else ():
        for c in _all(items, names):
            yield lambda s, v, c=c: v not in c(s)


# ---- effects


@dataclass(frozen=True)
class Change:
    """What becomes of a place: a function of the scene and of what it was."""

    place: Place
    new: Callable[[Scene, Any], Any]


Deed = Callable[[Scene], dict[str, Any]]  # the values after it


def deeds(text: str, names: frozenset[str]) -> list[Deed]:
    """All readings of a sentence about effects: one after the other, unless it says otherwise."""
    rest = text.removeprefix("all at once, ")
    return [_done(parts, rest != text) for parts in _sequences(rest, names)]


def _sequences(text: str, names: frozenset[str]) -> Iterator[list[Effect]]:
    """All ways to cut a sentence into clauses that are effects."""
    for effect in _effects(text, names):
        yield [effect]
    for mark in ("; and ", "; ", ", and ", ", "):
        for left, right in splits(text, mark):
            for first in _effects(left, names):
                for others in _sequences(right, names):
                    yield [first, *others]


Effect = Callable[[Scene], list[tuple[str, tuple[int, ...], Any]]]  # what is written where


def _done(parts: list[Effect], at_once: bool) -> Deed:
    def after(scene: Scene) -> dict[str, Any]:
        values = scene.now
        for part in parts:
            now = replace(scene, at_once=True) if at_once else replace(scene, now=values)
            for name, path, value in part(now):
                values = {**values, name: _put(values[name], path, value)}
        return values

    return after


def _put(old: Any, path: tuple[int, ...], value: Any) -> Any:
    if not path:
        return value
    return [_put(v, path[1:], value) if k == path[0] else v for k, v in enumerate(old)]


def _effects(text: str, names: frozenset[str]) -> Iterator[Effect]:
    for change in _changes(text, names, None):
        yield lambda s, c=change: [_written(s, c)]
    every = text.removeprefix("every player's ")
    if every != text:
        for change in _changes(f"that player's {every}", names | {"that player"}, None):
            yield _each_player(change)
    rest = text.removeprefix("for every ")
    if rest != text:
        for what, clause in splits(rest, ", "):
            for loop in loops(what, names, False):
                for effect in _effects(clause, names | {loop.name}):
                    yield _repeated(loop, effect)


def _each_player(change: Change) -> Effect:
    people = [Person(k) for k in range(len(PLAYERS))]
    return lambda s: [_written(s.knowing("that player", p), change) for p in people]


def _repeated(loop: Loop, effect: Effect) -> Effect:
    """One after the other: what the first does, the second finds done."""

    def done(scene: Scene) -> list[tuple[str, tuple[int, ...], Any]]:
        written: list[tuple[str, tuple[int, ...], Any]] = []
        for element in loop.elements(scene):
            for one in effect(scene.knowing(loop.name, element)):
                written.append(one)
                if not scene.at_once:
                    name, path, value = one
                    now = {**scene.now, name: _put(scene.now[name], path, value)}
                    scene = replace(scene, now=now)
        return written

    return done


def _written(scene: Scene, change: Change) -> tuple[str, tuple[int, ...], Any]:
    place = change.place
    owner = () if place.owner is None else (_seat(place.owner(scene)),)
    old = place.get(scene, scene.now)
    held = scene.now[place.name]
    for at in owner:
        held = held[at]
    path = list(owner)
    for index in place.indices:
        at = _within(index(scene), len(held))
        path.append(at)
        held = held[at]
    return place.name, tuple(path), change.new(scene, old)


def _changes(text: str, names: frozenset[str], it: Place | None) -> Iterator[Change]:
    """One effect, `it` being what it is about if that has been said; with its cases."""
    yield from _one_change(text, names, it)
    for first, rest in splits(text, ", otherwise "):
        for said, condition in splits(first, " if "):
            for change in _one_change(said, names, it):
                for other in _changes(rest, names, change.place):
                    for c in conditions(condition, names):
                        yield Change(
                            change.place,
                            lambda s, old, a=change, b=other, c=c: (
                                a.new(s, old) if c(s) else b.new(s, old)
                            ),
                        )


def _one_change(text: str, names: frozenset[str], it: Place | None) -> Iterator[Change]:
    for verb in (" becomes ", " become ", " goes ", " go ", " is ", " are ", " stays ", " stay "):
        for subject, predicate in splits(text, verb):
            about = [it] if it and subject in ("it", "they") else list(places(subject, names))
            for place in about:
                for new in _becoming(verb.strip(), predicate, names):
                    yield Change(place, new)
    yield from _changed_sets(text, names, it)
    for done, add in ((" is added to ", True), (" is taken out of ", False)):
        for one, subject in splits(text, done):
            about = [it] if it and subject in ("it", "they") else list(places(subject, names))
            for place in about:
                for v in values(one, names):
                    yield Change(
                        place, lambda s, old, v=v, add=add: old | {v(s)} if add else old - {v(s)}
                    )


def _changed_sets(text: str, names: frozenset[str], it: Place | None) -> Iterator[Change]:
    """`the numbers in your hand are added to the pile`."""
    for done in (" are added to ", " are taken out of "):
        for those, subject in splits(text, done):
            others = those.removeprefix("all but ")
            about = [it] if it and subject in ("it", "they") else list(places(subject, names))
            for place in about:
                for numbers in _all_numbers(others, names):
                    yield Change(place, _put_together(numbers, done, others != those))
    for verb in (" becomes ", " become "):
        for subject, those in splits(text, verb):
            about = [it] if it and subject in ("it", "they") else list(places(subject, names))
            for place in about:
                if those == "empty":
                    yield Change(place, lambda s, old: frozenset())
                for numbers in _all_numbers(those, names):
                    yield Change(place, lambda s, old, n=numbers: frozenset(n(s)))


def _put_together(numbers: Reading, done: str, all_but: bool) -> New:
    def new(scene: Scene, old: Any) -> Any:
        if all_but:
            return old & set(numbers(scene))
        return old | set(numbers(scene)) if "added" in done else old - set(numbers(scene))

    return new


def _all_numbers(text: str, names: frozenset[str]) -> Iterator[Reading]:
    """Several numbers: `the numbers in …`, `the numbers from … to …`, `a, b and c`."""
    rest = text.removeprefix("the numbers in ")
    if rest != text:
        yield from (lambda s, v=v: set(v(s)) for v in values(rest, names))
    rest = text.removeprefix("the numbers from ")
    if rest != text:
        for low, high in splits(rest, " to "):
            ends = [(a, b) for a in values(low, names) for b in values(high, names)]
            yield from (lambda s, a=a, b=b: set(range(a(s), b(s) + 1)) for a, b in ends)
    for parts in listed(text, "and"):
        readings = [list(_all_numbers(part, names)) for part in parts]
        if all(readings):
            yield lambda s, r=readings: set().union(*(one[0](s) for one in r))
        singles = [list(values(part, names)) for part in parts]
        if all(singles):
            yield lambda s, r=singles: {one[0](s) for one in r}


New = Callable[[Scene, Any], Any]


def _becoming(verb: str, text: str, names: frozenset[str]) -> Iterator[New]:
    if verb in ("stays", "stay") and text in ("as it is", "as they are"):
        yield lambda s, old: old
    for way, sign in (("up by ", 1), ("down by ", -1)):
        rest = text.removeprefix(way)
        if verb in ("goes", "go") and rest != text:
            for v in values(rest, names):
                yield lambda s, old, v=v, sign=sign: old + sign * _number(v(s))
    if verb in ("is", "are"):
        yield from _treated(text, names)
    if verb in ("becomes", "become"):
        yield from _new_values(text, names)


def _treated(text: str, names: frozenset[str]) -> Iterator[New]:
    times = {"doubled": 2, "tripled": 3, "quadrupled": 4}
    if text in times:
        yield lambda s, old: old * times[text]
    if text == "halved (what is left over is dropped)":
        yield lambda s, old: _quotient(old, 2)
    if text == "switched":
        yield lambda s, old: not old
    if text == "cleared":
        yield lambda s, old: None
    rest = text.removeprefix("multiplied by ")
    if rest != text:
        yield from (lambda s, old, v=v: old * _number(v(s)) for v in values(rest, names))
    rest = text.removeprefix("divided by ").removesuffix(" (the remainder is dropped)")
    if text.startswith("divided by ") and text.endswith(" (the remainder is dropped)"):
        yield from (lambda s, old, v=v: _quotient(old, _number(v(s))) for v in values(rest, names))


def _new_values(text: str, names: frozenset[str]) -> Iterator[New]:
    yield from (lambda s, old, v=v: v(s) for v in values(text, names))
    if text == "yours":
        yield lambda s, old: Person(s.me)
    if text == "empty":
        yield lambda s, old: frozenset()
    if text.endswith("'s"):
        yield from (lambda s, old, v=v: v(s) for v in values(text[:-2], names))
    condition = text.removeprefix("true if ").removesuffix(", and false if not")
    if text.startswith("true if ") and text.endswith(", and false if not"):
        yield from (lambda s, old, c=c: bool(c(s)) for c in conditions(condition, names))
    new = text.removeprefix("the new ")
    if new != text:
        yield from (lambda s, old, v=v: v(s) for v in values(f"the {new}", names))
