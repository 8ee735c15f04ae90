"""Commands are found by being files; none is half added."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentl.cli.group import command_names
from agentl.messages import command as messages

ROOT = Path(__file__).parents[2]


def help_page(*arguments: str, language: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "agentl", *arguments, "--help", "--lang", language],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    return done.stdout


def test_every_command_has_a_summary_and_every_summary_a_command() -> None:
    assert set(messages.SUMMARIES) == set(command_names())


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_lists_every_command_with_its_summary(language: str) -> None:
    page = help_page(language=language)
    for name in command_names():
        assert f"  {name} " in page
        first_words = " ".join(messages.SUMMARIES[name].text(language).split()[:4])
        assert first_words in " ".join(page.split())


@pytest.mark.parametrize("name", command_names())
def test_help_of_a_command_is_there_in_both_languages(name: str) -> None:
    english, french = help_page(name, language="en"), help_page(name, language="fr")
    assert "Usage: agentl" in english and "Usage : agentl" in french
    assert english != french


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_tests_of_its_own(name: str) -> None:
    assert list((ROOT / "tests" / "cli").rglob(f"test_{name}*.py")), f"tests/cli/test_{name}.py is missing"
