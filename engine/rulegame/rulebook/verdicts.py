"""How a game ends, in English: the end rules, and what happens to a player who is stuck."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.language.types import PlayerType
from rulegame.model import EndRule, Ruleset, Sources, Verdict
from rulegame.model.analysis import names_everyone
from rulegame.rulebook.cases import cases
from rulegame.rulebook.deeds import effect_clauses, together, wording_for
from rulegame.rulebook.markup import and_list, capital, clean, full_stop
from rulegame.rulebook.phrases import NoWords, is_joined, joined_apart
from rulegame.rulebook.quoting import Written, quoted, worded
from rulegame.rulebook.wording import Wording

NEVER = "This never applies."
PLAIN = ("you win", "you lose", "everyone wins", "everyone loses", "the game is a draw")


def readable(w: Wording, condition: Typed, source: Written) -> str:
    """The words for a condition, or the expression."""
    words = worded(w.ruleset, lambda: w.condition(condition), condition)
    return f"{quoted(w.ruleset, source)} holds" if words is None else words


def required(w: Wording, condition: Typed, source: Written) -> tuple[str, bool]:
    """The words for what a move must fulfil, and whether they are about what is afterwards."""
    later: list[bool] = []

    def say() -> str:
        words, afterwards = w.about_move(condition)
        later.append(afterwards)
        return words

    words = worded(w.ruleset, say, condition)
    if words is None:
        return f"{quoted(w.ruleset, source)} holds", False
    return words, later[0]


def afterwards(words: str, later: bool) -> str:
    """Behind `only if`: `your score is at least 0 afterwards`."""
    if not later:
        return words
    return f", afterwards, {words}" if is_joined(words) else f"{words} afterwards"


def end_sentence(ruleset: Ruleset, rule: EndRule) -> str:
    """`If your score is exactly 0 after your move, you win.`"""
    said = clean(rule.told)
    if said:
        return full_stop(said)
    w = wording_for(ruleset)
    condition = w.folded(rule.when)
    verdict = verdict_clause(w, rule.verdict, rule.sources)
    if isinstance(condition, typed.Constant):
        every = "turn" if ruleset.together is not None else "move"
        return capital(f"{verdict} after every {every}.") if condition.code else NEVER
    when = readable(w, condition, rule.sources["when"])
    move = "a turn" if ruleset.together is not None else "your move"
    after = f", after {move}, {when}" if is_joined(when) else f"{when} after {move}"
    if verdict in PLAIN:
        return capital(f"{verdict} if {after}.".replace(" ,", ","))
    colon = ":" if " if " in verdict else ","
    return f"If {after}{colon} {verdict}.".replace(" ,", ",")


def verdict_clause(w: Wording, verdict: Verdict, sources: Sources, who: str = "you") -> str:
    """What an end means: `you win`."""
    if verdict.result is not None:
        result = verdict.result
        said = worded(w.ruleset, lambda: _by_case(w, result, who), result)
        if said is None:
            return f"the result for {who} is {quoted(w.ruleset, sources['result'])}"
        return said
    if verdict.winners is not None:
        winners = verdict.winners
        said = worded(w.ruleset, lambda: _winners(w, winners), winners)
        if said is None:
            return f"the winners are {quoted(w.ruleset, sources['winners'])}{_tie(w)}"
        return said
    if verdict.everyone is not None:
        everyone = verdict.everyone
        said = worded(w.ruleset, lambda: _by_case(w, everyone, _everyone(w)), everyone)
        if said is None:
            return f"the result for {_everyone(w)} is {quoted(w.ruleset, sources['everyone'])}"
        return said
    if verdict.score is not None:
        return _scored(w, verdict.score, sources)
    assert verdict.payoff is not None
    return _paid(w, verdict.payoff, sources)


def _everyone(w: Wording) -> str:
    return "everyone" if len(w.names.players) > 1 else "you"


def _scored(w: Wording, score: Typed, sources: Sources) -> str:
    """What all players reach together."""
    amount = worded(w.ruleset, lambda: w.value(score), score)
    amount = quoted(w.ruleset, sources["score"]) if amount is None else amount
    whose = "your score" if len(w.names.players) == 1 else "the score of all players together"
    return f"the game is over, and {whose} is {amount}{_unit(w)}"


def _unit(w: Wording) -> str:
    return "" if w.ruleset.unit == 1 else f", in units of {w.ruleset.unit}"


def _paid(w: Wording, payoff: Typed, sources: Sources) -> str:
    """What each player gets, and what that means."""
    unit = _unit(w)
    if len(w.names.players) == 1:
        score = worded(w.ruleset, lambda: _score(w, payoff), payoff)
        if score is None:
            score = quoted(w.ruleset, sources["payoff"])
        return f"the game is over, and your score is {score}{unit}"
    gets = worded(w.ruleset, lambda: _payoff(w, payoff), payoff)
    if gets is None:
        source = quoted(w.ruleset, sources["payoff"])
        gets = f"the players get, in seat order, {source}"
    return f"{gets}{unit}, and whoever gets most wins (if all get the same, it is a draw)"


def _score(w: Wording, payoff: Typed) -> str:
    """What a single player gets."""
    match w.folded(payoff):
        case typed.Value(variable=variable, owner=None) if variable.each_player:
            return f"your {w.names.noun(variable).text}"
        case typed.ListLiteral(items=(item,)):
            return w.value(item)
    raise NoWords


def _tie(w: Wording) -> str:
    return " (if that is everyone or nobody, it is a draw)" if len(w.names.players) > 1 else ""


def _payoff(w: Wording, payoff: Typed) -> str:
    """What each player gets."""
    match w.folded(payoff):
        case typed.Value(variable=variable, owner=None) if variable.each_player:
            return f"each player gets their {w.names.noun(variable).text}"
        case typed.Aggregate(function="list", body=body, loops=(loop,)) if (
            w.kind(loop) == ("player", "") and loop.condition is None
        ):
            return f"each player gets {w.knowing(loop.name, 'that player').value(body)}"
        case typed.ListLiteral(items=items):
            pairs = zip(w.names.players, items, strict=False)
            return and_list([f"{player} gets {w.operand(item)}" for player, item in pairs])
    raise NoWords


def _by_case(w: Wording, result: Typed, who: str) -> str:
    """The result for the player who moved, or who is stuck: `you win if …, and otherwise …`."""
    said = []
    for condition, word in cases(w, result):
        when = "" if condition is None else f" if {joined_apart(w.condition(condition))}"
        said.append(_result(w, word, who) + when)
    last = said.pop()
    return ", otherwise ".join(said) + f", and otherwise {last}" if said else last


def _result(w: Wording, result: Typed, who: str) -> str:
    word = w.value(result)
    if word == "draw":
        return "the game is a draw"
    verbs = {"win": "wins", "lose": "loses", "pass": "passes"}
    if word not in verbs:
        raise NoWords
    return f"{who} {word if who == 'you' else verbs[word]}"


def _winners(w: Wording, winners: Typed) -> str:
    listed = cases(w, winners)
    said = []
    for condition, players in listed:
        when = "" if condition is None else f" if {joined_apart(w.condition(condition))}"
        said.append(_win(w, players) + when)
    return "; otherwise ".join(said)


def _win(w: Wording, winners: Typed) -> str:
    part, players = w.folded(winners), len(w.names.players)
    if isinstance(part.type, PlayerType):
        who = w.value(part)
        return f"{who} {'win' if who == 'you' else 'wins'}"
    if players > 1 and names_everyone(part, players):
        return "the game is a draw"
    if isinstance(part, typed.ListLiteral):
        if not part.items:
            return "the game is a draw"
        return f"{and_list([w.operand(item) for item in part.items])} win{_tie(w)}"
    return f"{w.value(part)} win{_tie(w)}"


def stuck_sentences(ruleset: Ruleset) -> Iterator[str]:
    """What happens to a player without a valid move."""
    said = clean(ruleset.stuck.told)
    if said:
        yield full_stop(said)
        return
    w, stuck = wording_for(ruleset), ruleset.stuck
    cases_ = "you have no valid move"
    if ruleset.end:  # which is asked first
        cases_ = f"the game is not over and {cases_}"
    if stuck.unless:
        unless = next(iter(stuck.unless.values()))
        words, later = required(w, unless, stuck.sources["unless"])
        which = "after which" if later else "for which"
        cases_ = f"{cases_}, or none {which} {joined_apart(words)}"
    verdict = verdict_clause(w, stuck.verdict, stuck.sources)
    passes = "you pass" in verdict
    over = ": your turn is over, and the next player moves" if verdict == "you pass" else ""
    if over and ruleset.together is not None:
        over = ": the others play this turn without you"
    colon = ":" if " if " in verdict else ","
    yield f"If {cases_}{colon} {verdict}{over}."
    if not passes:
        if ruleset.together is not None and " you " in f" {verdict} ":
            yield "If several are stuck at once, this applies to the first of them in seat order."
        return
    if not over and ruleset.together is not None:
        yield "When you pass, the others play this turn without you."
    elif not over:
        yield "When you pass, your turn is over, and the next player moves."
    yield from _pass_sentences(ruleset, w)


def _pass_sentences(ruleset: Ruleset, w: Wording) -> Iterator[str]:
    """What a pass changes, and what happens if all pass."""
    stuck = ruleset.stuck
    if stuck.effects is not None:
        clauses = effect_clauses(w, stuck.effects)
        if clauses:
            yield f"When you pass, {together(clauses)}."
    who = "the player whose turn is next (the first of them who passed)"
    everyone = "both players" if len(ruleset.players) == 2 else "all players"
    if len(ruleset.players) == 1:
        everyone = "you"
    told = wording_for(ruleset).of("that player")
    ending = verdict_clause(told, stuck.all_verdict, stuck.all_sources, who)
    how = "in one turn" if ruleset.together is not None else "one after the other"
    yield f"If {everyone} pass {how}, {ending}."
