"""Decision 7: keys come from the key space; no two actions of a run share one, save a late repetition."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.kernel.digest import idempotency_key
from agentl.kernel.request import Identity
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of


def keys_of(desk: Desk) -> list[str]:
    desk.process()
    return desk.world.keys()


def test_without_a_run_id_two_runs_share_no_key() -> None:
    assert keys_of(Desk()) != keys_of(Desk())


def test_the_key_space_without_a_run_id_is_128_random_bits_kept_in_the_opening() -> None:
    desk = Desk()
    desk.process()
    (opening,) = desk.of_kind("open")
    assert len(bytes.fromhex(opening["key_space"])) == 16
    assert opening["key_space"] != opening["run_id"]


def test_two_folders_of_one_given_run_id_share_keys_on_purpose() -> None:
    lost, anew = Desk(run_id="march-rent"), Desk(run_id="march-rent")
    assert keys_of(lost) == keys_of(anew)


def test_starting_such_a_folder_says_so_and_a_resume_does_not() -> None:
    desk = Desk(run_id="march-rent")
    assert desk.process().shares_keys
    assert not desk.process().shares_keys
    assert not Desk().process().shares_keys


def test_the_key_is_the_one_of_the_construction() -> None:
    desk = Desk(run_id="r7")
    desk.process()
    (intent,) = desk.of_kind("intent")
    assert desk.world.keys() == [intent["key"]]
    assert intent["key"] == idempotency_key(Identity("another run", "r7", "DESK", 99, 1), intent["hash"])


def test_the_key_survives_any_number_of_crashes() -> None:
    desk = Desk(world=World({"pay": [Killed(), Killed(), Killed(), {"receipt": "R"}]}))
    for _ in range(4):
        desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 4
    assert desk.world.effects() == 1


def test_equal_calls_of_one_plan_have_keys_of_their_own() -> None:
    desk = Desk(desk_program(f"{PAY} {PAY} {PAY}", ticks=2))
    assert len(set(keys_of(desk))) == 6


ENDINGS: list[Any] = [{"receipt": "R"}, ValueError("no"), TimeoutError("late")]


@settings(max_examples=40)
@given(
    script=st.lists(st.sampled_from(["done", "failed", "unknown", "killed"]), min_size=1, max_size=10),
    amounts=st.lists(st.integers(1, 2), min_size=1, max_size=3),
    idempotent=st.booleans(),
    ticks=st.integers(1, 3),
)
def test_no_two_actions_share_a_key_save_a_repetition_and_the_one_it_names(
    script: list[str], amounts: list[int], idempotent: bool, ticks: int
) -> None:
    ends = {"done": {"receipt": "R"}, "failed": ValueError("no"), "unknown": TimeoutError("late"), "killed": Killed()}
    plan = " ".join(f'pay(amount = {amount}, to = "Zürich")' for amount in amounts)
    desk = Desk(desk_program(plan, ticks=ticks), World({"pay": [*(ends[end] for end in script), {"receipt": "R"}]}))
    for _ in range(len(script) + 1):
        desk.process(host_of(desk.world, idempotent=idempotent))
    intents = desk.of_kind("intent")
    first = {fields["action_id"]: fields for fields in intents if "retry_of" not in fields}
    assert max(Counter(fields["key"] for fields in first.values()).values(), default=0) <= 1
    for fields in intents:
        if "retry_of" in fields:
            assert fields["key"] == first[fields["retry_of"]]["key"]
            assert fields["hash"] == first[fields["retry_of"]]["hash"]
    assert len({fields["action_id"] for fields in intents}) == len(intents)


@pytest.mark.parametrize("ticks", [1, 3])
def test_the_tick_is_in_the_id_and_not_in_the_key(ticks: int) -> None:
    desk = Desk(desk_program(when="claim.go == yes", ticks=4, until="claim.paid == yes"), run_id="r7")
    desk.text = desk.text.replace("LOOP", "BELIEF { claim.n = 0 } LOOP").replace(
        "OBSERVE UPDATE", f"SET claim.n = claim.n + 1 IF claim.n == {ticks} THEN SET claim.go = yes OBSERVE UPDATE"
    )
    desk.process()
    intent = desk.of_kind("intent")[0]
    assert f":t{ticks}:" in intent["action_id"]
    assert intent["key"] == idempotency_key(Identity("another run", "r7", "DESK", 99, 1), intent["hash"])
