"""The way of a ruleset from text to game: every stage in order, each taking what the one before it
made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rulegame import bundled
from rulegame.building import Document, Settings
from rulegame.codes import VALUE_REFUSED
from rulegame.diagnostics import (
    Diagnostic,
    OptionName,
    RulesetError,
    RulesetNotFound,
    Span,
    did_you_mean,
    few_suggestions,
    has_errors,
    in_file_order,
    is_allowed,
)
from rulegame.files import disk
from rulegame.language.judging import Heard
from rulegame.limits import LIMITS
from rulegame.model import Ruleset
from rulegame.source.inheritance import Variant, read_variant
from rulegame.source.nodes import Node, Scalar
from rulegame.source.nodes import Sequence as SequenceNode
from rulegame.source.reading import DISK, Files, Result, read_bytes, read_value
from rulegame.source.structure import check_companions, check_merged
from rulegame.wording import counted

if TYPE_CHECKING:
    from rulegame.game import Game


def load(
    name: str | Path | RulesetText,
    parameters: Mapping[str, Any] | None = None,
    *,
    enable: Sequence[str] = (),
    disable: Sequence[str] = (),
) -> Game:
    """The game of a bundled ruleset's name or a file, with other parameters or operations if
    given.
    """
    return _game(*load_ruleset(name, settings_of(parameters, enable, disable)))


def loads(
    text: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    enable: Sequence[str] = (),
    disable: Sequence[str] = (),
) -> Game:
    """The game of a ruleset that is given as text; it may extend bundled rulesets, but no files."""
    return load(RulesetText(text), parameters, enable=enable, disable=disable)


def validate(name: str | Path | RulesetText) -> tuple[Diagnostic, ...]:
    """All that is wrong with a bundled ruleset or a file, in the order of its lines."""
    return load_ruleset(name)[1]


def validate_text(text: str) -> tuple[Diagnostic, ...]:
    """All that is wrong with a ruleset that is given as text."""
    return validate(RulesetText(text))


class RulesetText(Files):
    """A ruleset without a file: its text, and what it is called in messages. Only bundled ones can
    be its parents.
    """

    def __init__(self, text: str, name: str = "<text>") -> None:
        if not isinstance(text, str):
            raise TypeError(f"a ruleset is given as text, not as {type(text).__name__}")
        self._text = text
        self.name = name

    def exists(self, path: Path) -> bool:
        return disk.identity(path).is_relative_to(disk.identity(bundled.rulesets_folder()))

    def text(self, path: Path) -> str | None:
        return self._text if path == Path(self.name) else super().text(path)

    def read(self, path: Path, shown_as: str) -> Result:
        if path == Path(self.name):
            return read_bytes(self._text.encode(errors="surrogatepass"), shown_as)
        return super().read(path, shown_as)


def settings_of(
    parameters: Mapping[str, Any] | None, enable: Sequence[str], disable: Sequence[str]
) -> Settings:
    """The settings that a call of the library gives."""
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"parameters are names with values, not {parameters!r}")
    return Settings(
        {key: _node(value, "parameters") for key, value in given.items()},
        _operations(enable, "enable"),
        _operations(disable, "disable"),
    )


def _operations(names: Sequence[str], option: str) -> tuple[Scalar, ...]:
    every = None if isinstance(names, str) else tuple(names)
    if every is None or not all(isinstance(name, str) for name in every):
        raise TypeError(f"{option} must be a list of names of operations, not {names!r}")
    return tuple(_node_of_text(name, option) for name in every)


@few_suggestions()
def game_of(document: Document, settings: Settings) -> Game:
    """The game of a ruleset that was read before, with these settings."""
    ruleset, found = document.build(settings)
    return _game(ruleset, in_file_order(found))


def _game(ruleset: Ruleset | None, diagnostics: Sequence[Diagnostic]) -> Game:
    if ruleset is None:
        raise RulesetError(diagnostics)
    return make_game(ruleset)


def make_game(ruleset: Ruleset) -> Game:
    """The compiled game of a checked ruleset."""
    from rulegame.evaluation.runtime import Fault
    from rulegame.game import Game

    try:
        return Game(ruleset)
    except Fault as fault:
        place = Span.whole(ruleset.file)
        raise RulesetError([Diagnostic(fault.code, fault.message, place)]) from None


def load_ruleset(
    name: str | Path | RulesetText, settings: Settings | None = None
) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    """The checked model of a ruleset, and all that is wrong with it; None if anything
    is an error.
    """
    return read_ruleset(name, settings)[:2]


class Read(NamedTuple):
    """What came of a ruleset: None, and None, if anything is an error."""

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    document: Document | None  # which other games of it are built from


def read_ruleset(name: str | Path | RulesetText, settings: Settings | None = None) -> Read:
    """The same, with what was read."""
    path, shown_as, files = _place(name)
    return check_ruleset(path, shown_as, settings, files)


def _place(name: str | Path | RulesetText) -> tuple[Path, str, Files]:
    """Where a ruleset is read, what people know it by, and what reads it."""
    return (
        (Path(name.name), name.name, name) if isinstance(name, RulesetText) else (*find(name), DISK)
    )


def read_document(name: str | Path | RulesetText) -> Document | None:
    """A ruleset as it is written, for what needs no more, or for more than one game of it; None if
    something is wrong with how it is written.
    """
    path, shown_as, files = _place(name)
    root, problems, _ = read_variant(path, shown_as, files)
    if root is None or has_errors((*problems, *check_merged(root), *check_companions(root))):
        return None
    return Document(root, shown_as)


@few_suggestions()
def check_ruleset(
    path: Path,
    shown_as: str,
    settings: Settings | None = None,
    files: Files = DISK,
    heard: Heard | None = None,
) -> Read:
    """The same for a file that is known; its text, and that of its parents, comes from `files`, and
    `heard` is told what each part of an expression means.
    """
    read = read_variant(path, shown_as, files)
    ruleset, found, document = _built(read, shown_as, settings, heard)
    diagnostics = [*read.diagnostics, *found]
    as_it_stands = settings is None or settings == Settings()  # which is what its tests are about
    if document and ruleset and not has_errors(diagnostics):
        from rulegame.building.checking import check_claims

        diagnostics += check_claims(document)
    if document and ruleset and as_it_stands and not has_errors(diagnostics):
        from rulegame.building.checking import check_tests

        diagnostics += check_tests(document, ruleset)
        diagnostics += _of_other_games(document, diagnostics)
    if any(problem.is_repeated for problem in diagnostics):
        from rulegame.source.aliases import at_aliases

        diagnostics = at_aliases(diagnostics)
    # Errors count first: a hundred warnings above one must not hide it.
    written = in_file_order(_as_written(d, read) for d in diagnostics)
    every = [problem for problem in written if not is_allowed(problem)]
    kept = set(sorted(every, key=lambda problem: problem.severity != "error")[: LIMITS.problems])
    ordered = tuple(problem for problem in every if problem in kept)
    return Read(None, ordered, None) if has_errors(ordered) else Read(ruleset, ordered, document)


def _of_other_games(document: Document, known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is wrong only if another number of players play than by default. That other parameters
    must be set for so many is not.
    """
    seen = {(problem.code, problem.span) for problem in known}
    found: list[Diagnostic] = []
    for settings in document.other_games():
        count = settings.values()["players"]
        for problem in document.build(settings)[1]:
            if problem.code != VALUE_REFUSED and (problem.code, problem.span) not in seen:
                seen.add((problem.code, problem.span))
                message = f"with {counted(count, 'player')}: {problem.message}"
                found.append(problem._replace(message=message))
    return found


def _built(read: Variant, shown_as: str, settings: Settings | None, heard: Heard | None) -> Read:
    """The model of what was read, and what is wrong beside what reading has found."""
    if read.root is None:
        return Read(None, (), None)
    missing = check_merged(read.root)
    if has_errors(missing):
        return Read(None, missing, None)
    document = Document(read.root, shown_as)
    alone = check_companions(read.root)
    ruleset, found = document.build(settings or Settings(), heard)
    return Read(None if alone else ruleset, (*missing, *alone, *found), document)


def _as_written(diagnostic: Diagnostic, read: Variant) -> Diagnostic:
    """With its place in the file, not in the text that slips were mended in."""
    span, suggestions = diagnostic.span, diagnostic.suggestions
    for slip in reversed(read.mended):
        place = slip.problem.span
        if slip.problem is not diagnostic and place.file == span.file:
            span = slip.as_written(span)
            if any(e.span.line == place.line for one in suggestions for e in one.edits):
                suggestions = ()  # one after the other
    if span is diagnostic.span and suggestions is diagnostic.suggestions:
        return diagnostic
    return diagnostic._replace(span=span, suggestions=suggestions)


def find(name: str | Path) -> tuple[Path, str]:
    """The file of a ruleset, and the name that people know it by."""
    if not isinstance(name, (str, PathLike)):
        raise TypeError(f"a ruleset is found by its name or its path, not by {name!r}")
    text = str(name)
    if bundled.is_name(text):
        path = bundled.ruleset_path(text)
        if path is not None:
            return path, str(path)
    path = Path(name)
    if not text or not (disk.exists(path) or _is_link(path)):
        hint = did_you_mean(path.stem, bundled.ruleset_names(), "bundled rulesets")
        message, place = f"unknown ruleset '{text}'", Span.whole(text)
        raise RulesetNotFound([Diagnostic("E101", message, place, str(hint))])
    return path, text


def _is_link(path: Path) -> bool:
    """One that leads nowhere is there, too: the name is not what is wrong."""
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False


def read_settings(
    sets: Sequence[str], enable: Sequence[str] = (), disable: Sequence[str] = ()
) -> Settings:
    """The settings that the options --set, --enable and --disable give."""
    values: dict[str, Node] = {}
    problems: list[Diagnostic] = []
    for text in sets:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            place = Span(OptionName("--set"), 1, 1, 1, len(text) + 1, text)
            problems.append(
                Diagnostic("E403", f"'{text}' is not a setting", place, "write --set name=value")
            )
            continue
        option = OptionName(f"--set {name}")
        if not value.strip():
            place = Span.whole(option)
            problems.append(Diagnostic("E403", "missing value after '='", place))
            continue
        node, found = read_value(value, option)
        problems += found
        if node is not None:
            values[name] = node
    if problems:
        raise RulesetError(problems)
    return Settings(
        values,
        tuple(_node_of_text(text, OptionName("--enable")) for text in enable),
        tuple(_node_of_text(text, OptionName("--disable")) for text in disable),
    )


def _node_of_text(text: str, file: str) -> Scalar:
    return Scalar(Span(file, 1, 1, 1, len(text) + 1, text), text, text)


def _node(value: Any, file: str) -> Node:
    """A Python value as a node, so that one code path checks it."""
    span = Span(file, 1, 1, 1, 1, repr(value)[:200])
    if isinstance(value, (list, tuple)):
        return SequenceNode(span, tuple(_node(item, file) for item in value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LIMITS.integer:
        raise RulesetError([Diagnostic("E112", "this number does not fit in 64 bits", span)])
    if value is None or isinstance(value, (bool, int, float, str)):
        return Scalar(span, value, str(value))
    raise RulesetError(
        [Diagnostic("E402", f"{type(value).__name__} is not a value for a parameter", span)]
    )
