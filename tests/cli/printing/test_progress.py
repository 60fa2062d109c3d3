"""The line that says what a command is doing."""

import pytest

from rulegame_cli.printing.progress import progress_text, working


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (("Exploring positions", 12345, None), "Exploring positions: 12,345"),
        (("Looking for cycles", 0, None), "Looking for cycles"),
        (("Solving", 1, 2), "Solving [############............] 50%"),
        (("Solving", 3, 2), "Solving [########################] 100%"),
    ],
)
def test_what_is_shown(told: tuple[str, int, int | None], shown: str) -> None:
    assert progress_text(*told) == shown


def test_nothing_is_shown_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with working() as progress:
        progress("Solving", 1, 2)
    assert capfd.readouterr() == ("", "")
