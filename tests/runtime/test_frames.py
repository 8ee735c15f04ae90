"""Frames: the stack as plain data."""

from __future__ import annotations

from agentl.runtime.frames import Frame, Turn, frame_from_data, frame_to_data
from agentl.values import UNDEFINED, Symbol

BASE, MORE = frozenset({"RUNTIME"}), frozenset({"RUNTIME", "OBSERVED"})


def busy() -> Frame:
    return Frame(
        "plan:p",
        "plan",
        [BASE, MORE],
        at=7,
        turns=[Turn(), Turn(2, [1, Symbol("s"), UNDEFINED], ["v", "v.index"], MORE)],
        registers={"args": {"n": (1, 2)}, "labels": {"n": MORE, "$control": BASE}, "reread": 1},
        plan="p",
        attempt=2,
        allowed=3,
    )


def test_a_frame_is_read_back_as_it_was() -> None:
    assert frame_from_data(frame_to_data(busy())) == busy()


def test_a_restart_leaves_nothing_open_and_keeps_the_attempts() -> None:
    frame = busy()
    frame.restart()
    assert frame == Frame("plan:p", "plan", [BASE], plan="p", attempt=2, allowed=3)


def test_control_is_the_innermost_label_and_flow_leaves_the_base_out() -> None:
    assert busy().control == MORE and busy().flow == {"OBSERVED"}
    assert Frame("cycle", "cycle", [BASE]).flow == frozenset()
