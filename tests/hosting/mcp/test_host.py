"""A host over a real MCP server process: what is sent, what comes back, and what is never sent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agentl.durable.run import DurableRun
from agentl.hosting.classification import classify
from agentl.hosting.loading import HostError
from agentl.hosting.mcp import CatalogueDrift, MCPHost, mcp_host
from agentl.hosting.mcp.catalogue import Catalogue
from agentl.hosting.mcp.command import ServerCommand
from agentl.hosting.mcp.connection import ServerConnection, ToolFailed
from agentl.hosting.mcp.program_text import program_text
from agentl.hosting.outcomes import NotApplied, OutcomeUnknown
from agentl.hosting.promise import promise_of
from agentl.journal.stores.memory import MemoryStore
from agentl.kernel.testing import dispatch
from agentl.values import Symbol
from tests.hosting.mcp.kit import TRANSFER, Bank, catalogue_of, program_that

NEVER_CALLED: Any = None  # stands for a connection


@pytest.fixture(scope="module")
def catalogue(bank: Bank) -> Catalogue:
    return catalogue_of(bank.config()["mcpServers"]["bank"])


@pytest.fixture(scope="module")
def host(bank: Bank, catalogue: Catalogue) -> Iterator[MCPHost]:
    config = bank.config(env={"BANK_TOKEN": "t-1"})
    host = mcp_host(config, "bank", pinned=catalogue.digest, timeout_s=1.0, idempotent={"bank__transfer"})
    yield host
    host.close()


def called(host: MCPHost, tool: str, **arguments: Any) -> Any:
    """Call a tool as a run does: under a permit."""
    return dispatch(host, tool, arguments)


# --- What is sent and what comes back --------------------------------------------------------------------------------


def test_a_call_sends_symbols_as_texts_and_the_key_beside_the_arguments(host: MCPHost, bank: Bank) -> None:
    arguments = {"amount": 40, "to": "Zürich", "currency": Symbol("EUR"), "note": "for lunch"}
    result = dispatch(host, "bank__transfer", arguments)
    assert (result["receipt"], result["amount"]) == ("R-40", 40)
    sent = bank.calls("transfer")[-1]
    assert (sent["amount"], sent["to"], sent["currency"], sent["note"]) == (40, "Zürich", "EUR", "for lunch")
    assert len(sent["meta"]["agentl/idempotency-key"]) == 32


def test_an_optional_argument_can_be_left_out(host: MCPHost, bank: Bank) -> None:
    called(host, "bank__transfer", amount=1, to="x", currency="CHF")
    assert bank.calls("transfer")[-1]["note"] is None


def test_results_are_the_outputs_the_imported_tool_declares(host: MCPHost) -> None:
    assert called(host, "bank__get_balance", account="a") == {"result": 40}
    assert called(host, "bank__greet", who="you") == {"result": "hello you"}
    drawn = called(host, "bank__draw")["result"]
    assert [part["type"] for part in drawn] == ["text", "image"] and drawn[0]["text"] == "a dot"


def test_the_server_gets_the_environment_of_its_entry_and_not_ours(
    host: MCPHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_OTHER", "x")
    assert called(host, "bank__environment") == {"result": '{"BANK_TOKEN": "t-1"}'}


def test_only_a_person_promises_that_a_repeated_call_is_harmless(host: MCPHost, catalogue: Catalogue) -> None:
    assert promise_of(host, "bank__transfer") == "idempotent"
    assert promise_of(host, "bank__refuse") == "none"
    assert host.tool_options["bank__transfer"].version == catalogue.digest


# --- How a call ends -------------------------------------------------------------------------------------------------


def test_an_error_of_the_server_is_a_failure(host: MCPHost) -> None:
    with pytest.raises(ToolFailed, match="`refuse` failed on the MCP server `bank`") as caught:
        called(host, "bank__refuse", why="closed")
    assert classify(caught.value) == "failed"


def test_no_answer_in_time_is_an_unknown_outcome(host: MCPHost, bank: Bank) -> None:
    with pytest.raises(OutcomeUnknown, match="did not answer the call of `hang`") as caught:
        called(host, "bank__hang", seconds=1.5)
    assert classify(caught.value) == "unknown"
    assert len(bank.calls("hang")) == 1


def test_a_server_that_dies_in_a_call_leaves_it_unknown_and_is_started_for_the_next(host: MCPHost, bank: Bank) -> None:
    with pytest.raises(OutcomeUnknown):
        called(host, "bank__die")
    assert len(bank.calls("die")) == 1
    assert called(host, "bank__greet", who="again") == {"result": "hello again"}


@pytest.mark.parametrize("amount", [Decimal("1.10"), float("inf"), b"1", {1}])
def test_what_json_does_not_have_is_not_sent(host: MCPHost, bank: Bank, amount: Any) -> None:
    before = len(bank.calls("transfer"))
    with pytest.raises(NotApplied, match="argument amount cannot be sent"):
        host.tools["bank__transfer"](amount=amount, to="x", currency="EUR")
    assert len(bank.calls("transfer")) == before


# --- Drift -----------------------------------------------------------------------------------------------------------


def test_a_server_that_offers_other_tools_is_refused_before_anything(bank: Bank, catalogue: Catalogue) -> None:
    with pytest.raises(CatalogueDrift, match=catalogue.digest) as caught:
        mcp_host(bank.config("drifted"), "bank", pinned=catalogue.digest)
    assert caught.value.exit_code == 3
    assert "cannot be told without the lines `# tool …`" in str(caught.value)


def test_a_program_with_the_lines_of_the_import_learns_which_tools_changed(
    bank: Bank, catalogue: Catalogue, tmp_path: Path
) -> None:
    program = tmp_path / "bank.agent"
    program.write_text(program_text(catalogue, "1"), encoding="utf-8")
    with pytest.raises(CatalogueDrift) as caught:
        mcp_host(bank.config("drifted", "grown"), "bank", pinned=program)
    assert 'changed: "transfer"; new: "extra"; its catalogue is' in caught.value.diagnostics[0].text("en")


def test_a_server_that_changes_later_is_sent_nothing(tmp_path: Path, catalogue: Catalogue) -> None:
    own = Bank(tmp_path)
    host = mcp_host(own.config(), "bank", pinned=catalogue.digest)
    own.ledger.with_suffix(".grown").touch()
    host.close()  # its next process finds another world
    with pytest.raises(NotApplied, match='nothing was sent: new: "extra"'):
        called(host, "bank__transfer", amount=1, to="x", currency="EUR")
    own.ledger.with_suffix(".grown").unlink()
    assert own.calls("transfer") == []
    host.close()


def test_a_server_that_cannot_be_started_again_leaves_the_call_unsent(bank: Bank, tmp_path: Path) -> None:
    script = tmp_path / "bank.py"
    config = {"servers": {"bank": {"command": sys.executable, "args": [str(script)]}}}
    script.write_text("import sys; sys.exit(3)")
    with pytest.raises(HostError, match="gave no list of tools"):
        mcp_host(config, "bank", pinned="0" * 64)


def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    command = ServerCommand("mute", sys.executable, ("-c", "import sys; sys.stdin.read()"))
    with pytest.raises(HostError, match=r"no answer within 0\.5 s"):
        ServerConnection(command, start_s=0.5).catalogue()


def test_no_such_command_is_told() -> None:
    with pytest.raises(HostError, match="`bank` cannot be used"):
        mcp_host({"servers": {"bank": {"command": "/no/such/bank"}}}, "bank", pinned="0" * 64)


# --- What connect demands --------------------------------------------------------------------------------------------


def test_the_pin_is_read_from_the_program_and_a_program_without_one_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "bank.agent"
    program.write_text("AGENT A { }")
    with pytest.raises(HostError, match="names no catalogue"):
        mcp_host({"servers": {"bank": {"command": "x"}}}, "bank", pinned=program)


def test_a_captured_list_cannot_be_called() -> None:
    with pytest.raises(HostError, match="can be imported, but not called"):
        mcp_host({"tools": []}, "bank", pinned="0" * 64)


def test_a_promise_for_a_tool_the_server_does_not_have_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(ValueError, match="bank__transfr"):
        MCPHost().register(catalogue, NEVER_CALLED, idempotent={"bank__transfr"})


def test_no_tool_takes_the_name_of_another(catalogue: Catalogue) -> None:
    host = MCPHost()
    host.tool("bank__die")(dict)
    with pytest.raises(HostError, match="already has a tool `bank__die`"):
        host.register(catalogue, NEVER_CALLED)


def test_a_missing_extra_is_named_with_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from agentl.hosting.mcp import mcp_host\n"
        "try: mcp_host({'servers': {}}, 'bank', pinned='0' * 64)\n"
        "except Exception as error: print(type(error).__name__, error.diagnostics[0].help())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ExtraMissing install the extra: pip install 'agentl[mcp]'"


# --- A durable run ---------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process dies here."""


def test_a_resumed_run_sends_the_first_key_again(host: MCPHost, bank: Bank, catalogue: Catalogue) -> None:
    program = program_that(TRANSFER, catalogue)
    store = MemoryStore()
    real = host.tools["bank__transfer"]

    def dies(**arguments: Any) -> Any:
        real(**arguments)
        raise Killed

    before = len(bank.calls("transfer"))
    host.tools["bank__transfer"] = dies
    try:
        with pytest.raises(Killed):
            DurableRun(program, host, store=store, run_id="r").run()
    finally:
        host.tools["bank__transfer"] = real
    resumed = DurableRun(program, host, store=store.crashed(), run_id="r")
    runtime = resumed.run()
    sent = bank.calls("transfer")[before:]
    assert [call["amount"] for call in sent] == [7, 7]
    assert len({call["meta"]["agentl/idempotency-key"] for call in sent}) == 1
    assert runtime.state.get("paid.receipt") == "R-7"
