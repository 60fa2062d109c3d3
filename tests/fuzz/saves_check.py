"""A game that is saved in the middle comes back as it was, also when a remark or another layout
has made another file of its ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import rulegame
from fuzz.findings import Finding
from fuzz.games import game_of
from rulegame.authoring.formatting import NotFormatted, format_text
from rulegame.model.meaning import meaning
from rulegame.playing.match import Match
from rulegame.playing.saves import Header, SavedRound, read_save, whole_record
from rulegame.playing.session import Session, SessionEntry

STEPS: Final = 40


def check(text: bytes, rng: Random) -> None:
    """Play with undo and redo, write, read, go through it again."""
    game = game_of(text)
    if game is None:
        return
    try:
        first = rng.randrange(len(game.players))
        state, entries = played_session(game, first, rng)
    except rulegame.GameError:
        return
    saved = read_save(written_save(game, first, entries, state.outcome))
    (only,) = saved.rounds
    if not saved.whole or list(only.entries) != entries or only.outcome != state.outcome:
        raise Finding("what was read is not what was written")
    again = Session(game, fresh=lambda state, name, number: state.moves[0], first=first)
    if again.recall(only.entries) != state:
        raise Finding("the game that came back is another one")
    match = Match.of(game, saved.header)
    if match.recall(saved.rounds, anyway=True) or match.rounds != list(saved.rounds):
        raise Finding("its moves do not hold under the same rules")
    for other in _rewritten(text):
        rewritten = game_of(other)
        if rewritten is not None and meaning(rewritten.ruleset) != saved.header.meaning:
            raise Finding("the same rules in another file mean something else")


def _rewritten(text: bytes) -> Iterator[bytes]:
    """The same rules, written otherwise; some bytes cannot be, and become no ruleset then."""
    yield text + b"\n# a remark\n"
    try:
        yield format_text(text.decode(), "fuzzed.yaml").encode()
    except (NotFormatted, UnicodeDecodeError):
        return


def played_session(
    game: rulegame.Game, first: int, rng: Random
) -> tuple[rulegame.State, list[SessionEntry]]:
    """A random game, with undo and redo: the state it stops in, and its record."""
    entries: list[SessionEntry] = []
    session = Session(
        game,
        fresh=lambda state, name, number: rng.choice(state.moves),
        first=first,
        record=entries.append,
    )
    state, seats = game.start(first), range(len(game.players))
    for _ in range(rng.randrange(STEPS)):
        if rng.random() < 0.15 and (session.undo(seats) or session.redo(seats)):
            state = session.state
        elif state.outcome is not None:
            break
        else:
            rolls = state.player == rulegame.CHANCE
            move = session.roll(state) if rolls else rng.choice(state.moves)
            state = session.play(state, move)
    return state, entries


def written_save(
    game: rulegame.Game, first: int, entries: list[SessionEntry], outcome: rulegame.Outcome | None
) -> bytes:
    """The file of a saved game."""
    seats = len(game.players)
    header = Header(
        ruleset="fuzzed.yaml",
        content="0",
        meaning=meaning(game.ruleset),
        title=game.ruleset.title,
        sets=(),
        enable=(),
        disable=(),
        parameters=game.parameters,
        seed=1,
        rolls=(),
        first=first,
        names=tuple(game.players),
        players=("human",) * seats,
        rounds=1,
        best_of=False,
        started="2000-01-01",
    )
    chain, lines = whole_record(header, [SavedRound(first, tuple(entries), outcome)])
    return lines + chain.last()
