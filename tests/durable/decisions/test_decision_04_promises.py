"""Decision 4: settling uses only what was promised at the intent and is promised today."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED
from tests.durable.kit import Desk, Killed, World, host_of


def settled(then: dict[str, Any], now: dict[str, Any]) -> Desk:
    """Killed after the effect under the promise of `then`, resumed under the promise of `now`."""
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R-2"}]}))
    desk.process(host_of(desk.world, **then))
    desk.process(host_of(desk.world, **now))
    return desk


IDEMPOTENT: dict[str, Any] = {"idempotent": True}
FOUND: dict[str, Any] = {"reconcile": {"receipt": "R-1"}}
NOT_FOUND: dict[str, Any] = {"reconcile": NOT_EXECUTED}


@pytest.mark.parametrize(
    ("then", "promise"),
    [({}, "none"), (IDEMPOTENT, "idempotent"), (FOUND, "reconcile"), ({**IDEMPOTENT, **FOUND}, "both")],
)
def test_the_intent_stores_the_promise_of_that_moment(then: dict[str, Any], promise: str) -> None:
    desk = Desk()
    desk.process(host_of(desk.world, version="v7", **then))
    assert desk.of_kind("intent")[0]["promise"] == promise
    assert desk.of_kind("intent")[0]["tool_version"] == "v7"


@pytest.mark.parametrize(
    ("then", "now", "how", "calls"),
    [
        (IDEMPOTENT, IDEMPOTENT, "retry", 2),
        (IDEMPOTENT, {}, "in_doubt", 1),
        ({}, IDEMPOTENT, "in_doubt", 1),
        (FOUND, FOUND, "reconciled", 1),
        (FOUND, NOT_FOUND, "not_executed", 2),
        (FOUND, {}, "in_doubt", 1),
        ({}, FOUND, "reconciled", 1),
        ({}, NOT_FOUND, "in_doubt", 1),
        (IDEMPOTENT, NOT_FOUND, "in_doubt", 1),
        ({**IDEMPOTENT, **FOUND}, NOT_FOUND, "not_executed", 2),
        ({**IDEMPOTENT, **FOUND}, {**IDEMPOTENT, **FOUND}, "retry", 2),
    ],
)
def test_only_what_both_then_and_now_promise_counts(
    then: dict[str, Any], now: dict[str, Any], how: str, calls: int
) -> None:
    desk = settled(then, now)
    assert desk.resolutions == [how]
    assert desk.world.count() == calls
    assert desk.world.effects() == 1


def test_a_changed_tool_version_removes_the_promise_of_a_keyed_retry() -> None:
    desk = settled({**IDEMPOTENT, "version": "1"}, {**IDEMPOTENT, "version": "2"})
    assert desk.resolutions == ["in_doubt"]
    assert desk.world.count() == 1


@pytest.mark.parametrize(("then", "now"), [(None, "1"), ("1", None)])
def test_a_version_that_came_or_went_is_a_change(then: str | None, now: str | None) -> None:
    assert settled({**IDEMPOTENT, "version": then}, {**IDEMPOTENT, "version": now}).resolutions == ["in_doubt"]


def test_a_changed_version_keeps_the_look_up() -> None:
    desk = settled({**IDEMPOTENT, **FOUND, "version": "1"}, {**IDEMPOTENT, **FOUND, "version": "2"})
    assert desk.resolutions == ["reconciled"]


def test_the_reason_of_a_doubt_says_which_promise_was_missing() -> None:
    reasons = {
        settled(then, now).of_kind("resolution")[0]["reason"]
        for then, now in [({}, {}), ({}, IDEMPOTENT), ({}, NOT_FOUND), ({**IDEMPOTENT, "version": "1"}, IDEMPOTENT)]
    }
    assert len(reasons) == 4
