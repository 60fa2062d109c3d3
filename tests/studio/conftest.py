"""One studio for all tests that do not end it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from studio.running import Server


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from studio.running import Server

    folder = tmp_path_factory.mktemp("rulesets")
    home = tmp_path_factory.mktemp("home")
    for name, text in RULESETS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Server(folder, home) as server:
        yield server


RULESETS = {
    "countdown.yaml": """rulegame: 1
title: Countdown
summary: Take one, two or three.
parameters:
  pile: {default: 7, min: 1, max: 50, about: How many there are}
state:
  left: pile
operations:
  take:
    choose: {n: 1..3}
    effects: {left: left - n}
  pass_on:
    label: Pass
    enabled: false
    effects: {}
validity:
  enough_left: {require: after.left >= 0, because: "only {left} left"}
end:
  last_taken: {when: left == 0, result: win}
""",
    "many.yaml": """rulegame: 1
title: Many
state:
  sum: 0
operations:
  add:
    choose: {a: 1..30, b: 1..30}
    effects: {sum: sum + a * b}
validity:
  different: {require: a != b, because: "both are {a}"}
end:
  enough: {when: sum > 1000, result: win}
""",
    "alone.yaml": """rulegame: 1
title: Alone
players: [Anybody]
state:
  left: 3
operations:
  take: {choose: {n: 1..2}, effects: {left: left - n}}
validity:
  enough: {require: after.left >= 0, because: "only {left} are left"}
end:
  done: {when: left == 0, result: win}
""",
    "broken.yaml": "rulegame: 1\ntitle: Broken\nstate: {left: lefd}\n",
}
