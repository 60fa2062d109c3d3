"""Lines are broken between words."""

from __future__ import annotations

import re

from rulegame_cli.printing.wrapping import columns_of, wrapped

TEXT = "  show the best move and rate the others; 東京 is wide\n\nshort\n"


def test_lines_fit_and_words_stay_whole() -> None:
    for width in (12, 20, 40, 80):
        out = wrapped(TEXT, width)
        assert all(columns_of(line) <= width for line in out.split("\n"))
        assert out.split() == TEXT.split()
        assert out.endswith("\n\nshort\n")


def test_what_follows_is_indented_as_the_line() -> None:
    assert wrapped("    one two three", 12) == "    one two\n      three"
    assert wrapped("one two three", 8) == "one two\nthree"


def test_an_indentation_gives_way_to_a_word() -> None:
    assert wrapped("          seven letters", 12) == "      seven\n     letters"


def test_colour_takes_no_room() -> None:
    painted = wrapped("\x1b[1;36mone two\x1b[0m three", 14)
    assert painted == "\x1b[1;36mone two\x1b[0m three"
    assert re.sub(r"\x1b\[[0-9;]*m", "", wrapped(painted, 8)) == "one two\nthree"


def test_a_line_that_has_begun_counts() -> None:
    assert wrapped("four five", 12, column=6) == "four\nfive"


def test_a_prompt_keeps_its_blank() -> None:
    assert wrapped("one two three? ", 10) == "one two\nthree? "
