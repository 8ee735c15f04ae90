"""The documentation site builds without a warning and shows the page of every rule, in both languages."""

from __future__ import annotations

import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from agentl.linting.pages import all_pages
from agentl.messages import explaining
from agentl.messages.catalogue import catalogue

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def text(site: Path, page: str) -> str:
    return (site / page / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "folder"), [("en", "."), ("fr", "fr")])
def test_every_rule_has_its_page_and_every_code_its_entry(language: str, folder: str, site: Path) -> None:
    codes = text(site, f"{folder}/codes")
    assert [code for code in catalogue() if f'id="{code.lower()}' not in codes] == []
    for page in all_pages():
        shown = text(site, f"{folder}/rules/{page.message.code}")
        assert page.message.name in shown
        assert explaining.WHAT.text(language) in unescape(shown)


def test_pages_are_made_and_not_committed() -> None:
    assert not (ROOT / "docs" / "rules").exists()
