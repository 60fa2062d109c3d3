"""Rulebooks: golden ones for every bundled game, and what must hold for any."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

import rulegame
from fuzz import rulesets_way
from rulegame.bundled import ruleset_names
from rulegame.rulebook import promises, render
from rulegame.rulebook.document import ItemList
from rulegame.rulebook.markup import clean

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
OWN = sorted((HERE / "rulesets").glob("*.yaml"))
GALLERY: dict[str, dict[str, object]] = {  # on small boards, for the sake of time
    "blackjack": {"dealer_stands": 12},
    "breakthrough": {"rows": 5, "columns": 3},
    "connect_four": {"rows": 3, "columns": 4},
    "english_draughts": {"size": 4, "quiet": 4},
    "german_whist": {"ranks": 2},
    "gomoku": {"size": 4, "line": 3},
    "hex": {"size": 3},
    "kalah": {"width": 2, "seeds": 3},
    "kuhn_poker": {},
    "leduc_poker": {},
    "liars_dice": {"sides": 3},
    "mastermind": {"colours": 3},
    "nine_mens_morris": {"men": 3},
    "othello": {"size": 4},
    "shut_the_box": {"tiles": 4, "sides": 2},
}
CASES: dict[str, tuple[str, dict[str, object], tuple[str, ...]]] = {
    **{name: (name, {}, ()) for name in ruleset_names("games", "variants")},
    **{name: (name, parameters, ()) for name, parameters in GALLERY.items()},
    **{path.stem: (str(path), {}, ()) for path in OWN},
    "double_or_nothing_31_enabled": (
        "double_or_nothing_31",
        {"target": 50},
        ("subtract_one", "triple"),
    ),
    "misere_nim_of_two": ("nim", {"misere": True, "heaps": [2, 2]}, ()),
}
VOID = frozenset(("meta", "br", "hr", "link", "img"))


def _game(case: str) -> rulegame.Game:
    name, parameters, enable = CASES[case]
    return rulegame.load(name, parameters, enable=enable)


@pytest.mark.quick(10)
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str) -> None:
    game = _game(case)
    report = rulegame.check(game, max_states=50_000, warn=False) if game.ruleset.claims else None
    proved = None if report is None or report.refusal else report
    printed = render(rulegame.write_rulebook(game, proved), "text")
    golden = GOLDEN / f"{case}.txt"
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        golden.write_text(printed, encoding="utf-8")
    assert printed == golden.read_text(encoding="utf-8")


@pytest.mark.quick(4)
@pytest.mark.parametrize("case", CASES)
def test_everything_is_mentioned(case: str) -> None:
    game = _game(case)
    ruleset = game.ruleset
    text = render(rulegame.write_rulebook(game), "md").casefold().replace("\\", "")
    own_words = ruleset.rulebook  # what its paragraphs mention is the author's business
    for operation in (*ruleset.operations, *ruleset.disabled, *ruleset.setup):
        label = clean(operation.label).casefold()
        assert (label if "operations" in own_words else f"**{label}**") in text
    barring = () if "validity" in own_words else ruleset.validity
    for name in (*(r.name for r in barring), *(r.name for r in ruleset.end)):
        assert name.replace("_", " ") in text
    for name in ruleset.parameters:
        assert f"`{name}`" in text
    for name in () if "setup" in own_words else ruleset.state:
        assert f"**{name.replace('_', ' ')}**" in text
    for player in ruleset.players:
        assert player.casefold() in text


class _Balance(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not any(name in ("src", "onclick", "onload") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def _checked(page: str) -> _Balance:
    parser = _Balance()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert {"html", "head", "title", "main", "h1", "h2", "nav"} <= parser.seen
    assert not {"script", "link", "img", "iframe"} & parser.seen
    return parser


@pytest.mark.quick(3)
@pytest.mark.parametrize("case", CASES)
def test_html_is_whole(case: str) -> None:
    page = render(rulegame.write_rulebook(_game(case)), "html")
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert _game(case).ruleset.title in _checked(page).words


def _written(tmp_path: Path, text: str) -> rulegame.Game:
    file = tmp_path / "game.yaml"
    file.write_text(text, encoding="utf-8")
    return rulegame.load(file)


HOSTILE = r"""
rulegame: 1
title: "<script>alert(1)</script> & *bold* |x| \ue000"
summary: "</main><img src=x onerror=y> `code` # not a heading"
players: ["<b>Ann</b>", "Bob|_x_"]
parameters:
  s: {default: 3, about: "a | b <i>"}
state:
  last: {type: optional int, about: "The <u>thing</u>"}
  each player:
    s_s: {start: s, about: "The *number* that this player has"}
operations:
  x:
    label: "<a href='x'>*</a>"
    about: "[link](http://x) ok"
    effects:
      my.s_s: my.s_s - 1
      last: my.s_s
validity:
  r_r:
    require: after.my.s_s >= 0
    because: "<hr>{my.name} | no"
end:
  e:
    when: my.s_s == 0
    result: win
    about: "1. <ol> | \\"
"""


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_hostile_texts_stay_texts(tmp_path: Path, form: str) -> None:
    printed = render(rulegame.write_rulebook(_written(tmp_path, HOSTILE)), form)
    assert all(c.isprintable() or c == "\n" for c in printed)
    assert "\ue000" not in printed
    if form == "html":
        parser = _checked(printed)
        assert "<script>alert(1)</script>" in parser.words
        assert not {"b", "i", "u", "hr", "ol"} & parser.seen
    if form == "md":
        assert "<" not in re.sub(r"`[^`]*`", "", printed).replace("\\<", "")
        for table in re.findall(r"(?:^\|.*\n)+", printed, re.M):
            bars = {line.replace("\\|", "").count("|") for line in table.splitlines()}
            assert len(bars) == 1, table


COUNTDOWN = """
rulegame: 1
title: Countdown
parameters:
  pile: {default: 9, min: 1, max: 99}
state: {left: pile}
operations:
  take: {choose: {n: 1..3}, effects: {left: left - n}}
validity: {enough: after.left >= 0}
end: {last: {when: left == 0, result: win, about: Whoever takes the last one wins}}
rulebook:
  intro: "Played with {pile} stones."
  stuck: ""
  setup: |
    You need:

    - {left} stones
    - a table
"""


def test_authors_word_paragraphs_themselves(tmp_path: Path) -> None:
    book = rulegame.write_rulebook(_written(tmp_path, COUNTDOWN))
    text = render(book, "text")
    assert "Played with 9 stones." in text
    assert "You need:\n\n- 9 stones\n- a table\n" in text
    assert "stuck" not in [section.name for section in book.sections]
    assert "Whoever takes the last one wins." in text


def test_variants_inherit_paragraphs_and_can_take_them_back(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(COUNTDOWN, encoding="utf-8")
    variant = """
rulegame: 1
extends: parent.yaml
title: Misery
parameters: {pile: 12}
end: {last: {result: lose}}
rulebook: {setup: null, objective: "Do not take the last one."}
"""
    text = render(rulegame.write_rulebook(_written(tmp_path, variant)), "text")
    assert "Played with 12 stones." in text
    assert "What is left" in text or "Left: starts at 12." in text
    assert "You need" not in text
    assert "Do not take the last one." in text
    assert "Whoever takes the last one wins" not in text, "the variant changed that rule"
    assert "You lose if what is left is exactly 0 after your move." in text


def test_an_unknown_paragraph_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(rulegame.RulesetError, match="'objektive' is not a key of 'rulebook'"):
        _written(tmp_path, COUNTDOWN.replace("intro:", "objektive:"))


CLAIMS = """
claims:
  always_ends: true
  no_draws: false
  first_player_wins: true
"""
ENDS = "Every game ends, whatever the players do."
DRAWN = "A game can end in a draw."
FIRST = "The player who moves first can force a win."


def test_a_promise_is_called_proved_only_if_it_is(tmp_path: Path) -> None:
    game = _written(tmp_path, COUNTDOWN + CLAIMS)
    claimed = "Claimed by the author, not proved here:"
    assert list(promises(game.ruleset)) == [claimed, ItemList((ENDS, DRAWN, FIRST))]
    report = rulegame.check(game)
    assert list(promises(game.ruleset, report)) == [
        ItemList((ENDS, FIRST)),
        f"Proved for all {report.states} reachable positions.",
    ], "what is refuted is no promise"


def test_with_other_settings_only_what_is_proved_is_promised(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(COUNTDOWN + CLAIMS, encoding="utf-8")
    game = rulegame.load(tmp_path / "game.yaml", {"pile": 4})
    assert list(promises(game.ruleset)) == [], "nothing was claimed of this game"
    report = rulegame.check(game)
    assert next(promises(game.ruleset, report)) == ItemList((ENDS,))


def test_what_is_undecided_is_told_apart_from_what_is_proved(tmp_path: Path) -> None:
    three = COUNTDOWN.replace(
        "title: Countdown", "title: Countdown\nplayers: [A, B, C]\nstuck: draw"
    )
    game = _written(tmp_path, three + CLAIMS.replace("first_player_wins: true", "fair_within: 0"))
    proved, said, *rest = promises(game.ruleset, rulegame.check(game))
    assert proved == ItemList((ENDS,))
    assert said == "Proved for all 25 reachable positions."
    assert rest[0] == "Not proved:"
    assert isinstance(rest[1], ItemList)
    assert len(rest[1].items) == 1


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("ends_almost_surely: true", "the game ends with probability 1"),
        ("ends_almost_surely: false", "a chance to keep the game going forever"),
        ("fair_within: 0", "the game is even"),
        ("fair_within: 0.25", "neither comes out more than 0.25 ahead on average"),
    ],
)
def test_what_a_claim_means(tmp_path: Path, claim: str, said: str) -> None:
    game = _written(tmp_path, f"{COUNTDOWN}\nclaims: {{{claim}}}\n")
    _, block = promises(game.ruleset)
    assert isinstance(block, ItemList)
    assert said in block.items[0]


def test_a_game_without_an_end_in_reach_still_has_a_rulebook(tmp_path: Path) -> None:
    endless = """
rulegame: 1
title: Endless
state: {n: 0}
operations: {wait: {effects: {n: "mod(n + 1, 7)"}}}
end: {never: {when: n > 100, result: win}}
"""
    text = render(rulegame.write_rulebook(_written(tmp_path, endless)), "text")
    assert "No short game was found" in text


def test_rules_that_fail_while_playing_do_not_break_it(tmp_path: Path) -> None:
    failing = """
rulegame: 1
title: Failing
state: {n: 1, row: {type: list of int, size: 2}}
operations:
  grow: {effects: {n: n * 3037000499}}
  index: {effects: {"row[n]": 1}}
end: {never: {when: n == 0, result: win}}
"""
    assert "Failing" in render(rulegame.write_rulebook(_written(tmp_path, failing)), "html")


def test_a_paragraph_that_fails_is_an_error_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(
        "rulegame: 1\ntitle: Short\nstate: {left: 2, marks: {type: list of int, size: 2}}\n"
        "operations: {take: {effects: {left: left - 1}}}\n"
        "end: {empty: {when: left == 0, result: win}}\n"
        'rulebook: {intro: "It begins with {marks[left + 1]}."}\n',
        "utf-8",
    )
    with pytest.raises(rulegame.GameError, match="E502"):
        rulegame.write_rulebook(rulegame.load(file))


@pytest.mark.parametrize("seed", range(6))
def test_rules_at_random_can_be_told(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "random.yaml"
    file.write_bytes(rulesets_way.make(Random(seed)))
    try:
        text = render(rulegame.write_rulebook(rulegame.load(file)), "text")
    except (rulegame.RulesetError, rulegame.GameError):
        return
    assert "\0" not in text and "‘?’" not in text


SETS = """\
rulegame: 1
title: Sets
state:
  bag: {type: set of 1..90, start: 1..90}
  each player: {hand: {type: set of 1..90}}
operations:
  low: {choose: {k: "lowest(bag, 3)"}, effects: {bag: "difference(bag, [k])"}}
  other: {choose: {k: complement(bag)}, effects: {bag: "union(bag, my.hand)", my.hand: "[]"}}
  two: {choose: {those: "subsets(1..9, 2)"}, effects: {my.hand: "union(my.hand, those)"}}
end: {over: {when: size(bag) < 5, result: win}}
"""


def test_sets_are_spoken_of(tmp_path: Path) -> None:
    text = render(rulegame.write_rulebook(_written(tmp_path, SETS)), "text")
    plain = " ".join(text.split())
    assert "Bag: starts with 1–90." in plain
    assert "Choose k: one of the three lowest numbers out of the bag. K is taken out" in plain
    assert "Choose a number k from 1 to 90 that is not in the bag." in plain
    assert "The numbers in your hand are added to the bag, and your hand becomes empty." in plain
    assert "The numbers that you choose are added to your hand." in plain


# ---- what a rulebook must not say


def _words(tmp_path: Path, text: str, never_stuck: bool | None = None) -> str:
    book = rulegame.write_rulebook(_written(tmp_path, text), never_stuck=never_stuck)
    return " ".join(render(book, "text").split())


TAKING = """
rulegame: 1
title: Taking
state: {left: 5}
operations:
  take: {choose: {n: 1..2}, effects: {left: left - n}}
validity: {enough: after.left >= 0}
"""


def test_an_operation_may_be_to_pass(tmp_path: Path) -> None:
    words = _words(
        tmp_path,
        "rulegame: 1\ntitle: Passing\nstate: {n: 0}\n"
        "operations: {pass: {effects: {n: n + 1}}, go: {effects: {n: n + 2}}}\n"
        "end: {two: {when: n > 5, result: win}}\n",
    )
    assert "may not pass" not in words
    assert "In your turn you carry out one of the operations below." in words


def test_names_in_a_quoted_expression_mean_what_they_mean_there(tmp_path: Path) -> None:
    words = _words(
        tmp_path,
        "rulegame: 1\ntitle: Names\nparameters: {size: 5, x: 7, own: 4}\n"
        "state: {n: 0, deck: {type: set of 1..9, start: 1..9}, each player: {own: 1}}\n"
        "define: {triple(x): 'x * 3 + size(deck) - my.own'}\n"
        "operations:\n"
        "  go: {effects: {n: 'sum(y for y in deck for z in deck if y * z == triple(n))'}}\n"
        "  up: {effects: {n: 'n + x + my.own'}}\n"
        "end: {over: {when: n > size, result: win}}\n",
    )
    assert "‘triple(x)’ is ‘x * 3 + size(deck) - my.own’)" in words
    assert "‘size’ is 5" not in words


def test_the_end_of_the_game_comes_before_being_stuck(tmp_path: Path) -> None:
    words = _words(tmp_path, TAKING + "end: {empty: {when: left == 0, result: win}}\n", False)
    assert "If the game is not over and you have no valid move, you lose." in words


def test_the_objective_names_a_win_by_leaving_others_stuck(tmp_path: Path) -> None:
    words = _words(tmp_path, TAKING + "end: {one: {when: left == 3, result: win}}\n")
    objective = words.partition("Setup")[0]
    assert "You also win if your opponent has no valid move when it is their turn." in objective


def test_the_objective_names_what_loses(tmp_path: Path) -> None:
    rules = "end: {one: {when: left == 3, result: win}, last: {when: left == 0, result: lose}}\n"
    assert "You lose if what is left is exactly 0" in _words(tmp_path, TAKING + rules)


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_a_game_without_end_rules_has_a_rulebook(tmp_path: Path, form: str) -> None:
    game = _written(tmp_path, TAKING + "end: {}\n")
    page = render(rulegame.write_rulebook(game), form)
    assert "You win if your opponent has no valid move when it is their turn." in page
    assert "No rule ends this game: it ends only when players are stuck." in page


def test_a_claim_and_the_rule_for_it_do_not_contradict_each_other(tmp_path: Path) -> None:
    end = "end: {one: {when: left <= 1, result: win}}\nclaims: {never_stuck: true}\n"
    game = _written(tmp_path, TAKING + end)
    claimed = " ".join(render(rulegame.write_rulebook(game), "text").split())
    assert "The author claims that this never happens. If the game is not over" in claimed
    proved = " ".join(render(rulegame.write_rulebook(game, rulegame.check(game)), "text").split())
    assert "This cannot happen: you always have a valid move." in proved


def test_values_of_a_move_that_change_are_told_as_they_begin(tmp_path: Path) -> None:
    words = _words(
        tmp_path,
        "rulegame: 1\ntitle: Moves\nstate: {n: 0}\noperations:\n  go:\n"
        "    let: {twice: 2 * n, new: 0}\n"
        "    steps:\n      count: {repeat: 3, effects: {new: new + 1}}\n"
        "      write: {effects: {n: n + new + twice}}\n"
        "end: {over: {when: n > 9, result: win}}\n",
    )
    assert "During this move, the twice is 2 times the n. At first, the value ‘new’ is 0." in words


def test_a_sample_game_names_the_columns_that_it_leaves_out(tmp_path: Path) -> None:
    names = [f"quite_a_long_name_{letter}" for letter in "abcdefg"]
    state = ", ".join(f"{name}: 0" for name in names)
    effects = ", ".join(f"{name}: {name} + 1" for name in names)
    words = _words(
        tmp_path,
        f"rulegame: 1\ntitle: Wide\nstate: {{{state}}}\n"
        f"operations: {{go: {{effects: {{{effects}}}}}}}\n"
        f"end: {{over: {{when: {names[0]} > 3, result: win}}}}\n",
    )
    sample = words.partition("A sample game")[2]
    assert "The table has no room for: Quite a long name e, " in sample
    for name in names:
        assert name.replace("_", " ").capitalize() in sample


FILLING = """
rulegame: 1
title: Filling
state:
  board: {type: grid of optional player, rows: 3, columns: 2}
operations:
  put: {choose: {row: 1..3, column: 1..2}, effects: {"board[row, column]": me}}
  drop:
    choose: {column: 1..2}
    effects: {"board[max(r for r in 1..3 if board[r, column] == none), column]": me}
  lift:
    choose: {column: 1..2}
    effects: {"board[max(row for row in 1..3 if board[row, column] != none), column]": none}
validity:
  empty: {require: "board[row, column] == none", for: [put]}
  room: {require: "any(board[row, column] == none for row in 1..3)", for: [drop]}
end: {full: {when: all(c != none for c in board), result: win}}
"""


def test_a_number_that_is_called_row_is_not_the_chosen_row(tmp_path: Path) -> None:
    words = _words(tmp_path, FILLING, False)
    put, _, rest = words.partition("- Drop:")
    assert "in the chosen row and column" in put
    drop, _, lift = rest.partition("- Lift:")
    assert "in row r, the chosen column of the board is empty" in drop
    assert "in that row, the chosen column of the board is taken" in lift.partition("Which")[0]
    assert "such that the cell in that row, the chosen column of the board is empty" in lift


@pytest.mark.parametrize("never", [None, False])
def test_a_win_by_leaving_others_stuck_is_named_unless_that_is_ruled_out(
    tmp_path: Path, never: bool | None
) -> None:
    """Also where no game that was played came to it."""
    rules = (
        "rulegame: 1\ntitle: Rare\nstate: {left: 900, used: 0}\n"
        "operations: {take: {choose: {k: 1..3}, effects: {left: left - k, used: used + 1}}}\n"
        "validity: {enough: after.left >= 0}\nend: {long: {when: used == 9, result: win}}\n"
    )
    objective = _words(tmp_path, rules, never).partition("Setup")[0]
    assert "You also win if your opponent has no valid move when it is their turn." in objective
    own = rules + "rulebook: {stuck: ''}\n"
    words = _words(tmp_path, own, None)
    assert "no valid move" not in words and "unless you are stuck" not in words


def test_who_of_several_is_stuck_in_a_simultaneous_turn(tmp_path: Path) -> None:
    rules = (
        "rulegame: 1\ntitle: Both\nstate: {left: 9, each player: {gold: 3}}\n"
        'turn: {together: true, effects: {left: "left - sum(k)"}}\n'
        "operations: {bid: {choose: {k: 0..my.gold}, effects: {my.gold: my.gold - k}}}\n"
        "validity: {some: k > 0}\nend: {zero: {when: left == 0, result: draw}}\n"
    )
    words = _words(tmp_path, rules)
    order = "If several are stuck at once, this applies to the first of them in seat order."
    assert words.count(order) == 2  # in the objective, and where it belongs
    assert "You also win" not in words
    game = _written(tmp_path, rules)
    state = game.start()
    while state.outcome is None:
        state = state.play("bid 1")
    assert state.outcome.losers == (0,)


REPEATED = """
rulegame: 1
title: Draw to nine
state: {total: 0, drawn: 0, secret: {start: 0, seen by: nobody}}
setup: {hide: {once: true, roll: {card: {from: 1..2, seen by: nobody}}, effects: {secret: card}}}
turn: {roll: {die: 1..3}}
operations:
  fill:
    steps:
      draw:
        roll: {ball: 2..3}
        effects: {total: total + ball, drawn: drawn + 1}
        repeat: 9
        while: total < 9
  wait: {effects: {drawn: drawn + 1}}
validity: {odd: {require: after.drawn != die + 1, for: [wait]}}
end: {over: {when: total >= 9, result: win}}
"""


def test_an_example_tells_all_that_was_rolled_and_the_whole_change(tmp_path: Path) -> None:
    words = _words(tmp_path, REPEATED)
    fill = words.partition("- Fill:")[2].partition("- Wait:")[0]
    found = re.search(r"the ball is first ([\d, then]+), ‘Fill’ changes the total from (\d)", fill)
    assert found is not None
    balls = list(map(int, re.findall(r"\d", found[1])))
    total = int(found[2]) + sum(balls)
    assert total >= 9 and f"to {total} and the drawn" in fill
    assert "For example, when the die is " in words.partition("- Odd:")[2]


def test_a_sample_game_names_what_is_hidden(tmp_path: Path) -> None:
    assert "Hidden, and not in the table: Secret." in _words(tmp_path, REPEATED)
