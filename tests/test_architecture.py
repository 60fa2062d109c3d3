"""Imports go one way, and each part of the program knows only what it should."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from rulegame_cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine" / "rulegame"
CLI = ROOT / "cli" / "rulegame_cli"
STUDIO = ROOT / "studio" / "rulegame_studio"
ROOTS = {"engine": ENGINE, "command line": CLI, "studio": STUDIO}
SPECIAL = {"__init__", "__main__"}
SOME_SYSTEMS = {"fcntl", "grp", "msvcrt", "pty", "pwd", "readline", "resource", "termios", "tty"}
READS_YAML = {"source", "building", "loading", "authoring"}
NOT_YAML = {"rulegame.source.lineage", "rulegame.source.yaml_text"}  # which files; how lines end


# Each package or module imports only those before it, wherever the import is written.
ENGINE_ORDER = (
    "limits",
    "codes",
    "keys",
    "wording",
    "rounding",
    "extras",
    "progress",
    "memory",
    "files",
    "bundled",
    "shown",
    "diagnostics",
    "errors",
    "workers",
    "edits",
    "language",
    "source",
    "core",
    "evaluation",
    "model",
    "building",
    "compiling",
    "native",
    "game",
    "drawing",
    "loading",
    "validation",
    "exploring",
    "solving",
    "explaining",
    "proving",
    "players",
    "playing",
    "reviewing",
    "ruletests",
    "simulation",
    "rating",
    "sweeping",
    "adapters",
    "exporting",
    "comparing",
    "rulebook",
    "showing",
    "drafts",
    "authoring",
)
CLI_ORDER = ("printing", "calling", "table", "editor", "completing", "commands", "main")
STUDIO_ORDER = (
    "limits",
    "error_pages",
    "drawn",
    "offering",
    "places",
    "rules",
    "snapshots",
    "table",
    "new_game",
    "library",
    "thinking",
    "worker_api",
    "worker",
    "processes",
    "keys",
    "connections",
    "lobby",
    "guarding",
    "web",
    "serving",
)
ORDERS = ((ENGINE, ENGINE_ORDER), (CLI, CLI_ORDER), (STUDIO, STUDIO_ORDER))
STAGES = [(root, stage) for root, order in ORDERS for stage in order]
PACKAGES = sorted(p.parent.name for p in ENGINE.glob("*/__init__.py"))


def module_of(file: Path, root: Path) -> str:
    parts = file.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(root: Path) -> dict[str, Path]:
    return {module_of(file, root): file for file in sorted(root.rglob("*.py"))}


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports, wherever it does."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else str(node.module)


@pytest.mark.parametrize(("root", "order"), ORDERS, ids=ROOTS)
def test_every_package_has_a_place_in_the_order(root: Path, order: tuple[str, ...]) -> None:
    found = {name.split(".")[1] for name in modules(root) if "." in name}
    assert sorted(order) == sorted(found - SPECIAL)


@pytest.mark.parametrize(("root", "stage"), STAGES, ids=[f"{r.name}.{s}" for r, s in STAGES])
def test_a_package_imports_only_those_before_it(root: Path, stage: str) -> None:
    order = dict(ORDERS)[root]
    allowed = set(order[: order.index(stage)])
    if stage != "commands":  # no command imports another
        allowed.add(stage)
    known = modules(root)
    for name, file in known.items():
        if f"{name}.".startswith(f"{root.name}.{stage}."):
            used = {module.split(".")[1] for module in imported(file, known) if "." in module}
            assert used <= allowed, name


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_a_docstring(package: str) -> None:
    assert ast.get_docstring(tree(ENGINE / package / "__init__.py"))


def test_the_studio_and_the_command_line_meet_in_one_command() -> None:
    for file in STUDIO.rglob("*.py"):
        assert "rulegame_cli" not in file.read_text(encoding="utf-8"), file
    texts = {file.name: file.read_text(encoding="utf-8") for file in CLI.rglob("*.py")}
    users = [name for name, text in texts.items() if "rulegame_studio" in text]
    assert users == ["studio.py"]


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_imports_make_no_cycle(root: Path) -> None:
    known = modules(root)
    known.pop(root.name)  # the front door re-exports every package
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


def strings(file: Path) -> Iterator[str]:
    """The texts in a module, without its docstrings; of those with expressions the parts."""
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree(file)):
        value = getattr(node, "value", None)
        if isinstance(value, str) and id(node) not in described:
            yield value


def test_one_module_makes_syntax_trees_of_python() -> None:
    makers = set()
    for name, file in modules(ENGINE).items():
        for node in ast.walk(tree(file)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="ast"), attr=made)):
                    if isinstance(getattr(ast, made), type):
                        makers.add(name)
    assert makers == {"rulegame.core.backends.python"}


def test_one_module_writes_the_text_of_llvm() -> None:
    instruction = re.compile(r"\b(i64|i1|ptr|double) ([%@,]|$)|@llvm\.|\b(icmp|call|declare) ")
    writers = {
        name
        for name, file in modules(ENGINE).items()
        if name.startswith("rulegame.native.") and any(map(instruction.search, strings(file)))
    }
    assert writers == {"rulegame.native.assembly"}


def test_backends_know_no_typed_expressions() -> None:
    known = modules(ENGINE)
    for name, file in known.items():
        if name.startswith(("rulegame.native", "rulegame.core")):
            used = set(imported(file, known))
            assert "rulegame.language.typed" not in used, name


def test_only_compiling_and_native_code_know_the_program() -> None:
    """Others ask the kernel."""
    for root in ROOTS.values():
        for name, file in modules(root).items():
            if name.split(".")[1:2] not in (["compiling"], ["native"]):
                asked = [n for n in ast.walk(tree(file)) if isinstance(n, ast.Attribute)]
                assert not any(n.attr == "program" for n in asked), name


def test_only_the_first_stages_read_yaml() -> None:
    known = modules(ENGINE)
    for name, file in known.items():
        if "." in name and name.split(".")[1] not in READS_YAML:
            nodes = {used for used in imported(file, known) if used.startswith("rulegame.source")}
            assert nodes <= NOT_YAML, name


PARSES_AND_BINDS = {"language", "building", "authoring"}


def test_nothing_after_the_model_parses_or_binds() -> None:
    """The model keeps the trees of its expressions; an editor also reads what is not finished."""
    known = modules(ENGINE)
    parsers = {f"rulegame.language.{name}" for name in ("parsing", "binding")}
    for name, file in known.items():
        if "." in name and name.split(".")[1] not in PARSES_AND_BINDS:
            assert not parsers & set(imported(file, known)), name
            assert "bind_template" not in names_in(tree(file)), name


def test_the_engine_knows_nothing_of_the_command_line() -> None:
    for file in ENGINE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "rulegame_cli" not in text and "rulegame_studio" not in text, file
        assert not re.search(r"\bprint\(", text), file


def test_no_game_is_named_in_the_code() -> None:
    """What a game needs it gets from the language. The first example of the library names one; a
    nim-sum is a number, and go is a verb.
    """
    games = {path.stem for path in (ROOT / "rulesets").rglob("*.yaml")} - {"go"}
    words = re.compile(
        "|".join(rf"\b{re.escape(g)}\b|\b{g.replace('_', ' ')}\b" for g in games), re.I
    )
    for file in [file for root in ROOTS.values() for file in root.rglob("*.py")]:
        if file != ENGINE / "__init__.py":
            text = file.read_text(encoding="utf-8").replace("nim-sum", "")
            assert not words.search(text), file


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_every_module_can_be_imported_on_every_system(root: Path) -> None:
    """What only some systems have is imported where it is used, beside what is done without it."""
    for file in modules(root).values():
        for node in tree(file).body:
            if isinstance(node, ast.Import):
                assert not SOME_SYSTEMS & {alias.name for alias in node.names}, file
            if isinstance(node, ast.ImportFrom):
                assert node.module not in SOME_SYSTEMS, file


def test_commands_are_modules_of_their_names() -> None:
    for command, module in COMMANDS.items():
        assert (CLI / "commands" / f"{module}.py").is_file()
        if not hasattr(builtins, command) and command != "test":
            assert module == command.replace("-", "_")


NUMPY_IS_KNOWN_TO = {
    *("exploring", "solving", "explaining", "proving", "adapters", "files.mapped"),
    *("native.machine_kernel", "native.graph_kernels", "players.machine_tree"),
    *("simulation.batches", "simulation.solved"),
}
HEAVY = {"numpy", "scipy", "llvmlite"}


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_only_the_modules_that_hold_arrays_import_numpy(root: Path) -> None:
    for name, file in modules(root).items():
        inside = name.partition(".")[2]
        allowed = any(f"{inside}.".startswith(f"{one}.") for one in NUMPY_IS_KNOWN_TO)
        if root != ENGINE or not allowed:
            used = {package for package in packages(file) if package in HEAVY}
            assert used <= ({"llvmlite"} if inside == "native.compiler" else set()), name


def packages(file: Path) -> Iterator[str]:
    """The top-level packages that a file imports, wherever it does."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]


@cache
def names_in(module: ast.Module) -> set[str]:
    """The identifiers of a module, and the words of its short strings."""
    found: set[str] = set()
    for node in ast.walk(module):
        fields = (getattr(node, field, None) for field in ("id", "attr", "arg", "name", "module"))
        texts = [text for text in fields if isinstance(text, str)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            texts.append(node.value)
        found.update(word for text in texts for word in re.findall(r"\w+", text))
    return found


def docstrings(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_names_in_docstrings_exist(root: Path) -> None:
    """A name in backticks is a module, a name of the same file, or a word of the language."""
    known = modules(root)
    every = {f".{name}": file for one in ROOTS.values() for name, file in modules(one).items()}
    common = {part for name in every for part in name.split(".")}
    common |= {*dir(builtins), *keyword.kwlist}
    common |= set(re.findall(r"[a-z_]+", (ROOT / "schemas/ruleset.schema.json").read_text("utf-8")))
    unknown = []
    for name, file in known.items():
        beside = file.parent.glob("*.py") if file.stem == "__init__" else (file,)
        own = common.union(*(names_in(tree(one)) for one in beside))
        for word in re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)`", "\n".join(docstrings(tree(file)))):
            module, _, last = word.rpartition(".")
            inside = [f for m, f in every.items() if module and m.endswith(f".{module}")]
            if any(m.endswith(f".{word}") for m in every):
                continue
            exists = any(last in names_in(tree(one)) for one in inside)
            if not (exists if inside else own.issuperset(word.split("."))):
                unknown.append(f"{name}: {word}")
    assert not unknown
