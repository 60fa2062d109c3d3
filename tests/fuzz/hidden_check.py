"""What a seat is shown, told, hinted, or plays when a computer sits there depends on nothing that
it may not see.

Two games are played that differ only in that: the values that the seat sees, the moves and rolls of
which it is told, and its own moves are the same. Whatever the program makes of them for this seat
must be the same as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import rulegame
from fuzz.findings import Finding
from fuzz.games import game_of
from rulegame.drawing.position import draw
from rulegame.game import CHANCE, Game, Move, State
from rulegame.game.visibility import Sight
from rulegame.players import make_player
from rulegame.players.advice import advise
from rulegame.players.budget import Budget
from rulegame.playing.conversation import Ask, Ending, converse
from rulegame.playing.forcing import is_forced
from rulegame.playing.match import Match, MatchError
from rulegame.playing.saves import Header
from rulegame.playing.session import SessionEntry, Step
from rulegame.playing.telling import public_texts, told_texts
from rulegame_cli.table.prompt_commands import state_lines
from rulegame_studio.snapshots import Audience, Snapshots

PAIRS: Final = 3
TRIES: Final = 8  # games that are begun for one pair
STEPS: Final = 20
DECISIONS: Final = 3  # of which everything is compared that the studio sends
STATES: Final = 500  # that are solved
PLAYERS: Final = ("random", "greedy", "search:12", "perfect:500", "easy")
SEEN: Final = ("views", "screen", "told screen", "shared screen", "record", "studio")
NONSENSE: Final = ("xyzzy", "red 9", "n", ":seven", "red", "green 3", "blue 0 2", "-1", "99")

Past = list[tuple[State, Move]]


class Twins(NamedTuple):
    """Two games that look the same to a seat, step by step as far as it notices."""

    seat: int
    first: int
    pasts: tuple[Past, Past]
    states: tuple[State, State]


def check(text: bytes, rng: Random) -> None:
    """Compare some pairs of games."""
    game = game_of(text)
    if game is None or not game.companion(Sight).hides_something:
        return
    for _ in range(PAIRS):
        seat = rng.randrange(len(game.players))
        twins = next((t for _ in range(TRIES) if (t := _twins(game, seat, rng)) is not None), None)
        if twins is not None:
            compare(game, twins, rng.randrange(2**32))


def compare(game: Game, twins: Twins, seed: int) -> None:
    """A finding if something tells the two games apart."""
    made = [_Shown(game, twins, which, seed) for which in (0, 1)]
    for what in (*SEEN, "choices"):
        one, two = (shown.of(what) for shown in made)
        if one != two:
            raise Finding(_difference(what, twins, one, two))


def _difference(what: str, twins: Twins, one: list[Any], two: list[Any]) -> str:
    games = [", ".join(move.text for _, move in past) for past in twins.pasts]
    pair = next(((a, b) for a, b in zip(one, two, strict=False) if a != b), (len(one), len(two)))
    said = "\n".join(f"  {shown!r}" for shown in pair)
    played = "\n".join(f"  {text}" for text in games)
    return f"seat {twins.seat + 1} can tell by its {what} these games apart:\n{played}\n{said}"


# ---- two games


def _twins(game: Game, seat: int, rng: Random) -> Twins | None:
    """Two games at random that a seat may not tell apart; None if that leads nowhere."""
    first = rng.randrange(len(game.players))
    try:
        return _grow(game, seat, first, rng)
    except rulegame.GameError:
        return None


def _grow(game: Game, seat: int, first: int, rng: Random) -> Twins | None:
    sight = game.companion(Sight)
    one = two = game.start(first)
    pasts: tuple[Past, Past] = ([], [])
    length = rng.randint(1, STEPS)
    while one.outcome is None and len(pasts[0]) < STEPS:
        if len(pasts[0]) >= length and one.player == seat:  # where a computer would choose
            break
        move = rng.choice(one.moves)
        told = _told(sight, one, move, seat)
        after = _unnoticed(sight, one.play(move), seat, rng, mine := [(one, move)])
        others = [m for m in two.moves if _told(sight, two, m, seat) == told]
        rng.shuffle(others)
        # Another one, if possible; but what will be shown soon should be the same then.
        shown = _waits(one, seat) and len(pasts[0]) + len(game.players) < length
        for other in sorted(others, key=lambda m: (m == move) != shown):
            theirs = [(two, other)]
            following = _unnoticed(sight, two.play(other), seat, rng, theirs)
            if _looks(after, seat) == _looks(following, seat):
                break
        else:
            return None
        pasts[0].extend(mine)
        pasts[1].extend(theirs)
        one, two = after, following
        if _revealed(sight, pasts[0], one, seat) != _revealed(sight, pasts[1], two, seat):
            return None  # all have chosen, and it is seen what
    return Twins(seat, first, pasts, (one, two)) if one.cells != two.cells else None


def _waits(state: State, seat: int) -> bool:
    """Whether a seat does not see a move until all have chosen."""
    return (
        state.game.ruleset.together is not None
        and state.player not in (CHANCE, seat)
        and state.game.point(state).kind == "turn"
    )


def _revealed(sight: Sight, past: Past, state: State, seat: int) -> list[tuple[Any, ...]]:
    """What a seat has seen by now of moves that it did not see when they were made."""
    waiting = len(state.game.kernel.chosen(state.cells))
    seen = [step for step in past[: len(past) - waiting] if _waits(step[0], seat)]
    return [
        (sight.public_text(before, move), sight.glimpse(before.cells, move, seat))
        for before, move in seen
    ]


def _told(sight: Sight, state: State, move: Move, seat: int) -> tuple[Any, ...]:
    """What a seat sees of a move or a roll: at the table all are told the name of an operation."""
    if _waits(state, seat):
        return ()
    public = "" if state.player == CHANCE else sight.public_text(state, move)
    return (public, sight.glimpse(state.cells, move, seat))


def _unnoticed(sight: Sight, state: State, seat: int, rng: Random, past: Past) -> State:
    while state.outcome is None and not sight.notices(state.cells, seat):
        move = rng.choice(state.moves)
        past.append((state, move))
        state = state.play(move)
    return state


def _looks(state: State, seat: int) -> tuple[Any, ...]:
    """What a seat sees by the words of the language alone."""
    values = []
    for name, value in state.game.ruleset.state.items():
        seen = value.seen_by
        if seen == "all" or (isinstance(seen, tuple) and seat in seen):
            values.append(state[name])
        elif seen == "owner":
            values.append(state[name][seat])
        elif seen == "others":
            values.append([one for owner, one in enumerate(state[name]) if owner != seat])
    events = [(event.kind, event.player) for event in state.events]
    moves = state.moves if state.player == seat else ()
    before = [_looks_stuck(event.before, seat) for event in state.events]
    turn = state.player, state.turn, state.choosing, state.game.kernel.number(state.cells)
    return (turn, values, events, moves, state.outcome, before)


def _looks_stuck(state: State, seat: int) -> tuple[Any, ...]:
    values = state.game.ruleset.state
    return tuple(state[name] for name in values if values[name].seen_by == "all")


# ---- all that a seat gets to see


def match_of(game: Game, first: int, past: Past) -> Match:
    """A match in which all seats are people's, after these moves and rolls."""
    names = game.players
    header = Header(
        *("", "", "", game.ruleset.title, (), (), (), {}, 1, (), first),
        *(names, ("human",) * len(names), 1, False, ""),
    )
    entries = [
        SessionEntry("roll" if state.player == CHANCE else "move", move.text)
        for state, move in past
    ]
    match = Match.of(game, header)
    match.follow(entries)
    match.begin()
    return match


class _Shown:
    """What one of the two games comes to for the seat."""

    def __init__(self, game: Game, twins: Twins, which: int, seed: int) -> None:
        self._game, self._seat, self._first, self._seed = game, twins.seat, twins.first, seed
        self._past, self._state = twins.pasts[which], twins.states[which]

    def of(self, what: str) -> list[Any]:
        match what:
            case "views":
                return self._views()
            case "screen":  # the seat alone against computers
                others = [s for s in range(len(self._game.players)) if s != self._seat]
                return list(self._talk(others, [self._seat]))
            case "told screen":  # the same, where the turns of computers are told
                others = [s for s in range(len(self._game.players)) if s != self._seat]
                return [*self._talk(others, [self._seat], others), *self._pictures()]
            case "shared screen":  # all at one terminal
                return list(self._talk([], list(range(len(self._game.players)))))
            case "record":  # a replay before the end, and the history
                return [*self._talk_of_all(), *self._history()]
            case "studio":  # all that goes over the sockets of the seat, of watchers, of a screen
                return list(self._frames())
        return self._choices()

    def _frames(self) -> Iterator[Any]:
        """What the studio sends at the last decisions, as it is sent."""
        states = [*(before for before, _ in self._past), self._state]
        asked = [
            number
            for number, state in enumerate(states)
            if state.outcome is None and state.player != CHANCE and not is_forced(state)
        ]
        for number in asked[-DECISIONS:]:
            match = match_of(self._game, self._first, self._past[:number])
            snapshots = Snapshots(match, None)
            for role in (f"seat:{self._seat}", f"screen:{self._seat}", "watch", "screen"):
                audience = Audience.read(role)
                yield json.dumps(snapshots.data(audience, []))
            for line in NONSENSE if self._seat in match.asked else ():
                try:
                    match.play(line, self._seat)
                except (MatchError, rulegame.GameError) as refusal:
                    if any(move.text == line for move in match.state_for(self._seat).moves):
                        break  # a valid move, with which the rules fail
                    yield str(refusal)
                else:
                    break

    def _views(self) -> list[Any]:
        found: list[Any] = []
        states = [*(before for before, _ in self._past), self._state]
        for number, state in enumerate(states):
            if self._game.companion(Sight).notices(state.cells, self._seat):
                view = state.view(self._seat, self._past[:number])
                found += [view, view.cells, view.past, view.trail, view.waiting, repr(view)]
                found += state_lines(view, self._game.players)
        return found

    def _pictures(self) -> list[Any]:
        """Every position that the seat looks at."""
        states = [*(before for before, _ in self._past), self._state]
        notices = self._game.companion(Sight).notices
        return [
            draw(state, self._past[:number], (self._seat,))
            for number, state in enumerate(states)
            if state.outcome is None and notices(state.cells, self._seat)
        ]

    def _history(self) -> list[str]:
        """As `history` lists it, where all may know that something happened."""
        sight, seats = self._game.companion(Sight), range(len(self._game.players))
        steps = [
            Step(state, move)
            for state, move in self._past
            if all(sight.notices(state.cells, seat) for seat in seats)
        ]
        return [*public_texts(steps), *told_texts(steps, self._game.players)]

    def _choices(self) -> list[Any]:
        """What a computer plays in this seat, and what a person is advised."""
        if self._state.player != self._seat or self._state.outcome is not None:
            return []
        found: list[Any] = []
        for view in (self._state.view(self._seat, self._past), self._state.view(self._seat)):
            for spec in PLAYERS:
                player = make_player(
                    spec, self._game, first=self._first, max_states=STATES, fallback="search:12"
                )
                found.append((spec, player.choose(view, Random(self._seed))))
            budget = Budget(iterations=12)
            # With the same limit: a player uses any solution that a hint has left.
            advice = advise(
                view, Random(self._seed), first=self._first, budget=budget, max_states=STATES
            )
            found.append(("hint", advice))
        return found

    def _talk_of_all(self) -> Iterator[Any]:
        seats = list(range(len(self._game.players)))
        return self._talk(seats, seats)

    def _talk(
        self, discreet: list[int], audience: list[int], narrated: Sequence[int] = ()
    ) -> Iterator[Any]:
        """Everything that is printed where this seat reads it."""
        steps = iter(self._past)
        rolls = iter([move for state, move in self._past if state.player == CHANCE])
        talk = converse(
            self._game,
            roll=lambda state: next(rolls),
            first=self._first,
            discreet=discreet,
            audience=audience,
            narrated=narrated,
        )
        moves = [
            move
            for state, move in self._past
            if state.player != CHANCE and not is_forced(state)  # nobody is asked for it
        ]
        try:
            ask = next(talk)
            for move in moves:
                if ask.state.player in narrated:
                    yield ask.text
                elif ask.exchange is not None:
                    yield ask.text, ask.exchange(move)
                elif ask.state.player == self._seat:
                    ask = yield from self._mistype(talk, ask)
                ask = talk.send(move)
            if ask.exchange is not None:
                yield ask.text
            elif ask.state.player == self._seat:
                yield from self._mistype(talk, ask)
        except StopIteration as end:
            ending: Ending = end.value
            yield ending.outcome  # now everything is open
        except rulegame.GameError as error:
            yield (error.diagnostic, error.moves) if ask.state.player == self._seat else None
        except RuntimeError as stopped:  # the next roll is not known
            if not isinstance(stopped.__cause__, StopIteration):
                raise
        del steps

    def _mistype(self, talk: Any, ask: Ask) -> Any:
        yield ask.text, ask.prompt, ask.secret, ask.question.words()
        for line in NONSENSE:
            answer = ask.question.read(line)
            valid = answer.option is not None and answer.option.valid
            if valid or answer.move in ask.state.moves:
                continue
            ask = talk.send(line)
            yield ask.text, ask.prompt, ask.recap
        return ask
