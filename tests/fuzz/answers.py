"""Answers of the engine: from both backends, and the players and policies they are about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

import rulegame
from fuzz.backends import NATIVE, PYTHON, backend
from fuzz.brute_force import Position
from fuzz.findings import Finding
from fuzz.games import file_of
from rulegame import CHANCE, Game, Move, View
from rulegame.players.advice import Advice
from rulegame.players.policy_file import PolicyPlayer
from rulegame.solving.policies import policy
from rulegame_cli.printing.advice import advice_lines, chance_lines
from rulegame_cli.printing.policy_table import policy_text
from rulegame_studio.thinking import hint_data

NEAR: Final = 1e-6  # values of a solution that are alike
DUST: Final = re.compile(r"\.\d{6}|nan|inf\b")
WORSE: Final = re.compile(r"^\* .* worse than", re.MULTILINE)

PLAIN: Final = frozenset({-1, 0, 1})  # payoffs of wins, losses and draws

Answers = dict[str, Any]  # by question; None where time decides whether there is one


def compare_backends(text: bytes, ask: Callable[[Game], Answers], *, rules: bool) -> None:
    """Ask about a game in Python and in native code; the answers must be the same."""
    answers = []
    for name in (PYTHON, NATIVE):
        with backend(name, rules=rules):
            try:
                answers.append(ask(rulegame.load(file_of(text))))
            except Finding as finding:
                raise Finding(f"{name}: {finding}") from None
    for what, one in answers[0].items():
        other = answers[1].get(what)
        if one != other and None not in (one, other):
            raise Finding(f"{what}: {one} by Python, {other} by native code")


class FixedPlayer:
    """Mixes its moves by what it knows."""

    note = None

    def __init__(self, seed: int, known: Callable[[View], Hashable]) -> None:
        self._seed, self._known = seed, known

    def mix(self, view: View) -> dict[Move, Fraction]:
        rng = Random(f"{self._seed} {self._known(view)}")
        weights = [rng.choice([0, 0, 1, 1, 2, 3]) for _ in view.moves]
        weights[rng.randrange(len(weights))] += 1
        return {m: Fraction(w, sum(weights)) for m, w in zip(view.moves, weights, strict=True)}

    def choose(self, view: View, rng: Random) -> Move:
        mix = self.mix(view)
        return rng.choices(list(mix), [float(share) for share in mix.values()])[0]


def check_kind(game: Game, positions: Sequence[Position], longest: int | None) -> None:
    """What the rules say about the game before it is explored is true of all positions."""
    kind = game.kind
    outcomes = [p.state.outcome for p in positions if p.state.outcome is not None]
    rolls = any(position.state.player == CHANCE for position in positions)
    for what, wrong in (
        ("always ends", kind.cyclic is False and longest is None),
        ("no chance", not kind.chance and rolls),
        ("constant sum", kind.constant_sum and len({sum(o.payoffs) for o in outcomes}) > 1),
        ("no payoffs", not kind.payoffs and not {p for o in outcomes for p in o.payoffs} <= PLAIN),
    ):
        if wrong:
            raise Finding(f"{kind}: {what} is wrong")


def policy_player(solution: Any, game: Game, rng: Random) -> PolicyPlayer:
    """A player that plays the policy file of a solution."""
    path = file_of(b"").with_name(rng.choice(["policy.csv", "policy.json"]))
    path.write_text(policy_text(policy(solution), path.suffix == ".json"), "utf-8")
    return PolicyPlayer(game, str(path))


def check_hint(what: str, hint: Advice, view: View) -> None:
    """The marked moves have the best of the values that are shown, and texts show no digits that
    mean nothing.
    """
    worths = {one.move: one.value for one in hint.worths}
    best = [value for move in hint.best if (value := worths[move]) is not None]
    known = [value for value in worths.values() if value is not None]
    marked = hint.best and len(hint.best) < len(worths)
    least = min(best, default=0.0)
    near = 0.0 if hint.source == "search" else NEAR * max(1.0, abs(least))
    if marked and best and max(known) > least + near:
        raise Finding(f"{what}: best {hint.best} of {hint.worths}")
    if marked and hint.source == "search" and len(best) < len(hint.best):
        raise Finding(f"{what}: best {hint.best} of {hint.worths}, which were not all tried")
    for lines in (advice_lines(hint), chance_lines(hint, view, view.game.players)):
        text = "\n".join(lines)
        if DUST.search(text):
            raise Finding(f"{what}: {text}")
        if marked and WORSE.search(text):
            raise Finding(f"{what}: a best move is worse than another one: {text}")
    json.dumps(hint_data(hint, view, list(view.game.players)), allow_nan=False)
