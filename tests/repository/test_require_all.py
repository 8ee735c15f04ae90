"""Where everything is required, a skip is a failure; elsewhere it is listed by name (decision 39)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPPING = """\
import pytest

def test_runs():
    assert True

@pytest.mark.skipif(True, reason="no postgres here")
def test_with_a_database():
    pass
"""
SKIPPED_WHOLE = 'import pytest\npytest.skip("no browser here", allow_module_level=True)\n'


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "test_some.py").write_text(SKIPPING, encoding="utf-8")
    (tmp_path / "test_whole.py").write_text(SKIPPED_WHOLE, encoding="utf-8")
    return tmp_path


def run(suite: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("AGENTL_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", ".", "."],
        cwd=suite,
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )


def test_skips_are_listed_by_name_with_their_reason(suite: Path) -> None:
    done = run(suite)
    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    assert "test_some.py::test_with_a_database: " in done.stdout and "no postgres here" in done.stdout
    assert "test_whole.py: " in done.stdout and "no browser here" in done.stdout


def test_skips_fail_where_everything_is_required(suite: Path) -> None:
    done = run(suite, AGENTL_REQUIRE_ALL="1")
    assert done.returncode != 0
    assert "everything is required" in done.stdout
    (suite / "test_whole.py").unlink()
    assert "1 passed, 1 error" in run(suite, AGENTL_REQUIRE_ALL="1").stdout
