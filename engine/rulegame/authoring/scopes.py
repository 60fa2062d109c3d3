"""Which names are known at a place of a ruleset, by its path: what the binder of expressions would
accept there, also where it cannot look because the file is not complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from rulegame.authoring.symbols import DeclaredNames, Symbol
from rulegame.building.context import TextNames
from rulegame.building.texts import RULE_NAMES, TEXT_NAMES, WITH_BEFORE, of_choice
from rulegame.building.together import NAME as TOGETHER
from rulegame.keys.ruleset import Path
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Era

Locals = Mapping[str, tuple[Symbol, ...]]

SPECIAL: Final = {
    "me": "the player who moves",
    "them": "the opponent",
    "players": "all players, in seat order",
    "first": "the player who moved first in this game",
}
RESULTS: Final = {
    "win": "the player wins",
    "lose": "the player loses",
    "draw": "nobody wins",
    "pass": "the turn goes on to the next player",
}
RULE_TEXTS: Final = ("note", "because", "stuck")
MOVE_TEXTS: Final = ("chosen", "updated", "ended")  # texts that know the choices of the move


@dataclass(frozen=True, slots=True)
class Known:
    """What an expression may use at one place, beside definitions, parameters, words and
    functions.
    """

    locals: Locals = field(default_factory=dict)
    state: bool = True
    me: bool = True
    eras: tuple[Era, ...] = ()
    texts: bool = False
    results: bool = False  # whether `win`, `lose` and so on are likely

    def with_local(self, symbol: Symbol) -> Known:
        """The same inside a loop."""
        return replace(self, locals={**self.locals, symbol.name: (symbol,)})


def known_at(names: DeclaredNames, path: Path, text: bool = False) -> Known:
    """What is known at the place with that path; `text` if it is a text with braces."""
    known = _section(names, path)
    if not text:
        return known
    own = _text_names(path)
    taken = {n for n in own.later if n in known.locals or resolve(names, known, n)}
    built_in = {name: (Symbol("text name", name),) for name in own.beside(taken)}
    return replace(known, texts=True, state=True, locals={**known.locals, **built_in})


def resolve(names: DeclaredNames, known: Known, name: str, era: Era = "now") -> tuple[Symbol, ...]:
    """What a bare name stands for; nothing if it is not known."""
    if era == "now":
        if name in known.locals:
            return known.locals[name]
        if name in SPECIAL:
            return (Symbol("special", name),)
        values = names.named(name, "value") if known.state else ()
        if found := values or names.first(name, "definition", "parameter", "word", "type"):
            return found
        return (Symbol("special", name),) if name in RESULTS else ()
    return names.first(name, "value", "definition")


def resolve_call(names: DeclaredNames, name: str) -> tuple[Symbol, ...]:
    """What a name that is called stands for."""
    found = names.named(name, "definition")
    return found or ((Symbol("function", name),) if name in FUNCTIONS else ())


def _section(names: DeclaredNames, path: Path) -> Known:
    section, rest = path[0] if path else "", path[1:]
    turn = _rolls(names, "")
    match section:
        case "define":
            head = rest[0].partition("(")[0].strip() if rest else ""
            return Known(_locals(names.of("argument", owner=head)))
        case "parameters" | "types":
            return Known(state=False, me=False)
        case "state":
            return Known(state=False, me=rest[:1] == ("each player",))
        case "turn" if rest[:1] == ("first",):
            return Known(me=False)
        case "turn" if rest[:1] == ("begin",):
            return Known()
        case "turn" if rest[:1] == ("roll",):
            return Known(_locals(_up_to(turn, rest)))
        case "turn" if rest[:1] in (("let",), ("effects",), ("steps",)):
            lets = names.of("value of a move", owner="")
            own = lets if rest[0] != "let" else _before(lets, rest[1] if len(rest) > 1 else "")
            rolls = _rolls(names, TOGETHER) if rest[0] == "steps" else []
            chosen = _chosen_by_all(names) if names.together else []
            return Known(_locals([*turn, *own, *rolls, *chosen]), me=not names.together)
        case "setup" | "operations" if rest[-1:] == ("within",):
            return Known(state=False, me=False)
        case "setup" if rest[1:2] == ("for",):
            return Known(state=False, me=False)
        case "setup" | "operations":
            before = [] if section == "setup" else turn
            return Known(_of_operation(names, rest, before), eras=_eras(rest[1:]))
        case "validity":
            return Known(_locals([*turn, *names.of("choice")]), eras=("after",))
        case "stuck":
            eras: tuple[Era, ...] = ("after",) if rest[:1] == ("unless",) else ()
            return Known(_locals(turn), eras=eras, results=rest[-1:] != ("unless",))
        case "end" if rest[-1:] == ("text",):
            return Known(_locals([*turn, *names.of("choice")]), eras=("before",))
        case "end":
            return Known(_locals(turn), results=rest[-1:] in (("result",), ("everyone",)))
        case "texts":
            every = names.of("choice") if rest[:1] and rest[0] in MOVE_TEXTS else []
            return Known(_locals([*turn, *every]), eras=_eras(path))
    return Known(_locals(turn))


def _of_operation(names: DeclaredNames, path: Path, turn: list[Symbol]) -> Locals:
    """What an operation knows, by the path inside its section."""
    owner, part = path[0] if path else "", path[1:]
    choices = names.of("choice", owner=owner)
    lets = names.of("value of a move", owner=owner)
    match part[:1]:
        case ("when",):
            return _locals(turn)
        case ("choose",):
            return _locals([*turn, *_before(choices, part[1] if len(part) > 1 else "")])
        case ("let",):
            return _locals([*turn, *choices, *_before(lets, part[1] if len(part) > 1 else "")])
        case ("roll",):
            return _locals([*turn, *choices, *lets, *_up_to(_rolls(names, owner), part)])
        case ("texts",) if part[1:2] and part[1] not in MOVE_TEXTS:
            return _locals(turn)
        case ("texts",):
            lets = []
    return _locals([*turn, *choices, *lets, *_rolls(names, owner)])


def _chosen_by_all(names: DeclaredNames) -> list[Symbol]:
    """What players choose at once: the choices of operations."""
    return [c for o in names.of("operation") for c in names.of("choice", owner=o.name)]


def _rolls(names: DeclaredNames, owner: str) -> list[Symbol]:
    return names.of("roll", owner=owner)


def _before(symbols: list[Symbol], name: str) -> list[Symbol]:
    """Those before the one of that name; all, if there is none."""
    at = next((k for k, s in enumerate(symbols) if s.name == name), len(symbols))
    return symbols[:at]


def _up_to(symbols: list[Symbol], path: Path) -> list[Symbol]:
    """The rolls that a part of a roll (`roll`, its name, the part) knows: itself too in its weight
    and its text.
    """
    name = path[1] if len(path) > 1 else ""
    own = [s for s in symbols if s.name == name] if path[2:3] in (("weight",), ("text",)) else []
    return [*_before(symbols, name), *own]


def _locals(symbols: Iterable[Symbol]) -> dict[str, tuple[Symbol, ...]]:
    """By name; where several operations have a choice of that name, it stands for each."""
    found: dict[str, tuple[Symbol, ...]] = {}
    for symbol in symbols:
        found[symbol.name] = (*found.get(symbol.name, ()), symbol)
    return found


def _eras(path: Path) -> tuple[Era, ...]:
    """`before.` in the texts about a move."""
    return ("before",) if path[:1] == ("texts",) and path[-1] in WITH_BEFORE else ()


def _text_names(path: Path) -> TextNames:
    """The names that a text has of its own."""
    name = path[-1] if path else ""
    if path[:1] in (("operations",), ("setup",)):
        path = path[2:]  # an operation may be called anything
    if "texts" in path:
        return TEXT_NAMES.get(name, TextNames())
    if "choose" in path:
        return of_choice(name) if name in TEXT_NAMES else TextNames()
    if path[:1] == ("validity",) and name in RULE_TEXTS:
        return RULE_NAMES
    if "roll" in path:
        return TEXT_NAMES["rolled"]
    if path == ("stuck", "text"):
        return TEXT_NAMES["stuck"]
    return TEXT_NAMES["ended"]
