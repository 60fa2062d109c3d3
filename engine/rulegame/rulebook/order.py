"""The effects of a step in an order in which one can carry them out one after the other. All of
them read the values from before the step, so whatever is read must not have been changed yet.
"""

from __future__ import annotations

from rulegame.language import typed
from rulegame.language.shape import same
from rulegame.language.typed import Typed, Write, owner_key


def in_order(writes: tuple[Write, ...]) -> list[Write]:
    """As they are written, but what is read comes before it is changed, where that can be."""
    left, ordered = list(writes), []
    while left:
        safe = [one for one in left if not any(_disturbs(one, o) for o in left if o is not one)]
        chosen = (safe or left)[0]
        ordered.append(chosen)
        left.remove(chosen)
    return ordered


def all_at_once(ordered: list[Write]) -> bool:
    """Whether something is read after it has been changed, in every order."""
    for number, write in enumerate(ordered):
        if any(_disturbs(earlier, write) for earlier in ordered[:number]):
            return True
        if write.loops and any(part.variable == write.variable for part in _reads(write)):
            return True
    return False


def _disturbs(earlier: Write, write: Write) -> bool:
    """Whether an effect changes what another one reads. A value that becomes the very same is no
    matter: it is said to become the new one.
    """
    plain = earlier.owner is None and not earlier.indices and not earlier.loops
    read = [*_reads(write), *_place_reads(write)]
    if plain and same(earlier.value, write.value):
        read = _place_reads(write)
    return any(_may_be_changed(part, earlier) for part in read)


def _place_reads(write: Write) -> list[typed.Value]:
    """The values on which it depends what an effect changes."""
    parts = [*write.indices, *typed.loop_parts(write.loops)]
    if write.owner is not None:
        parts.append(write.owner)
    return [p for part in parts for p in typed.every_part(part) if isinstance(p, typed.Value)]


def _reads(write: Write) -> list[typed.Value]:
    """The values that an effect depends on, but for the one that it changes: that is changed once,
    or the rules fail.
    """
    own = typed.Value(write.variable.type, write.variable, write.owner, "now")

    def found(part: Typed) -> list[typed.Value]:
        match part:
            case typed.Element(base=base, indices=indices) if write.indices and same(base, own):
                if all(map(same, indices, write.indices)):
                    return [value for index in indices for value in found(index)]
        if isinstance(part, typed.Value) and not write.indices and same(part, own):
            return []
        inner = [value for one in typed.parts(part) for value in found(one)]
        return [part, *inner] if isinstance(part, typed.Value) else inner

    conditions = [loop.condition for loop in write.loops if loop.condition is not None]
    read = [value for part in (write.value, *conditions) for value in found(part)]
    collections = [loop.collection for loop in write.loops]
    owners = [] if write.owner is None else [write.owner]
    fixed = [p for part in (*write.indices, *collections, *owners) for p in typed.every_part(part)]
    return read + [part for part in fixed if isinstance(part, typed.Value)]


def _may_be_changed(part: typed.Value, write: Write) -> bool:
    if part.variable != write.variable:
        return False
    owners = {owner_key(part.owner), owner_key(write.owner)}
    return owners != {"me", "them"}
