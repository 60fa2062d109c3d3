"""Saves whose ruleset has changed: words do not matter, rules do, and `--anyway` goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.playing.saves import Chain, read_save
from support.commands import Result
from support.rulesets import RULESETS

SAVES = Path(__file__).parents[1] / "saves_0_1"
COUNTDOWN = (SAVES / "countdown.yaml").read_text("utf-8")


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    file = tmp_path / "countdown.yaml"
    file.write_text(COUNTDOWN, "utf-8")
    return file


def moves(file: Path) -> list[str]:
    (played,) = read_save(file.read_bytes()).rounds
    return [entry.text for entry in played.entries]


def played(rulegame: Call, ruleset: Path, *arguments: str, typed: str = "1\n2\n3\n") -> Path:
    """A save with a few moves in it."""
    save = ruleset.with_name("save.jsonl")
    rulegame("play", str(ruleset), "--save", str(save), *arguments, typed=typed)
    assert rulegame("replay", str(save), "--check").code == 0
    return save


SAME = [
    ("", "# a remark\n"),
    ("title: Countdown", "title: Count Down!"),
    ("summary: Take one", "summary: Take 1"),
    ("about: How many there are at the start", "about: The pile"),
    ("only {left} left", "no: {left} left"),
    ("left: left - n", "left: (left)-n"),
    ("after.left >= 0", "0 <= after.left"),
    ("    result: win", "    result: win\n    text: Done."),
    ("    when: left == 0\n    result: win\n", "    result: win\n    when: left == 0\n"),
    ("play: [take 1, take 2]", "play: [take 2, take 1]"),
    ("\ntests:", "\nclaims: {no_draws: true}\n\ntests:"),
    ("\nstate:", "\ndefine:\n  rest: left + 1\n\nstate:"),
    ("pile: {default: 21", "pile: {default: 30"),  # it was played with 21, and still is
    ("pile: {default: 21, min: 1", "pile: {default: 21, min: 0"),
    ("\nvalidity:", "  skip: {enabled: false, effects: {left: left}}\n\nvalidity:"),
]


def kept(save: Path) -> str:
    """What is said of a game whose input ends."""
    return f"Input ended. Game saved; continue with `rulegame resume {save}`.\n"


@pytest.mark.parametrize(("old", "new"), SAME)
def test_words_do_not_matter(rulegame: Call, ruleset: Path, home: Path, old: str, new: str) -> None:
    save = played(rulegame, ruleset)
    changed = COUNTDOWN.replace(old, new, 1) if old else COUNTDOWN + new
    assert changed != COUNTDOWN
    ruleset.write_text(changed, "utf-8")
    result = rulegame("resume", str(save), typed="3\n")
    assert "after 3 moves." in result.out and "Left: 15\n" in result.out
    assert result.err == kept(save)
    assert moves(save) == ["take 1", "take 2", "take 3", "take 3"]
    assert not home.exists()


def test_the_words_of_a_parent_do_not_matter(rulegame: Call, ruleset: Path) -> None:
    child = ruleset.with_name("child.yaml")
    child.write_text("rulegame: 1\nextends: countdown.yaml\ntitle: Child\n", "utf-8")
    save = played(rulegame, child)
    ruleset.write_text(COUNTDOWN.replace("only {left}", "{left}"), "utf-8")
    assert rulegame("replay", str(save), "--check").code == 0
    ruleset.write_text(COUNTDOWN.replace("1..most", "2..most"), "utf-8")
    assert rulegame("replay", str(save), "--check").code == 1


OTHER = [
    ("1..most", "1..most + 1", ""),
    ("result: win", "result: lose", ""),
    ("left: pile", "left: pile + 1", ""),
    ("\nend:", "  odd: n > 0\n\nend:", ""),
    ("1..most", "2..most", "move 1: 'take 1' is not valid: n must be one of 2, 3"),
    (
        "after.left >= 0",
        "after.left >= 17",
        "move 3: 'take 3' is not valid: enough_left: there are only 18 left (after.left = 15)",
    ),
    ("left == 0", "left <= 18", "move 3: 'take 3' is not valid: the game is over"),
    ("  take:", "  grab:", "move 1: there is no move 'take 1': expected one of: grab"),
    ("pile: {default: 21, min: 1, max: 1000", "pile: {default: 9, min: 1, max: 9", None),
    ("title: Countdown", "title: Countdown\nplayers: [A, B, C]", None),
]


@pytest.mark.parametrize(("old", "new", "stopped"), OTHER)
def test_other_rules(
    rulegame: Call, ruleset: Path, home: Path, old: str, new: str, stopped: str | None
) -> None:
    save = played(rulegame, ruleset)
    before = save.read_bytes()
    assert old in COUNTDOWN
    rules, tests, _ = COUNTDOWN.partition("\ntests:")
    assert tests
    ruleset.write_text(rules.replace(old, new, 1), "utf-8")
    refused = rulegame("resume", str(save))
    assert refused.code == 1 and refused.err.startswith(f"{save}: ")
    shown = rulegame("replay", str(save), "--anyway")
    went_on = rulegame("resume", str(save), "--anyway")
    assert save.read_bytes() == before
    if stopped is None:  # not the same table, or not the same pile
        assert (shown.code, went_on.code) == (1, 1) and not home.exists()
        return
    assert "changed after this game was saved. Use --anyway" in refused.err
    assert (refused.out, shown.code) == ("", 1 if stopped else 0)
    if stopped:
        assert shown.out.endswith(f"not valid under the current rules: {stopped}\n")
        assert f"Not valid under the current rules: {stopped}. Resuming before it.\n" in went_on.err
    else:
        assert "The rules have changed, but every move is still valid.\n" in went_on.err
    assert "the old save is unchanged.\n" in went_on.err


def test_what_goes_on_is_a_save_of_its_own(rulegame: Call, ruleset: Path, home: Path) -> None:
    save = played(rulegame, ruleset, "--names", "Ann,Bob")
    ruleset.write_text(COUNTDOWN.replace("after.left >= 0", "after.left >= 16"), "utf-8")
    rulegame("resume", str(save), "--anyway", typed="1\n")
    (file,) = home.iterdir()
    assert moves(file) == ["take 1", "take 2", "take 1"]
    assert rulegame("replay", str(file), "--check").code == 0
    later = rulegame("resume", typed="")
    assert "Countdown, after 3 moves.\n" in later.out and "Bob's turn." in later.out
    assert moves(save) == ["take 1", "take 2", "take 3"]


def test_a_look_at_it_leaves_no_file(rulegame: Call, ruleset: Path, home: Path) -> None:
    save = played(rulegame, ruleset)
    ruleset.write_text(COUNTDOWN.replace("result: win", "result: lose"), "utf-8")
    rulegame("resume", str(save), "--anyway")
    assert list(home.iterdir()) == []


def test_anyway_is_no_harm_where_nothing_has_changed(
    rulegame: Call, ruleset: Path, home: Path
) -> None:
    save = played(rulegame, ruleset)
    result = rulegame("resume", str(save), "--anyway", typed="1\n")
    assert result.err == kept(save)
    assert len(moves(save)) == 4 and not home.exists()


def test_parameters_and_operations_that_are_gone(rulegame: Call, ruleset: Path, home: Path) -> None:
    ruleset.write_text(
        COUNTDOWN.replace("\nvalidity:", "  skip: {effects: {left: left}}\n\nvalidity:")
    )
    arguments = ("--set", "pile=9", "--set", "most=2", "--disable", "skip")
    save = played(rulegame, ruleset, *arguments, typed="1\n2\n")
    fewer = COUNTDOWN.replace("  most: {default: 3, min: 1, max: 9, ", "  top: {default: 3, ")
    ruleset.write_text(fewer.replace("1..most", "1..top"), "utf-8")
    assert rulegame("resume", str(save)).code == 1
    result = rulegame("resume", str(save), "--anyway", typed="3\n")
    assert "error" not in result.out and "Left: 6\nN: 1, 2, 3\n" in result.out
    (file,) = home.iterdir()
    assert rulegame("replay", str(file), "--check").code == 0


def test_a_match_goes_on_from_what_holds(rulegame: Call, ruleset: Path, home: Path) -> None:
    save = played(rulegame, ruleset, "--set", "pile=4", "--rounds", "3", typed="1\n3\n2\n2\n1\n")
    ruleset.write_text(COUNTDOWN.replace("result: win", "result: lose"), "utf-8")
    result = rulegame("resume", str(save), "--anyway", typed="")
    stopped = "round 1, the result, which is different now"
    assert f"Not valid under the current rules: {stopped}." in result.err
    assert "Score: Player 1: 1, Player 2: 0\n" in result.out
    assert "Round 2 of 3. Player 2 moves first.\n" in result.out


def test_what_is_hidden_is_not_told(rulegame: Call, tmp_path: Path) -> None:
    ruleset = tmp_path / "secret.yaml"
    text = (RULESETS / "secret.yaml").read_text("utf-8")
    ruleset.write_text(text, "utf-8")
    save = played(rulegame, ruleset, typed="8\n7\n")
    assert "1..9" in text
    ruleset.write_text(text.replace("1..9", "1..7"), "utf-8")
    result = rulegame("replay", str(save), "--anyway")
    assert result.code == 1 and result.out.endswith("not valid under the current rules: move 1\n")
    assert "8" not in result.out.replace(str(tmp_path), "")


# ---- saves of version 0.1


def moved(name: str, ruleset: Path, target: Path) -> Path:
    """A save of 0.1 as it would be had the ruleset been there."""
    chain = Chain()
    lines = []
    for line in (SAVES / name).read_bytes().splitlines()[:-1]:
        content = json.loads(line)
        del content["n"], content["check"]
        if "ruleset" in content:
            content["ruleset"] = str(ruleset)
        lines.append(chain.add(content))
    target.write_bytes(b"".join(lines) + chain.last())
    return target


def test_they_are_read(rulegame: Call, ruleset: Path, tmp_path: Path) -> None:
    save = moved("countdown.jsonl", ruleset, tmp_path / "old.jsonl")
    result = rulegame("resume", str(save), typed="1\n")
    assert "Countdown, after 3 moves.\n" in result.out and "Bob's turn.\nLeft: 15\n" in result.out
    assert rulegame("replay", str(save), "--check").out.endswith(": valid: 4 moves, not finished\n")
    over = moved("match.jsonl", ruleset, tmp_path / "match.jsonl")
    assert rulegame("replay", str(over), "--check").out.count("won by Player 2") == 2
    assert "the game is over" in rulegame("resume", str(over)).err


def test_of_bundled_games_too(rulegame: Call, tmp_path: Path) -> None:
    shutil.copy(SAVES / "pig.jsonl", tmp_path)
    save = tmp_path / "pig.jsonl"
    assert rulegame("replay", str(save), "--anyway", "--check").code == 0
    result = rulegame("resume", str(save), "--anyway", typed="H\n")
    assert "Pig, after 9 moves.\n" in result.out


def test_they_know_their_files_alone(
    rulegame: Call, ruleset: Path, home: Path, tmp_path: Path
) -> None:
    save = moved("countdown.jsonl", ruleset, tmp_path / "old.jsonl")
    ruleset.write_text(COUNTDOWN + "# a remark\n", "utf-8")
    refused = rulegame("resume", str(save))
    assert (refused.code, refused.out) == (1, "")
    assert "changed after this game was saved. Use --anyway" in refused.err
    result: Result = rulegame("resume", str(save), "--anyway", typed="2\n")
    assert "every move is still valid" in result.err and "after 3 moves" in result.out
    (file,) = home.iterdir()
    ruleset.write_text(COUNTDOWN + "# another remark\n", "utf-8")
    result = rulegame("resume", str(file))
    assert result.err == "Input ended. Game saved; continue with `rulegame resume`.\n"


def test_a_ruleset_that_is_gone(rulegame: Call, ruleset: Path) -> None:
    ruleset = ruleset.rename(ruleset.with_name("nowhere_else.yaml"))
    save = played(rulegame, ruleset)
    ruleset.unlink()
    for arguments in ((), ("--anyway",)):
        gone = rulegame("resume", str(save), *arguments)
        assert gone.code == 1 and "No file or bundled game" in gone.err
