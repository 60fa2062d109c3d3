"""Saved games: killed processes, damaged and hostile files, two players of one file."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.playing.saves import Chain, SaveError, read_save, whole_record
from support.commands import Result, run_process
from support.rulesets import RULESETS
from waiting import WAIT

from .screens import screen


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def contents(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


# ---- what is kept


def test_a_game_is_lines_of_json(rulegame: Call, home: Path) -> None:
    arguments = ("--set", "goal=20", "--seed", "7", "--names", "Ann,Bob", "--first", "2")
    rulegame("play", "race.yaml", *arguments, "--rolls", "6,1", typed="A\nundo\nK\n")
    header, *lines, last = contents(only_file(home))
    assert header["ruleset"] == str(RULESETS / "race.yaml")
    assert header["set"] == ["goal=20"]
    assert header["parameters"] == {"goal": 20, "faces": [1, 2, 3, 6]}
    assert (header["seed"], header["first"], header["names"]) == (7, 2, ["Ann", "Bob"])
    kept = [{k: v for k, v in line.items() if k not in ("n", "check")} for line in lines]
    assert kept == [
        {"roll": "die 6"},
        {"move": "add"},
        {"roll": "die 1"},
        {"undo": 1},
        {"move": "keep"},
        {"roll": "die 1"},
    ]
    assert last["last"] is True
    assert [line["n"] for line in (header, *lines, last)] == list(range(8))


def test_nothing_is_printed_about_it_and_nothing_kept_of_nothing(
    rulegame: Call, home: Path
) -> None:
    result = rulegame("play", "countdown.yaml")
    assert "kept" not in result.out + result.err
    assert list(home.iterdir()) == []
    rulegame("play", "countdown.yaml", "--no-save", typed="1\n")
    assert list(home.iterdir()) == []
    rulegame("play", "countdown.yaml", typed="quit\n")
    assert rulegame("resume", typed="1\n").code == 1
    assert len(contents(only_file(home))) == 3


def test_resume_goes_on(rulegame: Call, home: Path, tmp_path: Path) -> None:
    arguments = ("play", "countdown.yaml", "--set", "pile=8", "--names", "Ann,Bob")
    whole = rulegame(*arguments, "--no-save", typed="1\n2\n3\n2\n").out
    rulegame(*arguments, typed="1\n2\n")
    later = rulegame("resume", typed="3\n2\n")
    assert (later.code, later.err) == (0, "")
    title, blank, *rest = later.out.splitlines()
    assert (title, blank) == ("Countdown, after 2 moves.", "")
    assert whole.splitlines()[-len(rest) :] == rest
    over = rulegame("resume")
    assert (over.code, over.out) == (2, "")
    file = only_file(home)
    assert rulegame("resume", str(file)).code == 1
    assert "the game is over" in rulegame("resume", file.stem.rpartition("-")[2]).err
    explicit = tmp_path / "mine.jsonl"
    left = rulegame(*arguments, "--save", str(explicit), typed="1\nquit\n")
    assert left.out.endswith(f"Game saved. Continue with `rulegame resume {explicit}`.\n")
    assert rulegame("resume", str(explicit), typed="3\n3\n1\n").out.endswith("wins the game!\n")
    assert list(home.iterdir()) == [file]
    again = rulegame(*arguments, "--save", str(explicit))
    assert again.code == 2 and "a file with that name already exists" in again.err


def test_a_game_that_goes_on_rolls_and_plays_the_same(rulegame: Call, home: Path) -> None:
    arguments = ("play", "pig", "--set", "target=30", "--vs", "random", "--seed", "11")
    whole = rulegame(*arguments, "--no-save", typed="R\n" * 60)
    assert whole.code == 0
    rulegame(*arguments, typed="R\n")
    while True:
        part = rulegame("resume", typed="R\nR\n")
        if part.code == 0:
            break
    assert part.out.splitlines()[-6:] == whole.out.splitlines()[-6:]
    played = rulegame("replay", str(only_file(home)))
    assert played.out == whole.out


def test_dice_by_hand_are_not_thrown_twice(rulegame: Call, home: Path) -> None:
    rulegame("play", "race.yaml", "--rolls", "1,2,3,1,2,3", typed="A\nundo\nA\n")
    rolled = [line for line in rulegame("resume", typed="A\nA\n").out.splitlines() if "Die" in line]
    assert rolled == ["Die: 2", "Die: 3", "Die: 1"]


def test_history_lists_games(rulegame: Call, home: Path) -> None:
    assert "No saved games" in rulegame("history").out
    rulegame("play", "countdown.yaml", "--set", "pile=2", "--names", "Ann,Bob", typed="2\n")
    rulegame("play", "race.yaml", "--vs", "random", typed="A\n")
    newest, oldest = sorted(
        rulegame("history").out.splitlines(), key=lambda line: "Countdown" in line
    )
    assert newest.endswith("in progress") and "Player 2 (random)" in newest
    assert oldest.endswith("Ann, Bob                     won by Ann")
    data = json.loads(rulegame("history", "--json").out)
    assert {game["title"]: game["over"] for game in data} == {"Countdown": True, "Race": False}
    (home / "20200101-000000-abcdef.jsonl").write_bytes(b"\xff{[" * 50_000)
    os.mkfifo(home / "20200101-000000-fedcba.jsonl")
    assert rulegame("history").out.splitlines()[0].endswith("damaged")
    assert rulegame("history", "--top", "1").out.count("\n") == 1


# ---- files that are not as they were written


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A save with a move, a roll and an undo in it."""
    file = tmp_path_factory.mktemp("small") / "save.jsonl"
    typed = b"A\nundo\nK\nA\n"
    run_process("play", "race.yaml", "--save", str(file), "--seed", "1", typed=typed)
    return file.read_bytes()


def played(data: bytes) -> list[tuple[str, str, int]]:
    saved = read_save(data)
    return [(e.kind, e.text, e.number) for r in saved.rounds for e in r.entries]


def test_every_flipped_bit_is_noticed(small: bytes) -> None:
    whole = played(small)
    for at in range(len(small)):
        for bit in range(8):
            changed = bytearray(small)
            changed[at] ^= 1 << bit
            try:
                saved = read_save(bytes(changed))
            except SaveError:
                continue
            # only the very last line break can go: then the file says that it is cut off
            assert at == len(small) - 1 and not saved.whole
            assert played(bytes(changed)) == whole


def test_every_truncation_is_noticed(small: bytes) -> None:
    whole = played(small)
    header = small.index(b"\n") + 1
    for length in range(len(small)):
        if length < header:
            with pytest.raises(SaveError, match="not a rulegame save"):
                read_save(small[:length])
        else:
            assert not read_save(small[:length]).whole
            assert played(small[:length]) == whole[: small[:length].count(b"\n") - 1]


def test_lines_cannot_be_dropped_swapped_or_doubled(small: bytes) -> None:
    lines = small.splitlines(keepends=True)
    for at in range(len(lines) - 1):
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        dropped = [*lines[:at], *lines[at + 1 :]]
        doubled = [*lines[: at + 1], *lines[at:]]
        for changed in (swapped, dropped, doubled):
            with pytest.raises(SaveError):
                read_save(b"".join(changed))


@pytest.mark.parametrize(
    "changed",
    [{"rounds": 0}, {"first": -1}, {"first": 2}, {"names": ("Ann",)}, {"players": ("human",)}],
    ids=str,
)
def test_what_no_game_begins_with_is_refused(small: bytes, changed: dict[str, object]) -> None:
    """Even if its checks are those of a save."""
    header = read_save(small).header
    assert read_save(whole_record(header, ())[1]).header == header
    with pytest.raises(SaveError, match="line 1 was changed or damaged"):
        read_save(whole_record(replace(header, **changed), ())[1])  # type: ignore[arg-type]


def test_the_command_says_what_is_wrong(rulegame: Call, small: bytes, tmp_path: Path) -> None:
    file = tmp_path / "save.jsonl"

    def resumed(data: bytes) -> Result:
        file.write_bytes(data)
        return rulegame("resume", str(file))

    middle = small.index(b'"move": "add"')
    altered = resumed(small[:middle] + small[middle:].replace(b'"move": "add"', b'"move": "adt"'))
    assert (altered.code, altered.out) == (1, "")
    assert altered.err == (f"{file}: line 3 was changed or damaged\n")
    assert rulegame("replay", str(file), "--check").code == 1
    cut = resumed(small[:-5])
    assert "The save is incomplete. Resuming from the last complete move.\n" in cut.err
    assert "Race, after 2 moves.\n" in cut.out
    file.write_bytes(small[:-5])
    checked = rulegame("replay", str(file), "--check")
    assert (checked.code, checked.out) == (1, f"{file}: the save is incomplete\n")
    for nonsense in (b"", b"\n", b"{}\n", b"[" * 100_000 + b"\n", os.urandom(3000), b"\x00" * 99):
        refused = resumed(nonsense)
        assert refused.code == 1 and "this is not a rulegame save" in refused.err
    refused = rulegame("resume", str(tmp_path))
    assert refused.code == 2 and refused.err.endswith("is a folder. Name a saved game.\n")
    refused = rulegame("resume", "/dev/zero")
    assert (refused.code, refused.err) == (1, "/dev/zero: it is a device or a pipe, not a file\n")
    assert rulegame("resume", "nothing").code == 2


@pytest.mark.parametrize("place", [".", "/"])
def test_a_folder_is_no_place_for_a_save(rulegame: Call, place: str) -> None:
    result = rulegame("play", "countdown.yaml", "--save", place)
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f"cannot write '{place}': a folder with that name already exists\n")


def test_a_file_that_was_cut_off_is_whole_again(
    rulegame: Call, small: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "save.jsonl"
    for length in range(small.index(b"\n") + 1, len(small), 37):
        file.write_bytes(small[:length])
        rulegame("resume", str(file), typed="K\n")
        assert read_save(file.read_bytes()).whole
        assert rulegame("replay", str(file), "--check").code == 0


def test_random_damage_never_ends_in_a_traceback(
    rulegame: Call, small: bytes, tmp_path: Path
) -> None:
    chance = random.Random(5)
    file = tmp_path / "save.jsonl"
    for _ in range(60):
        data = bytearray(small)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(5)] = chance.randbytes(chance.randrange(5))
        file.write_bytes(data)
        for command in (("resume",), ("replay",), ("replay", "--check")):
            result = rulegame(command[0], str(file), *command[1:])
            assert result.code in (0, 1)
            assert "Traceback" not in result.err


# ---- who else is there


@pytest.mark.full
def test_a_game_that_is_being_played_is_left_alone(tmp_path: Path) -> None:
    save = str(tmp_path / "save.jsonl")
    with screen("play", "countdown.yaml", "--no-color", "--save", save) as game:
        game.answer("Choose n: ", "1")
        game.child.expect_exact("Choose n: ")
        code, _, errors = run_process("resume", save)
        assert code == 1 and b"this game is open elsewhere" in errors
        game.child.sendline("2")
        game.answer("Choose n: ", "quit")
        assert game.finish() == 0
    assert run_process("replay", save, "--check")[0] == 0


# ---- killed


@pytest.mark.full
def test_a_killed_game_is_whole(tmp_path: Path) -> None:
    """Killed at random moments while it plays as fast as it can, and resumed, again and again."""
    chance = random.Random(8)
    save = tmp_path / "save.jsonl"
    command = [sys.executable, "-m", "rulegame_cli"]
    arguments = ["play", "pig", "--watch", "--seed", "3", "--set", "target=200", "--rounds", "12"]
    before: list[tuple[str, str, int]] = []
    killed = 0  # before the end
    for attempt in range(12):
        more = ["resume", str(save)] if save.exists() else [*arguments, "--save", str(save)]
        with subprocess.Popen([*command, *more], cwd=RULESETS, stdout=subprocess.DEVNULL) as child:
            until = time.monotonic() + WAIT
            size = save.stat().st_size if save.exists() else 0
            while time.monotonic() < until and child.poll() is None:
                if save.exists() and save.stat().st_size > size + 2000 * (attempt > 0):
                    break
                time.sleep(0.001)
            time.sleep(chance.random() * 0.02)
            child.send_signal(signal.SIGKILL)
            child.wait()
            killed += child.returncode == -signal.SIGKILL
        after = played(save.read_bytes())
        assert after[: len(before)] == before
        assert len(after) >= len(before)
        before = after
        if read_save(save.read_bytes()).over:
            break
    assert killed >= 2
    done = run_process("resume", str(save))
    assert done[0] in (0, 1)
    finished = run_process("replay", str(save), "--check")
    assert finished[0] == 0
    uninterrupted = tmp_path / "uninterrupted.jsonl"
    run_process(*arguments, "--save", str(uninterrupted))
    assert played(uninterrupted.read_bytes()) == played(save.read_bytes())


@pytest.mark.full
def test_a_game_killed_at_the_prompt_goes_on(tmp_path: Path) -> None:
    save = tmp_path / "save.jsonl"
    for number, typed in enumerate((None, "1", "2", "3", "1")):
        arguments = (
            ("resume", str(save)) if number else ("play", "countdown.yaml", "--save", str(save))
        )
        with screen(*arguments, "--no-color") as game:
            game.child.expect_exact("Choose n: ")
            if typed is not None:
                game.child.sendline(typed)
                game.child.expect_exact(f"Take {typed}")
            game.child.kill(signal.SIGKILL)
            game.child.wait()
    assert [text for _, text, _ in played(save.read_bytes())] == [
        "take 1",
        "take 2",
        "take 3",
        "take 1",
    ]


@pytest.mark.full
def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    """Killed the moment the move is on the screen, before anything else is asked."""
    save = tmp_path / "save.jsonl"
    for number in range(3):
        arguments = (
            ("resume", str(save)) if number else ("play", "countdown.yaml", "--save", str(save))
        )
        with screen(*arguments, "--no-color") as game:
            game.answer("Choose n: ", f"{number + 1}")
            game.child.expect_exact(f": Take {number + 1}")
            game.child.kill(signal.SIGKILL)
        assert played(save.read_bytes())[number:] == [("move", f"take {number + 1}", 0)]


# ---- written by someone else

ODD: list[object] = [
    None, True, -1, 0, 3, 10**30, 1.5, "", "x", "\x1b[31m", "../" * 300, "/dev/zero", "a\x00b",
    [], ["x"], [[]], {}, {"pile": []}, {"pile": "9" * 5000}, {"pile": -1}, {"other": 1}, ["pile=x"],
    ["take"], ["a", "b", "c"], "[" * 2000,
]  # fmt: skip


def test_any_header_is_answered(rulegame: Call, tmp_path: Path) -> None:
    """The checks of a file keep out accidents, not people: whoever wants to can write them."""
    chance = random.Random(3)
    saved = tmp_path / "good.jsonl"
    rulegame("play", "countdown.yaml", "--save", str(saved), typed="1\n2\n")
    header, *moves, _ = contents(saved)
    file = tmp_path / "save.jsonl"
    for _ in range(60):
        key = chance.choice([key for key in header if key not in ("n", "check")])
        changed = {**header, key: chance.choice(ODD)}
        chain = Chain()
        lines = [
            chain.add({key: value for key, value in line.items() if key not in ("n", "check")})
            for line in (changed, *moves)
        ]
        file.write_bytes(b"".join(lines) + chain.last())
        for command in (("resume",), ("resume", "--anyway"), ("replay", "--anyway", "--check")):
            result = rulegame(command[0], str(file), *command[1:])
            assert result.code in (0, 1), (changed, result.err)


# ---- files that others are sent


@pytest.mark.parametrize("way", ["--save", "save"])
def test_a_save_that_was_asked_for_names_no_folder_of_this_machine(
    rulegame: Call, tmp_path: Path, way: str
) -> None:
    file, elsewhere = tmp_path / "game.jsonl", tmp_path / "elsewhere"
    ruleset = tmp_path / "my race.yaml"
    ruleset.write_bytes((RULESETS / "race.yaml").read_bytes())
    if way == "save":
        rulegame("play", str(ruleset), "--seed", "7", typed=f"A\nsave {file}\n")
    else:
        rulegame("play", str(ruleset), "--seed", "7", "--save", str(file), typed="A\n")
    assert str(tmp_path) not in file.read_text("utf-8")
    assert contents(file)[0]["ruleset"] == "my race.yaml"
    elsewhere.mkdir()
    for one in (file, ruleset):
        one.rename(elsewhere / one.name)
    result = rulegame("replay", str(elsewhere / file.name))
    assert (result.code, result.err) == (0, "")
    result = rulegame("resume", str(elsewhere / file.name), typed="K\n")
    assert "'s turn" in result.out
    (elsewhere / ruleset.name).unlink()
    assert "'my race.yaml'" in rulegame("replay", str(elsewhere / file.name)).out


@pytest.mark.parametrize(
    ("user", "save", "named"),
    [
        ("bob", "ann/x.jsonl", "games/race.yaml"),
        ("bob", "saves/x.jsonl", "race.yaml"),
        ("ann", "saves/x.jsonl", "race.yaml"),  # the relative path would name her home
        ("ann", "ann/saves/x.jsonl", "../games/race.yaml"),
    ],
)
def test_a_save_in_another_folder_resumes_from_anywhere(
    rulegame: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    user: str,
    save: str,
    named: str,
) -> None:
    ruleset, file = tmp_path / "ann" / "games" / "race.yaml", tmp_path / save
    for path in (ruleset, file):
        path.parent.mkdir(parents=True, exist_ok=True)
    ruleset.write_bytes((RULESETS / "race.yaml").read_bytes())
    monkeypatch.setattr(Path, "home", lambda: tmp_path / user)
    rulegame("play", str(ruleset), "--save", str(file), typed="A\n")
    assert contents(file)[0]["ruleset"] == named
    monkeypatch.chdir(tmp_path.parent)
    assert "'s turn" in rulegame("resume", str(file), typed="K\n").out
