"""PyYAML's own parser, for where libyaml is missing, made to take what libyaml takes."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

BLOCK_WORD: Final = re.compile("(?:[^\0 \t\r\n\x85:]|:(?![\0 \t\r\n\x85]))+")
FLOW_WORD: Final = re.compile(r"(?:[^\0 \t\r\n\x85:,\[\]{}]|:(?![\0 \t\r\n\x85,?\[\]{}]))+")


class PureLoader(yaml.BaseLoader):
    """Tabs may separate words, and question marks stand in plain scalars of flow collections."""

    def scan_to_next_token(self) -> None:
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()

    def scan_block_scalar_ignored_line(self, start_mark: Any) -> None:
        while self.peek() in " \t":
            self.forward()
        super().scan_block_scalar_ignored_line(start_mark)

    def scan_block_scalar_indicators(self, start_mark: Any) -> tuple[bool | None, int | None]:
        chomping = increment = None
        for _ in range(2):
            if chomping is None and self.peek() in "+-":
                chomping = self.peek() == "+"
            elif increment is None and self.peek() in "123456789":
                increment = int(self.peek())
            else:
                break
            self.forward()
        return chomping, increment

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        indentation: tuple[list[str], int, Any] = super().scan_block_scalar_indentation()
        self._forbid_tab()
        return indentation

    def scan_plain(self) -> yaml.ScalarToken:
        word = FLOW_WORD if self.flow_level else BLOCK_WORD
        start = end = self.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        spaces: list[str] = []
        while self.peek() != "#" and (found := word.match(self.buffer, self.pointer)):
            self.allow_simple_key = False
            chunks += [*spaces, found[0]]
            self.forward(len(found[0]))
            end = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start)
            if not spaces or (not self.flow_level and self.column < indent):
                break
        if self.flow_level and self.peek() == ":" and self.peek(1) in ",?[]{}":
            raise yaml.MarkedYAMLError(problem="unexpected ':'", problem_mark=self.get_mark())
        return yaml.ScalarToken("".join(chunks), True, start, end)

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str]:
        blanks = self._blanks()
        if self.peek() not in "\r\n\x85":
            return [blanks] if blanks else []
        self.allow_simple_key = True
        self.scan_line_break()  # type: ignore[no-untyped-call]
        breaks: list[str] = []
        while not self._at_document_mark():
            while self.peek() == " " or (self.peek() == "\t" and self.column >= indent):
                self.forward()
            self._forbid_tab()
            if self.peek() not in "\r\n\x85":
                return breaks or [" "]
            breaks.append(self.scan_line_break())  # type: ignore[no-untyped-call]
        return []

    def _forbid_tab(self) -> None:
        if self.peek() == "\t":
            raise yaml.MarkedYAMLError(problem="tab character", problem_mark=self.get_mark())

    def _blanks(self) -> str:
        length = 0
        while self.peek(length) in " \t":
            length += 1
        blanks: str = self.prefix(length)
        self.forward(length)
        return blanks

    def _at_document_mark(self) -> bool:
        at_mark = self.column == 0 and self.prefix(3) in ("---", "...")
        return at_mark and self.peek(3) in "\0 \t\r\n\x85"
