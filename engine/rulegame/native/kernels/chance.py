"""What is drawn follows from the seed, the game's number and the step, as in `simulation.rng`."""

from __future__ import annotations

from rulegame.native.kernels.machine import STRIDE, Words

GOLDEN = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    """SplitMix64's last steps."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB
    return word ^ (word >> 31)


def spare(stride: int, at: int, attempt: int) -> int:
    """More words for a step whose half word is not enough."""
    return mixed(mixed(stride + (at + 1) * GOLDEN) + attempt * GOLDEN)


def below(limit: int, half: int, stride: int, at: int) -> int:
    """One of the numbers 0 to limit - 1; -1 if Python is to be asked, for large limits."""
    if limit >= 4294967296 or limit <= 0:
        return -1
    product = half * limit
    if (product & 4294967295) < limit:
        rejected = 4294967296 % limit
        attempt = 0
        while (product & 4294967295) < rejected:
            attempt += 1
            product = (spare(stride, at, attempt) >> 32) * limit
    return product >> 32


def shares(c: Words, out: Words, weights: Words, count: int) -> int:
    """What can be rolled, each once and with its share, as small as can be; -1 if Python is to be
    asked. Their sum goes to the context.
    """
    if count > 4096 and c[7] == 0:
        return -1
    kept = 0
    for k in range(count):
        share = weights[k]
        if share < 0 or share > 1152921504606846976:
            return -1
        if share > 0:
            value = out[k * STRIDE + 1]
            found = kept
            if c[7] == 0:
                found = 0
                while found < kept and out[found * STRIDE + 1] != value:
                    found += 1
            if found == kept:
                out[kept * STRIDE] = 0
                out[kept * STRIDE + 1] = value
                weights[kept] = share
                kept += 1
            else:
                weights[found] = weights[found] + share
                if weights[found] > 1152921504606846976:
                    return -1
    if kept == 0:
        return -1
    return reduced(c, weights, kept)


def reduced(c: Words, weights: Words, count: int) -> int:
    """Divides the weights by what they have in common, and adds them up."""
    common = 0
    for k in range(count):
        common = divisor(common, weights[k])
    total = 0
    for k in range(count):
        weights[k] = weights[k] // common
        total += weights[k]
        if total > 1152921504606846976:
            return -1
    c[6] = total
    return count


def divisor(a: int, b: int) -> int:
    """The greatest common one."""
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return a


def weighed(weights: Words, ticket: int) -> int:
    """Which of several a ticket is for."""
    k = 0
    while ticket >= weights[k]:
        ticket -= weights[k]
        k += 1
    return k
