"""The extensive form of a game, in the format of Gambit: a line for each history."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.compiling import CHANCE, OVER
from rulegame.exporting.tree import GameTree, History


def efg(tree: GameTree) -> Iterator[str]:
    """The lines of an `.efg` file."""
    game = tree.game
    players = " ".join(map(quoted, game.players))
    yield f"EFG 2 R {quoted(game.ruleset.title)} {{ {players} }}"
    yield quoted(game.ruleset.summary)
    yield ""
    names = [{number: text for text, number in seen.items()} for seen in tree.seen]
    rolls = ends = 0
    for node in tree:
        if node.player == CHANCE:
            rolls += 1
            pairs = zip(node.moves, node.shares, strict=True)
            listed = " ".join(f"{quoted(move.text)} {share}" for move, share in pairs)
            yield f'c "" {rolls} "" {{ {listed} }} 0'
        elif node.player == OVER:
            ends += 1
            yield _end(node, ends)
        else:
            listed = " ".join(quoted(move.text) for move in node.moves)
            name = quoted(names[node.player][node.information])
            yield f'p "" {node.player + 1} {node.information} {name} {{ {listed} }} 0'


def _end(node: History, number: int) -> str:
    assert node.outcome is not None
    paid = ", ".join(map(str, node.outcome.payoffs))
    return f't "" {number} {quoted(node.outcome.rule)} {{ {paid} }}'


def quoted(text: str) -> str:
    """A text between quotation marks, in one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
