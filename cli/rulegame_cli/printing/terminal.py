"""The terminal: safe printing, reading lines, secret input, colour. Knows nothing of games."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EBADF
from functools import partial
from io import StringIO, TextIOWrapper
from typing import Any, Final, NamedTuple, TextIO

from rulegame_cli.printing.wrapping import columns_of, wrapped

INTERRUPTED: Final = 130  # what a shell reports for a program that Ctrl-C ended

# What a text for people may contain beside printable characters: line breaks, tabs, other blanks,
# and the joiners that emoji and some scripts need. Everything else could play tricks on a terminal.
KEPT_IN_TEXTS: Final = frozenset("\n\t\u00a0\u2002\u2003\u2007\u2009\u200a\u200c\u200d\u202f\u3000")

ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SEATS: Final = ("1;36", "1;35", "1;33", "1;32", "1;34", "1;31", "36", "35")  # colours of players


def escaped(character: str) -> str:
    """A character that must not reach a terminal, as people write it."""
    code = ord(character)
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str, kept: frozenset[str] = frozenset()) -> str:
    """The text with control, bidirectional and other unseen characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else escaped(c) for c in text)


def one_line(text: str) -> str:
    """A text of a ruleset on one line, safe to print."""
    return visible(" ".join(text.split()))


Paint = Callable[[str], str]  # from a text to the same text with colour


Words = Callable[[str], Sequence[str]]  # from what is typed so far to what could be typed


def _as_it_is(text: str) -> str:
    return text


def _none(typed: str) -> Sequence[str]:
    return ()


class Style(NamedTuple):
    """Colour, or the same text without it."""

    colour: bool = False

    def bold(self, text: str) -> str:
        return self._painted(text, "1")

    def red(self, text: str) -> str:
        return self._painted(text, "1;31")

    def yellow(self, text: str) -> str:
        return self._painted(text, "1;33")

    def green(self, text: str) -> str:
        return self._painted(text, "32")

    def faint(self, text: str) -> str:
        return self._painted(text, "2")

    def seat(self, text: str, seat: int) -> str:
        """In the colour of one of the players."""
        return self._painted(text, SEATS[seat % len(SEATS)])

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def is_plain() -> bool:
    """Whether somebody who hears the screen read out wants plain lines in every command."""
    return os.environ.get("RULEGAME_PLAIN", "") not in ("", "0")


def stays_put() -> bool:
    """Whether nothing may move the cursor: nobody wants it, or the terminal cannot."""
    return is_plain() or os.environ.get("TERM") == "dumb"


def style_for(stream: TextIO, no_color: bool) -> Style:
    """Colour only at a terminal that wants it."""
    refused = no_color or bool(os.environ.get("NO_COLOR")) or stays_put()
    return Style(not refused and stream.isatty())


def columns(stream: TextIO) -> int:
    """How wide the terminal of a stream is; 80 if it is none."""
    try:
        return max(2, os.get_terminal_size(stream.fileno()).columns or 80)
    except (OSError, ValueError):
        return 80


def rows(stream: TextIO) -> int:
    """How many lines it has; 24 if it is none."""
    try:
        return max(2, os.get_terminal_size(stream.fileno()).lines or 24)
    except (OSError, ValueError):
        return 24


class CannotWrite(Exception):
    """Standard output takes nothing more: a full disk, a reader that went away, no output at all.
    No OSError, because no file that the program works with is to blame.
    """

    def __init__(self, error: OSError) -> None:
        self.errno = error.errno
        super().__init__(f"cannot write: {error.strerror or 'unknown error'}")


class _Wrapping(TextIOWrapper):
    """A stream that breaks lines between words, where it is a terminal."""

    column = 0  # where the next character goes

    def fitting(self, text: str) -> str:
        """The text as it fits."""
        if not self.isatty():
            return text
        if "\r" in text:  # it moves about by itself
            last = text.rpartition("\r")[2].rpartition("\n")[2]
            self.column = columns_of(ESCAPES.sub("", last))
            return text
        fitted = wrapped(text, columns(self), self.column)
        _, newline, last = fitted.rpartition("\n")
        self.column = (0 if newline else self.column) + columns_of(ESCAPES.sub("", last))
        return fitted


class _Output(_Wrapping):
    """Standard output that says by an exception of its own that it cannot be written."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(self.fitting(text))
        except OSError as error:
            raise CannotWrite(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise CannotWrite(error) from None


class _NoOutput(StringIO):
    """Standard output that was closed before the program began."""

    def write(self, text: str, /) -> int:
        raise CannotWrite(OSError(EBADF, os.strerror(EBADF)))

    def fileno(self) -> int:
        raise CannotWrite(OSError(EBADF, os.strerror(EBADF)))


class _Errors(_Wrapping):
    """Standard error, where nothing is left to be told when it cannot be written."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            return super().write(self.fitting(text))
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def make_robust() -> None:
    """No character that the encoding of a stream lacks, and no stream that cannot be written, may
    end the program without a word, or with a traceback.
    """
    _occupy()
    if sys.stdout is None:
        sys.stdout = _NoOutput()
    elif sys.stdout is sys.__stdout__ and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout = _Output(sys.stdout.buffer, **_like(sys.stdout))
    if sys.stderr is None:
        sys.stderr = StringIO()
    elif sys.stderr is sys.__stderr__ and isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = _Errors(sys.stderr.buffer, **_like(sys.stderr))
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _like(stream: TextIOWrapper) -> dict[str, Any]:
    return {
        "encoding": stream.encoding,
        "line_buffering": stream.line_buffering,
        "write_through": stream.write_through,
    }


def _occupy() -> None:
    """A file that is opened must not get the number of a standard stream that was closed: what is
    meant for the terminal would be written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)


def give_up_output() -> None:
    """What is still in the buffer has nowhere to go; the interpreter must not try again."""
    if isinstance(sys.stdout, TextIOWrapper):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class Terminal:
    """Where people read and type; what is piped in is echoed, so that a transcript is whole."""

    def __init__(self, style: Style, paint: Paint = _as_it_is, plain: bool = False) -> None:
        self._style = style
        self._paint = paint
        self._typed = sys.stdin is not None and sys.stdin.isatty()
        self._edits = self._typed and sys.stdout.isatty() and not (plain or is_plain())
        self._mid_line = False
        self.below = 0  # lines that were printed since the last picture
        self._outside: list[Any] | None = None  # how the terminal was before secrets were kept

    @contextmanager
    def keeping_secrets(self) -> Iterator[None]:
        """From now on, what is typed is shown at open prompts alone: neither what is typed ahead,
        while nobody is asked, nor at secret ones. What was typed before this has been seen by
        everybody, and is dropped.
        """
        if not self._typed or os.name == "nt":
            yield
            return
        import termios

        terminal = sys.stdin.fileno()
        outside = termios.tcgetattr(terminal)
        with _stoppable(terminal, str, outside), _echo_off(terminal):
            termios.tcflush(terminal, termios.TCIFLUSH)
            self._outside = outside
            try:
                yield
            finally:
                self._outside = None

    @property
    def typed(self) -> bool:
        """Whether a person sits here."""
        return self._typed

    @property
    def draws(self) -> bool:
        """Whether a person sits at a screen on which pictures can be drawn."""
        return self._edits and not stays_put()

    @property
    def colour(self) -> bool:
        """Whether there is colour."""
        return self._style.colour

    def write(self, text: str) -> None:
        """Print a text."""
        if text:
            sys.stdout.write(self._paint(visible(text, KEPT_IN_TEXTS)))
            self._mid_line = not text.endswith("\n")
            self._count(text)

    def show(self, picture: str) -> None:
        """Print lines that are drawn already."""
        self.end_line()
        sys.stdout.write(picture)
        self.below = picture.count("\n")

    def clear(self) -> None:
        """Wipe the screen, and what has gone from it, where the terminal can."""
        sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        sys.stdout.flush()
        self._mid_line = False
        self.below = 0

    def _count(self, text: str) -> None:
        if self._edits:
            width = columns(sys.stdout)
            self.below += sum(1 + columns_of(line) // width for line in text.split("\n")) - 1

    def remark(self, text: str) -> None:
        """A line that is not part of the game."""
        try:
            self.end_line()
        finally:  # it may be just that nothing more can be printed there
            print(visible(text), file=sys.stderr)

    def show_answer(self, prompt: str, answer: str) -> None:
        """What someone else answers to the prompt, as if it had been typed."""
        above, newline, last = visible(prompt, KEPT_IN_TEXTS).rpartition("\n")
        self.write(above + newline)
        sys.stdout.write(f"{self._style.bold(last)}{visible(answer)}\n")
        sys.stdout.flush()

    def ask(self, prompt: str, secret: bool, words: Words = _none) -> str:
        """The line that is typed after the prompt, with the help of some words that could be typed;
        EOFError if there is none.
        """
        prompt = visible(prompt, KEPT_IN_TEXTS)
        if self._edits:
            prompt = wrapped(prompt, columns(sys.stdout) - 1)
        above, newline, last = prompt.rpartition("\n")
        self.write(above + newline)
        self._mid_line = True
        if secret and self._typed:
            line = self._read_unseen(last)
        elif self._edits:
            line = self._read_edited(last, words)
        else:
            line = self._read_plain(last)
        self._mid_line = False
        self._count("\n")
        if self._typed and isinstance(sys.stdout, _Wrapping):
            sys.stdout.column = 0  # the line break was typed
        return line

    def end_line(self) -> None:
        """Begin a new line, unless one has just begun."""
        if self._mid_line:
            self._mid_line = False
            sys.stdout.write("\n")
        sys.stdout.flush()

    def _read_plain(self, prompt: str) -> str:
        with self._echoing(partial(self._style.bold, prompt)):
            line = self._read_after(prompt)
        if not self._typed:
            sys.stdout.write(visible(line, KEPT_IN_TEXTS) + "\n")
        return line

    def _read_after(self, prompt: str) -> str:
        sys.stdout.write(self._style.bold(prompt))
        sys.stdout.flush()
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            raise EOFError
        return line.removesuffix("\n")

    def _read_edited(self, prompt: str, words: Words) -> str:
        shown = self._style.bold(prompt)
        edits = _start_line_editing(words)
        if edits and self._style.colour:
            shown = f"\001\x1b[1m\002{prompt}\001\x1b[0m\002"  # these take no room on the line
        with self._echoing(lambda: self._style.bold(prompt) + (_line_so_far() if edits else "")):
            return input(shown)

    @contextmanager
    def _echoing(self, line: Callable[[], str]) -> Iterator[None]:
        """While a line is typed for all to see."""
        if not self._typed or os.name == "nt":
            yield
            return
        terminal = sys.stdin.fileno()
        with _stoppable(terminal, line, self._outside), _echo_on(terminal, self._outside):
            yield

    def _read_unseen(self, prompt: str) -> str:
        if os.name == "nt":
            from getpass import getpass

            return getpass(prompt)
        terminal = sys.stdin.fileno()
        shown = partial(self._style.bold, prompt)
        # Before the prompt: nothing typed after it may be seen.
        with _stoppable(terminal, shown, self._outside), _echo_off(terminal):
            line = self._read_after(prompt)
        sys.stdout.write("\n")
        return line


def _start_line_editing(words: Words) -> bool:
    """Arrow keys, completion and the like in `input`, without any control sequence of readline's
    own.
    """
    try:
        import readline
    except ImportError:
        return False
    readline.parse_and_bind("set enable-bracketed-paste off")
    readline.parse_and_bind("set enable-meta-key off")
    readline.parse_and_bind("set bell-style none")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.set_completer_delims("")  # a whole line is completed, blanks and all
    matching: list[str] = []

    def complete(typed: str, number: int) -> str | None:
        if number == 0:
            known = [visible(word) for word in words(typed)]
            matching[:] = [word for word in known if word.lower().startswith(typed.lower())]
        return matching[number] if number < len(matching) else None

    readline.set_completer(complete)
    return True


@contextmanager
def _stoppable(
    descriptor: int, line: Callable[[], str], before: list[Any] | None = None
) -> Iterator[None]:
    """Ctrl-Z gives the terminal back as it was before (now, if that is not given); when the game
    goes on, its line is printed again, and what is typed is shown, or not shown, as before. Not
    every shell sees to that.
    """
    import signal
    import termios
    from types import FrameType

    def stop(number: int, frame: FrameType | None) -> None:
        ours = termios.tcgetattr(descriptor)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, outside)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, stop)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, ours)
        sys.stdout.write(line())
        sys.stdout.flush()

    outside = termios.tcgetattr(descriptor) if before is None else before
    if signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN:  # nobody could wake it up again
        yield
        return
    handler = signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, handler)


def _line_so_far() -> str:
    import readline

    return readline.get_line_buffer()


@contextmanager
def _echo_on(descriptor: int, outside: list[Any] | None) -> Iterator[None]:
    """What is typed is shown, if it was before secrets were kept."""
    if outside is None:
        yield
        return
    import termios

    quiet = termios.tcgetattr(descriptor)
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, outside)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, quiet)


@contextmanager
def _echo_off(descriptor: int) -> Iterator[None]:
    """What is typed is not shown; the terminal is as before afterwards, whatever happens."""
    import signal
    import termios
    from types import FrameType

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = termios.tcgetattr(descriptor)
    quiet = termios.tcgetattr(descriptor)
    quiet[3] &= ~termios.ECHO
    ending = (signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP)
    handlers = {number: signal.signal(number, leave) for number in ending}
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, quiet)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
