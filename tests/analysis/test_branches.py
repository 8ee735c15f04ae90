"""What a branch writes: every kind of statement is either known to write or known not to."""

from __future__ import annotations

from typing import get_args

import pytest

from agentl.analysis.branches import parallels, statements_of, writes
from agentl.analysis.model import AgentModel, ProgramModel
from agentl.diagnostics import Source
from agentl.ir.statements import Statement
from agentl.syntax.parser import parse

AROUND = """
AGENT a {{
  OBSERVE {{ tank.level }}
  TOOL act {{ OUTPUT {{ out }} EFFECT {{ crate.pos = 1 }} SIDE_EFFECT {{ vault.door }} REQUIRES tank.level > 1 }}
  ON VERIFY.FAIL {{ SET failed.x = 1 }}
  PLAN p {{ PARALLEL {{ BRANCH one {{ {} }} }} }}
}}
"""
# One statement of each kind that writes, with all it writes.
WRITES = {
    "set": ("SET x.y = 1", {"x.y"}),
    "call": ("act()", {"act.out", "out", "crate.pos", "vault.door", "tank.level"}),
    "reason": ("REASON { PRODUCE { cause } }", {"cause", "reason.cause"}),
    "judge": (
        'JUDGE { cause: NOUL "t" }',
        {"cause", "reason.cause", "judge.cause", "judge.cause.value", "judge.cause.p", "judge.cause.confidence"},
    ),
    "ask": ("ASK boss { }", {"answer", "answer.boss"}),
    "delegate": ("DELEGATE sub { EXPECT { sum } }", {"sum", "sub.sum"}),
    "verify": ("VERIFY tank.level > 1", {"tank.level", "failed.x"}),
}
# Statements that only hold others, that end or steer something, or that send.
WRITES_NOTHING = {
    *("block", "if", "loop", "foreach", "parallel"),
    *("plan_reference", "retry", "rollback", "escalate", "send"),
    # These cannot stand in a branch (E209).
    *("give", "stop", "phase"),
}


def model(text: str) -> AgentModel:
    parsed = parse(Source(AROUND.format(text)))
    assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
    return ProgramModel(parsed.program, parsed).agents[0]


def written(text: str, *, in_turn: bool = False) -> set[str]:
    found = model(text)
    ((parallel, symbol),) = parallels(found)
    assert symbol == "plan:p"
    return {write.path for write in writes(statements_of(parallel.branches[0], found), found, in_turn=in_turn)}


@pytest.mark.parametrize("kind", WRITES)
def test_a_statement_writes_these_paths(kind: str) -> None:
    text, paths = WRITES[kind]
    assert written(text) == paths


def test_every_kind_of_statement_is_known() -> None:
    union, _ = get_args(Statement)
    kinds = {member.model_fields["kind"].default for member in get_args(union)}
    assert kinds == {*WRITES, *WRITES_NOTHING}


def test_branches_that_run_in_turn_may_share_a_side_effect() -> None:
    assert written("act()", in_turn=True) == written("act()") - {"vault.door"}


def test_a_verify_with_its_own_handler_brings_no_other() -> None:
    assert written("VERIFY { tank.level > 1 ON FAIL { SET own.x = 1 } }") == {"tank.level", "own.x"}


def test_a_failing_handler_that_verifies_ends() -> None:
    text = "AGENT a { ON VERIFY.FAIL { VERIFY x.y } PLAN p { PARALLEL { BRANCH b { VERIFY x.y } } } }"
    parsed = parse(Source(text))
    assert parsed.program is not None
    found = ProgramModel(parsed.program, parsed).agents[0]
    ((parallel, _),) = parallels(found)
    assert len(list(statements_of(parallel.branches[0], found))) == 2
