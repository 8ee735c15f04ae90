"""`agentl lsp`: how the command ends; what it answers is tested in tests/lsp."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.lsp.client import COMMAND


@pytest.mark.parametrize("given", [b"nonsense\r\nContent-Length: 100\r\n\r\n{"])
def test_it_ends_when_nobody_writes_any_more(given: bytes) -> None:
    ended = subprocess.run([*COMMAND, "lsp"], input=given, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")


def test_it_ends_when_nobody_reads_any_more() -> None:
    request = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
    message = b"Content-Length: %d\r\n\r\n%b" % (len(request), request)
    server = subprocess.Popen([*COMMAND, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stderr is not None
    server.stdout.close()
    server.stdin.write(message * 3)
    server.stdin.flush()
    # Standard input stays open: it is the answer that nobody takes that ends it.
    assert server.wait(timeout=30) == 1
    assert server.stderr.read() == b""
    server.stdin.close()
    server.stderr.close()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_is_closed_is_told_or_the_end(closed: str) -> None:
    command = f"{shlex.join(COMMAND)} lsp {closed}"
    ended = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
    )
    assert ended.returncode in (1, 2)
    assert b"Traceback" not in ended.stderr


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
