"""Values show themselves in notebooks: as HTML in which nothing is hidden that may be seen, nothing
seen that is hidden, and nothing of a ruleset anything but text; and as tables.
"""

from __future__ import annotations

import builtins
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

import rulegame
from rulegame.extras import missing
from rulegame.game import CHANCE
from rulegame.solving import solve
from support.tiers import library

VOID = {"meta", "br", "img", "input", "hr"}
HOSTILE = """
rulegame: 1
title: "<script>alert(1)</script> $x$"
summary: "<img src=x onerror=alert(2)>"
players: ["<b>Ann</b>", "Bob & Co"]
parameters:
  pile: {default: 5, min: 1, about: "</td><script>"}
state:
  left: pile
operations:
  take: {choose: {n: 1..3}, effects: {left: left - n}}
validity:
  enough: {require: after.left >= 0, because: "<u>no</u>"}
end:
  done: {when: left == 0, result: win}
claims:
  second_player_wins: true
"""


class Tags(HTMLParser):
    """The tags of a piece of HTML, which must all be closed, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if (self.get_starttag_text() or "").endswith("/>") and tag not in self._open:
            return
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def shown(value: Any) -> Tags:
    html: str = value._repr_html_()
    assert html.startswith("<div") and "mathjax_ignore" in html  # `$x$` is no formula
    return Tags(html)


@pytest.fixture(scope="module")
def game() -> rulegame.Game:
    return rulegame.loads(HOSTILE)


def everything(game: rulegame.Game) -> Iterator[Any]:
    """One of each kind."""
    state = game.start()
    yield from (game, state, state.view(1), rulegame.solve(game), rulegame.check(game))
    yield rulegame.simulate(game, games=50, seed=1)
    yield rulegame.write_rulebook(game)
    yield rulegame.compare(game.ruleset, rulegame.loads(HOSTILE.replace("1..3", "1..2")).ruleset)
    yield rulegame.solve(game, "lookahead", depth=3)


def test_no_text_of_a_ruleset_is_markup(game: rulegame.Game) -> None:
    for value in everything(game):
        tags = shown(value)
        assert not tags.seen & {"script", "b", "u", "img"}, type(value)
    assert "<script>alert(1)</script> $x$" in shown(game).text
    assert "<img src=x onerror=alert(2)>" in shown(game).text


def test_a_state_says_who_may_do_what(game: rulegame.Game) -> None:
    assert "<b>Ann</b> to move take 1, take 2, take 3" in shown(game.start()).text
    over = game.start().play("take 3").play("take 2")
    assert "outcome Bob & Co won (done; payoffs -1, 1)" in shown(over).text
    rolling = rulegame.load("pig").start().play("roll")
    assert rolling.player == CHANCE
    assert "to be rolled die 1 (1/6), die 2 (1/6)" in shown(rolling).text


def test_a_view_says_no_more_than_its_seat_may_know() -> None:
    kuhn = rulegame.load("kuhn_poker")
    seen: dict[str, set[str]] = {}
    for cards in ("12", "13", "21", "23", "31", "32"):
        state = kuhn.start().play(f"card {cards[0]}").play(f"card {cards[1]}")
        seen.setdefault(cards[1], set()).add(state.view(1)._repr_html_())
    assert [len(pages) for pages in seen.values()] == [1, 1, 1]
    dealing = kuhn.start().view(0)
    assert "card" not in shown(dealing).text.replace("cards", "")
    assert "pass" not in shown(state.view(1)).text.replace("passes", "")  # another one's moves
    assert "Player 1 to move pass, bet" in shown(state.view(0)).text


def test_moves_that_wait_are_seen_by_nobody_else() -> None:
    start = rulegame.load("rock_paper_scissors").start()
    pages = {start.play(move).view(1, past=[(start, move)])._repr_html_() for move in start.moves}
    assert len(pages) == 1


def test_solutions_of_every_kind() -> None:
    text = shown(rulegame.solve(rulegame.load("zero_sum_duel", {"start": 6}))).text
    assert "with best play who moves first wins in" in text
    assert "how it is known Exact result (worked back" in text
    pig = shown(rulegame.solve(rulegame.load("pig", {"target": 4, "sides": 3}))).text
    assert "value 2/7 (0.2857142857)" in pig and "who moves first wins with probability" in pig
    assert (
        "value -1/18 (-0.05555555556)"
        in shown(rulegame.solve(rulegame.load("kuhn_poker"), "hidden")).text
    )
    picking = rulegame.load("number_duel", {"highest": 4, "target": 6})
    assert "pick 1 2 3" in shown(rulegame.solve(picking, "revealed")).text
    three = rulegame.solve(rulegame.load("three_player_pig", {"target": 2}), "multiplayer")
    assert "29/43" in shown(three).text
    ahead = rulegame.solve(rulegame.load("connect_four"), "lookahead", depth=2)
    assert "value between -1 and 1" in shown(ahead).text


def test_a_solution_is_short_as_text() -> None:
    for name in ("nim", "kuhn_poker", "rock_paper_scissors"):
        solution = solve(rulegame.load(name))
        assert repr(solution).startswith(f"<{type(solution).__name__} of ")
        assert len(repr(solution)) < 100


def test_long_tables_are_cut() -> None:
    solution = rulegame.solve(rulegame.load("gomoku"), "lookahead", depth=1)
    html = solution._repr_html_()
    assert html.count("<tr>") < 30 and "…" in Tags(html).text


# ---- tables


def test_tables_of_results(game: rulegame.Game) -> None:
    library("pandas")
    solution = rulegame.solve(game)
    moves = solution.to_pandas()
    assert list(moves["move"]) == ["take 1", "take 2", "take 3"]
    assert moves["value"][0] == Fraction(1) and moves["value_decimal"][2] == -1.0
    assert list(moves["best"]) == [True, False, False]
    policy = solution.to_pandas("policy")
    assert set(policy.columns) >= {"seat", "situation", "move", "probability", "value"}
    report = rulegame.simulate(game, games=200, seed=1)
    assert report.to_pandas()["wins"].sum() == 200
    assert report.to_pandas("lengths")["games"].sum() == 200
    assert list(report.to_pandas("ends")["rule"].unique()) == ["done"]
    assert list(report.to_pandas("operations")["name"]) == ["take"]
    assert list(rulegame.check(game).to_pandas()["status"]) == ["refuted"]
    other = rulegame.loads(HOSTILE.replace("1..3", "1..2"))
    changed = rulegame.compare(game.ruleset, other.ruleset).to_pandas()
    assert list(changed["before"]) == ["1..3"]


def test_tables_of_other_solutions() -> None:
    library("pandas")
    kuhn = rulegame.solve(rulegame.load("kuhn_poker"), "hidden")
    assert kuhn.to_pandas().groupby(["seat", "knows"])["probability"].sum().round(9).eq(1).all()
    assert len(kuhn.to_pandas("policy")) == 24
    three = rulegame.solve(rulegame.load("three_player_pig", {"target": 2}), "multiplayer")
    assert three.to_pandas()["alone"][0] == Fraction(29, 43)
    picking = rulegame.solve(rulegame.load("number_duel", {"highest": 4, "target": 6}), "revealed")
    assert picking.to_pandas().groupby("side")["probability"].sum().tolist() == [1.0, 1.0]


def test_a_sweep_is_a_table() -> None:
    library("pandas")
    settings = rulegame.sweep("zero_sum_duel", {"start": [5, 9]}, jobs=1)
    frame = settings.to_pandas()
    assert list(frame["start"]) == [5, 9] and list(frame["value"]) == [1, -1]
    assert settings == tuple(settings) and len(settings[:1]) == 1
    text = shown(settings).text
    assert "start" in text and "second" in text
    failing = rulegame.sweep("pig", {"target": [0]}, jobs=1)
    assert "0" in shown(failing).text and failing.to_pandas()["problem"][0]


def test_a_table_that_is_not_there_is_told(game: rulegame.Game) -> None:
    report = rulegame.simulate(game, games=10, seed=1)
    with pytest.raises(ValueError, match="'x': expected seats, ends, lengths or operations"):
        report.to_pandas("x")


@pytest.mark.parametrize(("package", "extra"), [("pandas", "notebooks"), ("matplotlib", "plots")])
def test_what_is_missing_is_told(package: str, extra: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
import rulegame
report = rulegame.simulate(rulegame.load("nim"), games=10, seed=1)
try:
    report.{"to_pandas" if package == "pandas" else "plot"}()
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stdout == f"{missing(extra)}\n"


def test_showing_needs_no_other_library(
    game: rulegame.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.split(".")[0] in ("pandas", "matplotlib", "IPython"):
            raise AssertionError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert shown(rulegame.solve(game)).text
