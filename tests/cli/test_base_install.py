"""Commands without the packages of any extra: the same results in plain Python, or a refusal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rulegame.bundled import ruleset_path
from rulegame.extras import missing
from support.base_install import HIDE, PACKAGES, Call, call_all
from support.commands import call
from support.rulesets import text_of
from waiting import WAIT

COMPUTERS = ("random", "greedy", "easy", "medium", "search:50")

VALUE_TEST = text_of("last_one") + "tests:\n  lost: {expect: {value: -1}}\n"
REFUSED = {
    "solve": [
        (["solve", "nim"], "Solving"),
        (["sweep", "nim", "--vary", "heaps=[1],[2]"], "Solving"),
        (["diff", "misere_nim", "--values"], "Solving"),
        (["check", "nim"], "Proving claims"),
        (["export", "nim", "--to", "dot"], "Exporting a game"),
        (["play", "--vs", "perfect"], "Perfect play"),
        (["play", "nim", "--seats", "2=perfect:1000"], "Perfect play"),
        (["play", "nim", "--vs", "policy:best.csv"], "Playing a policy"),
        (["simulate", "nim", "--players", "random,perfect"], "Perfect play"),
        (["rate", "nim", "--players", "random,perfect"], "Perfect play"),
    ],
    "plots": [
        (["simulate", "nim", "--plot", "a.svg"], ""),
        (["solve", "nim", "--plot", "a.svg"], ""),
        (["sweep", "nim", "--vary", "heaps=[1],[2]", "--plot", "a.svg"], ""),
    ],
    "parquet": [(["export", "nim", "--to", "parquet", "--output", "a.parquet"], "")],
    "cluster": [(["simulate", "nim", "--scheduler", "localhost:8786"], "")],
    "lsp": [(["lsp"], "")],
    "studio": [(["studio"], "")],
}


def test_what_needs_an_extra_says_which(tmp_path: Path) -> None:
    expected = {
        tuple(words): str(missing(extra, task))
        for extra, calls in REFUSED.items()
        for words, task in calls
    }
    found, _ = call_all([(list(words), "") for words in expected], tmp_path)
    for (words, message), result in zip(expected.items(), found, strict=True):
        assert result == (2, "", f"rulegame: {message}\n"), words
    assert not list(tmp_path.iterdir())


def test_a_ruleset_that_tests_values_is_refused_and_others_are_tested(tmp_path: Path) -> None:
    (tmp_path / "value.yaml").write_text(VALUE_TEST, encoding="utf-8")
    (result,), _ = call_all([(["test", "value.yaml", "nim"], "")], tmp_path)
    refusal = missing("solve", "Testing a value")
    assert result.code == 2 and "nim: 3 tests, passed" in result.out
    assert result.err == f"rulegame: value.yaml: {refusal}\n"


def test_plain_python_gives_the_same_results(tmp_path: Path) -> None:
    seeded = ["--seed", "7"]
    played = ["play", "nim", "--set", "heaps=[2,1]", "--no-save", *seeded]
    calls: list[Call] = [([*played, "--watch", "--vs", spec], "") for spec in COMPUTERS]
    calls += [
        (played, "take 1 1\ntake 1 1\ntake 2 1\n"),
        (["simulate", "pig", "--games", "40", "--max-moves", "200", *seeded], ""),
        (["simulate", "kuhn_poker", "--games", "20", "--players", "random,medium", *seeded], ""),
        (["rate", "nim", "--games", "4", "--jobs", "1", *seeded], ""),
        (
            ["sweep", "nim", "--vary", "misere=true,false", "--games", "9", "--jobs", "1", *seeded],
            "",
        ),
        (["test", "nim", "--coverage"], ""),
        (["diff", "misere_nim"], ""),
        (["explain-move", "nim", "--move", "take 1 9"], ""),
        (["show", "nim"], ""),
        (["validate", "nim"], ""),
        (["fmt", "--check", str(ruleset_path("nim"))], ""),
        (["explain", "E202"], ""),
        (["list"], ""),
        (["--help"], ""),
    ]
    plain, _ = call_all(calls, tmp_path)
    full, _ = call_all(calls, tmp_path, hidden=[])
    for (words, _), found, wanted in zip(calls, plain, full, strict=True):
        assert found == wanted, words
        assert found.code in (0, 1) and not found.err, words


def test_small_tasks_import_no_package_of_an_extra(tmp_path: Path) -> None:
    """Though they are installed: importing them takes longer than the task."""
    played = ["play", "nim", "--set", "heaps=[2,1]", "--no-save", "--seed", "7"]
    calls: list[Call] = [
        (played, "take 1 1\ntake 1 1\ntake 2 1\n"),
        ([*played, "--watch", "--vs", "easy"], ""),
        (["simulate", "nim", "--games", "40", "--seed", "7"], ""),
        (["test", "nim", "--coverage"], ""),
        (["diff", "misere_nim"], ""),
        (["explain-move", "nim", "--move", "take 1 9"], ""),
        (["validate", "nim"], ""),
        (["show", "nim"], ""),
        (["list"], ""),
    ]
    _, imported = call_all(calls, tmp_path, hidden=[])
    assert not imported


def test_hints_and_the_hard_level_search(tmp_path: Path) -> None:
    played = ["play", "nim", "--set", "heaps=[2,1]", "--seed", "7", "--no-save"]
    calls = [(played, "hint\nquit\n"), ([*played, "--watch", "--vs", "hard"], "")]
    (hint, hard), _ = call_all(calls, tmp_path)
    assert hint.code == 0 and "\n* take 1 1  wins" in hint.out
    assert str(missing("solve", "An exact hint")) in hint.out
    assert hard.code == 0 and "wins the game" in hard.out


def test_a_game_against_a_perfect_player_is_not_resumed(tmp_path: Path) -> None:
    game = ["play", "nim", "--vs", "perfect", "--seed", "1", "--save", "nim.game"]
    assert call(*game, typed="take 1 1\nquit\n", folder=tmp_path).code == 0
    saved = (tmp_path / "nim.game").read_bytes()
    (result,), _ = call_all([(["resume", "nim.game"], "take 1 1\n")], tmp_path)
    assert result == (2, "", f"rulegame: {missing('solve', 'Perfect play')}\n")
    assert (tmp_path / "nim.game").read_bytes() == saved


def test_next_steps_need_no_extra(tmp_path: Path) -> None:
    (result,), _ = call_all([(["new", "mine.yaml", "--yes"], "")], tmp_path)
    steps = result.out.splitlines()[1:]
    assert steps == ["  rulegame play mine.yaml", "  rulegame test mine.yaml"]
    found, _ = call_all([(step.split()[1:], "") for step in steps], tmp_path)
    assert [one.code for one in found] == [1, 0] and "turn" in found[0].out


def test_a_rulebook_leaves_out_what_it_cannot_prove(tmp_path: Path) -> None:
    (result,), _ = call_all([(["rules", "nim"], "")], tmp_path)
    assert result.code == 0
    assert "The claims of these rules are left out" in result.out
    assert 'pip install "rulegame[solve]"' in " ".join(result.out.split())


LIBRARY = {
    "rulegame.solve": "Solving",
    "rulegame.explore": "Exploring a game",
    "rulegame.check": "Proving claims",
    "rulegame.make_player('perfect', rulegame.load('nim'))": "Perfect play",
    "rulegame.simulate(rulegame.load('nim'), 5, seed=1, players=['perfect'])": "Perfect play",
    "rulegame.sweep('nim', {'misere': [True]})": "Solving",
    "__import__('rulegame.solving.arena')": "Solving",
    "__import__('rulegame.adapters.gymnasium')": "A Gymnasium environment",
}
RAISE = """
import json, rulegame
for code in json.loads(sys.stdin.read()):
    try:
        eval(code)
    except rulegame.MissingExtra as error:
        print(error)
"""


def test_the_library_raises_the_same_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDE + RAISE, ",".join(PACKAGES)],
        input=json.dumps(list(LIBRARY)),
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT,
        check=False,
    )
    extra = {"A Gymnasium environment": "gymnasium"}
    expected = [str(missing(extra.get(task, "solve"), task)) for task in LIBRARY.values()]
    assert (done.stderr, done.stdout.splitlines()) == ("", expected)
