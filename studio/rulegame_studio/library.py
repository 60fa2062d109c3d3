"""What the pages tell of games before they are played: cards, parameters, pictures, rulebooks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from random import Random
from typing import Any, Final

from rulegame.diagnostics import RulesetError
from rulegame.drawing.data import picture_data
from rulegame.evaluation.values import show
from rulegame.extras import is_installed, missing
from rulegame.game import CHANCE, Game, GameError
from rulegame.language.types import Bool
from rulegame.model import ParameterRule, Ruleset
from rulegame.model.kind import kind_of
from rulegame.playing.session import Step
from rulegame.rulebook import render, write_rulebook
from rulegame_studio.drawn import drawn
from rulegame_studio.limits import LIMITS
from rulegame_studio.new_game import Declined, opponents, settings_wanted, wanted_position
from rulegame_studio.places import broken_card
from rulegame_studio.rules import Rulesets, sentences

STYLE: Final = re.compile(r' style="[^"]*"')  # which the pages do not allow
STEPS: Final = 7  # of the game that a card shows


def card(rulesets: Rulesets, game_id: str) -> dict[str, Any]:
    """A game for the library; what is wrong with it, if it cannot be played."""
    path = rulesets.library.path_of(game_id)
    try:
        ruleset = rulesets.ruleset(path)
    except RulesetError as error:
        problem = (sentences(error.diagnostics) or ["cannot be read"])[0]
        return broken_card(path.stem, problem)
    return {**_facts(ruleset), "problem": None}


def _facts(ruleset: Ruleset) -> dict[str, Any]:
    kind = kind_of(ruleset)
    return {
        "title": ruleset.title,
        "summary": ruleset.summary,
        "players": list(ruleset.players),
        "hides": kind.hidden is not None,
        "at_once": kind.simultaneous,
        "fairness": fairness(ruleset),
    }


def fairness(ruleset: Ruleset) -> str | None:
    """What the author claims about who has the better side."""
    claimed = {claim.name: claim.value for claim in ruleset.claims if not claim.over}
    if claimed.get("first_player_wins"):
        return "The first player can force a win."
    if claimed.get("second_player_wins"):
        return "The second player can force a win."
    within = claimed.get("fair_within")
    if within is not None and within is not False:
        most = f" by more than {float(within):g}" if within else ""
        return f"Fair: with best play neither side is ahead{most}."
    return None


def details(rulesets: Rulesets, game_id: str) -> dict[str, Any]:
    """All that is needed to lay a table."""
    game = rulesets.game(rulesets.library.path_of(game_id))
    ruleset = game.ruleset
    return {
        **_facts(ruleset),
        "id": game_id,
        "fixed_first": ruleset.turn.first,
        "parameters": [_parameter(game, rule) for rule in ruleset.parameters.values()],
        "operations": [
            {"name": o.name, "label": o.label, "about": o.about, "enabled": o.enabled}
            for o in ruleset.listed
        ],
        "opponents": list(opponents()),
        "picture": picture_data(drawn(game.start(0), (), (), ())),
    }


def _parameter(game: Game, rule: ParameterRule) -> dict[str, Any]:
    ruleset = game.ruleset

    def text(value: int | tuple[int, ...]) -> str:
        shown = show(rule.type, value, ruleset.words, ruleset.players)
        return f"[{shown}]" if isinstance(value, tuple) else shown

    choices = [*rule.words, *map(str, rule.numbers)]
    kind = "number"
    if isinstance(rule.value, tuple):
        kind = "list"
    elif isinstance(rule.type, Bool):
        kind = "boolean"
    elif choices:
        kind = "choice"
    return {
        "name": rule.name,
        "kind": kind,
        "default": text(rule.default),
        "value": text(rule.value),
        "min": rule.low,
        "max": rule.high,
        "least": rule.least,
        "most": rule.most,
        "choices": choices or None,
        "about": rule.about,
    }


def check(rulesets: Rulesets, game_id: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Whether a game can be played with such settings."""
    path = rulesets.library.path_of(game_id)
    try:
        game = rulesets.game(path, settings_wanted(wanted))
        _, state = wanted_position(game, wanted)
    except RulesetError as error:
        return {"ok": False, "problems": sentences(error.diagnostics)}
    except Declined as problem:
        return {"ok": False, "problems": [str(problem)]}
    except GameError as error:
        return {"ok": False, "problems": [error.diagnostic.message]}
    return {
        "ok": True,
        "players": list(game.players),
        "picture": picture_data(drawn(state, (), range(len(game.players)), ())),
    }


def picture(rulesets: Rulesets, game_id: str) -> dict[str, Any]:
    """A few moves into the game, by chance that is always the same, as all may see it."""
    game = rulesets.game(rulesets.library.path_of(game_id))
    rng = Random(game_id)
    state, line = game.start(0), list[Step]()
    try:
        decided = 0
        while decided < STEPS and state.outcome is None:
            rolls = state.player == CHANCE
            move = state.roll(rng.randrange) if rolls else rng.choice(state.moves)
            after = state.play(move)
            if after.outcome is not None:
                break
            line.append(Step(state, move))
            state, decided = after, decided + (not rolls)
    except GameError:
        pass
    return picture_data(drawn(state, line, range(len(game.players)), ()))


def rulebook(game: Game) -> dict[str, str]:
    """The rules as a piece of a page."""
    html = render(write_rulebook(game), "html")
    start, end = html.find("<body>"), html.rfind("</body>")
    return {"html": html[start + 6 : end] if start >= 0 and end > start else html}


def explain(rulesets: Rulesets, game_id: str, wanted: Mapping[str, Any]) -> dict[str, str]:
    """Who wins with best play, and why, as a piece of a page."""
    if not is_installed("solve"):
        return _unsolved(str(missing("solve")))
    from rulegame.errors import CannotSolve, OutOfTime, TooLarge
    from rulegame.explaining import explain_solution
    from rulegame.shown import html_of
    from rulegame.solving import solve

    game = rulesets.game(rulesets.library.path_of(game_id), settings_wanted(wanted))
    try:
        solution = solve(
            game, max_states=LIMITS.explained_states, max_time=LIMITS.explain_seconds,
            symmetric=False, keep=False,
        )  # fmt: skip
    except OutOfTime:
        return _unsolved(f"it takes longer than {LIMITS.explain_seconds:g} s")
    except (CannotSolve, TooLarge) as refusal:
        return _unsolved(str(refusal))
    html = html_of(explain_solution(solution)) + html_of(solution)
    return {"html": STYLE.sub("", html)}


def _unsolved(why: str) -> dict[str, str]:
    return {"html": f"<p>Not solved: {escape(why)}.</p>"}
