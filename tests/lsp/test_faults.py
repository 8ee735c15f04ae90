"""A fault in one rule, or a half-typed text, empties no editor (P-P2)."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule, Rule
from agentl.diagnostics import Diagnostic, Source
from agentl.linting.settings import Settings
from agentl.lsp.lint import lint
from agentl.messages import lint_flow as lint_messages
from agentl.syntax.parser import parse

WRONG = "AGENT a {\n  TOOL pay { RISK HIGH }\n  PLAN p { pey() }\n}\n"
EXAMPLE = (Path(__file__).parents[2] / "examples" / "procurement" / "procurement.agent").read_text(encoding="utf-8")


def _broken(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.tools:
        raise KeyError("gone")
    yield from ()


@pytest.fixture
def one_rule_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Settings.rules
    broken: tuple[Rule, ...] = (AgentRule((lint_messages.UNVERIFIED_ACTION,), _broken),)
    monkeypatch.setattr(Settings, "rules", lambda settings, path: broken + usual(settings, path))


@pytest.mark.usefixtures("one_rule_breaks")
def test_what_the_other_rules_find_is_shown_beside_one_word_about_the_fault(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        found = lint(parse(Source(WRONG, "untitled:a")))
    codes = [each.code for each in found]
    assert codes.count("C162") == 1
    assert "E001" in codes and "W101" in codes
    assert [record.getMessage() for record in caplog.records] == ["the rule unverified-action failed: KeyError: 'gone'"]


@pytest.mark.usefixtures("one_rule_breaks")
def test_any_beginning_of_a_program_is_answered() -> None:
    chance = random.Random(2)
    for _ in range(50):
        found = lint(parse(Source(EXAMPLE[: chance.randrange(len(EXAMPLE))], "untitled:a")))
        assert [each.code for each in found].count("C162") <= 1
