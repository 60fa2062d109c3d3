"""Four renderings of the same diagnostics: text for people, JSON, GitHub, SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Diagnostic, Span, Suggestion, has_errors
from rulegame.wording import counted
from rulegame_cli.printing.terminal import Style, visible

EXCERPT: Final = 100  # characters of a source line that are shown at once
BEFORE_CARET: Final = 40  # so many of them before the caret, in a long line
TAB: Final = "    "


class CheckedRuleset(NamedTuple):
    """A ruleset as it was named in the call, and what was found in it."""

    name: str
    diagnostics: tuple[Diagnostic, ...]


def all_of(checked: Iterable[CheckedRuleset]) -> list[Diagnostic]:
    """Every diagnostic once, though several variants may inherit it."""
    return list(dict.fromkeys(d for one in checked for d in one.diagnostics))


# ---- text


def text_report(checked: Sequence[CheckedRuleset], style: Style) -> str:
    """Diagnostics as people read them, and a summary."""
    diagnostics = all_of(checked)
    parts = [problems_text(diagnostics, style)] if diagnostics else []
    valid = [one for one in checked if not has_errors(one.diagnostics)]
    parts += [f"{visible(one.name)}: {style.green('valid')}\n" for one in valid]
    if diagnostics:
        parts.append(f"{summary(diagnostics)}\n")
    return "".join(parts)


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many problems there are: `3 problems in 2 files`."""
    files = len({d.span.file for d in diagnostics})
    return f"{counted(len(diagnostics), 'problem')} in {counted(files, 'file')}"


def problems_text(diagnostics: Iterable[Diagnostic], style: Style) -> str:
    """One block of text for each diagnostic."""
    return "".join(line + "\n" for d in diagnostics for line in (*problem_lines(d, style), ""))


def problem_lines(diagnostic: Diagnostic, style: Style) -> list[str]:
    """A diagnostic with its source line, a caret, and what helps."""
    paint = style.red if diagnostic.severity == "error" else style.yellow
    kind = paint(f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [f"{style.bold(_place(diagnostic.span))}: {kind} {visible(diagnostic.message)}"]
    lines += _excerpt(diagnostic.span, style)
    for related in diagnostic.related:
        lines.append(f"   {_place(related.span)}: {visible(related.message)}")
        lines += _excerpt(related.span, style)
    if diagnostic.hint:
        lines.append(f"   {style.bold('hint')}: {visible(diagnostic.hint)}")
    lines.append(f"   {style.faint(f'see: rulegame explain {diagnostic.code}')}")
    return lines


def _place(span: Span) -> str:
    return f"{visible(span.file)}:{span.line}:{span.column}"


def _excerpt(span: Span, style: Style) -> list[str]:
    """The source line and a caret below; nothing for what concerns a file as a whole."""
    if not span.source.strip():
        return []
    start = min(span.column - 1, len(span.source))
    end = span.end_column - 1 if span.end_line == span.line else len(span.source)
    left = max(0, min(start - BEFORE_CARET, len(span.source) - EXCERPT))
    right = left + EXCERPT
    before, after = "…" if left else "", "…" if right < len(span.source) else ""
    shown = "".join(map(_drawn, span.source[left:right].rstrip()))
    indent = len(before) + sum(map(_width, span.source[left:start]))
    carets = "^" * max(1, sum(map(_width, span.source[start : min(end, right)])))
    number = f"{span.line:>5}"
    bar = style.faint("|")
    return [
        f"{style.faint(number)} {bar} {before}{shown}{after}",
        f"{' ' * len(number)} {bar} {' ' * indent}{style.red(carets)}",
    ]


def _drawn(character: str) -> str:
    return TAB if character == "\t" else visible(character)


def _width(character: str) -> int:
    """How many columns of a terminal a character of a source line takes."""
    if character.isascii() or not character.isprintable():
        return len(_drawn(character))
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


# ---- JSON


def json_report(checked: Sequence[CheckedRuleset], style: Style) -> str:
    """A list of objects; ASCII only, so nothing in it can play tricks."""
    import json

    return json.dumps([json_object(d) for d in all_of(checked)], indent=2) + "\n"


def json_object(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        **json_place(diagnostic.span),
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "related": [{**json_place(r.span), "message": r.message} for r in diagnostic.related],
        "suggestions": [
            {
                "text": suggestion.text,
                "edits": [{**json_place(e.span), "text": e.text} for e in suggestion.edits],
            }
            for suggestion in diagnostic.suggestions
        ],
    }


def json_place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


# ---- GitHub


def github_report(checked: Sequence[CheckedRuleset], style: Style) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change."""
    return "".join(_annotation(d) + "\n" for d in all_of(checked))


def _annotation(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {"file": _from_here(span.file), "line": str(span.line), "col": str(span.column)}
    if span.end_line == span.line:
        properties["endColumn"] = str(max(span.end_column, span.column))
    properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    return f"::{diagnostic.severity} {listed}::{_data(diagnostic.message + hint)}"


def _data(text: str) -> str:
    kept = visible(text, frozenset("\n"))
    return kept.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---- SARIF


def sarif_report(checked: Sequence[CheckedRuleset], style: Style) -> str:
    """The interchange format of static analysis, for code-scanning services and editors."""
    import json

    from rulegame import __version__

    diagnostics = all_of(checked)
    codes = sorted({d.code for d in diagnostics})
    index = {code: k for k, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "rulegame",
                "semanticVersion": __version__,
                "rules": [_sarif_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(d, index) for d in diagnostics],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _sarif_rule(code: str) -> dict[str, Any]:
    from rulegame_cli.printing.error_pages import page_about, title

    help_text = page_about(code)
    return {
        "id": code,
        "shortDescription": {"text": title(code)},
        "help": {"text": help_text, "markdown": help_text},
    }


def _sarif_result(diagnostic: Diagnostic, index: Mapping[str, int]) -> dict[str, Any]:
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index[diagnostic.code],
        "level": diagnostic.severity,
        "message": {"text": diagnostic.message + hint},
        "locations": [{"physicalLocation": _sarif_place(diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": related.message},
                "physicalLocation": _sarif_place(related.span),
            }
            for number, related in enumerate(diagnostic.related)
        ]
    if fixes := [_sarif_fix(one) for one in diagnostic.suggestions if one.edits and one.certain]:
        result["fixes"] = fixes
    return result


def _sarif_fix(suggestion: Suggestion) -> dict[str, Any]:
    """The edits of a suggestion, which are all in one file."""
    replacements = [
        {"deletedRegion": _sarif_region(edit.span), "insertedContent": {"text": edit.text}}
        for edit in suggestion.edits
    ]
    location = {"uri": _uri(suggestion.edits[0].span.file)}
    return {
        "description": {"text": suggestion.title},
        "artifactChanges": [{"artifactLocation": location, "replacements": replacements}],
    }


def _sarif_place(span: Span) -> dict[str, Any]:
    region = _sarif_region(span)
    if span.source:
        region["snippet"] = {"text": span.source}
    return {"artifactLocation": {"uri": _uri(span.file)}, "region": region}


def _sarif_region(span: Span) -> dict[str, Any]:
    end_column = span.end_column
    if span.end_line == span.line:
        end_column = max(end_column, span.column)
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": end_column,
    }


def _uri(file: str) -> str:
    from pathlib import Path
    from urllib.parse import quote

    path = Path(_from_here(file))
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix(), errors="surrogateescape")


def _from_here(file: str) -> str:
    """The path relative to the working directory, if the file is below it: services match reports
    with the files of a repository, wherever it was checked out.
    """
    from pathlib import Path

    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


REPORTS: Final[Mapping[str, Callable[[Sequence[CheckedRuleset], Style], str]]] = {
    "text": text_report,
    "json": json_report,
    "github": github_report,
    "sarif": sarif_report,
}
