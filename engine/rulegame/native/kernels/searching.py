"""Monte Carlo tree search where nothing is hidden: UCT, with dice, for any number of players. What
is certain is kept and carried upward (`certainty`).

Runs as machine code and, where there is none, as Python: the same draws, the same tree.
"""

from __future__ import annotations

from rulegame.native.kernels.certainty import (
    find_shared,
    how_many_know,
    is_foreseen,
    is_won,
    learn,
    learn_win_at_once,
    prove_choice,
    prove_roll,
)
from rulegame.native.kernels.chance import divisor
from rulegame.native.kernels.machine import SEATS, SIZE, Reals, Words, leading_zeros, sqrt
from rulegame.native.kernels.tree import (
    BLOCK,
    CAPACITY,
    COUNT,
    DEEPEST,
    EACH,
    EXPLORATION,
    FEWEST,
    FIRST,
    FREE,
    GAINS,
    HIGH,
    HUNTER,
    KNOWN,
    LOOSE,
    LOW,
    MOST,
    NEEDED,
    NEXT,
    NODES,
    OPPOSED,
    OPTION,
    ORDER,
    OWN,
    PACE,
    PLAIN,
    RANDOM,
    RECORD,
    ROOM,
    ROOT,
    SEAT,
    SETTLED,
    SHARED,
    SHARES,
    SHORTER,
    STATE,
    TOTAL,
    TRIED,
    VALUE,
    VISITS,
    WINS_SOUGHT,
)
from rulegame.native.kernels.trying import (
    drawn,
    keep,
    payoff,
    play_out,
    player,
    recall,
    rolled,
    settle,
    take,
)

CHANCE = -1
OVER = -2
FOUND = -1  # in place of an option: it has a node already
FAILED = -2  # the rules fail


def plant(c: Words, t: Words, r: Reals, s: Words, spare: Words, out: Words, weights: Words) -> int:
    """The root, for a state."""
    make_node(c, t, r, t[ROOT], 0, s, spare, out, weights)
    return t[ROOT]


def search(
    c: Words,
    t: Words,
    r: Reals,
    path: Words,
    s: Words,
    spare: Words,
    out: Words,
    weights: Words,
    count: int,
) -> int:
    """So many iterations, or fewer if it is certain what to play, memory is needed or Python is to
    search; how many there were.
    """
    done = 0
    root = t[ROOT]
    own = root + OWN + EACH * t[root + SEAT]
    while done < count and (t[HUNTER] >= 0 or t[own + KNOWN] < 0):
        if iterate(c, t, r, path, s, spare, out, weights) == 0 or c[9] != 0:
            return done
        done += 1
    return done


def iterate(
    c: Words, t: Words, r: Reals, path: Words, s: Words, spare: Words, out: Words, weights: Words
) -> int:
    """Down the tree to something new, then at random to the end; 0 if memory is needed for that."""
    before = t[RANDOM]
    node = t[ROOT]
    path[0] = node
    depth = 1
    fresh = False
    while not fresh and t[node + SETTLED] == 0 and depth < t[DEEPEST]:
        option = choose(c, t, r, node, s, spare, out, weights)
        if option == FAILED:
            fail(t, node)
        else:
            if option == FOUND:
                node = t[NEXT]
            else:
                node = grow(c, t, r, node, option, s, spare, out, weights)
                fresh = True
                if node == 0:
                    t[RANDOM] = before
                    return 0
            path[depth] = node
            depth += 1
    if t[node + SETTLED] == 1:
        for seat in range(SEATS):
            r[GAINS + seat] = r[node + OWN + EACH * seat + VALUE]
    else:
        if not fresh:
            recall(t, t[node + STATE], s)
        finish(c, t, r, s, spare, out, weights, depth)
    count_in(t, r, path, depth)
    if t[HUNTER] < 0 and how_many_know(t, node) > 0:
        prove(c, t, r, path, depth - 2, s, spare, out, weights)
    return 1


def finish(
    c: Words, t: Words, r: Reals, s: Words, spare: Words, out: Words, weights: Words, depth: int
) -> None:
    """A game at random from here: nothing for anyone if it does not end, and less the later it
    does.
    """
    steps = play_out(c, t, s, spare, out, weights)
    left = 1.0
    if t[PLAIN] == 1:
        left = power(r[SHORTER], depth + steps)
    for seat in range(SEATS):
        r[GAINS + seat] = payoff(s, seat) * left if steps >= 0 else 0.0


def power(base: float, times: int) -> float:
    result = 1.0
    while times > 0:
        if times & 1 == 1:
            result = result * base
        base = base * base
        times = times >> 1
    return result


def count_in(t: Words, r: Reals, path: Words, depth: int) -> None:
    """What came of an iteration, for all nodes on its way."""
    for seat in range(SEATS):
        gain = r[GAINS + seat]
        if gain < r[LOW]:
            r[LOW] = gain
        if gain > r[HIGH]:
            r[HIGH] = gain
    for k in range(depth):
        node = path[k]
        t[node + VISITS] += 1
        for seat in range(SEATS):
            r[node + OWN + EACH * seat + TOTAL] += r[GAINS + seat]


# ---- on the way down


def choose(
    c: Words, t: Words, r: Reals, node: int, s: Words, spare: Words, out: Words, weights: Words
) -> int:
    """The option to try for the first time; or FOUND, and the next node is NEXT."""
    seat = t[node + SEAT]
    if seat == CHANCE:
        recall(t, t[node + STATE], s)
        count = settle(c, s, out, weights, spare)
        return find(t, node, rolled(c, t, weights, count)) if count > 0 else FAILED
    if t[HUNTER] >= 0 and seat != t[HUNTER]:
        return find(t, node, drawn(t, t[node + COUNT]))
    if is_won(t, r, node, seat):
        return take_win(t, r, node, seat)
    tried = t[node + TRIED]
    if tried < t[node + COUNT] and (
        tried < t[FEWEST] or tried < int(3.0 * sqrt(float(t[node + VISITS])))
    ):
        return option_of(t, node, tried)
    t[NEXT] = select(t, r, node, seat)
    return FOUND


def option_of(t: Words, node: int, k: int) -> int:
    """The option that is tried as the k-th."""
    if t[node + ORDER] != 0:
        return t[t[node + ORDER] + k]
    return (t[node + FIRST] + k * t[node + PACE]) % t[node + COUNT]


def find(t: Words, node: int, option: int) -> int:
    """Whether an option has a node already."""
    child = t[node + BLOCK]
    for _ in range(t[node + TRIED]):
        if t[child + OPTION] == option:
            t[NEXT] = child
            return FOUND
        child += t[RECORD]
    return option


def take_win(t: Words, r: Reals, node: int, seat: int) -> int:
    """The way of a player who has a certain win; what the others get there is left to find."""
    best = 0
    child = t[node + BLOCK]
    for _ in range(t[node + TRIED]):
        if is_won(t, r, child, seat) and (best == 0 or is_sooner(t, child, best, seat)):
            best = child
        child += t[RECORD]
    if best == 0:  # it was seen that the first move wins
        return option_of(t, node, 0)
    t[NEXT] = best
    return FOUND


def is_sooner(t: Words, one: int, other: int, seat: int) -> bool:
    place = OWN + EACH * seat + KNOWN
    return t[one + place] >> 1 < t[other + place] >> 1


def select(t: Words, r: Reals, node: int, seat: int) -> int:
    """The child with the best mean, uncertainty added; those proved lost only if all are."""
    span = r[HIGH] - r[LOW]
    if span == 0.0:
        span = 1.0
    exploration = r[EXPLORATION] * span
    whole = exploration * exploration * logarithm(t[node + VISITS] + 1)
    child = t[node + BLOCK]
    best = child
    best_score = -1e300
    for _ in range(t[node + TRIED]):
        own = child + OWN + EACH * seat
        visits = float(t[child + VISITS])
        if t[own + KNOWN] < 0:
            score = r[own + TOTAL] / visits + sqrt(whole / visits)
        else:
            score = r[own + VALUE]
            if score > r[LOW]:
                score += sqrt(whole / visits)
        if score > best_score:
            best = child
            best_score = score
        child += t[RECORD]
    return best


def logarithm(n: int) -> float:
    """The natural one of a whole number, within 0.006: the same on every machine."""
    bits = 63 - leading_zeros(n)
    part = float(n) / float(1 << bits) - 1.0
    return 0.6931471805599453 * (float(bits) + part + 0.343 * part * (1.0 - part))


# ---- nodes


def grow(
    c: Words,
    t: Words,
    r: Reals,
    node: int,
    option: int,
    s: Words,
    spare: Words,
    out: Words,
    weights: Words,
) -> int:
    """The node that an option leads to, its state in `s`; 0 if memory is needed for it."""
    child = t[LOOSE]
    if t[NODES] < t[MOST] or node == t[ROOT]:
        child = new_child(t, node)
        if child == 0:
            return 0
    recall(t, t[node + STATE], spare)
    count = settle(c, spare, out, weights, s)
    if count < 0 or take(c, spare, out, option, s) < 0:
        clear(t, child, option)
        fail(t, child)
    else:
        make_node(c, t, r, child, option, s, spare, out, weights)
    if child != t[LOOSE]:
        t[node + TRIED] += 1
        t[NODES] += 1
    return child


def new_child(t: Words, node: int) -> int:
    """Room for one more child, behind the others, and for its state; 0 if there is none."""
    tried = t[node + TRIED]
    wider = t[node + CAPACITY]
    if tried == wider:
        wider = 2 * tried if tried > 0 else 2
        wider = t[node + COUNT] if t[node + COUNT] < wider else wider
    needed = wider * t[RECORD] + SIZE + 1
    if t[FREE] + needed > t[ROOM]:
        t[NEEDED] = needed
        return 0
    if wider > t[node + CAPACITY]:
        block = t[FREE]
        for k in range(tried * t[RECORD]):
            t[block + k] = t[t[node + BLOCK] + k]
        t[node + BLOCK] = block
        t[node + CAPACITY] = wider
        t[FREE] = block + wider * t[RECORD]
    return t[node + BLOCK] + tried * t[RECORD]


def clear(t: Words, node: int, option: int) -> None:
    for k in range(t[RECORD]):
        t[node + k] = 0
    for seat in range(SEATS):
        t[node + OWN + EACH * seat + KNOWN] = -1
    t[node + OPTION] = option
    t[node + SHARES] = t[OPPOSED]


def fail(t: Words, node: int) -> None:
    """The rules fail here: the game comes to nothing, and nothing is proved by it."""
    t[node + SEAT] = OVER
    t[node + SETTLED] = 1
    t[node + SHARES] = 0


def make_node(
    c: Words,
    t: Words,
    r: Reals,
    node: int,
    option: int,
    s: Words,
    spare: Words,
    out: Words,
    weights: Words,
) -> None:
    """A node for the state in `s`, in which what happens by itself has happened afterwards."""
    clear(t, node, option)
    count = settle(c, s, out, weights, spare)
    if count < 0:
        fail(t, node)
        return
    seat = player(s)
    t[node + SEAT] = seat
    t[node + COUNT] = count
    if seat == OVER:
        end(t, r, node, s)
        return
    if node != t[LOOSE]:
        t[node + STATE] = t[FREE]
        t[FREE] += keep(t, t[FREE], s)
    if seat < 0:
        return
    shuffle(t, node)
    sought = t[PLAIN] == 1 and (t[HUNTER] < 0 or t[HUNTER] == seat)
    if node == t[ROOT]:  # a win is not proved before it is tried: a move is wanted
        if t[PLAIN] == 1:
            seek_win(c, t, node, s, spare, out)
    elif sought and count <= t[WINS_SOUGHT] and seek_win(c, t, node, s, spare, out):
        learn_win_at_once(t, r, node, seat)


def end(t: Words, r: Reals, node: int, s: Words) -> None:
    """The game is over."""
    together = 0.0
    for seat in range(SEATS):
        learn(t, r, node, seat, payoff(s, seat), 1)
        together += payoff(s, seat)
    t[node + SHARES] = 1 if SEATS == 2 else 0
    r[node + SHARED] = together


def shuffle(t: Words, node: int) -> None:
    """In which order the options are tried."""
    count = t[node + COUNT]
    if count < 2:
        return
    t[node + FIRST] = drawn(t, count)
    pace = 1 + drawn(t, count - 1)
    while divisor(pace, count) != 1:
        pace = pace + 1 if pace + 1 < count else 1
    t[node + PACE] = pace


def seek_win(c: Words, t: Words, node: int, s: Words, spare: Words, out: Words) -> bool:
    """A move that wins at once needs no games at random to be found: it is put first."""
    seat = t[node + SEAT]
    for k in range(t[node + COUNT]):
        if take(c, s, out, k, spare) >= 0 and player(spare) == OVER and payoff(spare, seat) >= 1.0:
            t[node + FIRST] = k
            return True
    return False


# ---- proofs


def prove(
    c: Words,
    t: Words,
    r: Reals,
    path: Words,
    last: int,
    s: Words,
    spare: Words,
    out: Words,
    weights: Words,
) -> None:
    """Carries what is certain at the end of a path upward, as far as it reaches."""
    while last >= 0:
        node = path[last]
        before = how_many_know(t, node)
        if t[node + SEAT] == CHANCE:
            if not is_foreseen(t, node):
                return
            recall(t, t[node + STATE], s)
            settle(c, s, out, weights, spare)
            find_shared(t, r, node)
            prove_roll(t, r, node, c, weights)
        else:
            find_shared(t, r, node)
            prove_choice(t, r, node)
        if how_many_know(t, node) == before:
            return
        last -= 1
