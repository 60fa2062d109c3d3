"""Every kind of claim is proved and refuted, and what is shown really shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from rulegame.building import Settings
from rulegame.building.ranges import BadRange, plain_values, read_ranges
from rulegame.loading import read_ruleset
from rulegame.proving import KINDS, CheckResult, Finding, common_warnings, overall
from rulegame.proving.settings import Refused, check_settings

HEAD = "rulegame: 1\ntitle: Test\n"

COUNTDOWN = """
parameters:
  pile: 5
  most: 2
state:
  left: pile
operations:
  take:
    choose:
      n: 1..most
    effects:
      left: left - n
validity:
  enough: after.left >= 0
end:
  last:
    when: left == 0
    result: win
"""

PAIRS_ONLY = COUNTDOWN.replace("1..most", "2..2")  # from 5: two moves, and one is left

WALK = """
state:
  at: 0
operations:
  up:
    effects:
      at: at + 1
  down:
    when: at > 0
    effects:
      at: at - 1
end:
  top:
    when: at == 3
    result: win
"""

SHORT_WALK = WALK.replace("at == 3", "at == 2")  # play can go to and fro, but who is at 1 wins

DRUNKEN_WALK = """
state:
  at: 0
operations:
  go:
    roll:
      step: 0..1
    effects:
      at: at + 1 if step == 1 else max(at - 1, 0)
end:
  top:
    when: at == 3
    result: win
"""

WAIT_OR_LOSE = """
state:
  over: false
operations:
  wait:
    next: them
  give_up:
    effects:
      over: true
end:
  given_up:
    when: over
    result: lose
"""

WAIT_OR_DRAW = WAIT_OR_LOSE.replace("result: lose", "result: draw")

MAYBE_WAIT = """
state:
  waiting: false
  face: 0
operations:
  toss:
    when: not waiting
    roll:
      coin: 1..2
    effects:
      face: coin
      waiting: coin == 2
  wait:
    when: waiting
    next: them
  give_up:
    when: waiting
    effects:
      face: 3
end:
  heads:
    when: face == 1
    result: draw
  given_up:
    when: face == 3
    result: lose
"""

COIN = """
parameters:
  heads: 1
  tails: 1
state:
  face: 0
operations:
  toss:
    roll:
      coin:
        from: 1..2
        weight: heads if coin == 1 else tails
    effects:
      face: coin
end:
  won:
    when: face == 1
    result: win
  lost:
    when: face == 2
    result: lose
"""

ONE_TOO_MANY = COUNTDOWN.replace(
    "validity:",
    """  vanish:
    when: left > pile
    effects:
      left: 0
validity:""",
)

ANOTHER_END = COUNTDOWN + "  none_left:\n    when: left < 0\n    result: draw\n"

# For each kind: a game for which it holds, and one for which it does not.
GAMES = {
    "always_ends": (COUNTDOWN, WALK),
    "ends_almost_surely": (DRUNKEN_WALK, WALK),
    "cooperative_win": (
        COUNTDOWN.replace("result: win", "everyone: win"),
        COUNTDOWN.replace("result: win", "everyone: lose"),
    ),
    "first_player_gets": (COUNTDOWN, COUNTDOWN.replace("pile: 5", "pile: 6")),
    "ends_under_best_play": (SHORT_WALK, WAIT_OR_LOSE),
    "no_draws": (WAIT_OR_LOSE, WAIT_OR_DRAW),
    "never_stuck": (COUNTDOWN, PAIRS_ONLY),
    "every_operation_used": (WALK, ONE_TOO_MANY),
    "every_end_rule_reached": (COIN, ANOTHER_END),
    "first_player_wins": (COUNTDOWN, WAIT_OR_DRAW),
    "second_player_wins": (COUNTDOWN.replace("pile: 5", "pile: 6"), COUNTDOWN),
    "fair_within": (COIN, COUNTDOWN),
}


def load(tmp_path: Path, body: str, claims: str = "", **parameters: Any) -> rulegame.Game:
    file = tmp_path / "game.yaml"
    file.write_text(HEAD + body + (f"claims: {{{claims}}}\n" if claims else ""), "utf-8")
    return rulegame.load(file, parameters)


def check(
    tmp_path: Path, body: str, claims: str = "", first: int = 0, **parameters: Any
) -> CheckResult:
    return rulegame.check(load(tmp_path, body, claims, **parameters), first=first)


def check_one(tmp_path: Path, body: str, claim: str, **parameters: Any) -> Finding:
    (found,) = check(tmp_path, body, claim, **parameters).findings
    return found


def texts(moves: Sequence[rulegame.Move] | None) -> list[str]:
    return [move.text for move in moves or ()]


def replayed(game: rulegame.Game, moves: Sequence[str], first: int = 0) -> rulegame.State:
    """The state after some moves, as a `tests:` entry or a player would make them."""
    state = game.start(first)
    for text in moves:
        state = state.play(game.parse_move(text))
    return state


# ---- every kind


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("value", ["true", "false"])
def test_every_kind_is_proved_and_refuted(
    tmp_path: Path, kind: str, place: int, value: str
) -> None:
    if kind in ("fair_within", "first_player_gets"):
        value = "0.25" if kind == "fair_within" else "1/4"
    found = check_one(tmp_path, GAMES[kind][place], f"{kind}: {value}")
    holds = place == 0
    assert found.evidence.holds is holds
    assert found.status == ("proved" if holds == (value != "false") else "refuted")
    assert found.claim.span.line > 3
    assert found.evidence.detail


def test_all_claims_of_the_language_are_known() -> None:
    import json

    from rulegame.bundled import schema_path

    schema = json.loads(schema_path().read_text("utf-8"))
    assert list(schema["definitions"]["claims"]["properties"]) == ["for", *KINDS]


# ---- what is shown


@pytest.mark.parametrize(
    ("body", "claim", "play", "cycle"),
    [
        (WALK, "always_ends", [], ["up", "down"]),
        (DRUNKEN_WALK, "always_ends", [], ["go", "step 0", "go", "step 0"]),
        (WALK, "ends_almost_surely", [], ["up", "down"]),
        (WAIT_OR_LOSE, "ends_under_best_play", [], ["wait", "wait"]),
        (MAYBE_WAIT, "ends_under_best_play", ["toss", "coin 2"], ["wait", "wait"]),
        (MAYBE_WAIT, "ends_almost_surely", ["toss", "coin 2"], ["wait", "wait"]),
    ],
)
def test_endless_play_comes_back(
    tmp_path: Path, body: str, claim: str, play: list[str], cycle: list[str]
) -> None:
    game = load(tmp_path, body, f"{claim}: true")
    (found,) = rulegame.check(game).findings
    assert (texts(found.evidence.play), texts(found.evidence.cycle)) == (play, cycle)
    assert replayed(game, play) == replayed(game, play + cycle) == replayed(game, play + cycle * 2)


CORRIDOR = """
parameters:
  turning: 15
  back: 15
state:
  at: 0
operations:
  go:
    effects:
      at: at + 1
  turn:
    when: at == turning
    effects:
      at: back
  return:
    when: at == 39
    effects:
      at: 0
end:
  far:
    when: at == 50
    result: win
"""


@pytest.mark.parametrize(
    ("turning", "back", "way", "round_"),
    [
        (15, 15, 15, 2),  # the player to move is part of the state
        (30, 1, 1, 30),
        (45, 44, 0, 40),  # the way there alone is longer than the other circle
        (100, 0, 0, 40),
    ],
)
def test_a_circle_far_from_the_start_is_a_shortest_one(
    tmp_path: Path, turning: int, back: int, way: int, round_: int
) -> None:
    found = check_one(tmp_path, CORRIDOR, "always_ends: true", turning=turning, back=back)
    play, cycle = found.evidence.play, found.evidence.cycle
    assert play is not None
    assert (len(play), len(cycle)) == (way, round_)


def test_a_draw_is_shown_by_a_shortest_play() -> None:
    game = rulegame.load("tic_tac_toe")
    found = KINDS["no_draws"](inquiry(game), a_claim("no_draws"))
    assert len(texts(found.play)) == 9
    outcome = replayed(game, texts(found.play)).outcome
    assert outcome is not None and outcome.draw


PASSING = (
    PAIRS_ONLY
    + """
stuck:
  result: pass
  all: draw
"""
)

UNLESS = COUNTDOWN + "stuck:\n  unless: after.left > 3\n"


@pytest.mark.parametrize(
    ("body", "parameters", "play", "player"),
    [
        (PAIRS_ONLY, {}, ["take 2", "take 2"], 0),
        (PAIRS_ONLY, {"pile": 3}, ["take 2"], 1),
        (PAIRS_ONLY, {"pile": 1}, [], 0),  # at once
        (PASSING, {}, ["take 2", "take 2"], 0),
        (PASSING, {"pile": 3}, ["take 2"], 1),
        (UNLESS, {}, ["take 1"], 1),
    ],
)
def test_a_stuck_player_is_found(
    tmp_path: Path, body: str, parameters: dict[str, int], play: list[str], player: int
) -> None:
    game = load(tmp_path, body, "never_stuck: true", **parameters)
    (found,) = rulegame.check(game).findings
    assert found.status == "refuted"
    assert texts(found.evidence.play) == play
    assert found.evidence.detail == f"Player {player + 1} is stuck"
    assert replayed(game, play).events[0].player == player


ONE_MUST_PASS = """
state:
  each player:
    left: 2 if me == players[1] else 1
operations:
  take:
    effects:
      my.left: my.left - 1
validity:
  enough: after.my.left >= 0
stuck: pass
end:
  all_taken:
    when: sum(left) == 0
    result: win
"""


def test_a_pass_in_the_middle_of_a_game_is_found(tmp_path: Path) -> None:
    game = load(
        tmp_path,
        ONE_MUST_PASS,
        "never_stuck: true",
    )
    assert {o.rule for o in rulegame.explore(game, first=1).outcomes} == {"all_taken"}
    (found,) = rulegame.check(game, first=1).findings
    assert (found.status, found.evidence.detail) == ("refuted", "Player 2 is stuck")
    state = replayed(game, texts(found.evidence.play), first=1)
    assert [event.kind for event in state.events] == ["pass"]


@pytest.mark.parametrize(
    ("body", "claim", "detail", "winner"),
    [
        (COUNTDOWN, "second_player_wins", "Player 1, who moves first, can force a win", 0),
        (COUNTDOWN.replace("5", "6"), "first_player_wins", "Player 2, who moves second", 1),
        (COIN, "first_player_wins", "the value for the first player is 0", 1),
    ],
)
def test_best_play_to_another_end_is_shown(
    tmp_path: Path, body: str, claim: str, detail: str, winner: int
) -> None:
    game = load(tmp_path, body, f"{claim}: true")
    (found,) = rulegame.check(game).findings
    assert found.evidence.detail.startswith(detail)
    outcome = replayed(game, texts(found.evidence.play)).outcome
    assert outcome is not None and outcome.winners == (winner,)


def test_endless_best_play_refutes_a_win(tmp_path: Path) -> None:
    found = check_one(tmp_path, WAIT_OR_LOSE, "first_player_wins: true")
    assert found.evidence.detail == "best play never ends"
    assert texts(found.evidence.cycle) == ["wait", "wait"]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    found = check_one(tmp_path, ONE_TOO_MANY, "every_operation_used: true")
    assert (found.evidence.detail, found.evidence.play) == ("never valid: vanish", None)
    found = check_one(tmp_path, ANOTHER_END, "every_end_rule_reached: true")
    assert found.evidence.detail == "never end a game: none_left"


@pytest.mark.parametrize(
    ("heads", "tails", "bound", "status"),
    [
        (11, 9, "0.1", "proved"),  # exactly: the nearest float of 0.1 is another number
        (11, 9, "0.0999", "refuted"),
        (9, 11, "0.1", "proved"),
        (2, 1, "0.3333333333333333", "refuted"),
        (1, 1, "0", "proved"),
    ],
)
def test_fairness_is_exact(tmp_path: Path, heads: int, tails: int, bound: str, status: str) -> None:
    found = check_one(tmp_path, COIN, f"fair_within: {bound}", heads=heads, tails=tails)
    assert found.status == status
    value = Fraction(heads - tails, heads + tails)
    assert str(value) in found.evidence.detail


def test_who_moves_first_can_be_another(tmp_path: Path) -> None:
    body = COUNTDOWN.replace("result: win", "winners: players[1]")
    claims = "first_player_wins: true, second_player_wins: true"
    for first, statuses in enumerate((["proved", "refuted"], ["refuted", "proved"])):
        report = check(tmp_path, body, claims, first=first)
        assert [found.status for found in report.findings] == statuses


# ---- what cannot be decided

THREE = "players: [A, B, C]\nstuck: draw\n"


@pytest.mark.parametrize(
    ("heads", "claim", "status"),
    [
        (2, "first_player_wins: true", "refuted"),
        (2, "second_player_wins: true", "refuted"),
        (2, "fair_within: 0.34", "proved"),
        (2, "fair_within: 0.33", "refuted"),
        (2, "fair_within: 0.3333333333333333", "undecided"),
        (1, "first_player_wins: true", "refuted"),
        (1, "second_player_wins: true", "refuted"),
        (1, "fair_within: 0.34", "proved"),
        (1, "fair_within: 0.33", "refuted"),
        (1, "fair_within: 0.3333333333333333", "undecided"),
    ],
)
def test_bounds_decide_what_they_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heads: int, claim: str, status: str
) -> None:
    """The value is a third, for one or the other, but it is only known to lie near it."""
    monkeypatch.setattr("rulegame.solving.stochastic.chance.MOST_PLAIN", 0)
    found = check_one(tmp_path, COIN, claim, heads=heads, tails=3 - heads)
    assert found.status == status
    assert "the first player's value is between " in found.evidence.detail


def test_what_needs_a_solution_is_undecided_without_one(tmp_path: Path) -> None:
    claims = "fair_within: 0.1, ends_under_best_play: true, no_draws: true"
    report = check(tmp_path, THREE + WALK, claims)
    statuses = [found.status for found in report.findings]
    assert statuses == ["undecided", "undecided", "proved"]
    assert "3 players" in report.findings[0].evidence.detail
    assert not report.holds


def test_who_can_win_against_all_others_is_known_for_any_number_of_players(tmp_path: Path) -> None:
    """A, B and C take one or two in turn; who takes the last wins. Of three, B takes what A leaves,
    whatever that is; of four, C can always take the last, if B leaves it.
    """
    for pile, wins in ((2, (True, False)), (3, (False, True)), (4, (False, False))):
        claims = "first_player_wins: true, second_player_wins: true"
        report = rulegame.check(load(tmp_path, THREE + COUNTDOWN, claims, pile=pile))
        assert tuple(f.status == "proved" for f in report.findings) == wins, pile


def test_winning_is_not_a_payoff_of_one(tmp_path: Path) -> None:
    """Who gets more wins, however little that is; what is paid on average is another matter."""
    paid = "players: [A, B]\n" + COUNTDOWN.replace("result: win", "payoff: PAID")
    for pays, status in (("3, -3", "proved"), ("1, 1", "refuted"), ("2, 1", "proved")):
        body = paid.replace(
            "PAID",
            f"list({pays.split(', ')[0]} if p == me else {pays.split(', ')[1]} for p in players)",
        )
        assert check_one(tmp_path, body, "first_player_wins: true", pile=2).status == status


def test_what_ends_anyway_ends_under_best_play_for_any_number_of_players(tmp_path: Path) -> None:
    assert (
        check_one(tmp_path, THREE + DRUNKEN_WALK, "ends_under_best_play: true").status == "proved"
    )


def test_what_cannot_end_does_not_end_under_best_play(tmp_path: Path) -> None:
    body = THREE + WALK.replace("at + 1", "mod(at + 1, 2)")
    found = check_one(tmp_path, body, "ends_under_best_play: true")
    assert (found.status, found.evidence.detail) == ("refuted", "no game can end")


def test_hidden_information_is_no_obstacle_to_what_the_graph_tells() -> None:
    game = rulegame.load("number_duel", {"highest": 4, "count": 2})
    report = rulegame.check(game)
    assert {found.status for found in report.findings} == {"proved"}


def test_a_game_that_is_too_large_is_undecided(tmp_path: Path) -> None:
    game = load(tmp_path, COUNTDOWN, "always_ends: true, no_draws: false", pile=100)
    report = rulegame.check(game, max_states=50)
    assert report.states is None and not report.holds
    assert "50 positions" in report.refusal
    assert [found.status for found in report.findings] == ["undecided", "undecided"]


# ---- against plain definitions

NODES = 7
RANDOM_GAME = """
parameters:
  kind: [1, 1, 1, 1, 1, 1, 1]
  left: [1, 1, 1, 1, 1, 1, 1]
  right: [1, 1, 1, 1, 1, 1, 1]
state:
  at: 1
operations:
  go_left:
    when: kind[at] <= 2
    effects:
      at: left[at]
    next: players[2] if kind[at] == 2 else players[1]
  go_right:
    when: kind[at] <= 2
    effects:
      at: right[at]
    next: players[2] if kind[at] == 2 else players[1]
  toss:
    when: kind[at] == 3
    roll:
      coin: 1..2
    effects:
      at: left[at] if coin == 1 else right[at]
    next: players[2] if kind[at] == 2 else players[1]
end:
  one_wins:
    when: kind[at] == 4
    winners: players[1]
  two_wins:
    when: kind[at] == 5
    winners: players[2]
  drawn:
    when: kind[at] == 6
    result: draw
"""
ONE, TWO, TOSS, ENDS = 1, 2, 3, (4, 5, 6)


@dataclass(frozen=True)
class Plain:
    """A random game as three tables, and what is true of it by the letter of the definitions."""

    kind: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]

    @staticmethod
    def random(chance: Random) -> Plain:
        kinds = [1, 1, *chance.choices([1, 2, 2, 3, 3, 4, 5, 6], k=NODES - 2)]
        ways = [tuple(chance.randrange(NODES) for _ in range(NODES)) for _ in range(2)]
        return Plain(tuple(kinds), *ways)

    def parameters(self) -> dict[str, list[int]]:
        ways = [[node + 1 for node in way] for way in (self.left, self.right)]
        return {"kind": list(self.kind), "left": ways[0], "right": ways[1]}

    def following(self, node: int) -> set[int]:
        return set() if self.kind[node] in ENDS else {self.left[node], self.right[node]}

    def reachable(self) -> set[int]:
        found, waiting = {0}, [0]
        while waiting:
            for other in self.following(waiting.pop()) - found:
                found.add(other)
                waiting.append(other)
        return found

    def always_ends(self) -> bool:
        def comes_back(node: int, path: frozenset[int]) -> bool:
            return node in path or any(
                comes_back(other, path | {node}) for other in self.following(node)
            )

        return not comes_back(0, frozenset())

    def shortest_return(self) -> int:
        """Moves and tosses until a play can be where it has been."""
        layer: list[tuple[tuple[int, ...], int]] = [((0,), 0)]
        found: list[int] = []
        while layer:
            after: list[tuple[tuple[int, ...], int]] = []
            for path, length in layer:
                taken = length + (2 if self.kind[path[-1]] == TOSS else 1)
                for other in self.following(path[-1]):
                    if other in path:
                        found.append(taken)
                    else:
                        after.append(((*path, other), taken))
            layer = after
        return min(found)

    def can_stay(self, states: frozenset[int]) -> bool:
        """Whether the players can keep play among these states, whatever is tossed."""
        return all(
            self.following(node) <= states
            if self.kind[node] == TOSS
            else bool(self.following(node) & states)
            for node in states
        )

    def ends_almost_surely(self) -> bool:
        nodes = [node for node in self.reachable() if self.kind[node] not in ENDS]
        return not any(self.can_stay(frozenset(some)) for some in _subsets(nodes))

    def ends_under_best_play(self, values: dict[int, Fraction]) -> bool:
        """One strategy (for each state) of those who can force the end, against all others."""
        return any(self._forces(side, values) for side in (ONE, TWO))

    def _forces(self, side: int, values: dict[int, Fraction]) -> bool:
        def forces(node: int) -> bool:
            if values[node] == 0:
                return self.kind[node] == side
            return self.kind[node] == (ONE if values[node] > 0 else TWO)

        best = {
            node: sorted(o for o in self.following(node) if values[o] == values[node])
            for node in values
            if self.kind[node] in (ONE, TWO)
        }
        mine = [node for node in best if forces(node)]
        theirs = [node for node in best if not forces(node)]
        return any(
            all(
                self._ends(
                    {**dict(zip(mine, own, strict=True)), **dict(zip(theirs, o, strict=True))}
                )
                for o in product(*(best[node] for node in theirs))
            )
            for own in product(*(best[node] for node in mine))
        )

    def _ends(self, chosen: dict[int, int]) -> bool:
        """Whether an end can be reached from all that can be reached: then it comes for sure."""

        def closure(start: int) -> set[int]:
            found, waiting = {start}, [start]
            while waiting:
                node = waiting.pop()
                after = {chosen[node]} if node in chosen else self.following(node)
                waiting += after - found
                found |= after
            return found

        return all(any(self.kind[o] in ENDS for o in closure(node)) for node in closure(0))


def _subsets(nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(nodes, k) for k in range(1, len(nodes) + 1))


@pytest.mark.quick(15)
@pytest.mark.parametrize("seed", range(150))
def test_random_games_agree_with_the_definitions(tmp_path: Path, seed: int) -> None:
    plain = Plain.random(Random(seed))
    claims = "always_ends: true, ends_almost_surely: true, ends_under_best_play: true"
    game = load(tmp_path, RANDOM_GAME, claims, **plain.parameters())
    always, surely, best = rulegame.check(game).findings
    assert always.evidence.holds == plain.always_ends()
    assert surely.evidence.holds == plain.ends_almost_surely()
    if not always.evidence.holds:
        steps = len(texts(always.evidence.play)) + len(always.evidence.cycle)
        assert steps == plain.shortest_return()
    solution = rulegame.solve(game, "perfect_information")
    values: dict[int, Fraction] = {}
    for number in range(len(solution.graph)):
        state = solution.graph.state(number)
        value = solution.value_of(number)
        if state.player != rulegame.CHANCE:
            assert value is not None
            values[state["at"] - 1] = value
    assert best.evidence.holds == plain.ends_under_best_play(values)
    for found in (always, surely, best):
        if not found.evidence.holds:
            play, cycle = texts(found.evidence.play), texts(found.evidence.cycle)
            assert cycle
            assert replayed(game, play) == replayed(game, play + cycle)


def test_the_random_games_are_of_all_kinds() -> None:
    games = [Plain.random(Random(seed)) for seed in range(150)]
    always = [game.always_ends() for game in games]
    surely = [game.ends_almost_surely() for game in games]
    assert 10 < sum(always) < sum(surely) < 140


# ---- warnings


def inquiry(game: rulegame.Game) -> Any:
    from rulegame.progress import silent
    from rulegame.proving.inquiry import Inquiry

    return Inquiry(rulegame.explore(game), 0, silent)


def a_claim(name: str) -> Any:
    from rulegame.diagnostics import Span
    from rulegame.proving import Claim

    return Claim(name, True, Span.whole("game.yaml"))


def warned(report: CheckResult) -> list[tuple[str, str]]:
    return [(warning.kind, warning.name) for warning in report.warnings]


IDLE = COUNTDOWN.replace("validity:\n", "validity:\n  not_ten: n != 10\n")
LATE = COUNTDOWN.replace("validity:\n", "validity:\n  early: left > 1 or n != 1\n")
BEHIND = """
parameters:
  small: 2
state:
  at: 0
  row: {type: list of int, size: 3}
operations:
  step:
    choose:
      n: 1..5
    effects:
      at: at + 1
validity:
  in_row: n <= 3
  fits: row[n] <= small
end:
  over:
    when: at == 2
    result: win
"""
NEEDLESS = WALK.replace("end:\n", "  jump:\n    when: at == 2\n    effects:\n      at: 3\nend:\n")
CIRCLING = WALK.replace("down:\n    when: at > 0", "down:\n    when: at == 2").replace(
    "at: at - 1", "at: at"
)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (COUNTDOWN, []),
        (IDLE, [("idle_rule", "not_ten")]),
        (LATE, []),  # it bars a move only where the player is stuck
        (BEHIND, [("idle_rule", "fits")]),  # its list would be read beyond its end
        (ONE_TOO_MANY, [("unused_operation", "vanish")]),
        (ANOTHER_END, [("unreached_end", "none_left")]),
        (COUNTDOWN + "stuck: draw\n", [("idle_stuck", "stuck")]),
        (PAIRS_ONLY + "stuck: draw\n", [("unreached_end", "last")]),
        (PASSING, [("unreached_end", "last")]),
        (NEEDLESS, [("needless_operation", "jump")]),
        # `down` leaves the other player to win: only `up` does. But `down` is never needed.
        (CIRCLING, [("needless_operation", "down")]),
    ],
)
def test_warnings(tmp_path: Path, body: str, found: list[tuple[str, str]]) -> None:
    report = check(tmp_path, body)
    assert warned(report) == found
    assert report.holds


def test_a_claim_that_says_so_silences_its_warning(tmp_path: Path) -> None:
    assert not warned(check(tmp_path, COUNTDOWN + "stuck: draw\n", "never_stuck: true"))
    assert not warned(check(tmp_path, ANOTHER_END, "every_end_rule_reached: false"))
    assert not warned(check(tmp_path, ONE_TOO_MANY, "every_operation_used: false"))


WAITING_KEEPS_THE_VALUE = """
state:
  won: false
operations:
  wait:
    next: me
  win:
    effects:
      won: true
end:
  over:
    when: won
    result: win
"""


def test_a_move_that_must_be_made_at_last_is_needed(tmp_path: Path) -> None:
    """Waiting keeps the value in every state, but whoever only waits does not win."""
    for first in (0, 1):
        report = check(tmp_path, WAITING_KEEPS_THE_VALUE, first=first)
        assert warned(report) == [("needless_operation", "wait")]


# ---- parameters


def survey(tmp_path: Path, body: str, claims: str, *ranges: str) -> Any:
    load(tmp_path, body, claims)
    document = read_ruleset(tmp_path / "game.yaml").document
    assert document is not None
    return list(check_settings(document, Settings(), read_ranges(ranges)))


def test_claims_over_ranges_of_parameters(tmp_path: Path) -> None:
    claims = "first_player_wins: true, always_ends: true"
    reports = survey(tmp_path, COUNTDOWN, claims, "pile=4..8", "most=2,3")
    wins, ends = overall(reports)
    assert (ends.status, ends.settings, ends.failing) == ("proved", 10, 0)
    assert (wins.status, wins.failing) == ("refuted", 3)  # 6 with two; 4 and 8 with three
    assert str(wins.setting) == "pile=4, most=3"
    game = load(tmp_path, COUNTDOWN, pile=4, most=3)
    outcome = replayed(game, texts(wins.shown.evidence.play)).outcome
    assert outcome is not None and outcome.winners == (1,)


def test_warnings_hold_in_all_settings(tmp_path: Path) -> None:
    body = COUNTDOWN + "stuck: draw\n"
    body = body.replace("validity:\n", "validity:\n  not_ten: n != 10\n")
    reports = survey(tmp_path, body.replace("1..most", "2..most"), "", "pile=2,3")
    assert ("idle_stuck", "stuck") in warned(reports[0][1])
    assert ("idle_stuck", "stuck") not in warned(reports[1][1])
    assert [warning.name for warning in common_warnings(reports)] == ["not_ten"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a=5..8", [5, 6, 7, 8]),
        ("a=-1..1,7", [-1, 0, 1, 7]),
        ("a=5..12..3", [5, 8, 11]),
        ("a=5..11..3", [5, 8, 11]),
        ("a=5..5", [5]),
        (" a = 5 , 6 ", [5, 6]),
        ("a=true,false", [True, False]),
        ("a=red,green", ["red", "green"]),
        ("a=[1, 2],[3]", [[1, 2], [3]]),
    ],
)
def test_ranges(text: str, values: list[Any]) -> None:
    assert plain_values(read_ranges([text])) == {"a": values}


@pytest.mark.parametrize(
    ("texts_", "message"),
    [
        (["a"], "write name=5..40"),
        (["a="], "write name=5..40"),
        (["=5"], "write name=5..40"),
        (["a=8..5"], "the range 8..5 is empty: write a=5..8"),
        (["a=1..9..0"], "the step of 1..9..0 must be above 0"),
        (["a=1..1000001"], "more than 1,000,000 values"),
        (["a=1..3000001..3"], "more than 1,000,000 values"),
        (["a=1..1000000,1"], "more than 1,000,000 values"),
        (["a=1..101", "b=1..9901"], "1,000,001 settings"),
        (["a=1..999999999999999999"], "more than 1,000,000 values"),
        (["a=1..2000", "b=1..2000"], "4,000,000 settings"),
        (["a=1", "a=2"], "duplicate parameter 'a'"),
        (["a=[1"], "not a list of values"),
        (["a=1], [2"], "not a list of values"),
        (["a=\x00"], "not a list of values"),
    ],
)
def test_ranges_that_are_none(texts_: list[str], message: str) -> None:
    with pytest.raises(BadRange, match=message.replace("[", r"\[")):
        read_ranges(texts_)


@pytest.mark.parametrize(
    "texts_", [["a=1..1000000"], ["a=1..3000000..3"], ["a=1..800", "b=1..1250"]]
)
def test_as_many_settings_as_are_allowed(texts_: list[str]) -> None:
    assert prod(len(values) for values in read_ranges(texts_).values()) == 1_000_000


def test_settings_are_counted_while_they_are_checked(tmp_path: Path) -> None:
    load(tmp_path, COUNTDOWN, "always_ends: true")
    document = read_ruleset(tmp_path / "game.yaml").document
    assert document is not None
    told: list[tuple[str, int, int | None]] = []

    def checked(*ranges: str) -> int:
        told.clear()
        reports = check_settings(
            document,
            Settings(),
            read_ranges(ranges),
            progress=lambda *report: told.append(report),
        )
        return len(list(reports))

    assert checked("pile=4..6", "most=2,3") == 6
    assert told == [("Checking settings", done, 6) for done in range(6)]
    assert checked("pile=4") == checked() == 1
    assert not told  # how far a single one is, exploring and solving tell


def test_a_setting_that_the_ruleset_refuses(tmp_path: Path) -> None:
    body = COUNTDOWN.replace("pile: 5", "pile: {default: 5, max: 6}")
    with pytest.raises(Refused, match="at most 6, not 7") as refused:
        survey(tmp_path, body, "", "pile=5..8")
    assert str(refused.value.setting) == "pile=7"
    (problem,) = refused.value.diagnostics
    assert problem.span[:5] == ("pile", 1, 2, 1, 6)  # in the text of the range
