"""What a search tree proves: results that hold whatever the other players do.

For two players with opposite interests, who both see everything, a state has one value: what one
of them can force, the other cannot avoid. In any other game nobody knows what the others are out
for. There a seat is sure of a win that it can force against all others together, and of any other
result only if that comes about whatever anyone does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from rulegame.compiling import CHANCE
from rulegame.players.table import FastTable

WIN: Final = 1.0  # the most that there is, where nobody is paid otherwise
LOSS: Final = -1.0


class Proof(NamedTuple):
    """What a seat is certain to get from a state on, and within how many moves and rolls. It is
    `sure` if that is the result; otherwise it is so on average.
    """

    value: float
    away: int
    sure: bool


class Proved(Protocol):
    """A state of a tree, with what is known for each seat."""

    @property
    def seat(self) -> int: ...
    @property
    def options(self) -> Sequence[int]: ...
    @property
    def tried(self) -> Sequence[Proved]: ...
    @property
    def known(self) -> list[Proof | None]: ...
    @property
    def shared(self) -> float | None: ...


class Prover:
    """Carries proofs from the states after a state to that state."""

    def __init__(self, table: FastTable) -> None:
        self._table = table
        self._opposed = table.opposed

    def won_at_once(self, seat: int) -> list[Proof | None]:
        """What is known of a state in which a seat has a move that wins."""
        known: list[Proof | None] = [None] * self._table.seats
        known[seat] = Proof(WIN, 1, True)
        if self._opposed:
            known[1 - seat] = Proof(LOSS, 1, True)
        return known

    def is_won(self, proof: Proof | None) -> bool:
        """Whether nothing better is possible."""
        return proof is not None and self._table.plain and proof.value >= WIN

    def is_lost(self, proof: Proof | None) -> bool:
        """Whether nothing worse is possible."""
        return proof is not None and self._table.plain and proof.value <= LOSS

    # ---- a player's choice

    def choice(self, node: Proved) -> list[Proof | None]:
        """What is known of a state in which a player chooses."""
        seat, known = node.seat, list(node.known)
        whole = len(node.tried) == len(node.options)
        if known[seat] is None:
            known[seat] = self._chosen(node, whole)
        for other in range(len(known)):
            if known[other] is None and other != seat:
                if len(known) == 2 and node.shared is not None:
                    known[other] = _opposite(node, known[seat], node.shared)
                elif whole:
                    known[other] = _suffered([child.known[other] for child in node.tried])
        return known

    def _chosen(self, node: Proved, whole: bool) -> Proof | None:
        """The player takes a certain win, or the best of what is left when all is known."""
        proofs = [child.known[node.seat] for child in node.tried]
        known = [proof for proof in proofs if proof is not None]
        if not known:
            return None
        best = max(known, key=preference)
        if self.is_won(best) or (whole and len(known) == len(proofs)):
            return best._replace(away=best.away + 1)
        return None

    # ---- a roll

    def roll(self, node: Proved, faces: Sequence[tuple[Proved, float]]) -> list[Proof | None]:
        """What the dice come to on average, where all that they can bring is known."""
        known = list(node.known)
        for seat, proof in enumerate(known):
            if proof is None:
                known[seat] = _average([(child.known[seat], chance) for child, chance in faces])
        return known

    # ---- payoffs that are shared out

    def shared(self, node: Proved) -> float | None:
        """What two players get together wherever the game ends after a state, if that is always as
        much and all ends have been seen (or the rules leave no other): then the more is for the
        one, the less is for the other.
        """
        if self._opposed:
            return 0.0
        if self._table.seats != 2 or not self._table.open or not node.tried:
            return None
        if node.seat != CHANCE and len(node.tried) < len(node.options):
            return None
        sums = {child.shared for child in node.tried}
        return sums.pop() if len(sums) == 1 else None


def preference(proof: Proof) -> tuple[float, int, bool]:
    """What a player prefers among what is certain: more, and of wins the quick, of losses the slow
    ones.
    """
    return proof.value, -proof.away if proof.value > 0 else proof.away, proof.sure


def _opposite(node: Proved, own: Proof | None, shared: float) -> Proof | None:
    """What is left for the other of two players."""
    if own is None:
        return None
    proofs = [child.known[node.seat] for child in node.tried]
    alike = [proof for proof in proofs if proof is not None and proof.value == own.value]
    return Proof(shared - own.value, own.away, own.sure and all(proof.sure for proof in alike))


def _suffered(proofs: list[Proof | None]) -> Proof | None:
    """What somebody else's choice leads to, if that is the same whatever is chosen."""
    known = [proof for proof in proofs if proof is not None]
    if len(known) < len(proofs) or len({proof.value for proof in known}) != 1:
        return None
    away = 1 + max(proof.away for proof in known)
    return Proof(known[0].value, away, all(proof.sure for proof in known))


def _average(faces: list[tuple[Proof | None, float]]) -> Proof | None:
    known = [(proof, chance) for proof, chance in faces if proof is not None]
    if len(known) < len(faces):
        return None
    away = 1 + max(proof.away for proof, _ in known)
    values = {proof.value for proof, _ in known}
    if len(values) == 1:
        return Proof(values.pop(), away, all(proof.sure for proof, _ in known))
    return Proof(sum(chance * proof.value for proof, chance in known), away, False)
