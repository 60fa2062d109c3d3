"""A search tree that grows in Python: the functions of `native.kernels.searching` run as they are,
and what they ask of the rules is asked of the kernel. Draw by draw the same as machine code.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import accumulate
from math import gcd, sqrt
from types import CodeType
from typing import Any, Final

from rulegame.compiling import OVER, Cells, Codes, Fault, Kernel
from rulegame.native.kernels import tree as at
from rulegame.native.module import MODULES, kernel_source
from rulegame.players.table import FastTable
from rulegame.players.tree_memory import DEEPEST, head

ALL: Final = 2**64 - 1
GOLDEN: Final = 0x9E3779B97F4A7C15
MACHINE: Final = ("chance", "collections", "ends", "trying")  # what is done otherwise here
ASKED: Final = (
    "settle", "take", "player", "payoff", "play_out", "rolled", "share", "keep", "recall",
)  # fmt: skip

Tree = list[Any]  # words, floating-point numbers, and the cells of states


@cache
def _code() -> CodeType:
    """The kernels without their imports: all names are in one space."""
    names = [name for name in (*MODULES["searching"], "searching") if name not in MACHINE]
    kept = [
        node
        for name in names
        for node in kernel_source(name).body
        if isinstance(node, (ast.FunctionDef, ast.Assign))
    ]
    module = ast.parse("from __future__ import annotations")
    module.body += kept
    return compile(module, "<the search tree>", "exec")


class PythonTree:
    """One tree."""

    def __init__(self, table: FastTable, seed: int, hunter: int) -> None:
        self.words: Tree = [0] * (at.HEAD + 2 * (at.OWN + at.EACH * table.seats))
        words, reals = head(table, seed, hunter, len(self.words))
        for place, value in (*words.items(), *reals.items()):
            self.words[place] = value
        asked = _Questions(table)
        self._names: dict[str, Any] = {name: getattr(asked, name) for name in ASKED}
        self._names |= {"SEATS": table.seats, "SIZE": 1, "drawn": drawn, "divisor": gcd}
        self._names |= {"sqrt": sqrt, "leading_zeros": lambda n: 64 - n.bit_length()}
        exec(_code(), self._names)
        states: list[list[Any]] = [[()] for _ in range(4)]  # two, and options and weights
        self._rows = [0] * 16, self.words, self.words, [0] * DEEPEST, *states

    @property
    def reals(self) -> Tree:
        return self.words

    def plant(self, cells: Cells) -> None:
        context, words, reals, _, state, *others = self._rows
        state[0] = cells
        self._make_room(1)
        self._names["plant"](context, words, reals, state, *others)

    def grow(self, iterations: int) -> int:
        done = 0
        search: Callable[..., int] = self._names["search"]
        while True:
            done += search(*self._rows, iterations - done)
            needed = self.words[at.NEEDED]
            if not needed:
                return done
            self._make_room(needed)

    def _make_room(self, needed: int) -> None:
        self.words.extend([0] * max(needed, len(self.words)))
        self.words[at.ROOM], self.words[at.NEEDED] = len(self.words), 0

    def put(self, place: int, values: Sequence[int]) -> None:
        self._make_room(len(values))
        self.words[place : place + len(values)] = values


class _Questions:
    """What `native.kernels.trying` does, with a state as a row of one: its cells. The weights are
    those at the cells that were settled last.
    """

    def __init__(self, table: FastTable) -> None:
        self._kernel = table.kernel

    def settle(
        self, _: object, s: list[Cells], out: list[Codes], weights: list[Cells], __: object
    ) -> int:
        try:
            s[0], out[0], _player = self._kernel.settle(s[0])
        except Fault:
            return -1
        weights[0] = s[0]
        return len(out[0])

    def take(self, _: object, s: list[Cells], out: list[Codes], k: int, into: list[Cells]) -> int:
        try:
            into[0] = self._kernel.step(s[0], out[0][k])
        except Fault:
            return -1
        return 0

    def player(self, s: list[Cells]) -> int:
        return self._kernel.player(s[0])

    def payoff(self, s: list[Cells], seat: int) -> float:
        return self._kernel.worth(s[0], seat)

    def play_out(self, _: object, t: Tree, s: list[Cells], *__: object) -> int:
        s[0], steps = play_at_random(self._kernel, t, s[0], t[at.LONGEST])
        return steps

    def rolled(self, _: object, t: Tree, weights: list[Cells], count: int) -> int:
        sums = list(accumulate(self._kernel.weights(weights[0])))
        ticket = drawn(t, sums[-1])
        return ticket if sums[-1] == count else bisect_right(sums, ticket)

    def share(self, _: object, weights: list[Cells], k: int) -> float:
        found = self._kernel.weights(weights[0])
        return float(found[k]) / float(sum(found))

    def keep(self, t: Tree, place: int, s: list[Cells]) -> int:
        t[place] = s[0]
        return 1

    def recall(self, t: Tree, place: int, s: list[Cells]) -> None:
        s[0] = t[place]


def play_at_random(kernel: Kernel, t: Tree, cells: Cells, longest: int) -> tuple[Cells, int]:
    """Where a game comes to, and after how many steps; below 0 if the end does not come."""
    below = partial(drawn, t)

    def choose(cells: Cells, options: Codes, player: int, _: int) -> int:
        return kernel.any_of(cells, options, player, below)

    try:
        end, steps = kernel.run(cells, choose, longest)
    except Fault:
        return cells, -1
    return end, steps if kernel.player(end) == OVER else -1


def drawn(t: Tree, limit: int) -> int:
    """One of the numbers 0 to limit - 1."""
    if limit == 1:
        return 0
    word = _next(t)
    if limit < 65536:
        return (word >> 32) * limit >> 32
    while word > ALL - ALL % limit:
        word = _next(t)
    return word % limit


def _next(t: Tree) -> int:
    """SplitMix64."""
    word = t[at.RANDOM] = t[at.RANDOM] + GOLDEN & ALL
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL
    return int(word ^ word >> 31)
