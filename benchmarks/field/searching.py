"""`search` beside OpenSpiel's search in C++ (`MCTSBot` with its solver): simulations a second, and
matches at the same time for every move.

OpenSpiel's bot takes a wall-clock limit itself (`max_wall_clock_time`), as `search:0.1s` does; the
match prints what both have used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, Final

import pyspiel

import rulegame
from field.measuring import (
    DifferentGames,
    Options,
    heading,
    in_turns,
    note,
    rate_row,
    seconds_each,
    show,
    show_line,
)
from field.open_spiel import search_bot
from field.versions import Measure, Seconds
from rulegame.simulation import wilson

RANDOM_PLIES: Final = 2  # before the players are asked
FEWEST: Final = (20, 1000)  # simulations of a measurement


@dataclass(frozen=True, slots=True)
class Table:
    """A game on both sides, and what a move of ours is called on the other."""

    name: str
    ruleset: str
    open_spiel: str
    called: Callable[[rulegame.Move, int], str]
    parameters: Mapping[str, object] = field(default_factory=dict)


def drop(move: rulegame.Move, player: int) -> str:
    """The sign of who drops, and the column from 0 on."""
    (column,) = move.choices
    return f"{'xo'[player]}{column - 1}"


def march(move: rulegame.Move, player: int) -> str:
    """From where to where, files by letters and ranks from the other end; `*` is a capture."""
    row, column, to = move.choices
    after = row + (-1 if player else 1)
    return f"{'abcdef'[column - 1]}{7 - row}{'abcdef'[to - 1]}{7 - after}"


TABLES: Final = (
    Table("connect_four", "connect_four", "connect_four", drop),
    Table(
        "breakthrough 6x6",
        "breakthrough",
        "breakthrough(rows=6,columns=6)",
        march,
        {"rows": 6, "columns": 6},
    ),
)


# ---- simulations a second


def run(options: Options) -> None:
    """The section of simulations a second."""
    heading("search: simulations a second, from the first move", "OpenSpiel")
    for table in TABLES:
        game = rulegame.load(table.ruleset, table.parameters)
        show(rate_row(table.name, in_turns(ours(game), theirs(table), options, FEWEST), 1))


def ours(game: rulegame.Game) -> Callable[[int, int], None]:
    """Searches the first move with so many simulations."""
    view = game.start().view(0)

    def work(simulations: int, seed: int) -> None:
        rulegame.make_player(f"search:{simulations}", game).choose(view, Random(seed))

    return work


def theirs(table: Table) -> Callable[[int, int], None]:
    """The same of OpenSpiel."""
    game = pyspiel.load_game(table.open_spiel)
    state = game.new_initial_state()

    def work(simulations: int, seed: int) -> None:
        root = search_bot(game, seed, simulations=simulations).mcts_search(state)
        if root.explore_count != simulations:
            raise SystemExit(f"{table.name}: {root.explore_count} of {simulations} simulations")

    return work


def measures(options: Options) -> list[Measure]:
    """The same searches, to compare versions."""
    return [
        Measure(
            table.name,
            "field.searching.measure",
            (table.ruleset, table.parameters, options.seconds),
        )
        for table in TABLES
    ]


def measure(ruleset: str, parameters: Mapping[str, object], seconds: float) -> Seconds:
    game = rulegame.load(ruleset, parameters)
    return {"a simulation": seconds_each(ours(game), seconds, FEWEST[0])}


# ---- matches


@dataclass(slots=True)
class Clock:
    """How long moves took, in seconds."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


class Board:
    """A game that is played on both sides at once."""

    def __init__(self, table: Table, game: rulegame.Game) -> None:
        self._called = table.called
        self.state = game.start(first=0)
        self.mirror = pyspiel.load_game(table.open_spiel).new_initial_state()

    def actions(self) -> dict[int, rulegame.Move]:
        """OpenSpiel's valid actions and ours; they must be the same."""
        player, mirror = self.mirror.current_player(), self.mirror
        named = {mirror.action_to_string(player, a).rstrip("*"): a for a in mirror.legal_actions()}
        moves = {self._called(move, player): move for move in self.state.moves}
        if player != self.state.player or named.keys() != moves.keys():
            raise DifferentGames(f"{sorted(moves)} and {sorted(named)} are the moves")
        return {named[name]: move for name, move in moves.items()}

    def play(self, action: int, move: rulegame.Move) -> None:
        self.mirror.apply_action(action)
        self.state = self.state.play(move)
        if self.mirror.is_terminal() != (self.state.outcome is not None):
            raise DifferentGames("only one of the two games is over")

    def score(self, seat: int) -> float:
        """1 for a win of that seat, a half for a draw."""
        outcome = self.state.outcome
        assert outcome is not None
        score = 0.5 if not outcome.winners else float(seat in outcome.winners)
        if 2 * score - 1 != self.mirror.returns()[seat]:
            raise DifferentGames("the two games end differently")
        return score


def play_game(
    table: Table, game: rulegame.Game, number: int, seconds: float, clock: Clock
) -> float:
    """A game of a match: our score. Two games in a row begin alike, with seats exchanged."""
    board, seat, opening = Board(table, game), number % 2, Random(number // 2)
    rng = Random(number)
    player: Any = rulegame.make_player(f"search:{seconds}s", game)
    bot = search_bot(pyspiel.load_game(table.open_spiel), number + 1, seconds=seconds)
    ply = 0
    while board.state.outcome is None:
        actions = board.actions()
        began = perf_counter()
        if ply < RANDOM_PLIES:
            action = opening.choice(sorted(actions))
        elif board.state.player == seat:
            move = player.choose(board.state.view(seat), rng)
            clock.ours.append(perf_counter() - began)
            action = next(a for a, known in actions.items() if known == move)
        else:
            action = bot.step(board.mirror)
            clock.theirs.append(perf_counter() - began)
        board.play(action, actions[action])
        ply += 1
    return board.score(seat)


def run_matches(options: Options) -> None:
    """The section of matches."""
    heading(
        f"search: {options.games} games at {options.move_seconds:g} s a move",
        "OpenSpiel",
        middle=("our score", "95 % interval"),
        about=f"{RANDOM_PLIES} random plies first; each opening twice, with seats exchanged.",
    )
    for table in TABLES:
        game, clock = rulegame.load(table.ruleset, table.parameters), Clock()
        scores = [
            play_game(table, game, number, options.move_seconds, clock)
            for number in range(options.games)
        ]
        low, high = interval = wilson(sum(scores), len(scores))
        wins, losses = (f"{scores.count(score)} wins" for score in (1.0, 0.0))
        reached = "yes" if interval.lower > 0.5 else "NO"
        score = f"{fmean(scores):.3f}"
        between = f"{low:.3f} to {high:.3f}"
        show_line((table.name, wins, losses, score, between, "all > 0.5", reached))
        note(
            f"{scores.count(0.5)} draws; mean time a move {fmean(clock.ours):.3f} s and"
            f" {fmean(clock.theirs):.3f} s, at most {max(clock.ours):.3f} s and"
            f" {max(clock.theirs):.3f} s"
        )
