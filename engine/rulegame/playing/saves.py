"""Saved games: lines of JSON that nobody can cut, mix or change unnoticed. Bytes in, values out.

The first line is the header; then one line for each move, roll, undo, redo, resignation, end and
new round. Every line ends with a check over itself and all lines before it. The last line of a file
says that there are no more, and gives way to whatever is added: a file without it was cut off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from typing import Any, Final, get_args

from rulegame.game import Outcome
from rulegame.playing.session import EntryKind, SessionEntry

VERSION: Final = 1
LINE: Final = re.compile(rb'(\{.*), "check": "([0-9a-f]{16})"\}', re.DOTALL)
ENTRY_KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
KEYS: Final = {"sets": "set", "best_of": "best of"}  # fields of the header with other names there
NOT_A_SAVE: Final = "this is not a rulegame save"


class SaveError(ValueError):
    """A file that is no saved game, or not as it was written; says so to people."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a game is played by; seats count from 0."""

    ruleset: str  # a bundled name, or the whole path of a file
    content: str  # the fingerprint of the files
    meaning: str  # and of the rules; empty in saves of version 0.1
    title: str
    sets: tuple[str, ...]
    enable: tuple[str, ...]
    disable: tuple[str, ...]
    parameters: Mapping[str, Any]
    seed: int
    rolls: tuple[str, ...]  # dice by hand
    first: int
    names: tuple[str, ...]
    players: tuple[str, ...]  # "human", or which computer player, for each seat
    rounds: int
    best_of: bool
    started: str
    toss: bool = False  # whether a coin toss decided who moves first


@dataclass(frozen=True, slots=True)
class SavedRound:
    """One game of a match: who moved first, what happened, and how it ended, if it has."""

    first: int
    entries: tuple[SessionEntry, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved match; of one round, if it is a single game."""

    header: Header
    rounds: tuple[SavedRound, ...]
    over: bool  # nothing can be added
    whole: bool  # False: the end of the file is missing
    chain: Chain  # with which further lines are written
    length: int  # how many bytes those lines take that stay


class Chain:
    """Writes lines, each with a check that depends on all before it."""

    def __init__(self, check: str = "", count: int = 0) -> None:
        self._check = check
        self._count = count

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self._count

    def add(self, content: Mapping[str, Any]) -> bytes:
        """One more line."""
        body = self._body(content)
        self._check = _check(self._check, body)
        self._count += 1
        return _line(body, self._check)

    def last(self) -> bytes:
        """The line that says that there are no more."""
        body = self._body({"last": True})
        return _line(body, _check(self._check, body))

    def _body(self, content: Mapping[str, Any]) -> bytes:
        return (
            json.dumps({"n": self._count, **content}, default=sorted)
            .removesuffix("}")
            .encode("ascii")
        )

    def follow(self, line: bytes, number: int) -> dict[str, Any]:
        """The content of a line that was read, if it belongs here."""
        found = LINE.fullmatch(line)
        if found is None or _check(self._check, found[1]) != found[2].decode():
            if number == 1:
                raise SaveError(NOT_A_SAVE if found is None else _altered(number))
            raise SaveError(_altered(number))
        content = _content(found[1] + b"}", number)
        if content.pop("n", None) != self._count:
            raise SaveError(_altered(number))
        if "last" not in content:
            self._check = found[2].decode()
            self._count += 1
        return content


def _line(body: bytes, check: str) -> bytes:
    return body + b', "check": "' + check.encode() + b'"}\n'


def _check(before: str, body: bytes) -> str:
    return sha256(before.encode() + body).hexdigest()[:16]


def _altered(number: int) -> str:
    return f"line {number} was changed or damaged"


def _content(text: bytes, number: int) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise SaveError(_altered(number)) from None
    if not isinstance(content, dict):
        raise SaveError(_altered(number))
    return content


# ---- values to lines


def rename_ruleset(lines: bytes, ruleset: str) -> tuple[Chain, bytes]:
    """The lines of a save whose header names the ruleset differently."""
    chain, written = Chain(), b""
    for number, line in enumerate(lines.splitlines()):
        content = {k: v for k, v in json.loads(line).items() if k not in ("n", "check")}
        written += chain.add(content if number else {**content, "ruleset": ruleset})
    return chain, written


def header_line(header: Header) -> dict[str, Any]:
    """The content of the first line."""
    line = {KEYS.get(one.name, one.name): getattr(header, one.name) for one in FIELDS}
    if not header.toss:
        del line["toss"]
    return {"rulegame save": VERSION, **line, "first": header.first + 1}


def entry_line(entry: SessionEntry) -> dict[str, Any]:
    """The content of the line of a move, an undo and so on."""
    if entry.kind in ("move", "roll"):
        return {entry.kind: entry.text}
    return {entry.kind: entry.number + (entry.kind == "resign")}


def end_line(outcome: Outcome) -> dict[str, Any]:
    """The content of the line of the end of a round."""
    return {
        "end": {
            "winners": [seat + 1 for seat in outcome.winners],
            "losers": [seat + 1 for seat in outcome.losers],
            "draw": outcome.draw,
            "payoffs": payoff_data(outcome),
            "rule": outcome.rule,
        }
    }


def payoff_data(outcome: Outcome) -> list[int | str]:
    """What each player got, as JSON has it: whole numbers, and fractions as texts."""
    return [p if isinstance(p, int) else str(p) for p in outcome.payoffs]


def round_line(number: int, first: int) -> dict[str, Any]:
    """The content of the line with which another round begins; `number` counts from 0."""
    return {"round": number + 1, "first": first + 1}


def whole_record(header: Header, rounds: Sequence[SavedRound]) -> tuple[Chain, bytes]:
    """All lines of a game that has come so far, but the one that says that there are no more."""
    chain = Chain()
    lines = [chain.add(header_line(header))]
    for number, played in enumerate(rounds):
        if number:
            lines.append(chain.add(round_line(number, played.first)))
        lines += (chain.add(entry_line(entry)) for entry in played.entries)
        if played.outcome is not None:
            lines.append(chain.add(end_line(played.outcome)))
    return chain, b"".join(lines)


# ---- lines to values


def read_save(data: bytes) -> Saved:
    """The game of a file; `SaveError` if it is none, or was changed."""
    lines = BytesIO(data)  # one line at a time: a file that is no save may have millions of them
    first = lines.readline()
    if not first.endswith(b"\n"):
        raise SaveError(NOT_A_SAVE)
    chain = Chain()
    reader = _Reader(_header(chain.follow(first[:-1], 1)))
    length, ended, rest = len(first), False, b""
    for number, line in enumerate(lines, 2):
        if not line.endswith(b"\n"):
            rest = line
            break
        content = chain.follow(line[:-1], number)
        if ended:
            raise SaveError(f"line {number} was added after the end of the game")
        if "last" in content:
            ended = True
            continue
        reader.read(content, number)
        length += len(line)
    return Saved(reader.header, reader.finished(), reader.over, ended and not rest, chain, length)


class _Reader:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.over = False
        self._rounds: list[SavedRound] = []
        self._first = header.first
        self._entries: list[SessionEntry] = []
        self._outcome: Outcome | None = None

    def finished(self) -> tuple[SavedRound, ...]:
        return (*self._rounds, SavedRound(self._first, tuple(self._entries), self._outcome))

    def read(self, content: dict[str, Any], number: int) -> None:
        try:
            self._read(content)
        except (KeyError, TypeError, ValueError):
            raise SaveError(_altered(number)) from None

    def _read(self, content: dict[str, Any]) -> None:
        kind = next(iter(content), "")
        value = content.get(kind)
        players = len(self.header.players)
        if self.over or (self._outcome is not None and kind not in ("round", "over")):
            raise ValueError
        recorded = next((known for known in ENTRY_KINDS if known == kind), None)
        if recorded in ("move", "roll"):
            self._entries.append(SessionEntry(recorded, _text(value)))
        elif recorded is not None:
            self._entries.append(SessionEntry(recorded, number=_number(value) - (kind == "resign")))
        elif kind == "end":
            self._outcome = _outcome(value, players)
        elif kind == "over" and self._outcome is not None:
            self.over = True
        elif kind == "round" and self._outcome is not None:
            self._rounds = [*self.finished()]
            self._first = _number(content["first"], 1, players) - 1
            self._entries, self._outcome = [], None
        else:
            raise ValueError


def _header(content: dict[str, Any]) -> Header:
    version = content.get("rulegame save")
    if type(version) is not int:
        raise SaveError(NOT_A_SAVE)
    if version != VERSION:
        raise SaveError(f"written by another version of rulegame (format {version})")
    known = {"meaning": "", "toss": False, **content}  # without these before version 0.2
    try:
        read = {one.name: READ[one.type](known[KEYS.get(one.name, one.name)]) for one in FIELDS}
        header = Header(**read)
        first = _number(header.first, 1, len(header.players)) - 1
        _number(header.rounds, 1)
    except (KeyError, TypeError, ValueError):
        raise SaveError(_altered(1)) from None
    if len(header.names) != len(header.players):
        raise SaveError(_altered(1))
    return replace(header, first=first)


def _outcome(value: Any, players: int) -> Outcome:
    return Outcome(
        tuple(_number(seat, 1, players) - 1 for seat in value["winners"]),
        tuple(_number(seat, 1, players) - 1 for seat in value["losers"]),
        value["draw"] is True,
        tuple(map(_payoff, value["payoffs"])),
        _text(value["rule"]),
    )


def _payoff(value: Any) -> int | Fraction:
    """What a player got: a whole number, or a fraction as text."""
    return Fraction(value) if isinstance(value, str) else _number(value, None)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(_text(item) for item in value)


def _number(value: Any, low: int | None = 0, high: int | None = None) -> int:
    if type(value) is not int or (low is not None and value < low):
        raise ValueError
    if high is not None and value > high:
        raise ValueError
    return value


def _flag(value: Any) -> bool:
    return value is True


FIELDS: Final = fields(Header)
READ: Final[Mapping[Any, Callable[[Any], Any]]] = {
    "str": _text,
    "tuple[str, ...]": _texts,
    "int": lambda value: _number(value, None),
    "bool": _flag,
    "Mapping[str, Any]": dict,
}
