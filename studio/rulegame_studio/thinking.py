"""What takes time: the moves of computers, hints, and the review of a game that is over. It runs in
processes of its own, from the record of a game, and sees what a seat sees.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

from rulegame.drawing.data import picture_data
from rulegame.drawing.pictures import Picture
from rulegame.game import GameError, View
from rulegame.players.advice import Advice
from rulegame.players.slices import Thought, urgently
from rulegame.playing.match import Match
from rulegame.playing.saves import read_save
from rulegame.playing.session import SessionEntry
from rulegame.playing.telling import label_text
from rulegame.reviewing import Position, Review
from rulegame_studio.drawn import drawn
from rulegame_studio.limits import LIMITS
from rulegame_studio.offering import Places
from rulegame_studio.rules import Rulesets

MOST_STATES: Final = 100_000  # that are solved for a hint
MOST_BEST: Final = 3  # best moves that a review names
SLICE: Final = 0.1  # seconds of thinking, until others have their turn
REPORT: Final = 0.5  # seconds of rating between two reports
MOST_MATCHES: Final = 100  # that are followed at a time
MOST_REVIEWS: Final = 20


class OutOfStep(Exception):
    """The entries of a job do not follow what is known here; the whole save is needed."""


class Thinker:
    """Thinks for the tables of a studio. Follows their matches: a job brings only new entries."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._rulesets = rulesets
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._thoughts: dict[str, tuple[Thought, Match, str]] = {}  # choices that are being made
        self._reviews: OrderedDict[str, Review] = OrderedDict()

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
        try:
            advice = match.hint(seat, max_states=MOST_STATES)
        except (ValueError, GameError) as problem:
            return {"moves": [], "about": f"No hint here: {problem}"}
        return hint_data(advice, match.view(seat), match.names)

    def follow(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Read a match of which somebody may want the review."""
        self._match(job)
        return {}

    def review(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Every position of a review. `order` numbers those that `rate` can rate."""
        match = self._match(job)
        review = Review(match, job["seat"], LIMITS.positions)
        self._reviews[str(job["table"])] = review
        if len(self._reviews) > MOST_REVIEWS:
            self._reviews.popitem(last=False)
        positions = [
            {
                "picture": picture_data(self._picture(review, one)),
                "label": one.label,
                "seat": one.seat,
                "chance": _chances(review, one),
            }
            for one in review.positions
        ]
        cuts = [one.at for one in review.positions]
        about = "" if review.order else "No ratings: hidden information stays hidden."
        return {"positions": positions, "cuts": cuts, "order": review.order, "about": about}

    def rate(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The ratings of the first few of some positions of a review: as many as a slice of the
        time is enough for, and at least one.
        """
        review, wanted = self._reviews.get(str(job["table"])), job["at"]
        if review is None:
            raise OutOfStep
        began, rated = time.monotonic(), 0
        for number in wanted:
            spent = time.monotonic() - began
            if rated and spent > REPORT:
                break
            review.rate(number, (job["seconds"] - spent) / (len(wanted) - rated))
            rated += 1
        low, high = review.range
        return {
            "ratings": [self._rating(review, number) for number in wanted[:rated]],
            "marks": {one.number: one.mark for one in review.mistakes},
            "range": None if review.is_plain else [low, high],
        }

    def _rating(self, review: Review, number: int) -> dict[str, Any]:
        one, match = review.positions[number], review.match
        seat = one.state.turn
        places = Places(one.state, seat, self._picture(review, one))
        best = one.best if one.played not in one.best else ()
        return {
            "chance": _chances(review, one),
            "best": [label_text(match.game, move, match.names) for move in best[:MOST_BEST]],
            "cells": places.of(best[0], valid=True) if best else [],
            "lost": _lost(review, one),
            "estimated": not one.proved,
        }

    @staticmethod
    def _picture(review: Review, one: Position) -> Picture:
        match = review.match
        return drawn(one.state, match.session.line[: one.at], review.eyes, match.names)


def _chances(review: Review, one: Position) -> list[float | None]:
    """The chances of the seats to win, 0 to 1, or their payoffs."""
    if not review.is_plain:
        return one.values
    return [None if value is None else (1 + value) / 2 for value in one.values]


def _lost(review: Review, one: Position) -> str:
    """What a decision has cost, for people."""
    if not one.mark or one.loss is None:
        return ""
    return f"{round(50 * one.loss)} %" if review.is_plain else f"{one.loss:.2f}"


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
