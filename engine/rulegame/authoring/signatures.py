"""How the function is called whose arguments are being typed, and which of them is meant. Told by
what stands before the cursor: a call that is not closed yet is no expression.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rulegame.authoring.locating import locate
from rulegame.authoring.study import Study
from rulegame.authoring.symbols import DeclaredNames
from rulegame.edits import BREAK
from rulegame.keys.moves import EFFECTS
from rulegame.keys.ruleset import Place, place_at
from rulegame.language.functions import FUNCTIONS
from rulegame.source.nodes import mapping_of, written

MOST_LINES: Final = 20  # of one expression that are looked at
NAME: Final = re.compile(r"[A-Za-z]\w*$")
LOOP: Final = re.compile(r"\bfor\b")


class Signature(NamedTuple):
    """One way to call a function; `arguments` are stretches of the label."""

    label: str
    about: str
    arguments: tuple[tuple[int, int], ...]


class SignatureHelp(NamedTuple):
    """The ways to call a function, which of them it is likely to be, and the argument that is being
    typed.
    """

    signatures: tuple[Signature, ...]
    likely: int
    argument: int


class _Call(NamedTuple):
    """A call that is open: where its name ends, and what stands behind its parenthesis."""

    name: str
    end: int
    typed: str
    commas: int


def signature_help(checked: Study, text: str, line: int, column: int) -> SignatureHelp | None:
    """The call around a place; None if there is none, or none of a function that is known."""
    lines = BREAK.split(text)
    if not 1 <= line <= len(lines):
        return None
    first = max(0, line - MOST_LINES)
    before = "\n".join([*lines[first : line - 1], lines[line - 1][: max(column - 1, 0)]])
    call = _open_call(before)
    if call is None:
        return None
    row = first + before.count("\n", 0, call.end) + 1
    at = call.end - (before.rfind("\n", 0, call.end) + 1) + 1
    where = locate(text, row, at)
    part = None if where is None else place_at(where.path)
    in_braces = where is not None and where.typed.rfind("{") > where.typed.rfind("}")
    if part is None or not _takes_calls(part, in_braces):
        return None
    found = _signatures(checked.outline.names, call.name, part.is_text)
    return _likely(found, call) if found else None


def _takes_calls(part: Place, in_braces: bool) -> bool:
    """Whether an expression may stand there; a key may be the target of an effect."""
    if part.is_text:
        return in_braces
    return part.is_expression or part.is_type or part.kind is EFFECTS


def _open_call(before: str) -> _Call | None:
    """The innermost call that is open at the end of a text, looking back from there."""
    closed = commas = 0
    at = len(before)
    while at > 0:
        at -= 1
        sign = before[at]
        if sign in "\"'" and (opening := before.rfind(sign, 0, at)) >= 0:
            at = opening
        elif sign in ")]":
            closed += 1
        elif sign in "([" and closed:
            closed -= 1
        elif sign == "(" and (name := NAME.search(before, 0, at)):
            return _Call(name[0], at, before[at + 1 :], commas)
        elif sign in "([":
            commas = 0
        elif sign == "," and not closed:
            commas += 1
        elif sign in "{}" or (sign == ":" and before[at + 1 : at + 2] in (" ", "\n", "")):
            return None
    return None


def _signatures(names: DeclaredNames, name: str, in_text: bool) -> list[Signature]:
    for symbol in names.named(name, "definition"):
        declared = names.declaration(symbol)
        if declared is None or declared.arguments is None:
            return []
        label = f"{name}({', '.join(declared.arguments)})"
        node = mapping_of(declared.node).get("value") or declared.node
        return [_signature(label, declared.about or f"`{written(node)}`")]
    function = FUNCTIONS.get(name)
    if function is None or (function.text and not in_text):
        return []
    forms = re.findall(rf"\b{name}\([^()]*\)", function.usage)
    return [_signature(form, function.about) for form in forms]


def _signature(label: str, about: str) -> Signature:
    start = label.index("(") + 1
    stretches: list[tuple[int, int]] = []
    for argument in label[start:-1].split(", "):
        stretches.append((start, start + len(argument)))
        start += len(argument) + 2
    return Signature(label, about, tuple(stretches))


def _likely(found: list[Signature], call: _Call) -> SignatureHelp:
    """The form with a loop if there is one, else the first that has so many arguments."""
    loop = bool(LOOP.search(call.typed))
    fits = [
        k
        for k, one in enumerate(found)
        if bool(LOOP.search(one.label)) == loop and call.commas < _most(one)
    ]
    likely = fits[0] if fits else 0
    last = len(found[likely].arguments) - 1
    return SignatureHelp(tuple(found), likely, min(call.commas, last))


def _most(signature: Signature) -> int:
    return 1000 if "…)" in signature.label else len(signature.arguments)
