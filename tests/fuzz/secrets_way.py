"""Small random rulesets in which much is hidden: values, choices, rolls, and texts that tell of
them.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from fuzz.table import is_compared

MOST: Final = 3  # values are numbers from 0 to this
SHARED: Final = ("seen", "deck")
OWNED: Final = ("hand", "mark", "note")
EXTRAS: Final = ("pool", "here")
ASKED: Final = ("turn", "begin", "between", "menu", "prompt", "refused", "unknown", "rolled")
TOLD: Final = ("chosen", "updated", "passed", "ended")


def make(rng: Random) -> bytes:
    """One ruleset."""
    text = Maker(rng).ruleset()
    return (text if is_compared() else _other_sights(text, Random(text))).encode()


def _other_sights(text: str, rng: Random) -> str:
    """Some of what only its owner sees is for all others, some of what nobody sees for a seat."""

    def other(found: re.Match[str]) -> str:
        if rng.random() < 0.6:
            return found[0]
        return (
            f"seen by: {'others' if found[1] == 'owner' else rng.choice(('[1]', '[2]', '[1, 2]'))}"
        )

    return re.sub(r"seen by: (owner|nobody)", other, text)


class Maker:
    """Makes one ruleset."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._players = rng.choice((2, 2, 3))
        self._turn_roll = rng.random() < 0.3
        # Beside numbers: a set of several cells, a cell of a board.
        self._extras = [name for name in EXTRAS if rng.random() < 0.25]
        self._forced = rng.random() < 0.15

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share

    # ---- expressions

    def _owner(self) -> str:
        return self._rng.choice(("me", "next(me)", *(f"players[{k + 1}]" for k in range(2))))

    def _value(self) -> str:
        """A declared value, of anybody."""
        if self._extras and self._chance(0.25):
            return self._extra("me" if self._chance(0.5) else self._owner())
        name = self._rng.choice((*SHARED, *OWNED, *OWNED))
        if name in SHARED:
            return name
        if self._chance(0.15):
            return f"max({name} of p for p in players)"
        return f"my.{name}" if self._chance(0.5) else f"{name} of ({self._owner()})"

    def _extra(self, owner: str) -> str:
        """A number out of what is none."""
        name = f"{self._rng.choice(self._extras)} of ({owner})"
        if name.startswith("pool"):
            return f"size({name})" if self._chance(0.6) else f"(1 if 70 in {name} else 0)"
        return self._rng.choice((f"row({name})", f"board[{name}]"))

    def _extra_effect(self, known: list[str]) -> str:
        """What becomes of the mover's own."""
        if self._rng.choice(self._extras) == "pool":
            number = f"mod({self._number(known)}, 2) * 70"
            return f'my.pool: "{self._rng.choice(("union", "difference"))}(my.pool, [{number}])"'
        row, column = (f"1 + mod({self._number(known, 1)}, 2)" for _ in range(2))
        return f'my.here: "cell(board, {row}, {column})"'

    def _number(self, names: list[str], depth: int = 2) -> str:
        if depth == 0 or self._chance(0.4):
            if names and self._chance(0.6):
                return self._rng.choice(names)
            return self._value() if self._chance(0.75) else str(self._rng.randint(0, MOST))
        one, two = self._number(names, depth - 1), self._number(names, depth - 1)
        if self._chance(0.3):
            return f"({one} if {self._truth(names, 0)} else {two})"
        return f"mod({one} {self._rng.choice('+-*')} ({two}), {MOST + 1})"

    def _truth(self, names: list[str], depth: int = 1) -> str:
        sign = self._rng.choice(("==", "!=", "<", ">="))
        return f"{self._number(names, depth)} {sign} {self._number(names, depth)}"

    # ---- rules

    def ruleset(self) -> str:
        names = ["Ann", "Bob", "Cyd"][: self._players]
        lines = ["rulegame: 1", "title: Secrets", f"players: [{', '.join(names)}]"]
        lines += ["state:", "  count: 0", *self._state(), *self._setup()]
        turn = self._turn()
        lines += ["turn:", *turn] if turn else []
        lines += ["operations:"]
        for name in ("red", "green", "blue", "grey")[: self._rng.randint(2, 4)]:
            lines += self._operation(name, self._rolls())
        lines += [*self._validity(), *self._stuck(), *self._end(), *self._texts()]
        return "\n".join(lines) + "\n"

    def _turn(self) -> list[str]:
        lines = ["  forced: play"] if self._forced else []
        late = not is_compared() and self._chance(0.2)
        if self._turn_roll or late:
            lines += ["  roll:"]
        if self._turn_roll:
            lines += [f"    die: {self._rolled(str(MOST), 'die')}"]
        if late:
            sight = self._rng.choice(("", ", seen by: owner", ", seen by: others"))
            lines += [f'    late: {{from: "0..{MOST}", when: "{self._truth([])}"{sight}}}']
        if is_compared():
            return lines
        for key, known in (("begin", []), ("effects", ["(late if late != none else 0)"] * late)):
            if self._chance(0.2):
                effects = self._effects(known, setup=True)
                lines += [f"  {key}:", *(line[2:] for line in effects)]
        return lines

    def _rolls(self) -> list[str]:
        return ["die"] if self._turn_roll else []

    def _state(self) -> list[str]:
        deck = self._rng.choice(("nobody", "nobody", "all"))
        lines = ["  seen: 1", f"  deck: {{start: 2, seen by: {deck}}}"]
        if "here" in self._extras:
            lines.append("  board: {type: grid of int, rows: 2, columns: 2, start: 2}")
        note = self._rng.choice(("owner", "nobody", "all"))
        lines += [
            "  each player:",
            "    hand: {start: 0, seen by: owner}",
            "    mark: 0",
            f"    note: {{start: 1, seen by: {note}}}",
        ]
        kinds = {
            "pool": "type: set of 0..99, start: [1, 98]",
            "here": 'type: cell of board, start: "cell(board, 1, 1)"',
        }
        for name in self._extras:
            lines.append(f"    {name}: {{{kinds[name]}, seen by: {note}}}")
        return lines

    def _setup(self) -> list[str]:
        lines = self._operation("pick", [], setup=True) if self._chance(0.4) else []
        if self._chance(0.6):
            lines += self._deal("deal", once=False)
        if self._chance(0.3):
            lines += self._deal("lay", once=True)
        return ["setup:", *lines] if lines else []

    def _deal(self, name: str, once: bool) -> list[str]:
        """What happens by itself before the first turn; `name` is also that of what is rolled."""
        lines = [f"  {name}:", *(["    once: true"] if once else [])]
        if not once and self._chance(0.2):
            lines.append(f"    for: players[{self._rng.randint(1, self._players)}]")
        if self._chance(0.2):
            lines.append(f'    when: "{self._shared_truth() if once else self._truth([])}"')
        roll = f"{name}t"
        if not once and self._chance(0.3):
            lines += ["    steps:", *self._rolling_step("cards", roll, [])]
            return lines
        lines += [
            "    roll:",
            f"      {roll}: {self._rolled(str(MOST), roll, once)}",
            "    effects:",
        ]
        if once:
            target = self._rng.choice(("deck", "deck", "seen", "hand of (players[1])"))
            return [*lines, f'      {target}: "{roll}"']
        return [*lines, *self._effects([roll], setup=True)]

    def _shared_truth(self) -> str:
        return f"{self._rng.choice(SHARED)} {self._rng.choice(('==', '!='))} 1"

    def _rolled(self, high: str, name: str, once: bool = False) -> str:
        text = f', text: "Drawn: {{{name}}}"' if self._chance(0.3) else ""
        seen = self._rng.choice(("all", "nobody") if once else ("all", "owner", "owner", "nobody"))
        sight = f", seen by: {seen}" if self._chance(0.4) else ""
        return f'{{from: "0..{high}"{text}{sight}}}'

    def _rolling_step(self, name: str, roll: str, known: list[str]) -> list[str]:
        """A step that rolls and has effects, now and then under conditions."""
        lines = [f"      {name}:"]
        if self._chance(0.5):
            lines.append(f'        when: "{self._truth(known)}"')
        if self._chance(0.5):
            lines.append(f"        repeat: {self._rng.choice((2, 'my.hand'))}")
            if self._chance(0.4):
                lines.append(f'        while: "{self._truth(known)}"')
        lines += ["        roll:", f"          {roll}: {self._rolled(str(MOST), roll)}"]
        effects = self._effects([*known, roll], setup=True)
        return [*lines, "        effects:", *(f"    {line}" for line in effects)]

    def _operation(self, name: str, rolls: list[str], setup: bool = False) -> list[str]:
        lines = [f"  {name}:"]
        if self._chance(0.35):
            lines.append("    secret: true")
        if not setup and self._chance(0.2):
            lines.append(f'    when: "{self._truth(rolls)}"')
        chosen = ["n", "m"][: self._rng.choice((0, 1, 1, 2)) or int(setup)]
        if chosen:
            lines += ["    choose:"]
            for k, choice in enumerate(chosen):
                high = self._number(rolls + chosen[:k]) if self._chance(0.2) else str(MOST)
                lines.append(f'      {choice}: "0..{high if not setup else MOST}"')
        known = rolls + chosen
        if self._chance(0.2):
            lines.append(f'    let: {{kept: "{self._number(known)}"}}')
            known = [*known, "kept"]
        if not setup and self._chance(0.2):
            lines += ["    steps:", *self._rolling_step("draw", "drawn", known)]
            lines += ["      last:", "        effects:"]
            lines += (f"    {line}" for line in self._effects(known, setup))
        else:
            if not setup and self._chance(0.4):
                high = f"max(0, {self._number(known)})" if self._chance(0.2) else str(MOST)
                lines += ["    roll:", f"      card: {self._rolled(high, 'card')}"]
                known = [*known, "card"]
            lines += ["    effects:", *self._effects(known, setup)]
        if not setup and self._chance(0.15):
            lines.append(f'    next: "me if {self._truth(known)} else next(me)"')
        for text in TOLD[:2]:
            if self._chance(0.15):
                told = [n for n in known if n != "kept"] if text == "updated" else rolls + chosen
                lines += ["    texts:", f'      {text}: "{self._text(told)}"']
                break
        return lines

    def _effects(self, known: list[str], setup: bool) -> list[str]:
        targets = ["my.hand", "my.note", "deck", "seen", "my.mark", "hand of (next(me))"]
        chosen = self._rng.sample(targets, self._rng.randint(1, 3))
        if self._chance(0.5):  # what is hidden alone
            chosen = [t for t in chosen if t not in ("seen", "my.mark")] or ["my.hand"]
        lines = [f'      {target}: "{self._number(known)}"' for target in chosen]
        if self._extras and self._chance(0.5):
            lines.append(f"      {self._extra_effect(known)}")
        return lines if setup else ["      count: count + 1", *lines]

    def _validity(self) -> list[str]:
        if self._chance(0.5):
            return []
        lines = ["validity:", "  barred:", f'    require: "{self._truth([])}"']
        if self._chance(0.5):
            lines = [
                "validity:",
                "  barred:",
                f'    require: "after.{self._rng.choice(SHARED)} != 1"',
            ]
        lines += [f'    because: "{self._text([])}"', f'    stuck: "{self._text([])}"']
        return lines if is_compared() else [*lines, *self._compulsory()]

    def _compulsory(self) -> list[str]:
        """A rule that makes moves compulsory, by what the player who moves sees, as a rule."""
        seen = self._rng.choice(("my.hand", "my.mark", "my.note", "seen", "deck"))
        condition = self._rng.choice(
            (
                f"after.{seen} > {seen}",
                f"mod(after.{seen}, 2) == 0",
                f"n >= {seen}",
                "after.can_move(me)",
                "after.can_move(next(me))",
                f"repetitions(seen) > 0 or n == {seen}",
                f"m != n or {seen} > 1",
            )
        )
        lines = ["  pressing:", f'    must: "{condition}"', f'    because: "{self._text([])}"']
        return lines if self._chance(0.7) else [*lines, "    for: [red]", "    instead of: [green]"]

    def _stuck(self) -> list[str]:
        if self._chance(0.3):
            return ["stuck: draw"]
        effects = f'  effects: {{count: count + 1, deck: "{self._number([])}"}}'
        return ["stuck:", "  result: pass", effects]

    def _end(self) -> list[str]:
        long = "  long: {when: count >= 7, result: draw}"
        if not is_compared() and self._chance(0.15):
            often = self._rng.choice(("repetitions(seen)", "repetitions(seen, me)"))
            return ["end:", f"  often: {{when: '{often} >= 2', result: draw}}", long]
        return ["end:", f'  hit: {{when: "count > 3 and {self._truth([])}", result: win}}', long]

    # ---- texts

    def _texts(self) -> list[str]:
        rolls = self._rolls()
        found = [
            f'  {name}: "{self._text(rolls)}{self._more(name)}"'
            for name in (*ASKED, *TOLD)
            if self._chance(0.2)
        ]
        return ["texts:", *found] if found else []

    def _more(self, name: str) -> str:
        more = {
            "menu": " {options}", "prompt": " ({entries}) ", "refused": " {because}",
            "unknown": " {typed}", "rolled": " {rolled}", "chosen": " {move}",
        }  # fmt: skip
        return more.get(name, "")

    def _text(self, known: list[str]) -> str:
        shown = f"It is {{{self._number(known, 1)}}}."
        if self._chance(0.4):
            shown += f" {{if {self._truth(known, 0)}}}So{{else}}Not{{end}}"
        if self._chance(0.3):
            shown += f" {{for p in players}}{{{self._rng.choice(OWNED)} of p}},{{end}}"
        return shown
