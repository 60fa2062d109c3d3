"""Random texts for random rulesets: labels, prompts, what is printed; every function of texts."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from fuzz.table import is_compared
from fuzz.typed_expressions import Expressions

NAMES: Final = (
    "welcome", "begin", "turn", "menu", "option", "prompt", "chosen", "updated", "refused",
    "unknown", "stuck", "passed", "all_stuck", "ended", "between", "rolled",
)  # fmt: skip
PARAGRAPHS: Final = (
    "intro", "objective", "setup", "turn", "operations", "validity", "end", "stuck", "variations",
    "claims", "sample",
)  # fmt: skip
PIECES: Final = (
    "Nothing.", "{t}", "{my.name} and {name of (players[1])}", "{{braces}}", "{title}", "",
    "{if t > 1}later{elif t == 1}soon{else}now{end}", "{for p in players}{name of p} {end}",
    "{or_list(players)}", "{and_list(1..t)}", "{one_per_line(list(seat(p) for p in players))}",
    "{a(t)}", "{words(t)}", '{plural(t, "move", "moves")}', '{capital("go")}',
    '{keyed("Go", "g")}', "{turn}",
)  # fmt: skip
NEW_PIECES: Final = ('{plural(t, "turn")}', "{pad(t, 3)}", '{pad("go", t)}')


class Texts:
    """Adds texts to what has been made."""

    def __init__(self, rng: Random, write: Expressions) -> None:
        self.rng = rng
        self.write = write

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def text(self) -> str:
        """Any text: pieces that can stand in all of them, and now and then an expression."""
        known = PIECES if is_compared() else (*PIECES, *NEW_PIECES)
        pieces = [self.rng.choice(known) for _ in range(self.rng.randint(1, 2))]
        return " ".join(pieces)

    def of_choice(self) -> dict[str, str]:
        return {name: self.text() for name in ("menu", "option", "prompt") if self.maybe(0.4)}

    def of_setup(self, made: dict[str, Any]) -> None:
        if self.maybe(0.2):
            made |= {"label": "Pick", "about": "Before the first turn"}
        if self.maybe(0.1):
            made["texts"] = {"chosen": self.text()}

    def of_operation(self, made: dict[str, Any], k: int) -> None:
        if self.maybe(0.15):
            made |= {
                "label": f"Do {k}",
                "key": "xyz"[k],
                "doing": "Doing it",
                "about": "It is done",
            }
        if self.maybe(0.1):
            made["texts"] = {self.rng.choice(["chosen", "updated"]): "{before.t} " + self.text()}
        if self.maybe(0.05):
            made["secret"] = True

    def of_rule(self, made: dict[str, Any]) -> None:
        for name in ("note", "because", "stuck"):
            if self.maybe(0.15):
                made[name] = self.text()
        if self.maybe(0.15):
            made["about"] = "It is not allowed"

    def of_end(self, made: dict[str, Any], about: bool = True) -> None:
        if self.maybe(0.2):
            made["text"] = self.text()
        if about and self.maybe(0.15):
            made["about"] = "It is over"

    def add(self, made: dict[str, Any]) -> None:
        """Texts of the whole ruleset, and paragraphs of its rulebook."""
        if self.maybe(0.2):
            made["texts"] = {n: self.text() for n in self.rng.sample(NAMES, 3)}
        if self.maybe(0.15):
            paragraphs = self.rng.sample(PARAGRAPHS, 2)
            made["rulebook"] = {n: self.rng.choice(["", "Words of our own."]) for n in paragraphs}
