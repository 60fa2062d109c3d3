"""The wheel, built from the source distribution and installed in an empty environment, works."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.test_base_install import REFUSED
from rulegame.bundled import ruleset_names
from rulegame.extras import missing as missing_extra
from rulegame_cli.main import COMMANDS
from sessions.test_sessions import SESSIONS, golden
from support.base_install import PACKAGES, Call, call_all
from support.tiers import installed, missing

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[1]
Installed = Callable[..., subprocess.CompletedProcess[str]]


def run(command: list[str], folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def must_run(command: list[str], folder: Path) -> str:
    done = run(command, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel and its dependencies, without an extra."""
    installed("build")
    installed("pip")
    folder = tmp_path_factory.mktemp("a wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    must_run(build, folder)
    (wheel,) = folder.glob("*.whl")
    made = folder / "environment"
    venv.create(made, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(made / "bin" / "python"), "install"]
    done = run([*pip, "--quiet", "--disable-pip-version-check", str(wheel)], folder)
    if done.returncode != 0:
        missing(f"pip cannot install the wheel: {done.stderr}")
    return made


@pytest.fixture
def rulegame(environment: Path, tmp_path: Path) -> Installed:
    """The installed command, called from an empty folder."""

    def call(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(environment / "bin" / "rulegame"), *arguments]
        return run(command, tmp_path, typed)

    return call


def test_the_library_is_the_installed_one(environment: Path, tmp_path: Path) -> None:
    code = "import rulegame, rulegame_cli; print(rulegame.__file__); print(rulegame_cli.__file__)"
    printed = must_run([str(environment / "bin" / "python"), "-c", code], tmp_path)
    for file in printed.splitlines():
        assert Path(file).is_relative_to(environment)


def test_it_validates_every_bundled_ruleset(rulegame: Installed) -> None:
    listed = rulegame("list").stdout
    names = [path.stem for path in (ROOT / "rulesets").rglob("*.yaml")]
    assert len(names) >= 8
    for name in names:
        assert f"  {name} " in listed
    done = rulegame("validate", *names)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": valid\n") == len(names)


def test_it_takes_at_most_50_megabytes(environment: Path) -> None:
    files = [path.lstat() for path in environment.rglob("*")]
    assert sum(file.st_blocks * 512 for file in files) <= 50 * 10**6


def test_it_has_no_package_of_an_extra(environment: Path) -> None:
    (packages,) = environment.glob("lib/python*/site-packages")
    assert not {path.name for path in packages.iterdir()} & set(PACKAGES)


def test_it_plays_every_session(environment: Path, tmp_path: Path) -> None:
    """Those of the five documents among them, to the letter."""
    calls: list[Call] = [
        (session.command, "".join(f"{line}\n" for line in session.lines))
        for session in SESSIONS.values()
    ]
    found, _ = call_all(calls, tmp_path, [], str(environment / "bin" / "python"))
    for name, result in zip(SESSIONS, found, strict=True):
        assert result == (0, golden(name), ""), name


def test_computers_play_every_bundled_game(environment: Path, tmp_path: Path) -> None:
    seeded = ["--seed", "1"]
    calls: list[Call] = []
    for name in ruleset_names():
        calls.append((["simulate", name, "--games", "2", *seeded], ""))
        calls.append((["play", name, "--vs", "medium", "--no-save", *seeded], "hint\nquit\n"))
    for name in ruleset_names("games"):
        watched = ["play", name, "--watch", "--no-save", *seeded, "--vs"]
        calls += [([*watched, player], "") for player in ("easy", "medium")]
    calls.append((["play", "tic_tac_toe", "--watch", "--no-save", *seeded, "--vs", "hard"], ""))
    found, _ = call_all(calls, tmp_path, [], str(environment / "bin" / "python"))
    for (words, _), result in zip(calls, found, strict=True):
        assert (result.code, result.err) == (0, ""), (words, result)


def test_every_bundled_game_has_a_rulebook_and_passes_its_tests(
    environment: Path, tmp_path: Path
) -> None:
    calls: list[Call] = []
    for name in ruleset_names():
        calls += [([command, name], "") for command in ("rules", "test", "show")]
    found, _ = call_all(calls, tmp_path, [], str(environment / "bin" / "python"))
    for (words, _), result in zip(calls, found, strict=True):
        assert (result.code, result.err) == (0, ""), (words, result)


def test_every_command_answers_or_says_what_to_install(environment: Path, tmp_path: Path) -> None:
    refused = {
        tuple(words): str(missing_extra(extra, task))
        for extra, calls in REFUSED.items()
        for words, task in calls
    }
    answered: list[Call] = [
        (["new", "mine.yaml", "--from", "nim"], ""),
        (["validate", "mine.yaml"], ""),
        (["fmt", "mine.yaml"], ""),
        (["diff", "misere_nim", "misere_nim"], ""),
        (["play", "nim", "--vs", "medium", "--seed", "1"], "hint\nquit\n"),
        (["history"], ""),
        (["resume"], "quit\n"),
        (["replay", "nim", "--moves", "take 1 1, take 2 1"], ""),
        (["explain", "E302"], ""),
        (["explain-move", "nim", "--move", "take 1 1"], ""),
        (["rate", "nim", "--games", "2", "--seed", "1", "--jobs", "1"], ""),
        (["sweep", "nim", "--vary", "misere=true,false", "--games", "2", "--jobs", "1"], ""),
        (["simulate", "nim", "--games", "20", "--seed", "1", "--jobs", "2"], ""),
        (["cache"], ""),
        (["cache", "clear"], ""),
        (["list"], ""),
        (["--version"], ""),
        (["--show-completion", "bash"], ""),
        *(([command, "--help"], "") for command in COMMANDS),
    ]
    assert {words[0] for words, _ in answered} | {words[0] for words in refused} >= set(COMMANDS)
    calls: list[Call] = [*answered, *((words, "") for words in refused)]
    found, _ = call_all(calls, tmp_path, [], str(environment / "bin" / "python"))
    for (words, _), result in zip(calls, found, strict=True):
        if tuple(words) in refused:
            assert result == (2, "", f"rulegame: {refused[tuple(words)]}\n"), words
        else:
            assert (result.code, "Traceback" in result.err) == (0, False), (words, result)


def test_it_explains_every_code(rulegame: Installed) -> None:
    pages = sorted((ROOT / "docs" / "errors").glob("E*.md"))
    for page in pages[:1] + pages[-1:]:
        assert rulegame("explain", page.stem).stdout == page.read_text(encoding="utf-8")
