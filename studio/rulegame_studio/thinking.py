"""What takes time: the moves of computers, hints, and the review of a game that is over. It runs in
processes of its own, from the record of a game, and sees what a seat sees.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from random import Random
from typing import Any, Final

from rulegame.drawing.data import picture_data
from rulegame.game import CHANCE, GameError, State, View
from rulegame.players.advice import Advice, advise
from rulegame.players.budget import Budget
from rulegame.players.slices import Thought, urgently
from rulegame.playing.match import Match
from rulegame.playing.saves import read_save
from rulegame.playing.session import SessionEntry
from rulegame.playing.telling import label_text
from rulegame.progress import Progress
from rulegame_studio.drawn import drawn
from rulegame_studio.limits import LIMITS
from rulegame_studio.rules import Rulesets

MOST_STATES: Final = 100_000  # that are solved for a hint or a review
SOLVE_SECONDS: Final = 3.0  # for the solution that a review uses if there is one
SLICE: Final = 0.1  # seconds of thinking, until others have their turn
REPORT: Final = 0.5  # seconds of rating between two reports
MOST_MATCHES: Final = 100  # that are followed at a time


class OutOfStep(Exception):
    """The entries of a job do not follow what is known here; the whole save is needed."""


class Thinker:
    """Thinks for the tables of a studio. Follows their matches: a job brings only new entries."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._rulesets = rulesets
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._thoughts: dict[str, tuple[Thought, Match, str]] = {}  # choices that are being made
        self._unsolved: set[str] = set()  # tables whose reviews have no time for a solution

    def _match(self, job: Mapping[str, Any]) -> Match:
        """The match of a job, as far as the job knows it."""
        table, since = str(job["table"]), int(job["since"])
        match = self._matches.get(table)
        if job["save"] is not None:
            match = self._matches[table] = self._load(str(job["save"]))
        elif match is None or len(match.entries) < since:
            raise OutOfStep
        new = job["entries"][len(match.entries) - since :] if job["save"] is None else []
        match.follow([SessionEntry(*entry) for entry in new])
        self._matches.move_to_end(table)
        if len(self._matches) > MOST_MATCHES:
            self._matches.popitem(last=False)
        return match

    def _load(self, save: str) -> Match:
        saved = read_save(save.encode())
        match = Match.of(self._rulesets.game_of(saved.header), saved.header)
        match.computers.timed = True
        match.recall(saved.rounds)
        return match

    def choose(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The move of a computer, or that it is still thinking after a slice."""
        match, player = self._match(job), str(job["player"])
        if match.computer is None or match.computer != job["seat"]:
            return {"move": None}
        self._thoughts[str(job["table"])] = Thought(match.thinking(player)), match, player
        return self.go_on(job)

    def go_on(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The same after another slice."""
        table = str(job["table"])
        if table not in self._thoughts:
            raise OutOfStep
        thought, match, player = self._thoughts.pop(table)
        with urgently() if job["urgent"] else nullcontext():
            move = thought.go_on(SLICE)
        if move is None:
            self._thoughts[table] = thought, match, player
            return {"thinking": True}
        chosen_by = getattr(match.computers.player(player, match.first), "spec", player)
        return {"move": move.text, "player": chosen_by}

    def hint(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """What each move of a seat is worth, from what that seat sees."""
        match, seat = self._match(job), int(job["seat"])
        until = time.monotonic() + SOLVE_SECONDS
        try:
            advice = match.hint(seat, max_states=MOST_STATES, progress=_until(until))
        except TimeoutError:
            advice = match.hint(seat, max_states=1)
        except (ValueError, GameError) as problem:
            return {"moves": [], "about": f"No hint here: {problem}"}
        return hint_data(advice, match.view(seat), match.names)

    def review(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Every position before a decision and the last one. `rated` numbers those for which
        `rate` can compute winning chances; if there is none, `about` says why.
        """
        match = self._match(job)
        names, eyes, line = match.names, job["eyes"], match.session.line
        states = _positions(match)
        positions = [
            {
                "picture": picture_data(drawn(state, line[:n], eyes, names)),
                "label": _label(match, n, eyes),
                "chance": _final(state, len(names)),
            }
            for n, state in states
        ]
        if len(names) == 1:
            about = "No chart: a game for one player has no winning chances."
        elif not match.game.kernel.is_plain:
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
        match = self._match(job)
        states, wanted = _positions(match), job["at"]
        began = time.monotonic()
        found: list[list[float | None]] = []
        for number in wanted:
            spent = time.monotonic() - began
            if found and spent > REPORT:
                break
            seconds = (job["seconds"] - spent) / (len(wanted) - len(found))
            n, state = states[number]
            found.append(self._chances(str(job["table"]), match, n, state, seconds))
        return {"chances": found}

    def _chances(
        self, table: str, match: Match, n: int, state: State, seconds: float
    ) -> list[float | None]:
        """The chance of each seat to win, 0 to 1, where it can be computed."""
        count, seat = len(match.names), state.player
        assert seat is not None
        view, budget = (
            state.view(seat, match.session.line[:n]),
            Budget(seconds=max(0.02, min(0.3, seconds))),
        )
        try:
            advice = self._advise(table, view, Random(n), match.first, budget)
        except (ValueError, GameError):
            return [None] * count
        known = [worth.value for worth in advice.worths if worth.value is not None]
        if not known:
            return [None] * count
        best = (1 + max(known)) / 2
        other = 1 - best if match.game.kind.is_duel else None
        return [best if k == seat else other for k in range(count)]

    def _advise(self, table: str, view: View, rng: Random, first: int, budget: Budget) -> Advice:
        """Advice from the solution, if that is found soon, and otherwise from a search."""
        until = time.monotonic() + SOLVE_SECONDS
        try:
            most = 1 if table in self._unsolved else MOST_STATES
            return advise(
                view, rng, first=first, budget=budget, max_states=most, progress=_until(until)
            )
        except TimeoutError:
            self._unsolved.add(table)  # from here on only search
            return advise(view, rng, first=first, budget=budget, max_states=1)


def _until(end: float) -> Progress:
    """TimeoutError in work that goes on after a time."""

    def check_time(task: str, done: int, total: int | None) -> None:
        if time.monotonic() > end:
            raise TimeoutError

    return check_time


def _positions(match: Match) -> list[tuple[int, State]]:
    """The positions of a review, each with the number of moves and rolls before it."""
    line, last = match.session.line, match.state
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


def _label(match: Match, n: int, eyes: Collection[int]) -> str:
    """The move that led to a position, as those may read it who look at the review."""
    from rulegame.game.wording import seen_words

    before = [step for step in match.session.line[:n] if step.seat != CHANCE]
    if not before:
        return "Start"
    step, names = before[-1], match.names
    return f"{names[step.seat]}: {seen_words(match.game, step.seat, step.move, names, eyes)}"


def hint_data(advice: Advice, view: View, names: Sequence[str]) -> dict[str, Any]:
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
