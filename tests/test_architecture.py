"""The map in docs/architecture.md is right: every module has a place, and imports go one way."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from rulegame_cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine" / "rulegame"
CLI = ROOT / "cli" / "rulegame_cli"
STUDIO = ROOT / "studio" / "rulegame_studio"
ROOTS = {"engine": ENGINE, "command line": CLI, "studio": STUDIO}
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SPECIAL = {"__init__", "__main__"}
MOST_BESIDE_THE_PACKAGES = 10
LONGEST_FUNCTION = 50
SOME_SYSTEMS = {"fcntl", "grp", "msvcrt", "pty", "pwd", "readline", "resource", "termios", "tty"}
YAML_IS_KNOWN_TO = ("source", "building", "loading", "authoring")
NOT_YAML = {"rulegame.source.lineage", "rulegame.source.yaml_text"}  # which files; how lines end


def names_in(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+)`", text)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, row by row."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ")]
    return lines[2:]


TABLE = rows("The way of a ruleset through the house")
STAGES = [name for row in TABLE for name in names_in(row[0])]
ROOMS = [name for row in rows("The command line") for name in names_in(row[0])]
DESKS = [name for row in rows("The studio") for name in names_in(row[0])]
PACKAGES = sorted(p.parent.name for p in ENGINE.glob("*/__init__.py"))


def module_of(file: Path, root: Path) -> str:
    parts = file.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(root: Path) -> dict[str, Path]:
    return {module_of(file, root): file for file in sorted(root.rglob("*.py"))}


def imported(file: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else str(node.module)


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 120


def test_every_module_of_the_engine_has_one_place() -> None:
    beside = {path.stem for path in ENGINE.glob("*.py")} - SPECIAL
    assert sorted(STAGES) == sorted(beside | set(PACKAGES))
    assert len(beside) <= MOST_BESIDE_THE_PACKAGES


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_of_a_package_is_described(package: str) -> None:
    [row] = [row for row in TABLE if package in names_in(row[0])]
    found = {path.stem for path in (ENGINE / package).glob("*.py")} - SPECIAL
    assert found <= set(names_in(row[2]))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_comes_in_and_what_goes_out(package: str) -> None:
    text = (ENGINE / package / "__init__.py").read_text(encoding="utf-8")
    opening = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    assert re.search(r" In: .*\bOut: ", opening)


def test_every_module_of_the_command_line_is_described() -> None:
    described = {name for row in rows("The command line") for name in names_in(" ".join(row))}
    commands = set(COMMANDS.values())
    found = {path.stem for path in CLI.rglob("*.py")} - SPECIAL
    assert found <= described | commands
    folders = {path.parent.name for path in CLI.glob("*/__init__.py")}
    assert sorted(ROOMS) == sorted(folders | {path.stem for path in CLI.glob("*.py")} - SPECIAL)


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_the_command_line_imports_only_what_stands_before_it(room: str) -> None:
    known = modules(CLI)
    before = {"rulegame_cli", *ROOMS[: ROOMS.index(room)]}
    if room != "commands":  # no command imports another
        before.add(room)
    files = [file for name, file in known.items() if f"{name}.".startswith(f"rulegame_cli.{room}.")]
    assert files
    for file in files:
        assert {name.split(".")[1] for name in imported(file, known) if "." in name} <= before, file


def test_every_module_of_the_studio_has_one_place_and_imports_what_stands_before_it() -> None:
    known = modules(STUDIO)
    assert sorted(DESKS) == sorted(name.split(".")[1] for name in known if "." in name)
    for at, desk in enumerate(DESKS):
        used = {name.split(".")[1] for name in imported(known[f"rulegame_studio.{desk}"], known)}
        assert used <= set(DESKS[:at]), desk


def test_the_studio_and_the_command_line_meet_in_one_command() -> None:
    for file in STUDIO.rglob("*.py"):
        assert "rulegame_cli" not in file.read_text(encoding="utf-8"), file
    texts = {file.name: file.read_text(encoding="utf-8") for file in CLI.rglob("*.py")}
    users = [name for name, text in texts.items() if "rulegame_studio" in text]
    assert users == ["studio.py"]


@pytest.mark.parametrize("stage", STAGES)
def test_a_package_imports_only_what_stands_before_it(stage: str) -> None:
    known = modules(ENGINE)
    before = {"rulegame", *STAGES[: STAGES.index(stage)], stage}
    files = [file for name, file in known.items() if f"{name}.".startswith(f"rulegame.{stage}.")]
    assert files
    for file in files:
        assert {name.split(".")[1] for name in imported(file, known) if "." in name} <= before, file


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_imports_make_no_cycle(root: Path) -> None:
    known = modules(root)
    known.pop(root.name)  # the library's front door, which hands out what the rooms make
    order = TopologicalSorter(
        {name: set(imported(file, known)) - {name} for name, file in known.items()}
    )
    order.prepare()


def test_only_the_kernels_know_what_cells_mean() -> None:
    known = modules(ENGINE)
    inside = {"rulegame.compiling.layout", "rulegame.compiling.program"}
    for name, file in known.items():
        if name.split(".")[1:2] not in (["compiling"], ["native"]):
            assert not inside & set(imported(file, known)), name


def test_the_engine_knows_nothing_of_the_command_line() -> None:
    for file in ENGINE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "rulegame_cli" not in text and "rulegame_studio" not in text, file
        assert not re.search(r"\bprint\(", text), file


def test_no_game_is_named_in_the_code() -> None:
    """What a game needs it gets from the language. The first example of the library names one."""
    games = {path.stem for path in (ROOT / "rulesets").rglob("*.yaml")}
    words = re.compile(
        "|".join(rf"\b{re.escape(g)}\b|\b{g.replace('_', ' ')}\b" for g in games), re.I
    )
    for file in [file for root in ROOTS.values() for file in root.rglob("*.py")]:
        if file != ENGINE / "__init__.py":
            assert not words.search(file.read_text(encoding="utf-8")), file


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_every_module_can_be_imported_on_every_system(root: Path) -> None:
    """What only some systems have is imported where it is used, beside what is done without it."""
    for file in modules(root).values():
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                assert not SOME_SYSTEMS & {alias.name for alias in node.names}, file
            if isinstance(node, ast.ImportFrom):
                assert node.module not in SOME_SYSTEMS, file


def test_commands_are_modules_of_their_names() -> None:
    for command, module in COMMANDS.items():
        assert (CLI / "commands" / f"{module}.py").is_file()
        if not hasattr(builtins, command) and command != "test":
            assert module == command.replace("-", "_")


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for root in ROOTS.values():
        for name, file in modules(root).items():
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(name)
    assert not {name: where for name, where in homes.items() if len(where) > 1}


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_every_function_fits_on_a_screen(root: Path) -> None:
    long = [
        f"{name}.{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for name, file in modules(root).items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
        if node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert not long
