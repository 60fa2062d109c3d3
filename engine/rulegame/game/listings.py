"""The lines of a text that tell a position place by place: a picture of it can stand for them.

A line is one of them if it has a loop, and if all that it says are values of the state, one by one,
names of players, and the numbers of places. A line that says anything else, be it a sum, a
parameter or a word about what a value means, is none: nothing else would tell it. Signs without
words right above or below such lines, as the numbers of columns, belong to them. No line is torn
apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rulegame.language.templates import Choose, Part, Repeat, Show, Template
from rulegame.language.typed import (
    Aggregate,
    Call,
    Element,
    Let,
    Local,
    Not,
    Typed,
    Value,
    every_part,
)

WORD: Final = re.compile(r"[^\W\d_]{2,}")  # a single letter may stand for a piece
Parts = tuple[Part, ...]
Loops = frozenset[str]  # the names that loops around a part give


class Split:
    """A text in two: the lines that list the position, and the words beside them."""

    def __init__(self, template: Template) -> None:
        lists, words = _split(template.parts)
        read = (part for part in _expressions(lists) if isinstance(part, Value))
        self.values = frozenset(part.variable.name for part in read)  # that are listed
        self.lists = template._replace(parts=lists if self.values else ())
        self.words = template._replace(parts=words) if self.values else template
        read = (part for part in _expressions(self.words.parts) if isinstance(part, Value))
        self.told = frozenset(part.variable.name for part in read)  # beside the listed lines


def _split(parts: Parts) -> tuple[Parts, Parts]:
    lists: list[Part] = []
    words: list[Part] = []
    lines = list(_lines(parts))
    listed = _listed(lines)
    for number, line in enumerate(lines):
        if listed[number]:
            lists += line
            continue
        for k, part in enumerate(line):
            whole = isinstance(part, Choose) and _is_of_lines(line, k)
            both = _split_branches(part) if whole and isinstance(part, Choose) else None
            lists += [] if both is None else [both[0]]
            words.append(part if both is None else both[1])
    return tuple(lists), tuple(words)


def _listed(lines: Sequence[list[Part]]) -> list[bool]:
    """Which lines list the position, with the signs right above and below them."""
    found = [
        any(isinstance(part, Repeat) for part in line) and _tells_places(line, frozenset())
        for line in lines
    ]
    for order in (range(1, len(lines)), range(len(lines) - 2, -1, -1)):
        for number in order:
            before = number - order.step
            found[number] = found[number] or (found[before] and _is_signs(lines[number]))
    return found


def _is_signs(line: list[Part]) -> bool:
    text = "".join(part for part in line if isinstance(part, str))
    plain = all(isinstance(part, str) for part in line)
    return plain and bool(text.strip()) and not WORD.search(text)


def _is_of_lines(line: list[Part], at: int) -> bool:
    """Whether what depends on a condition there is made of whole lines, whichever branch it is."""
    part, rest = line[at], line[at + 1 :]
    assert isinstance(part, Choose)
    bodies = [body for _, body in part.branches if body]
    begins = _begins_line(line[:at]) or all(_text(body[0]).startswith("\n") for body in bodies)
    ends = not rest or _text(rest[0]).startswith("\n")
    return begins and (ends or all(_ends_line(body[-1]) for body in bodies))


def _begins_line(before: list[Part]) -> bool:
    """Whether a line begins behind these parts of it, whichever branches are taken."""
    if not before:
        return True
    last = before[-1]
    if not isinstance(last, Choose) or not _begins_line(before[:-1]):
        return False
    return all(_ends_line(body[-1]) for _, body in last.branches if body)


def _text(part: Part) -> str:
    return part if isinstance(part, str) else ""


def _split_branches(part: Choose) -> tuple[Choose, Choose] | None:
    """Both parts of what depends on a condition depend on it; None if nothing there is listed."""
    split = [(condition, _split(body)) for condition, body in part.branches]
    if not any(one for _, (one, _) in split):
        return None
    return (
        Choose(tuple((condition, one) for condition, (one, _) in split)),
        Choose(tuple((condition, other) for condition, (_, other) in split)),
    )


def _lines(parts: Parts) -> Iterator[list[Part]]:
    """The parts line by line; each line has its line break at the end."""
    line: list[Part] = []
    for part in parts:
        pieces: Sequence[Part] = part.splitlines(keepends=True) if isinstance(part, str) else [part]
        for piece in pieces:
            line.append(piece)
            if _ends_line(piece):
                yield line
                line = []
    if line:
        yield line


def _ends_line(part: Part) -> bool:
    match part:
        case str():
            return part.endswith("\n")
        case Repeat(body=body):
            return bool(body) and _ends_line(body[-1])
    return False


def _expressions(parts: Parts) -> Iterator[Typed]:
    """All that the expressions of some parts are made of."""
    for part in parts:
        match part:
            case Show(value=value):
                yield from every_part(value)
            case Repeat(collection=collection, body=body):
                yield from every_part(collection)
                yield from _expressions(body)
            case Choose(branches=branches):
                for condition, body in branches:
                    yield from () if condition is None else every_part(condition)
                    yield from _expressions(body)


def _tells_places(parts: Sequence[Part], loops: Loops) -> bool:
    return all(_tells_place(part, loops) for part in parts)


def _tells_place(part: Part, loops: Loops) -> bool:
    match part:
        case str():
            return True
        case Show(value=value):
            return _is_drawn(value, loops)
        case Repeat(name=name, collection=collection, body=body):
            return _is_of_places(collection, loops) and _tells_places(body, loops | {name})
        case Choose(branches=branches):
            return all(_branch_tells(condition, body, loops) for condition, body in branches)


def _branch_tells(condition: Typed | None, body: Parts, loops: Loops) -> bool:
    """A sign for a value, such as X for a player; a word only for what is true or false itself."""
    named = condition is not None and _is_read(condition)
    worded = any(isinstance(part, str) and WORD.search(part) for part in body)
    fine = condition is None or _is_of_places(condition, loops)
    return fine and (named or not worded) and _tells_places(body, loops)


def _is_read(e: Typed) -> bool:
    match e:
        case Not(operand=operand):
            return _is_read(operand)
        case Element(base=base):
            return _is_read(base)
    return isinstance(e, Value)


def _is_drawn(e: Typed, loops: Loops) -> bool:
    """Whether a picture shows it: a value of the state, a player, or which place it is."""
    match e:
        case Value() | Element() if _is_read(e):
            return _is_of_places(e, loops)
        case Call(function="name" | "seat", arguments=(of,)):
            return _is_of_places(of, loops)
    inner = every_part(e)
    numbers = any(isinstance(part, Local) for part in inner)
    read = any(isinstance(part, Value | Element) for part in inner)
    return numbers and not read and _is_of_places(e, loops)


def _is_of_places(e: Typed, loops: Loops) -> bool:
    """Whether it is made of nothing but values of the state and numbers of places."""
    inner = every_part(e)
    known = loops | {part.name for part in inner if isinstance(part, Let)}
    return not any(
        isinstance(part, Aggregate) or (isinstance(part, Local) and part.name not in known)
        for part in inner
    )
