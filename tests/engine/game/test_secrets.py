"""What a seat is shown and told depends on nothing that it may not see."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from fuzz import hidden_check
from rulegame import Game, Move, State
from rulegame.game.visibility import Masked, Sight, Unseen
from rulegame.players import make_player
from rulegame.playing.conversation import converse

# One operation that differs from test to test, and a guess at what it hides.
FRAME = """
rulegame: 1
title: Hide
players: [Ann, Bob, Cyd]
state:
  open: 0
  phase: 0
  under: {{start: 0, seen by: nobody}}
  each player:
    hand: {{start: 0, seen by: owner}}
    pool: {{type: set of 1..9, seen by: owner}}
turn:
  roll: {{die: 1..2}}
operations:
  hide:
    when: phase == 0
    {rules}
  guess:
    when: phase > 0
    choose: {{g: 1..9}}
    effects:
      phase: phase + (9 if g == hand of (players[1]) else 1)
    next: next(me)
stuck: draw
end:
  over: {{when: phase > 8, result: win}}
texts: {{{texts}}}
"""


def hide(tmp_path: Path, rules: str, texts: str = "") -> Game:
    file = tmp_path / "hide.yaml"
    file.write_text(FRAME.format(rules=rules.replace("\n", "\n    "), texts=texts), "utf-8")
    return rulegame.load(file)


# ---- which choices and rolls are kept


@pytest.mark.parametrize(
    ("rules", "choices"),
    [
        ("choose: {n: 1..9}\neffects: {my.hand: n, phase: 1}", ["n"]),
        ("choose: {n: 1..9}\neffects: {my.hand: n, open: n}", []),
        ("choose: {n: 1..9, m: 1..9}\neffects: {my.hand: n, open: m}", ["n"]),
        ("choose: {n: 1..9, m: 1..9}\neffects: {my.hand: n, open: m}\nsecret: true", ["n", "m"]),
        ("choose: {n: 1..9}\neffects: {hand of (next(me)): 0}", []),
        ("choose: {n: 1..9}\neffects: {hand of (next(me)): n}", ["n"]),
        ("choose: {n: 1..9}\neffects: {my.hand: 1}\nnext: 'me if n > 3 else next(me)'", []),
        ("choose: {n: 1..9}\nroll: {r: 1..n}\neffects: {my.hand: r}", ["n"]),
        ("choose: {n: 1..9}\nroll: {r: 1..n}\neffects: {open: r}", []),
        ("choose: {n: 1..9}\nsteps: {a: {when: n > 3, effects: {open: 1}}}", []),
        ("choose: {n: 1..9}\nsteps: {a: {when: n > 3, effects: {under: 1}}}", ["n"]),
        ("choose: {p: players}\neffects: {hand of p: 3}", ["p"]),
    ],
)
def test_choices_are_kept_that_lead_to_nothing_that_all_see(
    rules: str, choices: list[str], tmp_path: Path
) -> None:
    game = hide(tmp_path, rules)
    operation = game.ruleset.operations[0]
    assert sorted(game.companion(Sight).kept(operation)) == sorted(choices)


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ("roll: {r: 1..9}\neffects: {open: r}", [0, 1, 2]),
        ("roll: {r: 1..9}\neffects: {phase: 1}", [0, 1, 2]),
        ("roll: {r: 1..9}\neffects: {open: r}\nsecret: true", [0]),
        ("roll: {r: 1..9}\neffects: {my.hand: r}", [0]),
        ("roll: {r: 1..9}\neffects: {under: r}", []),
        ("roll: {r: 1..9}\neffects: {my.hand: r, under: r}", [0]),
        ("roll: {r: 1..9}\neffects: {my.pool: 'with(my.pool, r)', under: r}", [0]),
        ("roll: {r: 1..9}\neffects: {my.hand: 'r / 2', under: r}", []),
        ("roll: {r: 1..9}\neffects: {'hand of p for p in players': r}", []),
    ],
)
def test_who_sees_a_roll(rules: str, seats: list[int], tmp_path: Path) -> None:
    game = hide(tmp_path, rules)
    state = played(game, "die 1", "hide")[-1]
    sight = game.companion(Sight)
    assert [seat for seat in range(3) if sight.shows_roll(state.cells, seat)] == seats


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ("effects: {my.hand: die, phase: 1}", [0]),
        ("effects: {open: die}", [0, 1, 2]),
        ("effects: {phase: 1}", [0, 1, 2]),
        ("effects: {under: die}", []),
        ("effects: {my.hand: die}\nnext: 'me if die == 1 else next(me)'", [0, 1, 2]),
    ],
)
def test_who_sees_the_roll_of_a_turn(rules: str, seats: list[int], tmp_path: Path) -> None:
    game = hide(tmp_path, rules)
    states = [played(game, f"die {n}")[-1] for n in (1, 2)]
    differs = [s for s in range(3) if states[0].view(s).cells != states[1].view(s).cells]
    assert differs == seats


def played(game: Game, *moves: str) -> list[State]:
    states = [game.start()]
    for text in moves:
        states.append(states[-1].play(game.parse_move(text)))
    return states


# ---- cells


def test_what_is_masked_is_neither_read_nor_there() -> None:
    cells = Masked.of((4, 5, 6, 7), frozenset({1}))
    assert (cells[0], cells[-1], cells[2:]) == (4, 7, (6, 7))
    for read in (lambda: cells[1], lambda: cells[-3], lambda: cells[:2], lambda: list(cells)):
        with pytest.raises(Unseen):
            read()
    assert 5 not in tuple.__iter__(cells)


def test_a_choice_that_waits_for_a_roll_is_in_no_other_view(tmp_path: Path) -> None:
    game = hide(tmp_path, "choose: {n: 1..9}\nroll: {r: 1..2}\neffects: {my.hand: n, open: r}")
    states = [played(game, "die 1", f"hide {n}")[-1] for n in (2, 7)]
    assert states[0].view(0).cells != states[1].view(0).cells
    for seat in (1, 2):
        assert states[0].view(seat) == states[1].view(seat)
        assert states[0].view(seat).cells == states[1].view(seat).cells


@pytest.mark.parametrize("spec", ["random", "greedy", "search:150", "perfect"])
def test_a_guess_is_the_same_whatever_is_hidden(spec: str, tmp_path: Path) -> None:
    rules = "choose: {n: 1..9}\nroll: {r: 1..2}\neffects: {my.hand: n, open: r, phase: 1}"
    game = hide(tmp_path, rules)
    player = make_player(spec, game, fallback="search:100")
    guesses = set()
    for n in range(1, 10):
        moves = ["die 1", f"hide {n}", "r 2", "die 1"]
        states = played(game, *moves)
        past = list(zip(states, map(game.parse_move, moves), strict=False))
        guesses.add(player.choose(states[-1].view(1, past), Random(3)))
    assert len(guesses) == 1


def test_a_choice_of_which_a_part_is_kept(tmp_path: Path) -> None:
    rules = "choose: {n: 1..9, m: 1..9}\neffects: {my.hand: n, open: 'm / 5', phase: 1}"
    game = hide(tmp_path, rules)
    states = played(game, "die 1", "hide 3 7")
    past = [(states[0], game.parse_move("die 1")), (states[1], game.parse_move("hide 3 7"))]
    assert states[-1].view(0, past).past[1].codes == (0, 3, 7)
    seen = states[-1].view(1, past).past[1]
    assert seen.move is rulegame.HIDDEN and seen.codes == (0, None, 7)
    assert game.companion(Sight).public_text(*past[1]) == "hide (secret) 7"


# ---- texts


def talk(
    game: Game, lines: list[str | Move], audience: Collection[int], discreet: Collection[int] = ()
) -> str:
    """What is printed up to the last question."""
    printed = ""
    conversation = converse(
        game, roll=lambda state: state.moves[1], audience=audience, discreet=discreet
    )
    try:
        ask = next(conversation)
        for line in lines:
            printed += ask.text + ask.prompt
            if ask.exchange is not None:
                assert isinstance(line, str)
                move = game.parse_move(line)
                printed += "".join(f"{p}<{a}>\n" for p, a in ask.exchange(move))
                ask = conversation.send(move)
            else:
                ask = conversation.send(line)
        printed += ask.text + ask.prompt
    except StopIteration as end:
        printed += end.value.text
    return printed


HAND = "choose: {n: 5..9}\neffects: {my.hand: n, phase: 1}"
TELLS = "turn: '{my.name} holds {my.hand}, {if my.hand > 6}much{else}little{end}.'"


def test_a_text_shows_a_value_to_those_who_may_see_it(tmp_path: Path) -> None:
    game = hide(tmp_path, HAND, TELLS)
    moves: list[str | Move] = ["hide 8", "guess 1"]
    alone = talk(game, moves, audience=[0], discreet=[1, 2])
    assert "Ann holds 0, little.\n" in alone
    assert "Bob holds hidden, .\n" in alone
    assert "Cyd holds hidden, .\n" in alone
    together = talk(game, moves, audience=[0, 1, 2])
    assert "Bob holds 0, little.\n" in together  # at his own turn, he alone reads
    watched = talk(game, moves, audience=[])
    assert "Ann: Hide 8\n" in watched and "Bob holds 0" in watched


def test_what_is_said_of_a_move_leaves_out_what_is_kept(tmp_path: Path) -> None:
    game = hide(tmp_path, HAND)
    for audience in ([1], [0, 1, 2]):
        printed = talk(game, ["hide 8"], audience, discreet=[0] if audience == [1] else [])
        assert "Ann: Hide (secret)\n" in printed and "8" not in printed.replace("7, 8, 9", "")
    assert "Ann: Hide 8\n" in talk(game, ["hide 8"], audience=[0], discreet=[1, 2])


def test_hidden_rolls_are_said_to_those_who_see_them(tmp_path: Path) -> None:
    game = hide(tmp_path, "roll: {card: 7..8}\neffects: {my.hand: card, phase: 1}")
    assert "Card: 8\n" in talk(game, ["hide"], audience=[0], discreet=[1, 2])
    assert "Card" not in talk(game, ["hide"], audience=[0, 1, 2])
    assert "Card" not in talk(game, ["hide"], audience=[1], discreet=[0, 2])
    secret = hide(tmp_path, "secret: true\nroll: {card: 7..8}\neffects: {my.hand: card, phase: 1}")
    assert "Card" not in talk(secret, ["hide"], audience=[0], discreet=[1, 2])


def test_a_secret_is_repeated_by_no_message(tmp_path: Path) -> None:
    rules = "secret: true\nchoose: {n: 5..9}\neffects: {my.hand: n, phase: 1}"
    bars = "validity:\n  odd: {require: n != 8, for: [hide], because: '{n} is even'}\n"
    file = tmp_path / "hide.yaml"
    file.write_text(FRAME.format(rules=rules.replace("\n", "\n    "), texts="") + bars, "utf-8")
    game = rulegame.load(file)
    printed = talk(game, ["hide 77", "77", "hide 8", "hide", "8"], audience=[0, 1, 2])
    assert printed.count("That is not an option here. You can type ") == 2
    assert printed.count("Not valid: odd\n") == 2
    assert "77" not in printed and "is even" not in printed


def test_one_of_several_secret_operations_is_not_named(tmp_path: Path) -> None:
    rules = "secret: true\neffects: {my.hand: 1, phase: 1}\ntexts: {chosen: A one!, updated: One.}"
    other = "  hold:\n    secret: true\n    when: phase == 0\n    roll: {r: 1..3}\n"
    other += "    effects: {my.hand: r, phase: 1}\nstuck:"
    file = tmp_path / "hide.yaml"
    text = FRAME.format(rules=rules.replace("\n", "\n    "), texts="").replace("stuck:", other)
    file.write_text(text, "utf-8")
    game = rulegame.load(file)
    printed = [talk(game, [name, "guess 5"], [1], discreet=[0, 2]) for name in ("hide", "hold")]
    assert printed[0] == printed[1]
    assert "One" not in printed[0] and "<>\n" in printed[0]


def test_a_fault_tells_what_all_may_see(tmp_path: Path) -> None:
    rules = "choose: {n: 1..9}\neffects: {my.hand: n * 1000000000000000000 * 9}"
    game = hide(tmp_path, rules)
    for audience, moves, message in (
        ([0, 1, 2], ("die 2", "hide (secret)"), "a number does not fit in 64 bits"),
        ([], ("die 2", "hide 7"), "the number 63000000000000000000 does not fit in 64 bits"),
    ):
        with pytest.raises(rulegame.GameError) as failed:
            talk(game, ["hide 7"], audience)
        assert (failed.value.moves, failed.value.diagnostic.message) == (moves, message)


PASSING = """
rulegame: 1
title: Passing
state:
  turns: 0
  each player: {hand: {start: 4, seen by: owner}}
operations:
  play:
    effects: {turns: turns + 1, my.hand: my.hand - 1}
validity:
  enough: {require: my.hand > 2 or seat(me) == 1, stuck: "{my.name} holds {my.hand}."}
stuck: pass
end:
  over: {when: turns == 6, result: win}
"""


def test_a_player_who_passes_shows_nothing(tmp_path: Path) -> None:
    """Nobody is asked, so that nobody looks away."""
    file = tmp_path / "passing.yaml"
    file.write_text(PASSING, "utf-8")
    game = rulegame.load(file)
    printed = talk(game, ["play"] * 5, audience=[0, 1])
    passed = printed.partition("has no valid move and passes.")[0].rpartition("Player 2's turn.")[2]
    assert "hand" not in passed and "holds" not in printed
    assert "Player 2 holds 2." in talk(game, ["play"] * 5, audience=[1])


# ---- pairs of games


EACH = "'hand of p for p in players': 'a if seat(p) == 1 else b'"
LEAKS = {
    "waiting": "choose: {n: 5..9}\nroll: {r: 1..2}\neffects: {my.hand: n, open: r, phase: 1}",
    "secret draw": "secret: true\nroll: {card: 1..9}\neffects: {my.hand: card, phase: 1}",
    "dealt": f"roll: {{a: 1..9, b: 1..9}}\neffects: {{{EACH}, phase: 1}}",
    "partly": "choose: {n: 1..9, m: 1..2}\neffects: {my.hand: n, open: m, phase: 1}",
    "turn": "effects: {my.hand: die, phase: 1}",
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", LEAKS)
@pytest.mark.parametrize("texts", ["", TELLS], ids=["default texts", "texts that tell"])
def test_games_that_look_the_same_are_told_the_same(
    name: str, texts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[Any, ...]] = []
    compare = hidden_check.compare

    def counting(*pair: Any) -> None:
        compared.append(pair)
        compare(*pair)

    monkeypatch.setattr(hidden_check, "compare", counting)
    hide(tmp_path, LEAKS[name], texts)
    for seed in range(3):
        hidden_check.check((tmp_path / "hide.yaml").read_bytes(), Random(seed))
    assert compared


OFFERED = """
rulegame: 1
title: Offered
state:
  phase: 0
  each player: {hand: {start: 0, seen by: owner}}
setup:
  pick: {secret: true, choose: {n: 1..9}, effects: {my.hand: n}}
operations:
  low: {when: their.hand < 5, effects: {phase: phase + 1}}
  wait: {effects: {phase: phase + 1}}
validity:
  odd: {require: their.hand != 3, for: [low]}
  even: {require: their.hand != 2, for: [low]}
end:
  over: {when: phase == 4, result: draw}
"""


def test_what_is_offered_does_not_tell_what_decides_it(tmp_path: Path) -> None:
    """Whether a move is valid is known to its player; not why it is not, if that is hidden."""
    file = tmp_path / "offered.yaml"
    for when in ("their.hand < 5", "true"):
        file.write_text(OFFERED.replace("their.hand < 5", when), "utf-8")
        game = rulegame.load(file)
        printed = {
            talk(game, ["4", f"pick {n}", "low", "low 1"], audience=[0], discreet=[1])
            for n in ((2, 3, 7) if when != "true" else (2, 3))
        }
        assert len(printed) == 1, printed
    assert "1. Low (not valid: the reason is hidden)\n" in printed.pop()
