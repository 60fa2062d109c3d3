"""Which sources are mutated, and a sample of their mutants that a seed decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from mutation.mutating import Mutant, mutants

# The packages that compute, with what belongs to them in `engine/rulegame`.
PACKAGES: Final = {
    "language": ("language", "evaluation", "model"),
    "compiling": ("compiling",),
    "game": ("game",),
    "exploring": ("exploring",),
    "solving": ("solving",),
    "proving": ("proving",),
    "simulation": ("simulation", "sweeping"),
    "players": ("players",),
    "saves": ("playing/session.py", "playing/saves.py"),
}


def package_of(source: str) -> str:
    """The package that a source belongs to."""
    return next(
        name
        for name, parts in PACKAGES.items()
        if any(source == part or source.startswith(f"{part}/") for part in parts)
    )


def sources(engine: Path, packages: Sequence[str]) -> Iterator[str]:
    """The sources of some packages, by their paths in `engine/rulegame`."""
    for package in packages:
        for part in PACKAGES[package]:
            path = engine / part
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                yield file.relative_to(engine).as_posix()


def sample(engine: Path, packages: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """As many mutants, each as likely as any other. A change elsewhere leaves the sample as it is:
    the mutants are ranked by their own texts.
    """
    found = [
        mutant
        for source in sources(engine, packages)
        for mutant in mutants(source, (engine / source).read_text(encoding="utf-8"))
    ]
    return sorted(found, key=lambda mutant: _rank(mutant, seed))[:count]


def _rank(mutant: Mutant, seed: int) -> bytes:
    return sha256(f"{seed} {mutant.key}".encode()).digest()
