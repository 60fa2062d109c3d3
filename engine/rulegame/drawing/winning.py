"""Where a game was won: the pieces that the end rule needs. They are found by trying the rule's own
condition without each piece of the winners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.evaluation.runtime import Fault
from rulegame.game import Game, GameError, State
from rulegame.language.types import NONE_CODE, Grid, List, Optional
from rulegame.model.uses import holds_players

MOST_PIECES: Final = 200  # of the winners: the rule is tried once for each


def winning_places(state: State, mover: int) -> frozenset[int]:
    """The cells of a state with the pieces of the winners without which the end rule would not
    hold; none if it holds without any of them.
    """
    outcome, game = state.outcome, state.game
    if outcome is None or not outcome.winners:
        return frozenset()
    rule = next((rule for rule in game.ruleset.end if rule.name == outcome.rule), None)
    pieces = list(_pieces(game, state.cells, outcome.winners))
    if rule is None or not 0 < len(pieces) <= MOST_PIECES:
        return frozenset()
    try:
        holds = game.evaluator(rule.when, ())
        cells = list(state.cells)

        def try_without(places: list[int]) -> bool:
            """Take these pieces away, if the rule holds without them."""
            kept = [cells[place] for place in places]
            for place in places:
                cells[place] = NONE_CODE
            if holds(tuple(cells), (), mover, game.players):
                return True
            for place, code in zip(places, kept, strict=True):
                cells[place] = code
            return False

        if not holds(tuple(cells), (), mover, game.players) or try_without(pieces):
            return frozenset()
        return frozenset(piece for piece in pieces if not try_without([piece]))
    except (Fault, GameError, NameError, KeyError, TypeError):  # it reads a roll, or more
        return frozenset()


def _pieces(game: Game, cells: tuple[int, ...], winners: tuple[int, ...]) -> Iterator[int]:
    for name, value in game.ruleset.state.items():
        type_ = value.variable.type
        if value.variable.each_player or not isinstance(type_, Grid | List):
            continue
        if not isinstance(type_.of, Optional) or not holds_players(type_):
            continue
        yield from (place for place in game.kernel.places(name, 0) if cells[place] in winners)
