"""Games in the formats of other programs: read back, they are the same games."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from scipy.optimize import linprog

import rulegame
from rulegame.exploring import TooLarge
from rulegame.exporting import FORMATS, CannotExport, export, export_bytes
from support.games import bundled_game
from support.tiers import library

SMALL = [
    ("nim", {"heaps": [1, 2]}),
    ("zero_sum_duel", {"start": 6}),
    ("kuhn_poker", {}),
    ("tic_tac_toe", {}),
]


def text(name: str, to: str, parameters: dict[str, object] | None = None) -> str:
    return "".join(f"{line}\n" for line in export(bundled_game(name, parameters), to))


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_tables_have_every_state_and_move(name: str, parameters: dict[str, object]) -> None:
    graph = rulegame.explore(bundled_game(name, parameters))
    rows = list(csv.DictReader(io.StringIO(text(name, "csv", parameters))))
    assert {int(row["state"]) for row in rows} == set(range(len(graph)))
    assert sum(bool(row["move"]) for row in rows) == graph.edges
    for row in rows:
        number = int(row["state"])
        if row["move"]:
            assert (row["move"], int(row["next"])) in [
                (move.text, after) for move, after in graph.following(number)
            ]
        else:
            assert row["rule"] == graph.outcomes[graph.outcome[number]].rule
    rolled: dict[str, Fraction] = {}
    for row in rows:
        if row["probability"]:
            rolled[row["state"]] = rolled.get(row["state"], Fraction(0)) + Fraction(
                row["probability"]
            )
    assert set(rolled.values()) <= {Fraction(1)}


@pytest.mark.parametrize(("name", "parameters"), SMALL[:3])
def test_typed_tables_are_the_same(name: str, parameters: dict[str, object]) -> None:
    reading = library("pyarrow.parquet")
    game = bundled_game(name, parameters)
    table = reading.read_table(io.BytesIO(export_bytes(game, "parquet"))).to_pylist()
    rows = list(csv.DictReader(io.StringIO(text(name, "csv", parameters))))
    assert len(table) == len(rows)
    for one, other in zip(table, rows, strict=True):
        assert (one["state"], one["values"]) == (int(other["state"]), other["values"])
        assert (one["move"] or "", one["rule"] or "") == (other["move"], other["rule"])
        assert str("" if one["next"] is None else one["next"]) == other["next"]
        share = Fraction(other["probability"]) if other["probability"] else None
        assert one["probability"] == (None if share is None else float(share))
        paid = [float(Fraction(part)) for part in other["payoffs"].split()]
        assert (one["payoffs"] or []) == paid


def test_graphs_have_every_state_and_move() -> None:
    graph = rulegame.explore(bundled_game("zero_sum_duel", {"start": 6}))
    root = ElementTree.fromstring(text("zero_sum_duel", "graphml", {"start": 6}))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(root.findall(f".//{space}node")) == len(graph)
    assert len(root.findall(f".//{space}edge")) == graph.edges
    drawn = text("zero_sum_duel", "dot", {"start": 6})
    assert len(re.findall(r"^  \d+ \[label=", drawn, re.MULTILINE)) == len(graph)
    assert len(re.findall(r"^  \d+ -> \d+ \[label=", drawn, re.MULTILINE)) == graph.edges


def test_names_that_hold_signs_of_the_format() -> None:
    ruleset = """
rulegame: 1
title: 'A <b> & "c" \\ d'
players: ['<one>', '"two"']
state: {left: 1}
operations: {take: {effects: {left: left - 1}}}
end: {done: {when: left == 0, result: win}}
"""
    game = rulegame.loads(ruleset)
    ElementTree.fromstring("\n".join(export(game, "graphml")))
    first = next(iter(export(game, "efg")))
    assert first == r'EFG 2 R "A <b> & \"c\" \\ d" { "<one>" "\"two\"" }'


def test_what_is_not_there_and_what_is_hidden_have_words_in_information_sets() -> None:
    ruleset = """
rulegame: 1
title: Picks
state:
  each player:
    pick: {type: optional int, seen by: owner}
operations: {take: {choose: {n: 1..2}, effects: {my.pick: n}, secret: true}}
end: {done: {when: their.pick != none, result: "win if my.pick == 1 else lose"}}
"""
    lines = list(export(rulegame.loads(ruleset), "efg"))
    second = next(line for line in lines if line.startswith('p "" 2'))
    assert second == 'p "" 2 1 "seat=1 0:? ?,none" { "take 1" "take 2" } 0'


def test_a_tree_of_histories_with_information_sets() -> None:
    lines = text("kuhn_poker", "efg").splitlines()
    ends = [line for line in lines if line.startswith("t ")]
    sets = {tuple(line.split()[2:4]) for line in lines if line.startswith("p ")}
    assert len(ends) == 30
    assert len(sets) == 12
    assert lines[3] == 'c "" 1 "" { "card 1" 1/3 "card 2" 1/3 "card 3" 1/3 } 0'


def test_the_tree_is_read_by_another_library() -> None:
    pyspiel = library("pyspiel")
    from open_spiel.python.algorithms import cfr, expected_game_score

    game = pyspiel.load_efg_game(text("kuhn_poker", "efg"))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_the_strategic_form_is_read_by_another_library() -> None:
    pyspiel = library("pyspiel")
    written = text("nim", "nfg", {"heaps": [1, 2]})
    game = pyspiel.load_nfg_game(written)
    paid = [line.split() for line in written.splitlines()[2:]]
    rows, columns = game.num_rows(), game.num_cols()
    assert len(paid) == rows * columns
    for number, (one, other) in enumerate(paid):
        column, row = divmod(number, rows)
        assert game.row_utility(row, column) == float(one)
        assert game.col_utility(row, column) == float(other)


def test_the_strategic_form_has_the_value_of_the_game() -> None:
    first, _, *lines = text("kuhn_poker", "nfg").splitlines()
    assert first.endswith("{ 27 64 }")
    paid = [[Fraction(part) for part in line.split()] for line in lines]
    assert all(one == -other for one, other in paid)
    matrix = [[float(paid[column * 27 + row][0]) for column in range(64)] for row in range(27)]
    # the most that a mix of rows is sure of
    found = linprog(
        [*[0.0] * 27, -1.0],
        A_ub=[[-matrix[row][column] for row in range(27)] + [1.0] for column in range(64)],
        b_ub=[0.0] * 64,
        A_eq=[[1.0] * 27 + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * 27 + [(None, None)],
    )
    assert -found.fun == pytest.approx(-1 / 18)


@pytest.mark.full
def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(CannotExport, match="play can go on forever"):
        text("pig", "efg", {"target": 3})
    with pytest.raises(TooLarge, match="histories"):
        list(export(bundled_game("tic_tac_toe"), "efg", max_states=6000))
    with pytest.raises(CannotExport, match="too many to write down"):
        text("zero_sum_duel", "nfg", {"start": 12})
    with pytest.raises(ValueError, match=f"expected one of {', '.join(FORMATS)}, not 'pdf'"):
        export(bundled_game("nim"), "pdf")
    with pytest.raises(ValueError, match="Parquet is a binary format: use export_bytes"):
        export(bundled_game("nim"), "parquet")
