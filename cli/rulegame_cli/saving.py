"""Saved games on disk: where they lie, how a line is added so that a kill at any moment leaves the
game whole, and how one is found again.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame import disk
from rulegame_cli.mistakes import WrongCall
from rulegame_cli.whole_files import write_all, write_whole

if TYPE_CHECKING:
    from rulegame.saves import Chain, Saved

SUFFIX: Final = ".jsonl"
LARGEST: Final = 64 * 2**20  # bytes; a game of a million moves is smaller
ENDS: Final = 4096  # bytes at the end of a file that tell how the game stands


class CannotSave(Exception):
    """The file cannot be written, or someone else is writing it."""


def games_folder() -> Path:
    """Where games are kept: RULEGAME_HOME, or where the platform puts a user's data."""
    home = os.environ.get("RULEGAME_HOME")
    if home:
        return Path(home) / "games"
    from platformdirs import user_data_path

    return user_data_path("rulegame", appauthor=False) / "games"


def new_path() -> Path:
    """A name that no other game has, in a folder that is made if need be."""
    folder = games_folder()
    if str(folder).startswith("~"):  # nobody knows where this user's home is
        raise CannotSave("there is no home folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotSave(_system_text(error)) from None
    return folder / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}{SUFFIX}"


def _system_text(error: OSError) -> str:
    return (error.strerror or "the system cannot do it").lower()


# ---- writing


class SaveFile:
    """An open save that nobody else may add to. Its last line is cut off before others are written:
    whatever of that is left undone, all complete lines are there.
    """

    def __init__(self, path: Path, length: int) -> None:
        self.path = path
        self._length = length
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._descriptor = os.open(path, flags)
        except OSError as error:
            raise CannotSave(_system_text(error)) from None
        if not _lock(self._descriptor):
            os.close(self._descriptor)
            raise CannotSave("this game is being played somewhere else")

    def append(self, lines: bytes, last: bytes) -> None:
        """Add complete lines, and the one that says that there are no more."""
        try:
            os.ftruncate(self._descriptor, self._length)
            os.lseek(self._descriptor, self._length, os.SEEK_SET)
            write_all(self._descriptor, lines + last)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._length)
            raise CannotSave(_system_text(error)) from None
        self._length += len(lines)

    def size(self) -> int:
        """How many bytes there are."""
        return os.fstat(self._descriptor).st_size

    def settle(self) -> None:
        """Let nothing be lost even if the power fails."""
        with suppress(OSError):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Let others go on with it."""
        with suppress(OSError):
            os.close(self._descriptor)


def _lock(descriptor: int) -> bool:
    """Whether this process now has the file for itself; always, where there are no locks."""
    try:
        if os.name == "nt":
            return _lock_on_windows(descriptor)
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _lock_on_windows(descriptor: int) -> bool:
    msvcrt: Any = __import__("msvcrt")
    os.lseek(descriptor, LARGEST, os.SEEK_SET)  # far behind what others may want to read
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def write_new(path: Path, data: bytes) -> None:
    """A new file, there as a whole or not at all, for nobody else to read."""
    if not path.name:  # `.`, `/`
        raise CannotSave("there is such a folder already")
    try:
        write_whole(path, data, new=True, mode=0o600)
    except FileExistsError:
        raise CannotSave("there is such a file already") from None
    except OSError as error:
        raise CannotSave(_system_text(error)) from None


class Record:
    """The lines of a game in memory, and on disk if they are kept there."""

    def __init__(self, chain: Chain, lines: bytes = b"") -> None:
        self._chain = chain
        self._lines = bytearray(lines)
        self._forget_if_unplayed = False
        self.file: SaveFile | None = None
        self.problem: str | None = None  # why the file is not written any more

    def keep_in(self, path: Path, *, forget_if_unplayed: bool) -> None:
        """Begin a file with what there is; `CannotSave` if that cannot be."""
        write_new(path, bytes(self._lines) + self._chain.last())
        self.file = SaveFile(path, len(self._lines))
        self._forget_if_unplayed = forget_if_unplayed

    def go_on_in(self, path: Path, size: int) -> None:
        """Go on with a file that has these lines, and was so large when they were read."""
        file = SaveFile(path, len(self._lines))
        if file.size() != size:
            file.close()
            raise CannotSave("this game has been played on somewhere else")
        self.file = file

    def add(self, *contents: Mapping[str, Any]) -> None:
        """Further lines; a disk that refuses them does not end the game."""
        lines = b"".join(self._chain.add(content) for content in contents)
        self._lines += lines
        if self.file is not None:
            try:
                self.file.append(lines, self._chain.last())
            except CannotSave as problem:
                self.problem = str(problem)
                self.file.close()
                self.file = None

    def settle(self) -> None:
        """Before a person is asked something."""
        if self.file is not None:
            self.file.settle()

    def copy_to(self, path: Path) -> None:
        """The game so far in a file of its own."""
        write_new(path, bytes(self._lines) + self._chain.last())

    def leave(self, *, asked: bool) -> None:
        """Close the file; one that nobody asked for is not kept if nothing happened in the game."""
        if self.file is None:
            return
        self.file.close()
        if self._forget_if_unplayed and not asked and self._chain.count == 1:
            with suppress(OSError):
                self.file.path.unlink()


# ---- finding and reading


def read_file(path: Path) -> tuple[Saved, bytes]:
    """A saved game, and its bytes; `SaveError` if it is none."""
    from rulegame.saves import SaveError, read_save

    try:
        data = disk.read_file(path, LARGEST)
    except disk.CannotRead as problem:
        raise SaveError(str(problem)) from None
    if len(data) > LARGEST:
        raise SaveError("it is too large to be a saved game")
    return read_save(data), data


def find(reference: str) -> Path:
    """The file of a save: its path, or the short code that `rulegame history` shows."""
    path = Path(reference)
    if disk.exists(path):
        return path
    matching = [
        file for file in game_files() if reference in (file.stem, file.stem.rpartition("-")[2])
    ]
    if len(matching) == 1:
        return matching[0]
    raise WrongCall(f"there is no saved game '{reference}'; `rulegame history` lists them")


def game_files() -> list[Path]:
    """All games that are kept, the last played first."""
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in games_folder().glob(f"*{SUFFIX}"):
            with suppress(OSError):
                status = path.stat()
                if stat.S_ISREG(status.st_mode):  # to open a pipe would wait for its writer
                    found.append((status.st_mtime, path))
    return [path for _, path in sorted(found, key=lambda pair: (-pair[0], pair[1].name))]


class Glance(NamedTuple):
    """The first and the last lines of a save, unchecked: enough for a list."""

    path: Path
    header: dict[str, Any]
    last: list[dict[str, Any]]

    @property
    def code(self) -> str:
        return self.path.stem.rpartition("-")[2]

    @property
    def over(self) -> bool:
        return any("over" in line for line in self.last)


def glances() -> Iterator[Glance]:
    """Every game that is kept, the last played first."""
    for path in game_files():
        try:
            with path.open("rb") as stream:
                first = stream.readline(2**20)
                stream.seek(max(len(first), path.stat().st_size - ENDS))
                rest = stream.read(ENDS).split(b"\n")
        except OSError:
            continue
        last = [content for line in rest if (content := _json(line)) is not None]
        yield Glance(path, _json(first) or {}, last)


def _json(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
