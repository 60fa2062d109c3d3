"""What the options of several commands say: numbers, seats, memory."""

from __future__ import annotations

from typing import Final

from rulegame_cli.mistakes import WrongCall

HIGHEST_COUNT: Final = 10**9


def read_seat(text: str, players: int, *others: str, option: str = "--first") -> int:
    """A seat, such as the one that moves first, by its number counted from 1; `others` are words
    that the caller has dealt with.
    """
    numbers = [str(number) for number in range(1, players + 1)]
    if text.strip() not in numbers:
        *most, last = [*numbers, *others]
        expected = f"{', '.join(most)} or {last}" if most else last
        raise WrongCall(f"{option}: expected {expected}, not '{text}'")
    return int(text) - 1


def read_count(option: str, text: str) -> int | None:
    """A whole number above 0; None if the option was not given."""
    digits = text.strip().replace("_", "")
    if not text:
        return None
    if not (digits.isascii() and digits.isdigit() and 0 < int(digits[:12]) <= HIGHEST_COUNT):
        raise WrongCall(f"{option}: expected a whole number above 0, not '{text}'")
    return int(digits)


def read_memory(text: str) -> int | None:
    """A number of bytes: 500M, 8G."""
    units = {"K": 2**10, "M": 2**20, "G": 2**30}
    unit = units.get(text.strip()[-1:].upper())
    if unit is None:
        return read_count("--max-memory", text)
    return unit * (read_count("--max-memory", text.strip()[:-1] or "?") or 0)


def read_seed(text: str) -> int | None:
    """A number with which chance can be repeated; None for chance as it comes."""
    digits = text.strip().removeprefix("-")
    if not text:
        return None
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 100):
        raise WrongCall(f"--seed: expected a whole number, not '{text}'")
    return int(text)
