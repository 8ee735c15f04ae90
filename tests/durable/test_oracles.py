"""Models and sub-agents on the road: served after a crash, counted against a budget, never asked twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from agentl.durable.options import RunOptions
from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.hosting.llm import LLM, MockLLM
from agentl.journal.stores.memory import MemoryStore
from agentl.syntax.parser import parse_source
from agentl.values import Symbol

TRIAGE = """AGENT TRIAGE {
    GOAL done { ACHIEVE seen.it == yes }
    OBSERVE { mail.body }
    TOOL file_it { INPUT { kind: Symbol } OUTPUT { ok: Symbol } RISK LOW }
    POLICY { DEFAULT ALLOW  NEVER file_it WHEN reason.degraded == true }
    PLAN go WHEN 1 == 1 {
        REASON "what is it" {
            TASK "classify" USING { mail.body }
            PRODUCE { kind: Symbol IN [bill, junk] DEFAULT junk }
        }
        file_it(kind = kind)
        JUDGE { USING { mail.body } TASK "check" late: NOUL "Is it late?" ABSTAIN BELOW 0.7 DEFAULT false }
        SET seen.it = yes
    }
    LOOP UNTIL goal.satisfied MAX 3 { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE VERIFY }
}"""


class Killed(BaseException):
    """The process dies here."""


class Model(LLM):
    """Counts how often it is asked and reports what it used."""

    def __init__(self, die_in: str = "", cost: str = "0.25") -> None:
        super().__init__()
        self.asked: list[str] = []
        self.die_in = die_in
        self.cost = cost
        self.last_usage: dict[str, Any] | None = None

    def _ask(self, kind: str) -> None:
        self.asked.append(kind)
        if kind == self.die_in:
            raise Killed(kind)
        self.last_usage = {"input_tokens": 100, "output_tokens": 20, "cost": self.cost}

    def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
        self._ask("reason")
        return {"kind": "bill"}

    def judge(self, task: str, context: Any, questions: Any) -> dict[str, Any]:
        self._ask("judge")
        return {"late": {"value": True, "p": 0.9}}

    def select_plan(self, context: Any, candidates: Sequence[str]) -> str | None:
        self._ask("select_plan")
        return candidates[0]


def world(filed: list[Any]) -> Host:
    host = Host()
    host.sensors["mail.body"] = lambda: "an invoice"

    @host.tool("file_it", idempotent=True)
    def file_it(kind: Symbol) -> dict[str, Any]:
        filed.append(kind)
        return {"ok": Symbol("yes")}

    return host


def test_an_answer_of_a_model_is_never_asked_for_again() -> None:
    store, filed = MemoryStore(), []  # type: ignore[var-annotated]
    first = Model(die_in="judge")
    with pytest.raises(Killed):
        DurableRun(parse_source(TRIAGE), world(filed), first, store=store).run()
    second = Model()
    runtime = DurableRun(parse_source(TRIAGE), world(filed), second, store=store.crashed()).run()
    assert first.asked == ["reason", "judge"]
    assert second.asked == ["judge"]
    assert filed == [Symbol("bill")]
    assert runtime.state.get("judge.late.p") == 0.9


def test_a_run_with_a_model_is_derived_again_without_it() -> None:
    store, filed = MemoryStore(), []  # type: ignore[var-annotated]
    run = DurableRun(parse_source(TRIAGE), world(filed), Model(), store=store)
    trace = run.run().trace.render()
    again = Model()
    finished = DurableRun(parse_source(TRIAGE), world(filed), again, store=store.crashed())
    finished.run()
    assert again.asked == []
    assert finished.trace_text() == trace


def test_a_model_that_fails_leaves_the_run_degraded_and_the_policy_decides() -> None:
    class Silent(LLM):
        def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
            raise ConnectionError("no route")

    filed: list[Any] = []
    run = DurableRun(parse_source(TRIAGE), world(filed), Silent(), store=MemoryStore())
    runtime = run.run()
    assert runtime.state.get("reason.degraded") is True
    assert filed == []


@pytest.mark.parametrize("options", [RunOptions(max_tokens=100), RunOptions(max_cost=0.25)], ids=["tokens", "money"])
def test_a_used_up_budget_asks_no_model_also_after_a_resume(options: RunOptions) -> None:
    store, filed = MemoryStore(), []  # type: ignore[var-annotated]

    model = Model()
    run = DurableRun(parse_source(TRIAGE), world(filed), model, store=store, options=options)
    run.run()
    assert model.asked == ["reason"]
    errors = [entry["error"][0] for entry in run.journal.entries if entry["kind"] == "judge"]
    assert errors == ["BudgetExhausted"]

    resumed = Model()
    cut = MemoryStore()
    lines = bytes(store.data).split(b"\n")
    judge = next(index for index, line in enumerate(lines) if b'"kind":"judge"' in line)
    cut.data += b"\n".join(lines[:judge]) + b"\n"
    cut.meta = store.meta
    DurableRun(parse_source(TRIAGE), world(filed), resumed, store=cut).run()
    assert resumed.asked == []


def test_usage_stands_in_the_entry_of_the_answer() -> None:
    run = DurableRun(parse_source(TRIAGE), world([]), Model(), store=MemoryStore())
    run.run()
    usages = [entry.get("usage") for entry in run.journal.entries if entry["kind"] in ("reason", "judge")]
    assert all(usage is not None for usage in usages)


def test_a_question_that_failed_after_it_cost_something_counts_against_the_budget() -> None:
    class Costly(Model):
        def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
            self._ask("reason")
            raise ConnectionError("gone")

    model = Costly()
    options = RunOptions(max_tokens=100)
    DurableRun(parse_source(TRIAGE), world([]), model, store=MemoryStore(), options=options).run()
    assert model.asked == ["reason"]


CHOICE = """AGENT CHOOSER {
    TOOL a { RISK LOW }
    PLAN first { a() }
    PLAN second { a() }
    DECIDE { REASON "pick" { TASK "pick a plan" } }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}"""


def test_a_model_chooses_only_among_the_declared_plans() -> None:
    host = Host()
    called: list[str] = []
    host.tools["a"] = lambda: called.append("a") or {}  # type: ignore[func-returns-value]
    offered: list[Sequence[str]] = []

    def choose(context: Any, candidates: Sequence[str]) -> str:
        offered.append(candidates)
        return "rm_rf"

    run = DurableRun(parse_source(CHOICE), host, MockLLM(plan_choice=choose), store=MemoryStore())
    run.run()
    assert offered == [["first", "second"]]
    assert called == []


DELEGATING = """AGENT BOSS {
    POLICY { DEFAULT ALLOW }
    BELIEF { case.number = 7 }
    PLAN go WHEN 1 == 1 { DELEGATE auditor { TASK "look" INPUT { case.number } EXPECT { verdict } } }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}"""


def test_a_delegation_cut_short_is_in_doubt_and_never_repeated() -> None:
    calls: list[dict[str, object]] = []
    store = MemoryStore()

    def host(*, die: bool) -> Host:
        made = Host()

        @made.subagent("auditor")
        def auditor(payload: dict[str, object]) -> dict[str, object]:
            calls.append(payload)
            if die:
                raise Killed
            return {"verdict": Symbol("fine")}

        return made

    with pytest.raises(Killed):
        DurableRun(parse_source(DELEGATING), host(die=True), store=store).run()
    run = DurableRun(parse_source(DELEGATING), host(die=False), store=store.crashed())
    runtime = run.run()
    assert calls == [{"case.number": 7}]
    assert run.status == "ended, in doubt"
    assert runtime.state.get("tools.auditor.in_doubt") is True


def test_a_delegation_is_answered_and_served() -> None:
    host = Host()
    host.subagents["auditor"] = lambda payload: {"verdict": Symbol("fine")}
    store = MemoryStore()
    runtime = DurableRun(parse_source(DELEGATING), host, store=store).run()
    assert runtime.state.get("auditor.verdict") == "fine"
    again = DurableRun(parse_source(DELEGATING), Host(), store=store.crashed())
    assert again.run().state.get("auditor.verdict") == "fine"


def test_a_sub_agent_that_is_not_there_is_no_doubt() -> None:
    run = DurableRun(parse_source(DELEGATING), Host(), store=MemoryStore())
    run.run()
    assert run.status == "completed"
    assert [entry["kind"] for entry in run.journal.entries if "delegate" in entry["kind"]] == ["delegate_lookup"]


ASKING = """AGENT ASKER {
    PLAN go WHEN 1 == 1 { ASK boss { QUESTION "may I?" TIMEOUT 50ms DEFAULT never } }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}"""


def test_a_person_who_does_not_answer_in_time_gave_the_default() -> None:
    from threading import Event

    forever = Event()
    host = Host()
    host.asker = lambda question, reason: forever.wait(5)
    runtime = DurableRun(parse_source(ASKING), host, store=MemoryStore()).run()
    forever.set()
    assert runtime.state.get("answer") == "never"
