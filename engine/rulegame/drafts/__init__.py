"""First drafts of rulesets. In: a few answers. Out: the text of a small, commented, valid ruleset
with claims and tests.

The drafts are the YAML files beside this module. What stands between two @ in them is filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rulegame.game import Game, State
    from rulegame.model import ParameterRule, Ruleset

KINDS: Final[Mapping[str, str]] = {
    "pile": "take from a pile; whoever takes the last one wins",
    "race": "change a shared number; whoever reaches the target wins",
    "dice": "roll a die, then choose what to do with it",
    "board": "put marks on a board; a line wins",
}
MOST_MOVES: Final = 6  # of the example game of a variant
MOST_TURNS: Final = 2


def sketch(kind: str, title: str, players: Sequence[str]) -> str:
    """A new game of a kind."""
    return _filled(
        kind,
        {
            "title": scalar(title),
            "stuck": "lose" if len(players) == 2 else "draw",
            "players": f"[{', '.join(scalar(name, flow=True) for name in players)}]",
        },
    )


def sketch_variant(parent: str, game: Game, title: str) -> str:
    """A variant of a game; `parent` is what its `extends` says."""
    ruleset = game.ruleset
    moves, expected = _first_moves(game)
    return _filled(
        "variant",
        {
            "parent": scalar(parent),
            "title": scalar(title),
            "summary": scalar(ruleset.summary or ruleset.title),
            "rules": "\n".join([*_parameters(ruleset), *_operations(ruleset)]),
            "claims": "\n".join(_claims(ruleset)),
            "moves": ", ".join(moves),
            "expect": expected,
        },
    )


def scalar(text: str, *, flow: bool = False) -> str:
    """A text as YAML, in quotes only where it needs them."""
    import json

    import yaml

    plain = f"[{text}]" if flow else f"x: {text}"
    try:
        read = yaml.safe_load(plain)
    except yaml.YAMLError:
        read = None
    same = read == ([text] if flow else {"x": text})
    return text if same else json.dumps(text, ensure_ascii=False)


def _filled(name: str, values: Mapping[str, str]) -> str:
    text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    parts = text.split("@")
    return "".join(values[part] if k % 2 else part for k, part in enumerate(parts))


# ---- the parts of a variant


def _parameters(ruleset: Ruleset) -> Iterator[str]:
    rules = [rule for rule in ruleset.parameters.values() if rule.name != "players"]
    if rules:
        yield "# parameters:"
        for rule in rules:
            about = f"  # {' '.join(rule.about.split())}" if rule.about else ""
            yield f"#   {rule.name}: {_parameter_value(rule, ruleset)}{about}"


def _parameter_value(rule: ParameterRule, ruleset: Ruleset) -> str:
    from rulegame.evaluation.values import decode

    return _written(decode(rule.type, rule.value, ruleset.words))


def _operations(ruleset: Ruleset) -> Iterator[str]:
    everything = (*ruleset.operations, *ruleset.disabled)
    if len(everything) > 1:
        yield "# operations:"
        for operation in everything:
            yield f"#   {operation.name}: {{enabled: {_written(operation.enabled)}}}"


def _claims(ruleset: Ruleset) -> Iterator[str]:
    """The parent's: they hold for the variant as long as it changes nothing."""
    if not ruleset.claims:
        yield "# claims:"
        yield "#   always_ends: true"
        return
    yield "claims:"
    if not any(claim.over for claim in ruleset.claims):
        for claim in ruleset.claims:
            yield f"  {claim.name}: {_written(claim.value)}"
        return
    for claim in ruleset.claims:
        over = [f"{name}: {_written(some)}" for name, some in claim.over_as_written.items()]
        beside = f", for: {{{', '.join(over)}}}" if over else ""
        yield f"  - {{{claim.name}: {_written(claim.value)}{beside}}}"


def _first_moves(game: Game) -> tuple[list[str], str]:
    """A few moves from the start, and what they lead to."""
    state, played = game.start(), list[str]()
    turns = 0
    while state.outcome is None and turns < MOST_TURNS and len(played) < MOST_MOVES:
        turns += game.point(state).kind == "turn"
        move = state.moves[len(state.moves) // 2]
        played.append(scalar(move.text, flow=True))
        state = state.play(move)
    return played, _expectation(state)


def _expectation(state: State) -> str:
    if state.outcome is not None:
        return f"outcome: {{rule: {state.outcome.rule}}}"
    return f"player: {state.turn + 1}"


def _written(value: Any) -> str:
    """A parameter's value, or a claim's, as YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, Fraction) and value.denominator > 1:
        value = float(value)
    return scalar(value, flow=True) if isinstance(value, str) else str(value)
