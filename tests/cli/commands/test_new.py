"""`rulegame new`: drafts that are valid, tested and playable from the start."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import rulegame as library
from cli.conftest import Call
from rulegame.bundled import ruleset_names, rulesets_folder
from rulegame.drafts import KINDS
from rulegame.loading import load_ruleset
from rulegame.ruletests.running import run_tests


def assert_good(file: Path) -> None:
    ruleset, diagnostics = load_ruleset(file)
    assert ruleset is not None and diagnostics == ()
    results = run_tests(file).results
    assert results and all(not result.failures for result in results)
    text = file.read_text(encoding="utf-8")
    assert "file:" not in text and str(file.parent) not in text
    assert "site-packages" not in text and str(rulesets_folder().parent) not in text
    library.load(file).start()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", ["", "Ann, Bob", "Ann,Bob,Cid"])
def test_every_kind(rulegame: Call, tmp_path: Path, kind: str, players: str) -> None:
    file = tmp_path / "my_game.yaml"
    options = ["--names", players] if players else []
    done = rulegame("new", str(file), "--kind", kind, "--yes", *options)
    assert done.code == 0
    assert f"rulegame play {file}" in done.out
    assert_good(file)
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert written["title"] == "My Game" and written["claims"]
    assert library.load(file).players == tuple(
        name.strip() for name in (players or "Player 1,Player 2").split(",")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_draft_claims_is_true_and_nothing_in_it_is_idle(
    rulegame: Call, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "draft.yaml"
    rulegame("new", str(file), "--kind", kind, "--yes")
    report = library.check(library.load(file))
    assert report.holds and report.findings
    assert report.warnings == ()


@pytest.mark.quick(4)
@pytest.mark.parametrize("parent", ruleset_names("games", "variants"))
def test_a_variant_of_every_game(rulegame: Call, tmp_path: Path, parent: str) -> None:
    file = tmp_path / "variant.yaml"
    done = rulegame("new", str(file), "--from", parent, "--yes")
    assert done.code == 0
    assert_good(file)
    assert library.perft(library.load(file), 2) == library.perft(library.load(parent), 2)


def test_what_a_variant_offers_to_change_can_be_changed(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "variant.yaml"
    rulegame("new", str(file), "--from", "double_or_nothing_31", "--yes")
    lines = file.read_text(encoding="utf-8").split("\n")
    offered = [
        line for line in lines if line.startswith(("# parameters:", "# operations:", "#   "))
    ]
    assert len(offered) > 4
    text = "\n".join(line[2:] if line in offered else line for line in lines)
    file.write_text(text, encoding="utf-8")
    assert_good(file)


def test_questions(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    done = rulegame("new", str(file), typed="Stones & Co: the #1\nchess\n3\nAnn\nAnn, Bob\n")
    assert done.code == 0
    assert "Kind of game [pile]: chess\n" in done.out
    assert "--kind: expected pile, race, dice or board, not 'chess'" in done.out
    assert "--names: expected 2 to 8 different names" in done.out
    assert_good(file)
    game = library.load(file)
    assert game.ruleset.title == "Stones & Co: the #1" and game.players == ("Ann", "Bob")


def test_defaults_where_nobody_answers(rulegame: Call, tmp_path: Path) -> None:
    done = rulegame("new", str(tmp_path / "bare"), typed="")
    assert done.code == 0
    assert_good(tmp_path / "bare.yaml")


def test_nothing_is_overwritten_unless_told_to(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("my own words", encoding="utf-8")
    done = rulegame("new", str(file), "--yes")
    assert done.code == 2 and "--force" in done.err
    assert file.read_text(encoding="utf-8") == "my own words"
    assert rulegame("new", str(file), "--yes", "--force").code == 0
    assert_good(file)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yaml"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x", "--kind", "chess"], "--kind: expected pile"),
        (["x", "--title", "a\x1b[2Jb"], "--title: expected"),
        (["x", "--names", "Ann,Ann"], "--names: expected"),
        (["x", "--from", "zero_sum_dual"], "Did you mean 'zero_sum_duel'?"),
        (["x", "--from", "nim", "--kind", "pile"], "cannot be combined with --from"),
        (["no/such/folder/x"], "Folder 'no/such/folder' does not exist"),
        (["."], "is a folder"),
        (["a\0b"], "is not a valid file name"),
    ],
)
def test_wrong_calls(rulegame: Call, tmp_path: Path, arguments: list[str], said: str) -> None:
    name, *options = arguments
    target = str(tmp_path / name) if name == "x" else name
    done = rulegame("new", target, "--yes", *options)
    assert done.code == 2
    assert said in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_variant_of_a_file(rulegame: Call, tmp_path: Path) -> None:
    parent = tmp_path / "games" / "mine.yaml"
    parent.parent.mkdir()
    assert rulegame("new", str(parent), "--yes").code == 0
    assert rulegame("new", str(tmp_path / "v.yaml"), "--from", str(parent), "--yes").code == 0
    assert_good(tmp_path / "v.yaml")
    outside = rulegame("new", str(parent.with_name("w.yaml")), "--from", str(tmp_path / "v.yaml"))
    assert outside.code == 2 and "must be in the new file's folder" in outside.err


def test_a_parent_with_problems(rulegame: Call, tmp_path: Path) -> None:
    parent = tmp_path / "bad.yaml"
    parent.write_text("rulegame: 1\ntitle: x\n", encoding="utf-8")
    done = rulegame("new", str(tmp_path / "v.yaml"), "--from", str(parent), "--yes")
    assert done.code == 1 and "error[" in done.out
    assert not (tmp_path / "v.yaml").exists()
