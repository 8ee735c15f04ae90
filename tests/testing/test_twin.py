"""The checks of the twin test are able to fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentl.hosting.host import Host
from agentl.journal import entries
from agentl.journal.inspection import inspect
from agentl.syntax.parser import parse_source
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, CuttingStore, Knife
from agentl.testing.outside import Ledger, promising
from agentl.testing.twin import (
    check_announced,
    check_at_most_once,
    check_chain,
    check_doubts,
    check_exactly_once,
    check_keys,
    check_log_kept,
    run_once,
)

AGENT = parse_source(
    """\
AGENT A {
    TOOL pay { INPUT { amount: Number } RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN work WHEN TRUE { pay(amount = 1) pay(amount = 1) }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}
"""
).agents[0]


class Run:
    """A run whose processes share a ledger; the tool promises nothing."""

    def __init__(self) -> None:
        self.store = CuttingStore()
        self.ledger = Ledger()
        self.clocks = SettableClocks()
        self.called: list[int] = []  # after how many operations the tool was called

    def process(self, cut: Cut | None = None) -> bool:
        host = Host()
        host.tool("pay")(lambda amount: None)
        self.store = self.store.crashed(knife=Knife(cut))
        promising(host, "none", self.ledger, lambda call: self.called.append(len(self.store.knife.operations)))
        return run_once(AGENT, host, self.store, clocks=self.clocks, run_id="r") is not None


def ended() -> Run:
    run = Run()
    assert run.process()
    return run


def interrupted() -> Run:
    """Killed after its first effect, and resumed to the end."""
    run = Run()
    assert not run.process(Cut(ended().called[0] + 1))
    assert len(run.ledger.effects) == 1
    assert run.process()
    return run


def test_run_that_kept_its_promises_passes() -> None:
    run = ended()
    seen = inspect(run.store)
    check_chain(seen)
    check_keys(seen)
    check_exactly_once(seen, run.ledger.effects)
    check_at_most_once(seen, run.ledger.effects)
    for effect in run.ledger.effects:
        check_announced(run.store, effect)


def test_effect_without_intent_or_done_twice_or_never_is_found() -> None:
    run = ended()
    seen, effects = inspect(run.store), run.ledger.effects
    stray = replace(effects[0], key="0" * 32)
    with pytest.raises(AssertionError, match="without an intent"):
        check_exactly_once(seen, [*effects, stray])
    with pytest.raises(AssertionError, match="more than once"):
        check_exactly_once(seen, [*effects, effects[0]])
    with pytest.raises(AssertionError, match="never done"):
        check_exactly_once(seen, effects[1:])
    with pytest.raises(AssertionError, match="never done"):
        check_at_most_once(seen, effects[1:])
    with pytest.raises(AssertionError, match="before its intent"):
        check_announced(run.store, stray)


def test_action_in_doubt_may_be_done_once_or_never() -> None:
    run = interrupted()
    seen = inspect(run.store)
    assert [action.promise for action in seen.doubts] == ["none"]
    check_at_most_once(seen, run.ledger.effects)
    check_at_most_once(seen, [])
    with pytest.raises(AssertionError, match="more than once"):
        check_at_most_once(seen, run.ledger.effects * 2)


def test_doubt_in_spite_of_a_promise_needs_a_policy_that_forbids() -> None:
    seen = inspect(interrupted().store)
    check_doubts(seen)
    (action,) = seen.doubts
    action.fields["promise"] = "idempotent"
    with pytest.raises(AssertionError, match="in spite of a promise"):
        check_doubts(seen)
    settling = action.resolutions[-1]
    settling.fields["reason"] = "policy: forbidden by now"
    with pytest.raises(AssertionError, match="in spite of a promise"):
        check_doubts(seen)
    fields = {"readings": {}, "verdict": "DENIED", "rule": None}
    seen.entries.insert(settling.seq - 1, entries.annotation("recheck", "pay", fields, agent=action.agent, at=0))
    check_doubts(seen)


def test_rewritten_lost_and_thrown_away_bytes_are_found() -> None:
    run = Run()
    assert not run.process(Cut(9, "torn"))
    before = run.store
    after = before.crashed()
    after.inner.data[5:6] = b"#"
    with pytest.raises(AssertionError, match="flushed entry"):
        check_log_kept(before, after)
    shorter = before.crashed()
    del shorter.inner.data[len(before.durable) - 3 :]
    with pytest.raises(AssertionError, match="flushed entry"):
        check_log_kept(before, shorter)
    assert run.process()
    check_log_kept(before, run.store)
    run.store.inner.files.clear()
    with pytest.raises(AssertionError, match="thrown away"):
        check_log_kept(before, run.store)
