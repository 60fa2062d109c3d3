"""What games end with beside a win of some: all win or lose, payoffs in a unit, a score."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import rulegame
from rulegame.game import Game, State
from rulegame.players import make_player
from rulegame.players.advice import advise
from rulegame.playing.conversation import converse
from rulegame.playing.saves import end_line
from rulegame.ruletests.running import run_tests
from rulegame.solving import CannotSolve, solve
from support.backends import MACHINE_CODE, PYTHON, use_backend

COMMON = """\
rulegame: 1
title: Ten together
players: {from: 1, to: 4, default: 2}
state: {n: 0}
operations:
  add: {choose: {k: 1..3}, effects: {n: n + k}}
end:
  over: {when: n >= 10, everyone: win if n == 10 else lose}
"""
HALVES = """\
rulegame: 1
title: Halves
payoff unit: UNIT
state: {n: 0}
operations:
  add: {choose: {k: 1..3}, effects: {n: n + k}}
  stop: {effects: {n: 99}}
end:
  stopped: {when: n == 99, result: lose}
  over: {when: n >= 7, payoff: "[n, 2 - n]"}
"""
ALONE = """\
rulegame: 1
title: Alone
players: [Ann]
state: {n: 0, turns: 0}
operations:
  add: {choose: {k: 1..3}, effects: {n: n + k, turns: turns + 1}}
  stop: {effects: {turns: 9}}
end:
  lost: {when: n > 7, result: lose}
  over: {when: turns >= 4, payoff: "[n]"}
"""


def played(game: Game, moves: str) -> State:
    state = game.start()
    for move in moves.split(", "):
        state = state.play(move)
    return state


def printed(game: Game, moves: str) -> str:
    """The last that is told in a game that people play."""
    talk, typed = converse(game, roll=lambda state: state.moves[0]), moves.split(", ")
    next(talk)
    while True:
        try:
            talk.send(typed.pop(0))
        except StopIteration as end:
            return str(end.value.text).strip().splitlines()[-1]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_win_or_all_lose(count: int) -> None:
    game, everyone = rulegame.loads(COMMON, {"players": count}), tuple(range(count))
    won = played(game, "add 3, add 3, add 3, add 1").outcome
    lost = played(game, "add 3, add 3, add 3, add 2").outcome
    assert won is not None and lost is not None
    assert (won.winners, won.losers, won.payoffs) == (everyone, (), (1,) * count)
    assert (lost.winners, lost.losers, lost.payoffs) == ((), everyone, (-1,) * count)
    assert not won.draw and not lost.draw and won.score is None


def test_who_is_stuck_where_all_share_the_end_loses_it_for_all() -> None:
    text = COMMON.replace("choose: {k: 1..3}", "choose: {k: 3..8 - n}")
    for count in (2, 3):
        outcome = played(rulegame.loads(text, {"players": count}), "add 6").outcome
        assert outcome is not None
        assert (outcome.losers, outcome.rule) == (tuple(range(count)), "stuck")
    passing = "stuck: {result: pass, all: {everyone: win}}\n"
    outcome = played(rulegame.loads(text + passing), "add 6").outcome
    assert outcome is not None and (outcome.winners, outcome.rule) == ((0, 1), "all_stuck")
    said = "stuck: {everyone: win}\n"
    outcome = played(rulegame.loads(text + said), "add 6").outcome
    assert outcome is not None and (outcome.winners, outcome.rule) == ((0, 1), "stuck")


@pytest.mark.parametrize(
    ("unit", "paid"),
    [
        ("1/2", (Fraction(7, 2), Fraction(-5, 2))),
        ("2/4", (Fraction(7, 2), Fraction(-5, 2))),
        ("2/3", (Fraction(14, 3), Fraction(-10, 3))),
        ("3", (21, -15)),
        ("1/5", (Fraction(7, 5), -1)),
    ],
)
def test_payoffs_in_a_unit_are_exact(unit: str, paid: tuple[object, object]) -> None:
    game = rulegame.loads(HALVES.replace("UNIT", unit))
    outcome = played(game, "add 3, add 3, add 1").outcome
    assert outcome is not None
    assert outcome.payoffs == paid and outcome.winners == (0,)
    assert [type(one) for one in outcome.payoffs] == [type(one) for one in paid]
    outcome = played(game, "add 3, stop").outcome
    assert outcome is not None and outcome.payoffs == (1, -1)


def test_a_payoff_beyond_64_bits_is_an_error_in_every_unit() -> None:
    text = HALVES.replace("UNIT", "3").replace("[n, 2 - n]", "[n * 1000000000000000000, 0]")
    with pytest.raises(rulegame.GameError) as error:
        played(rulegame.loads(text), "add 3, add 3, add 1")
    assert error.value.diagnostic.code == "E501"


def test_a_single_player_who_is_paid_has_a_score() -> None:
    game = rulegame.loads(ALONE)
    outcome = played(game, "add 3, stop").outcome
    assert outcome is not None
    assert (outcome.winners, outcome.losers, outcome.draw, outcome.score) == ((), (), False, 3)
    lost = played(game, "add 3, add 3, add 3").outcome
    assert lost is not None and (lost.losers, lost.score) == ((0,), None)


def test_the_end_is_told() -> None:
    common = rulegame.loads(COMMON)
    assert printed(common, "3, 3, 3, 1") == "Everyone wins the game!"
    assert printed(common, "3, 3, 3, 2") == "Everyone loses the game."
    one = rulegame.loads(COMMON, {"players": 1})
    assert printed(one, "3, 3, 3, 1") == "Player 1 wins the game!"
    assert printed(one, "3, 3, 3, 2") == "Player 1 loses the game."
    assert printed(rulegame.loads(ALONE), "add 3, stop") == "The score is 3."
    half = ALONE + "payoff unit: 1/2\n"
    assert printed(rulegame.loads(half), "add 3, stop") == "The score is 3/2."


def test_texts_can_tell_payoffs_unless_the_name_is_taken() -> None:
    text = HALVES.replace("UNIT", "1/2") + 'texts: {ended: "{and_list(payoffs)}"}\n'
    assert printed(rulegame.loads(text), "add 3, add 3, add 1") == "7/2 and -5/2"
    own = text.replace("{n: 0}", "{n: 0, payoffs: {type: list of int, start: '[4, 5]'}}")
    assert printed(rulegame.loads(own), "add 3, add 3, add 1") == "4 and 5"
    board = HALVES.replace("UNIT", "1/2").replace(
        "{n: 0}", "{n: 0, payoffs: {type: grid of int, rows: 1, columns: 1}}"
    )
    assert printed(rulegame.loads(board), "add 3, add 3, add 1") == "Player 1 wins the game!"


def test_what_is_saved_can_be_read_again() -> None:
    outcome = played(rulegame.loads(HALVES.replace("UNIT", "1/2")), "add 3, add 3, add 1").outcome
    assert outcome is not None
    assert end_line(outcome)["end"]["payoffs"] == ["7/2", "-5/2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COMMON, {"winners": [1, 2]}),
        (COMMON, {"losers": []}),
        (COMMON, {"payoffs": [1, 1]}),
        (HALVES.replace("UNIT", "1/2"), {"payoffs": ["10/2", -4]}),
        (ALONE.replace("7", "99"), {"score": "10"}),
    ],
)
def test_tests_expect_them(text: str, expected: dict[str, object], tmp_path: Path) -> None:
    if "Halves" in text:
        text = text.replace("n >= 7", "n >= 10")
    file = tmp_path / "game.yaml"
    play = "play: [add 3, add 3, add 3, add 1]"
    for outcome, fails in ((expected, 0), ({"payoffs": ["3/2"] * (1 + ("Alone" not in text))}, 1)):
        test = f"tests: {{t: {{{play}, expect: {{outcome: {json.dumps(outcome)}}}}}}}"
        file.write_text(text + test, "utf-8")
        assert [len(result.failures) for result in run_tests(file).results] == [fails]


TEXTS = {
    "common": COMMON,
    "halves": HALVES.replace("UNIT", "2/3"),
    "alone": ALONE + "payoff unit: 1/4\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_machine_code_reports_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.loads(TEXTS[name])
    reports = []
    for backend in (PYTHON, MACHINE_CODE):
        use_backend(monkeypatch, backend)
        reports.append(rulegame.simulate(game, 500, seed=5, first=None))
    assert reports[0] == reports[1]
    means = reports[0].payoffs
    assert (means is None) == (name == "common")
    if name == "alone":
        assert means is not None and reports[0].draws.times == 0
        scores = [end for end in reports[0].ends if end.rule == "over"]
        assert [(end.winners, end.losers, end.draw) for end in scores] == [((), (), False)]
    if name == "common":
        assert reports[0].advantage is None
        assert reports[0].seats[0].wins == reports[0].seats[1].wins


@pytest.mark.parametrize("name", ["search:400", "greedy"])
def test_players_are_out_for_what_all_share(name: str) -> None:
    game = rulegame.loads(COMMON)
    view = played(game, "add 3, add 3, add 2").view(1)
    assert make_player(name, game).choose(view, Random(1)).text == "add 2"


def test_a_search_is_sure_of_a_win_that_others_will_help_to() -> None:
    game = rulegame.loads(COMMON)
    advice = advise(played(game, "add 3").view(1), Random(1))
    told = {rated.move: rated.text for rated in advice.worths}
    assert told[advice.best[0]] == "wins within 3 moves"


def test_players_are_out_for_the_score() -> None:
    game = rulegame.loads(ALONE)
    player, state = make_player("search:2000", game), game.start()
    while state.outcome is None:
        state = state.play(player.choose(state.view(0), Random(2)))
    assert state.outcome.score == 7


def test_what_is_shared_has_no_minimax_value() -> None:
    game = rulegame.loads(COMMON)
    with pytest.raises(CannotSolve):
        solve(game, "perfect_information")
    assert solve(game).seat_values == (Fraction(1), Fraction(1))
