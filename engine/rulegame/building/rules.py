"""The sections `validity`, `stuck` and `end`: what bars a move, and how a game ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from rulegame import edits
from rulegame.building.context import Workbench
from rulegame.building.notes import told
from rulegame.building.operations import effects
from rulegame.building.texts import RULE_NAMES, TEXT_NAMES
from rulegame.codes import WRONG_TYPE
from rulegame.diagnostics import Diagnostic, Edit, Hint, Suggestion, did_you_mean, write_instead
from rulegame.keys.ends import END_RULE, VALIDITY_RULE
from rulegame.keys.ruleset import section_at
from rulegame.language import syntax, typed
from rulegame.language.syntax import Expression, Place, free_names
from rulegame.language.templates import Template
from rulegame.language.typed import Typed
from rulegame.language.types import (
    RESULTS,
    Bool,
    Int,
    List,
    PlayerType,
    Type,
    Word,
    element_of,
)
from rulegame.language.vocabulary import Scope
from rulegame.model import VERDICTS, EndRule, Operation, Ruleset, Source, Stuck, Validity, Verdict
from rulegame.model.analysis import may_be, names_everyone, uncertain_values, uses_after
from rulegame.model.repetition import (
    counted_positions,
    counting_parts,
    counts_turns,
    misplaced,
    names_of,
    values_of,
)
from rulegame.model.secrecy import compulsory_secrets
from rulegame.source.nodes import Entry, Node, Scalar, items_of, mapping_of, text_of, written
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Sequence as SequenceNode

if TYPE_CHECKING:
    from rulegame.language.foreign import Result

ENDS: Final = ("win", "lose", "draw")  # the results that end a game
SHARED: Final = ("win", "lose")  # those that all players can have
COMMON: Final = ("everyone", "score")  # the keys of what all players have together


def validity(
    bench: Workbench,
    operations: Sequence[Operation],
    turn_rolls: Mapping[str, Type],
    choices: Mapping[str, Type],
) -> list[Validity]:
    """The validity rules, in the order in which they are checked: those with `after.` behind the
    others, and compulsory rules last.
    """
    rules: list[Validity] = []
    for key, value in mapping_of(bench.root.get("validity")):
        node = mapping_of(value)
        compulsory = node.get("require") is None
        require = node.get("must") if compulsory else node.get("require")
        expression = None if require is None else bench.parse(require)
        if require is None or expression is None:
            continue
        applies = _applies_to(bench, node, expression, operations)
        requires: dict[str, Typed] = {}
        texts: dict[str, dict[str, Template]] = {}
        known: dict[tuple[tuple[str, Type], ...], _Meaning] = {}  # by the names of the operation
        for operation in applies:
            scope = _move_scope(operation, turn_rolls)._replace(compulsory=compulsory)
            names = tuple(scope.locals.items())
            with bench.binder.collecting() as problems:
                meaning = known.get(names)
                if meaning is None:
                    meaning = known[names] = _meaning(bench, node, expression, scope, choices)
                    fine = meaning.require is not None
                else:
                    fine = bench.binder.repeat(meaning.parts, expression.place)
                if meaning.require is not None and fine:
                    _check_chance(bench, meaning.require, operation, require)
                    requires[operation.name] = meaning.require
                    texts[operation.name] = meaning.texts
            if bench.report_once(problems) or not fine:
                break
        looks_ahead = any(uses_after(m.require) for m in known.values() if m.require is not None)
        forgone = _forgone(bench, node, applies, operations)
        for other in forgone:
            requires[other.name] = typed.Constant(Bool(), 0)
            with bench.binder.collecting() as problems:
                scope = _move_scope(other, turn_rolls)
                texts[other.name] = _rule_texts(bench, node, scope, choices)
            bench.report_once(problems)
        rules.append(
            Validity(
                key.text,
                requires,
                looks_ahead,
                texts,
                _listed(node),
                told(node, VALIDITY_RULE, bench.file),
                Place(key.passage),
                bench.sources(node, VALIDITY_RULE),
                compulsory,
                tuple(operation.name for operation in forgone),
            )
        )
    return sorted(rules, key=lambda one: (one.compulsory, one.uses_after and not one.compulsory))


def _forgone(
    bench: Workbench,
    node: MappingNode,
    applies: Sequence[Operation],
    operations: Sequence[Operation],
) -> list[Operation]:
    """The operations under `instead of`: none of their moves is compulsory."""
    found = _named(bench, node.get("instead of"), operations)
    both = {operation.name for operation in applies}
    for item in items_of(node.get("instead of")):
        if text_of(item) in both:
            message = f"the rule applies to '{text_of(item)}' already"
            hint = "name the operations with compulsory moves under 'for'"
            bench.report("E204", message, item, hint)
    return [operation for operation in found if operation.name not in both]


def check_compulsory(bench: Workbench, ruleset: Ruleset) -> None:
    """Reports compulsory rules that a player cannot judge from what the player sees, and warns of
    those that never forbid a move.
    """
    for rule in ruleset.validity:
        if not rule.compulsory:
            continue
        if any(_looks_further(bench, ruleset, rule)):
            continue
        hidden = next(compulsory_secrets(ruleset, rule), None)
        if hidden is not None:
            message = f"'{hidden}' is hidden from the player who moves"
            hint = "a compulsory rule can read only values that the player sees"
            bench.report("E471", message, _condition_of(bench, rule), hint)
        elif all(_is_true(condition) for condition in rule.requires.values()):
            message = "this rule never forbids a move: every move satisfies it"
            hint = "list the operations that give way: 'instead of: […]'"
            span = rule.place.span
            bench.diagnostics.append(Diagnostic("E472", message, span, hint, severity="warning"))


def check_repetitions(bench: Workbench, ruleset: Ruleset) -> None:
    """Reports positions that cannot be counted, and warns of symmetries, which cannot be used
    then.
    """
    counted = counted_positions(ruleset)
    for part in misplaced(ruleset):
        message = "'repetitions' cannot be used in the setup, or while a move is carried out"
        bench.report("E474", message, part.place, "use it in 'validity', 'stuck' or 'end'")
    for part in counting_parts(ruleset):
        names = values_of(ruleset, names_of(part))
        hidden = [name for name in names if ruleset.state[name].seen_by != "all"]
        if hidden:
            message = f"'{hidden[0]}' is not seen by all players, so it cannot be counted"
            bench.report("E474", message, part.place, "name values that all players see")
    entry = bench.root.entries.get("symmetry")
    if counted and entry is not None and ruleset.symmetry:
        message = "the symmetry is not used, because the rules count earlier positions"
        span = entry.key.span
        bench.diagnostics.append(Diagnostic("E475", message, span, "", severity="warning"))


def _condition_of(bench: Workbench, rule: Validity) -> Node:
    return mapping_of(mapping_of(bench.root.get("validity")).get(rule.name)).entries["must"].value


def _looks_further(bench: Workbench, ruleset: Ruleset, rule: Validity) -> Iterator[bool]:
    """Reports `can_move` where no move can be known to follow."""
    for name, condition in rule.requires.items():
        operation = ruleset.operation(name)
        for part in typed.every_part(condition):
            if not isinstance(part, typed.Call) or part.function != "can_move":
                continue
            rolled = next((roll.name for roll in ruleset.turn.rolls if roll.when is None), None)
            if ruleset.together is not None:
                message = "'can_move' cannot be used where players choose at once"
                bench.report("E473", message, part.place)
            elif operation is not None and operation.setup:
                message = "'can_move' cannot be used for an entry of the setup"
                bench.report("E473", message, part.place, "limit the rule with 'for: […]'")
            elif rolled is not None:
                message = f"'after.can_move' depends on the roll '{rolled}' of the next turn"
                hint = "roll in an operation, and store what is rolled"
                bench.report("E410", message, part.place, hint)
            else:
                continue
            yield True
            return


def _is_true(condition: Typed) -> bool:
    return isinstance(condition, typed.Constant) and bool(condition.code)


def _listed(node: MappingNode) -> tuple[str, ...] | None:
    listed = node.get("for")
    return None if listed is None else tuple(map(text_of, items_of(listed)))


class _Meaning(NamedTuple):
    """What a rule requires of operations that have the same names; None if it is wrong."""

    require: Typed | None
    texts: dict[str, Template]
    parts: int


def _meaning(
    bench: Workbench,
    node: MappingNode,
    expression: Expression,
    scope: Scope,
    choices: Mapping[str, Type],
) -> _Meaning:
    parts = bench.binder.total
    require = bench.binder.bind(expression, scope, Bool())
    texts = {} if require is None else _rule_texts(bench, node, scope, choices)
    return _Meaning(require, texts, bench.binder.total - parts)


def _rule_texts(
    bench: Workbench, node: MappingNode, scope: Scope, choices: Mapping[str, Type]
) -> dict[str, Template]:
    """The texts of a rule about an operation; one that names a choice of other operations only is
    left out.
    """
    texts: dict[str, Template] = {}
    elsewhere = choices.keys() - scope.locals.keys()
    wider = scope._replace(locals={**choices, **scope.locals})
    for name in ("note", "because", "stuck"):
        template = bench.template(node.get(name), wider, RULE_NAMES)
        if template is not None and not template.uses & elsewhere:
            texts[name] = template
    return texts


def _move_scope(operation: Operation, turn_rolls: Mapping[str, Type]) -> Scope:
    rolls = {} if operation.setup else turn_rolls
    names = {**rolls, **{c.name: c.element for c in operation.choices}}
    return Scope(locals=names, eras=("after",))


def _applies_to(
    bench: Workbench, node: MappingNode, expression: Expression, operations: Sequence[Operation]
) -> list[Operation]:
    """The operations that a rule lists; if none, those with all the choices that it names."""
    if isinstance(node.get("for"), SequenceNode):
        return _named(bench, node.get("for"), operations)
    choices = {c.name for o in operations for c in o.choices}
    named = free_names(expression) & choices
    if not named:
        return [o for o in operations if not o.setup]
    return [o for o in operations if named <= {c.name for c in o.choices}] or [
        o for o in operations if named & {c.name for c in o.choices}
    ]


def _named(
    bench: Workbench, listed: Node | None, operations: Sequence[Operation]
) -> list[Operation]:
    """The operations in a list of names."""
    found = []
    by_name = {o.name: o for o in operations}
    for item in items_of(listed):
        if not isinstance(item, Scalar):
            continue
        if item.text in by_name and by_name[item.text].is_automatic:
            message = f"'{item.text}' has no choice, so no rule can forbid it"
            bench.report("E434", message, item, "leave it out")
        elif item.text in by_name:
            found.append(by_name[item.text])
        else:
            message = f"unknown operation '{item.text}'"
            bench.report("E302", message, item, did_you_mean(item.text, by_name))
    return found


def _check_chance(bench: Workbench, condition: Typed, operation: Operation, node: Node) -> None:
    """A value after the move is not known yet if it depends on a roll inside the operation, and
    neither are the moves that follow.
    """
    if not operation.rolls:
        return
    uncertain = uncertain_values(operation)
    hint = "list the operations that the rule is for: 'for: […]'"
    for part in typed.every_part(condition):
        if (
            isinstance(part, typed.Value)
            and part.era == "after"
            and part.variable.name in uncertain
        ):
            message = f"'after.{part.variable.name}' depends on the roll inside '{operation.name}'"
            bench.report("E410", message, node, hint)
            return
        if (
            isinstance(part, typed.Call)
            and part.function == "repetitions"
            and counts_turns(names_of(part))
            and uses_after(part)
        ):
            message = f"'after.repetitions' depends on the roll inside '{operation.name}'"
            bench.report("E410", message, node, hint)
            return
        if isinstance(part, typed.Call) and part.function == "can_move":
            message = f"'after.can_move' depends on the roll inside '{operation.name}'"
            bench.report("E410", message, node, hint)
            return


def _verdict(
    bench: Workbench, node: MappingNode, results: tuple[str, ...], scope: Scope
) -> Verdict:
    result = _result(bench, node, results, scope)
    if (
        result is not None
        and len(bench.players) > 2
        and may_be(result, bench.vocabulary.words["lose"])
    ):
        message = "'lose' does not say which of the others win"
        hint = "everyone: lose" if _is_shared(bench) else "name the winners: 'winners: …'"
        bench.report("E406", message, node.entries["result"].value, hint)
    winners = bench.bound(node.get("winners"), scope)
    if winners is not None and not isinstance(winners.type, PlayerType):
        of = element_of(winners.type)
        if not isinstance(of, PlayerType):
            bench.report(
                "E303",
                f"expected players here, not {winners.type}",
                node.entries["winners"].value,
                _seats(winners, len(bench.players))
                or Hint("winners: list(p for p in players if …)"),
            )
        elif len(bench.players) > 1 and names_everyone(winners, len(bench.players)):
            _warn_of_everyone(bench, node.entries["winners"].value)
    payoff = bench.bound(node.get("payoff"), scope, List(Int(), len(bench.players)))
    score = bench.bound(node.get("score"), scope, Int())
    return Verdict(result, winners, payoff, _everyone(bench, node, scope), score)


def _everyone(bench: Workbench, node: MappingNode, scope: Scope) -> Typed | None:
    """What all players have in common; what cannot be is reported with what can."""
    entry = node.entries.get("everyone")
    if entry is None:
        return None
    with bench.binder.collecting() as problems:
        found = bench.bound(entry.value, scope, Word(SHARED))
    if problems and all(problem.code == WRONG_TYPE for problem in problems):
        message = "'everyone' is win or lose: all players win, or all lose"
        other = {"draw": "result: draw", "pass": "result: pass"}.get(written(entry.value))
        bench.report("E303", message, entry.value, other or "everyone: win")
    else:
        bench.diagnostics.report(problems)
    return found


def _warn_of_everyone(bench: Workbench, winners: Node) -> None:
    message = "this always names every player; a game that everyone wins is a draw"
    hint = "write 'everyone: win' if all win, or 'result: draw', or name those who win"
    bench.diagnostics.append(Diagnostic("E428", message, winners.span, hint, severity="warning"))


def _seats(found: Typed, most: int) -> Hint:
    """A hint for winners who are given by the numbers of their seats."""
    items = found.items if isinstance(found, typed.ListLiteral) else (found,)
    codes = [item.code for item in items if isinstance(item, typed.Constant)]
    if not codes or len(codes) < len(items) or not all(1 <= code <= most for code in codes):
        return Hint()
    seats = ", ".join(f"players[{code}]" for code in codes)
    return write_instead(f'"[{seats}]"' if isinstance(found, typed.ListLiteral) else seats)


def _result(
    bench: Workbench, node: MappingNode, results: tuple[str, ...], scope: Scope
) -> Typed | None:
    """The result; one in words that are not the language's is reported with those that are."""
    entry = node.entries.get("result")
    if entry is None:
        return None
    with bench.binder.collecting() as problems:
        result = bench.bound(entry.value, scope, Word(results))
    if result is not None:
        bench.diagnostics.report(problems)
        return result
    from rulegame.language import foreign

    said = written(entry.value)
    right = foreign.result(said, bench.players)
    known = any(problem.offers(str(right)) for problem in problems)
    if right and not known and problems:
        span = entry.value.span
        if right.key != "result" and entry.key.span.line == span.line:
            span = span._replace(column=entry.key.span.column, source=entry.key.span.source)
        message = f"a result is {' or '.join([', '.join(results[:-1]), results[-1]])} for the mover"
        hint = write_instead(str(right))
        certain = not foreign.is_vague(said)
        suggestions = (Suggestion(str(right), _result_edits(node, entry, right), certain),)
        found = Diagnostic("E303", message, span, str(hint), suggestions=suggestions)
        bench.diagnostics.append(found)
    else:
        bench.diagnostics.report(problems)
    return None


def _result_edits(node: MappingNode, entry: Entry, right: Result) -> tuple[Edit, ...]:
    """A result in place of another, or a `winners: …` in place of the key, too."""
    is_other = right.key != "result"
    if not isinstance(entry.value, Scalar) or (is_other and right.key in node.entries):
        return ()
    key, value = entry.key, entry.value
    in_key = edits.written(key.passage, 0, len(key.text), right.key) if is_other else ()
    in_value = edits.written(value.passage, 0, len(value.text.rstrip()), right.value)
    return (*in_key, *in_value) if in_value and bool(in_key) == is_other else ()


def check_common_payoffs(bench: Workbench, ends: Sequence[EndRule]) -> None:
    """Warns of payoffs that are the same for all players by every end rule: these are draws, where
    a score was meant.
    """
    if len(bench.players) == 1 or not all(
        rule.verdict.is_common or _common_payoff(rule.sources.get("payoff")) for rule in ends
    ):
        return
    nodes = mapping_of(bench.root.get("end"))
    found = [(mapping_of(nodes.get(rule.name)), rule.sources.get("payoff")) for rule in ends]
    paid = [(node, _common_payoff(source)) for node, source in found]
    if all(score in ("", "0") for _, score in paid):
        return
    for node, score in paid:
        if score:
            from rulegame.language.foreign import Result

            entry = node.entries["payoff"]
            message = "all players always get the same payoff, which is a draw"
            right = Result(score, "score")
            edits_ = _result_edits(node, entry, right)
            suggestions = (Suggestion(str(right), edits_),) if edits_ else ()
            hint = f"write '{right}' if they share a score"
            bench.diagnostics.append(
                Diagnostic("E490", message, entry.value.span, hint, "warning", (), suggestions)
            )


def _common_payoff(source: Source | None) -> str:
    """What every player gets, as it is written; empty if they may get different amounts."""
    match None if source is None else source.tree:
        case syntax.Call(
            name="list",
            arguments=(body,),
            loops=(syntax.Loop(name=name, collection=syntax.Name(name="players"), condition=None),),
        ) if name not in syntax.free_names(body):
            return body.place.written
        case syntax.ListLiteral(items=(first, *others)) if all(
            other.place.written == first.place.written for other in others
        ):
            return first.place.written
    return ""


def payoff_unit(bench: Workbench, stuck: Stuck, ends: Sequence[EndRule]) -> Fraction:
    """The unit in which payoffs are given; a warning if none is."""
    entry = bench.root.entries.get("payoff unit")
    if entry is None or not isinstance(entry.value, Scalar):
        return Fraction(1)
    verdicts = (stuck.verdict, stuck.all_verdict, *(rule.verdict for rule in ends))
    is_sound = not any(one.severity == "error" for one in bench.diagnostics)
    if is_sound and not any(verdict.pays for verdict in verdicts):
        message = "no rule has a payoff in this unit"
        hint = "add a 'payoff' to a rule, or remove the unit"
        span = entry.key.span
        bench.diagnostics.append(Diagnostic("E460", message, span, hint, severity="warning"))
    return Fraction(entry.value.text.replace(" ", ""))


def stuck(
    bench: Workbench, operations: Sequence[Operation], turn_rolls: Mapping[str, Type]
) -> Stuck:
    """What happens to a player without a valid move."""
    entry = bench.root.entries.get("stuck")
    key = entry.key if entry is not None else Scalar(bench.root.span, "stuck", "stuck")
    node = mapping_of(entry.value if entry is not None else None)
    scope = Scope(locals=turn_rolls)
    verdict = _verdict(bench, node, RESULTS, scope)
    if verdict == Verdict() and not any(node.get(k) for k in VERDICTS):
        verdict = _when_not_said(bench, key)
    all_node = mapping_of(node.get("all"))
    with bench.for_everyone():
        all_verdict = _verdict(bench, all_node, ENDS, scope)
        all_text = bench.template(all_node.get("text"), scope, TEXT_NAMES["all_stuck"])
    if all_verdict == Verdict():
        all_verdict = _by_default(bench, "draw")
    on_pass = None
    if (changed := node.entries.get("effects")) is not None:
        on_pass = effects(bench, mapping_of(changed.value), turn_rolls, Place(key.passage))
        result = verdict.result
        if result is not None and not may_be(result, bench.vocabulary.words["pass"]):
            message = "only a player who passes has 'effects'"
            bench.report("E204", message, changed.key, "result: pass")
    return Stuck(
        unless=_unless(bench, node.get("unless"), operations, turn_rolls),
        verdict=verdict,
        effects=on_pass,
        text=bench.template(node.get("text"), scope, TEXT_NAMES["stuck"]),
        all_verdict=all_verdict,
        all_text=all_text,
        told=told(node, section_at("stuck"), bench.file),
        place=Place(key.passage),
        keys={part.text: part.span for part, _ in node},
        sources=bench.sources(node, section_at("stuck")),
        all_sources=bench.sources(all_node, section_at("stuck", "all")),
    )


def _when_not_said(bench: Workbench, stuck: Scalar) -> Verdict:
    """What a player who is stuck means, if the ruleset does not say: a loss, of all players in a
    game that all win or all lose.
    """
    loss = _by_default(bench, "lose")
    if _is_shared(bench):
        return Verdict(everyone=loss.result)
    if len(bench.players) > 2:
        message = "'stuck' must say what happens: a loss does not say which of the others win"
        bench.report("E406", message, stuck, "stuck: pass, or stuck: draw")
    return loss


def _is_shared(bench: Workbench) -> bool:
    """Whether every end rule means the same to all players."""
    ends = [mapping_of(value) for _, value in mapping_of(bench.root.get("end"))]
    return bool(ends) and all(not rule.entries.keys().isdisjoint(COMMON) for rule in ends)


def _by_default(bench: Workbench, word: str) -> Verdict:
    return Verdict(result=typed.Constant(Word((word,)), bench.vocabulary.words[word]))


def _unless(
    bench: Workbench,
    node: Node | None,
    operations: Sequence[Operation],
    turn_rolls: Mapping[str, Type],
) -> dict[str, Typed]:
    """What a move must fulfil for its player not to be stuck, by operation."""
    found: dict[str, Typed] = {}
    if node is None:
        return found
    for operation in operations:
        with bench.binder.collecting() as problems:
            bound = bench.condition(node, Scope(locals=turn_rolls, eras=("after",)))
        bench.report_once(problems)
        if bound is not None:
            _check_chance(bench, bound, operation, node)
            found[operation.name] = bound
    return found


def end_rules(
    bench: Workbench, turn_rolls: Mapping[str, Type], choices: Mapping[str, Type]
) -> list[EndRule]:
    """The end rules, in order; their texts know the choices that every operation has."""
    rules: list[EndRule] = []
    scope = Scope(locals=turn_rolls)
    for key, value in mapping_of(bench.root.get("end")):
        if key.text in ("stuck", "all_stuck"):
            message = f"the name '{key.text}' is taken: it is the rule when a player is stuck"
            bench.report("E312", message, key)
        node = mapping_of(value)
        with bench.for_everyone():
            when = bench.condition(node.get("when"), scope)
            verdict = _verdict(bench, node, ENDS, scope)
            text_scope = Scope(locals={**turn_rolls, **choices}, eras=("before",))
            text = bench.template(node.get("text"), text_scope, TEXT_NAMES["ended"])
        if when is not None:
            place, written_ = Place(key.passage), bench.sources(node, END_RULE)
            about = told(node, END_RULE, bench.file)
            rules.append(EndRule(key.text, when, verdict, text, about, place, written_))
    return rules
