"""The claims about reachability: draws, stuck players, every operation, every end rule."""

from __future__ import annotations

import numpy as np

from rulegame.model import Claim
from rulegame.proving.findings import Evidence
from rulegame.proving.inquiry import Inquiry


def no_draws(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether no reachable end is a draw."""
    drawn = np.array([*(outcome.draw for outcome in inquiry.graph.outcomes), False])
    state = inquiry.paths.nearest(drawn[inquiry.graph.outcome])
    if state is None:
        return Evidence(True, "no game ends in a draw")
    rule = inquiry.graph.outcomes[inquiry.graph.outcome[state]].rule
    play = inquiry.plays.moves(inquiry.paths.to(state))
    return Evidence(False, f"a draw, by the rule '{rule}'", play)


def never_stuck(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether the player always has a valid move, and one that fulfils `unless`."""
    if inquiry.first_stuck is None:
        return Evidence(True, "nobody is ever stuck")
    edge, event = inquiry.first_stuck
    way: list[int] = []
    if edge is not None:
        way = [*inquiry.paths.to(int(inquiry.plays.sources[edge])), edge]
    player = inquiry.game.players[event.player]
    return Evidence(False, f"{player} is stuck", inquiry.plays.moves(way))


def unused_operations(inquiry: Inquiry) -> list[str]:
    """The enabled operations that are valid in no reachable state."""
    graph = inquiry.graph
    chosen = np.unique(graph.moves[~inquiry.plays.rolls[inquiry.plays.sources]])
    used = {graph.move_table[move].operation for move in chosen.tolist()}
    return [o.name for o in inquiry.game.ruleset.operations if o.name not in used]


def every_operation_used(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether each enabled operation is valid in some reachable state."""
    unused = unused_operations(inquiry)
    if not unused:
        return Evidence(True, "every operation is valid in some position")
    return Evidence(False, f"never valid: {', '.join(unused)}")


def unreached_ends(inquiry: Inquiry) -> list[str]:
    """The end rules that decide no reachable end."""
    decided = {outcome.rule for outcome in inquiry.graph.outcomes}
    return [rule.name for rule in inquiry.game.ruleset.end if rule.name not in decided]


def every_end_rule_reached(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether each end rule decides some game."""
    unreached = unreached_ends(inquiry)
    if not unreached:
        return Evidence(True, "every end rule can end a game")
    return Evidence(False, f"never end a game: {', '.join(unreached)}")
