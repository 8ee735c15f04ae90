"""What `agentl operation` prints, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.operation_folder import Line, Served, masked

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Line:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    return Line(Served(tmp_path), capsys)


def shown(line: Line, language: str, *words: str) -> str:
    said = line(*words, language=language)
    return masked(f"$ agentl {' '.join(words)}\n{said.out}{said.err}[{int(said.code)}]\n", line.served.root)


@LANGUAGES
def test_of_one_that_completed(line: Line, language: str, snapshot: SnapshotAssertion) -> None:
    parts = [masked(line.start("--message-id", "m-1", language=language).out, line.served.root)]
    operation_id = line.start("--message-id", "m-1").out.split()[0]
    looks = (
        ("list",),
        ("show", operation_id, "--stderr"),
        ("recovery", operation_id, "--sandbox", "off"),
        ("events", operation_id),
        ("cancel", operation_id),
        ("gc", "--folder", str(line.served.folder)),
        ("list",),
        ("show", operation_id),
    )
    parts += [shown(line, language, "operation", *look) for look in looks]
    assert "\n".join(parts) == snapshot


@pytest.mark.parametrize("mode", ["idempotency_key", "none", "reconcile"])
def test_of_one_that_was_killed(tmp_path: Path, line: Line, mode: str, snapshot: SnapshotAssertion) -> None:
    line.served = Served(tmp_path / "more", ("external_write", mode))
    line.served.environment["XDG_STATE_HOME"] = str(tmp_path / "xdg")
    operation_id = line.served.killed_in("transfer")
    looks = (
        ("recovery", operation_id, "--sandbox", "off"),
        ("resume", operation_id, "--revision", "1", "--digest", "sha256:0", "--sandbox", "off"),
        ("show", operation_id),
    )
    parts = [shown(line, language, "operation", *look) for look in looks for language in ("en", "fr")]
    assert "\n".join(parts) == snapshot
