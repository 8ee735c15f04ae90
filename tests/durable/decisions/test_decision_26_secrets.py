"""Decision 26: the value of a secret is in no file and in no output; the program holds a handle only."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from agentl.durable import FileStore
from agentl.hosting.host import Host
from agentl.values import Symbol
from tests.durable.kit import Clocks, Desk, Killed, World, lines

MARKER = 'sk-live-"geheim"/42'
FORMS = (
    MARKER,
    json.dumps(MARKER)[1:-1],
    repr(MARKER)[1:-1],
    quote(MARKER),
    base64.b64encode(MARKER.encode()).decode(),
)
TEXT = """\
AGENT DESK {
    OBSERVE { account.frozen }
    TOOL charge { INPUT { amount: Number  token: String }  OUTPUT { receipt: String }  RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN work WHEN TRUE { charge(amount = 40, token = %s) }
    LOOP MAX 2 { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE }
}
"""
HANDLE = '"secret:bank"'


def host_with(world: World, supply: Any = MARKER, **options: Any) -> Host:
    host = Host()
    host.sensors["account.frozen"] = lambda: world.read("account.frozen")
    given: list[str] = []

    @host.secret("bank")
    def bank() -> str:
        if isinstance(supply, Exception):
            raise supply
        return str(supply)

    @host.tool("charge", secret={"token"}, **options)
    def charge(amount: Any, token: Any) -> Any:
        given.append(token)
        assert token == MARKER
        return world.call("charge", {"amount": amount})

    return host


def desk(folder: Path, *script: Any, token: str = HANDLE) -> Desk:
    return Desk(TEXT % token, World({"charge": list(script)}), store=FileStore(folder))


def everything_in(folder: Path) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes().decode("utf-8", "replace")


def assert_nowhere(*texts: str, folder: Path) -> None:
    places = [*everything_in(folder), *((f"text {number}", text) for number, text in enumerate(texts))]
    assert len(places) > len(texts)
    found = [(place, form) for place, text in places for form in FORMS if form in text]
    assert found == []


LEAKS: list[Any] = [
    {"receipt": f"paid with {MARKER}"},
    ValueError(f"401 for {MARKER!r}"),
    TimeoutError(f"no answer to {quote(MARKER)}"),
    KeyError(MARKER),
    {"receipt": base64.b64encode(MARKER.encode()).decode()},
    {MARKER: MARKER, "receipt": "R"},
    {"receipt": Symbol(MARKER)},
    OSError(5, f"cannot reach https://bank/?token={quote(MARKER, safe='')}"),
]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: type(leak).__name__)
def test_the_marker_is_in_no_file_no_trace_no_event_and_no_export(tmp_path: Path, leak: Any) -> None:
    events: list[str] = []
    run_desk = desk(tmp_path / "run", leak, leak)
    run = run_desk.process(
        host_with(run_desk.world),
        source=run_desk.text,
        sink=lambda event, again: events.append(f"{event.render()} {event.facts}"),
    )
    assert run_desk.world.count("charge") >= 1
    exported = run.export().dumps()
    status = repr((run.journal, run.settled, run.doubts))
    assert_nowhere(run.trace_text(), exported, status, *events, folder=tmp_path)


def test_the_marker_is_nowhere_after_a_kill_and_a_resume_either(tmp_path: Path) -> None:
    run_desk = desk(tmp_path / "run", Killed(), RuntimeError(MARKER), {"receipt": MARKER})
    run_desk.process(host_with(run_desk.world, idempotent=True))
    run_desk.store = FileStore(tmp_path / "run")
    run = run_desk.process(host_with(run_desk.world, idempotent=True))
    assert run_desk.world.count("charge") == 3
    assert_nowhere(run.trace_text(), run.export().dumps(), folder=tmp_path)


def test_a_late_answer_and_a_look_up_leak_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr("agentl.durable.driver.GRACE_S", 2.0)

    def late() -> dict[str, str]:
        time.sleep(0.05)
        return {"receipt": MARKER}

    run_desk = desk(tmp_path / "run", late)
    host = host_with(run_desk.world, timeout_s=0.01)
    asked: list[Any] = []

    @host.reconciler("charge", after_s=0)
    def looked_up(args: dict[str, Any], context: Any) -> Any:
        asked.append(args)
        raise LookupError(f"nothing for {MARKER}")

    run = run_desk.process(host)
    assert asked[0]["token"] == "secret:bank"
    assert run_desk.of_kind("late") != []
    assert_nowhere(run.trace_text(), folder=tmp_path)


def test_the_program_and_the_journal_hold_the_handle_and_a_keyed_digest(tmp_path: Path) -> None:
    run_desk = desk(tmp_path / "run", {"receipt": "R"})
    run_desk.process(host_with(run_desk.world))
    first, second = run_desk.of_kind("intent")
    assert first["secrets"] == second["secrets"]
    assert len(bytes.fromhex(first["secrets"]["token"])) == 32
    invoked = next(entry for entry in run_desk.entries if entry["kind"] == "invoke")
    assert ["token", "secret:bank"] in invoked["args"]["$dict"]


def test_the_key_of_the_digests_is_private_to_the_folder_and_not_exported(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        run_desk = desk(tmp_path / name, {"receipt": "R"})
        run = run_desk.process(host_with(run_desk.world))
        key = tmp_path / name / "secret.key"
        assert len(key.read_bytes()) == 32
        assert key.stat().st_mode & 0o777 == 0o600
        assert key.read_bytes().hex() not in run.export().dumps()
        digests.append(run_desk.of_kind("intent")[0]["secrets"]["token"])
    assert digests[0] != digests[1]


def test_the_key_is_kept_over_a_resume(tmp_path: Path) -> None:
    run_desk = desk(tmp_path / "run", {"receipt": "R"}, Killed(), {"receipt": "R"})
    run_desk.process(host_with(run_desk.world, idempotent=True))
    key = (tmp_path / "run" / "secret.key").read_bytes()
    run_desk.store = FileStore(tmp_path / "run")
    run_desk.process(host_with(run_desk.world, idempotent=True))
    assert (tmp_path / "run" / "secret.key").read_bytes() == key


# --- what cannot be filled


@pytest.mark.parametrize("token", ['"not a handle"', '"secret:unknown"', '"secret:"'])
def test_what_is_no_handle_is_refused_and_the_run_can_be_derived_again(tmp_path: Path, token: str) -> None:
    run_desk = desk(tmp_path / "run", {"receipt": "R"}, token=token)
    run = run_desk.process(host_with(run_desk.world))
    assert run_desk.world.calls == []
    assert run_desk.of_kind("intent") == []
    assert len(lines(run, "BLOCKED")) == 2
    run_desk.store = FileStore(tmp_path / "run")
    again = run_desk.process(host_with(run_desk.world))
    assert again.trace_text() == run.trace_text()


def test_a_refused_handle_stays_refused_on_a_host_that_has_it_by_now(tmp_path: Path) -> None:
    run_desk = desk(tmp_path / "run", {"receipt": "R"}, token='"secret:new"')
    run_desk.text = run_desk.text.replace("LOOP", "TOOL note { INPUT { text: String }  RISK LOW } LOOP").replace(
        'token = "secret:new")', 'token = "secret:new") note(text = "x")'
    )
    host = host_with(run_desk.world)

    @host.tool("note")
    def note(text: str) -> None:
        raise Killed

    run_desk.process(host)
    run_desk.store = FileStore(tmp_path / "run")
    better = host_with(run_desk.world)
    better.secrets["new"] = lambda: MARKER
    better.tool("note")(lambda text: None)
    run_desk.process(better)
    assert [made.action_id.rpartition(":t")[2][0] for made in run_desk.world.calls] == ["2"]


@pytest.mark.parametrize("supply", [RuntimeError(f"vault is shut: {MARKER}"), ""])
def test_a_supplier_that_fails_is_a_call_that_was_not_made(tmp_path: Path, supply: Any) -> None:
    run_desk = desk(tmp_path / "run", {"receipt": "R"})
    run = run_desk.process(host_with(run_desk.world, supply))
    assert run_desk.world.calls == []
    assert run_desk.errors == ["NotApplied", "NotApplied"]
    assert run.status == "completed"
    run_desk.store = FileStore(tmp_path / "run")
    assert run_desk.process(host_with(run_desk.world)).trace_text() == run.trace_text()
    assert_nowhere(run.trace_text(), folder=tmp_path)


def test_clocks_of_the_kit_are_fake() -> None:
    """Guards the tests that judge waits: no test of this folder may really wait."""
    clocks = Clocks()
    clocks.sleep(1000)
    assert (clocks.boot, clocks.slept) == (1100.0, [1000])
