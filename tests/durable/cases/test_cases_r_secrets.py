"""Cases P-R1 to P-R4: secrets, and what is emitted across resumes. That no secret is written down: decision 26."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, FileStore
from agentl.hosting.secrets import SecretNeeded
from tests.cli.folders import PROGRAM, Place
from tests.durable.decisions.test_decision_26_secrets import MARKER, assert_nowhere, desk, host_with
from tests.durable.kit import Desk, Killed
from tests.durable.processes import KILLED

# --- P-R2: without its secret an action that may have taken place is neither sent nor given up


def without_secret(world: Any, **options: Any) -> list[Any]:
    bare = host_with(world, **options)
    bare.secrets.clear()
    return [
        host_with(world, RuntimeError(f"vault is shut: {MARKER}"), **options),
        host_with(world, "", **options),
        bare,
    ]


def killed_in_the_call(tmp_path: Path, **options: Any) -> Desk:
    made = desk(tmp_path / "run", Killed(), {"receipt": "R"})
    made.process(host_with(made.world, **options))
    return made


def again(made: Desk, host: Any) -> Any:
    made.store = FileStore(made.store.directory)
    return made.process(host)


def test_case_r2_a_retry_without_its_secret_stops_the_run_and_leaves_the_action_pending(tmp_path: Path) -> None:
    made = killed_in_the_call(tmp_path, idempotent=True)
    for host in without_secret(made.world, idempotent=True):
        with pytest.raises(SecretNeeded, match=r"the secret `bank` is needed to settle charge \(") as stopped:
            again(made, host)
        assert_nowhere(str(stopped.value), folder=tmp_path)
        assert made.world.count("charge") == 1
        assert made.resolutions == []
    run = again(made, host_with(made.world, idempotent=True))
    assert made.resolutions == ["retry"]
    assert made.errors == []
    assert (made.world.count("charge"), made.world.effects("charge")) == (3, 2)  # the second tick pays a second time
    assert run.status == "completed"


def test_case_r2_so_does_a_call_that_a_look_up_has_shown_to_be_due(tmp_path: Path) -> None:
    def reconciled(host: Any) -> Any:
        host.reconciler("charge", after_s=0)(lambda args, context: NOT_EXECUTED)
        return host

    made = desk(tmp_path / "run", Killed(), {"receipt": "R"})
    made.process(reconciled(host_with(made.world)))
    for host in without_secret(made.world):
        with pytest.raises(SecretNeeded):
            again(made, reconciled(host))
    assert (made.world.count("charge"), made.resolutions) == (1, [])
    again(made, reconciled(host_with(made.world)))
    assert made.resolutions == ["not_executed"]


def test_case_r2_within_one_process_too(tmp_path: Path) -> None:
    made = desk(tmp_path / "run", TimeoutError("late"), {"receipt": "R"})
    host = host_with(made.world, idempotent=True)
    given = host.secrets["bank"]
    handed_out: list[int] = []

    def only_once() -> Any:
        handed_out.append(1)
        if len(handed_out) > 2:  # once for the digest in the intent, once for the call
            raise KeyError("bank")
        return given()

    host.secrets["bank"] = only_once
    with pytest.raises(SecretNeeded):
        made.process(host)
    assert (made.world.count("charge"), made.errors) == (1, [])
    run = again(made, host_with(made.world, idempotent=True))
    assert (made.resolutions[0], run.status) == ("retry", "completed")


SECRET_PROGRAM = PROGRAM.replace("to: String }", "to: String  token: String }", 1).replace(
    'to = "Zürich")', 'to = "Zürich", token = "secret:bank")'
)
SECRET_TOOL = """\
@host.secret("bank")
def bank():
    return (HERE / "vault").read_text()
@host.tool("pay", idempotent=True, secret={"token"})
def pay(amount, to, token):
    assert token == "geheim"
    happens("pay")
    return {"receipt": "R-1"}
"""


@pytest.mark.parametrize(("language", "said"), [("en", "is needed to settle"), ("fr", "est nécessaire pour trancher")])
def test_case_r2_the_command_line_says_what_is_needed(tmp_path: Path, language: str, said: str) -> None:
    place = Place(tmp_path, SECRET_PROGRAM, more=SECRET_TOOL)
    place.write("vault", "geheim")
    place.once("pay")
    assert place.durable().code == KILLED
    (tmp_path / "vault").unlink()
    ended = place.durable("--lang", language)
    assert (ended.code, place.count()) == (2, 1), str(ended)
    assert said in ended.err and "`bank`" in ended.err and "H018" in ended.err
    place.write("vault", "geheim")
    assert place.durable().code == 0
    assert len(set(place.keys())) == 1


# --- P-R3 and P-R4: what is emitted

LONG = PROGRAM.replace(
    'pay(amount = 40, to = "Zürich")\n        note(text = "done")',
    'FOREACH n IN [1 2 3 4 5 6 7 8 9 10] { pay(amount = n, to = "Zürich") }\n        note(text = "done")',
)
ARMED = """\
@host.tool("pay", idempotent=True)
def pay(amount, to):
    happens("pay")
    if (HERE / f"die-{amount:g}").exists():
        (HERE / f"die-{amount:g}").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"receipt": f"R-{amount:g}"}
"""


def events_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without(event: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}


def killed_at(tmp_path: Path, *amounts: int) -> Place:
    place = Place(tmp_path, LONG, more=ARMED)
    for amount in amounts:
        place.write(f"die-{amount}", "")
    return place


def test_case_r3_the_events_of_a_run_killed_three_times_are_those_of_one_that_was_not(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    whole, cut = killed_at(tmp_path / "whole"), killed_at(tmp_path / "cut", 1, 4, 10)
    assert whole.durable("--run-id", "r", "--events", "e.jsonl").code == 0
    for _ in range(3):
        assert cut.durable("--run-id", "r", "--events", "e.jsonl").code == KILLED
    assert cut.durable("--events", "e.jsonl").code == 0
    expected, seen = events_of(whole.folder / "e.jsonl"), events_of(cut.folder / "e.jsonl")
    assert seen == expected
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert sum(event["kind"] == "TOOL" for event in seen) == 11


@pytest.mark.parametrize("tail", [b'{"run": "r", "se', b"\xff\xff", b"{}"])
def test_case_r3_a_line_that_was_half_written_is_written_anew(tmp_path: Path, tail: bytes) -> None:
    place = killed_at(tmp_path, 5)
    assert place.durable("--run-id", "r", "--events", "e.jsonl").code == KILLED
    file = tmp_path / "e.jsonl"
    file.write_bytes(file.read_bytes() + tail)
    assert place.durable("--events", "e.jsonl").code == 0
    seen = events_of(file)
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))


def test_case_r3_lines_the_dead_process_could_not_write_any_more_are_not_missing(tmp_path: Path) -> None:
    place = killed_at(tmp_path, 5)
    assert place.durable("--run-id", "r", "--events", "e.jsonl").code == KILLED
    file = tmp_path / "e.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-3]))
    assert place.durable("--events", "e.jsonl").code == 0
    seen = events_of(file)
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))


@pytest.mark.parametrize("other", ["", "no events\n", '{"run": "another", "seq": 7}\n', "7\n", '{"run": "r"}\n'])
def test_case_r3_into_another_file_goes_only_what_is_new(tmp_path: Path, other: str) -> None:
    """Each event has its number in the run, so that what two processes wrote can be put together."""
    place = killed_at(tmp_path, 5)
    assert place.durable("--run-id", "r", "--events", "one.jsonl").code == KILLED
    place.write("two.jsonl", other)
    assert place.durable("--events", "two.jsonl").code == 0
    one, two = events_of(tmp_path / "one.jsonl"), events_of(tmp_path / "two.jsonl")
    assert two[0]["seq"] <= one[-1]["seq"] + 1
    by_number = {event["seq"]: event for event in [*one, *two]}
    assert sorted(by_number) == list(range(1, two[-1]["seq"] + 1))
    assert all(by_number[event["seq"]] == event for event in one)


def test_case_r3_a_new_run_begins_its_file_anew(tmp_path: Path) -> None:
    place = killed_at(tmp_path)
    for directory in ("one", "two"):
        assert place.run("--durable", directory, "--run-id", "r", "--events", "e.jsonl").code == 0
    assert events_of(tmp_path / "e.jsonl")[0]["seq"] == 1


def test_case_r3_counters_equal_those_of_an_uninterrupted_run(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    whole, cut = killed_at(tmp_path / "whole"), killed_at(tmp_path / "cut", 4, 7)
    expected = whole.durable().out.splitlines()[-1]
    for _ in range(2):
        assert cut.durable().code == KILLED
    assert cut.durable().out.splitlines()[-1] == expected


def test_case_r4_one_run_has_one_id_in_everything_that_three_resumes_say(tmp_path: Path) -> None:
    place = killed_at(tmp_path, 2, 5, 8)
    ids = set()
    for number in range(4):
        ended = place.durable("--events", f"e-{number}.jsonl")
        ids |= {event["run"] for event in events_of(tmp_path / f"e-{number}.jsonl")}
        ids.add(json.loads(place.agentl("durable", "status", "run", "--format", "json").out)["run_id"])
        assert ended.code == (KILLED if number < 3 else 0)
    assert len(ids) == 1
    assert ids <= set(place.entries()[0]["key"].split())  # type: ignore[attr-defined]
