"""The structure of rulesets: each mistake with its code, its place and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from jsonschema import Draft7Validator

from rulegame.bundled import ruleset_names, ruleset_path, schema_path
from rulegame.diagnostics import Diagnostic, in_file_order
from rulegame.keys.json_schema import json_schema
from rulegame.keys.values import RESERVED
from rulegame.limits import LIMITS
from rulegame.source.nodes import Mapping, Node, to_plain
from rulegame.source.reading import read_bytes
from rulegame.source.structure import check_file, check_merged
from rulegame.source.validation import validator

REFERENCE = Path(__file__).parents[3] / "docs" / "language.md"
WHOLE = """\
rulegame: 1
title: Countdown
operations:
  take: {effects: {left: left - 1}}
end:
  last_taken: {when: left == 0, result: win}
"""  # six lines: what a table's text adds begins in line 7


def nodes(text: str) -> Node:
    root, problems = read_bytes(text.encode(), "game.yaml")
    assert root is not None and not problems, problems
    return root


def problems_in(text: str) -> tuple[Diagnostic, ...]:
    return in_file_order(check_file(nodes(text), "game.yaml"))


def found(text: str) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in problems_in(text)]


def only(text: str) -> Diagnostic:
    problems = problems_in(text)
    assert len(problems) == 1, [str(p) for p in problems]
    return problems[0]


# ── One file ──────────────────────────────────────────────────────────────────────────────────────

# What is added to a ruleset without mistakes; code, line and column; a part of the message; the
# hint.
ADDED = [
    # Unknown keys
    ("sumary: x", "E201", 7, 1, "not a key of a ruleset", "did you mean 'summary'?"),
    (
        "when: x",
        "E201",
        7,
        1,
        "",
        "'when' belongs in a setup choice, a step, a roll, an operation or an end rule",
    ),
    ("min: 1", "E201", 7, 1, "", "'min' belongs in a parameter"),
    ("validity:\n  r: {requires: x}", "E201", 8, 7, "a validity rule", "did you mean 'require'?"),
    ("validity:\n  r: {when: x}", "E201", 8, 7, "", "'when' belongs in a setup choice, "),
    ("parameters:\n  n:\n    min sise: 2", "E201", 9, 5, "", "did you mean 'min size'?"),
    ("state:\n  n: {qqq: 2}", "E201", 8, 7, "", "expected one of: type, indexed by, start, size"),
    ("state:\n  each player:\n    n: {begin: 2}", "E201", 9, 9, "", "'begin' belongs in 'texts'"),
    ("turn: {rol: {die: 1..6}}", "E201", 7, 8, "a key of 'turn'", "did you mean 'roll'?"),
    ("setup:\n  pick: {key: x}", "E201", 8, 10, "", "'key' belongs in an operation"),
    ("texts: {welcom: x}", "E201", 7, 9, "", "did you mean 'welcome'?"),
    ("claims: {no_draw: true}", "E201", 7, 10, "", "did you mean 'no_draws'?"),
    ("tests:\n  t: {expects: {}}", "E201", 8, 7, "", "did you mean 'expect'?"),
    ("tests:\n  t: {expect: {valus: {}}}", "E201", 8, 16, "", "did you mean 'values'?"),
    ("stuck: {all: {resolt: lose}}", "E201", 7, 15, "a key of 'all'", "did you mean 'result'?"),
    # Wrong kinds of values
    (
        "players: 2",
        "E203",
        7,
        10,
        "'players' must be a list of names, not a number",
        "[Player 1, Player 2]",
    ),
    ("players: [1, Ann]", "E203", 7, 11, "each item of 'players'", 'quote it: "1"'),
    ("summary: [x]", "E205", 7, 10, "but YAML reads a list", 'summary: "[x]"'),
    ("extends2: x", "E201", 7, 1, "", "did you mean 'extends'?"),
    ("parameters: [a]", "E203", 7, 13, "a mapping from names to parameters, not a list", "start:"),
    ("parameters:\n  n: {min: low}", "E203", 8, 12, "a whole number, not text", ""),
    ("parameters:\n  n: {min: 1.5}", "E203", 8, 12, "whole number", "are whole"),
    ("parameters:\n  n: 1.0", "E203", 8, 6, "whole number", "are whole"),
    ("parameters:\n  n: [1, x]", "E203", 8, 10, "each item of 'n' must be a whole number", ""),
    ("state:\n  n: 0.5", "E203", 8, 6, "whole number", ""),
    ("state:\n  n: {start: 0.5}", "E203", 8, 14, "a whole number, not 0.5", ""),
    ("state:\n  n: {type: 3}", "E203", 8, 13, "'type' must be a type, not a number", ""),
    ("validity:\n  r: {require: x, for: take}", "E203", 8, 24, "", "write a list: for: [take]"),
    ("turn: them", "E203", 7, 7, "not text", "expected keys such as: together, begin, roll, ask"),
    ("stuck: 3", "E203", 7, 8, "lose, win, draw, pass or a mapping, not a number", ""),
    ("stuck: {result: [win]}", "E203", 7, 17, "not a list", ""),
    ("claims: {no_draws: 1}", "E203", 7, 20, "true or false, not a number", "no_draws: true"),
    ("claims: {no_draws: null}", "E203", 7, 20, "not null", ""),
    ("claims: {fair_within: close}", "E203", 7, 23, "a number, not text", "0.05"),
    ("tests:\n  t: {play: take 1}", "E203", 8, 13, "a list of moves", "play: [take 1]"),
    ("tests:\n  t: {first: Ann}", "E203", 8, 14, "the number of a player, not text", ""),
    # Values that are not allowed
    ("players: []", "E204", 7, 10, "at least one item", ""),
    ("players: [a, b, c, d, e, f, g, h, i]", "E204", 7, 10, "at most 8 items", ""),
    ('players: [Ann, ""]', "E204", 7, 16, "must not be empty", ""),
    ("players: [Ann, Bob, Ann]", "E204", 7, 21, "duplicate item 'Ann' in this list", ""),
    ("state:\n  n: {seen by: owners}", "E204", 8, 16, "not 'owners'", "did you mean 'owner'?"),
    ("stuck: loose", "E204", 7, 8, "not 'loose'", "did you mean 'lose'?"),
    ("stuck: {result: past}", "E204", 7, 17, "not 'past'", "did you mean 'pass'?"),
    ("stuck: {all: pass}", "E204", 7, 14, "not 'pass'", "expected one of: lose, win, draw"),
    ("parameters:\n  n: {min size: -1}", "E204", 8, 17, "at least 0, not -1", ""),
    ("parameters:\n  n: {one of: [a, 2b]}", "E204", 8, 19, "a name, not '2b'", "a letter, then"),
    ("validity:\n  r: {before: not a name}", "E204", 8, 15, "a name", "a letter, then"),
    ("tests:\n  t: {first: 0}", "E204", 8, 14, "at least 1, not 0", ""),
    ("tests:\n  t: {expect: {outcome: draw}}", "E204", 8, 25, "", "expected one of: none"),
    ("claims: {fair_within: -1}", "E204", 7, 23, "at least 0", ""),
    ("claims: {fair_within: true}", "E203", 7, 23, "a number, not 'true'", "0.05"),
    ("claims: {fair_within: yes}", "E203", 7, 23, "a number, not text", "0.05"),
    ('validity: {r: ""}', "E204", 7, 15, "must not be empty", ""),
    # What YAML has taken apart
    (
        "validity:\n  r: {require: max(a, b) > 0}",
        "E205",
        8,
        16,
        "a comma ends a value",
        'quote this expression: require: "max(a, b) > 0"',
    ),
    (
        "validity:\n  r: {require: f(a, b, c) > g(d, e), note: x}",
        "E205",
        8,
        16,
        "",
        'quote this expression: require: "f(a, b, c) > g(d, e)"',
    ),
    (
        "state: {n: max(a, b), m: 1}",
        "E205",
        7,
        12,
        "a comma ends a value",
        'quote this expression: n: "max(a, b)"',
    ),
    (
        "define: {free(r, c): x}",
        "E205",
        7,
        10,
        "a comma ends a value",
        'quote this expression: "free(r, c)"',
    ),
    (
        "state:\n  n: [max(a, 2), 3]",
        "E205",
        8,
        7,
        "a comma ends a value",
        'quote this expression: "max(a, 2)"',
    ),
    ("validity:\n  r: {require: {a > 0}}", "E205", 8, 16, "YAML reads", 'require: "a > 0"'),
    ("validity:\n  r: {after.n >= 0}", "E205", 8, 6, "a validity rule", 'r: "after.n >= 0"'),
    ("stuck: {unless: {a in 0..9}}", "E205", 7, 17, "YAML reads", 'unless: "a in 0..9"'),
    ("parameters:\n  n: {1, 2, 3}", "E205", 8, 6, "a parameter", "write a list: n: [1, 2, 3]"),
    (
        "parameters:\n  n: {default: 2, about: How many, at the start}",
        "E205",
        8,
        26,
        "a comma ends a value",
        'quote this text: about: "How many, at the start"',
    ),
    ("texts: {ended: {winner}}", "E205", 7, 16, "'ended' must be text", 'ended: "{winner}"'),
    ("texts:\n  ended:\n    a: b", "E205", 9, 5, "but YAML reads a mapping", "quote this text"),
    ("turn:\n  next:\n    a: b", "E205", 9, 5, "but YAML reads a mapping", "quote this expr"),
    ("turn: {next: {them: if x}}", "E205", 7, 14, "", 'next: "them: if x"'),
    ("tests:\n  t: {given: {n: null}}", "E205", 8, 18, "not null", "write 'none' for no value"),
    ("state:\n  n: [1, null]", "E205", 8, 10, "each item of 'n'", "write 'none' for no value"),
    # Names
    ("parameters: {add-one: 1}", "E206", 7, 14, "the name of a parameter", "add_one"),
    ("state:\n  2x: 1", "E206", 8, 3, "the name of a value", "value_2x"),
    ("state:\n  each players: {}", "E206", 8, 3, "", "did you mean 'each player'?"),
    ("state:\n  größe: 1", "E206", 8, 3, "", "groe"),
    ("validity:\n  is it ok: x", "E206", 8, 3, "the name of a rule", "is_it_ok"),
    ("define:\n  f(a b): x", "E206", 8, 3, "the name of a definition", "f(a_b)"),
    ("define:\n  f(me): x", "E206", 8, 3, "is a reserved word", "f(me_definition)"),
    ("parameters: {first: 1}", "E206", 7, 14, "is a reserved word", "first_parameter"),
    ("turn: {roll: {end: 1..6}}", "E206", 7, 15, "is a reserved word", "end_roll"),
    ("state:\n  each player:\n    my: 1", "E206", 9, 5, "is a reserved word", "my_value"),
    ('state:\n  "a\\n": 1', "E206", 8, 3, "", "for example: a"),
    # A value that was left empty, where there is nothing to inherit
    ("summary:", "E203", 7, 1, "'summary' has no value", "null removes something"),
    ("validity:\n  r:\n    require: x\n    because:", "E203", 10, 5, "'because' has no value", ""),
    ("texts: {between: null}", "E203", 7, 9, "'between' has no value", ""),
]


@pytest.mark.parametrize(("added", "code", "line", "column", "message", "hint"), ADDED)
def test_a_mistake_is_reported_once_where_it_is(
    added: str, code: str, line: int, column: int, message: str, hint: str
) -> None:
    problem = only(WHOLE + added + "\n")
    assert (problem.code, problem.span.line, problem.span.column) == (code, line, column)
    assert message in problem.message
    assert hint in problem.hint
    assert problem.span.file == "game.yaml"


# The operation `take` with something in it; the place in line 5.
OPERATIONS = [
    ("effect: {}", "E201", 5, "", "did you mean 'effects'?"),
    ("require: x", "E201", 5, "", "'require' belongs in a parameter or a validity rule"),
    ("choose: {n-1: 1..3}", "E206", 14, "the name of a choice", "n_1"),
    ("choose: {n: {form: 1..3}}", "E201", 18, "a choice", "did you mean 'from'?"),
    ("choose: {n: 1.5}", "E203", 17, "whole number", ""),
    ("steps: {s: {repeat: 10001}}", "E204", 25, "at most 10000", ""),
    ("choose: {for: 1..3}", "E206", 14, "is a reserved word", "for_choice"),
    ("steps: {s: {times: 3}}", "E201", 17, "a step", ""),
    ("effects: left - 1", "E203", 14, "a mapping from what changes", "my.score - n"),
    ("effects: {left: max(a, b)}", "E205", 21, "a comma ends", 'left: "max(a, b)"'),
    ("effects: {left: {a > 1}}", "E205", 21, "YAML reads", 'left: "a > 1"'),
    ("enabled: 1", "E203", 14, "true or false, not a number", "enabled: false"),
    ("enabled: no", "E203", 14, "true or false, not text", ""),
    ("label: {x}", "E205", 12, "must be text", 'label: "{x}"'),
    ("left == 0:", "E205", 5, "a key without a value", '"left == 0"'),
    ("texts: {chosen: [a, b]}", "E205", 21, "must be text", 'chosen: "[a, b]"'),
    ("when: {hand > 0}", "E205", 11, "must be an expression", 'when: "hand > 0"'),
    ("when:", "E203", 5, "'when' has no value", ""),
]


@pytest.mark.parametrize(("added", "code", "column", "message", "hint"), OPERATIONS)
def test_a_mistake_in_an_operation(
    added: str, code: str, column: int, message: str, hint: str
) -> None:
    text = "rulegame: 1\ntitle: x\noperations:\n  take:\n    ADDED\n    key: t\nend: {}\n"
    problem = only(text.replace("ADDED", added))
    assert (problem.code, problem.span.line, problem.span.column) == (code, 5, column)
    assert message in problem.message
    assert hint in problem.hint


def test_an_expression_in_braces_where_a_rule_should_be() -> None:
    problem = only(WHOLE.replace("{when: left == 0, result: win}", "{left == 0}"))
    assert (problem.code, problem.span.line, problem.span.column) == ("E205", 6, 15)
    assert problem.hint == 'quote this expression: when: "left == 0"'


def test_a_torn_key_on_a_line_of_its_own_is_not_joined_to_the_line_above() -> None:
    problem = only("rulegame: 1\nextends: x\noperations:\n  a:\n    label: A\n    left == 0:\n")
    assert (problem.code, problem.span.line, problem.span.column) == ("E205", 6, 5)
    assert problem.hint == 'quote this expression: "left == 0"'


def test_missing_keys_of_a_whole_ruleset() -> None:
    text = "rulegame: 1\nsummary: x\n"
    assert found(text) == [("E202", 1, 1)] * 3
    problems = problems_in(text)
    assert {p.message for p in problems} == {
        f"the ruleset needs '{name}'" for name in ("title", "operations", "end")
    }
    assert all(p.hint.startswith("for example: ") for p in problems)


def test_the_version_is_missing_or_another() -> None:
    assert found(WHOLE.removeprefix("rulegame: 1\n")) == [("E202", 1, 1)]
    for version in ("2", "1.0", '"1"', "true", "[1]", ""):
        text = WHOLE.replace("rulegame: 1", f"rulegame: {version}".rstrip())
        assert [code for code, _, _ in found(text)][:1] == ["E207"], version
    problem = only(WHOLE.replace("rulegame: 1", "rulegame: 2"))
    assert (problem.span.line, problem.span.column) == (1, 11)
    assert problem.hint == "write: rulegame: 1"
    assert problem.message == "this version of rulegame reads language version 1, not 2"
    problem = only(WHOLE.replace("rulegame: 1", 'rulegame: "1"'))
    assert problem.message == "'rulegame' must be the number 1, not \"1\""


@pytest.mark.parametrize(
    ("text", "kind"), [("[a]\n", "a list"), ("just text\n", "text"), ("3\n", "a number")]
)
def test_the_file_must_be_a_mapping(text: str, kind: str) -> None:
    problem = only(text)
    assert problem.code == "E203"
    assert problem.message == f"a ruleset is a mapping, not {kind}"


def test_an_empty_mapping_lacks_its_version() -> None:
    assert found("{}\n") == [("E202", 1, 1)]


def test_all_problems_in_one_run() -> None:
    text = WHOLE + "players: 2\nstate: {a-b: 1, n: 1.5}\nvalidty: {}\nstuck: loose\n"
    expected = [("E203", 7), ("E206", 8), ("E203", 8), ("E201", 9), ("E204", 10)]
    assert [(code, line) for code, line, _ in found(text)] == expected


def test_no_more_problems_than_people_are_shown() -> None:
    text = WHOLE + "".join(f"unknown_{k}: 1\n" for k in range(3 * LIMITS.problems))
    assert len(problems_in(text)) == LIMITS.problems


def test_a_long_list_of_mixed_values_is_checked_in_no_time() -> None:
    items = ", ".join(f"{k}, p{k}" for k in range(2_000))
    assert len(problems_in(WHOLE + f"players: [{items}]\n")) == LIMITS.problems


# ── What is right ─────────────────────────────────────────────────────────────────────────────────


def test_a_variant_may_remove_anything() -> None:
    text = """\
        rulegame: 1
        extends: zero_sum_duel
        title: Another
        summary: null
        players: null
        parameters: {start: null, most: {min: null, before: start}}
        define: {half: null, "f(a, b)": null}
        state: {last: null, each player: {score: null}, n: {seen by: null, start: null}}
        setup: {pick: null, other: {secret: null}}
        turn: {roll: {die: null}, ask: null, next: null}
        operations:
          skip: null
          take:
            when: null
            choose: {n: {menu: null, before: m}, k: null}
            effects: {left: null}
            steps: {sow: {while: null}}
            texts: {chosen: null}
        validity: {not_repeated: null, other: {for: null, before: x}}
        stuck: {unless: null, result: null, all: null}
        end: {zero: null, other: {result: null, winners: me}}
        texts: {between: null, welcome: 21, turn: true}
        """
    assert problems_in(dedent(text)) == ()
    assert problems_in("rulegame: 1\nextends: x\nvalidity: null\nstuck: null\n") == ()


def test_an_expression_may_be_a_text_a_number_a_truth_or_lists_of_these() -> None:
    text = WHOLE + dedent("""\
        parameters: {a: 3, b: true, c: [1, 2, 3], d: {default: word, one of: [word, other]}}
        define: {a1: 1, b1: true, c1: [[1, x], [true, 2]], "f(x, y)": x + y, "g( x )": x}
        state: {n: 1, m: x + 1, l: [[none, me], [none, none]], o: {start: [1, 2]}}
        validity: {r: true, s: {require: x, for: [take]}}
        turn: {roll: {die: 6, card: {from: [1, 2], weight: 3}}}
        """)
    assert problems_in(text) == ()


def test_quoted_pieces_are_left_alone() -> None:
    text = WHOLE + 'tests: {t: {type: ["(a", "b)"], expect: {printed: [sad :(, again]}}}\n'
    assert problems_in(text) == ()


def examples() -> Iterator[tuple[str, str]]:
    """The blocks of YAML in the language reference, each as a file."""
    heading = ""
    for part in re.split(r"(?m)^(?=##+ )", REFERENCE.read_text("utf-8")):
        heading = part.partition("\n")[0].strip("# ")
        for k, block in enumerate(re.findall(r"(?s)```yaml\n(.*?)```", part), 1):
            yield f"{heading} {k}", as_file(block, heading)


def as_file(block: str, heading: str) -> str:
    """A block of the reference in the place where it belongs."""
    if "rulegame: 1" in block:
        return block
    inner = " " * 4 + block.replace("\n", "\n    ").rstrip() + "\n"
    first = block.partition(":")[0]
    if first in ("choose", "steps"):
        block = f"operations:\n  example:\n{inner}"
    elif first == "roll":
        block = f"turn:\n{inner}"
    return f"rulegame: 1\nextends: other\n{block}"


@pytest.mark.parametrize("text", [pytest.param(t, id=name) for name, t in examples()])
def test_the_examples_of_the_reference_pass(text: str) -> None:
    assert problems_in(text) == ()


@pytest.mark.parametrize("name", ruleset_names())
def test_the_bundled_rulesets_pass(name: str) -> None:
    path = ruleset_path(name)
    assert path is not None
    assert problems_in(path.read_text("utf-8")) == ()


# ── The merged ruleset ────────────────────────────────────────────────────────────────────────────

MERGED = """\
rulegame: 1
title: Countdown
parameters: {pile: {default: 21}}
state: {left: {start: pile}, last: {type: optional int}, each player: {score: {start: 0}}}
setup: {pick: {choose: {n: {from: 1..9}}, effects: {my.score: n}}}
turn: {roll: {die: {from: 1..6}}}
operations:
  take: {choose: {n: {from: 1..3}}, effects: {left: left - n}}
  sow: {steps: {throw: {roll: {coin: {from: 0..1}}}, move: {effects: {left: 0}, repeat: 2}}}
validity: {enough: {require: after.left >= 0}}
stuck: {result: pass, all: {result: lose}}
end: {last_taken: {when: left == 0, result: win}}
tests: {t: {play: [take 1]}}
"""

# What is replaced by what; code, line and column; a part of the message; a part of the hint.
REPLACED = [
    ("title: Countdown\n", "", "E202", 1, 1, "the ruleset needs 'title'", "title: Countdown"),
    ("state:", "players: {from: 2}\nstate:", "E202", 4, 1, "'players' needs 'to'", "to: 6"),
    ("state:", "players: {to: 4}\nstate:", "E202", 4, 1, "'players' needs 'from'", "from: 2"),
    ("{default: 21}", "{min: 1}", "E202", 3, 14, "'pile' needs 'default'", "default: 20"),
    ("{start: pile}", "{about: x}", "E202", 4, 9, "'left' needs 'type' or 'start'", "type: int"),
    ("{start: 0}", "{size: 2}", "E202", 4, 72, "'score' needs 'type' or 'start'", ""),
    ("effects: {my.score: n}", "label: x", "E202", 5, 9, "'pick' needs 'effects'", "effects:"),
    ("{from: 1..9}", "{menu: x}", "E202", 5, 25, "'n' needs 'from'", "from: 1..6"),
    ("{from: 1..6}", "{weight: 2}", "E202", 6, 15, "'die' needs 'from'", ""),
    ("effects: {left: left - n}", "key: t", "E202", 8, 3, "'roll' or 'next'", "effects: {"),
    ("{from: 1..3}", "{menu: x}", "E202", 8, 19, "'n' needs 'from'", ""),
    ("{from: 0..1}", "{text: x}", "E202", 9, 32, "'coin' needs 'from'", ""),
    ("effects: {left: 0}, repeat: 2", "when: x", "E202", 9, 54, "'effects' or 'roll'", ""),
    ("require: after.left >= 0", "note: x", "E202", 10, 12, "'enough' needs 'require'", ""),
    ("when: left == 0, ", "", "E202", 12, 7, "'last_taken' needs 'when'", "when: left == 0"),
    (
        ", result: win",
        "",
        "E202",
        12,
        7,
        "needs 'result', 'winners', 'payoff', 'everyone' or 'score'",
        "result: win",
    ),
    ("sow: {", "sow: {effects: {}, ", "E201", 9, 9, "combined with 'steps'", "steps: null"),
    ("result: win", "result: win, payoff: x", "E201", 12, 50, "with 'result'", "result: null"),
    ("result: pass", "winners: x, payoff: y", "E201", 11, 21, "combined with 'winners'", ""),
    ("all: {", "all: {winners: me, ", "E201", 11, 29, "combined with 'result'", ""),
    ("play: [take 1]", "play: [], type: []", "E201", 13, 23, "combined with 'play'", ""),
]


def merged(text: str) -> tuple[Diagnostic, ...]:
    root = nodes(text)
    assert isinstance(root, Mapping)
    return check_merged(root)


def test_a_complete_merged_ruleset_passes() -> None:
    assert merged(MERGED) == ()
    assert problems_in(MERGED) == ()


@pytest.mark.parametrize(("old", "new", "code", "line", "column", "message", "hint"), REPLACED)
def test_what_is_missing_after_merging(
    old: str, new: str, code: str, line: int, column: int, message: str, hint: str
) -> None:
    assert MERGED.count(old) == 1
    problem = merged(MERGED.replace(old, new))[0]
    assert (problem.code, problem.span.line, problem.span.column) == (code, line, column)
    assert message in problem.message
    assert hint in problem.hint


def test_a_merged_ruleset_needs_operations() -> None:
    text = "rulegame: 1\ntitle: x\noperations: {}\nend: {}\n"
    assert [p.message for p in merged(text)] == ["the ruleset needs 'operations'"]


def test_both_checks_say_the_same_of_a_missing_key() -> None:
    text = "rulegame: 1\ntitle: x\nend: {}\n"
    assert merged(text) == problems_in(text)


# ── The schema ────────────────────────────────────────────────────────────────────────────────────


SCHEMA = json_schema()


def parts(part: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in the schema, with its place."""
    if not isinstance(part, dict):
        return
    yield path, part
    for keyword in ("properties", "definitions"):
        for name, inner in part.get(keyword, {}).items():
            yield from parts(inner, f"{path}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties", "propertyNames"):
        yield from parts(part.get(keyword), f"{path}/{keyword}")


def test_the_schema_is_a_schema() -> None:
    Draft7Validator.check_schema(SCHEMA)


def test_each_key_has_a_description_with_an_example() -> None:
    checked = 0
    for path, part in parts(SCHEMA):
        for name, inner in part.get("properties", {}).items():
            assert "Example: `" in inner.get("description", ""), f"{path}/{name}"
            checked += 1
    assert checked > 100


def test_each_value_has_words_for_messages() -> None:
    for path, part in parts(SCHEMA):
        if "type" in part or "enum" in part:
            assert part.get("title"), path


def test_fixed_mappings_are_closed() -> None:
    for path, part in parts(SCHEMA):
        if "properties" in part and not path.endswith("/state"):
            assert part["additionalProperties"] is False, path


def test_the_schema_offers_no_alternatives() -> None:
    text = schema_path().read_text("utf-8")
    assert '"oneOf"' not in text and '"anyOf"' not in text


def test_the_schema_keeps_the_limits_and_the_reserved_words() -> None:
    whole = SCHEMA
    assert whole["properties"]["players"]["maxItems"] == LIMITS.players
    assert whole["definitions"]["repeat"]["maximum"] == LIMITS.repeat
    assert whole["definitions"]["integer"]["maximum"] == LIMITS.integer
    assert whole["definitions"]["integer"]["minimum"] == -LIMITS.integer
    assert set(whole["definitions"]["name"]["not"]["enum"]) == set(RESERVED)
    pattern = whole["definitions"]["definition_name"]["not"]["pattern"]
    assert set(re.findall(r"[a-z]+", pattern.split("?(")[1].split(")")[0])) == set(RESERVED)


@pytest.mark.parametrize("added", [row[0] for row in ADDED if "has no value" not in row[4]])
def test_an_editor_sees_the_mistake_too(added: str) -> None:
    """Any draft-07 validator refuses it, except for what only a person can see."""
    text = WHOLE + added + "\n"
    plain = to_plain(nodes(text))
    seen = list(Draft7Validator(SCHEMA).iter_errors(plain))
    in_quotes = any(one.text.startswith(('"', "'")) for one in only(text).suggestions)
    invisible = in_quotes or "1.0" in added
    assert seen or invisible or "\\n" in added


def test_the_first_problems_are_reported_of_many() -> None:
    keys = [f"k{k}" for k in range(3 * LIMITS.problems)]
    found = validator().iter_errors({"operations": dict.fromkeys(keys, 1)})
    wrong = [error.absolute_path[-1] for error in found if len(error.absolute_path) == 2]
    assert list(dict.fromkeys(wrong)) == keys
