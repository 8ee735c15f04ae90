"""AsyncHost: as Host, reached by coroutines; every call of a tool or sub-agent demands the permit for exactly it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentl.hosting.async_host import AsyncHost
from agentl.hosting.host import NO_ANSWER, Host
from agentl.hosting.options import options_of
from agentl.hosting.outcomes import PENDING, NotApplied
from agentl.hosting.promise import promise_of
from agentl.kernel.contract import Contract
from agentl.kernel.dispatch import ActionContext, current_action, dispatch
from agentl.kernel.errors import PermitError
from agentl.kernel.gate import Decider, grant, judge, propose, propose_delegate
from agentl.kernel.permit import ExecutionPermit
from agentl.kernel.request import ActionRequest, Decision, Identity


class Yes(Decider):
    def decide(self, request: Any, scope: Any) -> Decision:
        return Decision("ALLOWED")


def permit_for(tool: str, args: dict[str, Any], kind: str = "invoke") -> ExecutionPermit:
    contract = Contract(tool, (), (), "LOW", ())
    request = propose(contract, args) if kind == "invoke" else propose_delegate(tool, args)
    assert isinstance(request, ActionRequest)
    decision = judge(request, Yes(), None)
    assert isinstance(decision, Decision)
    permit = grant(request, decision, identity=Identity("r", "r", "A", 1, 1), policy_digest="")
    assert isinstance(permit, ExecutionPermit)
    return permit


@pytest.fixture
def host() -> AsyncHost:
    made = AsyncHost()

    @made.tool("pay", idempotent=True, timeout_s=3, version="2")
    async def pay(amount: int) -> Any:
        await asyncio.sleep(0)
        action = current_action()
        return {"amount": amount, "key": action.idempotency_key if action else None}

    @made.tool("print")
    def print_it(amount: int) -> Any:
        action = current_action()
        return {"amount": amount, "key": action.idempotency_key if action else None}

    @made.subagent("helper")
    async def helper(payload: dict[str, Any]) -> Any:
        return payload

    return made


@pytest.mark.parametrize("tool", ["pay", "print"])
def test_a_tool_sync_or_async_acts_under_its_permit(host: AsyncHost, tool: str) -> None:
    async def main() -> Any:
        permit = permit_for(tool, {"amount": 5})
        with dispatch(permit) as args:
            return permit.idempotency_key, await host.invoke(tool, args)

    key, result = asyncio.run(main())
    assert result == {"amount": 5, "key": key}


def test_without_the_permit_for_exactly_this_call_nothing_is_called(host: AsyncHost) -> None:
    async def main() -> None:
        with pytest.raises(PermitError):
            await host.invoke("pay", {"amount": 5})
        with pytest.raises(PermitError):
            await host.delegate("helper", {})
        with pytest.raises(KeyError):
            await host.invoke("nothing", {})
        with pytest.raises(KeyError):
            await host.delegate("nobody", {})
        with dispatch(permit_for("pay", {"amount": 5})):
            with pytest.raises(PermitError):
                await host.invoke("pay", {"amount": 6})
            with pytest.raises(PermitError):
                await host.invoke("print", {"amount": 5})
            await host.invoke("pay", {"amount": 5})
            with pytest.raises(PermitError):
                await host.invoke("pay", {"amount": 5})

    asyncio.run(main())


def test_a_sub_agent_gets_its_payload_under_its_permit(host: AsyncHost) -> None:
    async def main() -> Any:
        with dispatch(permit_for("helper", {"a": 1}, "delegate")) as args:
            return await host.delegate("helper", args)

    assert asyncio.run(main()) == {"a": 1}


def test_a_task_started_before_another_s_dispatch_has_no_permit(host: AsyncHost) -> None:
    async def main() -> None:
        inside = asyncio.Event()

        async def thief() -> None:
            await inside.wait()
            await host.invoke("pay", {"amount": 5})

        task = asyncio.create_task(thief())
        with dispatch(permit_for("pay", {"amount": 5})):
            inside.set()
            with pytest.raises(PermitError):
                await task

    asyncio.run(main())


def test_a_task_that_outlives_the_dispatch_can_call_nothing(host: AsyncHost) -> None:
    async def main() -> None:
        over = asyncio.Event()

        async def late() -> None:
            await over.wait()
            await host.invoke("pay", {"amount": 5})

        with dispatch(permit_for("pay", {"amount": 5})):
            task = asyncio.create_task(late())
            await asyncio.sleep(0)
        over.set()
        with pytest.raises(PermitError):
            await task

    asyncio.run(main())


def test_nothing_registered_answers_as_host_does() -> None:
    async def main() -> tuple[Any, ...]:
        empty = AsyncHost()
        with pytest.raises(LookupError):
            await empty.reconcile("pay", {}, ActionContext("invoke", "pay", "", ""))
        return await empty.read("x"), await empty.ask("?"), await empty.approve(None), await empty.drain()  # type: ignore[arg-type]

    assert asyncio.run(main()) == (None, NO_ANSWER, False, [])


@pytest.mark.parametrize(("answer", "granted"), [("yes", True), (True, True), ("perhaps", False), (None, False)])
@pytest.mark.parametrize("is_async", [True, False])
def test_an_approver_grants_by_the_words_of_the_policy(answer: Any, granted: bool, is_async: bool) -> None:
    async def later(request: Any) -> Any:
        return answer

    host = AsyncHost()
    host.approver = later if is_async else lambda request: answer
    assert asyncio.run(host.approve(None)) is granted  # type: ignore[arg-type]


def test_an_approver_may_answer_that_somebody_was_asked() -> None:
    host = AsyncHost()
    host.approver = lambda request: PENDING
    assert asyncio.run(host.approve(None)) is PENDING  # type: ignore[arg-type]


def test_events_come_in_the_order_they_were_emitted_and_once() -> None:
    host = AsyncHost()
    host.emit("a", n=1)
    host.emit("b")
    found = [{"source": "a", "payload": {"n": 1}}, {"source": "b", "payload": {}}]
    assert [asyncio.run(host.drain()), asyncio.run(host.drain())] == [found, []]


def test_promises_and_options_are_read_from_it_as_from_a_host(host: AsyncHost) -> None:
    host.reconciler("pay", after_s=2)(lambda args, context: None)
    assert (promise_of(host, "pay"), promise_of(host, "print")) == ("both", "none")
    assert (options_of(host, "pay").timeout_s, options_of(host, "pay").version) == (3, "2")


def test_a_secret_is_supplied_at_the_call_and_its_lack_means_that_nothing_happened() -> None:
    host, seen = AsyncHost(), []

    @host.tool("login", secret={"token"})
    async def login(token: str) -> None:
        seen.append(token)

    async def main() -> None:
        with dispatch(permit_for("login", {"token": "secret:bank"})) as args:
            await host.invoke("login", args)

    with pytest.raises(NotApplied):
        asyncio.run(main())
    host.secret("bank")(lambda: "s3cr3t")
    asyncio.run(main())
    assert seen == ["s3cr3t"]


def test_it_offers_what_a_host_offers() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(Host) <= public(AsyncHost)
    assert public(AsyncHost) - public(Host) == {"delegate"}
