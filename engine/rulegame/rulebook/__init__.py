"""The rulebook of a game. In: a game. Out: its rulebook as a value, and as text, Markdown or HTML.
Examples and the sample game are played by the engine.

`phrases` and `clauses` put expressions into words, `deeds` operations, `verdicts` ends; `sections`
puts them together, `rendering` prints them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulegame.game import Game
from rulegame.game.rendering import Context, renderer_of
from rulegame.model.analysis import always_leaves_a_move
from rulegame.rulebook import sections
from rulegame.rulebook.document import TITLES, Block, ItemList, Rulebook, Section
from rulegame.rulebook.markup import clean
from rulegame.rulebook.plays import has_stuck, play_games
from rulegame.rulebook.promises import claim_status, promises
from rulegame.rulebook.rendering import FORMS, render
from rulegame.rulebook.sample import sample
from rulegame.rulebook.variations import variations

if TYPE_CHECKING:
    from rulegame.proving import CheckResult

__all__ = ["FORMS", "Rulebook", "promises", "render", "write_rulebook"]


def write_rulebook(
    game: Game, proved: CheckResult | None = None, never_stuck: bool | None = None
) -> Rulebook:
    """The rules of a game for people to read; `proved` is what `rulegame.check` found out about
    the claims of this very game, `never_stuck` whether all players always have a valid move, if
    that is known.
    """
    with game.telling_faults():
        return _written(game, proved, never_stuck)


def _written(game: Game, proved: CheckResult | None, never_stuck: bool | None) -> Rulebook:
    ruleset = game.ruleset
    plays = play_games(game)
    claimed = claim_status(ruleset, proved, "never_stuck")
    never = bool(never_stuck or claimed == "proved" or always_leaves_a_move(ruleset))
    ruled_out = claimed == "undecided" or "stuck" in ruleset.rulebook
    may_be = not never and (never_stuck is False or has_stuck(plays) or not ruled_out)
    made: dict[str, Iterable[Block]] = {
        "objective": sections.objective(game, may_be),
        "setup": sections.setup(game),
        "turn": sections.turn(game, never or _own(game, "stuck") == ()),
        "operations": sections.operations(game, plays),
        "validity": sections.validity(game, plays),
        "end": sections.end(game, never),
        "stuck": sections.stuck(game, never, claimed == "undecided"),
        "variations": variations(game),
        "claims": promises(ruleset, proved),
        "sample": sample(game, plays),
    }
    found = []
    for name, title in TITLES.items():
        own = _own(game, name)
        blocks = tuple(made[name]) if own is None else own
        if blocks:
            found.append(Section(name, title, blocks))
    intro = _own(game, "intro")
    if intro is None:
        intro = (clean(ruleset.summary),) if clean(ruleset.summary) else ()
    return Rulebook(clean(ruleset.title), intro, tuple(found))


def _own(game: Game, name: str) -> tuple[Block, ...] | None:
    """A paragraph in the author's own words; a blank line begins another, lines with `- ` are a
    list.
    """
    template = game.ruleset.rulebook.get(name)
    if template is None:
        return None
    ruleset = game.ruleset
    names = {"title": ruleset.title, "summary": ruleset.summary, "turn": 1}
    context = Context(cells=game.start().cells, names=game.players, given=names)
    return tuple(_blocks(renderer_of(game).render(template, context)))


def _blocks(text: str) -> Iterable[Block]:
    for paragraph in text.split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip()]
        if not lines:
            continue
        if all(line.startswith("- ") for line in lines):
            yield ItemList(tuple(clean(line[2:]) for line in lines))
        else:
            yield clean(" ".join(lines))
