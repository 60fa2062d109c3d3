"""Write a result to standard output, or atomically to a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path

from rulegame.files.atomic import write_whole
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.paging import page


def check_output(path: str, option: str = "--output") -> None:
    """WrongCall if nothing can be written there: better now than after the work."""
    if not path:
        return
    try:
        target = _target(path)
        if target.is_dir():
            raise WrongCall(f"{option}: '{path}' is a folder")
        if not target.parent.is_dir():
            raise WrongCall(f"{option}: folder '{target.parent}' does not exist")
        if not os.access(target if _is_special(target) else target.parent, os.W_OK):
            raise WrongCall(f"{option}: cannot write '{path}'")
    except (OSError, ValueError, RuntimeError) as error:  # a name that no file can have
        said = error.strerror if isinstance(error, OSError) else error
        raise WrongCall(f"{option}: cannot write '{path}': {said}") from None


def problems_apart(data: bool) -> AbstractContextManager[object]:
    """Inside it, where data is asked for, problems go to standard error: a program that reads the
    data gets that and nothing else.
    """
    return redirect_stdout(sys.stderr) if data else nullcontext()


class _Caught(StringIO):
    """Standard output while a report is written to a file."""

    encoding = "utf-8"


def written(run: Callable[[], int], path: str, codes: Collection[int]) -> int:
    """Run a command and write what it prints to a file, if it ends with one of these exit codes;
    otherwise print it.
    """
    check_output(path)
    caught = _Caught()
    try:
        with redirect_stdout(caught):
            code = run()
    except BaseException:
        sys.stdout.write(caught.getvalue())
        raise
    if code in codes and caught.getvalue():
        deliver(caught.getvalue(), path)
    else:
        sys.stdout.write(caught.getvalue())
    return code


def deliver(text: str, path: str, option: str = "--output") -> None:
    """Prints a text, paged where it is long, or writes it to the file, if one is named."""
    if path:
        deliver_bytes(text.encode(), path, option)
    else:
        page(text)


def deliver_bytes(data: bytes, path: str, option: str) -> None:
    """Writes them to the file."""
    try:
        _write(_target(path), data)
    except OSError as error:
        raise WrongCall(f"{option}: cannot write '{path}': {error.strerror}") from None


def _write(target: Path, data: bytes) -> None:
    if _is_special(target):
        target.write_bytes(data)
    else:
        write_whole(target, data)


def _target(path: str) -> Path:
    """The file itself, where the name is a link to one: it is the file that is replaced."""
    named = Path(path)
    return named.absolute() if _is_special(named) else named.resolve()


def _is_special(target: Path) -> bool:
    """A device or a pipe: it is written to, never replaced."""
    return target.exists() and not target.is_file()
