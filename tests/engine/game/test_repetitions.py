"""Rules that count how often a position has occurred: superko, threefold repetition."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import rulegame
from rulegame.evaluation.repetition import NONE, History
from rulegame.loading import RulesetText
from rulegame.native import machine_kernel
from rulegame.native.compiler import toolchain
from rulegame.playing.match import Match
from rulegame.rulebook import render
from rulegame.ruletests.running import run_tests
from rulegame.solving.lookahead.solution import look_ahead
from support.backends import BACKENDS, use_backend
from support.tiers import pick

HEAD = "rulegame: 1\ntitle: Game\n"
SHUFFLE = (
    HEAD
    + """\
state: {x: 1, each player: {y: 1}}
operations:
  go: {choose: {n: 1..2}, effects: {x: 3 - x, my.y: n}}
  skip: {effects: {}}
end:
  threefold: {when: "repetitions() >= 2", result: draw}
"""
)
# With few positions, so that all plays can be gone through.
FEW = (
    HEAD
    + """\
state: {x: 1}
operations:
  go: {effects: {x: "mod(x, 3) + 1"}}
  skip: {effects: {}}
end:
  threefold: {when: repetitions(x) >= 2, result: win if x == 1 else lose}
"""
)
KO = (
    HEAD
    + """\
define:
  chain(c): connected(x for x in [c] if board[x] == board[c])
  free(c): any(board[y] == none for z in chain(c) for y in neighbours(z))
state:
  board: {type: grid of optional player, rows: 2, columns: 2}
  quiet: 0
operations:
  place:
    choose:
      c: list(c for c in cells(board) if board[c] == none)
    steps:
      put:
        effects: {"board[c]": me, quiet: 0}
      take:
        effects:
          board[x] for x in cells(board) if board[x] == them and not free(x): none
  hold: {effects: {quiet: quiet + 1}}
validity:
  alive:
    require: after.free(c)
  superko:
    require: after.repetitions(board) == 0
    for: [place]
    because: "this position has occurred before"
end:
  both_hold: {when: quiet == 2, payoff: "list(count(c == p for c in board) for p in players)"}
"""
)


def few_states() -> int:
    """How many states that game has, counted without it."""
    found: set[tuple[int, int, frozenset[tuple[int, int]]]] = set()
    waiting = [(1, 0, frozenset[tuple[int, int]]())]
    while waiting:
        state = x, seat, earlier = waiting.pop()
        if state in found:
            continue
        found.add(state)
        if dict(earlier).get(x, 0) < 2:
            more = Counter(dict(earlier))
            more[x] += 1
            history = frozenset(more.items())
            waiting += [(x % 3 + 1, 1 - seat, history), (x, 1 - seat, history)]
    return len(found)


def play(game: rulegame.Game, *moves: str) -> rulegame.State:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


# ---- what is counted


def test_the_whole_position_has_the_player_to_move() -> None:
    game = rulegame.loads(SHUFFLE)
    assert play(game, *["go 1"] * 3).outcome is None
    over = play(game, *["go 1"] * 4)
    assert over.outcome is not None and over.outcome.rule == "threefold"
    assert play(game, *["skip"] * 3).outcome is None
    assert play(game, *["skip"] * 4).outcome is not None


def test_a_named_part_is_counted_whoever_moves() -> None:
    game = rulegame.loads(SHUFFLE.replace("repetitions()", "repetitions(x, y)"))
    assert play(game, "skip").outcome is None
    assert play(game, "skip", "skip").outcome is not None
    assert play(game, "go 2", "go 2", "go 1", "skip").outcome is None


def test_a_named_part_is_counted_with_the_player_to_move() -> None:
    game = rulegame.loads(SHUFFLE.replace("repetitions()", "repetitions(x, me)"))
    assert play(game, *["skip"] * 3).outcome is None
    assert play(game, *["skip"] * 4).outcome is not None
    assert play(game, "go 1", "go 2", "go 1", "go 1").outcome is not None


def test_a_given_position_has_no_history() -> None:
    text = SHUFFLE.replace("repetitions()", "repetitions(x)") + (
        "tests:\n"
        "  once: {given: {x: 2}, play: [skip], expect: {outcome: none}}\n"
        "  twice: {given: {x: 2}, play: [skip, skip], expect: {outcome: {draw: true}}}\n"
    )
    results = run_tests(RulesetText(text)).results
    assert [result.failures for result in results] == [(), ()]


def test_equal_states_have_counted_the_same_positions_in_any_order() -> None:
    """The states after all lines of six moves, beside positions that are counted here."""
    game = rulegame.loads(SHUFFLE.replace(">= 2", ">= 99"))
    found: dict[rulegame.State, set[object]] = {}
    for line in product(["go 1", "go 2", "skip"], repeat=6):
        state, earlier = game.start(), Counter[object]()
        for move in line:
            earlier[state["x"], *state["y"], state.player] += 1
            state = state.play(move)
        here = state["x"], *state["y"], state.player
        found.setdefault(state, set()).add((here, frozenset(earlier.items())))
    assert all(len(counted) == 1 for counted in found.values())
    assert len(found) == len({one for counted in found.values() for one in counted})
    assert len(found) < 3**6  # some lines differ in their order alone


def test_without_repetitions_history_does_not_count() -> None:
    game = rulegame.loads(SHUFFLE.replace("repetitions() >= 2", "x == 9"))
    assert play(game, "skip", "skip") == game.start()


def test_histories_are_equal_if_they_have_the_same_positions_equally_often() -> None:
    def of(*positions: bytes) -> History:
        found = NONE
        for position in positions:
            found = History(found, position)
        return found

    assert of(b"a", b"b", b"a") == of(b"a", b"a", b"b")
    assert hash(of(b"a", b"b")) == hash(of(b"b", b"a"))
    assert of(b"a", b"b", b"b") != of(b"a", b"a", b"b")
    assert of(b"a") != NONE and of() == NONE
    assert of(b"a", b"b", b"a").count(b"a") == 2
    assert pickle.loads(pickle.dumps(of(b"a", b"b"))) == of(b"b", b"a")


def test_histories_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulegame.evaluation.repetition.HASHES", 0)
    assert len(rulegame.explore(rulegame.loads(FEW))) == few_states()


def test_long_games_can_be_forgotten() -> None:
    history = NONE
    for k in range(200_000):
        history = History(history, k.to_bytes(4, "little"))
    assert len(history) == 200_000
    del history


# ---- superko, beside an implementation of its own

Board = tuple[int | None, ...]


def beside(size: int, cell: int) -> list[int]:
    row, column = divmod(cell, size)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]


def group(board: Board, size: int, cell: int) -> tuple[set[int], bool]:
    """The stones of a group, and whether it has a liberty."""
    found, waiting, free = {cell}, [cell], False
    while waiting:
        for other in beside(size, waiting.pop()):
            free = free or board[other] is None
            if board[other] == board[cell] and other not in found:
                found.add(other)
                waiting.append(other)
    return found, free


def placed(board: Board, size: int, cell: int, player: int) -> Board | None:
    after = list(board)
    after[cell] = player
    dead: set[int] = set()
    for other in beside(size, cell):
        if after[other] == 1 - player and not group(tuple(after), size, other)[1]:
            dead |= group(tuple(after), size, other)[0]
    for stone in dead:
        after[stone] = None
    return tuple(after) if group(tuple(after), size, cell)[1] else None


def perft(
    board: Board, size: int, player: int, quiet: int, seen: frozenset[Board], depth: int
) -> int:
    """The plays of that many moves."""
    if quiet == 2:
        return 0
    if depth == 0:
        return 1
    earlier = seen | {board}
    total = perft(board, size, 1 - player, quiet + 1, earlier, depth - 1)
    for cell in range(size * size):
        after = None if board[cell] is not None else placed(board, size, cell, player)
        if after is not None and after not in earlier:
            total += perft(after, size, 1 - player, 0, earlier, depth - 1)
    return total


def plays(state: rulegame.State, depth: int) -> int:
    if state.outcome is not None:
        return 0
    return 1 if depth == 0 else sum(plays(state.play(m), depth - 1) for m in state.moves)


@pytest.mark.parametrize(("size", "depth"), [(2, 7), (3, 4)])
def test_superko_allows_the_same_plays_as_another_implementation(size: int, depth: int) -> None:
    depth = pick(quick=depth - 1, full=depth)
    text = KO.replace("rows: 2, columns: 2", f"rows: {size}, columns: {size}")
    expected = perft((None,) * size**2, size, 0, 0, frozenset(), depth)
    assert plays(rulegame.loads(text).start(), depth) == expected


def test_the_reason_is_told() -> None:
    moves = ["place 1 1", "place 1 2", "place 2 1", "place 2 2", "place 1 1", "place 2 1"]
    state = play(rulegame.loads(KO), *moves)
    reason = state.why_not("place 1 1")
    assert reason is not None
    assert (reason.rule, reason.message) == ("superko", "this position has occurred before")
    checks = rulegame.explain_move(state, "place 1 1").checks
    (check,) = (check for check in checks if check.rule == "superko")
    assert check.expression == "after.repetitions(board) == 0" and check.holds is False
    assert check.values["after.repetitions(board)"] == 1


# ---- everywhere


def brute_force(state: rulegame.State, known: dict[rulegame.State, int]) -> int:
    """What the first player gets, by going through all plays."""
    if state.outcome is not None:
        return int(state.outcome.payoffs[0])
    if state not in known:
        found = [brute_force(state.play(move), known) for move in state.moves]
        known[state] = max(found) if state.player == 0 else min(found)
    return known[state]


@pytest.mark.parametrize("backend", BACKENDS)
def test_solutions_and_graphs_tell_histories_apart(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    game = rulegame.loads(FEW)
    known: dict[rulegame.State, int] = {}
    value = brute_force(game.start(), known)
    graph = rulegame.explore(game)
    assert len(graph) == few_states()
    ended = {s for state in known for m in state.moves if (s := state.play(m)).outcome}
    assert len(graph) == len(known) + len(ended)
    assert {graph.state(k) for k in range(len(graph))} == known.keys() | ended
    assert rulegame.solve(game).value == value


def test_looking_ahead_finds_the_same_value() -> None:
    game = rulegame.loads(FEW)
    solution = look_ahead(game, depth=20, first=0, at=None, max_time=None, max_memory=None)
    assert solution.value == rulegame.solve(game).value


HIDDEN = (
    HEAD
    + """\
state:
  x: 1
  each player:
    hand: {type: set of 1..3, start: 1..3, seen by: owner}
setup:
  lose:
    roll: {lost: {from: my.hand, seen by: owner}}
    effects: {my.hand: "without(my.hand, lost)"}
operations:
  go: {choose: {n: my.hand}, effects: {x: n}}
end:
  again: {when: "repetitions(x, me) >= 2", result: win}
"""
)


@pytest.mark.parametrize("backend", BACKENDS)
def test_players_with_hidden_information_count(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    report = rulegame.simulate(
        rulegame.loads(HIDDEN), 4, seed=1, players=["search:40", "search:40"]
    )
    assert report.games == 4


@pytest.mark.parametrize("backend", BACKENDS)
def test_simulations_and_players_count(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use_backend(monkeypatch, backend)
    game = rulegame.loads(KO)
    report = rulegame.simulate(game, 20, seed=3, players=["search:50", "random"])
    assert report.games == 20


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
def test_machine_code_is_refused_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    monkeypatch.setattr(machine_kernel, "log", said.append)
    assert machine_kernel.machine_for(rulegame.loads(KO).kernel, "expanding") is None
    assert said == ["left to Python: the rules of Game count earlier positions (repetitions)"]
    assert not capsys.readouterr().err


def test_saves_and_undo_replay_the_history(tmp_path: Path) -> None:
    match = Match(rulegame.loads(SHUFFLE), save=tmp_path / "save")
    for _ in range(3):
        match.play("skip")
    match.undo([0, 1])
    match.play("skip")
    match.close()
    resumed = Match.load(tmp_path / "save", rulegame.loads(SHUFFLE))
    assert resumed.state == match.state
    resumed.play("skip")
    assert resumed.state.outcome is not None


def test_states_are_pickled_with_their_history() -> None:
    state = play(rulegame.loads(SHUFFLE), "skip", "skip", "skip")
    assert pickle.loads(pickle.dumps(state.cells)) == state.cells


# ---- mistakes

ERRORS = [
    ("when: repetitions(z) > 1", "E474"),
    ("when: repetitions(x + 1) > 1", "E474"),
    ("when: repetitions(hand) > 1", "E474"),
    ("when: after.repetitions(x) > 1", "E307"),
]


@pytest.mark.parametrize(("when", "code"), ERRORS)
def test_mistakes_are_reported(when: str, code: str) -> None:
    text = SHUFFLE.replace('when: "repetitions() >= 2"', when)
    text = text.replace("{y: 1}", "{y: 1, hand: {start: 1, seen by: owner}}")
    assert code in [found.code for found in rulegame.validate_text(text)]


def test_effects_cannot_count() -> None:
    text = SHUFFLE.replace("skip: {effects: {}", "stay: {effects: {x: repetitions(x)}")
    assert [found.code for found in rulegame.validate_text(text)] == ["E474"]


def test_symmetries_are_not_used() -> None:
    text = KO + "symmetry: transpose\n"
    assert [found.code for found in rulegame.validate_text(text)] == ["E475"]


def test_names_of_the_ruleset_come_first() -> None:
    text = SHUFFLE.replace("operations:", "define: {repetitions(a): a * 2}\noperations:")
    text = text.replace("repetitions() >= 2", "repetitions(x) >= 4")
    assert play(rulegame.loads(text), "go 1").outcome is not None


def test_rulebooks_word_conditions_that_count_the_whole_position() -> None:
    text = SHUFFLE.replace("skip: {effects", 'skip: {when: "repetitions() == 0", effects')
    book = " ".join(render(rulegame.write_rulebook(rulegame.loads(text)), "text").split())
    assert "if the number of earlier positions that were the same is exactly 0" in book
