"""Lists that take more than a loop to make."""

from __future__ import annotations

from rulegame.native.kernels.machine import Words, leading_zeros


def subsets(among: int, size: int, out: Words) -> int:
    """All sets of `size` of the numbers whose bits are set, in lexicographic order; -1 if Python is
    to be asked.
    """
    count = 0
    left = among
    while left != 0:
        left = left & (left - 1)
        count += 1
    if size > count:
        return 0
    if size < 0 or combinations(count, size) > 100000:
        return -1
    if size == 0:
        out[0] = 0
        return 1
    chosen = first_bits(among, size)
    made = 0
    while True:
        out[made] = chosen
        made += 1
        # The last of the chosen that can be moved on: all after it stand at the very end.
        tail = 0
        taken = 0
        top = 63 - leading_zeros(among)
        while top >= 0 and chosen & (1 << top) != 0:
            tail = tail | (1 << top)
            taken += 1
            top = previous_bit(among, top)
        moving = chosen ^ tail
        if moving == 0:
            return made
        last = 63 - leading_zeros(moving)
        above = among ^ (among & ((1 << (last + 1)) - 1))
        chosen = (moving ^ (1 << last)) | first_bits(above, taken + 1)


def all_subsets(among: int, out: Words) -> int:
    """Those of all sizes, smaller ones first; -1 if Python is to be asked."""
    count = 0
    left = among
    while left != 0:
        left = left & (left - 1)
        count += 1
    if count > 16:
        return -1
    made = 0
    for size in range(count + 1):
        made += subsets(among, size, out[made:])
    return made


def put_in_order(row: Words, count: int) -> int:
    """Sorts numbers where they are: a heap of them, whose greatest is taken again and again."""
    start = count // 2
    end = count
    while end > 1:
        if start > 0:
            start -= 1
        else:
            end -= 1
            greatest = row[0]
            row[0] = row[end]
            row[end] = greatest
        at = start
        value = row[at]
        below = 2 * at + 1
        while below < end:
            if below + 1 < end and row[below + 1] > row[below]:
                below += 1
            if row[below] > value:
                row[at] = row[below]
                at = below
                below = 2 * at + 1
            else:
                below = end
        row[at] = value
    return 0


def numbers_of_row(row: Words, cells: int, low: int, out: Words) -> int:
    """The numbers of a set that is a row of cells, ascending; how many there are."""
    made = 0
    for k in range(cells):
        left = row[k]
        while left != 0:
            rest = left & (left - 1)
            out[made] = low + k * 62 + 63 - leading_zeros(left ^ rest)
            made += 1
            left = rest
    return made


def previous_bit(among: int, place: int) -> int:
    """The next lower number of a set; -1 if there is none."""
    lower = among & ((1 << place) - 1)
    if lower == 0:
        return -1
    return 63 - leading_zeros(lower)


def first_bits(among: int, count: int) -> int:
    """The least `count` numbers of a set."""
    found = 0
    for _ in range(count):
        lowest = among & (0 - among)
        found = found | lowest
        among = among ^ lowest
    return found


def combinations(count: int, size: int) -> int:
    """How many subsets there are; any number beyond the limit stands for all of those."""
    if size > count - size:
        size = count - size
    found = 1
    for k in range(size):
        found = found * (count - k) // (k + 1)
        if found > 200000:
            return found
    return found


def lines(rows: int, columns: int, hexagons: int, length: int, cell: int, out: Words) -> int:
    """Where each straight line of a grid begins, and its step, as in `language.cells`; if there is
    a cell (none: -1), of those that it is on.
    """
    if length < 1 or length > rows + columns:
        return 0
    found = 0
    directions = 4 if length > 1 else 1
    for direction in range(directions):
        down = 0 if direction == 0 else 1
        right = 1 if direction == 0 or direction == 2 else 0
        if direction == 3:
            right = 0 - 1
        if hexagons == 1 and direction == 2:
            continue
        for r in range(rows):
            for k in range(columns):
                last = k + right * (length - 1)
                if r + down * (length - 1) < rows and last >= 0 and last < columns:
                    start = r * columns + k
                    step = down * columns + right if length > 1 else 1
                    if cell < 0 or is_on_line(cell, columns, start, step, length) == 1:
                        out[2 * found] = start
                        out[2 * found + 1] = step
                        found += 1
    return found


def is_on_line(cell: int, columns: int, start: int, step: int, length: int) -> int:
    """Whether a cell is one of those that follow one another by a step."""
    at = start
    for _ in range(length):
        if at == cell:
            return 1
        at += step
    return 0
