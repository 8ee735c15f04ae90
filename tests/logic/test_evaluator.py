"""AGENT-L 1.10's Evaluator (host-api.md §4, §17), on the table of semantics.md §4.3."""

from __future__ import annotations

from typing import Any

import pytest

from agentl import Evaluator, State
from agentl.core import EvalError
from agentl.logic.scope import Belief
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import expr

OBSERVED = frozenset({"OBSERVED"})


def state() -> State:
    made = State()
    made.set_world("tank.level", 40, OBSERVED)
    made.set_world("tank.mode", Symbol("auto"), OBSERVED)
    made.set_local("risk_score", UNDEFINED)
    made.set_belief("pump.state", Belief(Symbol("on"), 0.7))
    return made


@pytest.mark.parametrize(
    ("text", "ordinary", "strict"),
    [
        ("tank.level > 30", True, True),
        ("a.b == 1", False, False),
        ("a.b != 1", True, False),
        ("a.b != c.d", False, False),
        ("NOT a.b == 1", True, True),
        ("a.b", False, False),
        ("dry_run == no", False, False),
        ("dry_run", True, True),
        ("tank.mode == auto", True, True),
        ("tank.mode > 3", False, False),
        ("tank.level > 30 OR a.b == 1", True, True),
        ("CONFIDENCE(q.r) < 0.5", True, True),
        ("P(leak) > 0.5", False, False),
        ("tank.level IN [40, a.b]", True, True),
        ("4 / 0 > 3", True, True),
    ],
)
def test_truth_is_that_of_the_table(text: str, ordinary: bool, strict: bool) -> None:
    assert Evaluator(state()).test(expr(text)) is ordinary
    assert Evaluator(state(), strict_undefined=True).test(expr(text)) is strict


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tank.level + 2", 42.0),
        ("tank.mode", Symbol("auto")),
        ("a.b", UNDEFINED),
        ("[tank.level, auto]", [40, Symbol("auto")]),
    ],
)
def test_eval_gives_the_value(text: str, value: Any) -> None:
    assert Evaluator(state()).eval(expr(text)) == value


@pytest.mark.parametrize(
    "text", ["frobnicate(tank.level) > 1", "tank.mode + 1 > 2", "CONFIDENCE(3) > 0.5", "abs(a.b) > 1"]
)
def test_what_has_no_value_raises(text: str) -> None:
    evaluator = Evaluator(state())
    for evaluate in (evaluator.eval, evaluator.test):
        with pytest.raises(EvalError):
            evaluate(expr(text))


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("tank.level > 30", 0),
        ("idle == tank.mode", 0),
        ("a.b == 1", 1),
        ("a.b == c.d", 2),
        ("NOT (a.b == 1)", 1),
        ("tank.mode > 3", 1),
        ("tank.level IN 5", 1),
        ("CONFIDENCE(q.r) < 0.5", 1),
        ("CONFIDENCE(pump.state) < 0.5", 0),
        ("P(leak) > 0.5", 1),
        ("tank.level > 30 OR a.b == 1", 0),
        ("tank.level > 90 AND a.b == 1", 0),
        ("a.b == 1 OR tank.level > 30", 1),
        ("a.b == 1 OR c.d == 2", 2),
        ("a.b == 1 AND c.d == 2", 1),
        ("tank.level IN [a.b, c.d]", 2),
        ("len(a.b) > 0", 1),
    ],
)
def test_notes_are_what_was_not_known_and_not_skipped(text: str, notes: int) -> None:
    evaluator = Evaluator(state())
    evaluator.test(expr(text))
    assert len(evaluator.notes) == notes, evaluator.notes
    evaluator.test(expr("x.y == 1"))
    assert evaluator.notes[notes:] == ["x.y is undefined"]


def test_label_says_where_a_value_comes_from() -> None:
    evaluator = Evaluator(state())
    assert evaluator.label(expr("tank.level + 1")) == OBSERVED | {"DECLARED"}
    assert evaluator.label(expr("a.b")) == {"UNKNOWN"}
