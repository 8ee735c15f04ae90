"""What the README shows of settings and suppressions is what is read."""

from __future__ import annotations

import re
from pathlib import Path

from agentl.diagnostics import Diagnostic, Source
from agentl.linting.configuration_file import read_configuration
from agentl.linting.suppressions.comments import read_comments
from agentl.syntax.tokens import tokenize

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LINT = README[README.index("## Lint in CI") : README.index("### Formats")]


def test_the_configuration_is_one() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", LINT, flags=re.DOTALL)
    configuration = read_configuration(text.encode(), "pyproject.toml")
    assert configuration is not None
    assert configuration.given.profile == "strict"
    assert configuration.given.severity == {"W124": "error", "W102": "info"}


def test_the_comments_suppress() -> None:
    (text,) = re.findall(r"```text\n(.*?)```", LINT, flags=re.DOTALL)
    found = list(read_comments(tokenize(Source(text))))
    assert [each for each in found if isinstance(each, Diagnostic)] == []
    assert len(found) == text.count("# ignore") == 2
