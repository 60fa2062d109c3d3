"""The sections of a rulebook, each made from the model of the ruleset and from games that the
engine played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulegame.evaluation.values import decode
from rulegame.game import Game
from rulegame.language import typed
from rulegame.language.typed import owner_key
from rulegame.language.types import Bool, Grid, List, Optional, Set
from rulegame.model import (
    Effects,
    EndRule,
    Operation,
    Roll,
    Ruleset,
    StateValue,
    Together,
    Validity,
    Verdict,
)
from rulegame.model.analysis import may_be, may_divide_by_zero
from rulegame.rulebook.boards import boards
from rulegame.rulebook.deeds import (
    choice_sentence,
    effect_clauses,
    next_sentence,
    roll_sentence,
    seen_by,
    step_sentences,
    together,
    wording_for,
)
from rulegame.rulebook.document import Block, ItemList
from rulegame.rulebook.examples import barred_moves, operation_example, plain, rule_example
from rulegame.rulebook.markup import and_list, capital, clean, code, full_stop, strong
from rulegame.rulebook.nouns import spoken
from rulegame.rulebook.plays import Plays
from rulegame.rulebook.quoting import quoted, worded
from rulegame.rulebook.selections import COUNTS
from rulegame.rulebook.verdicts import afterwards, end_sentence, readable, required, stuck_sentences
from rulegame.rulebook.wording import Wording

# ---- objective


def objective(game: Game, may_be_stuck: bool) -> Iterator[Block]:
    """How the game is won and lost: by its end rules, and by leaving others without a move."""
    ruleset = game.ruleset
    ways = [rule for rule in ruleset.end if _may_decide(ruleset, rule.verdict)]
    stuck = _won_by_stuck(ruleset) if may_be_stuck else []
    told = ways if ways or stuck else list(ruleset.end)
    sentences = [end_sentence(ruleset, rule) for rule in told]
    if any(_may_be_too_late(ruleset, rule) for rule in told):
        sentences.append("If several end conditions are met at once, the first listed one counts.")
    if sentences or stuck:
        yield " ".join([*sentences, *stuck])


def _won_by_stuck(ruleset: Ruleset) -> list[str]:
    """How a player without a valid move decides the game; empty if that decides nothing."""
    stuck = ruleset.stuck
    others = len(ruleset.players) > 1
    loses = _is_result(ruleset, stuck.verdict, "lose")
    if loses and not others:
        return []
    plain_loss = loses and not (stuck.told or stuck.unless or ruleset.together)
    if plain_loss and len(ruleset.players) == 2:
        also = "also " if ruleset.end else ""
        return [f"You {also}win if your opponent has no valid move when it is their turn."]
    sentences = list(stuck_sentences(ruleset))
    if _may_decide(ruleset, stuck.verdict):
        return sentences if ruleset.together else sentences[:1]
    passes = _is_result(ruleset, stuck.verdict, "pass") and not stuck.told
    return sentences[-1:] if passes and _may_decide(ruleset, stuck.all_verdict) else []


def _is_result(ruleset: Ruleset, verdict: Verdict, word: str) -> bool:
    """Whether a verdict is this result, whatever the state."""
    if verdict.result is None:
        return False
    result = wording_for(ruleset).folded(verdict.result)
    return isinstance(result, typed.Constant) and result.code == ruleset.words.index(word)


def _may_decide(ruleset: Ruleset, verdict: Verdict) -> bool:
    """Whether a verdict may be other than a draw or a pass."""
    if verdict.result is None:
        return True
    result = wording_for(ruleset).folded(verdict.result)
    return any(may_be(result, ruleset.words.index(word)) for word in ("win", "lose"))


def _may_be_too_late(ruleset: Ruleset, rule: EndRule) -> bool:
    """Whether a rule above this one may have ended the game otherwise."""
    above = ruleset.end[: ruleset.end.index(rule)]
    return any(one.verdict != rule.verdict for one in above)


# ---- setup


def setup(game: Game) -> Iterator[Block]:
    """Who plays, what there is at the start, and what comes before the first turn."""
    ruleset = game.ruleset
    names = [clean(name) for name in ruleset.players]
    count = COUNTS[str(len(names))]
    players = f"{count} player{'s' if len(names) > 1 else ''}"
    yield f"A game for {players}: {and_list(names)}."
    w = wording_for(ruleset)
    lines = [_start(game, w, value) for value in ruleset.state.values()]
    if lines:
        yield ItemList(tuple(lines))
    yield from boards(w, game.begin({}), "at the start", bare=False)
    if ruleset.setup and all(_asks_everyone(ruleset, o) for o in ruleset.setup):
        everyone = "the player makes" if len(names) == 1 else "each player in turn makes"
        choices = "this choice" if len(ruleset.setup) == 1 else "these choices"
        yield f"Before the first turn {everyone} {choices}:"
        yield ItemList(tuple(deed(ruleset, o) for o in ruleset.setup))
    elif ruleset.setup:
        yield f"Before the first turn{', in this order' if len(ruleset.setup) > 1 else ''}:"
        yield ItemList(tuple(deed(ruleset, o, _for_whom(ruleset, o)) for o in ruleset.setup))


def _asks_everyone(ruleset: Ruleset, operation: Operation) -> bool:
    every = len(operation.seats) == len(ruleset.players)
    return bool(operation.choices) and every and operation.when is None


def _for_whom(ruleset: Ruleset, operation: Operation) -> str:
    """For whom an entry of the setup is done, as a sentence."""
    if operation.once:
        return "Once, for the table."
    if len(ruleset.players) == 1:
        return ""
    if len(operation.seats) == len(ruleset.players):
        return "Each player in turn." if operation.choices else "For each player in turn."
    names = [clean(ruleset.players[seat]) for seat in operation.seats]
    return f"For {and_list(names)} alone." if names else "For nobody."


def _start(game: Game, w: Wording, value: StateValue) -> str:
    variable, each = value.variable, value.variable.each_player
    start = _start_value(game, value)
    many = not each and w.names.noun(variable).plural
    said = [_starts(w, variable.type, start[0] if each else start)]
    if many:
        said = [text.replace("starts ", "start ", 1) for text in said]
    if each and any(one != start[0] for one in start):
        pairs = zip(w.names.players, start, strict=True)
        said = [and_list([f"{n}: {_starts(w, variable.type, v)}" for n, v in pairs])]
    if each and len(start) > 1:
        said.insert(0, "one for each player")
    if value.seen_by != "all":
        said.append(seen_by(game.players, value.seen_by, "its owner"))
    text = f"{strong(capital(spoken(variable.name)))}: {'; '.join(said)}."
    told = clean(value.about)
    return f"{text} {full_stop(told)}" if told else text


def _start_value(game: Game, value: StateValue) -> Any:
    """What a value starts as, before the setup and the first turn; of each player, a list."""
    kernel, variable = game.kernel, value.variable
    cells, words = kernel.turn(0), game.ruleset.words
    seats = range(len(game.players) if variable.each_player else 1)
    places = (kernel.places(variable.name, seat) for seat in seats)
    found = [decode(variable.type, cells[at.start : at.stop], words) for at in places]
    return found if variable.each_player else found[0]


def _starts(w: Wording, type_: object, start: object) -> str:
    match type_:
        case Grid(of=of, rows=rows, columns=columns):
            cells = [cell for row in start for cell in row]  # type: ignore[attr-defined]
            size = f"{rows} rows of {columns} cells" if rows > 1 else f"a row of {columns} cells"
            if all(cell == cells[0] for cell in cells):
                first = plain(w, of, cells[0])
                number = first.lstrip("-").isdigit()
                first = "empty" if cells[0] is None else f"at {first}" if number else first
                return f"{size}, all {first} at the start"
            return f"{size}, some of them not empty at the start"
        case Set():
            return f"starts with {plain(w, type_, start)}" if start else "empty at the start"
        case List():
            return f"starts as {plain(w, type_, start)}"
        case Optional() if start is None:
            return "not set at the start"
    assert not isinstance(type_, (Grid, Set, List))
    if isinstance(start, bool):
        return f"{'yes' if start else 'no'} at the start"
    number = isinstance(start, int)
    shown = plain(w, type_, start)  # type: ignore[arg-type]
    return f"starts at {shown}" if number and shown.lstrip("-").isdigit() else f"starts as {shown}"


# ---- turn


def turn(game: Game, never_stuck: bool) -> Iterator[Block]:
    """Who moves when, what is rolled, and in which order one decides."""
    ruleset = game.ruleset
    w = wording_for(ruleset)
    said = []
    if ruleset.together is not None:
        yield " ".join(_turn_of_all(ruleset, ruleset.together))
        return
    if len(ruleset.players) == 1:
        said.append("You make one move after the other.")
    else:
        first = ruleset.turn.first
        begins = "Agree on who moves first."
        if first is not None:
            begins = f"{_opener(w, ruleset) or clean(ruleset.players[first])} moves first."
        said.append(begins)
        unless = any(o.next is not None for o in ruleset.operations)
        following = ruleset.turn.next
        if following is not None and owner_key(following) != "me" and not _is_default(following):
            source = ruleset.turn.sources["next"]
            unless_ = "After a move" + (" (unless an operation says otherwise)" if unless else "")
            said.append(f"{unless_}: {next_sentence(w, following, source)}")
        elif following is not None and owner_key(following) == "me":
            said.append(f"After a move you move again{_unless(unless)}.")
        elif len(ruleset.players) == 2:
            said.append(f"Then the players take turns{_unless(unless)}.")
        else:
            order = and_list([clean(name) for name in ruleset.players])
            said.append(f"Then the turn goes round, in this order: {order}{_unless(unless)}.")
    if ruleset.turn.begin is not None:
        clauses = effect_clauses(w, ruleset.turn.begin)
        said.append(f"At the beginning of your turn, {together(clauses)}.")
    said += (_at_beginning(w, ruleset, roll) for roll in ruleset.turn.rolls)
    several = len(ruleset.operations) > 1
    what = "one of the operations below" if several else "the operation below"
    must = f"carry out {what}" if never_stuck else f"must carry out {what}, unless you are stuck"
    said.append(f"In your turn you {must}.")
    if ruleset.turn.common:
        steps = step_sentences(w, ruleset.turn.common, ruleset.turn.common_told)
        said.append(" ".join(["After every move:", *steps]))
    if ruleset.turn.forced:
        said.append("If you have only one valid move, it is played automatically.")
    asked = [_asked(name) for name in ruleset.turn.ask]
    if len(asked) > 1:
        said.append(f"First choose {', then '.join(asked)}.")
    yield " ".join(said)


def _opener(w: Wording, ruleset: Ruleset) -> str:
    """Who begins, where the setup decides that."""
    opener = ruleset.turn.opener
    if opener is None:
        return ""
    said = worded(ruleset, lambda: w.value(opener), opener)
    return capital(said or f"the player {quoted(ruleset, ruleset.turn.sources['first'])}")


def _at_beginning(w: Wording, ruleset: Ruleset, roll: Roll) -> str:
    """A roll of the turn, with the condition under which it takes place."""
    told = _lower(roll_sentence(w, roll))
    if roll.when is None:
        return f"At the beginning of your turn, {told}"
    when = readable(w, roll.when, roll.sources["when"])
    return f"At the beginning of your turn, if {when}, {told}"


def _turn_of_all(ruleset: Ruleset, together: Together) -> Iterator[str]:
    """A turn in which players choose at once."""
    w = wording_for(ruleset, together.done)
    for roll in ruleset.turn.rolls:
        yield f"At the beginning of a turn, {_lower(roll_sentence(w, roll))}"
    what = "one of the operations below" if len(ruleset.operations) > 1 else "the operation below"
    who = "all players"
    if not together.everyone:
        who = worded(ruleset, lambda: w.value(together.who), together.who) or quoted(
            ruleset, ruleset.turn.sources["together"]
        )
    begin = "Then" if ruleset.turn.rolls else "In every turn"
    yield (
        f"{begin} {who} choose {what} at once: nobody sees what the others choose before everyone "
        "has chosen."
    )
    kept = [operation.secret for operation in ruleset.operations]
    shown = "" if all(kept) else "shown, unless it is secret, and " if any(kept) else "shown, and "
    yield f"Then it is {shown}carried out for all at once, each from what was before."
    steps = list(step_sentences(w, together.done.steps, together.done.steps_told))
    if steps:
        yield " ".join(["After that:", *steps])
    if ruleset.turn.forced:
        yield "If you have only one valid move, it is played automatically."


def _is_default(following: typed.Typed) -> bool:
    """Whether the next seat follows, as it would anyway."""
    match following:
        case typed.Call(function="next", arguments=(typed.Seat(which="me"),)):
            return True
    return False


def _asked(name: str) -> str:
    return "the operation" if name == "operation" else spoken(name)


def _unless(there_are: bool) -> str:
    return ", unless an operation says otherwise" if there_are else ""


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


# ---- operations


def operations(game: Game, plays: Plays) -> Iterator[Block]:
    """What a player can do, each with an example."""
    lines = []
    for operation in game.ruleset.operations:
        w = wording_for(game.ruleset, operation)
        example = operation_example(w, plays, operation)
        lines.append(f"{deed(game.ruleset, operation)} {example}".strip())
    yield ItemList(tuple(lines))


def deed(ruleset: Ruleset, operation: Operation, whom: str = "") -> str:
    """An operation: what it is, what is chosen, what it does, and when it can be used; `whom` says
    for whom it is done, of an entry of the setup.
    """
    w = wording_for(ruleset, operation)
    said = [f"{_heading(operation)}:", *([whom] if whom else [])]
    told = clean(operation.told)
    if told:
        said.append(full_stop(told))
    if operation.when is not None and w.folded(operation.when) != typed.Constant(Bool(), 1):
        when = readable(w, operation.when, operation.sources["when"])
        said.append(f"{'Only' if operation.setup else 'Possible only'} if {when}.")
    said += [choice_sentence(w, choice) for choice in operation.choices]
    if not told or not _is_plain(operation):
        steps = list(step_sentences(w, operation.own_steps, operation.steps_told))
        nothing = ruleset.together is None or operation.setup
        said += steps if steps or told or not nothing else ["This changes nothing."]
    if operation.next is not None:
        said.append(next_sentence(w, operation.next, operation.sources["next"]))
    if operation.secret:
        said.append("Keep this choice secret.")
    return " ".join(said)


def _heading(operation: Operation) -> str:
    """The label, and what else can be typed for it."""
    label = clean(operation.label) or operation.name
    others = []
    if spoken(operation.name).casefold() != label.casefold():
        others.append(code(operation.name))
    if operation.key:
        others.append(f"key {code(operation.key)}")
    return strong(label) + (f" ({', '.join(others)})" if others else "")


def _is_plain(operation: Operation) -> bool:
    """Whether one line says it all: one effect, nothing chosen or rolled."""
    if operation.choices:
        return False
    match operation.own_steps:
        case (Effects(writes=(_,), when=None, repeat=None, while_=None),):
            return True
    return False


# ---- validity


def validity(game: Game, plays: Plays) -> Iterator[Block]:
    """Which moves are not allowed, each rule with an example."""
    ruleset = game.ruleset
    lines = []
    barred = barred_moves(game, plays)
    for rule in ruleset.validity:
        applies = _applies(ruleset, rule)
        if any(operation.name not in rule.forgone for operation in applies):
            w = wording_for(ruleset, applies[0])
            example = rule_example(w, rule, barred[rule.name]) if rule.name in barred else ""
            lines.append(f"{rule_sentence(ruleset, rule, applies)} {example}".strip())
    if any(may_divide_by_zero(operation) for operation in ruleset.operations):
        lines.append("A move that would divide by zero is not allowed.")
    if lines:
        yield (
            "A move is valid only if it follows these rules:"
            if len(lines) > 1
            else ("A move is valid only if it follows this rule:")
        )
        yield ItemList(tuple(lines))
    else:
        yield "Every move that the operations offer is valid."


def _applies(ruleset: Ruleset, rule: Validity) -> list[Operation]:
    """The operations in the game that the rule is about."""
    return [o for o in (*ruleset.setup, *ruleset.operations) if o.name in rule.requires]


def rule_sentence(ruleset: Ruleset, rule: Validity, applies: list[Operation]) -> str:
    """`Not repeated: n is not the number that was subtracted last.`"""
    name = strong(capital(spoken(rule.name)))
    told = clean(rule.told)
    if told:
        return f"{name}: {full_stop(told)}"
    if rule.compulsory:
        return f"{name}: {_compulsion(ruleset, rule, applies)}"
    said: dict[str, list[str]] = {}
    for operation in applies:
        w = wording_for(ruleset, operation)
        require = rule.requires[operation.name]
        words = afterwards(*required(w, require, rule.source))
        said.setdefault(words, []).append(clean(operation.label))
    everyone = tuple(applies) == ruleset.operations and len(said) == 1
    if everyone:
        return f"{name}: {_must(next(iter(said)))}"
    parts = [
        f"{and_list(labels, 'or')} is allowed only if {words}.".replace(" ,", ",")
        for words, labels in said.items()
    ]
    return f"{name}: {' '.join(parts)}"


def _compulsion(ruleset: Ruleset, rule: Validity, applies: list[Operation]) -> str:
    """`If Take is possible so that n is at least 3, you must choose such a move.`"""
    bound = [o for o in applies if o.name not in rule.forgone]
    others = [clean(o.label) for o in applies if o.name in rule.forgone]
    conditions = [rule.requires[o.name] for o in bound]
    labels = and_list([clean(o.label) for o in bound], "or")
    instead = f" instead of {and_list(others, 'or')}" if others else ""
    if all(isinstance(one, typed.Constant) for one in conditions):
        return f"If {labels} is possible, you must choose it{instead}."
    said = dict.fromkeys(
        afterwards(*required(wording_for(ruleset, o), rule.requires[o.name], rule.source))
        for o in bound
    )
    everyone = tuple(bound) == ruleset.operations
    what = "a move" if everyone else labels
    words = "; or ".join(said).replace(" ,", ",")
    return f"If {what} is possible so that {words}, you must choose such a move{instead}."


def _must(words: str) -> str:
    return f"A move is allowed only if {words}.".replace(" ,", ",")


# ---- how it ends


def end(game: Game, never_stuck: bool) -> Iterator[Block]:
    """The end rules in order."""
    rules = game.ruleset.end
    if not rules:
        yield (
            "No rule ends this game, and nobody is ever stuck: it never ends."
            if never_stuck
            else "No rule ends this game: it ends only when players are stuck."
        )
        return
    lines = tuple(
        f"{strong(capital(spoken(rule.name)))}: {end_sentence(game.ruleset, rule)}"
        for rule in rules
    )
    if len(lines) > 1:
        yield "After every move these rules are checked in order; the first that applies decides."
    yield ItemList(lines)


def stuck(game: Game, never: bool, claimed: bool) -> Iterator[Block]:
    """What happens to a player without a valid move; that there is none such, if it is known, or
    only `claimed`.
    """
    ruleset = game.ruleset
    if never and not clean(ruleset.stuck.told):
        yield "This cannot happen: you always have a valid move."
        return
    lead = ["The author claims that this never happens."] if claimed else []
    yield " ".join([*lead, *stuck_sentences(ruleset)])
