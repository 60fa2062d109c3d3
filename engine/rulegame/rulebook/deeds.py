"""What operations do, in English: choices, rolls, effects, and whose turn is next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulegame.expressions import typed
from rulegame.expressions.shape import same
from rulegame.expressions.typed import Typed, Write
from rulegame.model import Choice, Effects, Operation, Roll, Ruleset, Step
from rulegame.rulebook.folding import replaced
from rulegame.rulebook.marks import and_list, capital
from rulegame.rulebook.nouns import article, spoken
from rulegame.rulebook.phrases import Wording, which
from rulegame.rulebook.selections import COUNTS
from rulegame.types import NONE_CODE, Bool, Nothing, Optional, Player, Set, element_of

MOST_PARTS = 120  # of a value that is put into words
MOST_LISTED = 20  # things that can be rolled, each with its chance
QUESTIONS = ("how", "to", "what", "when", "where", "which", "who", "whom")  # names of choices
DRAWN = ("ball", "card", "chip", "domino", "letter", "lot", "stone", "ticket", "tile", "token")
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
    if name in QUESTIONS:
        return f"the chosen {'player' if isinstance(choice.element, Player) else f'‘{name}’'}"
    return name if len(name) <= 2 else f"the chosen {name}"


# ---- choices and rolls


def choice_sentence(w: Wording, choice: Choice) -> str:
    """`Choose n, a number from 1 to 9.`"""
    from_ = w.one_of(choice.collection, chosen_name(choice))
    name = spoken(choice.name)
    if isinstance(choice.element, Set):
        return f"Choose {from_}."
    if from_ == article(name):
        return f"Choose {from_}."
    if name in QUESTIONS:
        return f"Choose ‘{name}’: {from_}."
    if len(name) <= 2:
        if from_.startswith("a number "):
            return f"Choose a number {name}{from_.removeprefix('a number')}."
        return f"Choose {name}: {from_}."
    return f"Choose {article(name)}: {from_}."


def roll_sentence(w: Wording, roll: Roll) -> str:
    """`Roll the die: a number from 1 to 6, each equally likely.`"""
    name = f"the {spoken(roll.name)}"
    noun = spoken(roll.name)
    drawn = noun.split()[-1].lower() in DRAWN
    what = f"Draw {article(noun)}" if drawn else f"Roll {name}"
    uneven = _uneven(w, roll)
    if uneven:
        return f"{what}: {uneven}."
    from_ = w.one_of(roll.collection, spoken(roll.name))
    if roll.weight is None:
        return f"{what}: {from_}, each equally likely."
    weight = w.knowing(**{roll.name: name}).value(roll.weight)
    return f"{what}: {from_}, each with a chance in proportion to {weight}."


def _uneven(w: Wording, roll: Roll) -> str:
    """`red (1 chance in 3) or green (2 chances in 3)`, of a list that has some of it several
    times; empty for any other.
    """
    part = w.folded(roll.collection)
    if isinstance(part, typed.Interval):
        ends = w.folded(part.low), w.folded(part.high)
        if isinstance(ends[0], typed.Constant) and isinstance(ends[1], typed.Constant):
            numbers = range(ends[0].code, ends[1].code + 1)[:MOST_LISTED]
            items = tuple(typed.Constant(roll.element, number) for number in numbers)
            part = typed.Row(part.type, items)
    if not isinstance(part, typed.Row) or len(part.items) >= MOST_LISTED:
        return ""
    many: Counter[str] = Counter()
    for item in part.items:
        weight = _weight(w, roll, w.folded(item))
        if weight is None:
            return ""
        many[w.value(item)] += weight
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


def step_sentences(w: Wording, steps: tuple[Step, ...]) -> Iterator[str]:
    """What the steps of an operation do, one after the other."""
    for number, step in enumerate(steps):
        first = "Then " if number else ""
        if isinstance(step, Roll):
            yield f"{first}{_lower(roll_sentence(w, step)) if first else roll_sentence(w, step)}"
            continue
        said = list(effect_clauses(w, step))
        if not said:
            continue
        lead = _lead(w, step)
        text = _joined(said)
        then = first.replace(" ", ", ") if lead else first
        yield capital(f"{then}{lead}{text}.")


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _lead(w: Wording, step: Effects) -> str:
    """When a step happens, and how often."""
    lead = f"if {w.condition(step.when)}, " if step.when is not None else ""
    if step.repeat is not None:
        times = w.value(step.repeat)
        often = f"{COUNTS.get(times, times)} times"
        lead += f"at most {often}, " if step.while_ is not None else f"{often}, "
    if step.while_ is not None:
        lead += f"as long as {w.condition(step.while_)}, "
    return lead


def _joined(clauses: list[str]) -> str:
    if len(clauses) == 1:
        return clauses[0]
    if any(clause.startswith("for every ") for clause in clauses):
        return f"{'; '.join(clauses[:-1])}; and {clauses[-1]}"
    return f"{', '.join(clauses[:-1])}, and {clauses[-1]}"


def effect_clauses(w: Wording, step: Effects) -> Iterator[str]:
    """What each effect does: `your score goes down by n`."""
    shared = [one for one in step.writes if one.owner is None and not one.indices]
    for write in step.writes:
        inner, lead = w, ""
        if write.loops:
            inner, lead = _for_every(w, write)
        earlier = next((s for s in shared if s is not write and same(s.value, write.value)), None)
        computed = not isinstance(write.value, (typed.Constant, typed.Local, typed.Value))
        if earlier is not None and computed and not (write in shared and _before(step, write)):
            new = inner.target(earlier).removeprefix("the ")
            yield f"{lead}{inner.target(write)} becomes the new {new}"
        else:
            yield lead + _effect(inner, write)


def _before(step: Effects, write: Write) -> bool:
    """Whether it is the first of its kind, which the others refer to."""
    alike = [one for one in step.writes if same(one.value, write.value)]
    return alike[0] is write


def _for_every(w: Wording, write: Write) -> tuple[Wording, str]:
    """The words inside the loops of an effect, and what introduces them."""
    loop = write.loops[0]
    noun, where = w.kind(loop)
    name = loop.name.partition("_")[2] or loop.name
    if len(write.loops) == 1 and loop.condition is None and noun == "player" and not write.indices:
        mentions = [p for p in typed.every_part(write.value) if isinstance(p, typed.Local)]
        if not any(p.name == loop.name for p in mentions):
            return w.knowing(**{loop.name: "every player"}), ""
    inner, lead = w, ""
    for one in write.loops:
        noun, where = inner.kind(one)
        name = one.name.partition("_")[2] or one.name
        inner = inner.knowing(**{one.name: name})
        such = "" if one.condition is None else f" {which(noun)} {inner.condition(one.condition)}"
        lead += f"for every {noun} {name}{where}{such}, "
    return inner, lead


def _effect(w: Wording, write: Write) -> str:
    subject = w.target(write)
    if len(typed.every_part(write.value)) > MOST_PARTS:
        return f"{subject} is worked out anew"
    plural = not write.indices and w.is_plural(_as_value(write))
    return _change(w, subject, plural, _as_value(write), write.value)


def _as_value(write: Write) -> Typed:
    whole = typed.Value(write.variable.type, write.variable, write.owner, "now")
    if not write.indices:
        return whole
    return typed.Element(element_of(whole.type) or whole.type, whole, write.indices, write.place)


def _change(w: Wording, subject: str, plural: bool, old: Typed, value: Typed) -> str:
    """How one value changes."""
    new = w.folded(value)
    is_, goes, becomes = ("are", "go", "become") if plural else ("is", "goes", "becomes")
    if _same_place(new, old):
        return f"{subject} {'stay' if plural else 'stays'} as {'they are' if plural else 'it is'}"
    added = _added(new, old)
    if added is not None:
        return f"{subject} {goes} up by {w.value(added)}"
    match new:
        case typed.Operation(operator="+", operands=(left, right)) if _same_place(right, old):
            return f"{subject} {goes} up by {w.value(left)}"
        case typed.Operation(operator="+" | "-" as sign, operands=(left, right)) if _same_place(
            left, old
        ):
            return f"{subject} {goes} {'up' if sign == '+' else 'down'} by {w.value(right)}"
        case typed.Operation(operator="*", operands=(left, right)) if _same_place(left, old):
            return f"{subject} {is_} {_times(w, right)}"
        case typed.Operation(operator="*", operands=(left, right)) if _same_place(right, old):
            return f"{subject} {is_} {_times(w, left)}"
        case typed.Operation(operator="/", operands=(left, right)) if _same_place(left, old):
            by = w.folded(right)
            if isinstance(by, typed.Constant) and by.code == 2:
                return f"{subject} {is_} halved (what is left over is dropped)"
            return f"{subject} {is_} divided by {w.value(right)} (the remainder is dropped)"
        case typed.Apply(function="with" | "without" as which, arguments=(before, one)) if (
            _same_place(before, old)
        ):
            done = "is added to" if which == "with" else "is taken out of"
            return f"{w.value(one)} {done} {subject}"
        case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
            first = _change(w, subject, plural, old, then)
            it = "they" if plural else "it"
            second = _change(w, it, plural, old, otherwise)
            return f"{first} if {w.condition(condition)}, otherwise {second}"
        case typed.Negation(operand=operand) if _same_place(operand, old):
            return f"{subject} {is_} switched"
        case typed.Constant(code=number, type=type_):
            if isinstance(type_, Nothing) or number == NONE_CODE:
                return f"{subject} {is_} cleared"
    if _holds_players(old) and isinstance(old, typed.Element):
        player = w.value(new)
        return f"{subject} becomes {'yours' if player == 'you' else player + chr(39) + 's'}"
    if isinstance(new.type, Bool) and not isinstance(new, typed.Constant):
        return f"{subject} {becomes} true if {w.condition(new)}, and false if not"
    return f"{subject} {becomes} {w.value(new)}"


def _added(new: Typed, old: Typed) -> Typed | None:
    """Of `old + a + b`, which is read as `(old + a) + b`: `a + b`."""
    match new:
        case typed.Operation(
            operator="+", operands=(typed.Operation(operator="+", operands=(left, a)), b)
        ):
            more = a if _same_place(left, old) else _added(new.operands[0], old)
            return None if more is None else new.replace(operands=(more, b))
    return None


def _holds_players(old: Typed) -> bool:
    of = old.type.of if isinstance(old.type, Optional) else old.type
    return isinstance(of, Player)


def _same_place(part: Typed, old: Typed) -> bool:
    return same(part, old)


def _times(w: Wording, factor: Typed) -> str:
    known = w.folded(factor)
    if isinstance(known, typed.Constant) and known.code in MULTIPLES:
        return MULTIPLES[known.code]
    return f"multiplied by {w.value(known)}"


# ---- whose turn is next


def next_sentence(w: Wording, following: Typed) -> str:
    """`If the die is exactly 1, it is your opponent's turn; otherwise you move again.`"""
    part = w.folded(following)
    if isinstance(part, typed.Conditional):
        then = _next_clause(w, part.then)
        otherwise = _next_clause(w, part.otherwise)
        return f"If {w.condition(part.condition)}, {then}; otherwise {otherwise}."
    return capital(f"{_next_clause(w, part)}.")


def _next_clause(w: Wording, following: Typed) -> str:
    part = w.folded(following)
    if isinstance(part, typed.Seat) and part.which == "me":
        return "you move again"
    if isinstance(part, typed.Conditional):
        then, otherwise = _next_clause(w, part.then), _next_clause(w, part.otherwise)
        return f"{then} if {w.condition(part.condition)}, and otherwise {otherwise}"
    return f"{w.value(part)} moves next"
