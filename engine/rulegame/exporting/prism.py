"""A game as a model of PRISM and Storm: numbered states, an end's number, what each player gets.

Seats are free, or played by somebody whose choices are known: with no free seat it is a Markov
chain (dtmc), with one a decision process (mdp), with several a game (smg).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from rulegame.compiling import CHANCE, OVER
from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph
from rulegame.exporting.tree import CannotExport
from rulegame.game.visibility import Sight
from rulegame.solving import check_solvable, solve_graph

FREE: Final = "free"
PLAYED_BY: Final = (FREE, "random", "perfect")
# Words that PRISM, PRISM-games or Storm read as their own.
RESERVED: Final = frozenset(
    re.findall(
        r"\w+",
        """A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables
        endplayer endrewards endsystem false formula filter func F global G init invariant I int
        label max mdp min module X nondeterministic observable observables of Pmax Pmin P player
        pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S smg stochastic system true U
        W""",
    )
)

Share = tuple[Fraction, int]  # a probability, and the state that follows


def prism(graph: StateGraph, first: int, players: Sequence[str]) -> Iterator[str]:
    """The lines of a model; `players` says who plays each seat."""
    return _Model(graph, first, players).lines()


class _Model:
    def __init__(self, graph: StateGraph, first: int, players: Sequence[str]) -> None:
        self._graph = graph
        self._players = players
        self._seats = [seat for seat, who in enumerate(players) if who == FREE]
        self._check()
        self._chosen = _best(graph, first) if "perfect" in players else None
        self._names = _identifiers([move.text for move in graph.move_table])
        low = min([Fraction(0), *(Fraction(p) for end in graph.outcomes for p in end.payoffs)])
        self._more = -low  # than they get: rewards are never negative there
        self._states = self._reached()

    def _check(self) -> None:
        game = self._graph.game
        if len(self._players) != len(game.players):
            raise ValueError(f"there are {len(game.players)} players, not {len(self._players)}")
        if unknown := [who for who in self._players if who not in PLAYED_BY]:
            raise ValueError(f"players are {', '.join(PLAYED_BY)}, not '{unknown[0]}'")
        if self._seats and game.companion(Sight).hides_something:
            raise CannotExport(
                "something is hidden from a player, and in these models all is seen; with a "
                "random player in every seat it is a Markov chain"
            )

    @property
    def kind(self) -> str:
        return ("dtmc", "mdp")[len(self._seats)] if len(self._seats) < 2 else "smg"

    def lines(self) -> Iterator[str]:
        graph, title = self._graph, " ".join(self._graph.game.ruleset.title.split())
        yield f"// {title}: s is the number of the state, e that of the end, or 0"
        yield self.kind
        if self.kind == "smg":
            yield from self._owners()
        yield ""
        yield "module game"
        yield f"  s : [0..{len(graph) - 1}] init 0;"
        yield f"  e : [0..{len(graph.outcomes)}] init {int(graph.outcome[0]) + 1};"
        for number in self._states:
            for name, shares in self._choices(number):
                yield f"  [{name}] s={number} -> {self._update(shares)};"
        yield "  [] e>0 -> true;"
        yield "endmodule"
        yield from self._labels()
        for seat in range(len(graph.game.players)):
            yield from self._rewards(seat)

    def _reached(self) -> list[int]:
        """The states that can be reached by what those do who play."""
        found, waiting = {0}, [0]
        while waiting:
            for _, shares in self._choices(waiting.pop()):
                new = {target for _, target in shares} - found
                found |= new
                waiting += new
        return sorted(found)

    def _choices(self, number: int) -> Iterator[tuple[str, list[Share]]]:
        """What can be chosen in a state: an action's name (none if nobody is free to choose) and
        what follows.
        """
        graph = self._graph
        owner = int(graph.owner[number])
        if owner == OVER:
            return
        low, high = int(graph.offsets[number]), int(graph.offsets[number + 1])
        after = graph.successors[low:high].tolist()
        if owner in self._seats:
            moves = graph.moves[low:high].tolist()
            for move, target in zip(moves, after, strict=True):
                yield self._action(owner, move), [(Fraction(1), target)]
        elif owner == CHANCE:
            yield "", [(share, target) for target, share in graph.chances(number)]
        elif self._players[owner] == "random":
            yield "", [(Fraction(1, len(after)), target) for target in after]
        else:
            assert self._chosen is not None
            yield "", [(Fraction(1), int(graph.successors[self._chosen[number]]))]

    def _action(self, seat: int, move: int) -> str:
        name = self._names[move]
        return f"p{seat + 1}_{name}" if self.kind == "smg" else name

    def _update(self, shares: list[Share]) -> str:
        together: dict[int, Fraction] = {}
        for share, target in shares:
            together[target] = together.get(target, Fraction(0)) + share
        return " + ".join(f"{share} : {self._target(t)}" for t, share in together.items())

    def _target(self, number: int) -> str:
        end = int(self._graph.outcome[number]) + 1
        return f"(s'={number})" + (f"&(e'={end})" if end else "")

    def _owners(self) -> Iterator[str]:
        """Whose the actions are; what nobody chooses counts as the first player's."""
        graph = self._graph
        owners = graph.owner.tolist()
        offsets = graph.offsets.tolist()
        own: dict[int, set[int]] = {seat: set() for seat in self._seats}
        for number, owner in enumerate(owners):
            if owner in own:
                own[owner] |= set(graph.moves[offsets[number] : offsets[number + 1]].tolist())
        for seat, moves in own.items():
            listed = [f"[{self._action(seat, move)}]" for move in sorted(moves)]
            yield f"player p{seat + 1}"
            yield "  " + ", ".join([*(["game"] if seat == self._seats[0] else []), *listed])
            yield "endplayer"

    def _labels(self) -> Iterator[str]:
        """Ends by their rules, and by who wins; "over": any of them."""
        graph = self._graph
        ends: dict[str, list[int]] = {}
        for end, outcome in enumerate(graph.outcomes, 1):
            ends.setdefault(f"end_{outcome.rule}", []).append(end)
            for seat in outcome.winners:
                ends.setdefault(f"player_{seat + 1}_wins", []).append(end)
            for seat in outcome.losers:
                ends.setdefault(f"player_{seat + 1}_loses", []).append(end)
            if outcome.draw:
                ends.setdefault("draw", []).append(end)
        yield 'label "over" = e>0;'
        for name, numbers in ends.items():
            yield f'label "{name}" = {_among(numbers)};'

    def _rewards(self, seat: int) -> Iterator[str]:
        """What a player gets, where a step leads to an end."""
        more = f", and {self._more} more" if self._more else ""
        yield f'rewards "player_{seat + 1}" // what they get at the end{more}'
        yield "  e>0 : 0;"  # so that there is a line, whoever gets nothing
        for number in self._states:
            for name, shares in self._choices(number):
                paid = sum((share * self._paid(t, seat) for share, t in shares), Fraction(0))
                if paid:
                    yield f"  {f'[{name}] ' if name else ''}s={number} : {paid};"
        yield "endrewards"

    def _paid(self, number: int, seat: int) -> Fraction:
        end = int(self._graph.outcome[number])
        if end < 0:
            return Fraction(0)
        return Fraction(self._graph.outcomes[end].payoffs[seat]) + self._more


def _among(numbers: list[int]) -> str:
    """That the end is one of some; numbers that follow one another are told together."""
    parts: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1] = parts[-1][0], number
        else:
            parts.append((number, number))
    return " | ".join(f"e={a}" if a == b else f"(e>={a} & e<={b})" for a, b in parts)


def _best(graph: StateGraph, first: int) -> Sequence[int]:
    """Of each state, an edge of best play."""
    try:
        check_solvable(graph.game)
        chosen: list[int] = solve_graph(graph, first).chosen.tolist()
    except CannotSolve as problem:
        raise CannotExport(f"no perfect players for this game: {problem}") from None
    return chosen


def _identifiers(texts: Sequence[str]) -> list[str]:
    """Texts as names of actions, other ones for other texts."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", text.replace("-", " minus ")).strip("_") or "move"
        if plain in RESERVED or plain[0].isdigit():
            plain = f"move_{plain}"
        name, times = plain, 1
        while text not in found and name in taken:
            times += 1
            name = f"{plain}__{times}"
        found.setdefault(text, name)
        taken.add(found[text])
    return [found[text] for text in texts]
