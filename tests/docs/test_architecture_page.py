"""The page about the architecture shows what both backends make of its ruleset."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import rulegame
from docs.pages import blocks
from rulegame.core.backends.python import python_function
from rulegame.native.rules import rule_code

PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text("utf-8")
SHOWN = dict(re.findall(r"<!-- backend: (\w+) -->\n```text\n(.*?)```", PAGE, re.DOTALL))


def made(backend: str) -> str:
    """What a backend makes of the function that the page shows."""
    [ruleset] = [block.text for block in blocks(PAGE) if block.kind == "yaml"]
    kernel = rulegame.loads(ruleset).kernel
    if backend == "python":
        function = python_function(kernel.program.functions["moves_0"])
        return ast.unparse(ast.fix_missing_locations(function)) + "\n"
    functions = rule_code(kernel.program.module, kernel.width).functions
    return next(text for text in functions if "@moves_0(" in text.partition("\n")[0])


def test_both_are_shown() -> None:
    assert set(SHOWN) == {"python", "native"}


@pytest.mark.parametrize("backend", ["python", "native"])
def test_backend(backend: str) -> None:
    assert SHOWN[backend] in made(backend)
