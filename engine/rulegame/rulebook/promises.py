"""The claims of a ruleset in English, and whether they have been proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulegame.model import Ruleset
from rulegame.nodes import mapping_of, to_plain
from rulegame.values import decode

SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "always_ends": (
        "Every game comes to an end, whatever the players do.",
        "Not every game need come to an end: players can go on for ever.",
    ),
    "ends_almost_surely": (
        "Whatever the players do, the game goes on for ever with probability 0.",
        "Whatever luck brings, the players can keep the game from ever coming to an end.",
    ),
    "ends_under_best_play": (
        "If both players play as well as possible, the game comes to an end.",
        "If both players play as well as possible, the game need not come to an end.",
    ),
    "no_draws": ("No game ends in a draw.", "A game can end in a draw."),
    "never_stuck": (
        "Nobody is ever without a valid move.",
        "It can happen that a player has no valid move.",
    ),
    "every_operation_used": (
        "Every operation can be used in some game.",
        "There is an operation that can never be used.",
    ),
    "every_end_rule_reached": (
        "Each of the ways in which the game ends can come about.",
        "One of the ways in which the game is said to end never comes about.",
    ),
    "first_player_wins": (
        "The player who moves first can force a win.",
        "The player who moves first cannot force a win.",
    ),
    "second_player_wins": (
        "The player who moves second can force a win.",
        "The player who moves second cannot force a win.",
    ),
}


def claim_sentences(ruleset: Ruleset, proved: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Each claim as a sentence; those whose names are among the proved say so. A game with other
    parameters or operations than its ruleset's own is one of which nothing was claimed.
    """
    if not proved and not _as_it_stands(ruleset):
        return ()
    said: list[str] = []
    for name, claimed in ruleset.claims.items():
        sentence = _sentence(name, claimed)
        if name in proved:
            sentence = f"{sentence} (This has been proved.)"
        said.append(sentence)
    return tuple(said)


def _as_it_stands(ruleset: Ruleset) -> bool:
    """Whether the game is played with the ruleset's own parameters and operations."""
    written = mapping_of(ruleset.root.get("parameters"))
    for rule in ruleset.parameters.values():
        codes = rule.value if isinstance(rule.value, tuple) else (rule.value,)
        default = to_plain(mapping_of(written.get(rule.name)))["default"]
        if decode(rule.type, codes, ruleset.words) != default:
            return False
    operations = mapping_of(ruleset.root.get("operations"))
    off = {key.text for key, node in operations if to_plain(node).get("enabled") is False}
    return off == {operation.name for operation in ruleset.disabled}


def _sentence(name: str, claimed: bool | float) -> str:
    if name == "fair_within":
        return f"The players' chances lie at most {claimed:g} apart."
    if name in SENTENCES and isinstance(claimed, bool):
        return SENTENCES[name][0 if claimed else 1]
    return f"{name.replace('_', ' ').capitalize()}: {str(claimed).lower()}."
