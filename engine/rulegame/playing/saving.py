"""Saved games on disk: where they lie, how a line is added so that a kill at any moment leaves the
game whole, and how one is found again.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame.bundled import ruleset_path
from rulegame.files import disk
from rulegame.files.atomic import settle, write_all, write_whole
from rulegame.files.cache import load_entry, store_entry

if TYPE_CHECKING:
    from rulegame.playing.saves import Chain, Saved

SUFFIX: Final = ".jsonl"
LOCATION: Final = "location"  # the kind of cache entry that holds the path of a ruleset
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
        raise CannotSave("no home folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotSave(_system_text(error)) from None
    return folder / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}{SUFFIX}"


def _system_text(error: OSError) -> str:
    return (error.strerror or "the system refused").lower()


# ---- writing


class SaveFile:
    """An open save that nobody else may add to. Its last line is cut off before others are written:
    whatever of that is left undone, all complete lines are there.
    """

    def __init__(self, path: Path, length: int, last: bytes) -> None:
        self.path = path
        self.length = length  # of the lines that stay
        self._last = last
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._descriptor = os.open(path, flags)
        except OSError as error:
            raise CannotSave(_system_text(error)) from None
        if not _lock(self._descriptor):
            os.close(self._descriptor)
            raise CannotSave("this game is open elsewhere")
        self._has_links = os.fstat(self._descriptor).st_nlink > 0  # not every system counts them

    def append(self, lines: bytes, last: bytes) -> None:
        """Add complete lines, and the one that says that there are no more; or leave all as it was,
        as far as the system lets us.
        """
        try:
            self._put(lines + last)
        except OSError as error:
            with suppress(OSError):
                self._put(self._last)  # in its old place there is room for it
            raise CannotSave(_system_text(error)) from None
        self.length += len(lines)
        self._last = last

    def _put(self, data: bytes) -> None:
        os.ftruncate(self._descriptor, self.length)
        os.lseek(self._descriptor, self.length, os.SEEK_SET)
        write_all(self._descriptor, data)

    def size(self) -> int:
        """How many bytes there are."""
        return os.fstat(self._descriptor).st_size

    def is_gone(self) -> bool:
        """Whether someone has deleted the file: what is written would be lost."""
        return self._has_links and os.fstat(self._descriptor).st_nlink == 0

    def settle(self) -> None:
        """Let nothing be lost even if the power fails."""
        try:
            settle(self._descriptor)
        except OSError as error:
            raise CannotSave(_system_text(error)) from None

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
        raise CannotSave("a folder with that name already exists")
    try:
        write_whole(path, data, new=True, mode=0o600)
    except FileExistsError:
        raise CannotSave("a file with that name already exists") from None
    except OSError as error:
        raise CannotSave(_system_text(error)) from None


class GameRecord:
    """The lines of a game in memory, and on disk if they are kept there. What the disk refuses is
    tried again with every further line, and does not end the game.
    """

    def __init__(self, chain: Chain, lines: bytes = b"") -> None:
        self._chain = chain
        self._lines = bytearray(lines)
        self._place: Callable[[], Path] | None = None  # where a file is to be, if there is none
        self._unplayed: int | None = None  # so many lines are not worth a file
        self.wanted = False  # somebody has asked for this file
        self.file: SaveFile | None = None
        self.problem = ""  # why not all of it is on disk
        self.told = False  # and whether the players know

    def keep_in(self, place: Callable[[], Path], *, wanted: bool) -> None:
        """Begin a file with what there is; `CannotSave` if that cannot be for now. One that nobody
        wanted is not kept if nothing happens in the game.
        """
        self._place, self.wanted = place, wanted
        self._unplayed = None if wanted else self._chain.count
        self._write()
        if self.problem:
            raise CannotSave(self.problem)

    def go_on_in(self, path: Path, size: int) -> None:
        """Go on with a file that has these lines, and was so large when they were read."""
        file = SaveFile(path, len(self._lines), self._chain.last())
        if file.size() != size:
            file.close()
            raise CannotSave("this game was continued elsewhere")
        self.file, self._place, self.wanted = file, lambda: path, True

    def add(self, *contents: Mapping[str, Any]) -> None:
        """Further lines."""
        self._lines += b"".join(self._chain.add(content) for content in contents)
        self._write()

    def settle(self) -> None:
        """Before a person is asked something."""
        try:
            if self.file is not None:
                self.file.settle()
        except CannotSave as problem:
            self.problem = str(problem)
            self._place = None  # nobody knows what is lost: no later line can mend it

    def _write(self) -> None:
        if self._place is None:
            return
        try:
            self._bring_to_disk()
        except CannotSave as problem:
            self.problem = str(problem)

    def _bring_to_disk(self) -> None:
        assert self._place is not None
        last = self._chain.last()
        if self.file is not None and self.file.is_gone():
            self.file.close()
            self.file = None
        if self.file is None:
            path = self._place()
            write_new(path, bytes(self._lines) + last)
            self.file = SaveFile(path, len(self._lines), last)
        else:
            self.file.append(bytes(self._lines[self.file.length :]), last)
        self.problem = ""

    def text(self) -> str:
        """The game so far, as a save has it."""
        return (bytes(self._lines) + self._chain.last()).decode("ascii")

    def copy_to(self, path: Path) -> None:
        """The game so far in a file of its own, which others can be sent."""
        from rulegame.playing.saves import rename_ruleset

        header = json.loads(self._lines.partition(b"\n")[0])
        named = portable(header["ruleset"], header["content"], path.parent)
        chain, lines = rename_ruleset(bytes(self._lines), named)
        write_new(path, lines + chain.last())

    @property
    def is_worth_keeping(self) -> bool:
        """Whether something happened in the game, or somebody wanted this file."""
        return self._chain.count != self._unplayed

    def leave(self, *, asked: bool) -> None:
        """Close the file; one that nobody asked for is not kept if nothing happened in the game."""
        if self.file is None:
            return
        self.file.close()
        if not asked and not self.is_worth_keeping:
            with suppress(OSError):
                self.file.path.unlink()


# ---- finding and reading


def read_file(path: Path) -> tuple[Saved, bytes]:
    """A saved game, and its bytes; `SaveError` if it is none."""
    from rulegame.playing.saves import SaveError, read_save

    try:
        data = disk.read_file(path, LARGEST)
    except disk.CannotRead as problem:
        raise SaveError(str(problem)) from None
    if len(data) > LARGEST:
        raise SaveError("the file is too large for a saved game")
    saved = read_save(data)
    found = _located(saved.header.ruleset, saved.header.content, path.parent)
    return replace(saved, header=replace(saved.header, ruleset=found)), data


def portable(ruleset: str, content: str, folder: Path) -> str:
    """The name of a ruleset in a save that may be sent to others: its path relative to the folder
    of the save. A relative path that would name the user or the machine is replaced by the file
    name, and this machine remembers the path.
    """
    path = Path(ruleset)
    if not path.is_absolute():
        return ruleset
    folder = folder.absolute()
    with suppress(ValueError, RuntimeError):  # another drive; no home folder
        shared = Path(os.path.commonpath([path, folder]))
        if not Path.home().is_relative_to(shared) or shared == Path.home():
            return Path(os.path.relpath(path, folder)).as_posix()
    remembered = store_entry(LOCATION, _location_key(path.name, content), os.fsencode(path))
    return path.name if remembered else ruleset


def _located(ruleset: str, content: str, folder: Path) -> str:
    """The path of a ruleset that a save in a folder names."""
    if ruleset_path(ruleset) is not None or Path(ruleset).is_absolute():
        return ruleset
    remembered = load_entry(LOCATION, _location_key(ruleset, content))
    places = [folder / ruleset, Path(ruleset)]
    places += [] if remembered is None else [Path(os.fsdecode(remembered))]
    return next((str(place.absolute()) for place in places if disk.exists(place)), ruleset)


def _location_key(name: str, content: str) -> bytes:
    return f"{content} {name}".encode("utf-8", "surrogateescape")


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

    @property
    def played(self) -> bool:
        """Whether anything has happened in it, or nobody can tell."""
        return not self.header or any(
            "rulegame save" not in x and "last" not in x for x in self.last
        )


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
