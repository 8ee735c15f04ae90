"""The server as a process: how it begins, what it says unasked, how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from lsprotocol import types

from tests.lsp.client import Client, running

WRONG = """AGENT a {
    GOAL g { ACHIEVE x.y == 1 }
    OBSERVE { x.y }
    PLAN p WHEN x.y == 0 { repare() }
}
"""


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in found]


def test_a_text_is_checked_when_it_is_opened(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(WRONG)
    missing, *_ = found = client.findings(uri, 1)
    assert "E001" in codes(found)
    assert missing.source == "agentl"
    assert missing.range == types.Range(types.Position(3, 27), types.Position(3, 35))
    assert missing.code_description is not None
    assert missing.code_description.href.endswith("undeclared_tool.md")


def test_every_version_is_checked_that_nothing_is_typed_after(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(WRONG)
    client.findings(uri, 1)
    at = types.Range(types.Position(3, 27), types.Position(3, 33))
    client.change(uri, 2, (at, "re"))
    client.change(uri, 3, (types.Range(types.Position(3, 29), types.Position(3, 29)), "{"))
    found = client.findings(uri, 3)
    assert codes(found) == ["P001"]
    assert not [each for each in client.published[uri] if each.version == 2]


def test_columns_count_what_was_agreed_on() -> None:
    with running(encodings=["utf-8", "utf-16"]) as client:
        assert client.result.capabilities.position_encoding == "utf-8"
        client.open("untitled:a", "AGENT a { /* 𝔾 */ GOL g { } }\n")
        (found,) = client.findings("untitled:a", 1)
        assert found.range.end.character == 24
        # An edit behind the character that counts double lands where the editor put it.
        end = found.range.end
        client.change("untitled:a", 2, (types.Range(found.range.start, end), "GOAL"))
        assert "P201" not in codes(client.findings("untitled:a", 2))


def test_a_closed_document_has_no_findings(client: Client) -> None:
    client.open("untitled:closed", WRONG)
    client.findings("untitled:closed", 1)
    client.close("untitled:closed")
    assert client.findings("untitled:closed", None) == []


def test_it_speaks_the_language_of_the_editor_and_ends_on_sigterm_though_the_pipe_is_open() -> None:
    with running(locale="fr-CA") as client:
        client.open("untitled:a", WRONG)
        assert "déclarez-le" in client.findings("untitled:a", 1)[0].message
        os.kill(client.process.pid, signal.SIGTERM)
        assert client.ended() == 143


@pytest.mark.parametrize("pause_s", [0.0, 0.03, 0.08])
def test_sigterm_in_the_middle_of_work_ends_it_too(pause_s: float) -> None:
    """Raised within a callback of the loop, what a signal handler raises is lost."""
    with running() as client:
        client.open("untitled:a", WRONG * 200)
        time.sleep(pause_s)
        os.kill(client.process.pid, signal.SIGTERM)
        assert client.ended() == 143


def test_what_is_no_message_is_told_in_the_language_of_the_command_line() -> None:
    with running("--lang", "en", locale="fr") as client:
        client.process.stdin.write(b"Content-Length: 2\r\n\r\n[]Content-Length: 3\r\n\r\n{{{")  # type: ignore[union-attr]
        client.open("untitled:a", WRONG)
        assert "declare it" in client.findings("untitled:a", 1)[0].message
        assert len(client.shown) == 2
        assert all(line.startswith("agentl: a message of the editor could not be used") for line in client.shown)
        assert client.end() == 0


def test_it_ends_with_the_process_of_the_editor() -> None:
    editor = subprocess.Popen([sys.executable, "-c", ""])
    editor.wait()
    with running(process_id=editor.pid) as client:
        assert client.ended() == 1
