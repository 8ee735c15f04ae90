"""Writes a document as text."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.syntax.formatter.document import (
    BODY,
    CONTINUE,
    CONTINUED,
    END,
    FILL,
    HUG,
    INDENT,
    LIST,
    WIDTH,
    Close,
    Doc,
    Mark,
    Part,
    Row,
)
from agentl.syntax.formatter.gaps import Gaps


@dataclass(slots=True)
class _Frame:
    """Parts that are written one by one. `rests`: what has to fit on the line behind each of them.

    `indents` and `is_near` are stacks: where lines begin, and whether what goes on below is set in by the smaller step.
    """

    parts: list[Part]
    rests: list[int]
    indents: list[int]
    is_near: list[bool]
    at: int = 0

    @property
    def next_token(self) -> int:
        part = self.parts[self.at]
        assert isinstance(part, (int, Doc))
        return part if isinstance(part, int) else part.first

    @property
    def continued(self) -> int:
        return self.indents[-1] + (INDENT if self.is_near[-1] else CONTINUED)

    def set_in(self, mark: Mark) -> None:
        if mark is END:
            self.indents.pop()
            self.is_near.pop()
        elif mark is CONTINUE:
            self.indents.append(self.continued)
            self.is_near.append(True)
        else:
            self.indents.append(self.indents[-1] + INDENT)
            self.is_near.append(mark is LIST)


class Printer:
    """Writes one document. Nothing here recurses with the nesting of brackets and statements."""

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self._shown = gaps.shown
        self._out: list[str] = []
        self._column = 0
        self._indent = 0
        self._starts_line = True
        self._space = ""
        # The comment that will end this line; an empty one: the line will end.
        self._behind: str | None = None
        self._row: Row | None = None
        self._reached = -1

    def text(self, document: Doc, end: int) -> str:
        """Return the text of a whole program; `end` is the token at its end."""
        frames = [_Frame(document.parts, self._rests(document.parts, 0), [0], [False])]
        while frames:
            frame = frames[-1]
            if frame.at == len(frame.parts):
                frames.pop()
                continue
            part, rest = frame.parts[frame.at], frame.rests[frame.at]
            frame.at += 1
            if not isinstance(part, Doc):
                self._write_part(part, frame)
            elif not self._write_flat(part, rest, frame):
                rests = self._rests(part.parts, rest)
                frames.append(_Frame(part.parts, rests, frame.indents[-1:], frame.is_near[-1:]))
        self._end_line(0)
        self._write_above(end, Row(most=2), is_closing=True)
        return "".join(self._out)

    # --- Parts ------------------------------------------------------------------------------------------------------

    def _write_flat(self, document: Doc, rest: int, frame: _Frame) -> bool:
        """Write a document on one line if it fits there, and what has to stand behind it too."""
        flat = document.flat
        if flat is None:
            return False
        self._come_to(document.first, frame)
        column = self._indent if self._starts_line else self._column + len(self._space)
        if column + len(flat) + rest > WIDTH:
            return False
        self._write(flat)
        self._behind = self._gaps.behind.get(document.last)
        return True

    def _write_part(self, part: int | str | Mark | Row | Close, frame: _Frame) -> None:
        if isinstance(part, int):
            self._come_to(part, frame)
            self._write_token(part)
        elif isinstance(part, str):
            self._out.append(part)
            self._column += len(part)
        elif isinstance(part, Mark):
            self._write_mark(part, frame)
        elif isinstance(part, Row):
            self._end_line(frame.indents[-1])
            self._row = part
        else:
            self._write_close(part, frame)

    def _write_mark(self, mark: Mark, frame: _Frame) -> None:
        if mark in (BODY, LIST, CONTINUE, END):
            frame.set_in(mark)
        elif mark is FILL:
            length = len(mark.flat) + len(self._shown[frame.next_token]) + frame.rests[frame.at]
            if self._gaps.is_broken(frame.next_token) or self._column + length > WIDTH:
                self._end_line(frame.indents[-1])
            else:
                self._space = mark.flat
        elif mark.ends_line or (mark is HUG and self._gaps.is_broken(frame.next_token)):
            self._end_line(frame.indents[-1])
        else:
            self._space = mark.flat

    def _write_close(self, close: Close, frame: _Frame) -> None:
        indent = frame.indents[-1]
        if close.token in self._gaps.above:
            self._end_line(indent + INDENT)
            self._write_above(close.token, Row(is_first=close.is_empty), is_closing=True)
        self._end_line(indent)
        self._reached = close.token
        self._write_token(close.token)

    # --- Lines ------------------------------------------------------------------------------------------------------

    def _come_to(self, token: int, frame: _Frame) -> None:
        """End the line if a comment is behind what was written, and write the comments above the token."""
        if token == self._reached:
            return
        self._reached = token
        if self._behind is not None or (token in self._gaps.above and not self._starts_line):
            self._end_line(frame.continued)
        row, self._row = self._row, None
        if row is not None or token in self._gaps.above:
            self._write_above(token, row)

    def _write_above(self, token: int, row: Row | None, is_closing: bool = False) -> None:
        comments = self._gaps.above.get(token, [])
        empty = [0] * (len(comments) + 1)
        if row is not None:
            empty = [min(count, row.most) for count in self._gaps.empty_lines(token)]
            if row.is_first:
                empty[0] = 0
            elif not any(empty):
                empty[0] = row.least
            if is_closing:
                empty[-1] = 0
        for comment, count in zip(comments, empty, strict=False):
            self._out.append("\n" * count)
            self._write(comment)
            self._end_line(self._indent)
        self._out.append("\n" * empty[-1])

    def _write_token(self, token: int) -> None:
        self._write(self._shown[token])
        self._behind = self._gaps.behind.get(token)

    def _write(self, text: str) -> None:
        if self._starts_line:
            self._out.append(" " * self._indent)
            self._column = self._indent
            self._starts_line = False
        elif self._space:
            self._out.append(self._space)
            self._column += len(self._space)
        self._space = ""
        self._out.append(text)
        line_end = text.rfind("\n")
        self._column = self._column + len(text) if line_end < 0 else len(text) - line_end - 1

    def _end_line(self, indent: int) -> None:
        """Go to a new line, unless one has just begun."""
        if self._behind:
            self._out.append(f" {self._behind}" if self._behind.startswith("/*") else f"  {self._behind}")
        self._behind = None
        if not self._starts_line:
            self._out.append("\n")
            self._starts_line = True
        self._space = ""
        self._indent = indent

    # --- What has to fit --------------------------------------------------------------------------------------------

    def _rests(self, parts: list[Part], rest: int) -> list[int]:
        rests = [0] * len(parts)
        for at in range(len(parts) - 1, -1, -1):
            rests[at] = rest
            length, ends_line = self._head(parts[at])
            rest = length if ends_line else length + rest
        return rests

    def _head(self, part: Part) -> tuple[int, bool]:
        """Return how much of a part stands before the first place where a line may end, and whether there is one."""
        if isinstance(part, int):
            text, line_end, _ = self._shown[part].partition("\n")
            return len(text), bool(line_end)
        if isinstance(part, str):
            return len(part), False
        if isinstance(part, Mark):
            return (0, True) if part.ends_line else (len(part.flat), False)
        if not isinstance(part, Doc):
            return 0, True
        if part.head is None:
            total, ends_line = 0, False
            for each in part.parts:
                length, ends_line = self._head(each)
                total += length
                if ends_line:
                    break
            part.head = total, ends_line
        return part.head
