"""Many games at once, each waiting for a player's action: for programs that learn.

What belongs to one game is a row: its cells, its `facts`, its part of what is seen, of the mask of
valid actions, and of what everybody gets. Where Python is to be asked, cells and facts stay as they
were.
"""

from __future__ import annotations

from rulegame.native.kernels.chance import GOLDEN, below, mixed, weighed
from rulegame.native.kernels.ends import payoff_of
from rulegame.native.kernels.lanes import (
    ACTIONS,
    AGAIN,
    ASK,
    BEGIN,
    CELL,
    CELLS,
    CHOICE,
    CUT,
    FACTS,
    FINISHED,
    INVALID,
    LEAVE,
    LOOKING,
    MOST_MOVES,
    MOST_ROLLS,
    MOVES,
    NONE,
    NUMBER,
    OPENING,
    PLAYING,
    POINTS,
    ROLLS,
    SEAT_OF_ALL,
    SECRETS,
    STATUS,
    STEPS_SO_FAR,
    WIDTH,
)
from rulegame.native.kernels.machine import (
    IS_CHANCE,
    PARTS,
    SEATS,
    SIZE,
    STRIDE,
    Bytes,
    Floats,
    Reals,
    Words,
    copy,
    get_past,
    options,
    room,
    step,
)


def move_games(
    c: Words, out: Words, weights: Words, plan: Words, cells: Words, hidden: Bytes, kinds: Words,
    codes: Words, starts: Words, seeds: Words, what: Bytes, actions: Words, states: Words,
    facts: Words, seen: Floats, masks: Bytes, rewards: Reals, finals: Floats, ended: Bytes,
    count: int,
) -> int:  # fmt: skip
    """Does with each game what is to be done with it, up to the next decision; how many are left to
    Python, whose `ended` is ASK. Otherwise that is PLAYING, or in which status a game has ended.
    """
    asked = 0
    for k in range(count):
        if what[k] != LEAVE:
            done = move_game(
                c, out, weights, plan, cells, hidden, kinds, codes, starts, seeds[2 * k :],
                what[k] == BEGIN, actions[k], states[k * SIZE :], facts[k * FACTS :],
                seen[k * plan[WIDTH] :], masks[k * plan[ACTIONS] :], rewards[k * SEATS :],
                finals[k * plan[WIDTH] :],
            )  # fmt: skip
            ended[k] = done
            if done == ASK:
                asked += 1
    return asked


def move_game(
    c: Words, out: Words, weights: Words, plan: Words, cells: Words, hidden: Bytes, kinds: Words,
    codes: Words, starts: Words, seed: Words, begins: int, action: int, state: Words, facts: Words,
    seen: Floats, mask: Bytes, rewards: Reals, final: Floats,
) -> int:  # fmt: skip
    """One game: in which status it has ended, PLAYING if it has not, or ASK."""
    s = room(SIZE)
    t = room(SIZE)
    own = room(FACTS)
    copy(own, facts, FACTS)
    copy(s, state, SIZE)
    done = PLAYING
    again = begins
    played = 0
    if begins == 0 and own[STATUS] == PLAYING:
        if action < 0 or action >= plan[ACTIONS] or mask[action] == 0:
            own[STATUS] = INVALID
        else:
            if play_action(c, kinds, codes, action, s, t) < 0:
                return ASK
            copy(s, t, SIZE)
            own[STEPS_SO_FAR] += 1
            own[MOVES] += 1
            played = 1
    valid = 0
    while True:
        if again == 1:
            begin(own, plan, starts, s)
        if again == 1 or played == 1:
            valid = go_on(c, s, t, out, weights, seed, own, plan)
            if valid < 0:
                return ASK
        if again == 1 or own[STATUS] == PLAYING:
            break
        done = own[STATUS]
        pay(s, own, rewards)
        if plan[AGAIN] == 0:
            break
        observe(s, own[LOOKING], plan, cells, hidden, final)
        again = 1
    if done == PLAYING:
        for seat in range(SEATS):
            rewards[seat] = 0.0
    if mark(mask, plan[ACTIONS], out, valid, s[1], kinds, codes) < 0:
        return ASK
    observe(s, own[LOOKING], plan, cells, hidden, seen)
    copy(facts, own, FACTS)
    copy(state, s, SIZE)
    return done


def begin(own: Words, plan: Words, starts: Words, s: Words) -> None:
    """The start of the next game of a row."""
    copy(s, starts[own[OPENING] * SIZE :], SIZE)
    own[NUMBER] += 1
    own[STEPS_SO_FAR] = 0
    own[MOVES] = 0
    own[STATUS] = PLAYING
    own[LOOKING] = own[OPENING] if plan[SEAT_OF_ALL] < 0 else plan[SEAT_OF_ALL]


def go_on(
    c: Words, s: Words, t: Words, out: Words, weights: Words, seed: Words, own: Words, plan: Words
) -> int:
    """From `s` to the next decision, which is in `s` then, with all that falls and that others do;
    how many options there are, or ASK.
    """
    here = s
    there = t
    swaps = 0
    count = 0
    own[ROLLS] = 0
    along = own[NUMBER] * GOLDEN
    counter = mixed(seed[0] + along)
    stride = mixed(seed[1] + along) | 1
    while True:
        point = here[1]
        if point < 0:
            own[STATUS] = FINISHED
            break
        count = options(c, here, out, weights)
        if count < 0:
            return ASK
        if count == 0:
            if get_past(c, here, there) < 0:
                return ASK
        else:
            if waits(here, own, plan) == 1:
                break
            among = c[6] if IS_CHANCE[point] == 1 else count
            k = 0
            if among > 1:
                k = drawn(among, counter, stride, own[STEPS_SO_FAR])
                if k < 0:
                    return ASK
                if IS_CHANCE[point] == 1 and among != count:
                    k = weighed(weights, k)
            if step(c, here, out[k * STRIDE :], there) < 0:
                return ASK
            own[STEPS_SO_FAR] += 1
        swapped = here
        here = there
        there = swapped
        swaps += 1
    if swaps & 1 == 1:
        copy(s, here, SIZE)
    return count if own[STATUS] == PLAYING else 0


def waits(s: Words, own: Words, plan: Words) -> int:
    """Whether a game goes no further by itself: an action is asked for, or it is cut. Otherwise
    what happens next is counted.
    """
    if IS_CHANCE[s[1]] == 1:
        if own[ROLLS] == plan[MOST_ROLLS]:
            own[STATUS] = CUT
            return 1
        own[ROLLS] += 1
        return 0
    if own[MOVES] >= plan[MOST_MOVES]:
        own[STATUS] = CUT
        return 1
    if plan[SEAT_OF_ALL] < 0 or s[0] == plan[SEAT_OF_ALL]:
        own[LOOKING] = s[0]
        return 1
    own[ROLLS] = 0
    own[MOVES] += 1
    return 0


def drawn(limit: int, counter: int, stride: int, at: int) -> int:
    """What is drawn at a step of a game, as in `playing.play_on`."""
    word = mixed(counter + ((at >> 1) + 1) * stride)
    half = word & 4294967295 if at & 1 == 1 else word >> 32
    return below(limit, half, stride, at)


def pay(s: Words, own: Words, rewards: Reals) -> None:
    """What everybody gets, if a game is over; who has done what is not valid loses."""
    for seat in range(SEATS):
        rewards[seat] = 0.0
        if own[STATUS] == FINISHED:
            rewards[seat] = float(payoff_of(s, seat)) / float(PARTS)
    if own[STATUS] == INVALID:
        rewards[own[LOOKING]] = 0.0 - 1.0


# ---- actions and their numbers


def play_action(c: Words, kinds: Words, codes: Words, action: int, s: Words, t: Words) -> int:
    """Carries out the move of an action number."""
    kind = kinds[kinds[0] :]
    while action < kind[0] or action >= kind[0] + kind[1]:
        kind = kind[4 + CHOICE * STRIDE :]
    m = room(STRIDE)
    m[0] = kind[2]
    rest = action - kind[0]
    for left in range(kind[3]):
        at = kind[3] - 1 - left
        choice = kind[4 + CHOICE * at :]
        place = rest % choice[1]
        rest = rest // choice[1]
        m[1 + at] = choice[0] + place if choice[2] < 0 else codes[choice[2] + place]
    return step(c, s, m, t)


def mark(
    mask: Bytes, actions: int, out: Words, valid: int, point: int, kinds: Words, codes: Words
) -> int:
    """The mask of some options; ASK if one of them has no number."""
    for number in range(actions):
        mask[number] = 0
    for k in range(valid):
        number = number_of(out[k * STRIDE :], point, kinds, codes)
        if number < 0:
            return ASK
        mask[number] = 1
    return 0


def number_of(option: Words, point: int, kinds: Words, codes: Words) -> int:
    """The action number of an option; ASK if it has none."""
    which = kinds[1 + point]
    if point == 0:
        which += option[0]
    kind = kinds[kinds[0] + which * (4 + CHOICE * STRIDE) :]
    number = 0
    for k in range(kind[3]):
        choice = kind[4 + CHOICE * k :]
        place = option[1 + k] - choice[0]
        if choice[2] >= 0:
            place = place_of(option[1 + k], codes[choice[2] :], choice[1])
        if place < 0 or place >= choice[1]:
            return ASK
        number = number * choice[1] + place
    return kind[0] + number


def place_of(code: int, codes: Words, count: int) -> int:
    """Where a code stands in a row of ascending ones; -1 if it does not."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low == count or codes[low] != code:
        return -1
    return low


# ---- what a seat sees


def observe(s: Words, seat: int, plan: Words, cells: Words, hidden: Bytes, into: Floats) -> None:
    """What a seat sees, as numbers: see `adapters.observing`."""
    for k in range(plan[WIDTH]):
        into[k] = 0.0
    into[seat] = 1.0
    point = s[1]
    to_move = SEATS + 1
    row = plan[POINTS] * 2
    if point >= 0:
        to_move = SEATS if IS_CHANCE[point] == 1 else s[0]
        row = point * 2 + (s[0] == seat)
    into[SEATS + to_move] = 1.0
    unseen = hidden[(row * SEATS + seat) * plan[CELLS] :]
    for k in range(plan[CELLS]):
        if plan[SECRETS] == 0 or unseen[k] == 0:
            cell = cells[CELL * k :]
            code = s[cell[0]]
            if cell[2] == 1:
                into[cell[4]] = 0.0 if code == NONE else float(code)
            else:
                if code == NONE:
                    into[cell[4] + cell[2] - 1] = 1.0
                else:
                    place = code - cell[1]
                    if place >= 0 and place < cell[2] - cell[3]:
                        into[cell[4] + place] = 1.0
