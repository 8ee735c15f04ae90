"""The journal machine: served, live, or different; against a simple model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from agentl.journal import entries
from agentl.journal.actions import ActionLedger
from agentl.journal.chain import chain_hashes
from agentl.journal.errors import ReplayDivergence
from agentl.journal.machine import JournalMachine
from agentl.values import Symbol
from tests.journal.kit import intent, opening, result


def sealed(*bodies: entries.RawEntry) -> list[entries.RawEntry]:
    """Entries as a store would give them back."""
    machine, made = JournalMachine(), []
    for body in bodies:
        entry, _ = machine.seal(body)
        machine.commit(entry)
        made.append(entry)
    return made


def machine_over(*bodies: entries.RawEntry) -> JournalMachine:
    return JournalMachine(sealed(*bodies))


def owner(generation: int = 1) -> entries.RawEntry:
    return entries.owner(generation=generation, host="h", boot_id="b", pid=1, start=1, release="0")


def test_crossings_are_served_in_order_and_then_everything_is_live() -> None:
    machine = machine_over(entries.crossing("read", "a", value=1), entries.crossing("read", "b", error=("E", "bad")))
    first = machine.crossing("read", "a")
    second = machine.crossing("read", "b")
    assert first is not None and first.value == 1 and first.error is None
    assert second is not None and second.error == ("E", "bad")
    assert machine.crossing("read", "c") is None
    assert machine.at_end() and machine.remaining == 0


@pytest.mark.parametrize(("kind", "key"), [("read", "b"), ("ask", "a"), ("drain", "")])
def test_another_kind_or_key_than_recorded_is_a_divergence_that_names_both(kind: str, key: str) -> None:
    machine = machine_over(opening(), owner(), entries.crossing("read", "a", value=1))
    with pytest.raises(ReplayDivergence, match="resume impossible") as caught:
        machine.crossing(kind, key)
    assert caught.value.seq == 2
    assert "recorded read a" in str(caught.value)
    assert f"requested {kind}" in str(caught.value)
    assert machine.crossing("read", "a") is not None  # nothing was taken


@pytest.mark.parametrize(
    "args",
    [{"to": "x", "n": 5.0}, {"to": Symbol("x"), "n": 5}, {"to": "x", "n": True}, {"to": "x"}, {}, None],
)
def test_other_arguments_are_a_divergence(args: dict[str, object] | None) -> None:
    machine = machine_over(entries.crossing("invoke", "pay", args={"to": "x", "n": 5}, value=None))
    with pytest.raises(ReplayDivergence, match="#0"):
        machine.crossing("invoke", "pay", args)


def test_the_order_of_dicts_and_sets_does_not_matter_at_any_depth() -> None:
    machine = machine_over(
        entries.crossing("invoke", "pay", args={"a": {"x": 1, "y": [{"p": 1, "q": {3, 1, 2}}]}, "b": 2}, value=None)
    )
    assert machine.crossing("invoke", "pay", {"b": 2, "a": {"y": [{"q": {2, 3, 1}, "p": 1}], "x": 1}}) is not None


@pytest.mark.parametrize("kind", ["read", "reason", "judge", "drain", "select_plan", "delegate_lookup"])
def test_what_is_a_reply_is_not_compared(kind: str) -> None:
    machine = machine_over(entries.crossing(kind, "k", args={"missing": ["x"]}, value=1))
    served = machine.crossing(kind, "k")
    assert served is not None
    assert served.args == {"missing": ["x"]}


def test_an_approval_given_for_another_digest_is_not_served() -> None:
    machine = machine_over(entries.crossing("approve", "pay(n=40)", args={"hash": "a", "program": "p"}, value=1, at=1))
    with pytest.raises(ReplayDivergence):
        machine.crossing("approve", "pay(n=40)", {"hash": "b", "program": "p"})


@pytest.mark.parametrize(
    "value",
    [{"return": 1, "x": 2}, {"in_doubt": True}, {"error": "e"}, {"kind": "intent"}, {"$sym": "x"}, None, [], ""],
)
def test_a_value_shaped_like_the_journal_itself_comes_back_as_it_was(value: object) -> None:
    machine = machine_over(intent("t"), entries.crossing("invoke", "t", args={}, value=value))
    machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}")
    served = machine.crossing("invoke", "t", {})
    assert served is not None
    assert served.value == value and type(served.value) is type(value)
    assert machine.actions.doubts == [] and machine.pending_intents() == []


def test_free_annotations_are_passed_and_placed_ones_never() -> None:
    machine = machine_over(opening(), owner(), entries.crossing("read", "a"), owner(2), intent("t"), owner(3))
    assert machine.crossing("read", "a") is not None
    with pytest.raises(ReplayDivergence, match="recorded intent t"):
        machine.crossing("read", "b")
    assert machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}") is not None
    assert machine.at_end()
    assert machine.generation == 3


@pytest.mark.parametrize("kind", ["request", "late", "upgrade", "snapshot", "owner"])
def test_an_intent_stays_pending_across_what_may_stand_anywhere(kind: str) -> None:
    machine = machine_over(intent("t"), entries.annotation(kind, "x"))
    served = machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}")
    assert served is not None and machine.at_end()
    assert [action.action_id for action in machine.pending_intents()] == ["r7:DESK:t1:a1"]


@pytest.mark.parametrize(("action_id", "digest"), [("r7:DESK:t1:a2", f"{1:064x}"), ("r7:DESK:t1:a1", f"{2:064x}")])
def test_an_intent_of_another_action_is_a_divergence(action_id: str, digest: str) -> None:
    machine = machine_over(intent("t"))
    with pytest.raises(ReplayDivergence, match="recorded intent t"):
        machine.intent("t", action_id=action_id, digest=digest)


@pytest.mark.parametrize(("state", "trace", "named"), [("x", "t", "state x"), ("s", "x", "trace x")])
def test_a_checkpoint_that_differs_names_state_or_trace(state: str, trace: str, named: str) -> None:
    machine = machine_over(entries.checkpoint(1, state="s", trace="t"))
    with pytest.raises(ReplayDivergence, match=named):
        machine.checkpoint(1, state=state, trace=trace)
    assert machine.checkpoint(1, state="s", trace="t") is not None


def test_optional_annotations_are_taken_only_where_they_stand() -> None:
    machine = machine_over(
        intent("t"),
        entries.annotation("recheck", "t"),
        entries.resolution("t", action_id="r7:DESK:t1:a1", how="retry", boot_id="b2", boot_clock=7.0, at=2, attempt=2),
    )
    assert machine.optional_annotation("recheck", "t") is None
    machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}")
    assert machine.optional_annotation("resolution") is None
    assert machine.optional_annotation("recheck", "other") is None
    assert machine.optional_annotation("recheck", "t") is not None
    assert machine.optional_annotation("resolution", "t") is not None
    (pending,) = machine.pending_intents()
    assert pending.attempt == 2
    assert pending.last_launch == ("b2", 7.0)


def test_what_was_never_asked_for_is_named_at_the_end() -> None:
    machine = machine_over(entries.crossing("read", "a"), entries.crossing("read", "b"))
    machine.crossing("read", "a")
    with pytest.raises(ReplayDivergence, match="read b and 0 more") as caught:
        machine.check_consumed()
    assert caught.value.seq == 1


def test_nothing_but_free_annotations_is_written_before_all_is_served() -> None:
    machine = machine_over(entries.crossing("read", "a"))
    with pytest.raises(ReplayDivergence, match="before read a is served"):
        machine.seal(entries.crossing("read", "b"))
    entry, _ = machine.seal(owner(2))
    machine.commit(entry)
    assert (entry["seq"], machine.generation) == (1, 2)
    assert machine.remaining == 1


def test_a_finished_run_gives_its_answers_and_takes_nothing_more() -> None:
    machine = machine_over(
        entries.crossing("read", "a", value=1), entries.ended(status="completed", ticks=1, trace="t")
    )
    assert machine.is_finished and machine.terminal == {"status": "completed", "ticks": 1, "trace": "t"}
    assert machine.crossing("read", "a") is not None
    with pytest.raises(ReplayDivergence, match="the run has ended"):
        machine.crossing("read", "b")
    with pytest.raises(ReplayDivergence, match="the run has ended"):
        machine.seal(entries.crossing("read", "b"))
    machine.seal(entries.annotation("late", "t"))


def test_an_action_recorded_in_doubt_is_remembered_until_it_is_known() -> None:
    doubt = entries.crossing("invoke", "t", args={}, error=("ActionInDoubt", "no answer"))
    machine = machine_over(intent("t"), doubt)
    machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}")
    assert machine.actions.doubt("t", f"{1:064x}") is None
    machine.crossing("invoke", "t", {})
    assert machine.actions.doubt("t", f"{1:064x}") is not None
    assert machine.actions.doubt("t", f"{2:064x}") is None
    assert machine.pending_intents() == []


NO_ANSWER = ("ActionInDoubt", "no answer")


def ledger_after(*bodies: entries.RawEntry) -> ActionLedger:
    ledger = ActionLedger()
    for entry in sealed(*bodies):
        ledger.feed(entry)
    return ledger


def test_a_failure_of_a_repeated_call_leaves_the_first_without_answer() -> None:
    retried = entries.resolution(
        "t", action_id="r7:DESK:t1:a1", how="retry", boot_id="b2", boot_clock=5.0, at=1, attempt=2
    )
    failed = entries.crossing("invoke", "t", args={}, error=("ValueError", "closed"))
    ledger = ledger_after(intent("t", promise="idempotent"), retried, failed)
    assert (ledger.pending, ledger.doubts) == ([], [])
    kept = ledger.unanswered("t", f"{1:064x}")
    assert kept is not None and kept.last_launch == ("b2", 5.0)
    assert ledger_after(intent("t", promise="idempotent"), failed).unanswered("t", f"{1:064x}") is None


def test_a_later_launch_under_the_first_key_is_the_last_launch_of_the_first() -> None:
    doubt = entries.crossing("invoke", "t", args={}, error=NO_ANSWER)
    later = intent("t", 2, key=1, retry_of="r7:DESK:t1:a1")
    later["args"]["$dict"] = [
        [name, {"boot_id": "b9", "boot_clock": 9.0}.get(name, item)] for name, item in later["args"]["$dict"]
    ]
    ledger = ledger_after(intent("t"), doubt, later)
    assert ledger.doubts[0].last_launch == ("b9", 9.0)


def test_it_is_known_whether_another_process_took_over_since_an_entry() -> None:
    machine = machine_over(opening(), owner(), entries.crossing("read", "a"), owner(2), entries.crossing("read", "b"))
    machine.crossing("read", "a")
    assert machine.owner_changed_since(2)
    assert not machine.owner_changed_since(3)
    machine.crossing("read", "b")
    assert not machine.owner_changed_since(4)


@pytest.mark.parametrize("how", ["reconciled", "retry_of", "settle"])
def test_a_doubt_ends_with_a_later_answer(how: str) -> None:
    doubt = entries.crossing("invoke", "t", args={}, error=NO_ANSWER)
    first = "r7:DESK:t1:a1"
    later: list[entries.RawEntry] = {
        "reconciled": [
            entries.resolution("t", action_id=first, how="reconciled", boot_id="b", boot_clock=1.0, at=1),
        ],
        "retry_of": [intent("t", 2, key=1, retry_of=first), result("t", 1)],
        "settle": [entries.annotation("settle", "t", {"action_id": first, "answer": "done"})],
    }[how]
    machine = JournalMachine()
    for entry in sealed(intent("t", promise="idempotent"), doubt, *later):
        machine.commit(entry)
    assert machine.actions.doubts == []


def test_a_later_call_that_nobody_promised_to_be_the_same_settles_no_doubt() -> None:
    doubt = entries.crossing("invoke", "t", args={}, error=("ActionInDoubt", "no answer"))
    machine = JournalMachine()
    for entry in sealed(intent("t"), doubt, intent("t", 2, key=1, retry_of="r7:DESK:t1:a1"), result("t", 1)):
        machine.commit(entry)
    assert [action.action_id for action in machine.actions.doubts] == ["r7:DESK:t1:a1"]


def test_branches_have_cursors_of_their_own() -> None:
    machine = machine_over(
        entries.crossing("read", "a", value=1),
        entries.crossing("read", "x", value=2, branch="pay/0.a"),
        entries.crossing("read", "y", value=3, branch="pay/0.b"),
        entries.crossing("read", "x", value=4, branch="pay/0.a"),
        intent("t", branch="pay/0.b"),
    )
    assert machine.crossing("read", "y", branch="pay/0.b") is not None
    first, second = machine.crossing("read", "x", branch="pay/0.a"), machine.crossing("read", "x", branch="pay/0.a")
    assert first is not None and second is not None
    assert (first.value, second.value) == (2, 4)
    assert machine.at_end("pay/0.a") and not machine.at_end("pay/0.b")
    for branch in ("pay/0.a", "pay/0.b", ""):
        with pytest.raises(ReplayDivergence):  # nothing is written while any branch has something left to serve
            machine.seal(entries.crossing("read", "z", branch=branch))
    assert machine.intent("t", action_id="r7:DESK:t1:a1", digest=f"{1:064x}", branch="pay/0.b") is not None
    assert machine.crossing("read", "a") is not None
    machine.seal(entries.crossing("read", "z", branch="pay/0.a"))
    assert machine.actions.pending_in("pay/0.b") is not None
    assert machine.actions.pending_in("") is None


def test_three_equal_calls_in_a_loop_are_three_entries() -> None:
    bodies = []
    for number in (1, 2):
        bodies += [intent("pay", number), result("pay", number)]
    machine = machine_over(*bodies)
    for number in (1, 2, 3):
        served = machine.intent("pay", action_id=f"r7:DESK:t1:a{number}", digest=f"{number:064x}")
        assert (served is None) is (number == 3)
        if served is not None:
            answer = machine.crossing("invoke", "pay", {})
            assert answer is not None and answer.value == number


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.text("ab", max_size=2).map(Symbol),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc", max_size=2), values, max_size=4), st.randoms(use_true_random=False))
def test_arguments_in_any_order_are_the_same_arguments(args: dict[str, object], random: Any) -> None:
    names = list(args)
    random.shuffle(names)
    machine = machine_over(entries.crossing("invoke", "t", args=args))
    assert machine.crossing("invoke", "t", {name: args[name] for name in names}) is not None


class MachineAgainstModel(RuleBasedStateMachine):
    """The model: one list of entries a branch, a position in each, and what was appended."""

    @initialize(bodies=st.lists(st.deferred(lambda: bodies), max_size=12))
    def begin(self, bodies: list[entries.RawEntry]) -> None:
        self.machine = JournalMachine(sealed(*bodies))
        self.all = [dict(body) for body in bodies]
        self.queues: dict[str, list[entries.RawEntry]] = {"": [], "p/0.a": []}
        for body in bodies:
            if body["kind"] not in ("owner", "late"):
                self.queues[body.get("branch", "")].append(body)

    @rule(body=st.deferred(lambda: bodies))
    def ask(self, body: entries.RawEntry) -> None:
        kind, key, branch = body["kind"], body["key"], body.get("branch", "")
        if kind in ("owner", "late"):
            return
        queue = self.queues[branch]
        try:
            if kind in ("read", "invoke"):
                args = {"n": body["args"]["$dict"][0][1]} if kind == "invoke" else None
                served = self.machine.crossing(kind, key, args, branch)
            else:
                served = self.machine.annotation(kind, key, branch)
        except ReplayDivergence as divergence:
            assert queue and not _alike(queue[0], body)
            assert self.machine.peek(branch) is not None and divergence.seq == self.machine.peek(branch).seq  # type: ignore[union-attr]
            return
        if served is None:
            assert not queue
        else:
            assert _alike(queue[0], body)
            assert served.entry.get("value") == queue.pop(0).get("value")

    @rule(body=st.deferred(lambda: bodies))
    def write(self, body: entries.RawEntry) -> None:
        free = body["kind"] in ("owner", "late")
        try:
            entry, line = self.machine.seal(body)
        except ReplayDivergence:
            assert not free and any(self.queues.values())
            return
        assert free or not any(self.queues.values())
        assert line.endswith(f'"h":"{entry["h"]}"}}\n'.encode())
        self.machine.commit(entry)
        self.all.append(dict(body))

    @rule()
    def count(self) -> None:
        left = sum(len(queue) for queue in self.queues.values())
        assert self.machine.remaining == left
        assert all(self.machine.at_end(branch) is (not queue) for branch, queue in self.queues.items())
        assert self.machine.next_seq == len(self.all)

    @precondition(lambda self: self.all)
    @rule()
    def chain(self) -> None:
        assert self.machine.head == chain_hashes([{**body, "seq": n} for n, body in enumerate(self.all)])[-1]


def _alike(recorded: entries.RawEntry, asked: entries.RawEntry) -> bool:
    same = recorded["kind"] == asked["kind"] and recorded["key"] == asked["key"]
    return same and (recorded["kind"] != "invoke" or recorded["args"] == asked["args"])


branch = st.sampled_from(["", "p/0.a"])
bodies = st.one_of(
    st.builds(lambda k, v, b: entries.crossing("read", k, value=v, branch=b), st.sampled_from("ab"), values, branch),
    st.builds(lambda n, b: entries.crossing("invoke", "t", args={"n": n}, branch=b), st.integers(0, 1), branch),
    st.builds(lambda n, b: intent("t", n, branch=b), st.integers(1, 2), branch),
    st.builds(lambda n: entries.checkpoint(n, state="s", trace="t"), st.integers(1, 2)),
    st.builds(owner, st.integers(1, 3)),
    st.just(entries.annotation("late", "t")),
)

TestMachineAgainstModel = MachineAgainstModel.TestCase
TestMachineAgainstModel.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
