"""A module of assembly for one game: its rules, the doors to them, and kernels around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

from rulegame.compiling import Kernel
from rulegame.core.ir import Role
from rulegame.evaluation.runtime import Fault
from rulegame.limits import LIMITS
from rulegame.model.payoffs import verdicts
from rulegame.native.assembly import HEAD, Pointer
from rulegame.native.context import BAIL_OUTS, FLOOR, METER, TOP, TOTAL, TooLong, Unsupported
from rulegame.native.kernel_code import KernelSignature, kernel_code
from rulegame.native.log import is_logged
from rulegame.native.rules import RuleCode, rule_code

# What each kernel needs of the others.
MODULES: Final = {
    "asking": ("chance", "collections"),
    "playing": ("chance", "collections", "ends"),
    "expanding": ("chance", "collections", "packing", "symmetry"),
    "sampling": ("chance", "collections", "packing"),
    "deepening": ("chance", "collections", "packing", "ends"),
    "stepping": ("chance", "collections", "ends", "lanes"),
    "searching": ("chance", "collections", "ends", "tree", "trying", "certainty"),
}
MOST_LETTERS: Final = 4_000_000  # of assembly, which take some ten seconds to compile
ENTRIES: Final = frozenset(
    {
        "options", "step", "get_past", "play_games", "expand", "enter_all", "act_of", "pack_again",
        "plant", "search", "play_out", "sample", "look_ahead", "move_games",
    }
)  # fmt: skip
# What is called from several places, and would take long to compile at each of them.
APART: Final = frozenset(
    {
        "settle", "take", "play_out", "keep", "recall", "make_node", "grow", "learn",
        "how_many_know", "prove", "prove_choice", "prove_roll",
    }
)  # fmt: skip
GRAPH_MODULES: Final = ("graphs", "induction", "chance", "walking")
LETTERS: Final = {"int": "i", "None": "v", "Words": "w", "Ints": "d", "Bytes": "b"}
GRAPH_FUNCTIONS: Final = (
    "transpose", "peel", "sweep", "count_ways", "choose", "shortest", "mixed", "spare", "below",
    "edge_of", "walk_games", "connect", "close", "lead_back", "induce", "follow", "judge",
)  # fmt: skip


class GameModule:
    """The text of a module, and what is to be known of it."""

    def __init__(self, kernel: Kernel, kernels: Iterable[str]) -> None:
        self.kernel, self.names = kernel, tuple(kernels)
        if kernel.counts_positions:
            title = kernel.ruleset.title
            raise Unsupported(f"the rules of {title} count earlier positions (repetitions)")
        self.code: RuleCode = rule_code(kernel.program.module, kernel.width)
        names = dict.fromkeys(
            [one for name in self.names for one in (*MODULES[name], name) if one != "asking"]
        )
        definitions = [d for name in names for d in _definitions(name)]
        doors = [d for d in ast.parse(self._doors()).body if isinstance(d, ast.FunctionDef)]
        known = {s.name: s for s in self._rule_signatures()}
        constants = {**self._constants(), **self._tables, **_numbers(names)}
        functions = kernel_code([*definitions, *doors], known, constants, ENTRIES, APART)
        text = "\n".join(
            [HEAD, *self.code.constants, *_private([*self.code.functions, *functions])]
        )
        if len(text) > MOST_LETTERS:
            raise TooLong(f"the text has more than {MOST_LETTERS:,} letters")
        self.text = text

    @property
    def stride(self) -> int:
        return self.code.stride

    def _constants(self) -> dict[str, int | Pointer]:
        program, kernel = self.kernel.program, self.kernel
        points = range(len(program.points))
        kinds = [operation.name for operation in kernel.ruleset.chosen]
        rolls = [p.roll.name for p in program.points if p.roll is not None]
        names = [("", name) for name in kinds] + [("roll", n) for n in dict.fromkeys(rolls)]
        pays = tuple(int(v.pays) for v in verdicts(kernel.ruleset))
        return {
            "SEATS": kernel.seats,
            "SIZE": program.shape.size,
            "STRIDE": self.code.stride,
            "STEPS": LIMITS.steps,
            "KINDS": len(names),
            "PAID": kernel.seats if any(pays) else 0,
            "PAYOFFS": program.shape.payoffs or 0,
            "PARTS": kernel.parts,
            "PAYS": self.code.table(pays),
            "IS_CHANCE": self.code.table(tuple(int(k in program.rolls) for k in points)),
            "IS_GATE": self.code.table(tuple(int(k in program.gates) for k in points)),
            "KIND": self.code.table(tuple(self._kind(k, names) for k in points)),
        }

    def _kind(self, point: int, names: list[tuple[str, str]]) -> int:
        at = self.kernel.program.points[point]
        if at.roll is not None:
            return names.index(("roll", at.roll.name))
        return names.index(("", at.operations[0].name)) if at.kind == "setup" else 0

    # ---- the doors to the rules

    def _rule_signatures(self) -> list[KernelSignature]:
        found = [
            KernelSignature("stuck", _words("c", "s", "t"), "int"),
            KernelSignature("moves_any", _words("c", "s", "out"), "int"),
        ]
        parameters = {
            Role.MOVES: _words("c", "s", "out"),
            Role.PLAY: _words("c", "s", "m", "t"),
            Role.GATE: _words("c", "s", "t"),
            Role.EVENTS: _words("c", "s", "out", "weights"),
        }
        for name, function in self.kernel.program.functions.items():
            if function.role in parameters:
                found.append(KernelSignature(name, parameters[function.role], "int"))
        return found

    def _doors(self) -> str:
        """The functions by which kernels ask the rules, whatever a game waits for. Every question
        has a whole budget and an empty heap.
        """
        self._tables: dict[str, int | Pointer] = {}
        fresh = f"    c[{METER}] = STEPS\n    c[{TOP}] = c[{FLOOR}]\n"
        counted = "def counted(c: Words, found: int) -> int:\n"
        if is_logged():  # counting takes time
            counted += f"    if found < 0:\n        c[{BAIL_OUTS - 1} - found] += 1\n"
        counted += "    return found\n"
        asked = "def options(c: Words, s: Words, out: Words, weights: Words) -> int:\n" + fresh
        played = "def step(c: Words, s: Words, m: Words, t: Words) -> int:\n" + fresh
        asked += "    point = s[1]\n"
        played += "    point = s[1]\n"
        past = "def get_past(c: Words, s: Words, t: Words) -> int:\n" + fresh
        past += "    point = s[1]\n"
        some = "def any_option(c: Words, s: Words, out: Words) -> int:\n" + fresh
        some += "    point = s[1]\n"
        for number in reversed(range(len(self.kernel.program.points))):
            test = f"    if point == {number}:\n" if number else "    if True:\n"
            asked += test + self._options_at(number)
            if number in self.kernel.program.gates:
                past += f"{test}        return counted(c, gate_{number}(c, s, t))\n"
                some += f"{test}        return 0\n"
            else:
                played += f"{test}        return counted(c, play_{number}(c, s, m, t))\n"
        past += "    return counted(c, stuck(c, s, t))\n"
        some += "    return counted(c, moves_any(c, s, out))\n"
        return f"{counted}{asked}{played}{past}{some}"

    def _options_at(self, point: int) -> str:
        program = self.kernel.program
        if program.points[point].kind == "turn":
            return f"        return counted(c, moves_{point}(c, s, out))\n"
        if program.points[point].kind == "gate":
            return "        return 0\n"
        if program.points[point].kind == "setup":
            asked = f"        count = counted(c, moves_{point}(c, s, out))\n"
            return f"{asked}        return count if count != 0 else -1\n"
        known = self._alike(point)
        if known is None:
            asked = f"        count = counted(c, events_{point}(c, s, out, weights))\n"
            found = "shares(c, out, weights, count) if count >= 0 else count"
            return f"{asked}        return {found}\n"
        values, weights = known
        words = [word for value in values for word in _padded((0, value), self.code.stride)]
        self._tables[f"OUT_{point}"] = self.code.table(tuple(words))
        self._tables[f"SHARES_{point}"] = self.code.table(weights)
        return (
            f"        copy(out, OUT_{point}, {len(words)})\n"
            f"        copy(weights, SHARES_{point}, {len(weights)})\n"
            f"        c[{TOTAL}] = {sum(weights)}\n        return {len(weights)}\n"
        )

    def _alike(self, point: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """What can be rolled and how likely, if that is the same in every state."""
        cells = list(self.kernel.start(0))
        cells[1] = point
        if not self.kernel.rolls_alike(tuple(cells)):
            return None
        try:
            codes = self.kernel.options(tuple(cells))
            weights = self.kernel.weights(tuple(cells))
        except Fault:
            return None
        if sum(weights) > 2**60:
            return None
        return tuple(self.kernel.actions[code].words[1] for code in codes), weights


def graph_module() -> str:
    """Kernels over state graphs, which need no rules."""
    numbers, exported = _numbers(GRAPH_MODULES), frozenset(GRAPH_FUNCTIONS)
    functions = kernel_code(_graph_definitions(), {}, numbers, exported)
    return "\n".join([HEAD, *functions])


def _graph_definitions() -> list[ast.FunctionDef]:
    found = [d for name in GRAPH_MODULES for d in _definitions(name)]
    return [definition for definition in found if definition.name in GRAPH_FUNCTIONS]


def graph_signature(name: str) -> tuple[str, str]:
    """The parameters and the result of a graph kernel, as `MachineCode.function` takes them."""
    [definition] = [d for d in _graph_definitions() if d.name == name]
    signature = KernelSignature.of(definition)
    parameters = "".join(LETTERS[kind] for _, kind in signature.parameters)
    return parameters, LETTERS[signature.result]


def _words(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, "Words") for name in names)


def _padded(words: tuple[int, ...], size: int) -> tuple[int, ...]:
    return words + (0,) * (size - len(words))


def _private(functions: list[str]) -> list[str]:
    """Only the entries can be called from outside: what is not called is left out."""
    private = []
    for text in functions:
        name = text.partition("@")[2].partition("(")[0]
        private.append(text if name in ENTRIES else text.replace("define ", "define internal ", 1))
    return private


@cache
def kernel_source(name: str) -> ast.Module:
    """A kernel as it is written."""
    source = files("rulegame.native.kernels").joinpath(f"{name}.py").read_text("utf-8")
    return ast.parse(source)


def _definitions(name: str) -> list[ast.FunctionDef]:
    return [node for node in kernel_source(name).body if isinstance(node, ast.FunctionDef)]


def _numbers(names: Iterable[str]) -> dict[str, int | Pointer]:
    """The constants that kernels begin with."""
    found: dict[str, int | Pointer] = {}
    for name in names:
        for node in kernel_source(name).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = (ast.literal_eval(node.value) + 2**63) % 2**64 - 2**63
    return found
