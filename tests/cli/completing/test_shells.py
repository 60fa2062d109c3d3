"""Completion in real shells, and how it is installed there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame_cli.completing.shells import SCRIPTS
from support.tiers import installed, missing
from waiting import WAIT

pytestmark = pytest.mark.full

PROGRAM = Path(sys.executable).with_name("rulegame")


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        missing(f"{name} is not installed")
    if not PROGRAM.exists():
        missing("rulegame is not installed as a command")
    return found


def environment(home: Path) -> dict[str, str]:
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    folders = {"HOME": str(home), "ZDOTDIR": str(home), "RULEGAME_HOME": str(home)}
    return {**os.environ, **folders, "PATH": path}


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_bash_calls_the_function(tmp_path: Path) -> None:
    script = """
        eval "$(rulegame --show-completion bash)"
        complete -p rulegame
        ask() {
            COMP_WORDS=(rulegame "$@"); COMP_CWORD=$#
            _rulegame_completion rulegame
            echo "$*: ${COMPREPLY[*]}"
        }
        ask va
        ask play zero_sum_d
        ask play double_or_nothing_31 --enable t
    """
    assert run(tmp_path, shell("bash"), "--norc", "-c", script).splitlines() == [
        "complete -F _rulegame_completion rulegame",
        "va: validate",
        "play zero_sum_d: zero_sum_duel",
        "play double_or_nothing_31 --enable t: triple",
    ]


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_what_is_typed_is_completed(tmp_path: Path, name: str) -> None:
    """At a terminal, where bash splits words at `=`, and a space follows what is complete."""
    pexpect = installed("pexpect")
    program = shell(name)
    (tmp_path / f".{name}rc").write_text("PS1='ready> '\n", encoding="utf-8")
    run(tmp_path, str(PROGRAM), "--install-completion", name)
    quiet = {"TERM": "dumb", "INPUTRC": os.devnull}
    start = ["--noprofile", "--rcfile", str(tmp_path / ".bashrc"), "-i"]
    child = pexpect.spawn(
        program,
        start if name == "bash" else ["-i"],
        cwd=tmp_path,
        env={**environment(tmp_path), **quiet},
        encoding="utf-8",
        timeout=WAIT,
        dimensions=(24, 200),
    )
    child.expect_exact("ready> ")
    typed = [
        ("rulegame play zero_sum_d\t", "uel "),
        ("--vs=per\t", "fect "),
        ("--set sta\t", "rt="),
        ("5 --fir\t", "st "),
    ]
    for keys, completed in typed:
        child.send(keys)
        child.expect_exact(completed)
    child.send("\x03")
    child.close()


def test_fish_completes_a_line(tmp_path: Path) -> None:
    fish = shell("fish")
    script = "rulegame --show-completion fish | source; complete -C 'rulegame play zero_sum_d'"
    assert run(tmp_path, fish, "--no-config", "-c", script).startswith("zero_sum_duel")


# ---- installing


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("RULEGAME_HOME", str(tmp_path / "data"))
    for name in ("XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_installing_adds_one_line(rulegame: Call, home: Path, name: str) -> None:
    rc, script = home / f".{name}rc", home / "data" / f"completion.{name}"
    rc.write_text("alias ll='ls -l'", encoding="utf-8")  # without an end of its line
    first = rulegame("--install-completion", name)
    assert (first.code, first.err) == (0, "")
    assert first.out == (
        f"Wrote {script}.\n{rc} now loads it.\nCompletion works in every new terminal.\n"
    )
    after = rc.read_text(encoding="utf-8")
    line = f"if [ -f {script} ]; then . {script}; fi  # completion of rulegame"
    assert after == f"alias ll='ls -l'\n{line}\n"
    assert script.read_text(encoding="utf-8") == SCRIPTS[name]
    again = rulegame("--install-completion", name)
    assert f"{rc} already loads it.\n" in again.out
    assert rc.read_text(encoding="utf-8") == after


def test_installing_where_there_is_nothing_yet(
    rulegame: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    assert rulegame("--install-completion").code == 0
    assert (home / ".bashrc").read_text(encoding="utf-8").endswith("# completion of rulegame\n")
    script = home / ".config" / "fish" / "completions" / "rulegame.fish"
    for _ in range(2):
        result = rulegame("--install-completion", "fish")
        assert result.out == f"Wrote {script}.\nCompletion works in every new terminal.\n"
        assert script.read_text(encoding="utf-8") == SCRIPTS["fish"]


@pytest.mark.parametrize("option", ["--install-completion", "--show-completion"])
@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        (["tcsh"], "bash", "not 'tcsh'"),
        ([], "/bin/ksh", "not '/bin/ksh'"),
        ([], "", "because SHELL is not set"),
    ],
)
def test_other_shells(
    rulegame: Call,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    given: list[str],
    named: str,
    said: str,
) -> None:
    monkeypatch.setenv("SHELL", named)
    result = rulegame(option, *given)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"rulegame: {option}: expected bash, zsh or fish, {said}\n"


def test_a_file_that_cannot_be_written(rulegame: Call, home: Path) -> None:
    (home / ".bashrc").mkdir()
    result = rulegame("--install-completion", "bash")
    assert result.code == 2
    assert result.err.startswith("rulegame: --install-completion: ")
    assert "cannot write" in result.err
