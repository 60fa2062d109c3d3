"""A player that plays what a file says: one that `rulegame solve --policy` has written, or one like
it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

from rulegame.files import disk
from rulegame.game import Game, Move, View
from rulegame.players.interface import PlayerFailed, UnknownPlayer
from rulegame.players.mixes import Mix
from rulegame.solving.situations import knowledge_text, situation_text

COLUMNS: Final = ("player", "state", "move", "probability")
WHOLE: Final = Fraction(1, 10**6)  # by how much what a file has rounded may miss it
MOST_BYTES: Final = 500_000_000

Situation = tuple[int, str]


class PolicyPlayer:
    """Chooses as likely as a file says of the situation; `PlayerFailed` if it says nothing."""

    note = None

    def __init__(self, game: Game, path: str) -> None:
        self._path = path
        self._hidden = not game.kind.is_open and not game.kind.is_staged
        self._said: dict[Situation, dict[str, Fraction]] = {}
        for number, row in enumerate(_rows(path)):
            self._read(number + 1, row)
        for (_, situation), moves in self._said.items():
            if abs(sum(moves.values(), Fraction(-1))) > WHOLE:
                raise UnknownPlayer(f"{path}: probabilities do not add up to 1: {situation[:200]}")

    def _read(self, number: int, row: Any) -> None:
        try:
            seat, situation, move, share = (row[column] for column in COLUMNS)
            known = self._said.setdefault((int(seat) - 1, str(situation)), {})
            chance = Fraction(share)
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
            raise UnknownPlayer(
                f"{self._path}: row {number} needs a player, state, move and probability"
            ) from None
        if known.setdefault(str(move), chance) != chance or chance < 0:
            raise UnknownPlayer(
                f"{self._path}: row {number} says otherwise of '{move}' than one before it, or has "
                "a probability below 0"
            )

    def choose(self, view: View, rng: Random) -> Move:
        mix = self.mix(view)
        return rng.choices(list(mix), [float(share) for share in mix.values()])[0]

    def mix(self, view: View) -> Mix:
        """What the file says, as a whole."""
        if len(view.moves) == 1:
            return {view.moves[0]: Fraction(1)}
        situation = knowledge_text(view) if self._hidden else situation_text(view)
        said = self._said.get((view.seat, situation), {})
        mix = {move: said[move.text] for move in view.moves if said.get(move.text)}
        total = sum(mix.values())
        if not total:
            raise PlayerFailed(f"{self._path} does not cover this position: {situation[:200]}")
        return {move: share / total for move, share in mix.items()}


def _rows(path: str) -> Iterator[Any]:
    """The rows of a file: CSV, or JSON if its name ends so."""
    try:
        data = disk.read_file(Path(path), MOST_BYTES)
        text = data.decode()
    except (OSError, ValueError) as problem:
        raise UnknownPlayer(f"cannot read the policy '{path}': {problem}") from None
    if not path.endswith(".json"):
        yield from csv.DictReader(io.StringIO(text))
        return
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UnknownPlayer(f"the policy '{path}' is not valid JSON: {problem}") from None
    if not isinstance(rows, list):
        raise UnknownPlayer(f"the policy '{path}' is not a list of rows")
    yield from rows
