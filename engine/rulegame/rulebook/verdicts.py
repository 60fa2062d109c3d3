"""How a game ends, in English: the end rules, and what happens to a player who is stuck."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulegame.expressions import typed
from rulegame.expressions.typed import Typed
from rulegame.model import EndRule, Ruleset, Verdict
from rulegame.nodes import Mapping, written
from rulegame.rulebook.deeds import effect_clauses, wording_for
from rulegame.rulebook.marks import and_list, capital, code, full_stop
from rulegame.rulebook.phrases import Wording
from rulegame.rulebook.sources import about, rule_node
from rulegame.types import List, Player

MOST_PARTS = 120  # of an expression that is put into words
LONGEST = 260  # characters of a condition in words; beyond, the expression itself is plainer


def readable(w: Wording, condition: Typed, expression: str, about_move: bool = False) -> str:
    """The words for a condition, or the expression, if they would be too many."""
    if len(typed.every_part(condition)) > MOST_PARTS:
        return f"{code(expression)} holds"
    words = w.about_move(condition) if about_move else w.condition(condition)
    return words if len(words) <= LONGEST else f"{code(expression)} holds"


def end_sentence(ruleset: Ruleset, rule: EndRule) -> str:
    """`If your score is exactly 0 after your move, you win.`"""
    said = about(ruleset, "end", rule.name)
    if said:
        return full_stop(said)
    w = wording_for(ruleset)
    node = rule_node(ruleset, "end", rule.name)
    condition = w.folded(rule.when)
    verdict = verdict_clause(w, rule.verdict, node)
    if isinstance(condition, typed.Constant):
        return capital(f"{verdict} after every move.") if condition.code else "This never applies."
    when = readable(w, condition, written(node.get("when")))
    simple = re.search(r" such that |,| and | or |\(", when) is None
    after = f"{when} after your move" if simple else f", after your move, {when}"
    if verdict in ("you win", "you lose", "the game is a draw"):
        return capital(f"{verdict} if {after}.".replace(" ,", ","))
    return f"If {after}, {verdict}.".replace(" ,", ",")


def verdict_clause(w: Wording, verdict: Verdict, node: Mapping, who: str = "you") -> str:
    """What an end means: `you win`."""
    if verdict.result is not None:
        return result_clause(w, verdict.result, who)
    if verdict.winners is not None:
        small = len(typed.every_part(verdict.winners)) <= MOST_PARTS
        winners = _winners(w, verdict.winners) if small else ""
        if winners and len(winners) <= LONGEST:
            return winners
        return f"the winner is {code(written(node.get('winners')))}"
    assert verdict.payoff is not None
    return f"{_payoff(w, verdict.payoff)}, and whoever gets most wins"


def _payoff(w: Wording, payoff: Typed) -> str:
    """What each player gets."""
    match w.folded(payoff):
        case typed.Value(variable=variable, owner=None) if variable.each_player:
            return f"each player gets their {w.names.noun(variable).text}"
        case typed.Aggregate(function="list", body=body, loops=(loop,)) if (
            w.kind(loop) == ("player", "") and loop.condition is None
        ):
            return f"each player gets {w.knowing(**{loop.name: 'that player'}).value(body)}"
        case typed.Row(items=items):
            pairs = zip(w.names.players, items, strict=False)
            return and_list([f"{player} gets {w.value(item)}" for player, item in pairs])
    return f"the players get, in seat order, {w.value(payoff)}"


def result_clause(w: Wording, result: Typed, who: str = "you") -> str:
    """The result for the player who moved, or who is stuck."""
    part = w.folded(result)
    if isinstance(part, typed.Conditional):
        then, otherwise = (result_clause(w, one, who) for one in (part.then, part.otherwise))
        return f"{then} if {w.condition(part.condition)}, and otherwise {otherwise}"
    word = w.value(part)
    third = who != "you"
    verbs = {"win": "win", "lose": "lose", "pass": "pass"}
    if word in verbs:
        ending = {"win": "wins", "lose": "loses", "pass": "passes"}[word] if third else verbs[word]
        return f"{who} {ending}"
    return "the game is a draw" if word == "draw" else f"the result for {who} is {word}"


def _winners(w: Wording, winners: Typed) -> str:
    part = w.folded(winners)
    if isinstance(part, typed.Conditional):
        first = f"{_winners(w, part.then)} if {w.condition(part.condition)}"
        return f"{first}; otherwise {_winners(w, part.otherwise)}"
    who = w.value(part)
    if isinstance(part.type, Player):
        return f"{who} {'win' if who == 'you' else 'wins'}"
    if isinstance(part, typed.Row) and isinstance(part.type, List):
        if not part.items:
            return "the game is a draw"
        return f"{and_list([w.value(item) for item in part.items])} win"
    return f"{who} win (if that is everyone or nobody, it is a draw)"


def stuck_sentences(ruleset: Ruleset) -> Iterator[str]:
    """What happens to a player without a valid move."""
    said = about(ruleset, "stuck")
    if said:
        yield full_stop(said)
        return
    w, stuck = wording_for(ruleset), ruleset.stuck
    node = rule_node(ruleset, "stuck")
    cases = "you have no valid move"
    if stuck.unless:
        unless = next(iter(stuck.unless.values()))
        words = readable(w, unless, written(node.get("unless")), about_move=True)
        after = f"after which {words.removesuffix(' afterwards')}"
        which = after if words.endswith(" afterwards") else f"for which {words}"
        cases = f"you have no valid move, or none {which}"
    verdict = verdict_clause(w, stuck.verdict, node)
    passes = "you pass" in verdict
    over = ": your turn is over, and the next player moves" if passes else ""
    yield f"If {cases}, {verdict}{over}."
    if not passes:
        return
    if stuck.effects is not None:
        clauses = list(effect_clauses(w, stuck.effects))
        if clauses:
            yield f"When you pass, {and_list(clauses)}."
    who = "the player whose turn is next (the first of them who passed)"
    everyone = "both players" if len(ruleset.players) == 2 else "all players"
    if len(ruleset.players) == 1:
        everyone = "you"
    told = wording_for(ruleset).of("that player")
    all_node = rule_node(ruleset, "stuck", "all")
    ending = verdict_clause(told, stuck.all_verdict, all_node, who)
    yield f"If {everyone} pass one after the other, {ending}."
