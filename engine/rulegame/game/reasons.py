"""Why a move is not valid: which rule bars it, and the values that made it fail."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rulegame.compiling import CHANCE, Fault
from rulegame.evaluation.values import choice_text, readable
from rulegame.game.candidates import DIVISION, Candidates, offers_of
from rulegame.game.moves import Move, Reason
from rulegame.game.rendering import Context, renderer_of
from rulegame.game.rules import Position, Rules
from rulegame.game.visibility import Masked, Sight
from rulegame.language import typed
from rulegame.language.typed import Typed, owner_key
from rulegame.language.types import NONE_CODE, Grid, List
from rulegame.model import Choice, Operation, Validity


def reason(state: Position, move: Move) -> Reason:
    """The reason for a move that is not among the valid ones of the state."""
    game = state.game
    if state.outcome is not None:
        return Reason(None, "the game is over")
    if state.player == CHANCE:
        events = ", ".join(m.text for m in state.moves[:12])
        if any(m.operation == move.operation for m in state.moves):
            return Reason(None, f"this roll is not possible here, only {events}")
        return Reason(None, f"a roll comes first: {events}")
    offers = offers_of(game)
    point = game.point(state)
    operation = next((o for o in point.operations if o.name == move.operation), None)
    if operation is None:
        names = ", ".join(o.name for o in point.operations)
        return Reason(None, f"'{move.operation}' is not available now. Available: {names}")
    if operation not in offers.operations(state):
        return Reason("when", f"'{operation.name}' is not available now", span=operation.place.span)
    if len(move.codes) != len(operation.choices) + 1:
        return Reason(None, f"'{move.text}' does not have the choices of '{operation.name}'")
    outside = _outside(state, operation, move)
    if outside is not None:
        return outside
    for name in offers.barring(state, move):
        return rule_reason(offers, state, operation, move, name)
    return Reason(None, f"'{move.text}' is not a move here")


def _outside(state: Position, operation: Operation, move: Move) -> Reason | None:
    """A choice that is not in its collection."""
    codes, checks = move.codes[1:], state.game.kernel.checks(operation)
    for k, choice in enumerate(operation.choices):
        domain = checks.values(state.cells, codes[:k])
        if codes[k] not in domain:
            message = domain_text(state.game, choice, domain)
            return Reason(None, message, span=choice.place.span)
    return None


def domain_text(game: Rules, choice: Choice, domain: Sequence[int]) -> str:
    """What a choice must be: `n must be one of 1, 2, 3`; or that there is nothing to choose."""
    shown = [choice_text(choice.element, c, game.ruleset.words) for c in domain[:20]]
    if not shown:
        return f"there is nothing to choose for {choice.name}"
    listed = ", ".join(shown) + (", …" if len(domain) > 20 else "")
    return f"{choice.name} must be one of {listed}"


def rule_reason(
    offers: Candidates, state: Position, operation: Operation, move: Move, name: str
) -> Reason:
    """The reason that a validity rule gives."""
    if name == DIVISION:
        return Reason(name, "it would divide by zero", span=operation.place.span)
    rule = next(r for r in state.game.ruleset.validity if r.name == name)
    message = rule_text(offers, state, operation, move, rule, "because") or by_name(rule)
    return Reason(name, message, _values(offers, state, operation, move, rule), rule.place.span)


def by_name(rule: Validity) -> str:
    """The reason that a validity rule without words gives."""
    name = rule.name.replace("_", " ")
    return f"{name}: another move is compulsory" if rule.compulsory else name


def rule_text(
    offers: Candidates,
    state: Position,
    operation: Operation,
    move: Move,
    rule: Validity,
    text: str,
    names: tuple[str, ...] = (),
    eyes: Collection[int] = (),
    untold: frozenset[str] = frozenset(),
    drawn: bool = False,
) -> str:
    """A text of a validity rule (note, because, stuck) about a move; empty if it has none. If only
    some seats may read it (`eyes`), it is `Unseen` if it tells more than all of them know, or one
    of the choices that are not to be told.
    """
    template = rule.texts[operation.name].get(text)
    if template is None:
        return ""
    game, sight = state.game, state.game.companion(Sight)
    seen = sight.seen_state(state, eyes)
    other = offers.after(seen, move) if rule.uses_after else seen.cells
    rolls = offers.rolls(operation, state)
    choices = {c.name: code for c, code in zip(operation.choices, move.codes[1:], strict=True)}
    context = Context(
        cells=seen.cells,
        other=other if isinstance(other, Masked) else tuple(other),
        me=state.turn,
        names=names or game.players,
        locals={**rolls, **choices},
        given={"label": operation.label, "doing": operation.doing},
        untold=untold | sight.unseen_rolls(state.cells, eyes),
        whole=True,
        drawn=drawn,
    )
    return renderer_of(game).render(template, context)


def _values(
    offers: Candidates, state: Position, operation: Operation, move: Move, rule: Validity
) -> dict[str, Any]:
    """The values that a rule's condition reads, by the names that they have in it."""
    after: Any = offers.after(state, move) if rule.uses_after else ()
    choices = {c.name for c in operation.choices} | set(state.game.kernel.roll_places)
    found: dict[str, Any] = {}
    for part in typed.every_part(rule.requires[operation.name])[::-1]:
        label = _label(part, choices)
        if label is None or isinstance(part.type, List | Grid):
            continue
        try:
            code = offers.value(part, operation, state, move.codes[1:], after)
        except Fault:  # an index that the condition guards against
            continue
        game = state.game
        if code == NONE_CODE:  # an optional value of which the condition has asked before
            value = None
        else:
            value = readable(part.type, code, game.ruleset.words, game.players)
        found.setdefault(label, value)
    return found


def _label(part: Typed, choices: set[str]) -> str | None:
    if isinstance(part, typed.Local):
        return part.name if part.name in choices else None
    if isinstance(part, typed.Element):
        names = [_label(one, choices) for one in (part.base, *part.indices)]
        known = [name for name in names if name is not None]
        return f"{known[0]}[{', '.join(known[1:])}]" if known == names else None
    if not isinstance(part, typed.Value):
        return None
    whose = {"": "", "me": "my.", "them": "their."}.get(owner_key(part.owner))
    if whose is None or (part.variable.each_player and not whose):
        return None
    return ("after." if part.era == "after" else "") + whose + part.variable.name
