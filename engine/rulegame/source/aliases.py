"""Problems inside a value that aliases repeat: at the alias, if the value is right where it is
written.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulegame.diagnostics import AliasedFile, Diagnostic, Related


def at_aliases(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics; those that a value has only where an alias repeats it, at that alias."""
    at_anchors = {problem for problem in found if not problem.is_repeated}
    result: list[Diagnostic] = []
    for problem in found:
        file = problem.span.file
        if not isinstance(file, AliasedFile):
            result.append(problem)
        elif problem not in at_anchors:
            result.append(_moved(problem, file))
    return result


def _moved(problem: Diagnostic, file: AliasedFile) -> Diagnostic:
    """At the alias, without edits: these would change the anchor."""
    anchor = problem.span._replace(file=str(file))
    return problem._replace(
        message=f"in the value of '*{file.alias}': {problem.message}",
        span=file.place,
        suggestions=(),
        related=(Related("the value is here", anchor), *problem.related),
    )
