"""The wheel, built from the source distribution and installed in an empty environment, works."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DEPENDENCIES = [
    importlib.import_module(name)
    for name in ("jsonschema", "lark", "numpy", "platformdirs", "scipy", "typer", "yaml")
]
Installed = Callable[..., subprocess.CompletedProcess[str]]


def run(command: list[str], folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def must_run(command: list[str], folder: Path) -> str:
    done = run(command, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of this project but the wheel."""
    pytest.importorskip("build")
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    must_run(build, folder)
    (wheel,) = folder.glob("*.whl")
    made = folder / "environment"
    venv.create(made, with_pip=False)
    python = made / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    must_run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], folder)
    # The dependencies are those of this environment, wherever they lie; its own .pth files do not
    # count there, so an editable install of this project stays out of sight.
    (packages,) = made.glob("lib/python*/site-packages")
    folders = sorted({str(Path(str(module.__file__)).parents[1]) for module in DEPENDENCIES})
    (packages / "dependencies.pth").write_text("".join(f"{folder}\n" for folder in folders))
    return made


@pytest.fixture
def rulegame(environment: Path, tmp_path: Path) -> Installed:
    """The installed command, called from an empty folder."""

    def call(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(environment / "bin" / "rulegame"), *arguments]
        return run(command, tmp_path, typed)

    return call


def test_the_library_is_the_installed_one(environment: Path, tmp_path: Path) -> None:
    code = "import rulegame, rulegame_cli; print(rulegame.__file__); print(rulegame_cli.__file__)"
    printed = must_run([str(environment / "bin" / "python"), "-c", code], tmp_path)
    for file in printed.splitlines():
        assert Path(file).is_relative_to(environment)


def test_it_validates_every_bundled_ruleset(rulegame: Installed) -> None:
    listed = rulegame("list").stdout
    names = [path.stem for path in (ROOT / "rulesets").rglob("*.yaml")]
    assert len(names) >= 8
    for name in names:
        assert f"  {name} " in listed
    done = rulegame("validate", *names)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": valid\n") == len(names)


def test_it_plays(rulegame: Installed) -> None:
    done = rulegame("play", "zero_sum_duel", "--set", "start=3", typed="3\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Welcome to Zero Sum Duel!\n")
    assert "Player 1 wins the game!" in done.stdout


def test_it_tests(rulegame: Installed) -> None:
    done = rulegame("test", "zero_sum_duel")
    assert done.returncode == 0, done.stdout


def test_it_explains_every_code(rulegame: Installed) -> None:
    pages = sorted((ROOT / "docs" / "errors").glob("E*.md"))
    for page in pages[:1] + pages[-1:]:
        assert rulegame("explain", page.stem).stdout == page.read_text(encoding="utf-8")
