"""Reporters: the same hand-made diagnostics as text, JSON, GitHub annotations and SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulegame.diagnostics import Diagnostic, Edit, Related, Span, Suggestion
from rulegame_cli.printing.reporters import (
    REPORTS,
    CheckedRuleset,
    github_report,
    json_report,
    problems_text,
    sarif_report,
    text_report,
)
from rulegame_cli.printing.terminal import Style

PLAIN = Style(False)
TYPO = Diagnostic(
    "E302",
    "unknown name 'scroe'",
    Span("rulesets/x.yaml", 12, 11, 12, 16, "    when: scroe == 0"),
    "did you mean 'score'?",
    suggestions=(Suggestion("score", (Edit(Span("rulesets/x.yaml", 12, 11, 12, 16), "score"),)),),
)
TWICE = Diagnostic(
    "E106",
    "duplicate key 'end'",
    Span("rulesets/x.yaml", 120, 1, 120, 4, "end:"),
    related=(Related("the first one", Span("rulesets/x.yaml", 9, 1, 9, 4, "end:")),),
)
WHOLE = Diagnostic("E103", "the file is empty", Span.whole("empty.yaml"))


def at(source: str, column: int, end_column: int, **more: Any) -> Diagnostic:
    return TYPO._replace(span=Span("x.yaml", 1, column, 1, end_column, source), **more)


def excerpt(diagnostic: Diagnostic) -> list[str]:
    """The source line and the line of carets."""
    return problems_text([diagnostic], PLAIN).split("\n")[1:3]


# ---- text


def test_a_problem_with_its_line_a_caret_and_a_hint() -> None:
    assert problems_text([TYPO], PLAIN) == (
        "rulesets/x.yaml:12:11: error[E302] unknown name 'scroe'\n"
        "   12 |     when: scroe == 0\n"
        "      |           ^^^^^\n"
        "   hint: did you mean 'score'?\n"
        "   see: rulegame explain E302\n"
        "\n"
    )


def test_a_related_place_is_shown_too() -> None:
    assert problems_text([TWICE], PLAIN) == (
        "rulesets/x.yaml:120:1: error[E106] duplicate key 'end'\n"
        "  120 | end:\n"
        "      | ^^^\n"
        "   rulesets/x.yaml:9:1: the first one\n"
        "    9 | end:\n"
        "      | ^^^\n"
        "   see: rulegame explain E106\n"
        "\n"
    )


def test_what_concerns_a_whole_file_has_no_excerpt() -> None:
    assert problems_text([WHOLE], PLAIN) == (
        "empty.yaml:1:1: error[E103] the file is empty\n   see: rulegame explain E103\n\n"
    )


def test_the_summary_counts_problems_and_files() -> None:
    report = text_report([CheckedRuleset("a", (TYPO, TWICE)), CheckedRuleset("b", (WHOLE,))], PLAIN)
    assert report.endswith("\n\n3 problems in 2 files\n")
    assert text_report([CheckedRuleset("a", (TYPO,))], PLAIN).endswith("\n\n1 problem in 1 file\n")
    assert (
        text_report([CheckedRuleset("a", ()), CheckedRuleset("b", ())], PLAIN)
        == "a: valid\nb: valid\n"
    )


def test_a_problem_that_two_variants_inherit_is_told_once() -> None:
    report = text_report([CheckedRuleset("a", (TYPO,)), CheckedRuleset("b", (TYPO,))], PLAIN)
    assert report.count("error[E302]") == 1
    assert report.endswith("1 problem in 1 file\n")


def test_a_ruleset_with_nothing_but_warnings_is_valid() -> None:
    report = text_report([CheckedRuleset("a", (TYPO._replace(severity="warning"),))], PLAIN)
    assert "warning[E302]" in report
    assert "a: valid\n" in report


def test_tabs_do_not_shift_the_caret() -> None:
    assert excerpt(at("\twhen:\tscroe", 8, 13)) == [
        "    1 |     when:    scroe",
        "      |              ^^^^^",
    ]


def test_wide_and_combining_characters_are_accounted_for() -> None:
    assert excerpt(at("名前: e\u0301 scroe", 8, 13)) == [
        "    1 | 名前: e\u0301 scroe",
        "      |         ^^^^^",
    ]
    assert excerpt(at("名前", 2, 3)) == ["    1 | 名前", "      |   ^^"]


def test_long_lines_are_cut_around_the_caret() -> None:
    source, carets = excerpt(at("a" * 500 + "scroe" + "b" * 500, 501, 506))
    assert len(source) < 120
    assert source.startswith("    1 | …aaa")
    assert source.endswith("bbb…")
    assert source[carets.index("^") : carets.rindex("^") + 1] == "scroe"


def test_a_long_mark_is_cut_with_its_line() -> None:
    source, carets = excerpt(at("x" * 5000, 1, 5001))
    assert len(carets) <= len(source)


def test_a_mark_over_several_lines_ends_with_the_first() -> None:
    diagnostic = TYPO._replace(span=Span("x.yaml", 1, 3, 4, 2, "a: [1,"))
    assert excerpt(diagnostic) == ["    1 | a: [1,", "      |   ^^^^"]


def test_a_place_behind_the_end_of_a_line_has_a_caret() -> None:
    assert excerpt(at("a: [1", 6, 6)) == ["    1 | a: [1", "      |      ^"]


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\x1b", r"\x1b"),
        ("\u202e", r"\u202e"),
        ("\u2066", r"\u2066"),
        ("\x9b", r"\x9b"),
        ("\r", r"\r"),
        ("\n", r"\n"),
        ("\U000e0001", r"\U000e0001"),
        ("\udc80", r"\udc80"),
    ],
)
def test_characters_that_play_tricks_are_escaped_everywhere(character: str, shown: str) -> None:
    span = Span(f"a{character}.yaml", 1, 2, 1, 3, f"b{character}c")
    related = (Related(f"r{character}", span),)
    diagnostic = Diagnostic("E111", f"m{character}", span, f"h{character}", related=related)
    for report in (text_report, github_report, json_report, sarif_report):
        text = report([CheckedRuleset(f"n{character}", (diagnostic,))], PLAIN)
        assert character == "\n" or character not in text
    text = problems_text([diagnostic], PLAIN)
    assert text.count(shown) == 7
    assert f"      |  {'^' * len(shown)}\n" in text


def test_colour_changes_no_character() -> None:
    import re

    colourful = problems_text([TYPO, TWICE, WHOLE], Style(True))
    assert "\x1b[" in colourful
    plain = re.sub(r"\x1b\[[0-9;]*m", "", colourful)
    assert plain == problems_text([TYPO, TWICE, WHOLE], PLAIN)


# ---- JSON


def test_json_is_a_list_of_objects() -> None:
    assert json.loads(json_report([CheckedRuleset("x", (TYPO, TWICE))], PLAIN)) == [
        {
            "file": "rulesets/x.yaml",
            "line": 12,
            "column": 11,
            "end_line": 12,
            "end_column": 16,
            "code": "E302",
            "severity": "error",
            "message": "unknown name 'scroe'",
            "hint": "did you mean 'score'?",
            "related": [],
            "suggestions": [
                {
                    "text": "score",
                    "edits": [
                        {
                            "file": "rulesets/x.yaml",
                            "line": 12,
                            "column": 11,
                            "end_line": 12,
                            "end_column": 16,
                            "text": "score",
                        }
                    ],
                }
            ],
        },
        {
            "file": "rulesets/x.yaml",
            "line": 120,
            "column": 1,
            "end_line": 120,
            "end_column": 4,
            "code": "E106",
            "severity": "error",
            "message": "duplicate key 'end'",
            "hint": "",
            "related": [
                {
                    "file": "rulesets/x.yaml",
                    "line": 9,
                    "column": 1,
                    "end_line": 9,
                    "end_column": 4,
                    "message": "the first one",
                }
            ],
            "suggestions": [],
        },
    ]


def test_json_of_valid_rulesets_is_an_empty_list() -> None:
    assert json_report([CheckedRuleset("x", ())], PLAIN) == "[]\n"


# ---- GitHub


def test_github_annotations() -> None:
    assert github_report([CheckedRuleset("x", (TYPO,))], PLAIN) == (
        "::error file=rulesets/x.yaml,line=12,col=11,endColumn=16,title=E302"
        "::unknown name 'scroe'%0Ahint: did you mean 'score'?\n"
    )


def test_github_escapes() -> None:
    span = Span("a,b:c%.yaml", 1, 1, 2, 1, "")
    diagnostic = Diagnostic("E101", "100%: a, b", span, severity="warning")
    assert github_report([CheckedRuleset("x", (diagnostic,))], PLAIN) == (
        "::warning file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=E101::100%25: a, b\n"
    )


def test_github_says_nothing_of_valid_rulesets() -> None:
    assert github_report([CheckedRuleset("x", ())], PLAIN) == ""


# ---- SARIF

# What SARIF 2.1.0 asks of the parts that are used here.
FROM_ONE = {"type": "integer", "minimum": 1}
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
PLACE = {
    "type": "object",
    "required": ["artifactLocation", "region"],
    "properties": {
        "artifactLocation": {
            "type": "object",
            "required": ["uri"],
            "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}},
        },
        "region": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "startLine": FROM_ONE,
                "startColumn": FROM_ONE,
                "endLine": FROM_ONE,
                "endColumn": FROM_ONE,
                "snippet": MESSAGE,
            },
        },
    },
}
FIX = {
    "type": "object",
    "required": ["artifactChanges"],
    "additionalProperties": False,
    "properties": {
        "description": MESSAGE,
        "artifactChanges": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["artifactLocation", "replacements"],
                "additionalProperties": False,
                "properties": {
                    "artifactLocation": {"type": "object", "required": ["uri"]},
                    "replacements": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["deletedRegion"],
                            "additionalProperties": False,
                            "properties": {
                                "deletedRegion": {"type": "object", "required": ["startLine"]},
                                "insertedContent": MESSAGE,
                            },
                        },
                    },
                },
            },
        },
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "shortDescription": MESSAGE,
                                                "help": MESSAGE,
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer"},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": MESSAGE,
                                "fixes": {"type": "array", "items": FIX},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {"physicalLocation": PLACE},
                                    },
                                },
                                "relatedLocations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "id": {"type": "integer", "minimum": 0},
                                            "message": MESSAGE,
                                            "physicalLocation": PLACE,
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


@pytest.mark.parametrize("diagnostics", [(), (TYPO, TWICE, WHOLE)])
def test_sarif_is_structurally_right(diagnostics: tuple[Diagnostic, ...]) -> None:
    import jsonschema

    log = json.loads(sarif_report([CheckedRuleset("x", diagnostics)], PLAIN))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    assert len(run["results"]) == len(diagnostics)
    for result, diagnostic in zip(run["results"], diagnostics, strict=True):
        assert result["ruleId"] == diagnostic.code
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == diagnostic.code


def test_sarif_places() -> None:
    log = json.loads(sarif_report([CheckedRuleset("x", (TWICE,))], PLAIN))
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "rulesets/x.yaml"}
    assert place["region"] == {
        "startLine": 120,
        "startColumn": 1,
        "endLine": 120,
        "endColumn": 4,
        "snippet": {"text": "end:"},
    }
    assert result["relatedLocations"][0]["message"] == {"text": "the first one"}


def test_sarif_file_names_are_uris() -> None:
    def uri(file: str) -> object:
        diagnostic = WHOLE._replace(span=Span.whole(file))
        log = json.loads(sarif_report([CheckedRuleset("x", (diagnostic,))], PLAIN))
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        return place["artifactLocation"]["uri"]

    assert uri("my games/50%/ü.yaml") == "my%20games/50%25/%C3%BC.yaml"
    assert uri("/games/a b.yaml") == "file:///games/a%20b.yaml"


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_reports_for_services_name_files_from_the_working_directory(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    diagnostic = WHOLE._replace(span=Span.whole(str(tmp_path / "games" / "x.yaml")))
    text = REPORTS[form]([CheckedRuleset("x", (diagnostic,))], PLAIN)
    assert "games/x.yaml" in text and str(tmp_path) not in text
