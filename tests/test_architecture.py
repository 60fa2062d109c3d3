"""The map in docs/architecture.md is right: every module has a place, and imports go one way."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulegame_cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine" / "rulegame"
CLI = ROOT / "cli" / "rulegame_cli"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SPECIAL = {"__init__", "__main__"}


def names_in(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", text)


def section(heading: str) -> str:
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def stages() -> list[str]:
    """The modules and packages of the engine, in the order of the table of stages."""
    table = section("The way of a ruleset through the house").split("Inside the packages")[0]
    rows = [line.split("|")[2] for line in table.splitlines() if line.startswith("| ")]
    known = {path.stem for path in ENGINE.iterdir() if path.suffix in ("", ".py")}
    return [name for row in rows for name in names_in(row) if name in known]


STAGES = stages()


def imported(file: Path) -> Iterator[str]:
    """What a file imports when it is imported itself, in full."""

    def search(nodes: list[ast.stmt]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.ClassDef | ast.Try | ast.With):
                yield from search(node.body)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
                yield from search([*node.body, *node.orelse])

    return search(ast.parse(file.read_text(encoding="utf-8")).body)


def place(file: Path) -> str:
    return file.relative_to(ENGINE).with_suffix("").parts[0]


def test_every_module_of_the_engine_has_one_place() -> None:
    found = {path.stem for path in ENGINE.glob("*.py")} | {
        path.parent.name for path in ENGINE.glob("*/__init__.py")
    }
    assert sorted(STAGES) == sorted(found - SPECIAL)


@pytest.mark.parametrize("package", sorted(p.parent.name for p in ENGINE.glob("*/__init__.py")))
def test_every_module_of_a_package_is_described(package: str) -> None:
    heading = "Editors" if package == "authoring" else "The way of a ruleset through the house"
    rows = section(heading).splitlines()
    if package != "authoring":
        rows = [line for line in rows if line.startswith(f"| `{package}` |")]
    found = {path.stem for path in (ENGINE / package).glob("*.py")} - SPECIAL
    assert found <= set(names_in("\n".join(rows)))


def test_every_module_of_the_command_line_is_described() -> None:
    found = {path.stem for path in CLI.glob("*.py")} - SPECIAL
    assert found <= set(names_in(section("The command line")))


@pytest.mark.parametrize("stage", STAGES)
def test_a_module_imports_only_what_stands_before_it(stage: str) -> None:
    before = {*STAGES[: STAGES.index(stage)], stage}
    files = [path for path in ENGINE.rglob("*.py") if place(path) == stage]
    assert files
    for file in files:
        parts = [name.split(".") for name in imported(file) if name.startswith("rulegame")]
        assert {part[1] for part in parts if part[0] == "rulegame"} <= before | {"__version__"}


def test_the_engine_knows_nothing_of_the_command_line() -> None:
    for file in ENGINE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "rulegame_cli" not in text, file
        assert not re.search(r"\bprint\(", text), file


def test_no_game_is_named_in_the_code() -> None:
    """What a game needs it gets from the language. The first example of the library names one."""
    games = {path.stem for path in (ROOT / "rulesets").rglob("*.yaml")}
    words = re.compile(
        "|".join(rf"\b{re.escape(g)}\b|\b{g.replace('_', ' ')}\b" for g in games), re.I
    )
    for file in [*ENGINE.rglob("*.py"), *CLI.rglob("*.py")]:
        if file != ENGINE / "__init__.py":
            assert not words.search(file.read_text(encoding="utf-8")), file


def test_commands_are_modules_of_their_names() -> None:
    for command, module in COMMANDS.items():
        if not hasattr(builtins, command) and command != "test":
            assert module == command.replace("-", "_")
