"""Decision 3: done, not applied, failed, unknown; and what each means for the journal and the program."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, MemoryStore
from agentl.hosting import NotApplied, OutcomeUnknown
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines

TWICE = f"{PAY} {PAY}"


def desk_whose_tool(*script: Any, plan: str = PAY, **more: Any) -> Desk:
    return Desk(desk_program(plan, **more), World({"pay": list(script)}))


class ConnectTimeout(Exception):
    """As HTTP libraries have it: no built-in time-out, known by its name."""


UNKNOWN = [TimeoutError("late"), ConnectionResetError("gone"), BrokenPipeError(), ConnectTimeout(), OutcomeUnknown("?")]


@pytest.mark.parametrize("error", UNKNOWN, ids=lambda error: type(error).__name__)
def test_no_answer_without_a_promise_is_in_doubt(error: Exception) -> None:
    desk = desk_whose_tool(error)
    run = desk.process()
    assert desk.errors == ["ActionInDoubt"]
    assert desk.resolutions == ["in_doubt"]
    assert run.status == "ended, in doubt"
    assert run.runtime is not None
    assert run.runtime.state.get("tools.pay.in_doubt") is True


@pytest.mark.parametrize("error", UNKNOWN, ids=lambda error: type(error).__name__)
def test_no_answer_of_an_idempotent_tool_is_repeated_at_once_with_its_key(error: Exception) -> None:
    desk = desk_whose_tool(error, {"receipt": "R-1"})
    run = desk.process(host_of(desk.world, idempotent=True))
    assert (desk.world.count(), desk.world.effects()) == (2, 1)
    assert [made.attempt for made in desk.world.calls] == [1, 2]
    assert run.status == "completed"
    assert lines(run, "ERROR") == []


def test_no_answer_of_a_reconcilable_tool_is_looked_up_at_once() -> None:
    desk = desk_whose_tool(TimeoutError("late"))
    run = desk.process(host_of(desk.world, reconcile={"receipt": "R-found"}))
    assert (desk.world.count(), len(desk.world.asked)) == (1, 1)
    assert run.status == "completed"
    assert run.runtime is not None
    assert run.runtime.state.get("pay.receipt") == "R-found"


def test_the_original_error_stays_in_the_resolution() -> None:
    desk = desk_whose_tool(TimeoutError("the bank said nothing"))
    desk.process()
    assert desk.of_kind("resolution")[0]["error"] == ["TimeoutError", "the bank said nothing"]


@pytest.mark.parametrize("error", [ValueError("no such account"), KeyError("x"), NotApplied("nothing was sent")])
def test_any_other_exception_is_the_result_and_is_never_repeated(error: Exception) -> None:
    desk = desk_whose_tool(error)
    host = host_of(desk.world, idempotent=True, reconcile=NOT_EXECUTED)
    run = desk.process(host)
    assert desk.errors == [type(error).__name__]
    assert desk.resolutions == []
    assert run.status == "completed"
    again = desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 1
    assert again.trace_text() == run.trace_text()


def test_on_error_unknown_makes_every_exception_unknown_save_not_applied() -> None:
    desk = desk_whose_tool(ValueError("who knows"))
    desk.process(host_of(desk.world, on_error="unknown"))
    assert desk.errors == ["ActionInDoubt"]
    sure = desk_whose_tool(NotApplied("nothing was sent"))
    sure.process(host_of(sure.world, on_error="unknown"))
    assert sure.errors == ["NotApplied"]


def test_an_exception_of_the_tools_own_called_action_in_doubt_is_taken_at_its_word() -> None:
    own = type("ActionInDoubt", (Exception,), {})
    desk = desk_whose_tool(own("perhaps"), ticks=2)
    run = desk.process()
    assert desk.world.count() == 1
    assert run.status == "ended, in doubt"
    assert desk.process().trace_text() == run.trace_text()


# --- the key of an action whose outcome is not known


def test_a_late_second_action_carries_the_first_key_and_names_the_first() -> None:
    desk = desk_whose_tool(TimeoutError(), TimeoutError(), {"receipt": "R-1"}, plan=TWICE)
    run = desk.process(host_of(desk.world, idempotent=True))
    first, second = desk.of_kind("intent")
    assert second["retry_of"] == first["action_id"] != second["action_id"]
    assert second["key"] == first["key"]
    assert desk.world.effects() == 1
    assert run.status == "completed"


@pytest.mark.parametrize(
    ("script", "ticks"), [([TimeoutError(), ValueError()], 2), ([TimeoutError(), TimeoutError(), ValueError()], 3)]
)
def test_a_failure_after_no_answer_does_not_free_the_key(script: list[Exception], ticks: int) -> None:
    """Case P-G3: if only the answer was lost, a new key would move the money a second time."""
    desk = desk_whose_tool(*script, {"receipt": "R-1"}, ticks=ticks)
    host = host_of(desk.world, idempotent=True)
    run = desk.process(host)
    assert desk.world.effects() == 1
    assert run.status == "completed"
    assert desk.process(host_of(desk.world)).trace_text() == run.trace_text()


def test_a_repetition_that_was_not_applied_leaves_the_first_call_unknown() -> None:
    """Nothing was sent the second time; the first time it may have been done all the same."""
    desk = desk_whose_tool(TimeoutError("the first"), NotApplied("not reached"))
    run = desk.process(host_of(desk.world, idempotent=True))
    assert (desk.errors, desk.resolutions) == (["ActionInDoubt"], ["retry", "in_doubt"])
    assert desk.of_kind("resolution")[-1]["error"] == ["TimeoutError", "the first"]
    assert run.status == "ended, in doubt"


def test_a_call_of_a_killed_process_whose_repetition_was_not_applied_is_in_doubt() -> None:
    desk = desk_whose_tool(Killed(), NotApplied("not reached"))
    desk.process(host_of(desk.world, idempotent=True))
    run = desk.process(host_of(desk.world, idempotent=True))
    assert (desk.errors, desk.resolutions) == (["ActionInDoubt"], ["retry", "in_doubt"])
    assert desk.of_kind("resolution")[-1]["error"] == ["NotApplied", "not reached"]
    assert run.status == "ended, in doubt"


def test_a_repetition_that_was_not_applied_is_looked_up_where_that_was_promised() -> None:
    desk = desk_whose_tool(TimeoutError(), NotApplied("not reached"))
    run = desk.process(host_of(desk.world, idempotent=True, reconcile={"receipt": "R-found"}))
    assert desk.resolutions == ["retry", "reconciled"]
    assert run.status == "completed"


def test_after_it_was_done_the_next_equal_action_is_a_new_one_with_a_new_key() -> None:
    desk = desk_whose_tool(TimeoutError(), {"receipt": "R-1"}, ticks=2)
    desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.effects() == 2
    assert "retry_of" not in desk.of_kind("intent")[1]


# --- done, but of no use


def test_a_result_that_cannot_be_stored_is_done_and_never_called_again() -> None:
    desk = desk_whose_tool({"receipt": object()}, {"receipt": "R-2"})
    run = desk.process(host_of(desk.world, idempotent=True, reconcile=NOT_EXECUTED))
    assert desk.errors == ["ResultNotStorable"]
    assert run.status == "completed"
    assert "receipt" in next(entry["error"][1] for entry in desk.entries if "error" in entry)
    desk.process()
    assert desk.world.count() == 1


def test_a_result_larger_than_the_limit_is_done_and_of_no_use() -> None:
    from agentl.durable import RunOptions

    desk = desk_whose_tool({"receipt": "x" * 5_000_000})
    run = desk.process(options=RunOptions(max_entry_bytes=1000))
    assert desk.errors == ["ResultNotStorable"]
    assert run.status == "completed"


def test_a_violated_output_contract_is_a_failure_and_no_ground_to_call_again() -> None:
    desk = desk_whose_tool({"receipt": 12, "nonsense": True})
    desk.text = desk.text.replace("receipt: String", "receipt: Number, at: Number")
    run = desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 1
    assert lines(run, "ERROR")
    assert run.status == "completed"


# --- dirty from the intent on


@pytest.mark.parametrize("error", [ValueError(), TimeoutError(), NotApplied("no")], ids=lambda e: type(e).__name__)
def test_side_effects_are_dirty_however_the_call_ends(error: Exception) -> None:
    desk = desk_whose_tool(error)
    run = desk.process()
    assert run.runtime is not None
    assert run.runtime.state.get("bank.account.dirty") is True


def test_a_side_effect_is_not_dirty_when_the_action_was_refused() -> None:
    desk = desk_whose_tool({"receipt": "R"}, policy="DEFAULT DENY")
    run = desk.process()
    assert run.runtime is not None
    assert run.runtime.state.get("bank.account.dirty") is not True


def test_an_interrupt_leaves_no_result_and_the_action_is_settled() -> None:
    desk = desk_whose_tool(KeyboardInterrupt(), {"receipt": "R-1"})
    with pytest.raises(KeyboardInterrupt):
        desk.process()
    assert isinstance(desk.store, MemoryStore)
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"
    run = desk.process(host_of(desk.world))
    assert desk.resolutions == ["in_doubt"]
    assert run.status == "ended, in doubt"


def test_an_unknown_outcome_that_stays_unknown_is_settled_again_after_a_kill() -> None:
    desk = desk_whose_tool(TimeoutError(), Killed(), {"receipt": "R-1"})
    desk.process(host_of(desk.world, idempotent=True))
    run = desk.process(host_of(desk.world, idempotent=True))
    assert [made.attempt for made in desk.world.calls] == [1, 2, 3]
    assert desk.world.effects() == 1
    assert run.status == "completed"
