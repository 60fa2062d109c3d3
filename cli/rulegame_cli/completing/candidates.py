"""What may come next on a command line, by the metavar of the option or argument that is typed.

It must be quick, so nothing is compiled or solved, and silent: what cannot be read offers nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import typer

from rulegame.playing.saving import SUFFIX, glances
from rulegame.playing.seating import HUMAN
from rulegame_cli.calling.gathering import STANDARD_INPUT, SUFFIXES
from rulegame_cli.calling.opponents import OPPONENTS, opponents

if TYPE_CHECKING:
    from rulegame.model import ParameterRule, Ruleset

MOST_VALUES: Final = 20  # of a parameter that are listed

Candidate = tuple[str, str]  # what may be typed, and what it is
Candidates = Iterator[Candidate]


class Typed(NamedTuple):
    """A call as far as it is typed: the word that is being completed, and what came before."""

    word: str
    parameter: Any  # of typer's: whose value the word is to be
    ruleset: str  # that the call names; empty if it names none


def candidates(words: Sequence[str], command: Any) -> list[Candidate]:
    """What the last of the words may become; `command` is typer's, with its parameters."""
    *before, word = words
    parameters = command.get_params(typer.Context(command))
    arguments = [p for p in parameters if p.param_type_name == "argument"]
    options = {name: p for p in parameters if p not in arguments for name in p.opts}
    values: list[str] = []  # of the arguments
    waiting = None  # the option whose value comes next
    for previous in before:
        option = options.get(previous.partition("=")[0]) if previous.startswith("-") else None
        if waiting is not None:
            waiting = None
        elif option is None:
            values.append(previous)
        elif not option.is_flag and "=" not in previous:
            waiting = option
    ruleset = _ruleset_name(arguments, values)
    name, equals, value = word.partition("=")
    if waiting is not None:
        return _matching("", Typed(word, waiting, ruleset))
    if equals and name in options and word.startswith("--"):
        return _matching(f"{name}=", Typed(value, options[name], ruleset))
    if word.startswith("-"):
        return [(n, p.help) for n, p in options.items() if n.startswith(word)]
    here = arguments[len(values) :] or [p for p in arguments if p.nargs < 0]
    return _matching("", Typed(word, here[0], ruleset)) if here else []


def _ruleset_name(arguments: Sequence[Any], values: Sequence[str]) -> str:
    named = zip((argument.metavar for argument in arguments), values, strict=False)
    return next((value for metavar, value in named if "RULESET" in metavar.split("|")), "")


def _matching(prefix: str, typed: Typed) -> list[Candidate]:
    """A metavar lists alternatives: words to be typed as they are, and kinds of things."""
    found: dict[str, str] = {}
    for part in typed.parameter.metavar.split("|"):
        kind = KINDS.get(part)
        if kind is not None:
            found |= kind(typed)
        elif part.islower() or part.isdigit():
            found[part] = ""
    if typed.parameter.metavar == OPPONENTS:
        found |= dict.fromkeys(opponents(), "")
    return [(prefix + text, about) for text, about in found.items() if text.startswith(typed.word)]


# ---- kinds of things, by the metavars that stand for them


def _rulesets(typed: Typed) -> Candidates:
    from rulegame.bundled import ruleset_names

    if not {"/", os.sep} & set(typed.word):
        yield from ((name, "") for name in ruleset_names())
    yield from _inside(typed, SUFFIXES)


def _files(typed: Typed) -> Candidates:
    """A saved game, a ruleset; for options any file."""
    if "ID" in typed.parameter.metavar.split("|"):
        return _inside(typed, (SUFFIX,))
    return _inside(typed, SUFFIXES if typed.parameter.param_type_name == "argument" else ())


def _inside(typed: Typed, suffixes: tuple[str, ...]) -> Candidates:
    """Files, with those endings if any are given, and folders."""
    folder, _, start = typed.word.rpartition("/")
    at = Path(folder or ("/" if typed.word.startswith("/") else ".")).expanduser()
    shown = typed.word.removesuffix(start)
    try:
        inside = sorted(os.scandir(at), key=lambda entry: entry.name)
    except (OSError, ValueError, RuntimeError):
        return
    for entry in inside:
        if entry.name.startswith(".") > start.startswith("."):
            continue
        if entry.is_dir():
            yield f"{shown}{entry.name}/", ""
        elif not suffixes or entry.name.endswith(suffixes):
            yield f"{shown}{entry.name}", ""


def _saves(typed: Typed) -> Candidates:
    for glance in glances():
        state = "over" if glance.over else "in progress"
        yield glance.code, f"{glance.header.get('title', '?')}, {state}"


def _codes(typed: Typed) -> Candidates:
    from rulegame_cli.printing.error_pages import current_codes, title

    yield from ((code, title(code)) for code in current_codes() if code.startswith(typed.word))


def _passes(typed: Typed) -> Candidates:
    from rulegame.core.passes import LOWERING, PASSES

    yield LOWERING, "The rules as lowered, before the first pass."
    yield from ((one.name, one.about) for one in PASSES)


def _settings(typed: Typed) -> Candidates:
    """A parameter with `=`, then its values if they are few."""
    ruleset = _opened(typed.ruleset)
    name, equals, _ = typed.word.partition("=")
    rules: Mapping[str, ParameterRule] = {} if ruleset is None else ruleset.parameters
    if equals and name in rules:
        yield from ((f"{name}={value}", "") for value in _values(rules[name]))
    elif not equals:
        yield from ((f"{rule.name}=", rule.about) for rule in rules.values())


def _values(rule: ParameterRule) -> Sequence[str]:
    from rulegame.language.types import Bool

    if isinstance(rule.type, Bool):
        return "true", "false"
    if rule.numbers and not isinstance(rule.value, tuple):
        return [str(number) for number in rule.numbers]
    if rule.words or isinstance(rule.value, tuple) or rule.low is None or rule.high is None:
        return rule.words
    few = rule.high - rule.low < MOST_VALUES
    return [str(number) for number in range(rule.low, rule.high + 1)] if few else ()


def _operations(typed: Typed) -> Candidates:
    """Those that can be switched on, or off, or both."""
    ruleset = _opened(typed.ruleset)
    if ruleset is None:
        return
    if typed.parameter.name != "enable":
        yield from ((operation.name, operation.label) for operation in ruleset.operations)
    if typed.parameter.name != "disable":
        yield from ((operation.name, operation.label) for operation in ruleset.disabled)


def _moves(typed: Typed) -> Candidates:
    """The operation of the move after the last comma; what it takes is not known before play."""
    ruleset = _opened(typed.ruleset)
    start = typed.word.rstrip().rpartition(",")[0]
    before = typed.word[: len(start) + 1 if start else 0]
    before += " " * (len(typed.word) - len(before) - len(typed.word[len(before) :].lstrip()))
    if ruleset is not None:
        yield from ((f"{before}{o.name}", o.label) for o in ruleset.chosen)


def _seats(typed: Typed) -> Candidates:
    """After the last comma a seat with `=`, then who may sit there."""
    before, comma, last = typed.word.rpartition(",")
    number, equals, _ = last.partition("=")
    if equals:
        names = (HUMAN, *opponents())
        yield from ((f"{before}{comma}{number}={name}", "") for name in names)
        return
    ruleset = _opened(typed.ruleset)
    names = ("", "") if ruleset is None else ruleset.players
    yield from ((f"{before}{comma}{seat}=", name) for seat, name in enumerate(names, 1))


def _players(typed: Typed) -> Candidates:
    before, comma, _ = typed.word.rpartition(",")
    yield from ((f"{before}{comma}{name}", "") for name in opponents())


def _opened(name: str) -> Ruleset | None:
    """The ruleset of a name; None if there is none, or if it has problems."""
    from rulegame.loading import load_ruleset

    if not name or name == STANDARD_INPUT:
        return None
    try:
        return load_ruleset(name)[0]
    except FileNotFoundError:
        return None


KINDS: Final[Mapping[str, Callable[[Typed], Candidates]]] = {
    "RULESET": _rulesets,
    "OTHER": _rulesets,
    "FILE": _files,
    "ID": _saves,
    "CODE": _codes,
    "PASS": _passes,
    "NAME=VALUE": _settings,
    "NAME=VALUES": _settings,
    "OPERATION": _operations,
    "MOVE": _moves,
    "MOVES": _moves,
    "MOVE,MOVE": _moves,
    "NUMBER=PLAYER": _seats,
    "PLAYER,PLAYER": _players,
}
