"""Cases P-H1 to P-H8: approvals and pauses. Decisions sent to a server or an inbox come with those."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.durable import PENDING, RunOptions, WaitingForPerson
from agentl.hosting.llm import LLM
from agentl.journal.questions import open_questions
from agentl.kernel.approval import APPROVAL_WORDS
from agentl.values import Symbol
from tests.cli.folders import PROGRAM, Place
from tests.durable.decisions.test_decision_09_approvals import killed_before_the_intent
from tests.durable.kit import PAY, Desk, Killed, desk_program, host_of, lines
from tests.durable.processes import KILLED

POLICY = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay"
ASKING = PROGRAM.replace("DEFAULT ALLOW", POLICY)
NO_DECISION = [None, "", "false", "False", "no", 0, 1, -1, 1.0, [], [True], {}, {"approved": True}, (), b"yes", object]


def asking(plan: str = PAY, policy: str = POLICY, **more: Any) -> Desk:
    return Desk(desk_program(plan, policy=policy), **more)


def stopped(desk: Desk, approve: Any = PENDING, **more: Any) -> str:
    """A process that stops at a question; what it asked."""
    with pytest.raises(WaitingForPerson) as waiting:
        desk.process(host_of(desk.world, approve=approve), **more)
    return str(waiting.value.subject)


@pytest.mark.parametrize("decision", NO_DECISION, ids=repr)
def test_case_h1_what_is_no_decision_is_no_approval(decision: Any) -> None:
    desk = asking()
    desk.process(host_of(desk.world, approve=lambda: decision))
    assert (desk.world.count(), desk.of_kind("intent")) == (0, [])


def test_case_h1_a_decision_that_would_have_to_be_awaited_is_said_to_be_none() -> None:
    async def approver(request: Any) -> bool:
        return True

    desk = asking()
    host = host_of(desk.world)
    host.approver = approver
    run = desk.process(host)
    assert desk.world.count() == 0
    assert "async" in "".join(lines(run, "ERROR"))


@settings(max_examples=50)
@given(
    st.recursive(
        st.none() | st.just(False) | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    ).filter(lambda value: not (isinstance(value, str) and value.strip().lower() in APPROVAL_WORDS))
)
def test_case_h1_nothing_but_true_and_the_words_approves(decision: Any) -> None:
    desk = asking()
    desk.process(host_of(desk.world, approve=lambda: decision))
    assert desk.world.count() == 0


@pytest.mark.parametrize("decision", ["null", '""', '"false"', "0", "[]", "{}"])
def test_case_h1_a_decision_read_from_a_file_is_held_to_the_same(tmp_path: Path, decision: str) -> None:
    more = 'import json\nhost.approver = lambda request: json.loads((HERE / "decision").read_text())'
    place = Place(tmp_path, ASKING, more=more)
    place.write("decision", decision)
    assert place.durable().code == 0
    assert place.count() == 0


def test_case_h2_a_run_that_is_resumed_without_a_decision_waits_each_time(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING, more="host.approver = lambda request: PENDING")
    for _ in range(4):
        assert place.durable().code == 75
        assert place.count() == 0
        assert "intent" not in {entry["kind"] for entry in place.entries()}


def test_case_h2_waiting_is_no_failure_and_no_limit_of_attempts_ends_it() -> None:
    desk = asking()
    for _ in range(4):
        stopped(desk, options=RunOptions(max_attempts=2))
    assert desk.process(host_of(desk.world, approve=True)).status == "completed"


class Fickle(LLM):
    """Names another amount each time it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.amounts = [10, 1000]

    def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
        return {"amount": self.amounts.pop(0)}


FROM_MODEL = 'REASON "how much" { TASK "amount" PRODUCE { amount: Number DEFAULT 0 } } pay(amount = amount, to = "x")'


def test_case_h3_what_was_approved_is_what_is_executed_whatever_the_model_would_say_now() -> None:
    desk = asking(FROM_MODEL)
    model = Fickle()
    assert stopped(desk, llm=model) == 'pay(amount=10.0, to="x")'
    desk.process(host_of(desk.world, approve=True), llm=model)
    assert desk.world.approvals == ['pay(amount=10.0, to="x")'] * 2
    assert [made.args["amount"] for made in desk.world.calls] == [10]
    assert model.amounts == [1000]


def test_case_h3_an_approver_cannot_change_what_it_approves() -> None:
    desk = asking()

    def greedy(request: Any) -> bool:
        request.args["amount"] = 1000
        return True

    host = host_of(desk.world)
    host.approver = greedy
    desk.process(host)
    assert [made.args["amount"] for made in desk.world.calls] == [40]


@pytest.mark.parametrize("step", ["killed", "fails"])
def test_case_h4_an_approval_that_was_used_is_used_up_whatever_becomes_of_the_next_step(step: str) -> None:
    desk = asking(f'{PAY} note(text = "next")')
    desk.world.script["note"] = [Killed() if step == "killed" else RuntimeError("no model"), None]
    for _ in range(2):
        run = desk.process(host_of(desk.world, approve=True, idempotent=True))
    assert (desk.world.count("pay"), len(desk.world.approvals)) == (1, 1)
    assert run.runtime is not None


@pytest.mark.parametrize(("minutes", "lapses"), [(9 + 59 / 60, 0), (10 + 1 / 60, 1)])
def test_case_h5_an_approval_lapses_at_its_age_across_a_kill_and_the_lapse_is_noted_once(
    minutes: float, lapses: int
) -> None:
    desk = killed_before_the_intent()
    desk.clocks.pass_s(minutes * 60)
    options = RunOptions(approval_life_s=600)
    desk.process(host_of(desk.world, approve=False), options=options)
    assert len(desk.of_kind("lapse")) == lapses
    assert (desk.world.count(), len(desk.world.approvals)) == (1 - lapses, 1 + lapses)
    desk.process(host_of(desk.world, approve=True), options=options)
    assert len(desk.of_kind("lapse")) == lapses


BATCH = 'pay(amount = 1, to = "x") pay(amount = "much", to = "x") pay(amount = 500, to = "x")'


def test_case_h6_of_a_batch_the_done_the_rejected_and_the_waiting_are_kept_apart() -> None:
    desk = asking(BATCH, "DEFAULT ALLOW REQUIRE APPROVAL FOR pay WHEN action.args.amount > 100")
    stopped(desk)
    desk.process(host_of(desk.world, approve=True))
    assert [made.args["amount"] for made in desk.world.calls] == [1, 500]
    assert desk.world.approvals == ['pay(amount=500, to="x")'] * 2


# --- P-H7: what waits is known after any number of kills


def waiting(place: Place) -> Any:
    status = place.agentl("durable", "status", "run", "--format", "json")
    assert status.code == 75
    return json.loads(status.out)["waiting"]


def test_case_h7_the_question_is_the_same_before_and_after_a_kill(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING, more='host.approver = lambda request: happens("approve") or PENDING')
    assert place.durable().code == 75
    (question,) = waiting(place)
    assert question.keys() >= {"subject", "action", "agent", "since"}
    assert question["subject"] == 'pay(amount=40, to="Zürich")'
    place.once("approve")
    assert place.durable().code == KILLED
    assert waiting(place) == [question]
    assert place.durable().code == 75
    assert waiting(place) == [question]


def test_case_h7_a_question_put_again_is_no_younger() -> None:
    desk = asking()
    for _ in range(3):
        stopped(desk)
        desk.clocks.pass_s(3600)
    (question,) = open_questions(desk.entries)
    assert question.since == desk.clocks.wall - 3 * 3600 * 1000


@pytest.mark.parametrize(
    ("now", "answer"), [("no", True), ("no", False), ("yes", PENDING)], ids=["yes", "no", "forbidden meanwhile"]
)
def test_case_h7_a_question_is_open_only_until_the_run_gets_further(now: str, answer: Any) -> None:
    desk = asking(f'{PAY} note(text = "next")', f"{POLICY} NEVER pay WHEN account.frozen == yes")
    desk.world.sensors["account.frozen"] = Symbol("no")
    desk.world.script["note"] = [Killed(), None]
    stopped(desk)
    assert len(open_questions(desk.entries)) == 1
    desk.world.sensors["account.frozen"] = Symbol(now)
    desk.process(host_of(desk.world, approve=answer))
    assert open_questions(desk.entries) == []


def test_case_h7_an_equal_question_later_is_another_one() -> None:
    desk = asking(f"{PAY} {PAY}")
    stopped(desk)
    desk.clocks.pass_s(60)
    stopped(desk, [True, PENDING])
    (question,) = open_questions(desk.entries)
    assert question.since == desk.clocks.wall


# --- P-H8: two questions in one step

TWO = 'note(text = "first") PARALLEL { BRANCH a { pay(amount = 1, to = "x") } BRANCH b { pay(amount = 2, to = "x") } }'


def test_case_h8_of_two_questions_the_second_is_answered_and_the_first_stays_open() -> None:
    desk = asking(TWO)
    one, two = (f'pay(amount={amount}, to="x")' for amount in (1, 2))

    def process(*answered: str) -> list[str]:
        """What a process asks whose approver has answers to these questions only."""
        desk.world.approvals.clear()
        host = host_of(desk.world, approve=PENDING)
        pending = host.approver
        assert pending is not None
        host.approver = lambda request: pending(request) if request.render() not in answered else noted(request)
        with suppress(WaitingForPerson):
            desk.process(host)
        return sorted(desk.world.approvals)

    def noted(request: Any) -> bool:
        desk.world.approvals.append(request.render())
        return True

    def done() -> list[Any]:
        return [made.args.get("amount", made.tool) for made in desk.world.calls]

    assert process() == [one, two]
    first, second = open_questions(desk.entries)
    assert [first.branch, second.branch] == ["work/0.a", "work/0.b"]
    desk.clocks.pass_s(60)
    assert (process(two), done()) == ([one, two], ["note", 2])
    assert open_questions(desk.entries) == [first]
    assert (process(two), done()) == ([one], ["note", 2])
    assert open_questions(desk.entries) == [first]
    assert (process(one), done()) == ([one], ["note", 2, 1])
    assert open_questions(desk.entries) == []
