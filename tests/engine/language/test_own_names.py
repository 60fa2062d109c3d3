"""A ruleset of version 1 keeps its meaning: what was added to the language since yields to names of
its own.
"""

from __future__ import annotations

import pytest

import rulegame
from rulegame.building.texts import TEXT_NAMES
from rulegame.language.functions import FUNCTIONS
from rulegame.language.types import Text
from rulegame.playing.conversation import Ask, converse

VERSION_1_NAMES = {
    "welcome": "",
    "begin": "",
    "turn": "again",
    "rolled": "roll rolled",
    "menu": "entries notes options valid",
    "option": "key label note position value why",
    "prompt": "entries notes options valid",
    "chosen": "label move",
    "updated": "label move",
    "refused": "because entries label notes options valid",
    "unknown": "entries notes options typed valid",
    "stuck": "draw_game loser losers why winner winners",
    "passed": "why",
    "all_stuck": "draw_game loser losers winner winners",
    "ended": "draw_game loser losers winner winners",
    "between": "again",
}


def test_names_in_texts_that_were_added_yield() -> None:
    first = {text: " ".join(sorted(names.first)) for text, names in TEXT_NAMES.items()}
    assert {text: first[text] for text in VERSION_1_NAMES} == VERSION_1_NAMES
    assert not any(first[text] for text in first if text not in VERSION_1_NAMES)


def test_definitions_hide_all_functions_that_were_added() -> None:
    added = [name for name, function in FUNCTIONS.items() if function.is_shadowable]
    defined = "\n".join(f"  {name}(x): x + {2**k}" for k, name in enumerate(added))
    game = rulegame.loads(f"""\
rulegame: 1
title: Own Functions
define:
{defined}
state: {{n: 0}}
operations:
  go: {{effects: {{n: {" + ".join(f"{name}(n)" for name in added)}}}}}
end: {{over: {{when: n > 0, result: win}}}}
""")
    assert game.start().play("go")["n"] == 2 ** len(added) - 1


PAYOFFS = """\
rulegame: 1
title: Own Payoffs
{own}
operations:
  go: {{effects: {{n: 1}}{choose}}}
end: {{over: {{when: n == 1, result: win, text: "It pays {{payoffs}}."}}}}
"""


def ending(text: str) -> str:
    """What is said after the first move, which ends the game."""
    talk = converse(rulegame.loads(text), roll=lambda state: state.moves[0])
    first = next(talk)
    assert isinstance(first, Ask)
    with pytest.raises(StopIteration) as end:
        talk.send(first.state.moves[0])
    return str(end.value.value.text)


OWN = [
    ("state: {n: 0, payoffs: 7}", ""),
    ("parameters: {payoffs: 7}\nstate: {n: payoffs}", ""),
    ("define: {payoffs: n + 6}\nstate: {n: 0}", ""),
    ("state: {n: 0}", ", choose: {payoffs: 7..7}"),
    ("state: {n: 0}\nturn: {roll: {payoffs: 7..7}}", ""),
]


@pytest.mark.parametrize(("own", "choose"), OWN)
def test_a_text_says_what_the_ruleset_calls_so(own: str, choose: str) -> None:
    assert "It pays 7." in ending(PAYOFFS.format(own=own, choose=choose))


def test_it_is_the_new_name_otherwise() -> None:
    assert "It pays 1, -1." in ending(PAYOFFS.format(own="state: {n: 0}", choose=""))


def test_a_name_that_is_added_to_any_text_yields(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, names in TEXT_NAMES.items():
        monkeypatch.setitem(TEXT_NAMES, name, names._replace(later={"left": Text()}))
    texts = "\n".join(f'  {name}: "{{left + 1}}"' for name in TEXT_NAMES)
    rulegame.loads(f"""\
rulegame: 1
title: Own Value
state: {{left: 0}}
operations:
  go: {{effects: {{left: 1}}}}
end: {{over: {{when: left == 1, result: win}}}}
texts:
{texts}
""")
