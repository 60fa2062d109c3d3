"""Sessions: undo and redo, dice that stay fallen, and records that are checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rulegame
from rulegame.game import CHANCE, Game, Move, State
from rulegame.playing.conversation import Ask, converse
from rulegame.playing.session import NotThisGame, Session, SessionEntry
from support.rulesets import RULESETS

BOTH = frozenset((0, 1))


class Bag:
    """Values that fall in turn; remembers where each fell."""

    def __init__(self, *values: int) -> None:
        self._values: Iterator[int] = iter(values)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, state: State, name: str, before: int) -> Move:
        self.asked.append((name, before))
        value = next(self._values)
        return next(move for move in state.moves if move.choices == (value,))


class Player:
    """Types at a conversation beside a session."""

    def __init__(self, game: Game, bag: Bag) -> None:
        self.record: list[SessionEntry] = []
        self.session = Session(game, fresh=bag, record=self.record.append)
        self.lead()

    def lead(self) -> None:
        self.at = 0  # how many steps of the line the conversation has come along
        self.talk = converse(self.session.game, roll=self._roll, play=self._play)
        self.ask: Ask | None = next(self.talk)
        while self.at < len(self.session.line):
            self.type(self.session.line[self.at].move)

    def _roll(self, state: State) -> Move:
        line = self.session.line
        return line[self.at].move if self.at < len(line) else self.session.roll(state)

    def _play(self, state: State, move: Move) -> State:
        new = self.at == len(self.session.line)
        self.at += 1
        return self.session.play(state, move) if new else state.play(move)

    def type(self, reply: str | Move) -> None:
        try:
            self.ask = self.talk.send(reply)
        except StopIteration:
            self.ask = None

    def undo(self, seats: frozenset[int] = BOTH) -> bool:
        done = self.session.undo(seats)
        self.lead()
        return done

    def redo(self, seats: frozenset[int] = BOTH) -> bool:
        done = self.session.redo(seats)
        self.lead()
        return done

    @property
    def line(self) -> list[str]:
        return [step.move.text for step in self.session.line]


@pytest.fixture
def race() -> Game:
    return rulegame.load(RULESETS / "race.yaml")


def test_the_line_is_what_was_played_and_rolled(race: Game) -> None:
    player = Player(race, Bag(1, 2, 3))
    player.type("add")
    player.type("keep")
    assert player.line == ["die 1", "add", "die 2", "keep", "die 3"]
    assert [step.seat for step in player.session.line] == [CHANCE, 0, CHANCE, 1, CHANCE]
    assert player.session.decisions == 2


def test_dice_that_have_fallen_stay_fallen(race: Game) -> None:
    bag = Bag(1, 2, 3)
    player = Player(race, bag)
    player.type("add")
    assert player.undo()
    assert player.line == ["die 1"]
    player.type("keep")  # another move, and yet the same die after it
    assert player.line == ["die 1", "keep", "die 2"]
    player.type("add")
    assert player.line[-1] == "die 3"
    assert bag.asked == [("die", 0), ("die", 1), ("die", 2)]


def test_undo_and_redo_lead_to_the_same_question(race: Game) -> None:
    player = Player(race, Bag(1, 2, 3))
    player.type("add")
    before = player.ask
    player.type("keep")
    after = player.ask
    assert player.undo() and player.ask is not None and before is not None
    assert (player.ask.state, player.ask.recap) == (before.state, before.recap)
    assert player.redo() and player.ask is not None and after is not None
    assert (player.ask.state, player.ask.recap) == (after.state, after.recap)
    assert not player.redo()
    assert player.undo() and player.undo() and not player.undo()
    assert player.redo() and player.redo() and not player.redo()
    assert player.line == ["die 1", "add", "die 2", "keep", "die 3"]


def test_a_move_after_undo_ends_what_could_be_redone(race: Game) -> None:
    player = Player(race, Bag(1, 2, 3))
    player.type("add")
    player.undo()
    player.type("keep")
    assert not player.redo()


def test_undo_goes_back_to_a_decision_of_those_who_may(race: Game) -> None:
    player = Player(race, Bag(1, 2, 3, 6))
    for typed in ("add", "keep", "add"):
        player.type(typed)
    assert player.undo(frozenset([0])) and player.line == ["die 1", "add", "die 2", "keep", "die 3"]
    assert player.undo(frozenset([0])) and player.line == ["die 1"]
    assert not player.undo(frozenset([0]))
    assert player.redo(frozenset([0]))
    assert player.line == ["die 1", "add", "die 2", "keep", "die 3"]


def test_a_record_leads_to_the_same_session(race: Game) -> None:
    player = Player(race, Bag(1, 2, 3, 6))
    player.type("add")
    player.undo()
    player.type("keep")
    player.type("add")
    player.undo()
    player.redo()
    later = Session(race, fresh=Bag(6))
    state = later.recall(player.record)
    assert [step.move.text for step in later.line] == player.line
    assert player.ask is not None and state == player.ask.state
    assert later.rolled_fresh == 3
    assert later.undo(BOTH)


def test_a_die_that_cannot_fall_here_is_rolled_anew(tmp_path: Path) -> None:
    file = tmp_path / "dice.yaml"
    file.write_text(
        """rulegame: 1
title: Dice
state: {sides: 6, total: 0}
turn: {roll: {die: 1..sides}}
operations:
  small: {effects: {sides: 2, total: total + die}}
  large: {effects: {sides: 6, total: total + die}}
end: {done: {when: total > 30, result: win}}
"""
    )
    bag = Bag(3, 5, 1)
    player = Player(rulegame.load(file), bag)
    player.type("large")
    player.undo()
    player.type("small")
    assert player.line == ["die 3", "small", "die 1"]
    player.undo()
    player.type("large")
    assert player.line == ["die 3", "large", "die 5"]
    assert bag.asked == [("die", 0), ("die", 1), ("die", 1)]


@pytest.mark.parametrize(
    "entries",
    [
        [SessionEntry("move", "add")],  # something is rolled first
        [SessionEntry("roll", "die 5")],
        [SessionEntry("roll", "nonsense")],
        [SessionEntry("roll", "die 1"), SessionEntry("roll", "die 1")],
        [SessionEntry("roll", "die 1"), SessionEntry("move", "double")],
        [SessionEntry("undo", number=0)],
        [SessionEntry("roll", "die 1"), SessionEntry("redo", number=2)],
        [SessionEntry("resign", number=2)],
        [SessionEntry("resign", number=0), SessionEntry("roll", "die 1")],
    ],
)
def test_a_record_that_cannot_be(race: Game, entries: list[SessionEntry]) -> None:
    with pytest.raises(NotThisGame, match=r"(first roll|after move 0|move 1): "):
        Session(race, fresh=Bag()).recall(entries)
