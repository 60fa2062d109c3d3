"""States that are the same but for a symmetry that the ruleset declares: one of them stands for
all, the least. That the symmetry holds is not taken on trust: `check` looks at what follows a state
and its images.

Why that is enough: if what follows every image of a state is, but for symmetry, what follows the
state, and as likely, then so is the rest of the game, and all of them have the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, Cells, Kernel
from rulegame.language.types import Grid
from rulegame.model import Symmetry

Places = tuple[int, ...]  # where each cell of the image comes from


class Asymmetric(Exception):
    """A symmetry does not hold: in `cells`, what follows is not as it is in the image."""

    def __init__(self, cells: Cells, code: int, names: tuple[str, ...], image: Cells) -> None:
        self.cells, self.code, self.names, self.image = cells, code, names, image


class Symmetries:
    """All that the declared symmetries come to which leave one state, the start, as it is."""

    def __init__(self, kernel: Kernel, start: Cells) -> None:
        self._kernel = kernel
        found = generated(_generators(kernel), len(start))
        self._all = {p: n for p, n in found.items() if _image(start, p) == start}

    def __len__(self) -> int:
        return len(self._all)

    def table(self) -> NDArray[np.int64]:
        """A row for each, as the kernel knows them; the first changes nothing."""
        return np.array(list(self._all), np.int64)

    def representative(self, cells: Cells) -> Cells:
        """The state that stands for one and its images."""
        return min([_image(cells, places) for places in self._all])

    def images(self, cells: Cells) -> list[Cells]:
        """A state and its images, each once."""
        return list(dict.fromkeys(_image(cells, places) for places in self._all))

    def after(self, cells: Cells, code: int) -> Cells:
        """What stands for the state after a move."""
        kernel = self._kernel
        return self.representative(kernel.advance(kernel.step(cells, code)))

    def check(self, cells: Cells) -> None:
        """Asymmetric, if what follows the images of a state is not what follows it."""
        expected = self._following(cells)
        counted = Counter(expected.values())
        for places, names in self._all.items():
            image = _image(cells, places)
            if image == cells:
                continue
            found = self._following(image)
            if Counter(found.values()) != counted:
                code, swapped = _odd(expected, found)
                here, there = (image, cells) if swapped else (cells, image)
                raise Asymmetric(here, code, names, there)

    def _following(self, cells: Cells) -> dict[int, tuple[Cells, int]]:
        """What each option leads to, and how likely it is."""
        options = self._kernel.options(cells)
        rolled = self._kernel.player(cells) == CHANCE
        weights = self._kernel.weights(cells) if rolled else (0,) * len(options)
        pairs = zip(options, weights, strict=True)
        return {code: (self.after(cells, code), weight) for code, weight in pairs}


def symmetries_of(kernel: Kernel, start: Cells) -> Symmetries | None:
    """What a ruleset declares; None if that is nothing, or nothing for this start, or if earlier
    positions count, which have no images.
    """
    if not kernel.ruleset.symmetry or kernel.counts_positions:
        return None
    found = Symmetries(kernel, start)
    return found if len(found) > 1 else None


def _odd(
    expected: dict[int, tuple[Cells, int]], found: dict[int, tuple[Cells, int]]
) -> tuple[int, bool]:
    """An option that has no counterpart, and whether it is one of the image."""
    for one, other, swapped in ((expected, found, False), (found, expected, True)):
        spare = Counter(other.values())
        for code, then in one.items():
            if not spare[then]:
                return code, swapped
            spare[then] -= 1
    raise AssertionError("what follows is the same")


def _image(cells: Cells, places: Places) -> Cells:
    return tuple([cells[place] for place in places])


def _generators(kernel: Kernel) -> Iterator[tuple[Places, str]]:
    size = len(kernel.start(0))
    for one in kernel.ruleset.symmetry:
        places = list(range(size))
        for into, source in _moved(kernel, one):
            places[into] = source
        yield tuple(places), one.word


def _moved(kernel: Kernel, symmetry: Symmetry) -> Iterator[tuple[int, int]]:
    """Each cell of the grids, and the one whose value it gets."""
    for name in symmetry.grids:
        variable = kernel.ruleset.state[name].variable
        grid = variable.type
        assert isinstance(grid, Grid)
        for owner in range(kernel.seats if variable.each_player else 1):
            cells = kernel.places(name, owner)
            for row in range(grid.rows):
                for column in range(grid.columns):
                    r, c = _turned(symmetry.word, row, column, grid)
                    yield cells[row * grid.columns + column], cells[r * grid.columns + c]


def _turned(word: str, row: int, column: int, grid: Grid) -> tuple[int, int]:
    last_row, last_column = grid.rows - 1, grid.columns - 1
    match word:
        case "mirror columns":
            return row, last_column - column
        case "mirror rows":
            return last_row - row, column
        case "transpose":
            return column, row
        case "half turn":
            return last_row - row, last_column - column
    return last_row - column, row  # rotate


def generated(generators: Iterable[tuple[Places, str]], size: int) -> dict[Places, tuple[str, ...]]:
    """All that some symmetries come to, one after the other; how each is made."""
    known: dict[Places, tuple[str, ...]] = {tuple(range(size)): ()}
    waiting, steps = list(known), list(generators)
    for places in waiting:
        for step, name in steps:
            made = _image(places, step)
            if made not in known:
                known[made] = (*known[places], name)
                waiting.append(made)
    return known
