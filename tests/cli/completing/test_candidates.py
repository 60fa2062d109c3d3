"""What a shell offers when Tab is pressed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulegame.bundled import ruleset_names
from rulegame_cli.main import ASKED_BY, COMMANDS, main
from waiting import WAIT

GAME = """
rulegame: 1
title: Many Ways
parameters:
  pile: {default: 21, min: 1, max: 1000, about: How many there are}
  most: {default: 3, min: 2, max: 4}
  mode: {default: slow, one of: [slow, fast]}
  harsh: {default: false}
  numbers: {default: [1, 2], min: 1, max: 9}
state:
  left: pile
operations:
  take:
    choose:
      n: 1..most
    effects:
      left: left - n
  skip:
    enabled: false
    effects:
      left: left - 1
validity:
  enough: after.left >= 0
end:
  done:
    when: left == 0
    result: win
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("rulegame: 1\nstate: {a: b}\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "other game.yml").write_text(GAME, encoding="utf-8")
    return tmp_path


Ask = Callable[..., str]


@pytest.fixture
def ask(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What the script of a shell is answered, for the words up to the cursor."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RULEGAME_HOME", str(folder / "home"))

    def answer(shell: str, *words: str) -> str:
        monkeypatch.setenv(ASKED_BY, shell)
        monkeypatch.setattr("sys.argv", ["rulegame", *words])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        assert (left.value.code, said.err) == (0, "")
        return said.out

    return answer


def offered(ask: Ask, *words: str) -> list[str]:
    return [line.partition("\t")[0] for line in ask("fish", *words).splitlines()]


FILES = ["broken.yaml", "game.yaml", "more/"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], [*COMMANDS]),
        (["re"], ["resume", "replay"]),
        (["--"], ["--install-completion", "--show-completion", "--version", "--help"]),
        (["--show-completion", ""], ["bash", "zsh", "fish"]),
        (["no_such_command", ""], []),
        # options
        (["history", "-"], ["--top", "--forget", "--json", "--format", "--output", "--help"]),
        (["solve", "--max"], ["--max-states", "--max-memory", "--max-time"]),
        (["solve", "--max-states", ""], []),
        # rulesets and files
        (["play", ""], [*ruleset_names(), *FILES]),
        (["play", "gom"], ["gomoku"]),
        (["play", "game"], ["game.yaml"]),
        (["validate", "game.yaml", "more/"], ["more/other game.yml"]),
        (["diff", "game.yaml", "mis"], ["misere_nim"]),
        (["new", "x", "--from", "gam"], ["game.yaml"]),
        (["fmt", ""], FILES),
        (["play", "nim", "--save", "n"], ["notes.txt"]),
        (["solve", "no_such_folder/"], []),
        (["solve", "nim", ""], []),
        # settings
        (["play", "game.yaml", "--set", ""], ["pile=", "most=", "mode=", "harsh=", "numbers="]),
        (["play", "--set", "p"], []),  # the ruleset is not typed yet
        (["play", "game.yaml", "--set", "m"], ["most=", "mode="]),
        (["play", "game.yaml", "--set", "mode="], ["mode=slow", "mode=fast"]),
        (["play", "game.yaml", "--set=mode=f"], ["--set=mode=fast"]),
        (["play", "game.yaml", "--set", "harsh=t"], ["harsh=true"]),
        (["play", "game.yaml", "--set", "most="], ["most=2", "most=3", "most=4"]),
        (["play", "game.yaml", "--set", "pile="], []),
        (["play", "game.yaml", "--set", "numbers="], []),
        (["play", "game.yaml", "--set", "none="], []),
        (["sweep", "game.yaml", "--vary", "p"], ["pile="]),
        (["play", "game.yaml", "--enable", ""], ["skip"]),
        (["play", "game.yaml", "--set", "pile=3", "--disable", ""], ["take"]),
        # rulesets that cannot be read offer nothing
        (["play", "broken.yaml", "--set", ""], []),
        (["play", "no_such_game", "--enable", ""], []),
        (["check", "-", "--set", ""], []),
        (["check", "more", "--set", ""], []),
        # moves
        (["explain-move", "game.yaml", "--move", "t"], ["take"]),
        (["explain-move", "game.yaml", "--at", "take 1, t"], ["take 1, take"]),
        (["replay", "game.yaml", "--moves", "take 1,"], ["take 1,take"]),
        # players
        (["play", "--vs", ""], ["random", "greedy", "search", "perfect", "easy", "medium", "hard"]),
        (["play", "--vs=p"], ["--vs=perfect"]),
        (["play", "game.yaml", "--seats", ""], ["1=", "2="]),
        (["play", "three_player_pig", "--seats", ""], ["1=", "2=", "3="]),
        (["play", "--seats", "2=h"], ["2=human", "2=hard"]),
        (["play", "--seats", "1=easy,2=h"], ["1=easy,2=human", "1=easy,2=hard"]),
        (["simulate", "nim", "--players", "random,p"], ["random,perfect"]),
        # the rest
        (["solve", "nim", "--first", ""], ["1", "2"]),
        (["rules", "nim", "--format", "h"], ["html"]),
        (["explain", "E302"], ["E302"]),
        (["resume", ""], ["more/"]),
    ],
)
def test_what_is_offered(ask: Ask, words: list[str], expected: list[str]) -> None:
    assert offered(ask, *words) == expected


def test_saved_games_are_offered(ask: Ask, folder: Path) -> None:
    games = folder / "home" / "games"
    games.mkdir(parents=True)
    (games / "20200101-000000-3f9a2c.jsonl").write_text('{"title": "Many Ways"}\n', "utf-8")
    for words in (["resume", ""], ["replay", "3"]):
        assert "3f9a2c" in offered(ask, *words)


def test_each_shell_is_told_what_it_understands(ask: Ask) -> None:
    setting = ["play", "game.yaml", "--set"]
    assert ask("fish", *setting, "p") == "pile=\tHow many there are\n"
    assert ask("zsh", *setting, "p") == "+pile=:How many there are\n"
    assert ask("zsh", "play", "more/") == "-more/other game.yml\n"
    assert ask("bash", *setting, "p") == "pile=\n"
    assert ask("bash", "play", "more/") == "more/other\\ game.yml\n"
    assert ask("bash", "play", '"more/o') == "more/other game.yml\n"
    assert ask("bash", "play", "more/other\\ g") == "more/other\\ game.yml\n"
    assert ask("bash", *setting, "mode", "=") == "slow\nfast\n"
    assert ask("bash", *setting, "mode", "=", "f") == "fast\n"
    assert ask("bash", *setting, "mode=f") == "mode=fast\n"
    chosen = ["play", "--vs", "search", ":", "2s", "game.yaml", "--set", "most", "=", "2"]
    assert ask("bash", *chosen, "--set", "p") == "pile=\n"
    assert ask("bash", "play", "game.yaml", "--set", "mode", "=", "--en") == "--enable\n"


def test_nothing_is_compiled_to_complete(folder: Path) -> None:
    code = (
        "import sys\nfrom rulegame_cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "game.yaml", "--set", "mo"],
        cwd=folder,
        env={**os.environ, ASKED_BY: "bash"},
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT,
        check=True,
    )
    *found, modules = done.stdout.splitlines()
    assert found == ["most=", "mode="]
    heavy = {"numpy", "scipy", "rich", "rulegame.compiling", "rulegame.game", "rulegame.solving"}
    assert not heavy & set(modules.split())
