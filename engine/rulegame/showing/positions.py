"""Games and positions. A state shows all of itself, a view what its seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rulegame.drawing.position import draw, draw_view
from rulegame.drawing.svg import picture_svg
from rulegame.game import CHANCE, Game, GameError, Move, Outcome, State, View
from rulegame.showing.faces import Face
from rulegame.wording import as_written, joined

MOST_MOVES: Final = 20


def _game(game: Game) -> Face:
    ruleset = game.ruleset
    facts = [("players", joined(game.players, "and"))]
    facts += [(name, as_written(value)) for name, value in game.parameters.items()]
    about = " ".join(ruleset.summary.split()) if ruleset.summary else ""
    facts = [("about", about), *facts] if about else facts
    try:
        picture = _drawn(game.start())
    except GameError:  # its rules fail at once: what is known of it is shown all the same
        picture = ""
    return Face(ruleset.title, tuple(facts), picture=picture)


def _state(state: State) -> Face:
    if state.player == CHANCE:
        what = "to be rolled", _listed([f"{move.text} ({p})" for move, p in state.chances])
    else:
        what = _to_move(state, state.moves)
    return _position(state, _drawn(state), what)


def _drawn(state: State) -> str:
    """A state knows nothing of the moves that led to it, and so not the number of the turn."""
    return picture_svg(replace(draw(state, (), ()), number=0))


def _view(view: View) -> Face:
    """What is rolled, and what others may do, is not among what a seat is told."""
    if view.player == CHANCE:
        what = "to move", "roll due"
    else:
        what = _to_move(view, view.moves)
    picture = draw_view(view)
    if not view.past:
        picture = replace(picture, number=0)
    face = _position(view, picture_svg(picture), what)
    return face._replace(facts=(("seen by", view.game.players[view.seat]), *face.facts))


def _position(shown: State | View, picture: str, what: tuple[str, str]) -> Face:
    if shown.outcome is not None:
        what = "outcome", _ended(shown.outcome, shown.game)
    return Face("", (what,), picture=picture)


def _to_move(shown: State | View, moves: tuple[Move, ...]) -> tuple[str, str]:
    player = shown.player
    name = "" if player is None else shown.game.players[player]
    return f"{name} to move", _listed([move.text for move in moves])


def _listed(texts: list[str]) -> str:
    more = [f"… and {len(texts) - MOST_MOVES:,} more"] if len(texts) > MOST_MOVES else []
    return ", ".join([*texts[:MOST_MOVES], *more])


def _ended(outcome: Outcome, game: Game) -> str:
    names = [game.players[seat] for seat in outcome.winners]
    paid = ", ".join(map(str, outcome.payoffs))
    if names:
        who = f"{joined(names, 'and')} won"
    elif outcome.draw:
        who = "a draw"
    elif outcome.score is not None:
        return f"a score of {outcome.score} ({outcome.rule})"
    else:
        lost = [game.players[seat] for seat in outcome.losers]
        who = f"{joined(lost, 'and')} lost" if lost else "paid"
    return f"{who} ({outcome.rule}; payoffs {paid})"


FACES: Final[Mapping[str, Any]] = {"Game": _game, "State": _state, "View": _view}
