"""`agentl lsp`: how the command ends; what it answers is tested in tests/lsp."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.lsp.client import COMMAND


@pytest.mark.parametrize("given", [b"nonsense", b"Content-Length: 100\r\n\r\n{"])
def test_it_ends_when_nobody_writes_any_more(given: bytes) -> None:
    ended = subprocess.run([*COMMAND, "lsp"], input=given, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")


def test_without_its_library_it_says_what_to_install(tmp_path: Path) -> None:
    # A finder that hides pygls, as if the extra had not been installed.
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'pygls' else find(name, *rest)\n",
        encoding="utf-8",
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run([*COMMAND, "lsp"], input=b"", capture_output=True, timeout=30, check=False, env=env)
    assert ended.returncode == 2
    assert b"agentl[lsp]" in ended.stderr
