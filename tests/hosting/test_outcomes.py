"""What a tool, reconciler or approver can say beyond a result."""

from __future__ import annotations

import copy
import pickle

import pytest

from agentl.hosting import NOT_EXECUTED, PENDING, NotApplied, OutcomeUnknown
from agentl.hosting.outcomes import Answer
from agentl.kernel import approval_granted


@pytest.mark.parametrize("answer", [NOT_EXECUTED, PENDING])
def test_an_answer_is_one_object_wherever_it_goes(answer: Answer) -> None:
    assert copy.copy(answer) is answer and copy.deepcopy({"a": answer})["a"] is answer
    assert pickle.loads(pickle.dumps(answer)) is answer


def test_they_print_their_names_and_grant_nothing() -> None:
    assert (repr(NOT_EXECUTED), repr(PENDING)) == ("NOT_EXECUTED", "PENDING")
    assert not approval_granted(PENDING) and not approval_granted(NOT_EXECUTED)
    assert NOT_EXECUTED is not PENDING


def test_the_exceptions_carry_plain_text() -> None:
    assert str(NotApplied("card declined")) == "card declined"
    assert str(OutcomeUnknown("no answer")) == "no answer"
