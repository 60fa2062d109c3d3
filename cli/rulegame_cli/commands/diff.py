"""`rulegame diff`: compare two rulesets by meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulegame.extras import require
from rulegame_cli.calling.opening import compiled, open_ruleset
from rulegame_cli.calling.options import (
    LIMITS,
    ColorOptions,
    FindingsOptions,
    SettingsOptions,
    argument,
    flag,
    option,
)
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count
from rulegame_cli.printing.figures import moves_text
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import Style, one_line

if TYPE_CHECKING:
    from rulegame.comparing import Comparison, Difference
    from rulegame.model import Ruleset
    from rulegame.solving import Solved

DIFFERENT: Final = 1
RESULTS: Final = {
    "first": "the first player wins",
    "second": "the second player wins",
    "draw": "a draw",
    "endless": "endless: neither side can force an end",
    "chance": "chance decides",
}
MOST_TEXTS: Final = 6  # names of texts that are listed


class DiffOptions(ColorOptions, FindingsOptions):
    """Compare two rulesets by meaning and show how the change affects play.

    Exit code: 0 if both are the same game, 1 if they differ, 2 for a usage error.
    """

    ruleset: str = argument("RULESET", "Ruleset file, bundled game, or - for standard input.")
    other: str = argument(
        "OTHER",
        "Ruleset to compare with. Default: the one that RULESET extends.",
        required=False,
    )
    values: bool = flag("Solve both and compare the results.")
    max_states: str = option(
        "NUMBER", "With --values: stop after NUMBER positions.", heading=LIMITS
    )


def run(options: DiffOptions) -> int:
    """Exit code 0 if both are the same game, 1 if they differ (or have problems)."""
    from rulegame.comparing import compare

    if options.values:
        require("solve")
    budget = read_count("--max-states", options.max_states)
    unvaried = SettingsOptions(no_color=options.no_color)
    name = options.other or options.ruleset
    new = open_ruleset(name, unvaried)
    if new is None:
        return DIFFERENT
    parent = options.ruleset if options.other else _parent(name, new)
    old = open_ruleset(parent, unvaried)
    if old is None:
        return DIFFERENT
    comparison = compare(old, new)
    values = None
    if options.values:
        values = _worths((parent, old), (name, new), budget, options)
        if values is None:
            return DIFFERENT
    if options.as_json:
        print(json.dumps(as_data(comparison, values), indent=2))
    else:
        lines = report(comparison, values, options.style)
        page("".join(f"{line.rstrip()}\n" for line in lines))
    return 0 if comparison.same else DIFFERENT


def _parent(name: str, ruleset: Ruleset) -> str:
    """What a variant extends, as it can be opened from here."""
    from rulegame.bundled import is_name

    parent = ruleset.extends
    if not parent:
        raise WrongCall(f"'{name}' does not extend another ruleset. Name two rulesets to compare.")
    return parent if is_name(parent) else str(Path(ruleset.file).parent / parent)


def _worths(
    old: tuple[str, Ruleset], new: tuple[str, Ruleset], budget: int | None, options: DiffOptions
) -> tuple[Solved | str, Solved | str] | None:
    """What best play of both comes to; None, and the problems printed, if one cannot start."""
    from rulegame.comparing import worth

    found: list[Solved | str] = []
    for name, ruleset in (old, new):
        game = compiled(name, ruleset, options)
        if game is None:
            return None
        with working() as progress:
            if budget is None:
                found.append(worth(game, progress=progress))
            else:
                found.append(worth(game, max_states=budget, progress=progress))
    return found[0], found[1]


# ---- for programs


def as_data(
    comparison: Comparison, values: tuple[Solved | str, Solved | str] | None
) -> dict[str, Any]:
    """The comparison as JSON has it; fractions are texts."""
    data: dict[str, Any] = {
        "before": comparison.before.title,
        "after": comparison.after.title,
        "same": comparison.same,
        "differences": [difference._asdict() for difference in comparison.differences],
        "texts": list(comparison.texts),
    }
    if values is not None:
        data["values"] = {
            side: _worth_data(one) for side, one in zip(("before", "after"), values, strict=True)
        }
    return data


def _worth_data(worth: Solved | str) -> dict[str, Any]:
    if isinstance(worth, str):
        return {"unsolved": worth}
    found = {
        "result": worth.result,
        "value": worth.value,
        "lower": worth.lower,
        "upper": worth.upper,
        "win_probability": worth.win_probability,
        "distance": worth.distance,
        "shortest": worth.shortest_game,
        "longest": worth.longest_game,
        "states": worth.states,
    }
    return {name: str(v) if isinstance(v, Fraction) else v for name, v in found.items()}


# ---- for people


def report(
    comparison: Comparison, values: tuple[Solved | str, Solved | str] | None, style: Style
) -> Iterator[str]:
    """The comparison for people to read."""
    titles = one_line(comparison.before.title), one_line(comparison.after.title)
    yield f"{titles[0]} -> {titles[1]}" if titles[0] != titles[1] else titles[0]
    if comparison.same:
        yield "No difference in meaning."
    section = ""
    for difference in comparison.differences:
        if difference.section != section:
            section = difference.section
            yield from ("", section.capitalize())
        yield f"  {_line(difference, style)}"
    if comparison.texts:
        yield ""
        yield f"No effect on play: {_some(comparison.texts)}"
    if values is not None:
        yield from _values(titles, values)


def _line(difference: Difference, style: Style) -> str:
    name = one_line(difference.name)
    what = f"{name}, {one_line(difference.what)}" if difference.what else name
    before, after = one_line(difference.before), one_line(difference.after)
    if difference.kind == "added":
        return style.green(f"+ {what}: {after}" if after else f"+ {what}")
    if difference.kind == "removed":
        return style.red(f"- {what}: {before}" if before else f"- {what}")
    return f"~ {what}: {before} -> {after}"


def _some(texts: tuple[str, ...]) -> str:
    shown = [one_line(text) for text in texts[:MOST_TEXTS]]
    more = len(texts) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _values(titles: tuple[str, str], values: tuple[Solved | str, Solved | str]) -> Iterator[str]:
    """A table of what best play comes to, before and after."""
    yield from ("", "Effect on the game")
    old, new = (_worth_rows(one) for one in values)
    heads = titles if titles[0] != titles[1] else ("before", "after")
    names = list(dict.fromkeys((*old, *new)))
    rows = [("", heads[0], heads[1])]
    rows += [(name, old.get(name, ""), new.get(name, "")) for name in names]
    yield from (f"  {line}" for line in columns(rows, left=range(3)))
    for title, one in zip(heads, values, strict=True):
        if isinstance(one, str):
            yield f"  {title} was not solved: {one_line(one)}"


def _worth_rows(worth: Solved | str) -> dict[str, str]:
    if isinstance(worth, str):
        return {"with best play": "not solved"}
    away = "" if worth.distance is None else f" in {worth.distance} moves"
    chance = worth.win_probability
    return {
        "with best play": RESULTS.get(worth.result, worth.result) + away,
        "first player's value": _value(worth),
        "first player's winning chance": "" if chance is None else f"{100 * float(chance):.4g}%",
        "shortest game": moves_text(worth.shortest_game, "no game can end"),
        "longest game": moves_text(worth.longest_game, "unlimited"),
        "states": f"{worth.states:,}",
    }


def _value(worth: Solved) -> str:
    if worth.value is not None:
        return f"{float(worth.value):+.6g}" if worth.value else "0"
    return f"between {worth.lower:+.6g} and {worth.upper:+.6g}"
