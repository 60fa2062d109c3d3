"""Worked examples for a rulebook: what an operation did, and what a rule barred, in games that the
engine played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rulegame.evaluation.runtime import Fault
from rulegame.evaluation.values import cell_name, index_labels
from rulegame.game import CHANCE, Game, GameError, Move, State
from rulegame.game.candidates import offers_of
from rulegame.game.reasons import rule_reason
from rulegame.language import typed
from rulegame.language.types import Cell, Grid, List, Optional, PlayerType, Set, Type, cell_of
from rulegame.model import Effects, Operation, StateValue, Validity, sees
from rulegame.rulebook.markup import and_list, clean, code, full_stop
from rulegame.rulebook.nouns import spoken
from rulegame.rulebook.plays import Played, Plays
from rulegame.rulebook.wording import Wording

MOST_STATES = 500  # that are looked at for an example of a barred move
MOST_CANDIDATES = 200  # moves of each of them
MOST_EXAMPLES = 120  # of an operation, to choose from
FEW_NUMBERS = 12  # of a set that are listed one by one
MOST_MOVES = 400  # valid ones, in a state that is looked at


class Change(NamedTuple):
    """A value that a move changed."""

    value: StateValue
    seat: int | None  # whose it is
    old: Any
    new: Any


def operation_example(w: Wording, plays: Plays, operation: Operation) -> str:
    """`For example, subtract 5 takes your score from 20 to 15.`; empty if none was seen, or if it
    is chosen at once with others, on which it depends what comes of it.
    """
    if w.ruleset.together is not None:
        return ""
    found: list[tuple[float, tuple[Played, ...]]] = []
    for game in plays.games:
        for number, played in enumerate(game):
            if played.move.operation != operation.name or played.before.player == CHANCE:
                continue
            if len(found) >= MOST_EXAMPLES:
                break
            whole = _whole_move(game, number)
            if whole is not None:
                found.append((_interest(whole), whole))
    if not found:
        return ""
    _, whole = max(found, key=lambda one: one[0])
    return _told(w, whole, operation)


def _whole_move(game: tuple[Played, ...], number: int) -> tuple[Played, ...] | None:
    """A move and the rolls inside it, however often they are repeated; None if the game was left
    before the last of them, or somebody was stuck afterwards.
    """
    whole = [game[number]]
    while in_an_operation(whole[-1].after):
        number += 1
        if number == len(game):
            return None
        whole.append(game[number])
    return None if whole[-1].after.events else tuple(whole)


def in_an_operation(state: State) -> bool:
    """Whether a roll of an operation comes next."""
    if state.player != CHANCE:
        return False
    operation = state.game.point(state).operation
    return operation is not None and not operation.is_automatic


def _interest(whole: tuple[Played, ...]) -> float:
    """How much a reader learns: numbers that are not 0 or 1, that differ, that are small; few
    rolls.
    """
    score = -float(max(0, len(whole) - 2))
    for change in changes(whole[0], whole[-1]):
        score += 1
        if isinstance(change.old, int) and isinstance(change.new, int):
            score += 2 * (abs(change.old) > 1) + (abs(change.new) > 1)
            score += abs(change.old) not in (0, 1, abs(change.new - change.old))
            score -= (len(str(change.old)) + len(str(change.new))) / 4
    return score


def changes(first: Played, last: Played) -> list[Change]:
    """What a move changed of what all may see (and of what is the mover's own)."""
    ruleset = first.before.game.ruleset
    mover = -1 if first.before.player is None else first.before.player
    found: list[Change] = []
    for name, value in ruleset.state.items():
        old, new = first.before[name], last.after[name]
        if not value.variable.each_player:
            if not sees(value.seen_by, -1, mover):
                continue
            found += [Change(value, None, old, new)] if old != new else []
            continue
        for seat, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after and sees(value.seen_by, seat, mover):
                found.append(Change(value, seat, before, after))
    return found


def _told(w: Wording, whole: tuple[Played, ...], operation: Operation) -> str:
    first = whole[0]
    changed = changes(first, whole[-1])
    rolled = [*_turn_rolls(w, first.before), *_rolls_inside(whole[1:], operation)]
    when = f"if {and_list(rolled)}, " if rolled else ""
    move = code(move_text(first.before.game, first.move))
    if not changed:
        return ""
    order = [
        w.name for step in operation.steps if isinstance(step, Effects) for w in _written(step)
    ]
    changed.sort(key=lambda change: _place(order, change.value.variable.name))
    said = [one for change in changed for one in _change(w, change, first.before.player)]
    return f"For example, {when}{move} changes {and_list(said)}."


def _written(step: Effects) -> list[typed.Variable]:
    return [write.variable for write in step.writes]


def _place(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _turn_rolls(w: Wording, state: State) -> list[str]:
    """`the die is 3`: what was rolled at the beginning of the turn, as far as the mover knows."""
    cells = state.game.kernel.roll_places
    return [
        f"the {spoken(roll.name)} is {w.constant(roll.element, state.cells[cells[roll.name]])}"
        for roll in state.game.ruleset.turn.rolls
        if roll.seen_by in (None, "all", "owner")
    ]


def _rolls_inside(rolls: Sequence[Played], operation: Operation) -> list[str]:
    """`the card is 2`, `the card is first 2, then 10`: what was rolled in the move."""
    hidden = {roll.name for roll in operation.rolls if roll.seen_by not in (None, "all", "owner")}
    rolled: dict[str, list[str]] = {}
    for one in rolls:
        if one.move.operation in hidden:
            continue
        shown = clean(one.move.text.partition(" ")[2])
        rolled.setdefault(one.move.operation, []).append(shown)
    return [
        f"the {spoken(name)} is {'first ' if len(shown) > 1 else ''}{', then '.join(shown)}"
        for name, shown in rolled.items()
    ]


def move_text(game: Game, move: Move) -> str:
    """A move as people read it: the label and the choices."""
    operation = game.ruleset.operation(move.operation)
    label = move.operation if operation is None else operation.label
    return clean(f"{label} {move.text.partition(' ')[2]}")


def _change(w: Wording, change: Change, mover: int | None) -> list[str]:
    """`your score from 20 to 15`; of a board, each cell that changes."""
    variable = change.value.variable
    type_ = variable.type
    owner = None
    if change.seat is not None:
        players = w.names.players
        two = len(players) == 2
        owner = "you" if change.seat == mover else "your opponent" if two else players[change.seat]
    name = w.names.value(variable, owner).text
    if isinstance(type_, Grid):
        return _cells(w, name, change, type_)
    return [f"{name} from {plain(w, type_, change.old)} to {plain(w, type_, change.new)}"]


def _cells(w: Wording, name: str, change: Change, grid: Grid) -> list[str]:
    said = []
    for r, (old_row, new_row) in enumerate(zip(change.old, change.new, strict=True), 1):
        for c, (old, new) in enumerate(zip(old_row, new_row, strict=True), 1):
            if old != new:
                before, after = (
                    "empty" if one is None else plain(w, grid.of, one) for one in (old, new)
                )
                said.append(f"{_cell_name(grid, r, c)} of {name} from {before} to {after}")
    return said if len(said) <= 3 else [*said[:2], f"{said[2]} (and more)"]


def _cell_name(grid: Grid, row: int, column: int) -> str:
    if grid.naming == "numbers":
        return f"row {row}, column {column}"
    return cell_name(cell_of(grid), (row, column))


def _numbers(numbers: Sequence[int]) -> str:
    """The numbers of a set; if they are many, those that follow one another as one."""
    if len(numbers) <= FEW_NUMBERS:
        return ", ".join(map(str, numbers))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = (f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
    return ", ".join(said)


def plain(w: Wording, type_: Type, value: Any) -> str:
    """A value of a state as a reader sees it."""
    if value is None:
        return "none"
    match type_:
        case Optional(of=of):
            return plain(w, of, value)
        case PlayerType():
            return w.names.players[int(value)]
        case Cell():
            return cell_name(type_, value)
        case Set():
            return _numbers(sorted(value)) or "none"
        case List(of=of, index=index):
            items = [plain(w, of, item) for item in value]
            if index is not None:
                labels = index_labels(index, w.ruleset.words)
                items = [f"{label}: {item}" for label, item in zip(labels, items, strict=True)]
            return ", ".join(items) or "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# ---- what a rule bars


class Barred(NamedTuple):
    """A move that one rule alone bars in a state."""

    state: State
    move: Move
    operation: Operation


def barred_moves(game: Game, plays: Plays) -> dict[str, Barred]:
    """For each validity rule a move that it bars, of those that were seen; rather one of which the
    rules say why.
    """
    best: dict[str, Barred] = {}
    wanted = {rule.name: rule for rule in game.ruleset.validity}
    states = (p.before for played in plays.games for p in played if p.before.player != CHANCE)
    for state in islice((s for s in states if len(s.moves) <= MOST_MOVES), MOST_STATES):
        for name, found in _barred(state, wanted).items():
            reasons = {o for o, texts in wanted[name].texts.items() if "because" in texts}
            if name not in best or found.operation.name in reasons:
                best[name] = found
            if not reasons or found.operation.name in reasons:
                del wanted[name]
        if not wanted:
            break
    return best


def _barred(state: State, rules: Mapping[str, Validity]) -> dict[str, Barred]:
    """The first move here that one of the rules alone bars, by the name of the rule."""
    offers = offers_of(state.game)
    about = {name for rule in rules.values() for name in rule.requires}
    found: dict[str, Barred] = {}
    try:
        for move in offers.candidates(state)[:MOST_CANDIDATES]:
            if move.operation not in about or move in state.moves:
                continue
            operation = state.game.ruleset.operation(move.operation)
            barring = tuple(islice(offers.barring(state, move), 2))
            if operation is not None and len(barring) == 1 and barring[0] in rules:
                found.setdefault(barring[0], Barred(state, move, operation))
    except (GameError, Fault):
        pass
    return found


def rule_example(w: Wording, rule: Validity, barred: Barred) -> str:
    """`For example, when the number is 29, double is not allowed: “…”`."""
    state, move, operation = barred
    condition = rule.requires[operation.name]
    rolls = {roll.name for roll in state.game.ruleset.turn.rolls}
    read = {part.name for part in typed.every_part(condition) if isinstance(part, typed.Local)}
    rolled = _turn_rolls(w, state) if rule.uses_after or rolls & read else []
    situation = [*rolled, *_situation(w, state, condition)]
    when = f"when {and_list(situation)}, " if situation else ""
    reason = ""
    if rule.texts[operation.name].get("because") is not None:
        said = clean(_because(state, move, operation, rule))
        reason = f": “{said}”" if said else ""
    text = f"For example, {when}{code(move_text(state.game, move))} is not allowed{reason}"
    return full_stop(text)


def _because(state: State, move: Move, operation: Operation, rule: Validity) -> str:
    try:
        return rule_reason(offers_of(state.game), state, operation, move, rule.name).message
    except (GameError, Fault):  # a text of the ruleset that fails here
        return ""


def _situation(w: Wording, state: State, condition: typed.Typed) -> list[str]:
    """The values that the condition is about, as they are in the state."""
    said: dict[str, None] = {}
    for part in typed.every_part(condition)[::-1]:
        if not isinstance(part, typed.Value) or isinstance(part.variable.type, Grid):
            continue
        variable, owner = part.variable, part.owner
        if not sees(state.game.ruleset.state[variable.name].seen_by, state.turn, state.turn):
            continue
        value = state[variable.name]
        if variable.each_player:
            if not (isinstance(owner, typed.Seat) and owner.which == "me"):
                continue
            value = value[state.player]
        now = part.replace(era="now")
        verb = "are" if w.is_plural(now) else "is"
        said[f"{w.value(now)} {verb} {plain(w, variable.type, value)}"] = None
    return list(said)
