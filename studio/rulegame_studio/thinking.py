"""What takes time: the moves of computers, hints, and the review of a game that is over. It runs in
processes of its own, from the record of a game, and sees what a seat sees.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from rulegame.game import CHANCE, Game, GameError, State, View
from rulegame.players import make_player
from rulegame.players.advice import Advice, advise
from rulegame.players.budget import Budget
from rulegame.players.interface import Player
from rulegame.playing.dice import Dice
from rulegame.playing.saves import read_save
from rulegame.playing.session import Session, Step
from rulegame.playing.telling import label_text
from rulegame_studio.drawn import drawn, picture_data
from rulegame_studio.limits import LIMITS
from rulegame_studio.rules import Rulesets

MOST_STATES: Final = 100_000  # that are solved for a hint or a review
SOLVE_SECONDS: Final = 3.0  # for the solution that a review uses if there is one
SLICE: Final = 0.5  # seconds of rating between two reports
MOST_PLAYERS: Final = 32


class Thinker:
    """Thinks for the tables of a studio."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._rulesets = rulesets
        self._players: dict[tuple[int, str, int], tuple[Game, Player]] = {}
        self._last: tuple[str, Session, State] | None = None
        self._max_states = MOST_STATES  # that a review of the last game may explore

    def _session(self, job: Mapping[str, Any]) -> tuple[Session, State]:
        """The game of a job, which has the lines of its save; a review asks for it repeatedly."""
        save = str(job["save"])
        if self._last is None or self._last[0] != save:
            self._last = save, *self._recall(save)
            self._max_states = MOST_STATES
        return self._last[1:]

    def _recall(self, save: str) -> tuple[Session, State]:
        saved = read_save(save.encode())
        header = saved.header
        game = self._rulesets.game_of(header)
        fresh = Dice(header.rolls, header.seed).of_round(0)
        session = Session(game, fresh=fresh, first=header.first)
        return session, session.recall(saved.rounds[0].entries)

    def choose(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The move of a computer. What chance adds depends on the seed and on where the game stands
        for this seat alone.
        """
        session, state = self._session(job)
        seat = state.player
        if seat is None or seat != job["seat"]:
            return {"move": None}
        player = self._player(session.game, str(job["player"]), session.first)
        view = state.view(seat, session.line)
        rng = Random(f"{job['seed']}/0/player {seat}/{session.place_of(view)}")
        chosen_by = getattr(player, "spec", job["player"])
        return {"move": player.choose(view, rng).text, "player": chosen_by}

    def _player(self, game: Game, spec: str, first: int) -> Player:
        fixed = game.ruleset.turn.first
        first = first if fixed is None else fixed
        key = id(game), spec, first
        if key not in self._players:
            if len(self._players) >= MOST_PLAYERS:
                self._players.clear()
            self._players[key] = game, make_player(spec, game, first=first)
        return self._players[key][1]

    def hint(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """What each move of a seat is worth, from what that seat sees."""
        session, state = self._session(job)
        seat = int(job["seat"])
        past = list(session.line)
        while state.player != seat and seat in state.choosing:  # as in `GameCourse.state_for`
            past.append(Step(state, state.moves[0]))
            state = state.play(state.moves[0])
        if state.player != seat:
            return {"moves": [], "about": "It is not your turn."}
        view = state.view(seat, past)
        try:
            rng = Random(f"{job['seed']}/0/hint/{session.place_of(view)}")
            advice = advise(view, rng, first=session.first, max_states=MOST_STATES)
        except (ValueError, GameError) as problem:
            return {"moves": [], "about": f"No hint here: {problem}"}
        return hint_data(advice, view, job["names"])

    def review(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Every position before a decision and the last one. `rated` numbers those for which
        `rate` can compute winning chances; if there is none, `about` says why.
        """
        session, last = self._session(job)
        names, eyes, line = job["names"], job["eyes"], session.line
        states = _positions(session, last)
        positions = [
            {
                "picture": picture_data(drawn(state, line[:n], eyes, names)),
                "label": _label(session.game, line, n, names, eyes),
                "chance": _final(state, len(names)),
            }
            for n, state in states
        ]
        if len(names) == 1:
            about = "No chart: a game for one player has no winning chances."
        elif not session.game.kernel.is_plain:
            about = "No chart: players of this game score points instead of winning or losing."
        else:
            about = ""
        seats = frozenset(eyes or range(len(names)))
        rated = [k for k, (_, state) in enumerate(states) if not about and state.player in seats]
        cuts = [n for n, _ in states]
        return {"positions": positions, "cuts": cuts, "rated": rated, "about": about}

    def rate(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The winning chances at the first few of some positions of a review: as many as a slice of
        the time is enough for, and at least one.
        """
        session, last = self._session(job)
        states, wanted = _positions(session, last), job["at"]
        began = time.monotonic()
        found: list[list[float | None]] = []
        for number in wanted:
            spent = time.monotonic() - began
            if found and spent > SLICE:
                break
            seconds = (job["seconds"] - spent) / (len(wanted) - len(found))
            n, state = states[number]
            found.append(self._chances(state, session.line[:n], session.first, seconds))
        return {"chances": found}

    def _chances(
        self, state: State, past: tuple[Step, ...], first: int, seconds: float
    ) -> list[float | None]:
        """The chance of each seat to win, 0 to 1, where it can be computed."""
        count, seat = len(state.game.players), state.player
        assert seat is not None
        try:
            budget = Budget(seconds=max(0.02, min(0.3, seconds)))
            advice = self._advise(state.view(seat, past), Random(len(past)), first, budget)
        except (ValueError, GameError):
            return [None] * count
        known = [worth.value for worth in advice.worths if worth.value is not None]
        if not known:
            return [None] * count
        best = (1 + max(known)) / 2
        return [best if k == seat else 1 - best if count == 2 else None for k in range(count)]

    def _advise(self, view: View, rng: Random, first: int, budget: Budget) -> Advice:
        """Advice from the solution, if that is found soon, and otherwise from a search."""
        until = time.monotonic() + SOLVE_SECONDS

        def check_time(task: str, done: int, total: int | None) -> None:
            if time.monotonic() > until:
                raise TimeoutError

        most = self._max_states
        try:
            return advise(
                view, rng, first=first, budget=budget, max_states=most, progress=check_time
            )
        except TimeoutError:
            self._max_states = 1  # from here on only search
            return advise(view, rng, first=first, budget=budget, max_states=1)


def _positions(session: Session, last: State) -> list[tuple[int, State]]:
    """The positions of a review, each with the number of moves and rolls before it."""
    line = session.line
    at = [n for n, step in enumerate(line) if step.seat != CHANCE][: LIMITS.positions]
    states = [(n, line[n].state) for n in at]
    if not at or last is not states[-1][1]:
        states.append((len(line), last))
    return states


def _final(state: State, count: int) -> list[float | None]:
    """The chances at the end of a game, none before."""
    outcome = state.outcome
    if outcome is None:
        return [None] * count
    if outcome.draw or not (outcome.winners or outcome.losers):
        return [0.5] * count
    return [1.0 if seat in outcome.winners else 0.0 for seat in range(count)]


def _label(
    game: Game, line: tuple[Step, ...], n: int, names: list[str], eyes: tuple[int, ...]
) -> str:
    """The move that led to a position, as those may read it who look at the review."""
    from rulegame.game.wording import seen_words

    before = [step for step in line[:n] if step.seat != CHANCE]
    if not before:
        return "Start"
    step = before[-1]
    return f"{names[step.seat]}: {seen_words(game, step.seat, step.move, names, eyes)}"


def hint_data(advice: Advice, view: View, names: list[str]) -> dict[str, Any]:
    """The advice for a page: a bar for each move."""
    plain = view.game.kernel.is_plain and len(names) > 1
    known = [worth.value for worth in advice.worths if worth.value is not None]
    best = max(known, default=0.0)
    moves = []
    for worth in advice.worths[: LIMITS.moves]:
        value = worth.value
        chance = None if value is None or not plain else (1 + value) / 2
        costs = ""
        if value is not None and best - value > 0.005:
            lost = best - value
            costs = f"{round(50 * lost)} %" if plain else f"{lost:.2f}"
        moves.append(
            {
                "text": worth.move.text,
                "label": label_text(view.game, worth.move, names),
                "chance": chance,
                "value": value,
                "best": worth.move in advice.best,
                "costs": costs,
                "told": worth.text,
            }
        )
    about = f"{advice.origin.capitalize()}. {advice.note or ''}".strip()
    return {"moves": moves, "about": about}
