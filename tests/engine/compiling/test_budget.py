"""One budget for a move, and for finding the moves of a state, whatever spends it; what stays
within it is played. None of these takes long; a budget that is passed by shows as a test that does
not end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import rulegame
from rulegame.exploring import explore
from rulegame.game import Game, GameError, State
from rulegame.language.costs import work
from rulegame.limits import LIMITS
from rulegame.loading import RulesetText, load_ruleset, make_game
from rulegame.model.analysis import move_work
from rulegame.playing.conversation import Ask, converse
from support.rulesets import RULESETS

END: Final = "{done: {when: left <= 0, result: win}}"
TAKE: Final = "{take: {choose: {n: 1..3}, effects: {left: left - n}}}"


def game(folder: Path, **sections: str) -> Game:
    """A small game with some sections replaced or added."""
    parts = {"state": "{left: 21, b: 0}", "operations": TAKE, "end": END, **sections}
    path = folder / "budget.yaml"
    text = "rulegame: 1\ntitle: Budget\n" + "".join(f"{k}: {v}\n" for k, v in parts.items())
    path.write_text(text, "utf-8")
    model, found = load_ruleset(path)
    assert model is not None, [str(d) for d in found]
    return make_game(model)


def end(condition: str) -> str:
    return f"\n  done:\n    when: {condition}\n    result: win"


def effect(value: str) -> str:
    return f"\n  take:\n    effects:\n      b: {value}\n      left: left - 1"


def played(made: Game) -> State:
    state = made.start()
    for _ in range(3):
        if state.outcome is not None:
            break
        state = state.play(state.moves[0])
    return state


TRIPLE: Final = "\n  f(l): sum(sum(sum(1 for p in l) for q in l) for r in l)"
SLOW: Final = "any(any(x + left < 0 for y in 1..200) for x in 1..600)"  # 120,000 rounds
OPERATIONS: Final = "".join(
    f"\n  o{k}:\n    choose: {{n: 1..90}}\n    effects: {{left: left - 1}}" for k in range(120)
)

# sections of a ruleset that spends too much in one move, or in finding the moves of a state
SPENT: Final = {
    "a list as a loop": {
        "end": end("sum(sum(1 for b1 in 1..60000) for a in list(i for i in 1..left*4000)) < 0")
    },
    "a list through a definition": {
        "end": end("f(list(i for i in 1..left*1000)) < 0"),
        "define": TRIPLE,
    },
    "a list with a condition, through a definition": {
        "end": end("f(list(i for i in 1..20000 if i > left)) < 0"),
        "define": TRIPLE,
    },
    "a list of a choice of lists": {
        "end": end("f(list(1..9000) if left > 99 else list(i for i in 1..9000 if i > 1)) < 0"),
        "define": TRIPLE,
    },
    "a list that is summed again and again": {
        "end": end("f(list(i for i in 1..left*4000)) < 0"),
        "define": "\n  f(l): sum(sum(l) for i in 1..60000)",
    },
    "the least of a list again and again": {
        "end": end("f(list(i for i in 1..left*4000)) < 0"),
        "define": "\n  f(l): count(1 for i in 1..30000 if min(l) < i)",
    },
    "a list that is looked into again and again": {
        "end": end("f(list(i for i in 1..left*4000))"),
        "define": "\n  f(l): any(-i in l for i in 1..30000)",
    },
    "lists that are compared again and again": {
        "end": end("f(list(i for i in 1..left*4000), list(i + 0 for i in 1..left*4000))"),
        "define": "\n  f(l, m): all(l == m for i in 1..30000)",
    },
    "a range in a definition": {
        "end": end("f(1..left*1000) < 0"),
        "define": TRIPLE,
    },
    "a slow condition of a loop": {
        "end": end(f"count(1 for i in 1..left*4000 if {SLOW}) < 0"),
    },
    "lists of lists": {
        "end": end("size(list(list(i for i in 1..left*4000) for j in 1..left*4000)) < 0"),
    },
    "a slow condition of repetitions": {
        "operations": "\n  take:\n    steps:\n      a:\n        repeat: 10000\n"
        "        while: 'count(1 for i in 1..99000) > 0'\n        effects: {b: b + 1}"
    },
    "repetitions of the state": {
        "operations": "\n  take:\n    steps:\n      a:\n        repeat: left * 400\n"
        "        while: 'count(1 for i in 1..99000) > 0'\n        effects: {b: b + 1}"
    },
    "many repetitions": {
        "operations": "\n  take:\n    steps:"
        + "".join(
            f"\n      s{k}:\n        repeat: 10000\n        while: b + 1 + 1 + 1 + 1 + 1 + 1 >= 0"
            "\n        effects: {b: b + 1}"
            for k in range(700)
        )
    },
    "120 operations, each a bit slow": {
        "operations": OPERATIONS,
        "validity": "\n  slow:\n    require: all(x + n > 0 for x in 1..3000)",
    },
    "120 operations with a slow 'when'": {
        "operations": OPERATIONS.replace("choose:", f"when: not {SLOW}\n    choose:"),
    },
    "many end rules": {
        "end": "".join(
            f"\n  e{k}:\n    when: {SLOW}\n    result: win" for k in range(120)
        )
    },
    "what is written, in a rule about it": {
        "operations": effect("count(x > 9 for x in 1..3000)"),
        "validity": "\n  slow:\n    require: "
        "all(after.b + x + y > 0 for x in 1..90000 for y in 1..2)",
    },
    "weights of a roll": {
        "turn": "{roll: {die: {from: 1..5000, weight: 'count(x > die for x in 1..9000) + 1'}}}"
    },
    "a choice from a list": {
        "operations": "\n  take:\n    choose:\n      n: list(i for i in 1..20000 if i != left)\n"
        "    effects: {left: left - 1}",
        "validity": "\n  slow:\n    require: all(x + n > 0 for x in 1..3000)",
    },
    "effects in a loop over a list": {
        "state": "{left: 21, b: 0, c: [1, 2]}",
        "operations": "\n  take:\n    effects:\n"
        "      'c[1] for i in list(j for j in 1..left*4000) if count(1 for k in 1..9000) < 0': 3\n"
        "      left: left - 1",
    },
    "stuck": {
        "validity": "\n  never:\n    require: false",
        "stuck": "\n  result: pass\n  effects:\n"
        "    b: sum(sum(1 for y in 1..60000) for x in list(i for i in 1..left*4000))",
    },
}  # fmt: skip


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", SPENT)
def test_more_than_the_budget(name: str, tmp_path: Path) -> None:
    made = game(tmp_path, **SPENT[name])
    with pytest.raises(GameError) as failed:
        played(made)
    diagnostic = failed.value.diagnostic
    assert diagnostic.code == "E506"
    assert diagnostic.span.line > 2  # where it is spent
    assert diagnostic.hint


@pytest.mark.parametrize("name", ["a list as a loop", "many end rules", "stuck"])
def test_exploring_has_the_same_budget(name: str, tmp_path: Path) -> None:
    made = game(tmp_path, **SPENT[name])
    with pytest.raises(GameError) as failed:
        explore(made)
    assert failed.value.diagnostic.code == "E506"


# what stays within the budget, although its bounds before the game do not
WITHIN: Final = {
    "120 operations that are not on offer": {
        "operations": OPERATIONS.replace("choose:", "when: left < 0\n    choose:")
        + "\n  take:\n    effects: {left: left - 1}",
        "validity": "\n  slow:\n    require: all(x + n > 0 for x in 1..3000)",
    },
    "repetitions that end early": {
        "operations": "\n  take:\n    steps:\n      a:\n        repeat: 10000\n"
        "        while: 'b < 5 and count(1 for i in 1..9000) > 0'\n        effects: {b: b + 1}\n"
        "      b:\n        effects: {left: left - 1}"
    },
    "short lists through a definition": {
        "end": end("f(list(i for i in 1..left)) < 0"),
        "define": TRIPLE,
    },
    "a list with a condition that is short": {
        "end": end("f(list(i for i in 1..20000 if i <= left)) < 0"),
        "define": TRIPLE,
    },
}


@pytest.mark.parametrize("name", WITHIN)
def test_less_than_the_budget(name: str, tmp_path: Path) -> None:
    played(game(tmp_path, **WITHIN[name]))


def test_every_move_has_the_whole_budget(tmp_path: Path) -> None:
    """What one move spends is not missing for the next, nor for a roll, nor for a text."""
    made = game(
        tmp_path,
        state="{left: 40, b: 0}",
        operations=effect("sum(sum(1 for y in 1..600) for x in list(i for i in 1..900 + left))"),
        turn="{roll: {die: 'list(i for i in 1..2000 + left)'}}",
    )
    state = made.start()
    while state.outcome is None:
        state = state.play(state.moves[0])
    assert state["left"] == 0


def test_the_bundled_games_need_no_meter_for_what_is_bounded() -> None:
    import rulegame

    for name in ("nim", "pig", "tic_tac_toe", "number_duel", "zero_sum_duel"):
        assert move_work(rulegame.load(name).ruleset) < LIMITS.steps // 10


def test_work_is_not_less_than_what_a_loop_does(tmp_path: Path) -> None:
    made = game(tmp_path, end=end("sum(sum(1 for y in 1..50) for x in 1..40 if x > left) < 0"))
    assert work(made.ruleset.end[0].when) >= 50 * 40
    strict = work(made.ruleset.end[0].when, strict=True)
    assert strict == work(made.ruleset.end[0].when)  # every size is known


# ---- texts


def said(made: Game) -> str:
    """All that is printed up to the first question."""
    ask = next(converse(made, roll=lambda state: state.moves[0]))
    assert isinstance(ask, Ask)
    return ask.text


LONG_TEXTS: Final = {
    "a long text in a loop": "{for i in 1..9000}" + "x" * 100_000 + "{end}",
    "loops in loops": "{for i in 1..left*99}{for j in 1..left*99}x{end}{end}",
    "slow values": "{count(x > left for x in 1..40000)}" * 400,
    "a slow value in a loop": "{for i in 1..500}{count(x > left for x in 1..40000)}{end}",
    "a slow condition": "{for i in 1..500}{if count(x > left for x in 1..40000) < 0}x{end}{end}",
    "long lists": "{for i in 1..left}{for j in 1..left}{list(1..90000)}{end}{end}",
    "lists in words": "{for i in 1..left}{for j in 1..left}{and_list(list(1..90000))}{end}{end}",
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", LONG_TEXTS)
def test_a_text_that_takes_too_long(name: str, tmp_path: Path) -> None:
    made = game(tmp_path, texts=f"\n  turn: '{LONG_TEXTS[name]}'")
    with pytest.raises(GameError) as failed:
        said(made)
    assert failed.value.diagnostic.code == "E506"
    assert failed.value.diagnostic.span.line > 2


def test_the_options_of_a_question_have_one_budget(tmp_path: Path) -> None:
    slow = "{value}{if count(x > left for x in 1..9000) < 0}!{end}"
    choice = f"{{n: {{from: 1..5000, option: '{slow}'}}}}"
    made = game(tmp_path, operations=f"{{take: {{choose: {choice}, effects: {{left: left - 1}}}}}}")
    with pytest.raises(GameError) as failed:
        said(made)
    assert failed.value.diagnostic.code == "E506"


def test_a_question_can_be_asked_again_and_again(tmp_path: Path) -> None:
    made = game(tmp_path, texts="\n  turn: '{count(x > left for x in 1..40000)}'")
    talk = converse(made, roll=lambda state: state.moves[0])
    ask = next(talk)
    for _ in range(100):
        assert isinstance(ask, Ask)
        ask = talk.send("nonsense")
    for _ in range(12):
        ask = talk.send("1")


def test_many_moves_can_be_offered(tmp_path: Path) -> None:
    operations = "{take: {choose: {n: 1..9000}, effects: {left: left - 1}}}"
    assert "9000" in said(game(tmp_path, operations=operations))


def test_a_large_board_stays_within_the_budget() -> None:
    """Every candidate is charged for what the rules may take at most."""
    made = rulegame.load(RULESETS / "small_draughts.yaml", {"size": 10})
    report = rulegame.simulate(made, games=5, seed=1)
    assert report.games == 5


BOUNDED: Final = {
    "as often as a set has elements": {
        "state": "{left: 21, b: 0, those: {type: set of 1..9, start: 1..9}}",
        "operations": "\n  take:\n    steps:\n      a:\n        repeat: size(those)\n"
        "        effects: {b: sum(x * y * z for x in 1..20 for y in 1..20 for z in 1..20)}\n"
        "      b:\n        effects: {left: left - 1}",
    },
    "as often as a list has elements": {
        "state": "{left: 21, b: 0, those: {type: list of int, size: 5}}",
        "operations": "\n  take:\n    steps:\n      a:\n"
        "        repeat: size(list(x for x in those))\n"
        "        effects: {b: sum(x * y * z for x in 1..20 for y in 1..20 for z in 1..20)}\n"
        "      b:\n        effects: {left: left - 1}",
    },
    "a list as long as a parameter": {
        "parameters": "{copies: {default: [3, 2, 2], min: 1, max: 9, min size: 1, max size: 5}}",
        "state": "{left: 21, b: 0, deck: {type: list of int,"
        ' start: "list(7 for k in 1..size(copies))"}}',
    },
    "an entry of a long list": {
        "state": "{left: 21, b: 0, many: {type: list of int, size: 3000}}",
        "operations": effect("sum(many[x] for x in 1..3000)"),
    },
}


@pytest.mark.parametrize("name", BOUNDED)
def test_what_sizes_bound_is_not_refused(name: str, tmp_path: Path) -> None:
    assert played(game(tmp_path, **BOUNDED[name])).turn is not None


COSTLY = """\
rulegame: 1
title: Costly
state: {many: 4000, n: 0}
define:
  heavy(k): count(x for x in 1..many for y in 1..many if x * y == k)
  light(k): any(x == k for x in 1..many)
operations:
  go: {choose: {k: 1..5}, effects: {n: n + 1}}
validity: {fine: light(k) and heavy(k) + n > 0}
end: {over: {when: n > 20, result: win}}
"""


def test_the_report_points_at_the_costliest_part() -> None:
    with pytest.raises(rulegame.GameError) as caught:
        rulegame.loads(COSTLY).start()
    found = caught.value.diagnostic
    assert found.code == "E506" and (found.span.line, found.span.column) == (5, 47)
    limit = f"{LIMITS.steps:,}"
    assert found.message == f"this takes more than {limit} steps, the limit; 99 % of them here"


def test_the_estimate_points_at_the_costliest_part() -> None:
    _, problems = load_ruleset(RulesetText(COSTLY.replace("1..many", "1..2500")))
    assert [problem.code for problem in problems] == ["E311"]
    limit = f"{LIMITS.expression_cost:,}"
    assert problems[0].message.endswith(f"steps; the limit is {limit}")
    [related] = problems[0].related
    assert (related.message, related.span.line, related.span.column) == (
        "most of them are here", 5, 13,
    )  # fmt: skip


def test_moves_that_are_refused_early_cost_little() -> None:
    """Each validity rule is charged for where it is asked."""
    text = """\
rulegame: 1
title: Early
state: {n: 0, left: 9}
define: {above: list(x for x in 1..150 if x > n)}
operations:
  go: {choose: {k: above, m: above}, effects: {n: n + 1}}
validity:
  one: {require: k == left}
  slow: {require: any(x == k for x in 1..3000)}
end: {over: {when: n > 2, result: win}}
"""
    state = rulegame.loads(text).start()
    assert len(state.moves) == 150
