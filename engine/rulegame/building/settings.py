"""What players vary in a ruleset: its parameters, and which operations are on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulegame.nodes import Node, Scalar


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters and switched operations, as nodes: so every error has a place."""

    parameters: Mapping[str, Node] = field(default_factory=dict)
    enable: tuple[Scalar, ...] = ()
    disable: tuple[Scalar, ...] = ()
    names: Mapping[str, Scalar] = field(default_factory=dict)  # the parameters' keys, in a file
