"""Against a model: whatever is tried in whatever order, each call let through has its own permit (policy.md §13)."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agentl.kernel.dispatch import current_action, dispatch, require_permit
from agentl.kernel.errors import PermitError
from agentl.kernel.permit import ExecutionPermit, Issuer, void
from agentl.kernel.request import Contract, Identity
from tests.kernel.making import delegated, granted, proposed

Call = tuple[str, str, int]  # kind, target, the one argument
CALLS: list[Call] = [(kind, target, n) for kind in ("invoke", "delegate") for target in ("a", "b") for n in (1, 2)]
calls = st.sampled_from(CALLS)


class Gate(RuleBasedStateMachine):
    """Permits are minted, used, nested, revoked and presented at random."""

    @initialize()
    def start(self) -> None:
        self.line = Issuer()
        self.permits: list[ExecutionPermit] = []
        self.meant: list[Call] = []
        self.status: list[str] = []
        self.presented: set[int] = set()
        self.running: list[tuple[int, ExitStack]] = []
        self.let_through = 0

    @rule(call=calls)
    def mint(self, call: Call) -> None:
        kind, target, n = call
        request = delegated(target, n=n) if kind == "delegate" else proposed(Contract(target), n=n)
        identity = Identity("r", "k", "A", 1, len(self.permits) + 1)
        self.permits.append(granted(request, identity=identity, issuer=self.line))
        if self.status and self.status[-1] == "issued":
            self.status[-1] = "void"
        self.meant.append(call)
        self.status.append("issued")

    @precondition(lambda self: self.permits)
    @rule(data=st.data())
    def use(self, data: Any) -> None:
        chosen = data.draw(st.integers(0, len(self.permits) - 1))
        stack = ExitStack()
        if self.status[chosen] != "issued":
            with pytest.raises(PermitError):
                stack.enter_context(dispatch(self.permits[chosen]))
            return
        stack.enter_context(dispatch(self.permits[chosen]))
        self.status[chosen] = "dispatching"
        self.running.append((chosen, stack))

    @precondition(lambda self: self.running)
    @rule()
    def leave(self) -> None:
        chosen, stack = self.running.pop()
        stack.close()
        self.status[chosen] = "spent"

    @precondition(lambda self: self.permits)
    @rule(data=st.data())
    def revoke(self, data: Any) -> None:
        chosen = data.draw(st.integers(0, len(self.permits) - 1))
        void(self.permits[chosen])
        if self.status[chosen] == "issued":
            self.status[chosen] = "void"

    @rule(call=calls, right=st.booleans())
    def present(self, call: Call, right: bool) -> None:
        top = self.running[-1][0] if self.running else None
        if right and top is not None:
            call = self.meant[top]
        kind, target, n = call
        if top is not None and top not in self.presented and self.meant[top] == call:
            require_permit(kind, target, {"n": n})
            self.presented.add(top)
            self.let_through += 1
        else:
            with pytest.raises(PermitError):
                require_permit(kind, target, {"n": n})

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        if not hasattr(self, "permits"):
            return
        assert [permit.status for permit in self.permits] == self.status
        assert self.let_through == len(self.presented) <= len(self.permits)
        action = current_action()
        assert (action is None) == (not self.running)
        if action is not None:
            assert action.action_id == self.permits[self.running[-1][0]].action_id

    def teardown(self) -> None:
        for _, stack in reversed(getattr(self, "running", [])):
            stack.close()


TestGate = Gate.TestCase
TestGate.settings = settings(max_examples=40, stateful_step_count=30, deadline=None, derandomize=True)
