"""Matches: who moves first, the score, when they stop; and who sits where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.playing.scoring import Score

COUNTDOWN = ("play", "countdown.yaml", "--set", "pile=2", "--names", "Ann,Bob")


def test_the_first_move_goes_round_and_the_score_is_kept(rulegame: Call) -> None:
    result = rulegame(*COUNTDOWN, "--rounds", "3", typed="2\n1\n1\n2\n")
    assert (result.code, result.err) == (0, "")
    headings = re.findall(r"^Round .*$", result.out, re.MULTILINE)
    assert headings == [
        "Round 1 of 3. Ann moves first.",
        "Round 2 of 3. Bob moves first.",
        "Round 3 of 3. Ann moves first.",
    ]
    turns = re.findall(r"^(\w+)'s turn", result.out, re.MULTILINE)
    assert turns == ["Ann", "Bob", "Ann", "Ann"]
    scores = re.findall(r"^Score: (.*)$", result.out, re.MULTILINE)
    assert scores == ["Ann: 1, Bob: 0", "Ann: 2, Bob: 0", "Ann: 3, Bob: 0"]
    assert result.out.endswith("\nScore: Ann: 3, Bob: 0\nAnn wins the match!\n")


def test_best_of_stops_once_it_is_decided(rulegame: Call) -> None:
    result = rulegame(*COUNTDOWN, "--best-of", "5", "--first", "2", typed="1\n1\n2\nresign\n")
    assert result.out.count("Round ") == 3
    assert "Round 1 of at most 5. Bob moves first.\n" in result.out
    assert result.out.endswith(
        "Bob resigns. Ann wins the game!\n\nScore: Ann: 3, Bob: 0\nAnn wins the match!\n"
    )


def test_a_tie_of_the_second_mover_follows_the_round(rulegame: Call) -> None:
    result = rulegame("play", "second.yaml", "--rounds", "4", typed="wait\n" * 8)
    assert re.findall(r"^(Player \d) wins the game", result.out, re.MULTILINE) == [
        "Player 2",
        "Player 1",
        "Player 2",
        "Player 1",
    ]
    assert result.out.endswith("Score: Player 1: 2, Player 2: 2\nThe match is tied.\n")


def test_draws_and_three_players(rulegame: Call) -> None:
    drawn = rulegame("play", "secret.yaml", "--rounds", "2", typed="1\n1\n1\n" * 2)
    assert drawn.out.endswith("Score: Player 1: 0, Player 2: 0, draws: 2\nThe match is tied.\n")
    three = rulegame("play", "three_player_pig", "--watch", "--rounds", "3", "--seed", "1")
    assert three.code == 0
    firsts = re.findall(r"Round \d of 3\. Player (\d) moves first", three.out)
    assert firsts == ["1", "2", "3"]


def test_score() -> None:
    assert not Score([1, 0]).decided(1)
    assert Score([2, 0]).decided(1)
    assert Score([2, 1, 0]).verdict(["A", "B", "C"]) == "A wins the match!"
    assert Score([1, 1, 0]).verdict(["A", "B", "C"]) == "The match is tied between A and B."
    assert Score([1]).verdict(["A"]) == "A wins the match!"


def test_a_match_goes_on_where_it_was_left(rulegame: Call, tmp_path: Path) -> None:
    whole = rulegame(*COUNTDOWN, "--rounds", "3", "--no-save", typed="2\n1\n1\n2\n").out
    save = str(tmp_path / "match.jsonl")
    rulegame(*COUNTDOWN, "--rounds", "3", "--save", save, typed="2\n1\n")
    later = rulegame("resume", save, typed="1\n2\n")
    assert later.code == 0
    assert later.out.startswith("Countdown, round 2, after 1 move.\n")
    assert later.out.splitlines()[-12:] == whole.splitlines()[-12:]
    checked = rulegame("replay", save, "--check")
    assert checked.out.endswith("1 move, won by Ann; 2 moves, won by Ann; 1 move, won by Ann\n")


def test_a_match_whose_round_had_just_ended(rulegame: Call, tmp_path: Path) -> None:
    """Cut off at each line: the score and the winner are the same."""
    save = tmp_path / "match.jsonl"
    rulegame(*COUNTDOWN, "--best-of", "3", "--save", str(save), typed="2\n1\n1\n")
    lines = save.read_bytes().splitlines(keepends=True)
    rest = {1: "2\n1\n1\n", 2: "1\n1\n", 3: "1\n1\n", 4: "1\n1\n", 5: "1\n", 6: "", 7: ""}
    assert len(lines) == len(rest) + 2
    for kept, typed in rest.items():
        save.write_bytes(b"".join(lines[:kept]))
        result = rulegame("resume", str(save), typed=typed)
        assert result.code == 0
        assert result.out.endswith("\nScore: Ann: 2, Bob: 0\nAnn wins the match!\n")
        assert save.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rounds", "0"),
        ("--rounds", "x"),
        ("--best-of", "2"),
        ("--rounds", "3", "--best-of", "3"),
        ("--vs", "nobody"),
        ("--vs", "random", "--seat", "3"),
        ("--seat", "1"),
        ("--seats", "1"),
        ("--seats", "3=random"),
        ("--seats", "2="),
        ("--watch", "--seats", "1=human"),
        ("--delay", "soon"),
        ("--delay", "nan"),
        ("--delay", "1e9"),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: tuple[str, ...]) -> None:
    result = rulegame(*COUNTDOWN, *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ")


# ---- seats


def test_a_computer_types_what_a_person_would(rulegame: Call) -> None:
    arguments = ("--vs", "random", "--seat", "2", "--seed", "1")
    result = rulegame("play", "countdown.yaml", "--set", "pile=2", *arguments, typed="1\n")
    assert result.code == 0
    assert re.search(r"Player 1's turn\.\nLeft: 2\nN: 1, 2\nChoose n: [12]\n", result.out)


def test_a_secret_of_a_computer_is_not_shown(rulegame: Call) -> None:
    result = rulegame("play", "secret.yaml", "--vs", "random", "--seed", "1", typed="5\nstate\n")
    assert result.out.count("Choose n: \n") == 1
    assert "pick: Player 1 5, Player 2 hidden\n" in result.out


def test_watching_can_be_repeated(rulegame: Call) -> None:
    arguments = ("play", "number_duel", "--watch", "--player", "1=random", "--seed")
    once = rulegame(*arguments, "5")
    assert once.code == 0
    assert once.out == rulegame(*arguments, "5").out
    assert len({rulegame(*arguments, str(seed)).out for seed in range(5)}) == 5


def test_choosing_a_game(rulegame: Call) -> None:
    result = rulegame("play", typed="\n0\n99\nxyzzy\nNIM\n")
    assert result.out.count("Type a number from 1 to ") == 4
    assert "Welcome to Nim!" in result.out
    numbers = re.findall(r"^ *(\d+)  .*\((\w+)\)$", result.out, re.MULTILINE)
    misere_nim = next(number for number, name in numbers if name == "misere_nim")
    by_number = rulegame("play", typed=f"{misere_nim}\n")
    assert "Welcome to Misère Nim!" in by_number.out
    nothing = rulegame("play")
    assert (nothing.code, nothing.err) == (1, "No game chosen.\n")


@pytest.mark.full
def test_computers_that_never_end_are_stopped(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "endless.yaml"
    file.write_text(
        "rulegame: 1\ntitle: Endless\nstate: {n: 0}\n"
        "operations: {turn_it: {effects: {n: 1 - n}}}\n"
        "end: {never: {when: n == 5, result: win}}\n",
        "utf-8",
    )
    result = rulegame("play", str(file), "--watch", "--seed", "1")
    assert result.code == 1
    assert result.err == "Game stopped: no end after 2,000 computer moves.\n"
