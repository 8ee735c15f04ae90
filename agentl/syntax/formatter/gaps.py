"""What stands between the tokens of a text: which comment belongs to which token, and where lines were left empty.

Commas, `:` and `=` hold no comments: the layout writes them anew, or not at all. A gap is what stands between two other
tokens, and each comment in it goes to one of the two:

* behind the token before it, when it ends that token's line;
* beside one of them, when it is a block comment of one line and code goes on behind it;
* above the token after it, in every other case.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from agentl.diagnostics import Span
from agentl.syntax.tables import Tables
from agentl.syntax.tokens import Tokens

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")


class _Comment(NamedTuple):
    """`ends_line`: does the line end behind it?"""

    text: str
    end: int
    ends_line: bool

    @property
    def is_short(self) -> bool:
        """May code go on behind it on its line?"""
        return self.text.startswith("/*") and "\n" not in self.text


class Gaps:
    """`shown` is the text of each token with the comments beside it; `above` and `behind` hold the others by token.

    A line ends behind each token that is in `behind`, also when the comment is already beside it and the text is empty.
    """

    def __init__(self, tokens: Tokens, tables: Tables) -> None:
        self._source = tokens.source.text
        self._tokens = tokens
        self.glue = frozenset(tables.number[name] for name in ("COMMA", "COLON", "SET_TO"))
        self._is_glue = [kind in self.glue for kind in tokens.kinds]
        self._around: list[str] = []
        self.shown = list(tokens.texts)
        self.above: dict[int, list[str]] = {}
        self.behind: dict[int, str] = {}
        # For a token with comments before it: how many lines are empty before each one above it, and before itself.
        self._empty: dict[int, list[int]] = {}
        # Must a line end before the token, for the comments there?
        self._is_broken = [False] * len(tokens.kinds)
        self._read_comments()
        self._breaks = list(accumulate(self._is_broken))
        self._line_ends = list(accumulate("\n" in text for text in self.shown))
        self._is_plain = not (self._breaks[-1] or self._line_ends[-1])

    def solid(self, token: int) -> int:
        """Return the token itself, or the last one before it that is no comma, `:` or `=`."""
        while self._is_glue[token]:
            token -= 1
        return token

    def is_broken(self, token: int) -> bool:
        """Must a line end before the token?"""
        return self._is_broken[token]

    def needs_lines(self, first: int, last: int) -> bool:
        """Can these tokens not stand on one line: a comment among them ends a line, or a text holds a line end?"""
        if self._is_plain:
            return False
        breaks, line_ends = self._breaks, self._line_ends
        return breaks[last] > breaks[first] or line_ends[last] > (line_ends[first - 1] if first else 0)

    def empty_lines(self, token: int) -> list[int]:
        """Return how many lines are empty before each comment above the token, and before the token itself."""
        known = self._empty.get(token)
        if known is None:
            before = self._tokens.ends[token - 1] if token else 0
            known = [self._empty_between(before, self._tokens.starts[token])]
        return known

    def _empty_between(self, start: int, end: int) -> int:
        return max(0, self._source.count("\n", start, end) - 1)

    def _read_comments(self) -> None:
        found: dict[int, list[Span]] = {}
        for comment in self._tokens.comments:
            after = bisect_left(self._tokens.starts, comment.end)
            while self._is_glue[after]:
                after += 1
            found.setdefault(after, []).append(comment)
        for after, spans in found.items():
            self._settle(self.solid(after - 1) if after else -1, after, spans)

    def _settle(self, before: int, after: int, spans: list[Span]) -> None:
        """Give the comments of the gap between two tokens (-1: none) to these."""
        source, tokens = self._source, self._tokens
        ends = [tokens.ends[before] if before >= 0 else 0, *(span.end for span in spans)]
        starts = [*(span.start for span in spans), tokens.starts[after]]
        ends_line = ["\n" in source[end:start] for end, start in zip(ends, starts, strict=True)]
        ends_line[-1] = ends_line[-1] or not tokens.kinds[after]
        comments = [
            _Comment(_text(source[span.start : span.end]), span.end, is_last)
            for span, is_last in zip(spans, ends_line[1:], strict=True)
        ]
        first = 0 if before < 0 or ends_line[0] else self._settle_behind(before, after, comments)
        beside = len(comments)
        if tokens.texts[after] not in _CLOSING:
            while beside > first and comments[beside - 1].is_short and not comments[beside - 1].ends_line:
                beside -= 1
        if first < beside:
            self.above[after] = [each.text for each in comments[first:beside]]
            self._is_broken[after] = True
        self.shown[after] = " ".join((*(each.text for each in comments[beside:]), self.shown[after]))
        self._empty[after] = [self._empty_between(ends[each], starts[each]) for each in range(first, beside + 1)]

    def _settle_behind(self, before: int, after: int, comments: list[_Comment]) -> int:
        """Give a token the comments that stand on its line, as far as they are its own; return how many these are."""
        stop = next((each for each in comments if each.ends_line or not each.is_short), None)
        for index, comment in enumerate(comments):
            if comment.is_short:
                if not (self._is_closed(comment.end, after) if stop is None else stop.ends_line):
                    return index
                self.shown[before] += f" {comment.text}"
            elif not comment.ends_line:
                return index
            if comment.ends_line:
                self.behind[before] = "" if comment.is_short else comment.text
                self._is_broken[after] = True
                return index + 1
        return len(comments)

    def _is_closed(self, end: int, after: int) -> bool:
        """Is what stands before a comment closed by what comes: a bracket, a separator, a comma in `( )` or `[ ]`?"""
        texts = self._tokens.texts
        if texts[after] in _CLOSING:
            return True
        between = range(bisect_left(self._tokens.starts, end), after)
        return any(texts[each] != "," or self._innermost(each) in ("(", "[") for each in between)

    def _innermost(self, token: int) -> str:
        """Return the innermost bracket that is open at a token."""
        if not self._around:
            opened = [""]
            for text in self._tokens.texts:
                if text in _CLOSING:
                    opened.pop()
                self._around.append(opened[-1])
                if text in _OPENING:
                    opened.append(text)
        return self._around[token]


def written_comments(tokens: Tokens) -> list[str]:
    """Return the comments of a text in their order, as they are written again."""
    source = tokens.source.text
    return [_text(source[each.start : each.end]) for each in tokens.comments]


def _text(comment: str) -> str:
    """A comment as it is written again: a block comment to the letter, another one without blanks at its end."""
    return comment if comment.startswith("/*") else comment.rstrip()
