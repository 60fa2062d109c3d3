"""The game that is written for OpenSpiel on the page is the game of the ruleset beside it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import rulegame
from support.tiers import library

PAGE = (Path(__file__).parents[2] / "docs" / "coming_from.md").read_text("utf-8")


def test_the_game_for_openspiel_is_the_same() -> None:
    library("pyspiel")
    (program,) = re.findall(r"<!-- program: open_spiel -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    (rules,) = re.findall(r"three_in_a_row.yaml -->\n```yaml\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    theirs, ours = names["Game"](), rulegame.loads(rules)
    ends = set()
    for seed in range(60):
        rng, there, here = Random(seed), theirs.new_initial_state(), ours.start()
        while not here.is_over:
            assert there.current_player() == here.player
            moves = {there.action_to_string(action): action for action in there.legal_actions()}
            assert set(moves) == {move.text for move in here.moves}
            move = rng.choice(here.moves)
            there.apply_action(moves[move.text])
            here = here.play(move)
        assert here.outcome is not None
        assert there.is_terminal() and there.returns() == list(here.outcome.payoffs)
        ends.add(here.outcome.payoffs)
    assert len(ends) == 3
