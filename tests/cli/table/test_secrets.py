"""Hidden things at the command line: history, replay, undo, dice by hand, records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Call

HANDS = """
rulegame: 1
title: Hands
state:
  shown: 0
  turns: 0
  each player:
    hand: {start: 0, seen by: owner}
setup:
  pick:
    secret: true
    choose: {n: 100..199}
    effects: {my.hand: n}
operations:
  show:
    effects: {shown: their.hand, turns: turns + 1}
    next: me
  draw:
    roll: {card: 300..399}
    effects: {my.hand: card, turns: turns + 1}
  lay:
    choose: {k: 400..499}
    effects: {my.hand: k, turns: turns + 1}
end:
  over: {when: turns == 12, result: draw}
texts:
  turn: "{my.name}'s turn. Shown: {shown}. Holds {my.hand}."
"""
SECRETS = re.compile(r"\b[134]\d\d\b")


@pytest.fixture
def hands(tmp_path: Path) -> str:
    file = tmp_path / "hands.yaml"
    file.write_text(HANDS, "utf-8")
    return str(file)


def test_people_at_one_terminal_see_no_secrets_in_history(rulegame: Call, hands: str) -> None:
    typed = "150\n160\ndraw\nlay 444\nhistory\n"
    printed = rulegame("play", hands, "--no-save", typed=typed).out
    history = printed[printed.index("  1. ") :].partition("Choose an operation")[0].splitlines()
    assert history == [
        "  1. Player 1: pick (secret)",
        "  2. Player 2: pick (secret)",
        "  3. Player 1: draw",
        "     card (secret)",
        "  4. Player 2: lay (secret)",
    ]
    assert "Card" not in printed and "Player 2: Lay (secret)\n" in printed


def test_a_computer_shows_nothing_that_it_hides(rulegame: Call, hands: str) -> None:
    """Neither what it chose or rolled, nor in a text of the ruleset that names it."""
    for seed in range(6):
        typed = "150\ndraw\ndraw\nhistory\n"
        arguments = ("--vs", "random", "--seed", str(seed), "--no-save")
        printed = rulegame("play", hands, *arguments, typed=typed).out
        turns = re.split(r"(?=Player \d's turn\.)", printed)
        assert len(turns) > 3
        for turn in turns:
            if turn.startswith("Player 2's"):
                assert "Holds hidden.\n" in turn
                assert not SECRETS.findall(turn.partition("Shown")[2].partition(".")[2]), turn


@pytest.mark.parametrize("computer", [(), ("--vs", "random", "--seed", "4")])
def test_a_replay_before_the_end_shows_what_all_may_see(
    rulegame: Call, hands: str, tmp_path: Path, computer: tuple[str, ...]
) -> None:
    save = str(tmp_path / "save.jsonl")
    typed = "150\n160\ndraw\nlay 444\ndraw\n"
    rulegame("play", hands, *computer, "--save", save, typed=typed)
    for option in ((), ("--json",), ("--check",)):
        shown = rulegame("replay", save, *option).out.replace(save, "")
        assert shown and not SECRETS.findall(shown.replace("Shown: ", "Shown:#")), shown
    (data,) = json.loads(rulegame("replay", save, "--json").out)
    assert data["play"][:2] == ["pick (secret)", "pick (secret)"]


def test_a_replay_of_a_game_that_is_over_shows_everything(
    rulegame: Call, hands: str, tmp_path: Path
) -> None:
    save = str(tmp_path / "save.jsonl")
    rulegame("play", hands, "--save", save, typed="150\n160\ndraw\nresign\n")
    (data,) = json.loads(rulegame("replay", save, "--json").out)
    assert data["play"][:3] == ["pick 150", "pick 160", "draw"]
    assert data["play"][3] in rulegame("replay", save).out.lower().replace(":", "")


def test_what_a_computer_chose_in_secret_is_chosen_anew_after_it_was_shown(
    rulegame: Call, hands: str, tmp_path: Path
) -> None:
    arguments = ("--vs", "random", "--seed", "7")
    again = "undo\nundo\n150\nshow\n"
    printed = rulegame("play", hands, *arguments, "--no-save", typed=f"150\nshow\n{again * 3}").out
    shown = re.findall(r"Shown: (1\d\d)", printed)
    assert len(shown) == 4 and len(set(shown)) > 2
    for part in ("150\nshow\nundo\nundo\n", "150\nshow\nundo\nundo\n150\nshow\nundo\nundo\n"):
        save = str(tmp_path / f"{len(part)}.jsonl")
        rulegame("play", hands, *arguments, "--save", save, typed=f"{part}quit\n")
        resumed = rulegame("resume", save, typed="150\nshow\n").out
        assert re.findall(r"Shown: (1\d\d)", resumed) == [shown[part.count("show")]]


def test_open_games_are_played_again_as_before_after_an_undo(rulegame: Call) -> None:
    """What chance adds to a computer's choice stays, as dice do, where nothing is secret."""
    arguments = ("play", "countdown.yaml", "--vs", "random", "--seed", "3", "--no-save")
    printed = rulegame(*arguments, typed="1\nundo\n1\nundo\n1\n").out
    assert len(set(re.findall(r"Player 2: Take (\d)", printed))) == 1


def test_a_roll_by_hand_that_cannot_be_does_not_tell_what_can(
    rulegame: Call, tmp_path: Path
) -> None:
    file = tmp_path / "hands.yaml"
    file.write_text(HANDS.replace("card: 300..399", "card: my.hand..my.hand"), "utf-8")
    typed = "150\n160\ndraw\n"
    result = rulegame("play", str(file), "--rolls", "151", "--no-save", typed=typed)
    assert "card cannot be '151' here." in result.err and "150" not in result.err


def test_a_record_that_does_not_fit_is_refused_without_its_secrets(
    rulegame: Call, hands: str, tmp_path: Path
) -> None:
    from rulegame import load
    from rulegame.playing.session import NotThisGame, Session, SessionEntry

    game = load(hands)
    for entries in ([SessionEntry("move", "pick 777")], [SessionEntry("roll", "pick 150")]):
        session = Session(game, fresh=lambda state, name, number: state.moves[0])
        with pytest.raises(NotThisGame, match=r"^(move 1|the first roll)$"):
            session.recall(entries)
