"""Whether a text is JSON, however deep it is nested: a reader with a stack of its own, for what the usual one gives up.

Slow and seldom needed: only for texts whose nesting is beyond the interpreter's recursion limit.
"""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
    (?P<mark>[\[\]{},:])
    |(?P<text>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")
    |(?P<plain>(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))
    )""",
    re.VERBOSE,
)
# No reader must take every depth (RFC 8259 §9), and a text that is little else than brackets must not cost minutes.
MAX_DEPTH = 200_000
_BLANK = re.compile(r"[ \t\n\r]*")

# What may come next.
_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _AFTER = range(6)


def top_keys(text: str) -> frozenset[str]:
    """Return the keys of the top object, none for another value.

    ValueError, with the offset, for what is no JSON, and for more than MAX_DEPTH levels.
    """
    stack: list[str] = []
    keys: set[str] = set()
    expected = _VALUE
    at = 0
    while stack or expected != _AFTER:
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(at)
        mark, word = token["mark"], token["text"]
        if word is not None and expected in (_KEY, _FIRST_KEY):
            if len(stack) == 1:
                keys.add(json.loads(word))
            expected = _COLON
        elif mark is None and expected in (_VALUE, _FIRST_VALUE):
            expected = _AFTER
        else:
            expected = _after_mark(mark, expected, stack, at)
        at = token.end()
    trailing = _BLANK.match(text, at)
    if trailing is None or trailing.end() != len(text):
        raise ValueError(at)
    return frozenset(keys)


def _after_mark(mark: str | None, expected: int, stack: list[str], at: int) -> int:
    """Take one of `[ ] { } , :` where it may stand and return what may follow it. ValueError elsewhere."""
    inner = stack[-1] if stack else ""
    if expected in (_VALUE, _FIRST_VALUE) and mark in ("[", "{") and len(stack) < MAX_DEPTH:
        stack.append(mark)
        return _FIRST_VALUE if mark == "[" else _FIRST_KEY
    if mark == "]" and inner == "[" and expected in (_FIRST_VALUE, _AFTER):
        stack.pop()
        return _AFTER
    if mark == "}" and inner == "{" and expected in (_FIRST_KEY, _AFTER):
        stack.pop()
        return _AFTER
    if mark == "," and expected == _AFTER and inner:
        return _VALUE if inner == "[" else _KEY
    if mark == ":" and expected == _COLON:
        return _VALUE
    raise ValueError(at)
