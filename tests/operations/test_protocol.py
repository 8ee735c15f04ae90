"""The judge: every end of a handler has the outcome that the contract names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.operations.launching import Ended
from agentl.operations.protocol import Judge, call_bytes, reconciliation_bytes
from agentl.operations.secrets import KnownSecrets
from agentl.operations.tool_calls import Applied, Judged, NotApplied, Unknown, Withheld
from agentl.values.border import BorderError
from tests.operations.handler_folder import call, shell

BINDING = shell("true", timeout_ms=700, bound=900)
DEEP = 100_000


def judge(*secrets: str) -> Judge:
    known = KnownSecrets()
    for number, secret in enumerate(secrets):
        known.remember(f"s{number}", secret)
    return Judge(BINDING, known)


def judged(stdout: bytes | str, *secrets: str) -> Judged:
    data = stdout.encode() if isinstance(stdout, str) else stdout
    return judge(*secrets).call(Ended("exited", 0, data))


def asked(stdout: str) -> Judged:
    return judge().reconciliation(Ended("exited", 0, stdout.encode()))


def error(**fields: object) -> str:
    return json.dumps({"error": {"code": "C", "message": "m", "outcome": "not_applied", **fields}})


@pytest.mark.parametrize("stdout", ['{"output": {}}', ' \n{"output": {}}\n\n', '{"note": 1, "output": {}}'])
def test_an_object_with_an_output_is_applied(stdout: str) -> None:
    assert judged(stdout) == Applied({})


@pytest.mark.parametrize(
    "ended",
    [
        Ended("exited", 1, b'{"output": {}}'),
        Ended("exited", 126),
        Ended("exited", 1, error().encode()),
        Ended("signalled", 9, b'{"output": {}}'),
        Ended("timed_out", None, b'{"output": {}}'),
        Ended("too_large"),
        Ended("lost"),
    ],
)
def test_an_end_out_of_order_is_unknown_whatever_was_written(ended: Ended) -> None:
    for verdict in (judge().call(ended), judge().reconciliation(ended)):
        assert isinstance(verdict, Unknown) and verdict.text


@pytest.mark.parametrize(
    "stdout",
    [
        b"",
        b" \n",
        b'{"output": {}',
        b'{"output": {"a": "half a li',
        b'{"output": {}} {"output": {}}',
        b'{"output": {}}\n{"output": {}}\n',
        b'{"output": {"a": NaN}}',
        b'{"output": {"a": -Infinity}}',
        b"{'output': {}}",
        b'{"output": {},}',
        b'{"output": {"a": 01}}',
        b'{"output": {"a": "\x01"}}',
        b'{"output": {"a": "\xff"}}',
        b'\xef\xbb\xbf{"output": {}}',
        '{"output": {}}'.encode("utf-16"),
        b"log line\n" + b'{"output": {}}',
        b"null",
        b"[]",
        b'["output"]',
        b'"output"',
        b"{}",
        b'{"Output": {}}',
        b'{"result": {"output": {}}}',
        b"[" * DEEP + b"]" * DEEP,
        b'{"output": ' + b"[" * DEEP,
        b'{"outcome": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    ],
)
def test_what_is_not_one_json_object_with_an_answer_is_unknown(stdout: bytes) -> None:
    assert isinstance(judged(stdout), Unknown)


@pytest.mark.parametrize(
    "output",
    [
        str(2**60),
        '{"a": 1152921504606846976}',
        '{"a": -9007199254740992}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 5000 + "}",
        r'{"a": "\ud800"}',
        r'{"\udfff": 1}',
        '{"a": 1, "a": 2}',
        '{"a": ' * 65 + "1" + "}" * 65,
        "[" * DEEP + "]" * DEEP,
        "null",
        "[]",
        "5",
        '"text"',
    ],
)
def test_an_output_that_cannot_be_accepted_is_applied_and_withheld(output: str) -> None:
    answer = judged(f'{{"output": {output}}}')
    assert isinstance(answer, Withheld) and answer.code == "OutputRefused"
    assert "output cannot be accepted" in answer.text


def test_an_output_twice_is_applied_and_withheld() -> None:
    assert isinstance(judged('{"output": {}, "output": {}}'), Withheld)
    assert isinstance(judged(r'{"\u006futput": {}, "output": {}}'), Withheld)


def test_an_output_beside_an_error_is_applied_and_withheld() -> None:
    both = json.dumps({"output": {}, **json.loads(error())})
    assert isinstance(judged(both), Withheld)


def test_only_a_well_formed_error_says_that_nothing_was_applied() -> None:
    assert judged(error()) == NotApplied("C", "m")
    assert judged(error(code="odd code !")) == NotApplied("HandlerError", "m")
    answer = judged(error(outcome="unknown"))
    assert isinstance(answer, Unknown) and "C: m" in answer.text


@pytest.mark.parametrize(
    "stdout",
    [
        error(outcome="NOT_APPLIED"),
        error(outcome=None),
        error(code=None),
        error(message=5),
        '{"error": "not_applied"}',
        '{"error": null}',
        '{"error": {"outcome": "not_applied"}}',
        '{"error": {"code": "C", "message": "m", "outcome": "unknown", "outcome": "not_applied"}}',
        r'{"error": {"code": "C", "message": "\ud800", "outcome": "not_applied"}}',
    ],
)
def test_an_error_that_is_not_well_formed_is_unknown(stdout: str) -> None:
    assert isinstance(judged(stdout), Unknown)


@pytest.mark.parametrize(
    "output", ['{"a": ["x", {"b": "<hidden-value>"}]}', '{"pre hidden-value": 1}', '{"a": "hidden\\u002dvalue"}']
)
def test_a_known_secret_in_an_output_is_refused_keys_included(output: str) -> None:
    answer = judged(f'{{"output": {output}}}', "hidden-value")
    assert isinstance(answer, Withheld) and answer.code == "SecretInOutput"
    assert "s0" in answer.text and "hidden-value" not in answer.text


def test_no_text_of_ours_repeats_a_secret() -> None:
    answer = judged('{"output": {"hidden-value": 1e999}}', "hidden-value")
    assert isinstance(answer, Withheld) and "hidden-value" not in answer.text
    told = judged(error(code="hidden-value", message="it is hidden-value"), "hidden-value")
    assert isinstance(told, NotApplied) and told.code == "HandlerError" and "hidden-value" not in told.text
    unknown = judged(error(outcome="unknown", message="it is hidden-value"), "hidden-value")
    assert isinstance(unknown, Unknown) and "hidden-value" not in unknown.text


@pytest.mark.parametrize("key", ["{}", "x" * 185 + "{}", "\x1b{}"])
def test_no_place_of_a_flaw_shows_a_secret_that_our_escapes_disguise(key: str) -> None:
    secret = "hidden/value~of\x07two"
    for stdout in ('{"output": {%s: 1e999}}', '{"output": {%s: [{"k": 1, "k": 2}]}}', '{"error": {%s: 1e999}}'):
        answer = judged(stdout % json.dumps(key.format(secret)), secret)
        assert isinstance(answer, Withheld if "output" in stdout else Unknown)
        assert "hidden" not in answer.text


def test_the_message_of_an_error_is_bounded_and_steers_no_terminal() -> None:
    answer = judged(error(message="\x1b[31m" + "x" * 1000))
    assert isinstance(answer, NotApplied)
    assert len(answer.text) == 500 and answer.text.startswith("\\x1b[31mx")


def test_a_reconciliation_has_three_verdicts() -> None:
    assert asked('{"applied": true, "output": {"n": 1}}') == Applied({"n": 1})
    assert isinstance(asked('{"applied": false}'), NotApplied)
    assert isinstance(asked(error(outcome="unknown")), Unknown)
    assert isinstance(asked('{"applied": true}'), Withheld)
    assert isinstance(asked('{"applied": true, "output": 5}'), Withheld)
    assert isinstance(asked('{"applied": true, "output": {"a": 1152921504606846976}}'), Withheld)
    assert isinstance(asked('{"applied": true, "output": {"a": 1, "a": 2}}'), Withheld)


@pytest.mark.parametrize(
    "stdout",
    [
        error(),
        "{}",
        '{"applied": null}',
        '{"applied": 1, "output": {}}',
        '{"applied": 0}',
        '{"applied": "true", "output": {}}',
        '{"applied": false, "output": {}}',
        '{"applied": false, "error": {"code": "C", "message": "m", "outcome": "unknown"}}',
        '{"applied": true, "applied": false}',
        '{"output": {}}',
        '{"applied": false, "output": {"a": 1, "a": 2}}',
        '{"applied": true, "output": {"a": 1, "a": 2}, "error": {}}',
        '{"applied": false, "applied": true, "output": {}}',
        "false",
        "",
    ],
)
def test_a_verdict_that_is_not_clear_is_still_unknown(stdout: str) -> None:
    assert isinstance(asked(stdout), Unknown)


def test_the_call_is_one_object_of_canonical_json() -> None:
    told = call_bytes(BINDING, call(text="é", n=1))
    assert json.loads(told) == {
        "schema_version": "agentl-tool-call-v1",
        "tool": "tool:DESK/Send",
        "input": {"text": "é", "n": 1},
        "operation_id": "operation:1",
        "effect_id": "e" * 32,
        "call_id": "run:1:DESK:t1:a1:n1",
        "attempt": 1,
        "deadline_ms": 700,
    }
    assert told == call_bytes(BINDING, call(n=1, text="é"))
    assert json.loads(reconciliation_bytes(BINDING, call(), []))["mode"] == "reconcile"
    with pytest.raises(BorderError):
        call_bytes(BINDING, call(n=2**60))


_KEYS = st.sampled_from(["output", "error", "applied", "outcome", "a"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["not_applied", "unknown"]),
    lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner),
)


@settings(max_examples=60)
@given(_JSON, st.integers(0, 5), st.binary(max_size=3))
def test_no_answer_breaks_the_judge_and_no_output_counts_as_not_applied(value: object, cut: int, tail: bytes) -> None:
    written = json.dumps(value).encode()
    stdout = written[: len(written) - cut] + tail
    verdict = judged(stdout, "a-known-secret")
    assert isinstance(verdict, (Applied, Withheld, NotApplied, Unknown))
    if isinstance(value, dict) and "output" in value:
        assert not isinstance(verdict, NotApplied)
    judge().reconciliation(Ended("exited", 0, stdout))
