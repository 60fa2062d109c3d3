"""`rulegame play` without a name: the bundled rulesets to choose from; at a screen with the arrow
keys, then what can be varied, and against whom.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rulegame.players.registry import LEVELS
from rulegame.wording import as_written, joined
from rulegame_cli.calling.opening import settings
from rulegame_cli.calling.options import ScreenOptions, SettingsOptions
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import Terminal, one_line

if TYPE_CHECKING:
    from rulegame.model import Ruleset

PEOPLE: Final = "human"
OPPONENTS: Final = (PEOPLE, *LEVELS)
RANDOM: Final = "random"  # a coin toss


@dataclass(frozen=True, slots=True)
class Wish:
    """The game to play, with its settings, opponents and first player."""

    name: str
    sets: tuple[str, ...] = ()
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    opponent: str = ""
    first: str = ""

    @property
    def call(self) -> str:
        """The command that does the same."""
        words = ["rulegame", "play", self.name]
        for option, values in (("--set", self.sets), ("--enable", self.enable)):
            words += [word for value in values for word in (option, value)]
        words += [word for value in self.disable for word in ("--disable", value)]
        for option, value in (("--vs", self.opponent), ("--first", self.first)):
            words += [option, value] if value else []
        return shlex.join(words)


def choose_game(screen: ScreenOptions) -> Wish | None:
    """A bundled game; None, and a message, if none was chosen."""
    terminal = Terminal(screen.style, plain=screen.plain)
    try:
        wish = _at_screen(terminal, screen) if terminal.draws else _from_list(terminal)
    except EOFError:
        terminal.end_line()
        wish = None
    except KeyboardInterrupt:
        terminal.end_line()
        raise
    if wish is None:
        print("No game chosen.", file=sys.stderr)
    return wish


def _from_list(terminal: Terminal) -> Wish:
    from rulegame.bundled import ruleset_names
    from rulegame.loading import read_document

    names = ruleset_names()
    wide = len(str(len(names)))
    titles: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        ruleset = read_document(name)
        title = one_line(ruleset.title) if ruleset is not None else name
        titles.setdefault(title.lower(), name)
        terminal.write(f"{number:>{wide}}  {title} ({name})\n")
        if ruleset is not None and ruleset.summary:
            terminal.write(f"{'':>{wide}}  {one_line(ruleset.summary)}\n")
    while True:
        line = terminal.ask("Which game? ", False, lambda typed: names).strip()
        chosen = _named(line, names) or titles.get(line.lower())
        if chosen is not None:
            terminal.write("\n")
            return Wish(chosen)
        terminal.write(f"Type a number from 1 to {len(names)}, or a name.\n")


def _named(line: str, names: tuple[str, ...]) -> str | None:
    numbers = {str(number): name for number, name in enumerate(names, 1)}
    if line in numbers:
        return numbers[line]
    return next((name for name in names if name.lower() == line.lower()), None)


# ---- at a screen


def _at_screen(terminal: Terminal, screen: ScreenOptions) -> Wish | None:
    from rulegame.bundled import ruleset_names
    from rulegame.loading import read_document
    from rulegame_cli.printing.picking import Offer, pick

    offers = []
    for name in ruleset_names():
        ruleset = read_document(name)
        title, about = (ruleset.title, ruleset.summary) if ruleset is not None else (name, "")
        offers.append(Offer(name, one_line(title), one_line(about)))
    chosen = pick(offers, "Which game? ", screen.style)
    if chosen is None:
        return None
    terminal.write(f"{chosen.title}\n{chosen.about}\n\n")
    wish = _vary(terminal, Wish(chosen.name), screen)
    wish = replace(wish, opponent=_opponent(terminal, wish.name))
    wish = replace(wish, first=_first(terminal, wish))
    terminal.write(f"Next time: {wish.call}\n\n")
    return wish


def _opponent(terminal: Terminal, name: str) -> str:
    ruleset = _ruleset(Wish(name))
    if ruleset is None or len(ruleset.players) < 2:
        return ""
    while True:
        offered = joined(OPPONENTS, "or")
        line = terminal.ask(f"Opponent: {offered}? [{PEOPLE}] ", False, _opponents)
        answer = line.strip().lower()
        found = [known for known in OPPONENTS if answer and known.startswith(answer)]
        if not answer or found == [PEOPLE]:
            return ""
        if len(found) == 1:
            return found[0]
        terminal.write(f"Type {offered}.\n")


def _opponents(typed: str) -> tuple[str, ...]:
    return OPPONENTS


def _first(terminal: Terminal, wish: Wish) -> str:
    """Who moves first, as `--first` takes it; empty for the first seat."""
    from rulegame.playing.seating import seated_names

    ruleset = _ruleset(wish)
    if ruleset is None or len(ruleset.players) < 2:
        return ""
    seats = [PEOPLE, *[wish.opponent or PEOPLE] * (len(ruleset.players) - 1)]
    names = [one_line(name) for name in seated_names(ruleset.players, seats)]
    known = {name.lower(): str(seat) for seat, name in enumerate(names, 1)}
    known |= {seat: seat for seat in known.values()} | {RANDOM: RANDOM}
    while True:
        offered = joined([*names, RANDOM], "or")
        line = terminal.ask(f"Who moves first: {offered}? [{names[0]}] ", False, lambda _: [*known])
        answer = line.strip().lower()
        if not answer:
            return ""
        found = {value for word, value in known.items() if word.startswith(answer)}
        if answer in known or len(found) == 1:
            return known.get(answer) or found.pop()
        terminal.write(f"Type {offered}.\n")


def _vary(terminal: Terminal, wish: Wish, screen: ScreenOptions) -> Wish:
    """The game with other parameters and operations, as long as somebody changes some."""
    ruleset = _ruleset(wish)
    if ruleset is None or not (ruleset.parameters or len(ruleset.listed) > 1):
        return wish
    terminal.write("".join(f"{line}\n" for line in _variable(ruleset)))
    while True:
        line = terminal.ask(
            f"Change a setting (e.g. {_example(ruleset)}), or press Enter to start: ", False
        )
        if not line.strip():
            return wish
        other = _changed(wish, line.strip(), ruleset)
        problem = _problem(other)
        if problem:
            terminal.write(f"{problem}\n")
            continue
        wish = other
        ruleset = _ruleset(wish) or ruleset
        terminal.write("".join(f"{said}\n" for said in _variable(ruleset)))


def _values(ruleset: Ruleset) -> list[str]:
    """The parameters as `name=value`."""
    from rulegame.evaluation.values import decode

    return [
        f"{name}="
        + as_written(
            decode(p.type, p.value if isinstance(p.value, tuple) else (p.value,), ruleset.words)
        )
        for name, p in ruleset.parameters.items()
    ]


def _variable(ruleset: Ruleset) -> Iterator[str]:
    """What can be changed, as it is now."""
    values = _values(ruleset)
    wide = max(map(len, values), default=0)
    for value, parameter in zip(values, ruleset.parameters.values(), strict=True):
        yield f"  {value:<{wide}}  {one_line(parameter.about)}".rstrip()
    if len(ruleset.listed) > 1:
        on = {operation.name for operation in ruleset.operations}
        for operation in ruleset.listed:
            state = "on " if operation.name in on else "off"
            yield f"  [{state}] {operation.name}: {one_line(operation.about or operation.label)}"


def _example(ruleset: Ruleset) -> str:
    """A setting as it can be typed: the first parameter, or an operation to switch."""
    return (_values(ruleset) or [ruleset.listed[0].name])[0]


def _changed(wish: Wish, line: str, ruleset: Ruleset) -> Wish:
    """The wish with one thing changed: a parameter, or an operation switched."""
    if "=" in line:
        name = line.partition("=")[0].strip()
        kept = tuple(text for text in wish.sets if text.partition("=")[0].strip() != name)
        return replace(wish, sets=(*kept, line))
    named = [o.name for o in ruleset.listed if line.lower() in (o.name.lower(), o.label.lower())]
    name = named[0] if named else line
    if name in (o.name for o in ruleset.operations):
        enable = tuple(one for one in wish.enable if one != name)
        switched = wish.disable if name in wish.enable else (*wish.disable, name)
        return replace(wish, enable=enable, disable=switched)
    disable = tuple(one for one in wish.disable if one != name)
    switched = wish.enable if name in wish.disable else (*wish.enable, name)
    return replace(wish, disable=disable, enable=switched)


def _problem(wish: Wish) -> str:
    """Why a game cannot be varied like that; empty if it can."""
    from rulegame.loading import read_ruleset

    try:
        ruleset, diagnostics, _ = read_ruleset(wish.name, settings(_options(wish)))
    except WrongCall as mistake:
        return str(mistake)
    if ruleset is not None:
        return ""
    return diagnostics[0].in_one_line if diagnostics else "This setting is not valid."


def _ruleset(wish: Wish) -> Ruleset | None:
    from rulegame.loading import read_ruleset

    return read_ruleset(wish.name, settings(_options(wish)))[0]


def _options(wish: Wish) -> SettingsOptions:
    return SettingsOptions(sets=wish.sets, enable=wish.enable, disable=wish.disable)
