"""One game being played for an environment: its state, what led to it, and chance from a seed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulegame.adapters.observing import Observations
from rulegame.adapters.traits import LONGEST, rewards
from rulegame.compiling import CHANCE
from rulegame.game import Game, Move, State, View


class Episode:
    """A game from its start on. What is rolled falls by itself, so that a player is always to move;
    after `limit` moves, or very many rolls in a row, it is cut off.
    """

    def __init__(self, game: Game, seed: int | None, first: int = 0, limit: int = LONGEST) -> None:
        self.game = game
        self.limit = limit
        self._random = Random(seed)
        self.past: list[tuple[State, Move]] = []
        self.moves = 0
        self.state = game.start(first)
        self._roll()

    @property
    def player(self) -> int:
        """Who is to move; nobody (-1) when it is over or cut off."""
        player = self.state.player
        return -1 if player is None or self.is_cut else player

    @property
    def is_cut(self) -> bool:
        """Whether it has gone on for so long that it ends without a result."""
        state = self.state
        return not state.is_over and (self.moves >= self.limit or state.player == CHANCE)

    @property
    def rewards(self) -> list[float]:
        """What each player has gained or lost so far: nothing before the end."""
        outcome = self.state.outcome
        return rewards((0,) * len(self.game.players) if outcome is None else outcome.payoffs)

    def view(self, seat: int) -> View:
        """What a seat knows."""
        return self.state.view(seat, self.past)

    def play(self, move: Move) -> None:
        """A player's move, and what is rolled after it."""
        self._go_on(move)
        self.moves += 1
        self._roll()

    def play_as(self, action: int) -> bool:
        """The move of an action number; False if it is not valid here, and nothing happens."""
        move = self.game.actions[action]
        valid = move in self.state.moves
        if valid:
            self.play(move)
        return valid

    @property
    def choosing(self) -> dict[int, tuple[Move, ...]]:
        """Who is to choose now, each with their moves: one player, unless several choose at
        once.
        """
        return choosers(self.state) if self.player >= 0 else {}

    def _go_on(self, move: Move) -> None:
        before, self.state = self.state, self.state.play(move)
        self.past.append((before, move))

    def _roll(self) -> None:
        for _ in range(LONGEST):
            if self.state.player != CHANCE:
                return
            self._go_on(self.state.roll(self._random.randrange))

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Which actions are valid for a seat: none unless it is to choose."""
        return np.array(self.game.actions.mask(self.choosing.get(seat, ())), np.int8)


def choosers(state: State) -> dict[int, tuple[Move, ...]]:
    """Who is to choose in a state, each with their moves; who is stuck does not count."""
    game, found = state.game, {}
    for seat in state.choosing:
        if seat == state.player:
            found[seat] = state.moves  # which are known already
        elif codes := game.kernel.options_of(state.cells, seat):
            found[seat] = game.moves_of(codes)
    return found


def observe(episode: Episode, observations: Observations, seat: int) -> NDArray[np.float32]:
    """What a seat sees, as a row of numbers."""
    row = np.zeros(observations.size, np.float32)
    observations.write(episode.view(seat), row)
    return row


def public_lines(episode: Episode) -> list[str]:
    """What everybody at the table sees, as lines."""
    state, ruleset = episode.state, episode.game.ruleset
    lines = [ruleset.title]
    for name, value in ruleset.state.items():
        seen = value.seen_by == "all" or state.is_over
        lines += _lines(name, state[name] if seen else "hidden")
    outcome = state.outcome
    if outcome is not None:
        winners = [episode.game.players[seat] for seat in outcome.winners]
        lines.append(f"won by {', '.join(winners)}" if winners else "nobody wins")
    elif episode.player >= 0:
        lines.append(f"{episode.game.players[episode.player]} is to move")
    return lines


def _lines(name: str, value: Any) -> list[str]:
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
        return [f"{name}:", *("  " + " ".join(map(_word, row)) for row in value)]
    return [f"{name}: {_word(value)}"]


def _word(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(map(_word, value))
    if isinstance(value, frozenset):
        return " ".join(map(str, sorted(value))) or "-"
    return "-" if value is None else str(value)


def rendered(episode: Episode, mode: str | None) -> str | NDArray[np.uint8] | None:
    """What everybody at the table sees: as text, as a picture, or (`human`) written out."""
    lines = public_lines(episode)
    if mode == "rgb_array":
        return picture(lines)
    text = "\n".join(lines)
    if mode == "human":
        sys.stdout.write(f"{text}\n")
        return None
    return text


def picture(lines: Sequence[str]) -> NDArray[np.uint8]:
    """Lines of text as a picture: black on white, height by width by three."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default()
    boxes = [font.getbbox(line or " ") for line in lines]
    height = 4 + max(int(box[3]) for box in boxes)
    width = 16 + max(int(box[2]) for box in boxes)
    image = Image.new("RGB", (width, 16 + height * len(lines)), "white")
    draw = ImageDraw.Draw(image)
    for k, line in enumerate(lines):
        draw.text((8, 8 + k * height), line, fill="black", font=font)
    return np.asarray(image)
