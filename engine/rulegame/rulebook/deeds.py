"""What operations do, in English: choices, rolls, effects, and whose turn is next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from rulegame.language import typed
from rulegame.language.shape import same
from rulegame.language.typed import Typed, Write
from rulegame.language.types import NONE_CODE, Bool, Nothing, Optional, PlayerType, Set, element_of
from rulegame.model import Choice, Effects, Operation, Roll, Ruleset, Sight, Step
from rulegame.rulebook.cases import cases
from rulegame.rulebook.folding import replaced
from rulegame.rulebook.markup import and_list, capital, clean, code, full_stop
from rulegame.rulebook.nouns import article, spoken
from rulegame.rulebook.order import all_at_once, in_order
from rulegame.rulebook.phrases import (
    NoWords,
    in_words,
    is_condition,
    is_joined,
    joined_apart,
    loop_name,
    which,
)
from rulegame.rulebook.quoting import Written, quoted, worded
from rulegame.rulebook.selections import COUNTS
from rulegame.rulebook.sets import change_of_set
from rulegame.rulebook.wording import Wording

MOST_LISTED = 20  # things that can be rolled, each with its chance
# Names of choices that cannot follow an article.
QUESTIONS = ("how", "what", "when", "where", "which", "who", "whom")
PREPOSITIONS = ("at", "by", "from", "in", "into", "of", "off", "on", "onto", "over", "to", "with")
NOT_NOUNS = frozenset((*QUESTIONS, *PREPOSITIONS))
DRAWN = ("ball", "card", "chip", "domino", "letter", "lot", "stone", "ticket", "tile", "token")
NOTHING: Final[Mapping[str, str]] = {}
MULTIPLES = {2: "doubled", 3: "tripled", 4: "quadrupled"}


def wording_for(ruleset: Ruleset, operation: Operation | None = None) -> Wording:
    """The words for expressions of an operation (or of the rules), which know choices and rolls."""
    known = {roll.name: f"the {spoken(roll.name)}" for roll in ruleset.turn.rolls}
    if operation is not None:
        known |= {roll.name: f"the {spoken(roll.name)}" for roll in operation.rolls}
        known |= {choice.name: chosen_name(choice) for choice in operation.choices}
    return Wording(ruleset, known)


def chosen_name(choice: Choice) -> str:
    """How a choice is referred to after it has been made."""
    if isinstance(choice.element, Set):
        return "the numbers that you choose"
    name = spoken(choice.name)
    if name in NOT_NOUNS:
        return f"the chosen {'player' if isinstance(choice.element, PlayerType) else f'‘{name}’'}"
    return name if len(name) <= 2 else f"the chosen {name}"


# ---- choices and rolls


def choice_sentence(w: Wording, choice: Choice) -> str:
    """`Choose n, a number from 1 to 9.`"""
    name = spoken(choice.name)
    if told := clean(choice.told):
        said = full_stop(in_words(told) or told)
        return f"Choose {name if len(name) <= 2 else article(name)}: {said}"
    say = partial(w.one_of, choice.collection, chosen_name(choice))
    from_ = worded(w.ruleset, say, choice.collection)
    if from_ is None:
        from_ = f"one of {quoted(w.ruleset, choice.sources['from'])}"
    if isinstance(choice.element, Set):
        return f"Choose {from_}."
    if from_ == article(name):
        return f"Choose {from_}."
    if name in NOT_NOUNS:
        return f"Choose ‘{name}’: {from_}."
    if len(name) <= 2:
        if from_.startswith("a number "):
            return f"Choose a number {name}{from_.removeprefix('a number')}."
        return f"Choose {name}: {from_}."
    return f"Choose {article(name)}: {from_}."


def roll_sentence(w: Wording, roll: Roll) -> str:
    """`Roll the die: a number from 1 to 6, each equally likely.`"""
    noun = spoken(roll.name)
    drawn = noun.split()[-1].lower() in DRAWN
    what = f"Draw {article(noun)}" if drawn else f"Roll the {noun}"
    seen = f"; {seen_by(w.names.players, roll.seen_by, 'you')}" if roll.seen_by else ""
    seen = "" if roll.seen_by == "all" else seen
    uneven = worded(w.ruleset, lambda: _uneven(w, roll), roll.collection, roll.weight)
    if uneven:
        return f"{what}: {uneven}{seen}."
    from_ = worded(w.ruleset, lambda: w.one_of(roll.collection, noun), roll.collection)
    if from_ is None:
        from_ = f"one of {quoted(w.ruleset, roll.sources['from'])}"
    if roll.weight is None:
        return f"{what}: {from_}, each equally likely{seen}."
    weight = _proportion(w, roll)
    if weight is None:
        weight = quoted(w.ruleset, roll.sources["weight"])
    return f"{what}: {from_}, each with a chance in proportion to {weight}{seen}."


def seen_by(players: Sequence[str], sight: Sight, owner: str) -> str:
    """Who sees something that not all see."""
    if isinstance(sight, tuple):
        return f"only {and_list([clean(players[seat]) for seat in sight])} can see it"
    if sight == "owner":
        return f"only {owner} {'see' if owner == 'you' else 'sees'} it"
    return f"all but {owner} see it" if sight == "others" else "nobody sees it"


def _proportion(w: Wording, roll: Roll) -> str | None:
    weight = roll.weight
    assert weight is not None
    return worded(
        w.ruleset, lambda: w.knowing(roll.name, f"the {spoken(roll.name)}").value(weight), weight
    )


def _uneven(w: Wording, roll: Roll) -> str:
    """`red (1 chance in 3) or green (2 chances in 3)`, of a list that has some of it several
    times; empty for any other.
    """
    part = w.folded(roll.collection)
    if isinstance(part, typed.Range):
        ends = w.folded(part.low), w.folded(part.high)
        if isinstance(ends[0], typed.Constant) and isinstance(ends[1], typed.Constant):
            numbers = range(ends[0].code, ends[1].code + 1)[:MOST_LISTED]
            items = tuple(typed.Constant(roll.element, number) for number in numbers)
            part = typed.ListLiteral(part.type, items)
    if not isinstance(part, typed.ListLiteral) or len(part.items) >= MOST_LISTED:
        return ""
    many: Counter[str] = Counter()
    for item in part.items:
        weight = _weight(w, roll, w.folded(item))
        if weight is None:
            return ""
        many[w.operand(item)] += weight
    if len(set(many.values())) == 1:
        return ""
    total = many.total()
    alike: dict[int, list[str]] = {}
    for value, share in many.items():
        if share > 0:
            alike.setdefault(share, []).append(value)
    if len(alike) == 1:
        ((values),) = alike.values()
        return f"{and_list(values, 'or')}, each equally likely"
    return and_list([_chances(v, n, total) for n, v in alike.items()], "or")


def _chances(values: list[str], share: int, total: int) -> str:
    """`6 (1 chance in 10)`, `one of 1, 2 and 3 (3 chances in 10 each)`."""
    chance = f"{share} chance{'s'[: share != 1]} in {total}"
    if len(values) == 1:
        return f"{values[0]} ({chance})"
    return f"one of {and_list(values)} ({chance} each)"


def _weight(w: Wording, roll: Roll, item: Typed) -> int | None:
    """The share of one thing that can be rolled, where it is known before the game."""
    if roll.weight is None:
        return 1
    share = w.folded(replaced(roll.weight, roll.name, item))
    return share.code if isinstance(share, typed.Constant) else None


# ---- effects


def step_sentences(
    w: Wording, steps: tuple[Step, ...], told: Mapping[str, str] = NOTHING
) -> Iterator[str]:
    """What the steps of an operation do, one after the other; `told` is what is said of some."""
    begun = tuple(step for step in steps if isinstance(step, Effects) and step.let)
    if begun:
        yield from _beginning(w, begun, steps[len(begun) :])
    for number, step in enumerate(steps):
        if number < len(begun):
            continue
        first = "Then " if number else ""
        if step.step in told:
            if step.step not in [earlier.step for earlier in steps[:number]]:
                yield full_stop(clean(told[step.step]))
            continue
        if isinstance(step, Roll):
            if not step.is_conditional:
                said = roll_sentence(w, step)
                yield f"{first}{_lower(said) if first else said}"
            continue
        clauses = effect_clauses(w, step)
        rolls = [o for o in steps if isinstance(o, Roll) and o.is_conditional]
        rolled = [_lower(roll_sentence(w, o)) for o in rolls if o.step == step.step]
        if not clauses and not rolled:
            continue
        lead = _lead(w, step)
        first = "Then " if number > len(rolled) else ""
        then = first.replace(" ", ", ") if lead else first
        parts = [said.removesuffix(".") for said in rolled] + [together(clauses)] * bool(clauses)
        yield capital(f"{then}{lead}{'; then '.join(parts)}.")


def _beginning(
    w: Wording, steps: tuple[Effects, ...], following: tuple[Step, ...]
) -> Iterator[str]:
    """What the values of a move are: those that stay the same, and those that the following steps
    change, as they are at first.
    """
    changing = {
        write.variable.name
        for step in following
        if isinstance(step, Effects)
        for write in step.writes
    }
    said: dict[str, list[str]] = {}
    for step in steps:
        for write in step.writes:
            words = worded(w.ruleset, partial(_start, w, write), *_parts(write))
            lead = "At first" if write.variable.name in changing else "During this move"
            said.setdefault(lead, []).append(words or _quoted_effect(w, write))
    for lead, clauses in said.items():
        yield f"{lead}, {together(clauses)}."


def _start(w: Wording, write: Write) -> str:
    """`the hand is the number of seeds in the pit`."""
    if isinstance(write.variable.type, Bool) or len(cases(w, write.value)) > 1:
        return _effect(w, write)
    is_ = "are" if w.is_plural(_as_value(write)) else "is"
    return f"{w.target(write)} {is_} {w.plain(w.folded(write.value))}"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _lead(w: Wording, step: Effects) -> str:
    """When a step happens, and how often."""
    lead = f"if {_if(w, step.when, step.sources['when'])}, " if step.when is not None else ""
    if step.repeat is not None:
        repeat = step.repeat
        times = worded(w.ruleset, lambda: w.operand(repeat), repeat)
        if times is None:
            times = quoted(w.ruleset, step.sources["repeat"])
        often = f"{COUNTS.get(times, times)} time{'s'[: times != '1']}"
        lead += f"at most {often}, " if step.while_ is not None else f"{often}, "
    if step.while_ is not None:
        again = "" if step.repeat is not None else "again and again "
        lead += f"{again}as long as {_if(w, step.while_, step.sources['while'])}, "
    return lead


def _if(w: Wording, condition: Typed, source: Written) -> str:
    words = worded(w.ruleset, lambda: joined_apart(w.condition(condition)), condition)
    return f"{quoted(w.ruleset, source)} holds" if words is None else words


def together(clauses: list[str]) -> str:
    """Several clauses as one; where one of them has parts, none can be taken for another's."""
    if len(clauses) == 1:
        return clauses[0]
    if any(_is_long(clause) for clause in clauses):
        return f"{'; '.join(clauses[:-1])}; and {clauses[-1]}"
    return f"{', '.join(clauses[:-1])}, and {clauses[-1]}"


def _is_long(clause: str) -> bool:
    return is_joined(clause)


def effect_clauses(w: Wording, step: Effects) -> list[str]:
    """What each effect does: `your score goes down by n`, in an order in which each can be carried
    out after the other; if there is none, it is said that they are all done at once.
    """
    writes = in_order(step.writes)
    said: list[str] = []
    for number, write in enumerate(writes):
        copied = next((one for one in writes[:number] if _is_copy(one, write)), None)
        text = worded(w.ruleset, partial(_clause, w, write, copied), *_parts(write))
        said.append(text if text is not None else _quoted_effect(w, write))
    said = list(dict.fromkeys(said))  # what a list gives to all players is said once
    if said and all_at_once(writes):
        said[0] = f"all at once, {said[0]}"
    return said


def _parts(write: Write) -> list[Typed | None]:
    return [write.value, write.owner, *write.indices, *typed.loop_parts(write.loops)]


def _quoted_effect(w: Wording, write: Write) -> str:
    """The effect as its author wrote it."""
    target, value = write.place.passage.written, write.source.passage
    if write.variable.each_player and target == write.variable.name:
        noun = w.names.noun(write.variable).text
        return f"every player's {noun} becomes that of the seat in {quoted(w.ruleset, value)}"
    if not write.loops:
        try:
            plural = not write.indices and w.is_plural(_as_value(write))
            becomes = "become" if plural else "becomes"
            return f"{w.target(write)} {becomes} {quoted(w.ruleset, value)}"
        except NoWords:
            pass
    word = " if " if any(map(is_condition, write.loops)) else " for "
    place, found, rest = target.partition(word)
    each = f"{word}{code(rest)}" if found else ""
    return f"{code(place)} becomes {quoted(w.ruleset, value)}{each}"


def _is_copy(earlier: Write, write: Write) -> bool:
    """Whether a value becomes what another one has just become."""
    plain = earlier.owner is None and not earlier.indices and not earlier.loops
    computed = not isinstance(write.value, (typed.Constant, typed.Local, typed.Value))
    return plain and computed and same(earlier.value, write.value)


def _clause(w: Wording, write: Write, copied: Write | None) -> str:
    inner, lead = _for_every(w, write) if write.loops else (w, "")
    if copied is not None:
        new = inner.target(copied).removeprefix("the ")
        return f"{lead}{inner.target(write)} becomes the new {new}"
    return lead + _effect(inner, write)


def _for_every(w: Wording, write: Write) -> tuple[Wording, str]:
    """The words inside the loops of an effect, and what introduces them."""
    loop = write.loops[0]
    if is_condition(loop):
        noun = ""
    else:
        noun, _ = w.kind(loop)
    if len(write.loops) == 1 and loop.condition is None and noun == "player" and not write.indices:
        mentions = [p for p in typed.every_part(write.value) if isinstance(p, typed.Local)]
        if not any(p.name == loop.name for p in mentions):
            return w.knowing(loop.name, "every player"), ""
    inner, lead = w, ""
    for one in write.loops:
        if is_condition(one):
            assert one.condition is not None
            lead += f"if {joined_apart(inner.condition(one.condition))}, "
            continue
        noun, where = inner.kind(one)
        name = loop_name(one)
        inner = inner.knowing(one.name, name)
        such = ""
        if one.condition is not None:
            such = f" {which(noun)} {joined_apart(inner.condition(one.condition))}"
        lead += f"for every {noun} {name}{where}{such}, "
    return inner, lead


def _effect(w: Wording, write: Write) -> str:
    subject, old = w.target(write), _as_value(write)
    plural = not write.indices and w.is_plural(old)
    listed = cases(w, write.value)
    if len(listed) == 1:
        return _change(w, subject, plural, old, write.value)
    said = []
    for number, (condition, value) in enumerate(listed):
        if isinstance(value.type, Bool) and not isinstance(value, typed.Constant):
            raise NoWords  # `true if …, and false if not` inside of another if
        it = ("they" if plural else "it") if number else subject
        change = _change(w, it, plural, old, value)
        when = "" if condition is None else f" if {joined_apart(w.condition(condition))}"
        said.append(change + when)
    return ", otherwise ".join(said)


def _as_value(write: Write) -> Typed:
    whole = typed.Value(write.variable.type, write.variable, write.owner, "now")
    if not write.indices:
        return whole
    return typed.Element(element_of(whole.type) or whole.type, whole, write.indices, write.place)


def _change(w: Wording, subject: str, plural: bool, old: Typed, value: Typed) -> str:
    """How one value changes."""
    new = w.folded(value)
    is_, goes, becomes = ("are", "go", "become") if plural else ("is", "goes", "becomes")
    if same(new, old):
        return f"{subject} {'stay' if plural else 'stays'} as {'they are' if plural else 'it is'}"
    added = _added(new, old)
    if added is not None:
        return f"{subject} {goes} up by {w.plain(added)}"
    match new:
        case typed.Arithmetic(operator="+", operands=(left, right)) if same(right, old):
            return f"{subject} {goes} up by {w.plain(left)}"
        case typed.Arithmetic(operator="+" | "-" as sign, operands=(left, right)) if same(
            left, old
        ):
            return f"{subject} {goes} {'up' if sign == '+' else 'down'} by {w.plain(right)}"
        case typed.Arithmetic(operator="*", operands=(left, right)) if same(left, old):
            return f"{subject} {is_} {_times(w, right)}"
        case typed.Arithmetic(operator="*", operands=(left, right)) if same(right, old):
            return f"{subject} {is_} {_times(w, left)}"
        case typed.Arithmetic(operator="/", operands=(left, right)) if same(left, old):
            by = w.folded(right)
            if isinstance(by, typed.Constant) and by.code == 2:
                return f"{subject} {is_} halved (what is left over is dropped)"
            return f"{subject} {is_} divided by {w.operand(right)} (the remainder is dropped)"
        case typed.Call(function="with" | "without" as which_, arguments=(before, one)) if same(
            before, old
        ):
            done = "is added to" if which_ == "with" else "is taken out of"
            return f"{w.operand(one)} {done} {subject}"
        case typed.Not(operand=operand) if same(w.folded(operand), old):
            return f"{subject} {is_} switched"
        case typed.Constant(code=number, type=type_):
            if isinstance(type_, Nothing) or number == NONE_CODE:
                return f"{subject} {is_} cleared"
    if _holds_players(old) and isinstance(old, typed.Element) and w.is_atom(new):
        player = w.value(new)
        return f"{subject} becomes {'yours' if player == 'you' else player + chr(39) + 's'}"
    if isinstance(new.type, Bool) and not isinstance(new, typed.Constant):
        return f"{subject} {becomes} true if {joined_apart(w.condition(new))}, and false if not"
    said = change_of_set(w, subject, plural, old, new) if isinstance(old.type, Set) else None
    return said or f"{subject} {becomes} {w.plain(new)}"


def _added(new: Typed, old: Typed) -> Typed | None:
    """Of `old + a + b`, which is read as `(old + a) + b`: `a + b`."""
    match new:
        case typed.Arithmetic(
            operator="+", operands=(typed.Arithmetic(operator="+", operands=(left, a)), b)
        ):
            more = a if same(left, old) else _added(new.operands[0], old)
            return None if more is None else new.replace(operands=(more, b))
    return None


def _holds_players(old: Typed) -> bool:
    of = old.type.of if isinstance(old.type, Optional) else old.type
    return isinstance(of, PlayerType)


def _times(w: Wording, factor: Typed) -> str:
    known = w.folded(factor)
    if isinstance(known, typed.Constant) and known.code in MULTIPLES:
        return MULTIPLES[known.code]
    return f"multiplied by {w.operand(known)}"


# ---- whose turn is next


def next_sentence(w: Wording, following: Typed, source: Written) -> str:
    """`If the die is exactly 1, it is your opponent's turn; otherwise you move again.`"""
    said = worded(w.ruleset, lambda: _next(w, following), following)
    if said is None:
        return f"The player who moves next is {quoted(w.ruleset, source)}."
    return capital(f"{said}.")


def _next(w: Wording, following: Typed) -> str:
    said = []
    for condition, player in cases(w, following):
        part = w.folded(player)
        again = isinstance(part, typed.Seat) and part.which == "me"
        clause = "you move again" if again else f"{w.value(part)} moves next"
        if condition is not None:
            clause = f"if {joined_apart(w.condition(condition))}, {clause}"
        said.append(clause)
    otherwise = [f"otherwise{',' * clause.startswith('if ')} {clause}" for clause in said[1:]]
    return "; ".join([said[0], *otherwise])
