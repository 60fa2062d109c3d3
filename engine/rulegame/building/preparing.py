"""What only entries of `setup` have: for whom they are done, and what makes no sense where nothing
is chosen.
"""

from __future__ import annotations

from typing import Final

from rulegame.building.context import Workbench
from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault
from rulegame.language.typed import Typed
from rulegame.language.types import List, PlayerType
from rulegame.language.vocabulary import Scope
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of

PRINTED: Final = "rolled"  # the one text of what happens by itself


def seats_of(bench: Workbench, node: MappingNode) -> tuple[int, ...]:
    """The players for whom an entry is done, one after the other; the first stands for the table
    where it is done once.
    """
    once = node.get("once")
    if isinstance(once, Scalar) and once.value is True:
        return (0,)
    entry = node.entries.get("for")
    if entry is None:
        return tuple(range(len(bench.players)))
    whom = bench.bound(entry.value, Scope(state=False, me=False))
    if whom is None:
        return ()
    of = whom.type.of if isinstance(whom.type, List) else whom.type
    if not isinstance(of, PlayerType):
        message = f"expected a player or a list of players here, not {whom.type}"
        bench.report("E303", message, entry.value, "as in players[1]")
        return ()
    found = _known_seats(bench, whom, entry.value)
    if len(set(found)) < len(found):
        message = "duplicate player"
        bench.report("E433", message, entry.value, "name each player once, or write two entries")
    return found


def _known_seats(bench: Workbench, whom: Typed, at: Node) -> tuple[int, ...]:
    try:
        found = evaluate(whom, len(bench.players))
    except Fault as fault:
        bench.report(fault.code, fault.message, at)
        return ()
    assert not isinstance(found, str)
    return (found,) if isinstance(found, int) else tuple(found)


def check_entry(bench: Workbench, key: Scalar, node: MappingNode) -> None:
    """What an entry cannot have together."""
    once, chosen = node.entries.get("once"), node.entries.get("choose")
    is_once = once is not None and isinstance(once.value, Scalar) and once.value.value is True
    if once is not None and is_once and node.get("for") is not None:
        message = "'once' and 'for' cannot be combined"
        bench.report("E204", message, once.key, "remove one of them")
    if chosen is not None and mapping_of(chosen.value).entries:
        if once is not None and is_once:
            message = "a setup entry with 'once' has no player to choose"
            bench.report("E431", message, chosen.key, "say who chooses: 'for: players[1]'")
        return
    secret = node.entries.get("secret")
    if secret is not None and isinstance(secret.value, Scalar) and secret.value.value is True:
        message = f"'{key.text}' has no choice: 'secret' applies only to choices"
        bench.report("E434", message, secret.key, "use 'seen by' to hide a roll")
    for text, _ in mapping_of(node.get("texts")):
        if text.text != PRINTED:
            message = f"'{key.text}' has no choice: its text '{text.text}' is never printed"
            hint = "use the 'text' of a roll, or the ruleset's text 'begin'"
            bench.report("E434", message, text, hint)
