"""What `--help` prints: pages for people who have never seen the program, examples that work."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.players.registry import GROUP, player_names
from rulegame_cli.calling import opponents
from rulegame_cli.calling.help_pages import examples
from rulegame_cli.main import COMMANDS
from support.commands import call
from support.tiers import library

ROOT = Path(__file__).parents[3]
EXAMPLES = [(command, line) for command, lines in examples().items() for line in lines]
MAY_END_WITH = {"diff": [1], "prove": [0, 1]}  # different; some claim is refuted
SAVED = "3f9a2c"  # the saved game of the examples
MENTIONS_OF_TYPES = re.compile(r"\b(TEXT|INTEGER|FLOAT|BOOLEAN|PATH|None)\b|[<\[{](str|int|list)")


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_page_fits_and_is_whole(
    rulegame: Call, monkeypatch: pytest.MonkeyPatch, command: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    result = rulegame(*([command] if command else []), "--help")
    assert (result.code, result.err) == (0, "")
    page = result.out
    before, _, after = page.partition("Examples:\n")
    shown, _, rest = after.partition("\n\n")
    assert shown.splitlines() == [f"  {line}" for line in examples()[command or "rulegame"]]
    assert not MENTIONS_OF_TYPES.search(before + rest)
    assert "..." not in re.sub(r"(RULESET|FILE|2\|)\.\.\.", "", before + rest)
    assert all(len(line) <= min(width, 100) for line in (before + rest).splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained_in_sentences(rulegame: Call, command: str) -> None:
    page = rulegame(command, "-h").out
    options = page[page.index("\nOptions:\n") :]
    rows = re.split(r"\n  (?=-)", re.sub(r"\n\n[A-Z].*:", "", options))[1:]
    assert rows
    for row in rows:
        assert re.search(r"[A-Z].*[.?]$", row.strip(), re.DOTALL), row


def test_every_command_has_examples_and_a_line_in_the_list(rulegame: Call) -> None:
    page = rulegame("--help").out
    assert examples().keys() == {"rulegame", *COMMANDS}
    for command in COMMANDS:
        about = rulegame(command, "-h").out.split("\n\n")[1]
        assert " ".join(about.split()) in " ".join(page.split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples need of the folder of the README."""
    made = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "rulesets", made / "rulesets")
    return made


@pytest.mark.quick(16)
@pytest.mark.parametrize(("command", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_an_example_works(folder: Path, command: str, line: str, tmp_path: Path) -> None:
    words = shlex.split(line, comments=True)
    assert words[0] == "rulegame" and (command in words or command == "rulegame")
    if "--plot" in words:
        library("matplotlib")
    environment = {"RULEGAME_HOME": str(tmp_path)}
    if SAVED in words or "resume" in words:
        _save(tmp_path)
    typed = ""
    if "<" in words:
        typed = (folder / words.pop()).read_text(encoding="utf-8")
        words.remove("<")
    if ">" in words:
        words = words[: words.index(">")]
    if words[1] in ("lsp", "studio") or words[-1:] == ["--watch"]:
        words.append("--help")  # these have no end
    if words[1] == "new":
        (folder / words[2]).unlink(missing_ok=True)
    done = call(*words[1:], typed=typed, folder=folder, environment=environment)
    if words[1] in ("play", "resume") and "--watch" not in words:
        assert done.code == 1 and done.err.count("Input ended.") == 1 == done.err.count("\n")
    else:
        assert done.err == ""
        assert done.code in MAY_END_WITH.get(words[1], [0])


def _save(home: Path) -> None:
    environment = {"RULEGAME_HOME": str(home)}
    call("play", "zero_sum_duel", typed="subtract 5\n", environment=environment)
    [saved] = (home / "games").iterdir()
    saved.rename(saved.with_name(f"20200101-000000-{SAVED}.jsonl"))


def test_opponents_are_those_that_there_are() -> None:
    assert tuple(opponents.opponents()) == player_names()
    assert opponents.GROUP == GROUP
