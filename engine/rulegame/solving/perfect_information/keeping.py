"""Solutions of large games, kept in the user's cache folder as plain arrays of bytes.

The key holds all that a solution follows from: the functions that were generated from the rules,
with the constants that they use, the layout of a state, who may win how, the state that was begun
with, and whose the values are. An entry also holds the digest of the program that made it, and is
of no use to another. What is read is held against a digest, too (`files.cache`), and nothing in it
is run: moves are made anew by the game, from the numbers of their choices.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells, Outcome
from rulegame.exploring import StateGraph, own_state
from rulegame.exploring.state_table import Field, StateKeys
from rulegame.exploring.symmetries import symmetries_of
from rulegame.files.cache import load_view, store_entry
from rulegame.game import Game, GameError, State
from rulegame.model.meaning import meaning
from rulegame.solving.arena import make_arena
from rulegame.solving.perfect_information.solution import PerfectInformationSolution, WholeValues

KIND: Final = "solution"  # of an entry in the cache
FORMAT: Final = 2
FEWEST_EDGES: Final = 200_000  # smaller games are solved in a moment
MOST_BYTES: Final = 500 * 2**20
WORTH_KEEPING: Final = 50 * 2**20  # bytes; of what was found sooner, so many a second are not kept
ALIGNED: Final = 64
GRAPH: Final = ("owner", "offsets", "successors", "moves", "weights", "outcome")
VALUES: Final = ("lowers", "uppers", "distances", "chosen")


class KeptValues(Sequence[Fraction]):
    """Exact values, read when they are asked for; few of them are different."""

    def __init__(self, places: NDArray[np.int32], texts: Sequence[str]) -> None:
        self._places, self._texts = places, texts

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Fraction:  # type: ignore[override]
        above, below = self._texts[self._places[number]].split("/")
        return Fraction(int(above, 16), int(below, 16))


def load_solution(
    game: Game, first: int, at: State | None = None, *, symmetric: bool = True
) -> PerfectInformationSolution | None:
    """The solution that was kept of a game, or from a state on, if there is one; `symmetric` as it
    was asked for then.
    """
    if game.kernel.counts_positions:  # which are not kept
        return None
    try:
        begin = game.start(first) if at is None else own_state(game, at)
    except GameError:  # which exploring will come upon, too, and tell of
        return None
    found = load_view(KIND, _key(begin, first, symmetric))
    if found is None:
        return None
    length = int.from_bytes(found[:8], "little")
    head = json.loads(bytes(found[8 : 8 + length]))
    if head["program"] != _program_digest():
        return None
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape, place in head["arrays"]:
        if place is None:  # one number stands for all
            arrays[name] = np.broadcast_to(np.zeros((), kind), shape)
        else:
            count = int(np.prod(shape))
            arrays[name] = np.frombuffer(found, kind, count, place).reshape(shape)
    return _restored(game, begin.cells, first, head, arrays)


def _restored(
    game: Game, begin: Cells, first: int, head: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> PerfectInformationSolution:
    kernel = game.kernel
    codes = tuple(kernel.code(name, tuple(choices)) for name, choices in head["moves"])
    fields = [Field(*field) for field in head["fields"]]
    found: dict[str, Any] = {name: arrays[name] for name in GRAPH}
    graph = StateGraph(
        game=game,
        **found,
        move_table=game.moves_of(codes),
        outcomes=tuple(_outcome(*one) for one in head["outcomes"]),
        cells=StateKeys.restored(fields, arrays["words"], arrays["slots"]),
        symmetries=symmetries_of(kernel, begin) if head["symmetric"] else None,
    )
    values: Sequence[Fraction] | None = None
    if head["exact"] == "whole":
        values = WholeValues(arrays["lowers"])
    elif head["exact"] == "fractions":
        values = KeptValues(arrays["places"], bytes(arrays["texts"]).decode().split())
    solution = PerfectInformationSolution(
        graph=graph,
        arena=make_arena(graph, first),
        values=values,
        lowers=arrays["lowers"],
        uppers=arrays["uppers"],
        distances=arrays.get("distances"),
        chosen=arrays["chosen"],
        longest_game=head["longest"],
        shortest_game=head["shortest"],
    )
    if "fates" in arrays:
        vars(solution)["fates"] = tuple(arrays["fates"].astype(bool))
    return solution


def _outcome(winners: Any, losers: Any, draw: bool, payoffs: Any, rule: str) -> Outcome:
    paid: Any = tuple(int(p) if p.denominator == 1 else p for p in map(Fraction, payoffs))
    return Outcome(tuple(winners), tuple(losers), draw, paid, rule)


def keep_solution(
    solution: PerfectInformationSolution, first: int, seconds: float, *, symmetric: bool = True
) -> None:
    """Keeps a solution that took so long, if it is large enough to be worth it, and no larger."""
    if solution.graph.game.kernel.counts_positions:
        return
    if solution.graph.nbytes > WORTH_KEEPING * seconds:
        return
    if solution.graph.edges < FEWEST_EDGES or solution.graph.nbytes > MOST_BYTES:
        return
    arrays, head = _arrays(solution), _head(solution)
    if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        return
    rows, parts, place = [], [], 0
    for name, array in arrays.items():
        plain = None if 0 in array.strides else place
        rows.append((name, array.dtype.str, array.shape, plain))
        if plain is not None:
            parts.append(np.ascontiguousarray(array))
            place += -(-array.nbytes // ALIGNED) * ALIGNED
    text = _text(head, rows, 0)
    begins = -(-(8 + len(text) + 32 * len(rows)) // ALIGNED) * ALIGNED
    text = _text(head, rows, begins)
    content: list[Any] = [len(text).to_bytes(8, "little"), text, bytes(begins - 8 - len(text))]
    for part in parts:
        content += [part.data.cast("B"), bytes(-part.nbytes % ALIGNED)]
    store_entry(KIND, _key(solution.graph.state(0), first, symmetric), *content)


def _text(head: dict[str, Any], rows: list[Any], begins: int) -> bytes:
    """The head, if the arrays begin there."""
    placed = [(n, k, s, None if at is None else begins + at) for n, k, s, at in rows]
    return json.dumps(head | {"arrays": placed}).encode()


def _arrays(solution: PerfectInformationSolution) -> dict[str, NDArray[Any]]:
    graph = solution.graph
    found = {name: getattr(graph, name) for name in GRAPH}
    found |= {"words": graph.cells.words, "slots": graph.cells.slots}
    found |= {name: getattr(solution, name) for name in VALUES}
    if solution.distances is None:
        found["fates"] = np.array(solution.fates, np.int8)
    if solution.values is not None and not isinstance(solution.values, WholeValues):
        known: dict[Fraction, int] = {}
        places = [known.setdefault(value, len(known)) for value in solution.values]
        texts = " ".join(f"{v.numerator:x}/{v.denominator:x}" for v in known).encode()
        found |= {"places": np.array(places, np.int32), "texts": np.frombuffer(texts, np.uint8)}
    return {name: array for name, array in found.items() if array is not None}


def _head(solution: PerfectInformationSolution) -> dict[str, Any]:
    graph = solution.graph
    values = solution.values
    whole = isinstance(values, WholeValues)
    return {
        "program": _program_digest(),
        "moves": [(move.operation, move.codes[1:]) for move in graph.move_table],
        "outcomes": [
            (o.winners, o.losers, o.draw, [str(pay) for pay in o.payoffs], o.rule)
            for o in graph.outcomes
        ],
        "fields": [(f.low, f.high, f.word, f.shift) for f in graph.cells.fields],
        "exact": "whole" if whole else "no" if values is None else "fractions",
        "longest": solution.longest_game,
        "shortest": solution.shortest_game,
        "symmetric": graph.symmetries is not None,
    }


def _key(begin: State, first: int, symmetric: bool) -> bytes:
    """All that a solution follows from."""
    game = begin.game
    said = (
        FORMAT,
        sys.byteorder,
        game.kernel.code_of_rules,
        [(o.name, len(o.choices)) for o in (*game.ruleset.operations, *game.ruleset.setup)],
        game.kernel.end_rules,
        game.kernel.is_plain,
        len(game.players),
        meaning(game.ruleset),
        game.parameters,
        begin.cells,
        first,
        [(one.grids, one.word) for one in game.ruleset.symmetry if symmetric],
    )
    return repr(said).encode()


@cache
def _program_digest() -> str:
    """That of the program itself: one that was changed does not go by what it found before."""
    folder = Path(__file__).parents[1]
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
