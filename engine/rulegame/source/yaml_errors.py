"""What is wrong with text that is not YAML, in the words of this project.

Two parsers say the same in different words, so their words only select an explanation here.
"""

from __future__ import annotations

import re
from typing import Final

import yaml

from rulegame.codes import TAG
from rulegame.diagnostics import Diagnostic, Edit, Related, Suggestion, write_instead
from rulegame.edits import behind, in_place_of, quoted
from rulegame.keys.ruleset import spaced_keys
from rulegame.limits import LIMITS
from rulegame.source.split_expressions import SPLIT
from rulegame.source.yaml_text import Source, shown

REMOVE_TAG: Final = "remove the tag; put text that begins with '!' in quotes"
QUOTE: Final = "put the value in quotes"
NO_SPACE: Final = "a space is missing after ':'"
NO_COLON: Final = "missing ':' after this key"
CONTINUED: Final = "write `key: value`; indent the continuation lines of a long text"
FIRST_WORD: Final = re.compile(rf"\s*(?:- +)?(?:{'|'.join(spaced_keys())}|\S+)")
YAML_SIGNS: Final = re.compile(r"^[^\w(]|[#:,{}\[\]]")  # what cannot be, or begin, a plain value
VALUE: Final = r"\s*(?:- +)*(?:[A-Za-z][^:#]*: +|- +)([{\[].*?)(?:\s+#.*)?$"
IMPLICIT_KEY: Final = 1024  # where YAML itself stops to look for the ':' of a key

# (words of either parser, code, message, hint); {c} is the character at the problem.
EXPLANATIONS: Final = tuple(
    (re.compile(words), code, message, hint)
    for words, code, message, hint in (
        (
            "(scanning|parsing) a tag|tag handle",
            "E107",
            "tags are not part of the language",
            REMOVE_TAG,
        ),
        (
            "cannot start any token",
            "E104",
            "an unquoted value cannot begin with '{c}'",
            QUOTE,
        ),
        (
            "mapping (values|keys) are not allowed|unexpected ':'",
            "E104",
            "a '{c}' is not allowed here",
            "put text that contains ': ' in quotes; begin each key on a line of its own",
        ),
        (
            "could not find expected ':'",
            "E104",
            NO_COLON,
            CONTINUED,
        ),
        (
            "sequence entries are not allowed",
            "E104",
            "a list cannot start here",
            "begin the list on the line below; put text that begins with '- ' in quotes",
        ),
        (
            "document start",
            "E104",
            "text after the end of the value",
            "check the indentation, and the brackets and quotes before this",
        ),
        (
            "alphabetic or numeric",
            "E104",
            "'&' and '*' at the start of a value need a name of letters and digits",
            QUOTE,
        ),
        (
            "node content",
            "E104",
            "a value is missing before '{c}'",
            "put text that contains one of , [ ] {{ }} in quotes",
        ),
        (
            "indicator|comment or a? ?line break",
            "E104",
            "'|' and '>' must be the last on their line",
            "put the text on the lines below, indented; or put it in quotes",
        ),
        (
            "directive|version|YAML document",
            "E104",
            "a line that begins with '%' is not allowed here",
            QUOTE,
        ),
    )
)
LATER: Final = "block end|expected key|'-' indicator"
TAB: Final = "cannot start any token|tab character"
UNCLOSED_QUOTE: Final = "end of stream|document (separator|indicator)"
MISSING_COLON: Final = "expected ':'|mapping values"
KEY_WITH_VALUE: Final = re.compile(r"[^#'\"]*: +[^ |>#]")
ESCAPE: Final = "escape|hexa?decimal"
SURROGATE_ESCAPE: Final = re.compile(r"\\(?:u|U0000)[dD][89a-fA-F]")


def syntax_problem(source: Source, error: yaml.MarkedYAMLError) -> Diagnostic:
    """A parser's complaint as a diagnostic."""
    problem = str(error.problem)
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(source.text)) if mark else 0
    if re.search(ESCAPE, problem):
        return bad_escape(source, offset)
    if re.search(TAB, problem) and source.text[offset : offset + 1] == "\t":
        return Diagnostic("E104", "tab in the indentation", source.span(offset), "use spaces")
    opening = error.context_mark.index if error.context_mark else offset
    if re.search(UNCLOSED_QUOTE, problem):
        return _unclosed(source, opening)
    if "',' or" in problem:
        return _bracket_problem(source, opening, offset)
    if "node content" in problem and offset >= len(source.text.rstrip()):
        opening = max(source.text.rfind("["), source.text.rfind("{"))
        if opening >= 0:
            return _unclosed(source, opening)
    if re.search(LATER, problem):
        return _misplaced(source, offset)
    if "mapping values" in problem and (other := _ternary(source, offset)) is not None:
        return other
    if "mapping values" in problem and _is_long_key(source, offset):
        message = f"a key of more than {LIMITS.key_length} characters"
        return Diagnostic("E113", message, source.span(offset))
    if re.search(MISSING_COLON, problem) and (found := _without_colon(source, opening, offset)):
        return found
    for words, code, message, hint in EXPLANATIONS:
        if words.search(f"{error.context} {problem}" if code == TAG else problem):
            character = shown(source.text[offset : offset + 1]) or "the end"
            return Diagnostic(code, message.format(c=character), source.span(offset), hint.format())
    return Diagnostic("E104", "this is not valid YAML", source.span(offset))


def _with_quotes(source: Source, problem: Diagnostic) -> Diagnostic:
    """The problem of a text that begins with a bracket, with quotation marks around it, if it is
    the rest of its line and does not go on below.
    """
    line = problem.span.line
    found = re.match(VALUE, source.lines[line - 1])
    below = next((n for n in range(line + 1, len(source.lines) + 1) if _bare(source, n)), 0)
    if found is None or (below and _indent(source, below) > _indent(source, line)):
        return problem
    start = source.starts[line - 1]
    span = source.span(start + found.start(1), start + found.end(1))
    return problem._replace(suggestions=in_place_of(span, quoted(found[1])))


def bad_escape(source: Source, offset: int) -> Diagnostic:
    """A backslash, at the offset or just before it, that begins no valid escape."""
    start = max(source.text.rfind("\\", 0, offset + 1), 0)
    escape = re.compile(r"\\(?:x.{0,2}|u.{0,4}|U.{0,8}|.?)").match(source.text, start)
    written = escape[0] if escape else "\\"
    span = source.span(start, start + len(written))
    if SURROGATE_ESCAPE.match(written):
        code_point = f"U+{written[-4:].upper()}"
        message = f"{shown(written)} is {code_point}, half of a character"
        return Diagnostic("E111", message, span, "write the character itself")
    hint = r"write a backslash as \\, or use single quotes"
    return Diagnostic("E104", f"'{shown(written)}' is not an escape in double quotes", span, hint)


def _unclosed(source: Source, opening: int, seen: int | None = None) -> Diagnostic:
    """A quote or a bracket that is not closed where it should be; `seen` is where this shows."""
    bracket = source.text[opening : opening + 1]
    message = f"the {bracket} opened in line {source.place(opening)[0]} is never closed"
    related: tuple[Related, ...] = ()
    if seen is not None:
        message = f"the {bracket} opened in line {source.place(opening)[0]} is not closed there"
        related = (Related("this is still part of it", source.span(seen)),)
    return Diagnostic("E104", message, source.span(opening), related=related)


def _without_colon(source: Source, opening: int, offset: int) -> Diagnostic | None:
    """The line above whose ':' is missing: the parsers complain only when the next ':' comes."""
    last = source.place(offset)[0]
    first = source.place(opening)[0]
    written = [n for n in range(last - 1, 0, -1) if _bare(source, n)]
    line = first if first < last else next(iter(written), 0)
    text = _bare(source, line) if line else ""
    if KEY_WITH_VALUE.match(text) and len(text) - len(text.lstrip()) < _indent(source, last):
        return _below_value(source, line, offset)
    if not text or ": " in text or text.endswith(":"):
        return None
    above = next((n for n in written if n < line), 0)
    indent, indent_above = (len(t) - len(t.lstrip()) for t in (text, _bare(source, above)))
    if indent_above < indent and KEY_WITH_VALUE.match(_bare(source, above)):
        return None  # the second line of a long text
    start = source.starts[line - 1]
    if colon := re.match(r"\s*[A-Za-z][\w .]*:(?=\S)", text):
        span = source.span(start + colon.end() - 1)
        entry = text.strip().replace(":", ": ", 1)
        suggestion = Suggestion(entry, (Edit(behind(span), " "),))
        hint = f"write: {shown(entry, 60)}"
        return Diagnostic("E104", NO_SPACE, span, hint, suggestions=(suggestion,))
    span = source.span(start + indent, start + len(text))
    word = FIRST_WORD.match(text)
    at = word.end() if word else len(text)
    edit = Edit(source.span(start + at, start + at), ":")
    suggestion = Suggestion(f"{text[indent:at]}:{text[at:]}", (edit,))
    return Diagnostic("E104", NO_COLON, span, CONTINUED, suggestions=(suggestion,))


def _below_value(source: Source, above: int, offset: int) -> Diagnostic:
    message = f"line {above} already has a value, so no key can be nested below it"
    hint = "remove that value, or indent this line less; put text that contains ': ' in quotes"
    return Diagnostic("E104", message, source.span(offset), hint)


def _indent(source: Source, line: int) -> int:
    text = source.lines[line - 1]
    return len(text) - len(text.lstrip())


def _bare(source: Source, line: int) -> str:
    """A line without its comment; empty if there is nothing else."""
    return re.sub(r"(^|\s)#.*", "", source.lines[line - 1]).rstrip() if line else ""


def _bracket_problem(source: Source, opening: int, offset: int) -> Diagnostic:
    if offset >= len(source.text.rstrip()):
        return _unclosed(source, opening)
    line, _, text = source.place(offset)
    first, _, text_above = source.place(opening)
    indent, indent_above = (len(t) - len(t.lstrip()) for t in (text, text_above))
    if line > first and indent <= indent_above and ":" in text:
        return _unclosed(source, opening, offset)
    if (torn := torn_apart(source, opening, offset)) is not None:
        return torn
    closing = "]" if source.text[opening : opening + 1] == "[" else "}"
    related = (Related("opened here", source.span(opening)),)
    hint = "put text that contains one of , : [ ] { } in quotes"
    message = f"expected ',' or '{closing}'"
    return Diagnostic("E104", message, source.span(offset), hint, related=related)


FAR: Final = 500  # characters of a call that are looked through
CALL: Final = re.compile(r"(?:[A-Za-z]\w*|[-+*/=<>]) ?[(\[]")
LISTED: Final = "YAML splits this: inside {…} and […], '[' starts a list"


def torn_apart(source: Source, opening: int, offset: int) -> Diagnostic | None:
    """A call with a comma in it, or an index, inside of a bracket of YAML; `offset` is where that
    shows.
    """
    text = source.text
    for call in CALL.finditer(text, max(opening, offset - FAR), offset + 1):
        if _closing(text, call.end(), call[0][-1]) < offset:
            continue
        start = _value_start(text, max(opening + 1, call.start() - FAR), call.start())
        stop = _value_end(text, start)
        hint = f'quote this expression: "{shown(text[start:stop], 80)}"'
        message = SPLIT if "," in text[call.end() : offset] else LISTED
        span = source.span(start, stop)
        suggestions = in_place_of(span, quoted(text[start:stop]))
        return Diagnostic("E205", message, span, hint, suggestions=suggestions)
    return None


def _closing(text: str, start: int, bracket: str) -> int:
    """Where the bracket closes that is open at `start`, in its line; -1 if it does not."""
    depth, closing = 1, ")" if bracket == "(" else "]"
    for at in range(start, min(len(text), start + FAR)):
        depth += (text[at] == bracket) - (text[at] == closing)
        if depth == 0:
            return at + 1
        if text[at] == "\n":
            break
    return -1


def _value_start(text: str, start: int, end: int) -> int:
    """Where a value in brackets of YAML begins that goes on to `end`: behind a comma or a colon
    that stands in no call.
    """
    depth, found = 0, start
    for at in range(start, end):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
        elif text[at] == "{":
            depth, found = 0, at + 1
        elif depth <= 0 and (text[at] == "," or text[at : at + 2] == ": "):
            found = at + 1
    return end - len(text[found:end].lstrip())


def _value_end(text: str, start: int) -> int:
    """Where a value in brackets of YAML ends as it is meant: before a comma or a bracket that
    belongs to none of its calls, or with the line.
    """
    depth, at = 0, start
    while at < len(text) and text[at] != "\n":
        if text[at] in "([":
            depth += 1
        elif depth and text[at] in ")]":
            depth -= 1
        elif not depth and text[at] in ",}]":
            break
        at += 1
    return start + len(text[start:at].rstrip())


def _misplaced(source: Source, offset: int) -> Diagnostic:
    """Something that begins where a mapping or a list should go on or end."""
    if source.text[offset : offset + 1] == ":":
        hint = "put text that begins with ': ' in quotes"
        return Diagnostic("E104", "a key is missing before ':'", source.span(offset), hint)
    _, column, text = source.place(offset)
    before = text[: column - 1].rstrip()
    if before.endswith(("'", '"')):
        closing = offset - (column - 1 - len(before)) - 1
        opening = source.text.rfind(before[-1], 0, closing)
        if opening >= 0 and source.place(opening)[0] < source.place(closing)[0]:
            return _unclosed(source, opening, closing)
        hint = "write '' for a ' inside of '…', and \\\" for a \" inside of \"…\""
        return Diagnostic("E104", "text after the closing quote", source.span(offset), hint)
    if before.strip("- "):
        hint = "put the whole value in quotes"
        message = "text after the end of the value"
        return _with_quotes(source, Diagnostic("E104", message, source.span(offset), hint))
    hint = "align it with its section; indent the continuation lines of a long text"
    message = "the indentation of this line matches no line above"
    return Diagnostic("E104", message, source.span(offset), hint)


def _ternary(source: Source, offset: int) -> Diagnostic | None:
    """`key: a ? b : c`, `key: if a: b else: c`."""
    _, _, text = source.place(offset)
    key, _, value = _bare_text(text).partition(": ")
    if " ? " not in value and not value.startswith("if "):
        return None
    from rulegame.language.foreign import rewritten

    right = rewritten(value)
    if right is None:
        return None
    start = offset - source.place(offset)[1] + 1 + len(key) + 2
    span, hint = source.span(start, start + len(value)), write_instead(right)
    suggestions = in_place_of(span, right) if hint.offers and not YAML_SIGNS.search(right) else ()
    message = "a ':' is not allowed here"
    return Diagnostic("E104", message, span, str(hint), suggestions=suggestions)


def _bare_text(text: str) -> str:
    return re.sub(r"\s#.*", "", text).rstrip()


def _is_long_key(source: Source, offset: int) -> bool:
    _, column, text = source.place(offset)
    key = text[: column - 1].lstrip()
    return len(key) > IMPLICIT_KEY and ": " not in key
