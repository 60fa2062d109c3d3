"""Two rulesets that differ under a key of the rules are different, whichever key it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from rulegame.comparing import compare
from rulegame.keys.kinds import Entries
from rulegame.keys.ruleset import RULESET, Place
from rulegame.loading import load_ruleset
from rulegame.model import Ruleset

IN_TURNS: Final = """\
rulegame: 1
title: Every Key
players: {from: 2, to: 4, default: 3}
parameters:
  goal: {default: 5, min: 1, max: 9, require: goal > 0}
  heights: {default: [1, 2], min size: 1, max size: 4, different: false}
  mode: {default: slow, one of: [slow, fast]}
types:
  hue: [red, blue]
  spot: {points: {aa: [1, 1], bb: [2, 1], cc: [3, 1]}, lines: [[aa, bb]]}
define:
  near: goal - 1
state:
  tints: {type: list of int, indexed by: hue}
  heaps: {type: list of int, size: 2}
  board: {type: grid of bool, rows: 2, columns: 3, tiles: squares, show: {columns: numbers}}
  last: {type: optional int, start: none}
  each player:
    score: {type: int, seen by: all}
setup:
  pick: {for: players, when: goal > 1, choose: {m: 1..3}, let: {q: 2}, effects: {my.score: m + q},
    secret: false}
  deal: {once: false, roll: {card: 1..4}, effects: {last: card}}
  lay: {steps: {one: {effects: {last: 3}}}}
turn:
  begin: {last: 1}
  effects: {last: 2}
  roll: {die: {from: 1..6, when: goal > 1, weight: die, seen by: all}}
  next: next(me)
  first: players[1]
  forced: ask
operations:
  add:
    enabled: true
    when: goal > 2
    choose: {n: {from: 1..3}}
    let: {x: {type: optional int, start: 1}, y: {type: list of int, size: 3},
      w: {type: list of int, indexed by: 1..2}}
    roll: {extra: 0..1}
    effects: {my.score: my.score + n}
    next: me
    secret: false
  go:
    steps:
      one: {when: near > 1, repeat: 3, while: near > 2, roll: {a: 1..2}, effects: {last: a}}
validity:
  small: {require: goal < 30, for: [add]}
  large: {must: goal > 7, for: [add], instead of: [go]}
stuck: {unless: goal > 3, result: pass, effects: {last: 1}, all: {result: draw}}
payoff unit: 1/2
end:
  won: {when: my.score > goal, result: win}
  paid: {when: sum(heaps) > goal, payoff: score}
  named: {when: last == 8, winners: me}
  shared: {when: last == 9, everyone: win}
"""
AT_ONCE: Final = """\
rulegame: 1
title: At Once
state: {pot: 0}
turn:
  together: true
  let: {most: size(list(b for b in bid if b == 3))}
  effects: {pot: pot + most}
operations:
  offer: {choose: {bid: 0..3}}
stuck: draw
end:
  over: {when: pot > 9, result: draw}
"""
IN_STEPS: Final = AT_ONCE.replace(
    "  effects: {pot: pot + most}", "  steps: {one: {effects: {pot: pot + most}}}"
)

Rows = dict[tuple[str, str], tuple[str, str, str]]  # by owner and key: a ruleset and a change
ROWS: Final[Rows] = {
    **{
        ("'turn'", key): (AT_ONCE, old, new)
        for key, old, new in (
            ("together", "together: true", "together: list(p for p in players if pot < 7)"),
            ("let", "b == 3", "b == 2"),
            ("effects", "pot + most", "pot + 2 * most"),
        )
    },
    ("'turn'", "steps"): (IN_STEPS, "pot + most", "pot + 2 * most"),
    **{
        where: (IN_TURNS, old, new)
        for where, old, new in (
            (("'players'", "from"), "from: 2", "from: 3"),
            (("'players'", "to"), "to: 4", "to: 5"),
            (("'players'", "default"), "default: 3", "default: 4"),
            (("a parameter", "default"), "default: 5", "default: 6"),
            (("a parameter", "min"), "min: 1,", "min: 2,"),
            (("a parameter", "max"), "max: 9,", "max: 8,"),
            (("a parameter", "require"), "goal > 0", "goal > -1"),
            (("a parameter", "min size"), "min size: 1", "min size: 2"),
            (("a parameter", "max size"), "max size: 4", "max size: 5"),
            (("a parameter", "different"), "different: false", "different: true"),
            (("a parameter", "one of"), "[slow, fast]", "[slow, fast, mad]"),
            (("a type", "values"), "[red, blue]", "[blue, red]"),
            (("a type", "points"), "cc: [3, 1]", "dd: [3, 1]"),
            (("a type", "lines"), "[[aa, bb]]", "[[aa, cc]]"),
            (("a value", "indexed by"), "by: hue}", "by: 1..2}"),
            (("a value of a move", "indexed by"), "by: 1..2}}", "by: 2..3}}"),
            (("a definition", "value"), "goal - 1", "goal - 2"),
            (("a value", "type"), "grid of bool", "grid of int"),
            (("a value", "start"), "start: none", "start: 1"),
            (("a value", "size"), "size: 2}", "size: 3}"),
            (("a value", "rows"), "rows: 2", "rows: 3"),
            (("a value", "columns"), "columns: 3,", "columns: 4,"),
            (("a value", "tiles"), "squares", "hexagons"),
            (("a value", "seen by"), "{type: int, seen by: all}", "{type: int, seen by: owner}"),
            (("'state'", "each player"), "score: {type: int,", "score: {start: 2,"),
            (("'show'", "columns"), "show: {columns: numbers}", "show: {columns: letters}"),
            (("'show'", "rows"), "{columns: numbers}", "{columns: letters, rows: upward}"),
            (("a setup choice", "for"), "for: players,", "for: 'players[2]',"),
            (("a setup choice", "once"), "once: false", "once: true"),
            (("a setup choice", "when"), "players, when: goal > 1", "players, when: goal > 2"),
            (("a setup choice", "choose"), "{m: 1..3}", "{m: 1..4}"),
            (("a setup choice", "let"), "{q: 2}", "{q: 3}"),
            (("a setup choice", "roll"), "{card: 1..4}", "{card: 1..5}"),
            (("a setup choice", "effects"), "m + q", "m - q"),
            (("a setup choice", "steps"), "{last: 3}", "{last: 4}"),
            (("a setup choice", "secret"), "{my.score: m + q},\n    secret: false",
             "{my.score: m + q},\n    secret: true"),
            (("'turn'", "roll"), "{die: {from", "{coin: 0..1, die: {from"),
            (("'turn'", "begin"), "begin: {last: 1}", "begin: {last: 2}"),
            (("a roll", "when"), "when: goal > 1, weight", "when: goal > 2, weight"),
            (("'turn'", "next"), "next: next(me)", "next: previous(me)"),
            (("'turn'", "first"), "first: players[1]", "first: players[2]"),
            (("'turn'", "forced"), "forced: ask", "forced: play"),
            (("a roll", "from"), "from: 1..6", "from: 1..8"),
            (("a roll", "weight"), "weight: die", "weight: 7 - die"),
            (("a roll", "seen by"), "weight: die, seen by: all", "weight: die, seen by: owner"),
            (("an operation", "enabled"), "enabled: true", "enabled: false"),
            (("an operation", "when"), "when: goal > 2", "when: goal > 3"),
            (("an operation", "choose"), "{n: {from: 1..3}}", "{n: {from: 1..4}}"),
            (("an operation", "let"), "x: {type", "z: {type"),
            (("an operation", "roll"), "{extra: 0..1}", "{extra: 0..2}"),
            (("an operation", "effects"), "my.score + n}", "my.score - n}"),
            (("an operation", "steps"), "      one: {when", "      two: {when"),
            (("an operation", "next"), "next: me", "next: next(next(me))"),
            (("an operation", "secret"), "me\n    secret: false", "me\n    secret: true"),
            (("a choice", "from"), "{from: 1..3}", "{from: 0..3}"),
            (("a value of a move", "type"), "y: {type: list of int", "y: {type: list of bool"),
            (("a value of a move", "start"), "optional int, start: 1}", "optional int, start: 2}"),
            (("a value of a move", "size"), "size: 3},", "size: 4},"),
            (("a step", "when"), "near > 1", "near > 0"),
            (("a step", "repeat"), "repeat: 3", "repeat: 4"),
            (("a step", "while"), "near > 2", "near > 3"),
            (("a step", "roll"), "a: 1..2", "a: 1..3"),
            (("a step", "effects"), "{last: a}", "{last: a + 1}"),
            (("a validity rule", "require"), "goal < 30", "goal < 20"),
            (("a validity rule", "for"), "goal < 30, for: [add]", "goal < 30, for: [add, go]"),
            (("a validity rule", "must"), "must: goal > 7", "must: goal > 8"),
            (("a validity rule", "instead of"), ", instead of: [go]", ""),
            (("'stuck'", "unless"), "goal > 3", "goal > 4"),
            (("'stuck'", "result"), "result: pass, effects: {last: 1}", "result: draw"),
            (("'stuck'", "winners"), "result: pass, effects: {last: 1}", "winners: next(me)"),
            (("'stuck'", "payoff"), "result: pass, effects: {last: 1}", "payoff: score"),
            (("'stuck'", "everyone"), "result: pass, effects: {last: 1}", "everyone: lose"),
            (("'stuck'", "score"), "result: pass, effects: {last: 1}", "score: goal"),
            (("'stuck'", "effects"), "effects: {last: 1}", "effects: {last: 2}"),
            (("'stuck'", "all"), ", all: {result: draw}", ", all: win"),
            (("'all'", "result"), "{result: draw}", "{result: win}"),
            (("'all'", "winners"), "{result: draw}", "{winners: 'players[1]'}"),
            (("'all'", "payoff"), "{result: draw}", "{payoff: score}"),
            (("'all'", "everyone"), "{result: draw}", "{everyone: win}"),
            (("'all'", "score"), "{result: draw}", "{score: goal}"),
            (("an end rule", "when"), "my.score > goal", "my.score >= goal"),
            (("an end rule", "result"), "result: win", "result: draw"),
            (("an end rule", "payoff"), "payoff: score}", "payoff: list(-s for s in score)}"),
            (("an end rule", "winners"), "winners: me", "winners: next(me)"),
            (("an end rule", "everyone"), "everyone: win", "everyone: lose"),
            (("an end rule", "score"), "everyone: win", "score: goal"),
            (("a ruleset", "payoff unit"), "unit: 1/2", "unit: 1/4"),
        )
    },
}  # fmt: skip


def rule_keys(place: Place) -> Iterator[tuple[str, str]]:
    """The owner and the name of every key whose value is a rule; mappings of named rules aside."""
    for key in place.keys:
        inner = Place(key.value, key)
        if key.is_rule:
            if place.kind is not RULESET or not inner.is_mapping:
                yield place.owner, key.name
            yield from rule_keys(inner)
    if isinstance(place.kind, Entries):
        yield from rule_keys(Place(place.kind.of))


def test_every_key_has_a_row() -> None:
    """A new key of the rules needs a row, and then `model.facts` must read it."""
    assert set(ROWS) | {("a value", "show")} == set(rule_keys(Place(RULESET)))


def read(file: Path, text: str) -> Ruleset:
    file.write_text(text, "utf-8")
    ruleset, problems = load_ruleset(file)
    assert ruleset is not None, problems
    return ruleset


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ruleset]:
    folder = tmp_path_factory.mktemp("bases")
    texts = (IN_TURNS, AT_ONCE, IN_STEPS)
    return {text: read(folder / "base.yaml", text) for text in texts}


@pytest.mark.quick(20)
@pytest.mark.parametrize(("owner", "key"), ROWS, ids=map(" ".join, ROWS))
def test_a_change_is_a_difference(
    owner: str, key: str, bases: dict[str, Ruleset], tmp_path: Path
) -> None:
    base, old, new = ROWS[owner, key]
    assert base.count(old) == 1
    after = read(tmp_path / "after.yaml", base.replace(old, new))
    assert not compare(bases[base], after).same
