"""Who plays in which seat, and how many rounds, as the call says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulegame.playing.seating import HUMAN
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count, read_seat

BY_DEFAULT: Final = "random"  # who plays the seats that `--watch` leaves open


def read_seats(
    players: int, opponent: str, seat: str, given: Sequence[str], watch: bool
) -> tuple[str, ...]:
    """For each seat "human", or which computer player."""
    if seat and not opponent:
        raise WrongCall("--seat works only with --vs")
    others = opponent.strip() or (BY_DEFAULT if watch else HUMAN)
    seats = [others] * players
    if opponent and not watch:
        seats[read_seat(seat or "1", players, option="--seat")] = HUMAN
    for text in given:
        number, equals, spec = text.partition("=")
        if not equals or not spec.strip():
            raise WrongCall(f"--seats: expected NUMBER=PLAYER, such as 2=random, not '{text}'")
        seats[read_seat(number, players, option="--seats")] = spec.strip()
    seats = [HUMAN if spec.lower() == HUMAN else spec for spec in seats]
    if watch and HUMAN in seats:
        raise WrongCall("--watch: every seat must be a computer player")
    return tuple(seats)


def split_seats(given: Sequence[str]) -> tuple[str, ...]:
    """`--seats`, which may be given several times, each with several seats."""
    return tuple(part for text in given for part in text.split(","))


def read_list(text: str, players: int) -> tuple[str, ...]:
    """`--players` as players of single seats: all in their order, or one for all."""
    specs = [spec.strip() for spec in text.split(",")] if text else []
    if len(specs) not in (0, 1, players) or not all(specs):
        raise WrongCall(f"--players: expected 1 player or {players} separated by commas")
    specs = specs * players if len(specs) == 1 else specs
    return tuple(f"{seat}={spec}" for seat, spec in enumerate(specs, 1))


def read_rounds(rounds: str, best_of: str) -> tuple[int, bool]:
    """How many rounds at most, and whether they stop once the match is decided."""
    if rounds and best_of:
        raise WrongCall("--rounds and --best-of cannot be combined")
    if best_of:
        most = read_count("--best-of", best_of) or 1
        if most % 2 == 0:
            raise WrongCall(f"--best-of: expected an odd number, not '{best_of}'")
        return most, True
    return read_count("--rounds", rounds) or 1, False
