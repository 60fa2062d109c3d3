"""What differs between two rulesets, by name and meaning: two expressions that are written
differently and mean the same are no difference, and neither are texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame.diagnostics import Span
from rulegame.keys.declarations import PARAMETER
from rulegame.keys.kinds import Entries
from rulegame.keys.ruleset import RULESET
from rulegame.model import Ruleset
from rulegame.model.facts import SECTIONS, Fact, Facts, facts
from rulegame.progress import Progress, silent
from rulegame.shown import Shown, Tabled

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.solving import Solved

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"
NOWHERE: Final = Span.whole("")


class Difference(NamedTuple):
    """One thing that differs: `what` is the part of it, empty for the whole."""

    section: str
    name: str
    what: str
    kind: str  # added, removed or changed
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison(Shown, Tabled):
    """What differs between two rulesets."""

    before: Ruleset
    after: Ruleset
    differences: tuple[Difference, ...]
    texts: tuple[str, ...]  # what differs without a difference to the game

    @property
    def same(self) -> bool:
        """Whether both are the same game."""
        return not self.differences


def compare(before: Ruleset, after: Ruleset) -> Comparison:
    """What differs between two rulesets, by name and meaning."""
    for one in (before, after):
        if not isinstance(one, Ruleset):
            raise TypeError(f"rulesets are compared (of a game: game.ruleset), not {one!r}")
    old, new = facts(before), facts(after)
    differences = [*_differences(old, new), *_orders(before, after)]
    rank = {section: k for k, section in enumerate(SECTIONS)}
    differences.sort(key=lambda d: rank[d.section])
    return Comparison(before, after, tuple(differences), tuple(_texts(before, after)))


def _differences(old: Facts, new: Facts) -> Iterator[Difference]:
    names = list(dict.fromkeys(key[:2] for key in (*old, *new)))
    for section, name in names:
        was = {key[2]: fact for key, fact in old.items() if key[:2] == (section, name)}
        is_ = {key[2]: fact for key, fact in new.items() if key[:2] == (section, name)}
        if section == "definitions" and not (was and is_):
            continue  # what uses it is different, or nothing is
        if not was:
            yield Difference(section, name, "", ADDED, "", _summary(is_))
        elif not is_:
            yield Difference(section, name, "", REMOVED, _summary(was), "")
        else:
            yield from _changes(section, name, was, is_)


def _summary(parts: Mapping[str, Fact]) -> str:
    """Everything that is said about something, on one line."""
    said = (_part(part, fact.text) for part, fact in parts.items() if fact.text)
    return "; ".join(text for text in said if text)


def _part(part: str, text: str) -> str:
    if part in ("", "whose", "type", "require", "enabled"):
        return text
    if part == "start":
        return f"starts as {text}"
    if part == "arguments" or (part, text) == ("seen by", "all"):
        return ""
    return f"{part} {text}" if PARAMETER.key(part) or part == "seen by" else f"{part}: {text}"


def _changes(
    section: str, name: str, was: Mapping[str, Fact], is_: Mapping[str, Fact]
) -> Iterator[Difference]:
    for part in dict.fromkeys((*was, *is_)):
        old, new = was.get(part), is_.get(part)
        if old is None or new is None:
            kind = ADDED if old is None else REMOVED
            texts = "" if old is None else old.text, "" if new is None else new.text
            yield Difference(section, name, part, kind, *texts)
        elif old.meaning != new.meaning and (old.text != new.text or section == "definitions"):
            # alike in words and not in meaning: through a definition, which is a difference itself
            yield Difference(section, name, part, CHANGED, old.text, new.text)


# ---- order, and texts


def _orders(before: Ruleset, after: Ruleset) -> Iterator[Difference]:
    """Rules that both have, in another order: it decides which one is asked first."""
    for section in ("setup", "operations", "validity", "end"):
        old, new = before.names.get(section, ()), after.names.get(section, ())
        common = set(old) & set(new)
        if [n for n in old if n in common] != [n for n in new if n in common]:
            texts = ", ".join(old), ", ".join(new)
            yield Difference(section, "the order", "", CHANGED, *texts)


def _texts(before: Ruleset, after: Ruleset) -> Iterator[str]:
    """The names of what is only said or drawn differently."""
    if len(before.players) == len(after.players) and before.players != after.players:
        yield "the players' names"
    names = [set(r.names.get("define", ())) for r in (before, after)]
    yield from (f"define {name}" for name in sorted(names[0] ^ names[1]))
    old, new = before.said, after.said
    changed = [path for path in dict.fromkeys((*old, *new)) if old.get(path) != new.get(path)]
    both = _names(before) & _names(after)
    yield from (" ".join(path) for path in changed if _is_of_one(path, both))
    was, is_ = _apart(before), _apart(after)
    yield from (part for part in was if was[part] != is_[part])


def _is_of_one(path: tuple[str, ...], both: Collection[tuple[str, ...]]) -> bool:
    """Whether a text belongs to something that both have: a text of something new is no difference
    of its own.
    """
    section = RULESET.key(path[0])
    if section is None or not isinstance(section.value, Entries):
        return True
    return path[:3] in both or path[:2] in both


def _names(ruleset: Ruleset) -> set[tuple[str, ...]]:
    """What the rulesets name, by section."""
    names = dict(ruleset.names)
    own = {("state", "each player", name) for name in names.pop("each player", ())}
    found = {(section, key) for section, keys in names.items() for key in keys}
    return own | found - {("state", "each player")}


def _apart(ruleset: Ruleset) -> dict[str, Any]:
    """What is compared as a whole, wherever it stands."""
    paragraphs = ruleset.rulebook.items()
    return {
        "rulebook": {name: text.source and text.source.text for name, text in paragraphs},
        "symmetry": [(one.word, one.grids) for one in ruleset.symmetry],
        "claims": {(one.name, str(one.over_as_written)): one.value for one in ruleset.claims},
        "tests": {name: test._replace(span=NOWHERE) for name, test in ruleset.tests.items()},
    }


# ---- what it does to the game


def worth(game: Game, *, max_states: int = 1_000_000, progress: Progress = silent) -> Solved | str:
    """What best play comes to, or why that cannot be said."""
    from rulegame.errors import CannotSolve, TooLarge
    from rulegame.game import GameError
    from rulegame.solving import solve

    try:
        found = solve(game, "perfect_information", max_states=max_states, progress=progress)
    except (CannotSolve, TooLarge) as refusal:
        return str(refusal)
    except GameError as error:
        return error.diagnostic.message
    return found.summary
