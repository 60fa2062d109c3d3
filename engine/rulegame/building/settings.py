"""What players vary in a ruleset: its parameters, and which operations are on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rulegame.source.nodes import Node, Scalar, to_plain


class Settings(NamedTuple):
    """Parameters and switched operations, as nodes: so every error has a place."""

    parameters: Mapping[str, Node] = {}
    enable: tuple[Scalar, ...] = ()
    disable: tuple[Scalar, ...] = ()
    names: Mapping[str, Scalar] = {}

    def values(self) -> dict[str, Any]:
        """The values of the parameters, by name."""
        return {name: to_plain(node) for name, node in self.parameters.items()}

    def beside(self, others: Settings) -> Settings:
        """These with others beside them; parameters of the others replace these."""
        return self._replace(
            parameters={**self.parameters, **others.parameters},
            enable=(*self.enable, *others.enable),
            disable=(*self.disable, *others.disable),
        )


NO_SETTINGS: Final = Settings()
