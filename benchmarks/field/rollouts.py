"""Random games a second: `rulegame.simulate` beside OpenSpiel's rollouts in C++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from field.measuring import (
    Options,
    Row,
    fewest_games,
    heading,
    in_turns,
    note,
    rate_row,
    seconds_each,
    show,
)
from field.sameness import LONG, Sample, Simulated, check, check_mean
from field.versions import Measure, Seconds

OTHELLO_PASS: Final = 64  # where we pass by ourselves, OpenSpiel has a move for it
SAMPLE: Final = 20_000  # games of OpenSpiel that are played from Python, to be looked at
FREE_PIG: Final = Path(__file__).with_name("free_pig.yaml")


@dataclass(frozen=True, slots=True)
class Pair:
    """A game on both sides."""

    name: str
    ruleset: str
    open_spiel: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    automatic: frozenset[int] = frozenset()  # actions of OpenSpiel that we do not have
    sample: int = SAMPLE
    new_words: bool = False  # is measured with the words of the language that it needs


PAIRS: Final = (
    Pair("tic_tac_toe", "tic_tac_toe", "tic_tac_toe"),
    Pair(
        "nim 1-3-5-7, misère",
        "nim",
        "nim(pile_sizes=1;3;5;7,is_misere=true)",
        {"heaps": [1, 3, 5, 7], "misere": True},
    ),
    Pair(
        "pig to 100, hold at any time",
        str(FREE_PIG),
        f"pig(winscore=100,horizon={LONG})",
        sample=5000,
    ),
    Pair("connect_four", "connect_four", "connect_four"),
    Pair(
        "breakthrough 6x6",
        "breakthrough",
        "breakthrough(rows=6,columns=6)",
        {"rows": 6, "columns": 6},
    ),
    Pair("kalah 6/4", "kalah", "mancala"),
    Pair("kuhn_poker", "kuhn_poker", "kuhn_poker"),
    Pair("liars_dice", "liars_dice", "liars_dice"),
    Pair(
        "othello 8x8",
        "othello",
        "othello",
        automatic=frozenset([OTHELLO_PASS]),
        sample=2000,
        new_words=True,
    ),
    Pair("hex 5x5", "hex", "hex(board_size=5)", {"size": 5}, new_words=True),
)


def run(options: Options) -> None:
    """The section."""
    heading(
        "random games a second",
        "OpenSpiel",
        about="rulegame.simulate, exploring and the deal included, beside RandomRolloutEvaluator"
        " in MCTSBot\n(C++, from the first decision on).",
    )
    rows = [(pair, compare(pair, options)) for pair in PAIRS]
    old = [row.ratio for pair, row in rows if not pair.new_words]
    show(Row(f"median of the first {len(old)} games", "", "", [median(old)], 3))
    ratios = [row.ratio for _, row in rows]
    show(Row(f"median of all {len(ratios)} games", "", "", [median(ratios)], 3))


def compare(pair: Pair, options: Options) -> Row:
    """One line of the table, and what the games were like."""
    from field.open_spiel import Rollouts, played_from_python

    ours, theirs = Simulated(pair.ruleset, pair.parameters), Rollouts(pair.open_spiel)
    least = fewest_games(pair.ruleset), theirs.deals
    rates = in_turns(ours.play, theirs.play, options, least)
    row = rate_row(pair.name, rates, 1)
    show(row)
    played = played_from_python(pair.open_spiel, pair.sample, pair.automatic)
    check(pair.name, ours.played(), played)
    check_payoff(pair.name, ours.payoff(), theirs.payoff)
    return row


def check_payoff(what: str, ours: Sample, theirs: tuple[float, int]) -> None:
    """What the first player gets on average, over OpenSpiel's last games in C++."""
    value, games = theirs
    note(f"mean payoff of the first player {ours.mean:+.4f} and {value:+.4f} ({games:,} rollouts)")
    check_mean(f"{what}, mean payoff", ours, Sample(value, ours.variance, games))


# ---- versions


def measures(options: Options) -> list[Measure]:
    """Random games of the same rulesets."""
    return [
        Measure(
            pair.name,
            "field.rollouts.measure",
            (pair.ruleset, pair.parameters, options.seconds),
        )
        for pair in PAIRS
    ]


def measure(ruleset: str, parameters: Mapping[str, object], seconds: float) -> Seconds:
    play = Simulated(ruleset, parameters).play
    return {"a game": seconds_each(play, seconds, fewest_games(ruleset))}
