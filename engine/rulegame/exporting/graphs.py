"""The state graph of a game as DOT, GraphML and CSV: a line, or an element, for each state and each
move. States have the numbers of the graph; the first is the start.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from rulegame.compiling import CHANCE
from rulegame.exploring import StateGraph

HEADER = ("state", "to_move", "values", "move", "probability", "next", "rule", "payoffs")


def csv_table(graph: StateGraph) -> Iterator[str]:
    """A row for each move of each state, and one for each end."""
    yield _row(HEADER)
    for *facts, payoffs in rows(graph):
        yield _row((*facts, " ".join(map(str, payoffs))))


def rows(graph: StateGraph) -> Iterator[tuple[Any, ...]]:
    """The same as values; the last one is what each player gets."""
    for number in range(len(graph)):
        values = _values(graph, number)
        outcome = graph.outcome[number]
        if outcome >= 0:
            end = graph.outcomes[outcome]
            yield number, "", values, "", "", "", end.rule, end.payoffs
        for move, share, after in _edges(graph, number):
            yield number, _mover(graph, number), values, move, share, after, "", ()


def _row(fields: tuple[Any, ...]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(fields)
    return text.getvalue()


def dot(graph: StateGraph) -> Iterator[str]:
    """A directed graph for Graphviz: ends are boxes, rolls diamonds."""
    yield f"digraph {_quoted(graph.game.ruleset.title)} {{"
    for number in range(len(graph)):
        outcome = graph.outcome[number]
        label = _values(graph, number)
        shape = "diamond" if graph.owner[number] == CHANCE else "ellipse"
        if outcome >= 0:
            end = graph.outcomes[outcome]
            label += f"\n{end.rule}: {', '.join(map(str, end.payoffs))}"
            shape = "box"
        else:
            label += f"\n{_mover(graph, number)}"
        yield f"  {number} [label={_quoted(label.strip())}, shape={shape}];"
    for number in range(len(graph)):
        for move, share, after in _edges(graph, number):
            label = f"{move} ({share})" if share else move
            yield f"  {number} -> {after} [label={_quoted(label)}];"
    yield "}"


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def graphml(graph: StateGraph) -> Iterator[str]:
    """The same for programs that read GraphML."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for key, owner in (
        ("to_move", "node"), ("values", "node"), ("rule", "node"), ("payoffs", "node"),
        ("move", "edge"), ("probability", "edge"),
    ):  # fmt: skip
        yield f'  <key id="{key}" for="{owner}" attr.name="{key}" attr.type="string"/>'
    yield f'  <graph id={quoteattr(graph.game.ruleset.title)} edgedefault="directed">'
    for number in range(len(graph)):
        outcome = graph.outcome[number]
        facts = {"to_move": _mover(graph, number), "values": _values(graph, number)}
        if outcome >= 0:
            end = graph.outcomes[outcome]
            facts = {
                "values": facts["values"],
                "rule": end.rule,
                "payoffs": " ".join(map(str, end.payoffs)),
            }
        yield f'    <node id="{number}">{_data(facts)}</node>'
    for number in range(len(graph)):
        for move, share, after in _edges(graph, number):
            facts = {"move": move} | ({"probability": share} if share else {})
            yield f'    <edge source="{number}" target="{after}">{_data(facts)}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _data(facts: dict[str, str]) -> str:
    return "".join(f'<data key="{key}">{escape(text)}</data>' for key, text in facts.items())


def _mover(graph: StateGraph, number: int) -> str:
    owner = int(graph.owner[number])
    if owner == CHANCE:
        return "chance"
    return graph.game.players[owner] if owner >= 0 else ""


def _edges(graph: StateGraph, number: int) -> Iterator[tuple[str, str, int]]:
    """What can be done in a state, with its probability if it is rolled, and where it leads."""
    rolled = graph.owner[number] == CHANCE
    shares = [share for _, share in graph.chances(number)] if rolled else []
    for k, (move, after) in enumerate(graph.following(number)):
        yield move.text, str(shares[k]) if rolled else "", after


def _values(graph: StateGraph, number: int) -> str:
    state = graph.state(number)
    return " ".join(f"{name}={_shown(state[name])}" for name in state)


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_shown, value)) + "]"
    if isinstance(value, frozenset):
        return "{" + ",".join(map(str, sorted(value))) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)
