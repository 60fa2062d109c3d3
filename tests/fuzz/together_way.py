"""Small random rulesets in which players choose at once, with much that is hidden."""

from __future__ import annotations

from random import Random
from typing import Final

from fuzz.secrets_way import MOST, OWNED, Maker

CHOICES: Final = ("n", "m")


def make(rng: Random) -> bytes:
    """One ruleset."""
    return _TogetherMaker(rng).ruleset().encode()


class _TogetherMaker(Maker):
    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._players = rng.choice((1, 2, 2, 2, 3, 3))
        self._for_all = False  # nobody is `me`
        self._chosen: list[tuple[str, ...]] = [
            CHOICES[: rng.choice((0, 1, 1, 1, 2))] for _ in range(rng.randint(1, 3))
        ]
        self._everyone = self._chance(0.5)
        self._passes = self._chance(0.5)

    # ---- expressions

    def _compulsory(self) -> list[str]:
        """None: nobody moves again before the others have chosen."""
        return []

    def _owner(self) -> str:
        seats = [f"players[{k + 1}]" for k in range(self._players)]
        return self._rng.choice(seats if self._for_all else ["me", "next(me)", *seats])

    def _value(self) -> str:
        if self._extras and self._chance(0.25):
            return self._extra(self._owner())
        name = self._rng.choice(("seen", "deck", *OWNED))
        if name not in OWNED:
            return name
        if self._for_all and self._chance(0.3):
            return f"max({name} of q for q in players)"
        return f"{name} of ({self._owner()})" if self._for_all else f"my.{name}"

    def _picked(self) -> str:
        """What some player has chosen, or all have."""
        named = [name for name in CHOICES if any(name in chosen for chosen in self._chosen)]
        if not named:
            return "1"
        name, owner = self._rng.choice(named), f"({self._owner()})"
        always = self._everyone and not self._passes
        if always and all(name in chosen for chosen in self._chosen):
            return self._rng.choice((f"{name} of {owner}", f"sum({name})", f"max({name})"))
        one = f"(0 if {name} of {owner} == none else {name} of {owner})"
        return self._rng.choice((one, f"count(x for x in {name} if x != none)"))

    # ---- rules

    def ruleset(self) -> str:
        names = ["Ann", "Bob", "Cyd"][: self._players]
        lines = ["rulegame: 1", "title: Together", f"players: [{', '.join(names)}]"]
        if self._chance(0.2):
            lines.append(f"payoff unit: {self._rng.choice(('1/2', '2/3', '3'))}")
        lines += ["state:", "  count: 0", *self._state(), *self._setup()]
        lines += self._turn()
        lines += ["operations:"]
        for name, chosen in zip(("red", "green", "blue"), self._chosen, strict=False):
            lines += self._choosing(name, chosen)
        lines += [*self._validity(), *self._stuck()]
        self._for_all = True
        lines += [*self._end(), *self._texts_of_all()]
        return "\n".join(lines) + "\n"

    def _turn(self) -> list[str]:
        self._for_all = True
        lines = ["turn:", "  together: true"]
        if not self._everyone:
            who = f"list(p for p in players if {self._truth([])} or p == players[1])"
            lines = ["turn:", f'  together: "{who}"']
        if self._turn_roll:
            sight = self._rng.choice(("", ", seen by: all", ", seen by: nobody"))
            lines += ["  roll:", f'    die: {{from: "0..{MOST}"{sight}}}']
        if self._forced:
            lines.append("  forced: play")
        known = [*self._rolls(), self._picked(), self._picked()]
        lets = ["tally"] if self._chance(0.4) else []
        if lets:
            lines.append(f'  let: {{tally: "{self._number(known)}"}}')
            known += lets
        if self._chance(0.5):
            lines += ["  effects:", *self._effects_of_all(known, "    ")]
        else:
            lines += ["  steps:", "    first:", "      effects:", "        count: count + 1"]
            lines += [f'        {let}: "{self._number(known)}"' for let in lets]
            around = ', when: "seen > 0"' if self._chance(0.3) else ""
            if around and self._chance(0.5):
                around += ", repeat: 2"
            target = f'"{self._target()}": "{self._number([*known, "card"])}"'
            rolled = f"roll: {{card: 0..{MOST}}}, effects: {{{target}}}{around}"
            lines += [f"    luck: {{{rolled}}}"] if self._chance(0.6) else []
        self._for_all = False
        return lines

    def _target(self) -> str:
        some = [f"{name} of p for p in players" for name in ("hand", "mark", "note")]
        return self._rng.choice(["seen", "deck", *some, f"hand of ({self._owner()})"])

    def _effects_of_all(self, known: list[str], indent: str) -> list[str]:
        targets = dict.fromkeys(self._target().partition(" ")[0] for _ in range(2))
        lines = [f"{indent}count: count + 1"]
        for name in targets:
            target = name if name in ("seen", "deck") else f"{name} of p for p in players"
            lines.append(f'{indent}{target}: "{self._number(known)}"')
        return lines

    def _choosing(self, name: str, chosen: tuple[str, ...]) -> list[str]:
        lines = [f"  {name}:"]
        if self._chance(0.2):
            lines.append("    secret: true")
        if self._chance(0.2):
            lines.append(f'    when: "{self._truth(self._rolls())}"')
        if chosen:
            lines += ["    choose:", *(f"      {choice}: 0..{MOST}" for choice in chosen)]
        known = [*self._rolls(), *chosen]
        lets = ["kept"] if self._chance(0.25) else []
        if lets:
            lines.append(f'    let: {{kept: "{self._number(known)}"}}')
        known += lets
        own = ["my.hand", "my.note", "my.mark"]
        targets = self._rng.sample([*own, *own, "seen", "hand of (next(me))"], 2)
        if self._chance(0.7):
            targets = [target for target in targets if target in own] or own[:1]
        writes = [f'{target}: "{self._number(known)}"' for target in dict.fromkeys(targets)]
        if self._extras and self._chance(0.5):
            writes.append(self._extra_effect(known))
        if self._chance(0.3):
            lines += ["    steps:"]
            writes[:0] = [f'{let}: "{self._number(known)}"' for let in lets]
            for k, write in enumerate(writes):
                lines.append(f"      s{k}: {{effects: {{{write}}}}}")
        else:
            lines += ["    effects:", *(f"      {write}" for write in writes)]
        if self._chance(0.2):
            told = self._text([name for name in known if name not in lets])
            lines += ["    texts:", f'      chosen: "{told}"']
        return lines

    def _stuck(self) -> list[str]:
        if self._passes:
            return ["stuck: {result: pass, all: draw}"]
        return ["stuck: draw"] if self._chance(0.5) else ["stuck: {winners: next(me)}"]

    def _end(self) -> list[str]:
        hit = f'{{when: "count > 2 and {self._truth([])}", winners: "players[1]"}}'
        lines = ["end:", f"  hit: {hit}"]
        last = "payoff: list(mark of p for p in players)"
        if self._chance(0.2):
            last = f'everyone: "win if {self._truth([])} else lose"'
        if self._chance(0.2):
            last = f'score: "sum(mark) + {self._number([])}"'
        return [*lines, f"  long: {{when: count >= 4, {last}}}"]

    def _texts_of_all(self) -> list[str]:
        found = [
            f'  {name}: "{self._text(self._rolls())}{self._more(name)}"'
            for name in ("updated", "ended", "turn", "chosen", "prompt", "passed", "between")
            if self._chance(0.2)
        ]
        return ["texts:", *found] if found else []
