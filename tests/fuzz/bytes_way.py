"""Inputs that are bytes: noise, pieces of rulesets put together wrongly, oddities of YAML."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from fuzz.samples import rulesets

PIECES: Final = (
    *"{}[]:,-?|>&*!%@`'\"#~\\\t\r\n \0\x07\x1b\x7f",
    "\u200b", "\u202e", "\ufeff", "\u2028", "\x85", "\U0001f600", "\ud7ff", "е", "ｍ", "𝟙",
    "- ", ": ", "? ", "&a ", "*a", "<<: *a", "!!python/object:os.system ", "!!binary ", "---\n",
    "...\n", "%YAML 1.1\n", "%TAG ! x\n", "|+9\n", ">-\n", "''", '""', "\\x00", '"\\ud800"',
    '"\\UFFFFFFFF"', "0x7fffffffffffffff", "1e999", ".inf", ".nan", "-0", "0o17", "1_000",
    "9223372036854775807", "9223372036854775808", "null", "yes", "true", "1..9", "for x in ",
    "sum(", "if ", " else ", "after.", "my.", "their.", "players", "none", "{end}", "{if me}",
    "rulegame: 1\n", "extends: ", "nim", "tests:\n", "  ",
)  # fmt: skip


def make(rng: Random) -> bytes:
    """One input, of at most a few kilobytes most of the time."""
    return rng.choice(MAKERS)(rng)


def noise(rng: Random) -> bytes:
    return rng.randbytes(rng.randrange(300))


def pieces(rng: Random) -> bytes:
    start = rng.choice(["", "rulegame: 1\ntitle: T\n"])
    return _bytes(start + "".join(rng.choices(PIECES, k=rng.randrange(1, 60))))


def changed(rng: Random) -> bytes:
    """A ruleset with bytes changed, left out, put in, moved."""
    text = bytearray(_sample(rng).encode())
    for _ in range(rng.choice([1, 1, 2, 5, 40])):
        at, size = rng.randrange(len(text) + 1), rng.choice([0, 1, 1, 2, 20])
        put = [b"", rng.randbytes(rng.randrange(3)), _bytes(rng.choice(PIECES))]
        copied = rng.randrange(len(text) + 1)
        put.append(bytes(text[copied : copied + rng.randrange(60)]))
        text[at : at + size] = rng.choice(put)
    return bytes(text)


def lines(rng: Random) -> bytes:
    """A ruleset with lines indented otherwise, repeated, left out, from other rulesets."""
    found = _sample(rng).split("\n")
    others = _sample(rng).split("\n")
    for _ in range(rng.choice([1, 1, 2, 6])):
        at = rng.randrange(len(found) + 1)
        line = rng.choice(found + others)
        moved = " " * rng.randrange(7) + line.lstrip()
        found[at : at + rng.randrange(3)] = rng.choice([[], [line], [moved], [line, line], ["\t"]])
        found = found or [""]
    return _bytes("\n".join(found))


def spliced(rng: Random) -> bytes:
    one, other = _sample(rng).encode(), _sample(rng).encode()
    return one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]


def encoded(rng: Random) -> bytes:
    code = rng.choice(["utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "utf-7", "cp037"])
    text = _sample(rng).encode(code, errors="replace")
    return text[rng.randrange(3) :] if rng.random() < 0.3 else text


def repeated(rng: Random) -> bytes:
    """Something short, very often: deep nesting, long lines, many keys."""
    piece = rng.choice([*PIECES, *(a + b for a in "[{(-?:&*!'\" " for b in PIECES[:20])])
    often = rng.choice([10, 50, 1_000, 10_000])
    start = rng.choice(["", "rulegame: 1\ntitle: ", "rulegame: 1\nend: {done: {when: ", '"'])
    return _bytes(start + piece * min(often, 60_000 // len(piece)))


def numbered(rng: Random) -> bytes:
    """Many entries that differ by a number."""
    piece = rng.choice(
        ["k#: 1\n", "k#: &a# [*a#]\n", "&k# x#: *k#\n", "- #\n", "k#: {k#: #}\n", "? k#\n"]
    )
    start = rng.choice(["", "rulegame: 1\n", "a0: &a0 [1, 2]\n", "operations:\n", "texts:\n"])
    indent = " " * rng.choice([0, 2])
    count = rng.choice([3, 30, 3_000])
    return _bytes(start + "".join(indent + piece.replace("#", str(k)) for k in range(count)))


MAKERS: Final[tuple[Callable[[Random], bytes], ...]] = (
    noise, pieces, changed, changed, changed, lines, lines, spliced, encoded, repeated, numbered,
)  # fmt: skip


def _sample(rng: Random) -> str:
    return rng.choice(rulesets())


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
