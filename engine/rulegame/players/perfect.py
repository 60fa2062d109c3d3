"""The player that knows the exact solution."""

from __future__ import annotations

from random import Random

from rulegame.game import Game, GameError, Move, View
from rulegame.players.distance import longest_resistance, quickest_wins
from rulegame.players.interface import Player
from rulegame.players.mixed import MixedPlayer
from rulegame.players.mixes import Mix, alike, mix_of
from rulegame.players.solutions import Playable, Solutions, Unsolved
from rulegame.players.table import FastTable
from rulegame.progress import Progress
from rulegame.solving import PerfectInformationSolution
from rulegame.solving.arena import HIGH, LOW


class PerfectPlayer:
    """Keeps what a state is worth. A won game is won as soon as possible; where the solution leaves
    a choice, it takes what an opponent is most likely to answer wrongly.
    """

    def __init__(self, solution: PerfectInformationSolution, otherwise: Player) -> None:
        self._solution = solution
        self._otherwise = otherwise  # for states that the solved game never comes to
        self.note: str | None = None
        if not solution.exact:
            gap = float((solution.uppers - solution.lowers).max())
            self.note = f"The values of this game are known to within {gap:.1e}, not exactly."

    def choose(self, view: View, rng: Random) -> Move:
        moves = view.moves
        if len(moves) == 1:
            return moves[0]
        good = self._good(view)
        return self._otherwise.choose(view, rng) if good is None else rng.choice(good)

    def mix(self, view: View) -> Mix | None:
        """The moves between which it does not decide, alike."""
        good = self._good(view)
        return mix_of(self._otherwise, view) if good is None else alike(good)

    def _good(self, view: View) -> list[Move] | None:
        """Moves between which it does not decide; None in a state that is not of the solution."""
        solution, state = self._solution, view.state
        number = None if state is None else solution.graph.find(state)
        if state is None or number is None:
            return None
        return solution.moves_like(state, good_moves(solution, number))


def good_moves(solution: PerfectInformationSolution, number: int) -> list[Move]:
    """Moves of a player's state between which a perfect player need not decide.

    Where play can be endless, it is not enough to keep the value at every move: one could keep a
    win forever without winning. With dice the solution's own choices are followed, which are
    proved to get there; without, each move of the winner brings the end nearer.
    """
    if solution.distances is None:
        return _by_chance(solution, number)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    value = sign * solution.bounds_of(number)[0]
    keeping = _keeping(solution, number)
    if value == 0 and solution.longest_game is not None:
        return _hardest(solution, number, keeping)
    away = [solution.distance_of(target) for _, target in keeping]
    known = [distance for distance in away if distance is not None]
    if not known:
        return _hardest(solution, number, keeping)
    # In a draw that someone can force, an end is preferred to wandering about.
    best = max(known) if value < 0 else min(known)
    nearest = [pair for pair, distance in zip(keeping, away, strict=True) if distance == best]
    return _hardest(solution, number, nearest)


def _by_chance(solution: PerfectInformationSolution, number: int) -> list[Move]:
    """The same in a game with dice: of how far the end is, only what can be looked ahead."""
    graph, keeping = solution.graph, _keeping(solution, number)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    bounds = [sign * bound for bound in solution.bounds_of(number)]
    codes = [graph.game.code_of(move) for move, _ in keeping]
    table, cells = graph.game.companion(FastTable), graph.cells[number]
    if solution.arena.plain and bounds == [-1, -1]:  # nothing is left to lose: resist
        codes = longest_resistance(table, cells, codes)
    elif solution.longest_game is None or not solution.exact:
        return [graph.move_table[graph.moves[solution.chosen[number]]]]
    elif solution.arena.plain and bounds == [1, 1]:
        codes = quickest_wins(table, cells, codes)
    moves = graph.game.moves_of(tuple(codes))
    return _hardest(solution, number, [pair for pair in keeping if pair[0] in moves])


def _keeping(solution: PerfectInformationSolution, number: int) -> list[tuple[Move, int]]:
    """The moves that keep the value, with where they lead."""
    best = set(solution.best_moves(number))
    return [pair for pair in solution.graph.following(number) if pair[0] in best]


def _hardest(
    solution: PerfectInformationSolution, number: int, moves: list[tuple[Move, int]]
) -> list[Move]:
    """Of some moves those after which an answer at random costs the opponent most."""
    graph, role = solution.graph, solution.arena.role
    sign, opponent = (1, LOW) if role[number] == HIGH else (-1, HIGH)
    worths = []
    for _, target in moves:
        answers = [target]
        if role[target] == opponent:
            answers = [state for _, state in graph.following(target)]
        total = sum(sum(solution.bounds_of(state)) for state in answers)
        worths.append(round(sign * total / len(answers), 9))
    best = max(worths)
    return [move for (move, _), worth in zip(moves, worths, strict=True) if worth == best]


def solved_player(solution: Playable, otherwise: Player) -> Player:
    """Plays from a solution; `otherwise` chooses in states that the solution does not cover."""
    if isinstance(solution, PerfectInformationSolution):
        return PerfectPlayer(solution, otherwise)
    return MixedPlayer(solution, otherwise)


def make_perfect(
    game: Game,
    first: int,
    max_states: int,
    progress: Progress,
    otherwise: Player,
    otherwise_name: str,
) -> Player:
    """A perfect player, or a substitute with a note that says why."""
    try:
        return solved_player(game.companion(Solutions).find(first, max_states, progress), otherwise)
    except Unsolved as problem:
        reason = str(problem)
    except GameError as error:
        reason = f"the rules fail in some position ({error.diagnostic.message})"
    note = f"No perfect player: {reason}. {otherwise_name} plays instead."
    return Substitute(otherwise, otherwise_name, note)


class Substitute:
    """Plays in the place of another player; the note says why."""

    def __init__(self, player: Player, spec: str, note: str) -> None:
        self._player = player
        self.spec = spec  # the name of the player that chooses
        self.note = note

    def choose(self, view: View, rng: Random) -> Move:
        return self._player.choose(view, rng)

    def mix(self, view: View) -> Mix | None:
        """How the other one chooses."""
        return mix_of(self._player, view)
