"""Handlers of kind python: launched as a process, by the same protocol, with `current_action()`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agentl.operations.handlers import Handlers
from agentl.operations.sandbox import Mode
from agentl.operations.tool_calls import Applied, EarlierAttempt, Judged, NotApplied, Unknown, Withheld
from tests.operations.handler_folder import Place, call, needs_bwrap, place, python

DESK = '''
"""A module of handlers, as a user writes one."""
import asyncio
import sys
from agentl import NotApplied, OutcomeUnknown
from agentl.durable import NOT_EXECUTED
from agentl.kernel import current_action, require_permit

def echo(**given):
    print("printed, which is no answer")
    sys.stdout.write("neither is this\\n")
    return given

def action():
    now = current_action()
    return {"kind": now.kind, "tool": now.tool, "id": now.action_id, "key": now.idempotency_key, "n": now.attempt}

async def later(n):
    await asyncio.sleep(0)
    return {"n": n, "key": current_action().idempotency_key}

def refuse(): raise NotApplied("no room")
def doubt(): raise OutcomeUnknown("no answer came")
def crash(): raise ValueError("of a kind")
def leave(): sys.exit(0)
def nothing(): pass
def odd(): return {"a": {1, 2}}
def infinite(): return {"a": float("nan")}
def large(): return {"a": 2**60}
def listed(): return [1]
def again(): return require_permit("invoke", "Send", {}) and {}

class Desk:
    @staticmethod
    def open(): return {"from": "a class"}

def print_label(n): return {"sheet": n}
def reconcile_print_label(given, context):
    if given["n"] == 1: return {"sheet": 1, "key": context.idempotency_key}
    if given["n"] == 2: return NOT_EXECUTED
    if given["n"] == 3: return None
    raise ConnectionError("the printer is off")
'''

FUNCTIONS = (
    *("echo", "action", "later", "refuse", "doubt", "crash", "leave", "nothing", "odd", "infinite", "large", "listed"),
    *("again", "Desk.open", "missing", "print_label"),
)
Run = Callable[..., Judged]


@pytest.fixture(scope="module", params=["off", pytest.param("require", marks=needs_bwrap)])
def handlers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Handlers]:
    mode: Mode = request.param
    here: Place = place(tmp_path_factory.mktemp("python") / "place")
    here.program("desk.py", DESK)
    made = here.handlers(*(python(f"desk:{name}", name=name) for name in FUNCTIONS), sandbox=mode)
    made.check()
    yield made
    made.close()


@pytest.fixture
def run(handlers: Handlers) -> Run:
    return lambda name, **given: handlers.launch(python(f"desk:{name}", name=name), call(**given)).answer


def test_the_input_is_keywords_and_what_is_returned_the_output(run: Run) -> None:
    assert run("echo", a=1, b={"c": ["é", None]}) == Applied({"a": 1, "b": {"c": ["é", None]}})
    assert run("nothing") == Applied({})
    assert run("Desk.open") == Applied({"from": "a class"})


def test_current_action_works_in_it(run: Run) -> None:
    expected = {"kind": "invoke", "tool": "action", "id": "run:1:DESK:t1:a1", "key": "e" * 32, "n": 1}
    assert run("action") == Applied(expected)


def test_an_async_function_is_awaited_with_its_action(run: Run) -> None:
    assert run("later", n=3) == Applied({"n": 3, "key": "e" * 32})


def test_not_applied_is_the_only_exception_that_says_so(run: Run) -> None:
    assert run("refuse") == NotApplied("NotApplied", "no room")
    for name, said in (("doubt", "no answer came"), ("crash", "ValueError: of a kind"), ("missing", "missing")):
        answer = run(name)
        assert isinstance(answer, Unknown) and said in answer.text
    assert isinstance(run("leave"), Unknown)
    assert isinstance(run("print_label"), Unknown)  # an argument too few


def test_a_returned_output_that_cannot_be_told_is_applied_and_withheld(run: Run) -> None:
    for name in ("odd", "infinite", "large", "listed"):
        answer = run(name)
        assert isinstance(answer, Withheld) and answer.code == "OutputRefused", name


def test_the_permit_of_the_call_was_used_up_in_the_server(run: Run) -> None:
    answer = run("again")
    assert isinstance(answer, Unknown) and "PermitError" in answer.text


def test_what_it_prints_is_kept_with_stderr(handlers: Handlers, run: Run) -> None:
    run("echo")
    assert handlers.stderr(call().call_id) == "printed, which is no answer\nneither is this\n"


def test_a_reconciler_stands_beside_its_function(handlers: Handlers) -> None:
    def asked(name: str, n: int) -> Judged:
        return handlers.reconcile(python(f"desk:{name}", name=name), call(n=n), [EarlierAttempt("c:1", 0, 1000)]).answer

    assert asked("print_label", 1) == Applied({"sheet": 1, "key": "e" * 32})
    assert isinstance(asked("print_label", 2), NotApplied)
    assert [type(asked("print_label", n)) for n in (3, 4)] == [Unknown, Unknown]
    assert isinstance(asked("echo", 1), Unknown)


def test_a_module_of_the_folder_comes_before_an_installed_one(tmp_path: Path) -> None:
    here = place(tmp_path / "place")
    here.program("colorsys.py", "def run(): return {'from': 'the folder'}")
    bound = python("colorsys:run")
    handlers = here.handlers(bound)
    handlers.check()
    assert handlers.launch(bound, call()).answer == Applied({"from": "the folder"})
    handlers.close()
