"""Modules a run began with are kept, and hold when a release ships others (decision 17)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl import resources
from agentl.diagnostics import Source
from agentl.durable.opening import kept_program
from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.ir.digest import run_digest
from agentl.journal.errors import DurableError
from agentl.journal.stores.memory import MemoryStore
from agentl.syntax.parser import Parsed, parse

PROGRAM = """IMPORT std.durable
AGENT a {
    USE std.durable
    TOOL t { RISK LOW }
    PLAN p WHEN 1 == 1 { t() }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}"""


def parsed() -> Parsed:
    found = parse(Source(PROGRAM, "a.agent"))
    assert found.program is not None, found.diagnostics
    return found


def run_of(store: MemoryStore, host: Host) -> DurableRun:
    found = parsed()
    assert found.program is not None
    return DurableRun(found.program, host, store=store, source=found.source, modules=found.modules)


def host(calls: list[int]) -> Host:
    made = Host()
    made.tools["t"] = lambda: calls.append(1) or {}  # type: ignore[func-returns-value]
    return made


def test_the_texts_a_program_imports_are_kept_and_join_to_the_same_program() -> None:
    store = MemoryStore()
    run_of(store, host([])).run()
    kept = kept_program(store)
    assert kept is not None
    program = parsed().program
    assert program is not None
    assert run_digest(kept[0]) == run_digest(program)


def shipped(folder: Path, extra: str) -> None:
    text = (resources.stdlib_folder() / "durable.agent").read_text(encoding="utf-8")
    head, rest = text.split("\nMODULE ", 1)
    changed = f"{head}\nMODULE {rest.replace('POLICY {', f'POLICY {{ {extra}', 1)}"
    assert changed != text
    (folder / "durable.agent").write_text(changed, encoding="utf-8")


def test_another_release_of_a_shipped_module_does_not_change_a_run_that_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, calls = MemoryStore(), list[int]()
    first = run_of(store, host(calls))
    first.run()
    shipped(tmp_path, "NEVER * WHEN 1 == 1 ")
    monkeypatch.setattr(resources, "stdlib_folder", lambda: tmp_path)
    again = run_of(store.crashed(), host(calls))
    again.run()
    assert again.keeps_modules
    assert calls == [1]
    assert again.trace_text() == first.trace_text()


def test_a_changed_program_is_refused_also_when_its_modules_are_kept() -> None:
    store = MemoryStore()
    run_of(store, host([])).run()
    changed = parse(Source(PROGRAM.replace("RISK LOW", "RISK HIGH"), "a.agent"))
    assert changed.program is not None
    with pytest.raises(DurableError):
        DurableRun(changed.program, host([]), store=store, source=changed.source, modules=changed.modules)
