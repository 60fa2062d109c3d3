"""Who plays: the names by seat, and how many there may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rulegame.building.settings import NO_SETTINGS, Settings
from rulegame.diagnostics import Diagnostic
from rulegame.language.types import Int
from rulegame.model import ParameterRule
from rulegame.source.nodes import Mapping, Node, Scalar, items_of
from rulegame.source.nodes import Sequence as SequenceNode

PLAYERS: Final = "players"  # what it is called where it is set
ABOUT: Final = "How many play"


class PlayerCount(NamedTuple):
    """How many may play, and how many do unless another number is set."""

    least: int
    most: int
    default: int


def count_of(root: Mapping) -> PlayerCount | None:
    """How many may play; None if the ruleset names them."""
    node = root.get(PLAYERS)
    if not isinstance(node, Mapping):
        return None
    least, most = _number(node, "from") or 2, _number(node, "to") or 2
    return PlayerCount(least, most, _number(node, "default") or least)


def _number(node: Mapping, key: str) -> int | None:
    found = node.get(key)
    return found.value if isinstance(found, Scalar) and type(found.value) is int else None


def player_names(root: Mapping, settings: Settings = NO_SETTINGS) -> tuple[str, ...]:
    """Who plays, by seat."""
    node = root.get(PLAYERS)
    if isinstance(node, SequenceNode):
        return _names(node)
    count = count_of(root)
    if count is None or not isinstance(node, Mapping):
        return "Player 1", "Player 2"
    given = _given(settings)
    many = count.default if given is None or not _is_among(given, count) else given
    names = _names(node.get("names"))
    return tuple([*names, *(f"Player {k}" for k in range(len(names) + 1, many + 1))][:many])


def _names(node: Node | None) -> tuple[str, ...]:
    return tuple(item.text for item in items_of(node) if isinstance(item, Scalar))


def _given(settings: Settings) -> int | None:
    node = settings.parameters.get(PLAYERS)
    return node.value if isinstance(node, Scalar) and type(node.value) is int else None


def _is_among(number: int, count: PlayerCount) -> bool:
    return count.least <= number <= count.most


def player_counts(root: Mapping) -> Iterator[Settings]:
    """The settings for every number of players but the default."""
    count, node = count_of(root), root.get(PLAYERS)
    for number in range(count.least, count.most + 1) if count is not None else ():
        if count is not None and node is not None and number != count.default:
            yield Settings({PLAYERS: Scalar(node.span, number, str(number))})


def count_rule(root: Mapping, players: int) -> ParameterRule | None:
    """The number of players as a parameter, where it is one."""
    count = count_of(root)
    if count is None:
        return None
    low, high = count.least, count.most
    return ParameterRule(
        PLAYERS, Int(), players, count.default, low, high, None, None, False, (), ABOUT
    )


def count_problems(root: Mapping, settings: Settings) -> Iterator[Diagnostic]:
    """What is wrong with how many may play, or with how many are to."""
    count, node = count_of(root), root.get(PLAYERS)
    if count is None or not isinstance(node, Mapping):
        return
    place = node.get("to") or node
    if count.least > count.most:
        message = f"'to' of 'players' is less than its 'from': {count.most} and {count.least}"
        yield Diagnostic("E401", message, place.span, "swap the two")
        return
    between = f"between {count.least} and {count.most}"
    if not _is_among(count.default, count):
        message = f"the number of players must be {between}, not {count.default}"
        yield Diagnostic("E401", message, (node.get("default") or node).span)
    names = node.get("names")
    if names is not None and len(_names(names)) != count.most:
        message = f"{len(_names(names))} names for up to {count.most} players"
        yield Diagnostic("E401", message, names.span, "name all players or none")
    given, number = settings.parameters.get(PLAYERS), _given(settings)
    if given is not None and (number is None or not _is_among(number, count)):
        wanted = f"'players' must be a whole number {between}"
        not_this = "" if number is None else f", not {number}"
        yield Diagnostic("E402", wanted + not_this, given.span)
