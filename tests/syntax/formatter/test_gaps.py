"""Which token a comment belongs to, and where lines were empty."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.syntax.formatter.gaps import Gaps
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import tokenize


def gaps(text: str) -> Gaps:
    return Gaps(tokenize(Source(text)), load_tables())


@pytest.mark.parametrize(
    ("text", "shown", "above", "behind"),
    [
        ("a // c\nb", ["a", "b", ""], {}, {0: "// c"}),
        ("a // c  \nb", ["a", "b", ""], {}, {0: "// c"}),
        ("a\n# c\nb", ["a", "b", ""], {1: ["# c"]}, {}),
        ("a // c\n// d\nb", ["a", "b", ""], {1: ["// d"]}, {0: "// c"}),
        ("a /* c */ b", ["a", "/* c */ b", ""], {}, {}),
        ("a\n/* c */ b", ["a", "/* c */ b", ""], {}, {}),
        ("a /* c */\nb", ["a /* c */", "b", ""], {}, {0: ""}),
        ("a /* c */ /* d */ // e\nb", ["a /* c */ /* d */", "b", ""], {}, {0: "// e"}),
        ("a\n/* c */ // d\nb", ["a", "b", ""], {1: ["/* c */", "// d"]}, {}),
        ("a /* c\nd */ b", ["a", "b", ""], {1: ["/* c\nd */"]}, {}),
        ("a /* c\nd */\nb", ["a", "b", ""], {}, {0: "/* c\nd */"}),
        # What comes decides where a comment on the same line belongs.
        ("(a /* c */, b)", ["(", "a /* c */", ",", "b", ")", ""], {}, {}),
        ("(a, /* c */ b)", ["(", "a", ",", "/* c */ b", ")", ""], {}, {}),
        ("(a /* c */)", ["(", "a /* c */", ")", ""], {}, {}),
        ("(a\n/* c */)", ["(", "a", ")", ""], {2: ["/* c */"]}, {}),
        ("{a /* c */, b}", ["{", "a", ",", "/* c */ b", "}", ""], {}, {}),
        ("a /* c */ = b", ["a /* c */", "=", "b", ""], {}, {}),
        ("a = /* c */ b", ["a", "=", "/* c */ b", ""], {}, {}),
        # Commas and separators hold none.
        ("a, // c\nb", ["a", ",", "b", ""], {}, {0: "// c"}),
        ("a\n// c\n, b", ["a", ",", "b", ""], {2: ["// c"]}, {}),
        ("// c\na", ["a", ""], {0: ["// c"]}, {}),
        ("a // c", ["a", ""], {}, {0: "// c"}),
        ("a\n/* c */", ["a", ""], {1: ["/* c */"]}, {}),
    ],
)
def test_a_comment_belongs_to_a_token(
    text: str, shown: list[str], above: dict[int, list[str]], behind: dict[int, str]
) -> None:
    found = gaps(text)
    assert (found.shown, found.above, found.behind) == (shown, above, behind)


@pytest.mark.parametrize(
    ("text", "token", "empty"),
    [
        ("a\nb", 1, [0]),
        ("a\n\n\nb", 1, [2]),
        ("a,\n\nb", 2, [1]),
        ("a\n\n// c\n\n\n# d\nb", 1, [1, 2, 0]),
        ("a // c\n\nb", 1, [1]),
        ("a\n\n/* c */ b", 1, [1]),
    ],
)
def test_empty_lines_before_comments_and_token(text: str, token: int, empty: list[int]) -> None:
    assert gaps(text).empty_lines(token) == empty


def test_tokens_with_a_line_comment_or_a_line_end_among_them_need_lines() -> None:
    found = gaps('a b // c\nd "e\nf" g')
    assert [found.needs_lines(*pair) for pair in ((0, 1), (1, 2), (2, 2), (2, 3), (3, 3), (4, 4))] == [
        *(False, True, False, True, True, False)
    ]
