"""Cases P-G1 to P-G11: in doubt, retries and idempotency keys. P-G8 and P-G11 need a server and a verdict: later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.durable import NOT_EXECUTED, PENDING, RunOptions, WaitingForPerson
from agentl.hosting import Host, NotApplied
from tests.cli.folders import PROGRAM, Place
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines
from tests.durable.processes import KILLED

HOUR = 3600.0
DAY = 24 * HOUR
MEASURED = 'pay(amount = account.frozen, to = "x")'


def killed_after_the_effect(*then: Any, text: str = "", **host: Any) -> Desk:
    desk = Desk(text or desk_program(ticks=2), World({"pay": [Killed(), *(then or ({"receipt": "R"},))]}))
    desk.process(host_of(desk.world, **host))
    return desk


def test_case_g1_a_tool_without_promise_is_in_doubt_the_policy_knows_and_an_operator_is_needed(tmp_path: Path) -> None:
    policy = "DEFAULT ALLOW NEVER note WHEN tools.pay.in_doubt == true"
    place = Place(tmp_path, PROGRAM.replace("DEFAULT ALLOW", policy))
    place.once("pay")
    assert place.durable().code == KILLED
    ended = place.durable()
    assert (ended.code, place.count("pay"), place.count("note")) == (75, 1, 0)
    assert "BLOCKED note" in ended.out
    assert json.loads(place.agentl("durable", "status", "run", "--format", "json").out)["in_doubt"][0]["tool"] == "pay"


@pytest.mark.parametrize("error", [TimeoutError("late"), ConnectionResetError("reset by peer")])
@pytest.mark.parametrize(
    ("host", "calls", "how"),
    [
        ({"idempotent": True}, 2, ["retry"]),
        ({"reconcile": {"receipt": "R-found"}}, 1, ["reconciled"]),
        ({}, 1, ["in_doubt"]),
    ],
    ids=["idempotent", "reconcilable", "neither"],
)
def test_case_g2_no_answer_is_never_taken_for_not_done(
    error: Exception, host: dict[str, Any], calls: int, how: list[str]
) -> None:
    desk = Desk(world=World({"pay": [error, {"receipt": "R"}]}))
    desk.process(host_of(desk.world, **host))
    assert (desk.world.count(), desk.world.effects(), desk.resolutions) == (calls, 1, how)
    assert desk.errors == (["ActionInDoubt"] if how == ["in_doubt"] else [])


@pytest.mark.parametrize("first", [Killed(), TimeoutError("late")], ids=["killed", "no answer"])
@pytest.mark.parametrize(
    ("look_up", "is_open"), [(..., True), (None, True), ({"receipt": "R-1"}, False)], ids=["none", "?", "done"]
)
def test_case_g2_a_repeated_call_that_was_not_made_says_nothing_of_the_first(
    first: Any, look_up: Any, is_open: bool
) -> None:
    """The tool refuses the second call before anything is sent: whether the first landed is as unknown as before."""
    desk = Desk(world=World({"pay": [first, NotApplied("the line is shut")]}))
    host = host_of(desk.world, idempotent=True, reconcile=look_up)
    for _ in range(1 + isinstance(first, Killed)):
        run = desk.process(host)
    assert run.runtime is not None
    assert (run.status == "ended, in doubt") is is_open
    assert run.runtime.state.get("tools.pay.in_doubt") is is_open
    assert "NotApplied" not in desk.errors
    first_error = ["NotApplied", "the line is shut"] if isinstance(first, Killed) else ["TimeoutError", "late"]
    assert desk.of_kind("resolution")[-1]["error"] == first_error
    again = desk.process(host_of(desk.world))
    assert again.trace_text() == run.trace_text()
    assert desk.world.count() == 2


def test_case_g2_not_applied_settles_where_a_look_up_has_said_that_nothing_happened_before() -> None:
    desk = killed_after_the_effect(NotApplied("shut"), text=desk_program(), reconcile=NOT_EXECUTED)
    run = desk.process(host_of(desk.world, reconcile=NOT_EXECUTED))
    assert (desk.errors, run.status) == (["NotApplied"], "completed")


def test_case_g3_a_failed_attempt_keeps_its_key_before_and_after_a_kill() -> None:
    lost, done = ConnectionError(), {"receipt": "R"}
    desk = Desk(desk_program(ticks=3, until="claim.state == paid"), World({"pay": [lost, lost, Killed(), done]}))
    for _ in range(2):
        run = desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 4
    assert desk.world.effects() == 1
    assert run.status == "completed"


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["lost", "killed", "not applied"]), max_size=8))
def test_case_g3_however_often_the_answer_is_lost_there_is_one_key_and_one_effect(ends: list[str]) -> None:
    told = {"lost": ConnectionError(), "killed": Killed(), "not applied": NotApplied("busy")}
    # A first call that certainly did nothing frees its key: what comes after it is another action.
    script = [told[end] for end in ["lost", *ends]]
    desk = Desk(desk_program(ticks=12, until="claim.state == paid"), World({"pay": [*script, {"receipt": "R"}]}))
    for _ in range(len(ends) + 1):
        run = desk.process(host_of(desk.world, idempotent=True), options=RunOptions(breaker=0))
    assert desk.world.effects() == 1
    assert desk.world.count() == len(script) + 1
    assert run.status == "completed"


def test_case_g4_what_changes_by_the_hour_is_in_the_intent_and_not_measured_again() -> None:
    desk = Desk(desk_program(MEASURED), World({"pay": [Killed(), {"receipt": "R"}]}, {"account.frozen": 1000}))
    desk.process(host_of(desk.world, idempotent=True))
    desk.clocks.pass_s(HOUR)
    desk.world.sensors["account.frozen"] = 4600
    desk.process(host_of(desk.world, idempotent=True))
    first, second = desk.world.calls
    assert (first.key, first.args) == (second.key, second.args)
    assert first.args["amount"] == 1000


class Provider:
    """Compares what comes under a known key with what came first, as payment services do."""

    def __init__(self) -> None:
        self.bodies: dict[str, Any] = {}

    def take(self, world: World) -> None:
        made = world.calls[-1]
        if self.bodies.setdefault(made.key, made.args) != made.args:
            raise ValueError("400: another request was made under this key")


def test_case_g5_a_retry_sends_the_recorded_body_whatever_has_changed_since() -> None:
    world, provider = World(sensors={"account.frozen": 1000}), Provider()

    def dies() -> None:
        provider.take(world)
        raise Killed

    def answers() -> dict[str, str]:
        provider.take(world)
        return {"receipt": "R"}

    world.script["pay"] = [dies, answers]
    desk = Desk(desk_program(MEASURED), world)
    desk.process(host_of(world, idempotent=True))
    world.sensors["account.frozen"] = 2000
    run = desk.process(host_of(world, idempotent=True))
    assert (desk.errors, run.status, len(provider.bodies)) == ([], "completed", 1)


# --- P-G6: the provider forgets the key


def forgetful(world: World, **more: Any) -> Host:
    return host_of(world, idempotent=True, key_life_s=DAY, **more)


def settled_after(seconds: float, **more: Any) -> Desk:
    world = World({"pay": [Killed(), {"receipt": "R"}]})
    desk = Desk(world=world)
    desk.process(forgetful(world, **more))
    desk.clocks.pass_s(seconds)
    desk.process(forgetful(world, **more))
    return desk


def test_case_g6_a_key_the_service_has_forgotten_is_not_used_again() -> None:
    desk = settled_after(25 * HOUR)
    assert (desk.resolutions, desk.world.count()) == (["in_doubt"], 1)
    reason = desk.of_kind("resolution")[0]["reason"]
    assert "25 h old" in reason and "24 h only" in reason


def test_case_g6_within_its_life_it_is() -> None:
    assert settled_after(23 * HOUR).resolutions == ["retry"]


def test_case_g6_the_look_up_is_asked_in_its_place() -> None:
    desk = settled_after(25 * HOUR, reconcile={"receipt": "R-found"})
    assert (desk.resolutions, desk.world.count()) == (["reconciled"], 1)
    assert settled_after(25 * HOUR, reconcile=NOT_EXECUTED).resolutions == ["not_executed"]


def test_case_g6_the_time_a_call_may_take_counts() -> None:
    assert settled_after(23.5 * HOUR, timeout_s=HOUR).resolutions == ["in_doubt"]


@pytest.mark.parametrize("then", [None, 2 * DAY])
@pytest.mark.parametrize("now", [None, 2 * DAY])
def test_case_g6_the_shorter_life_of_then_and_now_holds(then: float | None, now: float | None) -> None:
    for lives in ((then, DAY), (DAY, now)):
        world = World({"pay": [Killed(), {"receipt": "R"}]})
        desk = Desk(world=world)
        desk.process(host_of(world, idempotent=True, key_life_s=lives[0]))
        desk.clocks.pass_s(25 * HOUR)
        desk.process(host_of(world, idempotent=True, key_life_s=lives[1]))
        assert desk.resolutions == ["in_doubt"]


@pytest.mark.parametrize(
    ("boot_id", "boot", "wall_h", "how"),
    [
        (None, 25 * HOUR, -100, "in_doubt"),  # set back: the boot clock knows
        (None, HOUR, 25, "in_doubt"),  # a boot clock that stood still while the machine slept
        ("boot-2", 5.0, 25, "in_doubt"),
        ("boot-2", 25 * HOUR, 1, "retry"),  # another boot's clock says nothing
        ("boot-2", 5.0, 1, "retry"),
        ("boot-2", 5.0, -1, "in_doubt"),  # set back, and nothing else is left: nobody can tell
    ],
)
def test_case_g6_no_wrong_clock_makes_a_key_younger(boot_id: str | None, boot: float, wall_h: float, how: str) -> None:
    world = World({"pay": [Killed(), {"receipt": "R"}]})
    desk = Desk(world=world)
    desk.process(forgetful(world))
    desk.clocks.boot = desk.clocks.boot + boot if boot_id is None else boot
    desk.clocks.boot_id = boot_id or desk.clocks.boot_id
    desk.clocks.wall += int(wall_h * HOUR * 1000)
    desk.process(forgetful(world))
    assert desk.resolutions == [how]


def test_case_g6_the_age_is_that_of_the_first_call_and_not_of_the_last() -> None:
    world = World({"pay": [Killed(), Killed(), {"receipt": "R"}]})
    desk = Desk(world=world)
    for _ in range(3):
        desk.process(forgetful(world))
        desk.clocks.pass_s(13 * HOUR)
    assert (desk.resolutions, world.count()) == (["retry", "in_doubt"], 2)


def in_doubt_for(hours: float, *, policy: str = "DEFAULT ALLOW", **host: Any) -> tuple[Desk, Any]:
    """Two lost answers leave the payment in doubt; so many hours later it is due again."""
    lost = ConnectionError()
    world = World({"pay": [lost, lost, {"receipt": "R"}], "note": [Killed(), None]})
    desk = Desk(desk_program(f'{PAY} note(text = "x") {PAY}', policy=policy), world)
    desk.process(forgetful(world, **host))
    desk.clocks.pass_s(hours * HOUR)
    return desk, desk.process(forgetful(world, **host))


def test_case_g6_a_later_equal_action_does_not_carry_a_forgotten_key_and_is_refused_for_good() -> None:
    desk, run = in_doubt_for(25)
    assert (desk.world.count(), run.status) == (2, "ended, in doubt")
    assert "25 h old" in "".join(lines(run, "BLOCKED"))
    length = len(desk.entries)
    again = desk.process(host_of(desk.world, idempotent=True))
    assert (again.trace_text(), len(desk.entries)) == (run.trace_text(), length)


def test_case_g6_a_later_equal_action_carries_the_key_while_it_lives() -> None:
    desk, run = in_doubt_for(23)
    assert (desk.world.count(), desk.world.effects()) == (3, 1)
    assert [action.tool for action in run.doubts] == ["note"]


def test_case_g6_a_program_that_reads_the_doubt_decides_itself() -> None:
    desk, _ = in_doubt_for(25, policy="DEFAULT ALLOW DENY pay WHEN tools.pay.in_doubt == maybe")
    assert desk.world.count() == 3


def test_case_g6_a_key_that_was_forgotten_while_a_person_was_asked_is_not_used() -> None:
    lost = ConnectionError()
    world = World({"pay": [lost, lost, {"receipt": "R"}]})
    desk = Desk(desk_program(f"{PAY} {PAY}", policy="DEFAULT ALLOW REQUIRE APPROVAL FOR pay"), world)

    def slow_yes() -> bool:
        desk.clocks.pass_s(25 * HOUR)
        return True

    run = desk.process(forgetful(world, approve=[True, slow_yes]))
    assert (world.count(), run.status) == (2, "ended, in doubt")
    assert desk.process(host_of(world, approve=True)).trace_text() == run.trace_text()
    assert world.count() == 2


def test_case_g6_nor_while_the_run_waited_for_a_person() -> None:
    lost = ConnectionError()
    world = World({"pay": [lost, lost, {"receipt": "R"}]})
    desk = Desk(desk_program(f"{PAY} {PAY}", policy="DEFAULT ALLOW REQUIRE APPROVAL FOR pay"), world)
    with pytest.raises(WaitingForPerson):
        desk.process(forgetful(world, approve=[True, PENDING]))
    desk.clocks.pass_s(25 * HOUR)
    run = desk.process(forgetful(world, approve=True))
    assert (world.count(), run.status) == (2, "ended, in doubt")


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["lost", "killed", "not applied", "failed", "done"]), st.floats(0, 0.8 * DAY)),
        min_size=1,
        max_size=8,
    ),
    st.booleans(),
)
def test_case_g6_however_a_run_goes_no_call_leaves_under_a_key_after_its_life(
    script: list[tuple[str, float]], restarts: bool
) -> None:
    """Calls end in any way and take any time; between two processes the machine may start again."""
    told = {"lost": ConnectionError(), "killed": Killed(), "not applied": NotApplied("x"), "failed": ValueError("x")}
    world, left = World({"note": [None]}), iter(script)
    made: list[tuple[str, float]] = []
    desk = Desk(desk_program(f'{PAY} note(text = "x") {PAY}', ticks=2), world)

    def call() -> dict[str, str]:
        made.append((world.calls[-1].key, desk.clocks.wall / 1000))
        how, takes = next(left, ("done", 0.0))
        desk.clocks.pass_s(takes)
        if how in told:
            raise told[how]
        return {"receipt": "R"}

    world.script["pay"] = [call]
    for _ in range(len(script) + 2):
        run = desk.process(forgetful(world), options=RunOptions(breaker=0))
        if restarts:
            desk.clocks.boot_id, desk.clocks.boot = f"{desk.clocks.boot_id}+", 1.0
    first_use = dict(reversed(made))
    assert [at - first_use[key] for key, at in made if at - first_use[key] > DAY] == []
    calls = len(world.calls)
    again = desk.process(forgetful(world), options=RunOptions(breaker=0))
    assert (again.trace_text(), len(world.calls)) == (run.trace_text(), calls)


@pytest.mark.parametrize("life", [0, -1, float("nan")])
def test_case_g6_a_life_is_more_than_nothing(life: float) -> None:
    with pytest.raises(ValueError, match="key_life_s"):
        Host().tool("pay", key_life_s=life)


# ---


def test_case_g7_equal_payments_that_are_meant_have_keys_of_their_own_in_one_run_and_in_two() -> None:
    world = World()
    for _ in range(2):
        Desk(desk_program(f"{PAY} {PAY}"), world).process(host_of(world, idempotent=True))
    assert (world.count(), world.effects()) == (4, 4)


@pytest.mark.parametrize(
    ("on_error", "error", "end"),
    [("failed", "ValueError", "completed"), ("unknown", "ActionInDoubt", "ended, in doubt")],
)
def test_case_g9_an_error_is_no_leave_to_call_again(on_error: str, error: str, end: str) -> None:
    """An ordinary error is the tool's answer; `on_error="unknown"` is for tools whose errors say nothing (decision 3).
    In neither case does the engine call again, in this process or in the next."""
    world = World({"pay": [ValueError("after the effect")]})
    desk = Desk(world=world)
    run = desk.process(host_of(world, on_error=on_error))
    assert (desk.errors, run.status, world.count()) == ([error], end, 1)
    desk.process(host_of(world, on_error=on_error))
    assert world.count() == 1


def test_case_g10_pending_failed_and_in_doubt_are_three_things_in_the_status(tmp_path: Path) -> None:
    ends = {"pending": "kill", "failed": "raise ValueError('no')", "in_doubt": "raise TimeoutError"}
    seen = {}
    for name, what in ends.items():
        (tmp_path / name).mkdir()
        place = Place(tmp_path / name)
        place.once("pay", what)
        place.durable("--ticks", "1")
        data = json.loads(place.agentl("durable", "status", "run", "--format", "json").out)
        seen[name] = (data["status"], [each["tool"] for each in data["pending"]], len(data["in_doubt"]))
        assert not any(
            isinstance(value, bool) for each in (data, *data["pending"], *data["in_doubt"]) for value in each
        )
    assert seen == {
        "pending": ("running", ["pay"], 0),
        "failed": ("completed", [], 0),
        "in_doubt": ("ended, in doubt", [], 1),
    }


def test_case_g6_the_limit_of_the_command_line_counts_as_the_tools_own() -> None:
    world = World({"pay": [Killed(), {"receipt": "R"}]})
    desk = Desk(world=world)
    desk.process(forgetful(world))
    desk.clocks.pass_s(23.5 * HOUR)
    desk.process(forgetful(world), options=RunOptions(tool_timeout_s=HOUR))
    assert desk.resolutions == ["in_doubt"]
