"""The terminal: what may be printed, and when in colour."""

from __future__ import annotations

import io

import pytest

from rulegame_cli.printing.terminal import KEPT_IN_TEXTS, one_line, style_for, visible


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – ü 名 ✓", "plain – ü 名 ✓"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("no\u00a0break", "no\u00a0break"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x07\x00\x7f\x85", r"\x07\x00\x7f\x85"),
        ("a\u202eb\u2069\u200f\u2028", r"a\u202eb\u2069\u200f\u2028"),
        ("\r", r"\r"),
    ],
)
def test_texts_of_strangers(text: str, shown: str) -> None:
    assert visible(text, KEPT_IN_TEXTS) == shown


def test_one_line() -> None:
    assert one_line(" two\n  lines \x1b") == r"two lines \x1b"


def test_colour_only_at_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert style_for(Screen(), no_color=False).colour
    assert not style_for(io.StringIO(), no_color=False).colour
    assert not style_for(Screen(), no_color=True).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not style_for(Screen(), no_color=False).colour
    monkeypatch.setenv("NO_COLOR", "")
    assert style_for(Screen(), no_color=False).colour
    monkeypatch.setenv("TERM", "dumb")
    assert not style_for(Screen(), no_color=False).colour
