"""The seed's table of refusals, one test a row: nothing is called and the folder stays as it was."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from agentl.journal.chain import body_of, chain_hashes, line_of
from tests.durable.processes import KILLED, Ended, agentl
from tests.durable.seed_host import PROGRAM, Seed

COMMAND = ("run", "payments.agent", "--durable", "runs/payments", "--lang", "fr")


@pytest.fixture
def interrupted(tmp_path: Path) -> Seed:
    """Killed in the notification: the transfer is done and noted."""
    seed = Seed(tmp_path)
    seed.kill_at("notify")
    assert agentl(*COMMAND, cwd=tmp_path).code == KILLED
    return seed


def hashes(folder: Path) -> dict[str, str]:
    """Every file of a folder and its content, as one comparable value."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def refused(seed: Seed) -> Ended:
    """Resume, and hold that nothing was called and nothing changed."""
    folder = seed.folder / "runs" / "payments"
    before, calls = hashes(folder), (seed.count("transfer asked"), seed.count("notify"))
    ended = agentl(*COMMAND, cwd=seed.folder)
    assert hashes(folder) == before
    assert (seed.count("transfer asked"), seed.count("notify")) == calls
    assert ended.out == ""
    assert ended.code == 3, str(ended)
    return ended


def test_refusal_the_program_has_changed(interrupted: Seed) -> None:
    """« le programme a changé depuis le début de cette exécution »"""
    changed = PROGRAM.replace('to = "ACME"', 'to = "ACME SA"')
    (interrupted.folder / "payments.agent").write_text(changed, encoding="utf-8")
    ended = refused(interrupted)
    assert "le programme a changé depuis le début de cette exécution" in ended.err


def test_blank_lines_comments_and_line_endings_are_no_change(interrupted: Seed) -> None:
    changed = "// a word\r\n\r\n" + PROGRAM.replace("\n", "\r\n")
    (interrupted.folder / "payments.agent").write_bytes(changed.encode())
    assert agentl(*COMMAND, cwd=interrupted.folder).code == 0


def log_of(seed: Seed) -> Path:
    return seed.folder / "runs" / "payments" / "wal.jsonl"


def test_refusal_the_journal_is_altered(interrupted: Seed) -> None:
    """« journal durable altéré au franchissement #n : la chaîne ne se vérifie plus »"""
    log = log_of(interrupted)
    lines = log.read_bytes().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if b'"kind":"invoke"' in line)
    lines[number] = lines[number].replace(b"booked", b"broken")
    log.write_bytes(b"".join(lines))
    ended = refused(interrupted)
    assert re.search(
        rf"journal durable altéré au franchissement #{number} \(octet \d+\) : la chaîne ne se vérifie plus", ended.err
    )


def test_refusal_what_is_derived_again_does_not_match(interrupted: Seed) -> None:
    """« reprise impossible au franchissement #n » : an action recorded for other arguments, the chain made anew."""
    log = log_of(interrupted)
    entries = [json.loads(line) for line in log.read_bytes().splitlines()]
    number = next(n for n, entry in enumerate(entries) if entry["kind"] == "invoke")
    entries[number] = json.loads(json.dumps(entries[number]).replace("ACME", "EMCA"))
    new = chain_hashes(entries)
    log.write_bytes(b"".join(line_of(body_of(entry), h) for entry, h in zip(entries, new, strict=True)))
    (log.parent / "head.json").unlink()
    ended = refused(interrupted)
    assert f"reprise impossible au franchissement #{number}" in ended.err
    assert "EMCA" in ended.err and "ACME" in ended.err


def test_refusal_an_approval_recorded_for_other_arguments(tmp_path: Path) -> None:
    """The seed's own example of the third row."""
    approved = PROGRAM.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR transfer")
    seed = Seed(tmp_path)
    host = (tmp_path / "payments.py").read_text(encoding="utf-8")
    (tmp_path / "payments.py").write_text(
        host.replace("return host, None", "host.approver = lambda r: True\n    return host, None")
    )
    (tmp_path / "payments.agent").write_text(approved, encoding="utf-8")
    seed.kill_at("transfer")
    assert agentl(*COMMAND, cwd=tmp_path).code == KILLED
    log = log_of(seed)
    entries = [json.loads(line) for line in log.read_bytes().splitlines()]
    number = next(n for n, entry in enumerate(entries) if entry["kind"] == "approve")
    entries[number]["key"] = entries[number]["key"].replace("250", "249")
    new = chain_hashes(entries)
    log.write_bytes(b"".join(line_of(body_of(entry), h) for entry, h in zip(entries, new, strict=True)))
    (log.parent / "head.json").unlink()
    ended = refused(seed)
    assert f"reprise impossible au franchissement #{number}" in ended.err
    assert "amount=249" in ended.err and "amount=250" in ended.err
