"""What is declared of a built-in function, and the registry of all that are.

A row refers to code of later packages by name (`Reference`), so that reading a ruleset loads
neither the compiler nor the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from rulegame.language.arguments import Check, Gather
from rulegame.language.syntax import Era
from rulegame.language.typed import Call, Constant, Typed
from rulegame.language.types import Type


class Reference(str):
    """Something of another module, `module:name`, which is imported when it is first needed."""

    __slots__ = ()

    def load(self) -> Any:
        """What the reference stands for."""
        return _loaded(self)


@cache
def _loaded(reference: str) -> Any:
    module, _, path = reference.partition(":")
    found: Any = import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return found


class Intrinsic(NamedTuple):
    """A function that the intermediate representation calls for a built-in: the kinds of its
    arguments and of its result (`core.intrinsics.KINDS`; "!" if it may fail), a function in Python,
    and a method of `native.functions.Functions`, unless Python alone has it.
    """

    name: str
    signature: str
    python: Reference
    native: Reference | None = None

    @property
    def fails(self) -> bool:
        """Whether it may fail."""
        return self.signature.endswith("!")


class Loops(NamedTuple):
    """How a built-in is called with loops, `f(x for v in collection)`."""

    type: Gather
    only: bool = False  # it is called in no other way
    one_condition: bool = False  # with one `for` that has one `if`
    keeps: bool = False  # it returns a list of the elements


# A definition cannot have the name of one of these, and hides a function that was added later, so
# that rulesets keep their meaning. No name is ever added here.
VERSION_1: Final = frozenset((
    "any", "all", "count", "sum", "min", "max", "list", "size", "abs", "mod", "next", "previous",
    "seat", "with", "without", "subsets", "rows", "columns", "lines", "inside", "neighbours",
    "around", "or_list", "and_list", "one_per_line", "a", "words", "plural", "capital", "keyed",
))  # fmt: skip


class Function(NamedTuple):
    """A built-in function: how it is called, what it returns, how it is computed and described."""

    name: str
    usage: str
    about: str
    type: Check
    min_args: int = 1
    max_args: int = 1
    loops: Loops | None = None  # may be called with loops
    text: bool = False  # only in texts
    board: bool = False  # the first argument is a board, not what is on it
    eras: tuple[Era, ...] = ()  # `after.` may stand before it
    for_each: str = ""  # the function that takes a collection where this one takes a number
    # cost: the most elements that it makes, where its type does not tell; whether it goes through
    # its arguments; whether computing it takes a loop
    work: Callable[[Sequence[Typed]], int] | None = None
    visits: bool = True
    is_loop: bool = False
    # failures: whether it can fail in play, and calls that certainly do not
    fails: bool = False
    is_sure: Callable[[Call], bool] | None = None
    # code: a call that is known beforehand; how it is lowered, if not as a call of its intrinsic
    # (the second, for sets in several cells), and the arguments that are put in front or appended
    folded: Callable[[Type, Sequence[Typed]], Constant | None] | None = None
    lowered: Reference | None = None
    intrinsics: tuple[Intrinsic, ...] = ()
    passes_shape: bool = False  # first: the rows and columns of the grid
    passes_elements: bool = False  # in place of the first argument: its elements
    passes_set_bounds: bool = False  # last: the least and the greatest element of the set
    passes_tiles: bool = False  # last: whether the tiles are hexagons, if they are
    # the rulebook: words with the arguments in braces, or a function of (phrases, call)
    phrase: str | Reference = ""
    # random expressions: a type and a call, with the types of arguments in braces
    samples: tuple[str, ...] = ()

    @property
    def is_shadowable(self) -> bool:
        """Whether a definition of the same name hides it."""
        return self.name not in VERSION_1


class Registry(dict[str, Function]):
    """The built-in functions by name, and their intrinsics."""

    def __init__(self, rows: Iterable[Function]) -> None:
        super().__init__((row.name, row) for row in rows)
        self.intrinsics = self._intrinsics()

    def _intrinsics(self) -> dict[str, Intrinsic]:
        return {one.name: one for row in self.values() for one in row.intrinsics}

    @contextmanager
    def adding(self, *rows: Function) -> Iterator[None]:
        """Inside, there are more built-in functions."""
        before = dict(self)
        self.update((row.name, row) for row in rows)
        self.intrinsics = self._intrinsics()
        try:
            yield
        finally:
            self.clear()
            self.update(before)
            self.intrinsics = self._intrinsics()
