"""What players vary in a ruleset: its parameters, and which operations are on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rulegame.source.nodes import Node, Scalar


class Settings(NamedTuple):
    """Parameters and switched operations, as nodes: so every error has a place."""

    parameters: Mapping[str, Node] = {}
    enable: tuple[Scalar, ...] = ()
    disable: tuple[Scalar, ...] = ()
    names: Mapping[str, Scalar] = {}
