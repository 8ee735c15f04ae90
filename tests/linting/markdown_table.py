"""The table of a Markdown text, as a reader of the rendered page sees it."""

from __future__ import annotations

from itertools import pairwise

from markdown_it import MarkdownIt


def cells(text: str) -> list[str]:
    """Return the text of every cell below the head. AssertionError when anything in one is more than text."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    assert not any(token.type.startswith("html") for token in tokens)
    found = []
    for before, token in pairwise(tokens):
        if before.type == "td_open":
            children = token.children or []
            assert {child.type for child in children} <= {"text", "text_special"}
            found.append("".join(child.content for child in children))
    return found
