"""A game of the engine beside its reference: the same setting of both, and what must agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

import rulegame
from reference.interface import Position

GAMES: dict[str, rulegame.Game] = {}


@dataclass(frozen=True)
class Setting:
    """A game with its parameters, and the operations that are switched on or off."""

    reference: ModuleType
    set: dict[str, Any] = field(default_factory=dict)
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.reference.__name__.rpartition(".")[2]

    def __str__(self) -> str:
        values = [f"{name}={value}" for name, value in self.set.items()]
        switches = [f"+{name}" for name in self.enable] + [f"-{name}" for name in self.disable]
        return " ".join([self.name, *values, *switches]).replace(", ", ",")

    def game(self) -> rulegame.Game:
        """The game, loaded once: games do not change."""
        if str(self) not in GAMES:
            GAMES[str(self)] = rulegame.load(
                self.name, self.set, enable=self.enable, disable=self.disable
            )
        return GAMES[str(self)]

    def position(self, first: int) -> Position:
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in self.set.items()}
        if self.enable or self.disable:
            values |= {"enable": self.enable, "disable": self.disable}
        position: Position = self.reference.start(first, **values)
        return position


def settings(reference: ModuleType, *tables: dict[str, Any]) -> list[Setting]:
    """One setting for each table of parameters; `enable` and `disable` switch operations."""
    return [
        Setting(
            reference,
            {k: v for k, v in table.items() if k not in ("enable", "disable")},
            tuple(table.get("enable", ())),
            tuple(table.get("disable", ())),
        )
        for table in tables
    ]


def agree(state: rulegame.State, position: Position) -> None:
    """Everything that both interfaces tell is the same."""
    turn = rulegame.CHANCE if position.turn == "chance" else position.turn
    assert state.player == turn
    assert tuple(str(move) for move in state.moves) == position.moves
    assert {name: state[name] for name in position.values} == position.values
    assert set(state.game.ruleset.state) == set(position.values)
    outcome, result = state.outcome, position.result
    assert (outcome is None) == (result is None)
    if outcome is not None and result is not None:
        ended = (outcome.winners, outcome.losers, outcome.draw, outcome.rule)
        assert ended == (result.winners, result.losers, result.draw, result.rule)
        plain = [0, 0] if result.draw else [1 if s in result.winners else -1 for s in (0, 1)]
        assert list(outcome.payoffs) == list(result.payoffs or plain)


def chances_agree(state: rulegame.State, position: Position) -> None:
    """What is rolled or dealt is as likely as the reference says: in proportion to its `shares`."""
    shares = getattr(position, "shares", None)
    if shares is None or state.player != rulegame.CHANCE:
        chances_are_fair(state)
        return
    assert [move for move, _ in state.chances] == list(state.moves)
    assert [chance for _, chance in state.chances] == [Fraction(n, sum(shares)) for n in shares]


def chances_are_fair(state: rulegame.State) -> None:
    """All dice of the bundled games are fair; elsewhere there are no chances."""
    if state.player != rulegame.CHANCE:
        assert state.chances == ()
        return
    assert [move for move, _ in state.chances] == list(state.moves)
    assert {chance for _, chance in state.chances} == {Fraction(1, len(state.moves))}
    assert sum(chance for _, chance in state.chances) == 1
