"""The façade: from a decided launch to a judged answer, with and without a sandbox."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agentl.hosting.manifest import Handler
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.handlers import Handlers
from agentl.operations.problems import NotLaunched, Problem
from agentl.operations.sandbox import Mode
from agentl.operations.tool_calls import Applied, EarlierAttempt, NotApplied, Unknown, Withheld
from tests.operations.handler_folder import Place, binding, call, needs_bwrap, needs_node, place, python, shell

SANDBOXES = ["off", pytest.param("require", marks=needs_bwrap)]
ECHO = """printf '{"output": {"read": '; cat; printf '}}'"""


@pytest.fixture
def here(tmp_path: Path) -> Place:
    return place(tmp_path / "place")


@pytest.fixture(params=SANDBOXES)
def sandbox(request: pytest.FixtureRequest) -> Mode:
    mode: Mode = request.param
    return mode


def checked(handlers: Handlers) -> Iterator[Handlers]:
    handlers.check()
    yield handlers
    handlers.close()


def test_a_call_is_told_by_the_protocol_and_its_output_comes_back(here: Place, sandbox: Mode) -> None:
    echo = shell(ECHO)
    for handlers in checked(here.handlers(echo, sandbox=sandbox)):
        launched = handlers.launch(echo, call(amount=5))
    assert launched.elapsed_ms >= 1
    assert launched.answer == Applied(
        {
            "read": {
                "schema_version": "agentl-tool-call-v1",
                "tool": "tool:DESK/Send",
                "input": {"amount": 5},
                "operation_id": "operation:1",
                "effect_id": "e" * 32,
                "call_id": "run:1:DESK:t1:a1:n1",
                "attempt": 1,
                "deadline_ms": 10_000,
            }
        }
    )


def test_a_reconciliation_is_the_same_call_with_its_attempts(here: Place, sandbox: Mode) -> None:
    ask = shell("""printf '{"applied": true, "output": '; cat; printf '}'""")
    for handlers in checked(here.handlers(ask, sandbox=sandbox)):
        answer = handlers.reconcile(ask, call(), [EarlierAttempt("c:1", 1_700_000_000_123, 5000)]).answer
    assert isinstance(answer, Applied)
    assert answer.output["mode"] == "reconcile"
    assert answer.output["attempts"] == [
        {"call_id": "c:1", "started_at": "2023-11-14T22:13:20.123Z", "deadline_ms": 5000}
    ]


def test_secrets_are_resolved_at_each_launch_and_refused_in_an_output(here: Place, sandbox: Mode) -> None:
    tell = shell(
        """printf '{"output": {"key": "<%s>"}}' "$SECRET_API_KEY"; echo "key $SECRET_API_KEY" >&2""",
        grants=["secret:api_key"],
    )
    for handlers in checked(here.handlers(tell, sandbox=sandbox)):
        with pytest.raises(Problem, match="api_key") as refused:
            handlers.prepare(tell, call())
        assert (refused.value.wire, refused.value.details["handle"]) == ("SecretUnavailable", "api_key")
        with pytest.raises(NotLaunched):
            handlers.launch(tell, call())
        here.secret("api_key", "correct-horse\n")
        handlers.prepare(tell, call())
        answer = handlers.launch(tell, call()).answer
        assert isinstance(answer, Withheld) and answer.code == "SecretInOutput"
        assert handlers.stderr(call().call_id) == "key [secret api_key]\n"
        here.secret("api_key", "short")
        assert handlers.launch(tell, call(2)).answer == Applied({"key": "<short>"})


def test_a_secret_is_found_in_no_file_of_the_state_folder(here: Place) -> None:
    here.secret("api_key", marker := "marker-of-a-secret")
    tell = shell('env >&2; echo "$SECRET_API_KEY"; exit 1', grants=["secret:api_key"])
    for handlers in checked(here.handlers(tell)):
        assert isinstance(handlers.launch(tell, call()).answer, Unknown)
    files = [file for file in here.state.rglob("*") if file.is_file() and here.secrets not in file.parents]
    assert files and not [file for file in files if marker in file.read_text()]


def test_the_bound_holds_for_what_goes_in_and_before_anything_starts(here: Place) -> None:
    small = shell(f"touch {here.state}/ran", bound=400)
    for handlers in checked(here.handlers(small)):
        handlers.prepare(small, call(text="x"))
        with pytest.raises(Problem) as refused:
            handlers.prepare(small, call(text="x" * 400))
        assert refused.value.wire == "PayloadTooLarge"
        with pytest.raises(NotLaunched):
            handlers.launch(small, call(text="x" * 400))
    assert not (here.state / "ran").exists()


def test_two_agents_with_a_tool_of_one_name_have_two_handlers(here: Place) -> None:
    ours = shell("""printf '{"output": {"of": "DESK"}}'""")
    theirs = replace(shell("""printf '{"output": {"of": "BANK"}}'"""), tool="tool:BANK/Send", agent="BANK")
    for handlers in checked(here.handlers(ours, theirs)):
        answers = [handlers.launch(bound, call(n)).answer for n, bound in enumerate((ours, theirs))]
    assert answers == [Applied({"of": "DESK"}), Applied({"of": "BANK"})]


def test_every_problem_is_told_at_start(here: Place) -> None:
    (here.folder / "plain.txt").write_text("no program")
    bindings = [
        binding(Handler("process", "no-such-program"), name="A"),
        binding(Handler("process", "../outside"), name="B"),
        binding(Handler("process", "./plain.txt"), name="C"),
        binding(Handler("process", "sh", cwd="nowhere"), name="D"),
        python("absent_module:run", name="E"),
        shell("true", name="F", grants=["env:NOT_SET_HERE"]),
        shell("true", name="G", grants=["fs-read:nothing", "fs-write:/run"]),
        shell("true", name="H", grants=[f"fs-read:{here.state}"]),
    ]
    with pytest.raises(HandlersRefused) as refused:
        here.handlers(*bindings).check()
    codes = [diagnostic.code for diagnostic in refused.value.diagnostics]
    assert codes == ["O201", "O202", "O203", "O200", "O204", "O205", "O207", "O208", "O208"]


def test_what_cannot_be_started_is_told_as_such(here: Place, sandbox: Mode) -> None:
    file = here.program("handler", "#!/no/such/interpreter\n")
    broken = binding(Handler("process", "./handler"))
    for handlers in checked(here.handlers(broken, sandbox=sandbox)):
        with pytest.raises(NotLaunched):
            handlers.launch(broken, call())
        file.write_text("#!/bin/sh\nprintf '{\"output\": {}}'")
        assert handlers.launch(broken, call()).answer == Applied({})


def test_another_folder_at_the_place_of_the_working_folder_is_refused(here: Place) -> None:
    (here.folder / "work").mkdir()
    bound = binding(Handler("process", "sh", ("-c", ECHO), cwd="work"))
    for handlers in checked(here.handlers(bound)):
        (here.folder / "work").rename(here.folder / "gone")
        (here.folder / "work").mkdir()
        with pytest.raises(NotLaunched):
            handlers.launch(bound, call())


def test_nothing_of_an_attempt_is_in_flight_after_its_end(here: Place, sandbox: Mode) -> None:
    loud = shell("sleep 30 & printf '{\"output\": {}}'")
    for handlers in checked(here.handlers(loud, sandbox=sandbox)):
        assert handlers.launch(loud, call()).answer == Applied({})
        assert handlers.in_flight(call().call_id) is False
        assert handlers.clear(call().call_id) is True
    assert list((here.state / "attempts").iterdir()) == []


def test_a_time_out_is_unknown_and_a_refusal_of_the_handler_is_not_applied(here: Place, sandbox: Mode) -> None:
    slow = shell("sleep 30", name="Slow", timeout_ms=300)
    no = shell("""printf '{"error": {"code": "Full", "message": "no room", "outcome": "not_applied"}}'""", name="No")
    for handlers in checked(here.handlers(slow, no, sandbox=sandbox)):
        launched = handlers.launch(slow, call())
        assert isinstance(launched.answer, Unknown) and "300 ms" in launched.answer.text
        assert handlers.launch(no, call(2)).answer == NotApplied("Full", "no room")


def test_a_digest_changes_with_the_files_that_are_named(here: Place) -> None:
    here.program("run.sh", "#!/bin/sh\n")
    (here.folder / "data.json").write_text("1")
    bound = binding(Handler("process", "./run.sh", ("data.json", "--verbose")))
    for handlers in checked(here.handlers(bound)):
        first = handlers.digest(bound)
        assert first == handlers.digest(bound) and first.startswith("sha256:")
        (here.folder / "data.json").write_text("2")
        second = handlers.digest(bound)
        here.program("run.sh", "#!/bin/sh\ntrue\n")
        assert len({first, second, handlers.digest(bound)}) == 3


def test_grants_are_shown_as_they_hold_here(here: Place) -> None:
    (here.folder / "data").mkdir()
    bound = shell("true", grants=["network", "fs-read:data", "env:BOX", "fs-write:$BOX/data"])
    environ = {"BOX": str(here.folder)}
    for handlers in checked(here.handlers(bound, environ=environ)):
        data = str(here.folder / "data")
        assert handlers.granted(bound) == ["env:BOX", f"fs-read:{data}", f"fs-write:{data}", "network"]
        assert json.dumps(dict(handlers.resolved_paths(bound)))


NODE = """
import { readFileSync } from "node:fs";
const call = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify({ output: { key: call.effect_id, amount: call.input.amount } }));
"""


@needs_node
def test_the_handler_of_the_first_page_runs_with_node(here: Place, sandbox: Mode) -> None:
    here.program("handlers/create-order.handler.mjs", NODE)
    bound = binding(Handler("process", "node", ("handlers/create-order.handler.mjs",)), grants=["network"])
    path = str(Path(shutil.which("node") or "").parent) + ":/usr/bin:/bin"
    for handlers in checked(here.handlers(bound, sandbox=sandbox, environ={"PATH": path})):
        assert handlers.launch(bound, call(amount=5)).answer == Applied({"key": "e" * 32, "amount": 5})
