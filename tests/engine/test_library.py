"""What a program that imports rulegame does with games, states and solutions."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import rulegame
from rulegame.drawing.position import draw_view
from rulegame.extras import missing
from support.rulesets import text_of

TEXT = text_of("last_one")


def test_a_move_can_be_played_as_text() -> None:
    game = rulegame.loads(TEXT)
    after = game.start().play("take 1").play("take 2")
    assert (after.is_over, after.outcome and after.outcome.winners) == (True, (1,))
    with pytest.raises(rulegame.IllegalMove, match="enough"):
        game.start().play("take 2").play("take 2")
    with pytest.raises(rulegame.IllegalMove, match=r"^there is no move 'tak 2': did") as caught:
        game.start().play("tak 2")
    assert (caught.value.move, caught.value.reason.rule) == ("tak 2", None)
    with pytest.raises(TypeError, match="a Move or a text, not 2"):
        game.start().play(2)  # type: ignore[arg-type]


def test_a_text_will_do_wherever_a_move_is_asked_about() -> None:
    state = rulegame.loads(TEXT).start()
    assert state.why_not("take 1") is None
    for text, problem in (("take 9", "n must be one of 1, 2"), ("take", "n must be")):
        reason = state.why_not(text)
        assert reason is not None and problem in reason.message
    assert rulegame.explain_move(state, "take 2").valid
    assert not rulegame.explain_move(state, "take 9").valid
    with pytest.raises(rulegame.IllegalMove, match="no move 'banana'"):
        rulegame.explain_move(state, "banana")


def test_a_move_by_the_names_of_its_operation_and_choices() -> None:
    game = rulegame.loads(TEXT)
    assert game.move("take", n=2).text == "take 2"
    for choices in ({}, {"n": 1, "m": 1}, {"m": 1}):
        with pytest.raises(ValueError, match="'take' takes n"):
            game.move("take", **choices)
    with pytest.raises(ValueError, match="no operation 'tak': did you mean 'take'"):
        game.move("tak", n=1)


def test_a_view_is_that_of_a_seat() -> None:
    state = rulegame.loads(TEXT).start()
    assert state.view(1).seat == 1
    for seat in (-1, 2):
        with pytest.raises(IndexError, match=f"there is no seat {seat}"):
            state.view(seat)


def test_states_are_equal_if_all_that_counts_is() -> None:
    game, same = rulegame.loads(TEXT), rulegame.loads(TEXT)
    state = game.start()
    assert state == game.start() and state != state.play("take 1")
    assert state != same.start(1)
    assert (state == 3) is False


def test_a_state_knows_the_names_of_its_values() -> None:
    state = rulegame.load("zero_sum_duel").start()
    assert "score" in state and "banana" not in state and 3 not in state
    assert list(state) == list(state.game.ruleset.state)
    assert not state.is_over


def test_a_text_may_extend_a_bundled_ruleset_but_no_file() -> None:
    game = rulegame.loads("rulegame: 1\nextends: nim\ntitle: Small\n", {"misere": True})
    assert game.ruleset.title == "Small"
    codes = [d.code for d in rulegame.validate_text("rulegame: 1\nextends: pyproject.toml\n")]
    assert codes == ["E210"]


def test_parameters_and_operations_of_a_text_can_be_given() -> None:
    text = TEXT.replace("state: {left: 3}", "parameters: {pile: 3}\nstate: {left: pile}")
    assert rulegame.loads(text, {"pile": 7}).start()["left"] == 7
    with pytest.raises(rulegame.RulesetError, match="nothing"):
        rulegame.loads(text, disable=["nothing"])


def test_validating_returns_what_is_wrong() -> None:
    assert rulegame.validate("nim") == ()
    assert rulegame.validate_text(TEXT) == ()
    (problem,) = rulegame.validate_text(TEXT.replace("left - n", "lefd - n"))
    assert (problem.code, problem.span.file, problem.span.line) == ("E302", "<text>", 5)
    with pytest.raises(rulegame.RulesetError):
        rulegame.loads("title: [")
    with pytest.raises(FileNotFoundError):
        rulegame.validate("no/such/file.yaml")


@pytest.mark.parametrize("name", ["zero_sum_duel", "dice_duel", "number_duel", "tic_tac_toe"])
def test_states_and_games_come_back_from_a_pickle(name: str) -> None:
    game = rulegame.load(name)
    state = game.start()
    for _ in range(5):
        if state.is_over:
            break
        copy = pickle.loads(pickle.dumps(state))
        assert copy == state and hash(copy) == hash(state) and copy.moves == state.moves
        assert copy.play(copy.moves[-1]) == state.play(state.moves[-1])
        state = state.play(state.moves[-1])
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(game)) != rulegame.load("nim")


def test_a_finished_state_keeps_its_outcome_and_events() -> None:
    state = rulegame.load("double_or_nothing_10", {"target": 4}).start()
    while not state.is_over:
        state = state.play(state.moves[0])
    copy = pickle.loads(pickle.dumps(state))
    assert (copy.outcome, copy.events) == (state.outcome, state.events)


def test_a_state_of_another_process_is_equal() -> None:
    making = (
        "import pickle, sys, rulegame;"
        "state = rulegame.load('zero_sum_duel', {'start': 9}).start(1).play('subtract 5');"
        "sys.stdout.buffer.write(pickle.dumps(state))"
    )
    made = subprocess.run([sys.executable, "-c", making], capture_output=True, check=True).stdout
    here = rulegame.load("zero_sum_duel", {"start": 9}).start(1).play("subtract 5")
    assert pickle.loads(made) == here
    assert pickle.loads(made) != rulegame.load("zero_sum_duel").start(1).play("subtract 5")


def test_a_solution_is_asked_about_states() -> None:
    game = rulegame.loads(TEXT)
    solution = rulegame.solve(game, "perfect_information")
    start = game.start()
    assert solution[start].value == Fraction(-1)
    assert (solution[start].result, solution[start].distance) == ("second", 2)
    after = start.play("take 1")
    assert [move.text for move in solution.best_moves(after)] == ["take 2"]
    assert [(o.move.text, o.result) for o in solution.options(after)] == [
        ("take 1", "first"),
        ("take 2", "second"),
    ]


def test_a_solution_says_which_states_it_knows() -> None:
    game, foreign = rulegame.loads(TEXT), rulegame.load("nim").start()
    solution = rulegame.solve(game, "perfect_information")
    start, never = game.start(), game.begin({"left": 3}, first=1)
    assert start in solution and start.play("take 1") in solution and 0 in solution
    assert not any(one in solution for one in (never, foreign, "take 1", len(solution.graph)))
    with pytest.raises(KeyError, match="a state of another game, <Game Nim"):
        solution[foreign]
    with pytest.raises(KeyError, match="never reached when Player 1 moves first: <State player=1"):
        solution[never]
    with pytest.raises(KeyError, match="never reached when Player 2 moves first: <State player=0"):
        rulegame.solve(game, "perfect_information", first=1)[start]
    with pytest.raises(TypeError, match="not iterable"):
        iter(solution)


def test_a_solution_comes_back_from_a_pickle() -> None:
    solution = rulegame.solve(rulegame.loads(TEXT), "perfect_information")
    copy = pickle.loads(pickle.dumps(solution))
    start = solution.graph.game.start()
    assert copy[start] == solution[start]
    assert copy.best_moves(start) == solution.best_moves(start)


def test_a_copy_of_a_game_has_the_same_rulebook() -> None:
    """Definitions with words of their own keep them."""
    more = "define: {more: {value: left * left, about: The stones on top}}\n"
    text = TEXT.replace("left == 0", "more < 1") + more
    game = rulegame.loads(text)
    copy = pickle.loads(pickle.dumps(game))
    assert "the stones on top" in str(rulegame.write_rulebook(copy))
    assert rulegame.write_rulebook(copy) == rulegame.write_rulebook(game)
    assert copy.ruleset.defined == game.ruleset.defined != rulegame.loads(TEXT).ruleset.defined


def _results() -> Iterator[object]:
    """Values that can be compared, of every kind that a program can get."""
    game = rulegame.loads(TEXT)
    start = game.start()
    after = start.play("take 2")
    yield from (game, start, start.moves, after.view(0, [(start, start.moves[1])]))
    yield from (after.play("take 1").outcome, after.why_not("take 2"), tuple(game.actions))
    yield rulegame.explain_move(after, "take 2")
    yield rulegame.write_rulebook(game)
    yield rulegame.check(game)
    yield rulegame.simulate(game, games=5, seed=1)
    yield rulegame.rate(game, ["random", "greedy"], games=2, seed=1)
    yield rulegame.sweep("nim", {"misere": [True, False]})
    yield rulegame.exploit(game, "random", 0)
    yield rulegame.solve(game, "lookahead", depth=2)
    yield rulegame.compare(game.ruleset, rulegame.load("nim").ruleset)
    yield rulegame.validate_text("title: [")
    yield draw_view(after.view(0))


def test_results_come_back_from_a_pickle() -> None:
    for value in _results():
        copy = pickle.loads(pickle.dumps(value))
        assert copy == value
        assert type(copy) is type(value)


@pytest.mark.parametrize(
    ("method", "name", "settings"),
    [
        ("perfect_information", "nim", {"heaps": [1, 2]}),
        ("hidden", "kuhn_poker", {}),
        ("simultaneous", "rock_paper_scissors", {"target": 1}),
        ("multiplayer", "three_player_pig", {"target": 2}),
        ("revealed", "number_duel", {"count": 1, "highest": 2}),
    ],
)
def test_every_kind_of_solution_comes_back_from_a_pickle(
    method: str, name: str, settings: dict[str, object]
) -> None:
    solution = rulegame.solve(rulegame.load(name, settings), method)
    copy = pickle.loads(pickle.dumps(solution))
    assert repr(copy) == repr(solution)
    assert solution == solution and copy != solution, "they can be compared"


def test_every_public_name_is_there() -> None:
    assert [name for name in dir(rulegame) if not name.startswith("__")] == sorted(rulegame.__all__)
    for name in rulegame.__all__:
        assert getattr(rulegame, name) is not None


def _errors() -> Iterator[Exception]:
    """One of each kind that a program can meet."""
    yield rulegame.TooMuchMemory(3, 2, 1, "")
    yield rulegame.WorkersLost(["start=3", "start=4"])
    yield missing("solve")
    game = rulegame.loads(TEXT)
    stuck = rulegame.loads(TEXT.replace("left - n", "left * 4000000000000000000 * n"))
    for call in (
        lambda: game.start().play("take 2").play("take 2"),
        lambda: rulegame.Match(game).play("take 9"),
        lambda: stuck.begin({"left": 9}),
        lambda: rulegame.loads("title: ["),
        lambda: rulegame.load("no_such_game"),
        lambda: rulegame.explore(game, max_states=2),
        lambda: rulegame.solve(rulegame.load("number_duel"), "perfect_information"),
        lambda: rulegame.loads(TEXT.replace("1..2", "1..left")).actions,
        lambda: rulegame.make_player("nobody", game),
    ):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            call()
        yield caught.value


def test_errors_come_back_from_a_pickle() -> None:
    kinds = set()
    for error in _errors():
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
        kinds.add(type(error))
    public = [getattr(rulegame, name) for name in rulegame.__all__]
    assert {e for e in public if isinstance(e, type) and issubclass(e, Exception)} <= kinds
    with pytest.raises(rulegame.IllegalMove) as caught:
        rulegame.loads(TEXT).start().play("take 2").play("take 2")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.reason.checks == caught.value.reason.checks != ()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda g: g.begin({"score": 5}), ValueError, "score must be a list of 2, .*, not 5"),
        (lambda g: g.begin({"score": ["a", 2]}), ValueError, "score must be a number, not 'a'"),
        (lambda g: g.begin({"nope": 1}), KeyError, "there is no value 'nope' in a state"),
        (lambda g: g.start()["nope"], KeyError, "there is no value 'nope' in a state"),
        (lambda g: g.start()[0], KeyError, "there is no value 0 in a state"),
        (lambda g: rulegame.loads(None), TypeError, "given as text, not as NoneType"),  # type: ignore[arg-type]
        (lambda g: rulegame.load("nim", enable="take"), TypeError, "enable must be a list of"),
        (lambda g: rulegame.load("nim", disable="take"), TypeError, "disable must be a list of"),
        (lambda g: rulegame.load("nim", 5), TypeError, "are names with values, not 5"),  # type: ignore[arg-type]
        (lambda g: rulegame.load(""), rulegame.RulesetNotFound, "unknown ruleset ''"),
        (lambda g: rulegame.load(5), TypeError, "by its name or its path, not by 5"),  # type: ignore[arg-type]
        (lambda g: rulegame.compare(g, g), TypeError, "of a game: game.ruleset.*, not <Game Pig"),
    ],
)
def test_a_wrong_call_is_told_what_is_wrong_with_what(
    call: Callable[[rulegame.Game], object], kind: type[Exception], message: str
) -> None:
    game = rulegame.load("pig")
    with pytest.raises(kind, match=message):
        call(game)
