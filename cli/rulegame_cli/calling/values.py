"""How numbers, seats, moves and players are read from what was typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulegame.wording import joined
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.model import Ruleset

HIGHEST_COUNT: Final = 10**9
LONGEST_DELAY: Final = 60.0  # seconds
LONGEST_TIME: Final = 1e6
ALTERNATE: Final = "alternate"
RANDOM: Final = "random"


def read_seat(text: str, players: int, *others: str, option: str = "--first") -> int:
    """A seat, such as the one that moves first, by its number counted from 1; `others` are words
    that the caller has dealt with.
    """
    numbers = [str(number) for number in range(1, players + 1)]
    if text.strip() not in numbers:
        expected = joined([*numbers, *others], "or")
        raise WrongCall(f"{option}: expected {expected}, not '{text}'")
    return int(text) - 1


def read_first(text: str, ruleset: Ruleset, *others: str) -> int:
    """The seat that moves first: as the ruleset says, if it does, and else as the call does."""
    fixed, players = ruleset.turn.first, len(ruleset.players)
    if fixed is None or text.strip() in ("1", str(fixed + 1)):
        return read_seat(text, players, *others) if fixed is None else fixed
    begins = one_line(ruleset.players[fixed])
    raise WrongCall(f"--first: the ruleset decides who moves first ({begins})")


def read_moves(option: str, text: str) -> list[str]:
    """Moves with commas or semicolons between them; also as a list of YAML: [take 3, take 2]."""
    inner = text.strip().removeprefix("[").removesuffix("]")
    parts = inner.split(";" if ";" in inner else ",")
    moves = [" ".join(part.split()).strip("'\"") for part in parts]
    if not all(moves):
        raise WrongCall(f"{option}: expected moves separated by commas, not '{text}'")
    return moves


def read_count(option: str, text: str, highest: int = HIGHEST_COUNT) -> int | None:
    """A whole number above 0; None if the option was not given."""
    digits = text.strip().replace("_", "")
    if not text:
        return None
    if not (digits.isascii() and digits.isdigit() and digits.strip("0")):
        raise WrongCall(f"{option}: expected a whole number above 0, not '{text}'")
    if int(digits.lstrip("0")[:15]) > highest:
        raise WrongCall(f"{option}: expected a whole number up to {highest:,}, not '{text}'")
    return int(digits)


def read_depth(text: str) -> int | None:
    """How many moves to look ahead; None if the option was not given."""
    depth = read_count("--depth", text)
    if depth is not None:
        from rulegame.solving.lookahead.solution import MOST_DEPTH

        if depth > MOST_DEPTH:
            raise WrongCall(f"--depth: expected a whole number up to {MOST_DEPTH}, not '{text}'")
    return depth


def read_turns(text: str, ruleset: Ruleset) -> int | None:
    """The seat that moves first; None if each does in turn, which is also what `random` comes to
    in many games, without its noise.
    """
    if text.strip().lower() in (ALTERNATE, RANDOM) and ruleset.turn.first is None:
        return None
    return read_first(text, ruleset, ALTERNATE, RANDOM)


def read_players(text: str, players: int) -> tuple[str, ...]:
    """Who plays, by seat; one name stands for all."""
    names = _player_names(text)
    if len(names) not in (1, players):
        wanted = "1" if players == 1 else f"1 player or {players} separated by commas"
        raise WrongCall(f"--players: expected {wanted}, not {len(names)}")
    return names * players if len(names) == 1 else names


def read_rated(text: str, game: Game) -> tuple[str, ...]:
    """Who is rated: each once, and somebody to play against, if that is how the game is won."""
    names = _player_names(text)
    for number, name in enumerate(names):
        if name in names[:number]:
            raise WrongCall(f"--players: duplicate player '{name}'")
    if len(names) == 1 and len(game.players) > 1 and not game.kernel.is_shared:
        raise WrongCall("--players: expected two or more players separated by commas, not 1")
    return names


def _player_names(text: str) -> tuple[str, ...]:
    from rulegame.simulation.seats import UNASKED, check_name

    names = tuple(name.strip() for name in text.split(","))
    names = tuple(name.lower() if name.lower() in UNASKED else name for name in names)
    for name in names:
        try:
            check_name(name)
        except ValueError as problem:
            raise WrongCall(f"--players: {problem}") from None
    return names


def read_memory(text: str) -> int | None:
    """A number of bytes: 500M, 8G; None if the option was not given."""
    if not text:
        return None
    size = re.fullmatch("([0-9_]{1,20})([KMGT]?)", text.strip().upper())
    number = int(size[1].replace("_", "") or 0) if size else 0
    if size is None or not number:
        raise WrongCall(f"--max-memory: expected a size such as 500M or 8G, not '{text}'")
    return number << 10 * " KMGT".index(size[2] or " ")


def read_fairness(text: str) -> float | None:
    """Up to which advantage a game is fair; None if the option was not given."""
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise WrongCall(f"--fair-within: expected a number between 0 and 1, not '{text}'")
    return number


def read_seed(text: str) -> int | None:
    """A number with which chance can be repeated; None for chance as it comes."""
    digits = text.strip().removeprefix("-")
    if not text:
        return None
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 100):
        raise WrongCall(f"--seed: expected a whole number, not '{text}'")
    return int(text)


def read_percent(option: str, text: str) -> int | None:
    """A whole number from 0 to 100; None if the option was not given."""
    digits = text.strip().removesuffix("%")
    if not text:
        return None
    if not (digits.isascii() and digits.isdigit() and int(digits[:4]) <= 100):
        raise WrongCall(f"{option}: expected a whole number from 0 to 100, not '{text}'")
    return int(digits)


def read_names(text: str, players: int) -> tuple[str, ...]:
    """The players' names, one for each seat; none at all if they keep those of the ruleset."""
    if not text:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != players or not all(names) or len(set(names)) != players:
        some = "one name" if players == 1 else f"{players} different names separated by commas"
        raise WrongCall(f"--names: expected {some}, not '{text}'")
    return names


def read_seconds(option: str, text: str) -> float | None:
    """A time above 0; None if the option was not given."""
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_TIME:
        raise WrongCall(f"{option}: expected a number of seconds above 0, not '{text}'")
    return seconds


def read_delay(text: str) -> float | None:
    """Seconds to wait after the move of a computer, if given: `1`, `0.5`, `1s`, `500ms`."""
    if not text:
        return None
    given = text.strip().lower()
    scale = 1000 if given.endswith("ms") else 1
    try:
        seconds = float(given.removesuffix("ms").removesuffix("s")) / scale
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_DELAY:
        raise WrongCall(f"--delay: expected 0 to 60 seconds, not '{text}'")
    return seconds
