"""Rulesets that are hostile by what they mean: diagnostics, an error in play, or success; no more.

What is hostile as bytes is in test_reading. The limits hold, so none of these takes long or much
memory; that is not timed here, but a limit that is missing shows as a test that does not end.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from rulegame.diagnostics import Diagnostic
from rulegame.game import GameError
from rulegame.loading import load_ruleset, make_game
from rulegame.model import Ruleset
from rulegame.ruletests.running import run_tests

SECTIONS: Final = {
    "state": "{left: 21}",
    "operations": "{take: {choose: {n: 1..3}, effects: {left: left - n}}}",
    "end": "{done: {when: left <= 0, result: win}}",
}
LONG_BOARD: Final = "{left: 21, board: {type: grid of int, rows: 1, columns: 4000}}"
HEAPS: Final = "{left: 21, heaps: {type: list of int, start: [1, 2]}}"
TURNS: Final = 30  # after which a game that goes on is left alone


def ruleset(**sections: str) -> str:
    """A small ruleset with some sections replaced or added."""
    parts = {"rulegame": "1", "title": "Hostile", **SECTIONS, **sections}
    return "".join(f"{name}: {text}\n" for name, text in parts.items())


def when(condition: str) -> str:
    """An end rule."""
    return f"\n  done:\n    when: {condition}\n    result: win"


def require(condition: str) -> str:
    return f"\n  rule:\n    require: {condition}"


def choose(*collections: str) -> str:
    """An operation with these choices."""
    choices = "".join(f"\n      c{k}: {text}" for k, text in enumerate(collections))
    return f"\n  take:\n    choose:{choices}\n    effects:\n      left: left - 1"


def effects(*written: str) -> str:
    return "\n  take:\n    effects:" + "".join(f"\n      {text}" for text in written)


def steps(*bodies: str) -> str:
    listed = "".join(f"\n      s{k}: {text}" for k, text in enumerate(bodies))
    return f"\n  take:\n    steps:{listed}"


def chain(count: int, step: str, first: str = "left", parameter: str = "") -> str:
    """Definitions that use one another; `$` in a step is the name of the one before."""
    lines = [f"a0{parameter}: {first}"]
    lines += [f"a{k + 1}{parameter}: {step.replace('$', f'a{k}')}" for k in range(count)]
    return "".join(f"\n  {line}" for line in lines)


SLOW: Final = "any(x == y for x in 1..90000 for y in 1..90)"


def many(count: int, entry: str) -> str:
    return "".join(f"\n  e{k}: {entry}" for k in range(count))


def loops(count: int) -> str:
    return " ".join(f"for v{k} in 1..1" for k in range(count))


# What the ruleset is, and the codes of its diagnostics.
REFUSED: Final = {
    "definitions that double": (
        ruleset(define=chain(60, "$ + $"), end=when("a60 > 0")),
        {"E311"},
    ),
    "definitions that double, unused": (ruleset(define=chain(60, "$ + $")), {"E311"}),
    "functions that double": (
        ruleset(define=chain(60, "$(x) + $(x)", "x", "(x)"), end=when("a60(1) > 0")),
        {"E311"},
    ),
    "arguments that double": (
        ruleset(define=chain(30, "$($(x))", "x", "(x)"), end=when("a30(1) > 0")),
        {"E311"},
    ),
    "lists that square": (
        ruleset(define=chain(20, "list(x + y for x in $ for y in $)", "1..2")),
        {"E311"},
    ),
    "doubling in an effect": (
        ruleset(define=chain(60, "$ + $"), operations=effects("left: a60")),
        {"E311"},
    ),
    "a chain of 2,000 definitions": (
        ruleset(define=chain(2_000, "$ + 1"), end=when("a2000 > 0")),
        {"E311"},
    ),
    "a long sum": (ruleset(end=when("left" + " + 1" * 450 + " > 0")), {"E311"}),
    "many parentheses": (ruleset(end=when("(" * 900 + "left" + ")" * 900 + " > 0")), {"E311"}),
    "many nots": (ruleset(end=when("not " * 400 + "true")), {"E311"}),
    "many ifs": (ruleset(end=when("true if left > 1 else " * 60 + "false")), {"E311"}),
    "an expression of 20,000 characters": (
        ruleset(end=when("left" + " + 1" * 5_000 + " > 0")),
        {"E311"},
    ),
    "nested loops over huge ranges": (
        ruleset(
            end=when(
                "any(all(any(a + b + c > left for c in 1..100000) for b in 1..100000)"
                " for a in 1..100000)"
            )
        ),
        {"E311"},
    ),
    "25 loops inside one another": (ruleset(end=when(f"any(left > 99 {loops(25)})")), {"E311"}),
    "long lines on a long board": (
        ruleset(state=LONG_BOARD, end=when("count(1 for l in lines(board, 2000)) == left")),
        {"E311"},
    ),
    "lines of any length on a long board": (
        ruleset(state=LONG_BOARD, validity=require("count(1 for l in lines(board, n)) > left")),
        {"E311"},
    ),
    "much to do for every subset": (
        ruleset(end=when("sum(sum(1..1000) for s in subsets(1..19, left)) == left")),
        {"E311"},
    ),
    "a range of 10**18": (ruleset(end=when(f"sum(1..{10**18}) > left")), {"E311"}),
    "a choice of 10**18": (ruleset(operations=choose(f"1..{10**18}")), {"E311"}),
    "a million moves": (ruleset(operations=choose("1..1000", "1..1000")), {"E407"}),
    "25 choices": (ruleset(operations=choose(*["1..1"] * 25)), {"E407"}),
    "moves times a slow rule": (
        ruleset(
            operations="{take: {choose: {n: 1..1000}, effects: {left: left - n}}}",
            validity=require("all(n + x > 0 for x in 1..50000)"),
        ),
        {"E311"},
    ),
    "an effect that loops": (
        ruleset(
            operations=effects("left for x in 1..100000 for y in 1..100000 for z in 1..9: x")
        ),
        {"E311"},
    ),
    "10**9 repetitions": (
        ruleset(operations=steps(f"{{repeat: {10**9}, effects: {{left: left - 1}}}}")),
        {"E204"},
    ),
    "repetitions times a slow effect": (
        ruleset(
            operations=steps(
                "{repeat: 10000, effects: {left: left - sum(x for x in 1..100000)}}"
            )
        ),
        {"E311"},
    ),
    "a list of a million": (
        ruleset(state="{left: 21, big: {type: list of int, size: 1000000}}"),
        {"E407"},
    ),
    "a state of a million": (
        ruleset(state="{left: 21}\n", setup="{}").replace(
            "state: {left: 21}", "state:\n  left: 21" + many(250, "{type: list of int, size: 4000}")
        ),
        {"E407"},
    ),
    "a grid of 10**18": (
        ruleset(
            state=f"{{left: 21, big: {{type: grid of int, rows: {10**9}, columns: {10**9}}}}}"
        ),
        {"E407"},
    ),
    "a set of 0..512": (ruleset(state="{left: 21, s: {type: set of 0..512}}"), {"E407"}),
    "a set of 9..1": (ruleset(state="{left: 21, s: {type: set of 9..1}}"), {"E407"}),
    "a set that starts outside": (
        ruleset(state="{left: 21, s: {type: set of 1..9, start: 1..100000}}"),
        {"E508"},
    ),
    "a start that divides by zero": (
        ruleset(parameters="{p: [0]}", state="{left: '5 / p[1]'}"),
        {"E503"},
    ),
    "a start out of range": (
        ruleset(parameters="{p: 2}", state="{left: 'max(list(x for x in 1..9 if x > 9))'}"),
        {"E504"},
    ),
    "a start that overflows": (
        ruleset(parameters="{p: 4000000000}", state="{left: p * p * p}"),
        {"E112"},
    ),
    "10,000 operations": (
        ruleset(operations=many(10_000, "{effects: {left: 0}}")),
        {"E102"},
    ),
    "1,000 operations": (ruleset(operations=many(1_000, "{effects: {left: 0}}")), {"E407"}),
    "400 operations times 1,000 rules": (
        ruleset(
            operations=many(400, "{effects: {left: 0}}"), validity=many(1_000, "after.left >= 0")
        ),
        {"E311"},
    ),
    "400 operations times 1,000 wrong rules": (
        ruleset(
            operations=many(400, "{effects: {left: 0}}"),
            validity=many(1_000, "{require: left >= 0, because: '{lft}'}"),
        ),
        {"E302"},
    ),
    "1,000 slow end rules": (
        ruleset(end=many(1_000, f"{{when: '{SLOW}', result: win}}")),
        {"E311"},
    ),
    "300 rolls": (
        ruleset(turn="{roll: {" + ", ".join(f"d{k}: 1..2" for k in range(300)) + "}}"),
        {"E407"},
    ),
    "a deep text": (
        ruleset(texts="{turn: '" + "{if left}" * 500 + "x" + "{end}" * 500 + "'}"),
        {"E311"},
    ),
    "a text that goes on for ever": (
        ruleset(
            texts="{turn: '{for a in 1..9999}{for b in 1..9999}{for c in 1..9999}x{end}{end}{end}'}"
        ),
        {"E311"},
    ),
    "no players": (ruleset(players="[]"), {"E204"}),
    "a die without sides": (ruleset(turn="{roll: {die: 1..0}}"), {"E409"}),
    "a die without sides by a parameter": (
        ruleset(parameters="{sides: 0}", turn="{roll: {die: 1..sides}}"),
        {"E409"},
    ),
    "a weight of zero": (ruleset(turn="{roll: {die: {from: 1..6, weight: 0}}}"), {"E409"}),
    "a negative weight": (ruleset(turn="{roll: {die: {from: 1..6, weight: -1}}}"), {"E409"}),
    "a definition that uses itself": (
        ruleset(define="{x: y, y: x}", end=when("x > 0")),
        {"E310"},
    ),
    "1,500 unknown names beside 1,500 known ones": (
        ruleset(
            state="\n  left: 21" + many(1_500, "0"),
            validity="".join(f"\n  r{k}: ee{k} > 0" for k in range(1_500)),
        ),
        {"E302"},
    ),
    "1,500 unused parameters beside one mistake": (
        ruleset(parameters=many(1_500, "1"), tests="{wrong: {play: [tke 1]}}"),
        {"E412", "E420"},
    ),
    "2,000 effects, one of them twice": (
        ruleset(
            state=HEAPS.replace("start: [1, 2]", "size: 2000"),
            operations=effects(*(f"heaps[{k}]: {k}" for k in range(1, 2_001)), "heaps[1 + 1]: 1"),
        ),
        {"E404"},
    ),
    "a text of 20,000 mistakes": (ruleset(texts="{turn: '" + "{a +}" * 20_000 + "'}"), {"E301"}),
    "an expression repeated 1,500 times": (
        ruleset(
            end="\n  done: {when: &a " + " and ".join(["left > 0"] * 150) + ", result: win}"
            + many(1_500, "{when: *a, result: win}")
        ),
        {"E106"},
    ),
    "a constant that overflows": (ruleset(end=when(f"{2**62} * 4 > left")), {"E112"}),
}  # fmt: skip

# What the ruleset is, and the code of the error in play; "" if it can be played.
PLAYED: Final = {
    "loops over ranges of the state": (
        ruleset(
            end=when(
                "any(all(any(a + b + c < 0 for c in 1..left * 1000) for b in 1..left * 1000)"
                " for a in 1..left * 1000)"
            )
        ),
        "E506",
    ),
    "a range that grows": (ruleset(end=when(f"sum(1..left * {10**12}) > 3")), "E506"),
    "choices that grow": (ruleset(operations=choose(f"1..left * {10**9}")), "E506"),
    "choices times choices": (ruleset(operations=choose(*["1..left * 4000"] * 3)), "E506"),
    "choices times a slow rule": (
        ruleset(
            operations=choose("1..left * 4000"),
            validity=require("all(c0 + x > 0 for x in 1..10000)"),
        ),
        "E506",
    ),
    "subsets of 60": (ruleset(operations=choose("subsets(1..60, 30)")), "E506"),
    "subsets of a negative size": (ruleset(operations=choose("subsets(1..9, 0 - 1)")), "E506"),
    "repetitions that grow": (
        ruleset(operations=steps("{repeat: left * 1000000, effects: {left: left - 1}}")),
        "E506",
    ),
    "1,500 rules": (ruleset(validity=many(1_500, "after.left >= 0")), ""),
    "200 rules with loops": (
        ruleset(validity=many(200, "any(x <= after.left for x in 0..3)")),
        "",
    ),
    "loops in choices, rules and effects": (
        ruleset(
            operations=choose(*["1..1"] * 8).replace("left - 1", f"left - sum(1 {loops(8)})"),
            validity=require(f"all(after.left < 99 {loops(8)})"),
        ),
        "",
    ),
    "90,000 moves": (ruleset(operations=choose("1..90000")), ""),
    "90,000 moves, all barred": (
        ruleset(operations=choose("1..90000"), validity=require("c0 > 90000")),
        "",
    ),
    "a die of 90,000 sides": (ruleset(turn="{roll: {die: 1..90000}}"), ""),
    "300 steps of 10,000 repetitions": (
        ruleset(operations=steps(*["{repeat: 10000, effects: {left: left - 1}}"] * 300)),
        "",
    ),
    "8 loops and 8 choices": (
        ruleset(
            operations=choose(*["left..left"] * 8),
            validity=require(f"all(after.left + c7 > 0 {loops(8)})"),
        ),
        "",
    ),
    "nesting at the limit": (ruleset(end=when("left" + " + 1" * 75 + " < 9")), ""),
    "a text of 10,000 pieces": (ruleset(texts="{turn: '" + "{left}" * 10_000 + "'}"), ""),
    "no move is ever valid": (ruleset(validity=require("false")), ""),
    "nobody can but pass": (ruleset(validity=require("false"), stuck="pass"), ""),
    "passing for ever": (
        ruleset(
            validity=require("false"),
            turn="{next: me}",
            stuck="{result: pass, effects: {left: left + 1}}",
        ),
        "",
    ),
    "no sides in play": (ruleset(turn="{roll: {die: 1..left - 21}}"), "E507"),
    "no weight in play": (ruleset(turn="{roll: {die: {from: 1..6, weight: left - 21}}}"), "E507"),
    "a negative weight in play": (
        ruleset(turn="{roll: {die: {from: 1..6, weight: die - left}}}"),
        "E507",
    ),
    "nothing to set up": (
        ruleset(setup="{pick: {choose: {c: 1..left - 21}, effects: {left: c}}}"),
        "E509",
    ),
    "a product that overflows": (
        ruleset(operations=effects("left: left * left"), end=when("left == 0")),
        "E501",
    ),
    "a sum that overflows": (
        ruleset(
            state=f"{{left: {2**63 - 1}}}",
            operations=effects("left: left + left"),
            end=when("left == 0"),
        ),
        "E501",
    ),
    "a condition that overflows": (ruleset(end=when(" * ".join(["left"] * 18) + " < 0")), "E501"),
    "an index outside, read": (
        ruleset(state=HEAPS, operations=effects("left: heaps[left]")),
        "E502",
    ),
    "an index outside, written": (
        ruleset(state=HEAPS, operations=effects("heaps[left]: 1")),
        "E502",
    ),
    "an index outside, in `when`": (
        ruleset(
            state=HEAPS, operations="{take: {when: 'heaps[left] == 1', effects: {left: 1}}}"
        ),
        "E502",
    ),
    "an index outside, at the end": (ruleset(state=HEAPS, end=when("heaps[left] == 1")), "E502"),
    "division by zero in `when`": (
        ruleset(operations="{take: {when: 5 / (left - 21) == 1, effects: {left: 1}}}"),
        "E503",
    ),
    "division by zero in validity": (ruleset(validity=require("5 / (left - 21) == 1")), "E503"),
    "division by zero after a move": (
        ruleset(validity=require("5 / (after.left - 20) == 1")),
        "E503",
    ),
    "division by zero at the end": (ruleset(end=when("5 / (left - 18) == 1")), "E503"),
    "division by zero in `next`": (
        ruleset(turn="{next: me if 5 / (left - 18) == 1 else them}"),
        "E503",
    ),
    "division by zero in a roll": (ruleset(turn="{roll: {die: 1..5 / (left - 21)}}"), "E503"),
    "division by zero in `unless`": (
        ruleset(stuck="{unless: 5 / (after.left - 20) == 1, result: lose}"),
        "E503",
    ),
    "division by zero in a payoff": (
        ruleset(end="{done: {when: left > 0, payoff: ['5 / (left - 18)', 0]}}"),
        "E503",
    ),
    "division by zero in effects": (ruleset(operations=effects("left: 5 / (left - 21)")), ""),
    "a remainder by zero": (ruleset(end=when("mod(left, left - 18) == 1")), "E503"),
    "the least of nothing": (ruleset(end=when("min(x for x in 1..3 if x > left) == 1")), "E504"),
    "the greatest of nothing": (ruleset(end=when("max(1..left - 100) == 1")), "E504"),
    "one element written twice": (
        ruleset(state=HEAPS, operations=effects("heaps[left - 19]: 1", "heaps[2]: 2")),
        "E505",
    ),
    "one element written in a loop": (
        ruleset(state=HEAPS, operations=effects("heaps[1] for x in 1..2: x")),
        "E505",
    ),
    "a number outside of a set": (
        ruleset(
            state="{left: 21, s: {type: set of 1..9}}", operations=effects("s: with(s, left)")
        ),
        "E508",
    ),
}  # fmt: skip


def load(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    path = folder / "hostile.yaml"
    path.write_text(text, "utf-8")
    return load_ruleset(path)[1]


def play(model: Ruleset) -> None:
    """A game of some turns, or until it ends."""
    state = make_game(model).start()
    for _ in range(TURNS):
        if state.outcome is not None:
            return
        state = state.play(state.moves[-1])


@pytest.mark.quick(24)
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    text, codes = REFUSED[name]
    found = load(text, tmp_path)
    assert {d.code for d in found} == codes, [str(d) for d in found[:3]]


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", PLAYED)
def test_played(name: str, tmp_path: Path) -> None:
    text, code = PLAYED[name]
    path = tmp_path / "hostile.yaml"
    path.write_text(text, "utf-8")
    model, found = load_ruleset(path)
    assert model is not None, [str(d) for d in found]
    if not code:
        play(model)
        return
    with pytest.raises(GameError) as failed:
        play(model)
    assert failed.value.diagnostic.code == code
    assert failed.value.diagnostic.span.line > 1  # the place of the rule, not just the file


def test_a_text_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    text = "{for a in 1..left * 999}{for b in 1..left * 999}x{end}{end}"
    tests = "{printed: {type: [1], expect: {printed: x}}}"
    path.write_text(ruleset(texts=f"{{turn: '{text}'}}", tests=tests), "utf-8")
    (result,) = run_tests(path).results
    assert "E506" in result.failures[0]


def test_1500_tests(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(ruleset(tests=many(1_500, "{play: [take 1]}")), "utf-8")
    _, results, found = run_tests(path)
    assert not found
    assert len(results) == 1_500
    assert not any(result.failures for result in results)


# ---- variants


def variants(folder: Path, parents: dict[str, str]) -> list[str]:
    """The codes of the first of some rulesets, each with the one that it extends."""
    for name, parent in parents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"rulegame: 1\nextends: {parent}\n", "utf-8")
    return [d.code for d in load_ruleset(folder / next(iter(parents)))[1]]


CIRCLES: Final = [
    {"a.yaml": "./a.yaml"},
    {"a.yaml": "./b.yaml", "b.yaml": "./a.yaml"},
    {"a.yaml": "./b.yaml", "b.yaml": "./c.yaml", "c.yaml": "./a.yaml"},
    {"a.yaml": "./b.yaml", "b.yaml": "./c.yaml", "c.yaml": "./b.yaml"},
    {"a.yaml": "./in/b.yaml", "in/b.yaml": "../a.yaml"},
]


@pytest.mark.parametrize("parents", CIRCLES, ids=len)
def test_a_circle(parents: dict[str, str], tmp_path: Path) -> None:
    assert variants(tmp_path, parents) == ["E211"]


def test_twenty_parents(tmp_path: Path) -> None:
    parents = {f"v{k}.yaml": f"./v{k + 1}.yaml" for k in range(20)}
    assert variants(tmp_path, parents) == ["E214"]


@pytest.mark.parametrize(
    ("parent", "code"),
    [
        ("../outside.yaml", "E212"),
        ("./in/../../outside.yaml", "E212"),
        ("/etc/passwd", "E212"),
        ("~/outside.yaml", "E210"),
        ("./missing.yaml", "E210"),
        ("./.", "E101"),
        ('"a\\nb.yaml"', "E210"),
    ],
)
def test_a_parent_elsewhere(parent: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(ruleset(), "utf-8")
    assert variants(tmp_path / "inside", {"a.yaml": parent}) == [code]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(ruleset(), "utf-8")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    assert variants(tmp_path / "inside", {"a.yaml": "./link.yaml"}) == ["E212"]
