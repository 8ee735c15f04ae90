"""Decision 9: waiting for a person, what an answer is bound to, and how long it lives."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import PENDING, RunOptions, WaitingForPerson
from agentl.journal.errors import ReplayDivergence
from agentl.values import Symbol
from tests.durable.kit import PAY, Desk, Killed, desk_program, host_of, lines

POLICY = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay"
RENDERED = 'pay(amount=40, to="Zürich")'


def asking(policy: str = POLICY, **more: Any) -> Desk:
    return Desk(desk_program(policy=policy, **more))


def killed_before_the_intent() -> Desk:
    """The answer is on disk, its process died before the intent: cut the journal behind the `approve` entry."""
    desk = asking()
    desk.world.script["pay"] = [Killed(), {"receipt": "R-1"}]
    desk.process(host_of(desk.world, approve=True))
    approved = next(entry for entry in desk.entries if entry["kind"] == "approve")
    raw = bytes(desk.store.data).splitlines(keepends=True)[: approved["seq"] + 1]
    desk.store.data = bytearray(b"".join(raw))
    desk.store.head = None
    desk.world.calls.clear()
    return desk


def test_no_approver_is_a_refusal() -> None:
    desk = asking()
    run = desk.process()
    assert desk.world.count() == 0
    assert run.status == "completed"
    assert len(lines(run, "BLOCKED")) == 1


@pytest.mark.parametrize("answer", [False, None, "no", 1, "maybe", (True,), Symbol("later")])
def test_anything_but_a_word_of_approval_is_none(answer: Any) -> None:
    desk = asking()
    desk.process(host_of(desk.world, approve=answer))
    assert desk.world.count() == 0


def test_an_approver_that_raises_has_not_approved() -> None:
    desk = asking()
    run = desk.process(host_of(desk.world, approve=RuntimeError("no line")))
    assert desk.world.count() == 0
    assert desk.process(host_of(desk.world, approve=True)).trace_text() == run.trace_text()


def test_pending_writes_a_request_and_ends_the_run() -> None:
    desk = asking()
    with pytest.raises(WaitingForPerson) as waiting:
        desk.process(host_of(desk.world, approve=PENDING))
    assert waiting.value.subject == RENDERED
    (request,) = desk.of_kind("request")
    assert request["action"] and request["program"]
    assert desk.world.count() == 0


def test_a_resume_asks_again_and_goes_on_with_the_answer() -> None:
    desk = asking()
    for _ in range(2):
        with pytest.raises(WaitingForPerson):
            desk.process(host_of(desk.world, approve=PENDING))
    run = desk.process(host_of(desk.world, approve=True))
    assert desk.world.count() == 1
    assert run.status == "completed"
    assert desk.process(host_of(desk.world)).trace_text() == run.trace_text()


def test_a_no_after_pending_is_a_no() -> None:
    desk = asking()
    with pytest.raises(WaitingForPerson):
        desk.process(host_of(desk.world, approve=PENDING))
    desk.process(host_of(desk.world, approve=False))
    assert desk.world.count() == 0


def test_the_entry_holds_action_digest_program_digest_and_time_and_quotes_text() -> None:
    desk = asking()
    desk.process(host_of(desk.world, approve=True))
    entry = next(entry for entry in desk.entries if entry["kind"] == "approve")
    (intent,), (opening,) = desk.of_kind("intent"), desk.of_kind("open")
    assert dict(entry["args"]["$dict"]) == {"action": intent["hash"], "program": opening["run_digest"]}
    assert entry["at"] == desk.clocks.wall
    assert entry["key"] == RENDERED
    assert desk.world.approvals == [RENDERED]


# --- the life of an answer that no intent follows


def test_a_fresh_answer_is_served_and_not_asked_again() -> None:
    desk = killed_before_the_intent()
    desk.clocks.pass_s(14 * 60)
    desk.process(host_of(desk.world, approve=False))
    assert len(desk.world.approvals) == 1
    assert desk.world.count() == 1


def test_after_fifteen_minutes_it_lapses_and_a_person_is_asked_again() -> None:
    desk = killed_before_the_intent()
    desk.clocks.pass_s(15 * 60 + 1)
    run = desk.process(host_of(desk.world, approve=True))
    assert len(desk.of_kind("lapse")) == 1
    assert len(desk.world.approvals) == 2
    assert desk.world.count() == 1
    assert desk.process(host_of(desk.world)).trace_text() == run.trace_text()


def test_a_lapsed_yes_does_not_stand_for_a_no() -> None:
    desk = killed_before_the_intent()
    desk.clocks.pass_s(3600)
    desk.process(host_of(desk.world, approve=False))
    assert desk.world.count() == 0


def test_the_life_is_an_option_and_an_answer_from_the_future_is_not_fresh() -> None:
    desk = killed_before_the_intent()
    desk.clocks.pass_s(20)
    desk.process(host_of(desk.world, approve=True), options=RunOptions(approval_life_s=10))
    assert len(desk.of_kind("lapse")) == 1
    early = killed_before_the_intent()
    early.clocks.wall -= 1000
    early.process(host_of(early.world, approve=True))
    assert len(early.of_kind("lapse")) == 1


def test_an_answer_that_an_intent_followed_never_lapses() -> None:
    desk = asking()
    desk.world.script["pay"] = [Killed(), {"receipt": "R"}]
    desk.process(host_of(desk.world, approve=True, idempotent=True))
    desk.clocks.pass_s(86_400)
    desk.process(host_of(desk.world, approve=False, idempotent=True))
    assert desk.of_kind("lapse") == []
    assert (desk.world.count(), len(desk.world.approvals)) == (2, 1)


def test_a_no_does_not_lapse() -> None:
    desk = asking(plan=f'{PAY} note(text = "x")')
    desk.world.script["note"] = [Killed(), None]
    desk.process(host_of(desk.world, approve=False))
    desk.clocks.pass_s(86_400)
    desk.process(host_of(desk.world, approve=True))
    assert desk.world.count() == 0


def test_a_served_answer_is_never_used_without_a_look_at_the_world() -> None:
    policy = f"{POLICY} NEVER pay WHEN account.frozen == yes"
    desk = asking(policy)
    desk.world.sensors["account.frozen"] = Symbol("no")
    desk.world.script["pay"] = [Killed(), {"receipt": "R-1"}]
    desk.process(host_of(desk.world, approve=True))
    approved = next(entry for entry in desk.entries if entry["kind"] == "approve")
    desk.store.data = bytearray(b"".join(bytes(desk.store.data).splitlines(keepends=True)[: approved["seq"] + 1]))
    desk.store.head = None
    desk.world.calls.clear()
    desk.world.sensors["account.frozen"] = Symbol("yes")
    desk.process(host_of(desk.world))
    assert desk.world.count() == 0
    assert [fields["verdict"] for fields in desk.of_kind("recheck")] == ["DENIED"]


# --- an answer for something else


def test_an_answer_for_other_arguments_is_a_divergence_and_calls_nothing() -> None:
    """The recorded answer was for 40; an engine that derives 41 from the same program must not use it."""
    desk = asking()
    with pytest.raises(WaitingForPerson):
        desk.process(host_of(desk.world, approve=PENDING))
    desk.process(host_of(desk.world, approve=True))
    desk.world.calls.clear()
    rebuilt = rechained(desk.entries, "amount=40", "amount=41")
    desk.store.data, desk.store.head = rebuilt, None
    with pytest.raises(ReplayDivergence, match=r"approve pay\(amount=41.*approve pay\(amount=40"):
        desk.process(host_of(desk.world, approve=True))
    assert desk.world.count() == 0


@pytest.mark.parametrize("field", ["action", "program"])
def test_an_answer_with_another_digest_is_a_divergence(field: str) -> None:
    desk = asking()
    desk.process(host_of(desk.world, approve=True))
    desk.world.calls.clear()
    entry = next(entry for entry in desk.entries if entry["kind"] == "approve")
    digest = dict(entry["args"]["$dict"])[field]
    desk.store.data, desk.store.head = rechained(desk.entries, digest, "0" * 64, only="approve"), None
    with pytest.raises(ReplayDivergence, match="resume impossible at crossing"):
        desk.process(host_of(desk.world, approve=True))
    assert desk.world.count() == 0


def rechained(entries: list[dict[str, Any]], old: str, new: str, only: str = "approve") -> bytearray:
    """The journal with one text replaced in entries of one kind, and a chain that verifies."""
    import json

    from agentl.journal.chain import body_of, chain_hashes, line_of

    changed = [json.loads(json.dumps(entry).replace(old, new)) if entry["kind"] == only else entry for entry in entries]
    hashes = chain_hashes(changed)
    return bytearray(b"".join(line_of(body_of(entry), h) for entry, h in zip(changed, hashes, strict=True)))
