"""A host over a real server behind HTTP: how each call ends, plain, durable and after a resume (decisions 3 and 8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentl.durable.run import DurableRun
from agentl.hosting.classification import classify
from agentl.hosting.loading import HostError
from agentl.hosting.mcp import CatalogueDrift, MCPHost, mcp_host
from agentl.hosting.mcp.catalogue import Catalogue
from agentl.hosting.outcomes import NotApplied
from agentl.journal.stores.memory import MemoryStore
from agentl.kernel.testing import dispatch
from tests.hosting.mcp.kit import TRANSFER, Bank, Served, program_that

PAYMENT: dict[str, Any] = {"amount": 40, "to": "Zoe", "currency": "EUR", "note": "rent"}


def json_rpc(code: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": "{id}", "error": {"code": code, "message": "it says no"}})


@pytest.fixture(scope="module")
def host(served: Served, catalogue: Catalogue) -> Iterator[MCPHost]:
    host = mcp_host(served.url, "bank", pinned=catalogue.digest)
    yield host
    host.close()


# --- What is sent and what comes back --------------------------------------------------------------------------------


def test_a_call_sends_the_arguments_and_the_key_and_gives_the_outputs(host: MCPHost, bank: Bank) -> None:
    assert dispatch(host, "bank__transfer", PAYMENT)["receipt"] == "R-40"
    sent = bank.calls("transfer")[-1]
    assert {name: sent[name] for name in PAYMENT} == PAYMENT
    assert len(sent["meta"]["agentl/idempotency-key"]) == 32


@pytest.mark.parametrize("words", [("json",), ("sse",)])
def test_every_transport_calls(words: tuple[str, ...], tmp_path: Path, catalogue: Catalogue) -> None:
    bank = Bank(tmp_path)
    with bank.served(*words) as served:
        host = mcp_host({"servers": {"bank": served.entry()}}, "bank", pinned=catalogue.digest)
        assert dispatch(host, "bank__transfer", PAYMENT)["receipt"] == "R-40"
        host.close()
    assert len(bank.calls("transfer")) == 1


def test_over_sse_a_call_that_is_refused_is_told_although_the_stream_stays_silent(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    bank = Bank(tmp_path)
    with bank.served("sse") as served:
        host = mcp_host(served.entry(), "bank", pinned=catalogue.digest)
        with bank.faulty(tools_call={"status": 401}), pytest.raises(NotApplied, match="H043"):
            dispatch(host, "bank__transfer", PAYMENT)
        with bank.faulty(tools_call={"status": 500}), pytest.raises(Exception, match="H046") as broken:
            dispatch(host, "bank__transfer", PAYMENT)
        with pytest.raises(Exception, match="H050") as large:
            dispatch(host, "bank__big", {"size": 2_000_000})
        host.close()
    assert (classify(broken.value), classify(large.value)) == ("unknown", "unknown")
    assert bank.calls("transfer") == []


# --- How a call ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "ending", "told"),
    [
        ({"status": 401}, "not_applied", "H043"),
        ({"status": 404}, "not_applied", "H044"),
        ({"status": 429}, "not_applied", "H045"),
        ({"status": 307, "headers": {"location": "https://elsewhere.example/"}}, "not_applied", "H047"),
        ({"status": 400, "body": "what?"}, "failed", "H045"),
        ({"status": 400, "type": "application/json", "body": json_rpc(-32602)}, "failed", "it says no"),
        ({"type": "application/json", "body": json_rpc(-32010)}, "failed", "it says no"),
    ],
)
def test_a_call_that_is_refused_has_no_effect(
    fault: dict[str, Any], ending: str, told: str, host: MCPHost, bank: Bank
) -> None:
    before = len(bank.calls("transfer"))
    with bank.faulty(tools_call=fault), pytest.raises(Exception, match=told) as caught:
        dispatch(host, "bank__transfer", PAYMENT)
    assert classify(caught.value) == ending
    assert len(bank.calls("transfer")) == before


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"status": 500}, "H046"),
        ({"status": 504, "type": "text/html", "body": "<html>"}, "H046"),
        ({"type": "application/json", "body": json_rpc(-32603)}, "it says no"),
        ({"type": "text/html", "body": "<html>"}, "H048"),
        ({"status": 202}, "H048"),
        ({"type": "application/json", "body": "{"}, "H048"),
        ({"type": "application/json", "body": "{", "cut": True}, "H050"),
        ({"type": "text/event-stream", "body": ": soon\n\n", "cut": True}, "H050"),
        ({"type": "application/json", "mebibytes": 17}, "H049"),
        ({"type": "text/event-stream", "body": "data: ", "mebibytes": 17}, "H049"),
    ],
)
def test_a_call_whose_answer_is_lost_was_made_all_the_same_and_is_unknown(
    fault: dict[str, Any], told: str, host: MCPHost, bank: Bank
) -> None:
    before = len(bank.calls("transfer"))
    with bank.faulty(tools_call={**fault, "after": True}), pytest.raises(Exception, match=told) as caught:
        dispatch(host, "bank__transfer", PAYMENT)
    assert classify(caught.value) == "unknown"
    assert len(bank.calls("transfer")) == before + 1


def test_no_answer_in_time_is_unknown(served: Served, bank: Bank, catalogue: Catalogue) -> None:
    host = mcp_host(served.url, "bank", pinned=catalogue.digest, timeout_s=0.5)
    with pytest.raises(Exception, match=r"H051 .* no answer within 0\.5 s") as caught:
        dispatch(host, "bank__hang", {"seconds": 1.5})
    host.close()
    assert classify(caught.value) == "unknown"
    assert len(bank.calls("hang")) == 1


def test_a_server_that_dies_in_a_call_leaves_it_unknown_and_the_next_unsent(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    bank = Bank(tmp_path)
    with bank.served("http") as served:
        host = mcp_host(served.url, "bank", pinned=catalogue.digest)
        with pytest.raises(Exception, match="H050") as died:
            dispatch(host, "bank__die")
        with pytest.raises(NotApplied, match="nothing was sent to the MCP server `bank`: H041"):
            dispatch(host, "bank__greet", {"who": "you"})
        served.start()
        assert dispatch(host, "bank__greet", {"who": "you"}) == {"result": "hello you"}
        host.close()
    assert classify(died.value) == "unknown" and len(bank.calls("die")) == 1


# --- Drift -----------------------------------------------------------------------------------------------------------


def test_a_server_that_offers_other_tools_than_pinned_is_refused(tmp_path: Path, catalogue: Catalogue) -> None:
    with Bank(tmp_path).served("http", "drifted") as served, pytest.raises(CatalogueDrift) as caught:
        mcp_host(served.url, "bank", pinned=catalogue.digest)
    assert caught.value.exit_code == 3


def test_a_server_that_comes_back_with_other_tools_is_sent_nothing(tmp_path: Path, catalogue: Catalogue) -> None:
    bank = Bank(tmp_path)
    with bank.served("http") as served:
        host = mcp_host(served.url, "bank", pinned=catalogue.digest)
        served.kill()
        served.start("drifted")
        with pytest.raises(NotApplied, match='nothing was sent: changed: "transfer"; catalogue'):
            dispatch(host, "bank__transfer", PAYMENT)
        host.close()
    assert bank.calls("transfer") == []


# --- What connect demands --------------------------------------------------------------------------------------------


def test_plain_http_to_another_machine_has_to_be_allowed() -> None:
    with pytest.raises(HostError) as caught:
        mcp_host("http://192.0.2.1/mcp", "bank", pinned="0" * 64)
    assert caught.value.code == "H040" and "allow_http" in caught.value.diagnostics[0].help("en")


# --- Durable runs ----------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """Our process dies here."""


def test_a_server_that_dies_in_a_call_leaves_the_action_in_doubt_and_no_resume_calls_again(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    bank, store = Bank(tmp_path), MemoryStore()
    program = program_that("bank__die()", catalogue)
    with bank.served("http") as served:
        host = mcp_host(served.url, "bank", pinned=catalogue.digest)
        run = DurableRun(program, host, store=store, run_id="r")
        assert run.run().state.get("tools.bank__die.in_doubt") is True
        assert run.status == "ended, in doubt"
        served.start()
        again = DurableRun(program, host, store=store.crashed(), run_id="r")
        again.run()
        host.close()
    assert again.trace_text() == run.trace_text()
    assert len(bank.calls("die")) == 1


def test_a_lost_answer_of_an_idempotent_tool_is_asked_for_again_with_its_key(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    bank = Bank(tmp_path)
    with bank.served("http") as served, bank.faulty(tools_call={"status": 502, "after": True, "once": True}):
        host = mcp_host(served.url, "bank", pinned=catalogue.digest, idempotent={"bank__transfer"})
        run = DurableRun(program_that(TRANSFER, catalogue), host, store=MemoryStore(), run_id="r")
        assert run.run().state.get("paid.receipt") == "R-7"
        host.close()
    assert run.status == "completed"
    first, second = (call["meta"]["agentl/idempotency-key"] for call in bank.calls("transfer"))
    assert first == second


def test_a_lost_answer_that_cannot_be_asked_for_again_is_in_doubt_and_not_failed(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    bank, store = Bank(tmp_path), MemoryStore()
    with bank.served("http") as served:
        host = mcp_host(served.url, "bank", pinned=catalogue.digest, idempotent={"bank__die"})
        run = DurableRun(program_that("bank__die()", catalogue), host, store=store, run_id="r")
        run.run()
        host.close()
    assert run.status == "ended, in doubt"
    assert len(bank.calls("die")) == 1


def test_a_run_killed_in_a_call_is_resumed_with_the_same_key(
    host: MCPHost, served: Served, bank: Bank, catalogue: Catalogue
) -> None:
    program, store = program_that(TRANSFER, catalogue), MemoryStore()
    keyed = mcp_host(served.url, "bank", pinned=catalogue.digest, idempotent={"bank__transfer"})
    real, before = keyed.tools["bank__transfer"], len(bank.calls("transfer"))

    def dies(**arguments: Any) -> Any:
        real(**arguments)
        raise Killed

    keyed.tools["bank__transfer"] = dies
    with pytest.raises(Killed):
        DurableRun(program, keyed, store=store, run_id="r").run()
    keyed.tools["bank__transfer"] = real
    runtime = DurableRun(program, keyed, store=store.crashed(), run_id="r").run()
    keyed.close()
    sent = bank.calls("transfer")[before:]
    assert len(sent) == 2 and len({call["meta"]["agentl/idempotency-key"] for call in sent}) == 1
    assert runtime.state.get("paid.receipt") == "R-7"


def test_an_answer_too_large_to_be_stored_is_done_and_of_no_use(
    host: MCPHost, bank: Bank, catalogue: Catalogue
) -> None:
    before = len(bank.calls("big"))
    run = DurableRun(program_that("bank__big(size = 2000000)", catalogue), host, store=MemoryStore(), run_id="r")
    assert "ResultNotStorable" in run.run().trace.render()
    assert run.status == "completed"
    assert len(bank.calls("big")) == before + 1
