"""The folders of the grammar and of the standard library are found from anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentl import resources

ROOT = Path(resources.__file__).resolve().parent.parent


def test_in_a_checkout_its_own_files_win() -> None:
    assert resources.grammar_folder() == ROOT / "grammar"
    assert resources.stdlib_folder() == ROOT / "stdlib"


def test_the_working_directory_does_not_matter(tmp_path: Path) -> None:
    code = "from agentl.syntax.parser import parse_source; print(parse_source('AGENT a { }').agents[0].name)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (run.stdout, run.stderr) == ("a\n", "")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package folder as in site-packages."""
    package = tmp_path / "site-packages" / "agentl"
    package.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    return package


def test_in_a_wheel_they_are_in_the_package(installed: Path) -> None:
    (installed / "_shipped" / "grammar").mkdir(parents=True)
    # Somebody else's folder next to the package is not ours.
    (installed.parent / "grammar").mkdir()
    assert resources.grammar_folder() == installed / "_shipped" / "grammar"


def test_an_incomplete_installation_says_so(installed: Path) -> None:
    with pytest.raises(FileNotFoundError, match="stdlib"):
        resources.stdlib_folder()
