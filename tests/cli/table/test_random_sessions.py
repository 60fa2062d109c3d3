"""Random sessions of every bundled game: moves, commands and nonsense in any order."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulegame as engine
from cli.conftest import Call
from rulegame.bundled import ruleset_names
from rulegame.game import CHANCE

COMMANDS = ["undo", "redo", ":undo", ":redo", "state", "history", "help", "save", ":x", "xyzzy", ""]


def some_moves(name: str, chance: Random) -> list[str]:
    """Moves that are valid somewhere in a game; often not where they are typed."""
    found: list[str] = []
    for _ in range(3):
        state = engine.load(name).start()
        while state.outcome is None and len(found) < 200:
            move = chance.choice(state.moves)
            if state.player != CHANCE:
                found.append(move.text)
            state = state.play(move)
    return found


SHORT = ("connect_four", "kuhn_poker", "liars_dice")  # of the gallery


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", [*ruleset_names("games", "variants"), *SHORT])
def test_a_session_in_pieces_is_the_same_game(rulegame: Call, tmp_path: Path, name: str) -> None:
    chance = Random(name)
    moves = some_moves(name, chance)
    lines = [chance.choice(moves if chance.random() < 0.8 else COMMANDS) for _ in range(120)]
    whole, pieces = tmp_path / "whole.jsonl", tmp_path / "pieces.jsonl"
    arguments = ("play", name, "--seed", "5", "--save")
    once = rulegame(*arguments, str(whole), typed="".join(f"{line}\n" for line in lines))
    assert once.code in (0, 1)
    call: tuple[str, ...] = (*arguments, str(pieces))
    while lines:
        count = chance.randrange(1, 40)
        part = rulegame(*call, typed="".join(f"{line}\n" for line in lines[:count]))
        del lines[:count]
        if part.code == 0:
            break
        call = ("resume", str(pieces))
    assert part.code == once.code
    assert part.out.splitlines()[-1] == once.out.splitlines()[-1]
    shown = [rulegame("replay", str(file), "--json") for file in (whole, pieces)]
    assert shown[0] == shown[1] and shown[0].code == 0
