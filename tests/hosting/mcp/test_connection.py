"""A connection to a real server over HTTP: its catalogue, and every way not to get it, told by code."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.connection import ServerConnection
from agentl.hosting.mcp.sources import Config
from agentl.hosting.outcomes import NotApplied, OutcomeUnknown
from tests.hosting.mcp.certificates import write_certificate
from tests.hosting.mcp.kit import Bank, Served, catalogue_of

OLDER = {"server_discover": {"status": 404}}  # servers that do not know the newest way to begin


def refusal(entry: dict[str, Any], **options: Any) -> HostError:
    """Why the server of an entry gives no catalogue."""
    connection = ServerConnection(Config({"bank": entry}).server("bank"), **options)
    with closing(connection), pytest.raises(HostError) as caught:
        connection.catalogue()
    return caught.value


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- One catalogue ---------------------------------------------------------------------------------------------------


def test_the_catalogue_is_the_same_over_every_transport(bank: Bank, served: Served) -> None:
    over_http = catalogue_of(served.entry())
    assert catalogue_of(bank.config()["mcpServers"]["bank"]) == over_http
    with bank.served("sse") as older:
        assert catalogue_of(older.entry()) == over_http
    with bank.faulty(**OLDER):
        assert catalogue_of(served.entry()) == over_http


def test_a_redirect_within_the_server_is_followed(bank: Bank, served: Served) -> None:
    onward = {"status": 307, "headers": {"location": "/mcp"}}
    with bank.faulty(**{"at /other": onward}):
        assert catalogue_of({"url": served.url.replace("/mcp", "/other")}) == catalogue_of(served.entry())


def test_a_proxy_of_the_environment_is_not_used_on_this_machine(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert catalogue_of(served.entry()).tools


# --- No catalogue ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "code", "told"),
    [
        ({"status": 401, "body": "who are you"}, "H043", "HTTP 401 (who are you)"),
        ({"status": 403}, "H043", "HTTP 403"),
        ({"status": 404}, "H044", "HTTP 404"),
        ({"status": 429, "body": "slow down"}, "H045", "HTTP 429 (slow down)"),
        ({"status": 500, "body": "it broke"}, "H046", "HTTP 500 (it broke)"),
        ({"status": 503, "type": "text/html", "body": "<html>busy</html>"}, "H046", "HTTP 503"),
        ({"type": "text/html", "body": "<html>hello</html>"}, "H048", "HTTP 200 with content type text/html"),
        ({"type": "application/json", "body": "{}"}, "H048", "the answer is not JSON-RPC"),
        ({"type": "application/json", "body": "hello"}, "H048", "the answer is not JSON-RPC"),
        ({"status": 202}, "H048", "HTTP 202"),
        ({"type": "application/json", "body": "{}", "gzip": True}, "H048", "compressed"),
        ({"type": "application/json", "mebibytes": 17}, "H049", "more than 16 MiB"),
        ({"type": "application/json", "body": "{", "cut": True}, "H050", "was lost"),
        ({"type": "text/event-stream", "body": "data: x\n\n"}, "H048", "the answer is not JSON-RPC"),
    ],
)
def test_a_server_that_gives_no_catalogue_is_told_by_code_with_what_to_do(
    fault: dict[str, Any], code: str, told: str, bank: Bank, served: Served
) -> None:
    with bank.faulty(any=fault):
        error = refusal(served.entry())
    assert error.code == code
    assert told in error.diagnostics[0].text("en") and "`bank`" in error.diagnostics[0].text("en")
    assert error.diagnostics[0].help("en") and error.diagnostics[0].help("fr")


def test_a_catalogue_is_not_read_without_end(bank: Bank, served: Served) -> None:
    with bank.faulty(tools_list={"type": "application/json", "mebibytes": 17}):
        assert refusal(served.entry()).code == "H049"


def test_nobody_listens() -> None:
    error = refusal({"url": f"http://127.0.0.1:{free_port()}/mcp"})
    assert error.code == "H041" and "Connection refused" in str(error)


def test_no_such_host() -> None:
    assert refusal({"url": "https://no-such-host.invalid/mcp"}).code == "H041"


def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        error = refusal({"url": f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"}, start_s=0.5)
    assert error.code == "H051" and "no answer within 0.5 s" in str(error)


def test_a_redirect_to_another_host_is_told_and_nothing_is_sent_there(bank: Bank, served: Served) -> None:
    with socket.socket() as elsewhere:
        elsewhere.bind(("127.0.0.1", 0))
        elsewhere.listen()
        elsewhere.setblocking(False)
        place = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/mcp"
        onward = {"status": 307, "headers": {"location": f"{place}?ticket=1"}}
        with bank.faulty(any=onward):
            error = refusal(served.entry(headers={"Authorization": "Bearer abc"}))
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
    assert error.code == "H047" and f"to {place}, where nothing was sent" in str(error)
    assert "ticket" not in str(error)


def test_a_server_over_sse_that_keeps_us_out_is_told_too(bank: Bank) -> None:
    with bank.served("sse", BANK_TOKEN="good-token") as older:
        assert refusal(older.entry()).code == "H043"
    assert refusal(older.entry()).code == "H041"


def test_over_sse_a_call_that_is_refused_is_not_waited_for_without_end(bank: Bank) -> None:
    with bank.served("sse") as older:
        connection = ServerConnection(Config({"bank": older.entry()}).server("bank"), timeout_s=None)

        async def refused() -> None:
            offer = await connection.awaited(connection.listed())
            with bank.faulty(tools_call={"status": 401}):
                async with asyncio.timeout(60):
                    await connection.awaited(connection.called(offer, "greet", {"who": "you"}, {}))

        with closing(connection), pytest.raises(NotApplied, match="H043"):
            asyncio.run(refused())


def test_an_address_of_the_newer_kind_is_not_read_as_sse(served: Served) -> None:
    assert refusal({**served.entry(), "type": "sse"}).code in ("H044", "H045")


# --- TLS -------------------------------------------------------------------------------------------------------------


def test_a_certificate_nobody_vouches_for_is_refused_until_its_authority_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_certificate(tmp_path)
    bank = Bank(tmp_path)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with bank.served("http", "tls") as served:
        error = refusal(served.entry())
        assert error.code == "H042" and "self-signed certificate" in str(error)
        assert "SSL_CERT_FILE" in error.diagnostics[0].help("en")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert catalogue_of(served.entry()).tools


def test_a_server_without_tls_at_an_https_address_is_a_tls_failure(served: Served) -> None:
    assert refusal({"url": served.url.replace("http://", "https://")}).code == "H042"


# --- Sessions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faults", [{}, OLDER], ids=["newest", "older"])
def test_a_server_that_was_started_again_is_reached_again(faults: dict[str, Any], tmp_path: Path) -> None:
    bank = Bank(tmp_path)
    with bank.served("http") as served, bank.faulty(**faults, nothing={}):
        connection = ServerConnection(Config({"bank": served.entry()}).server("bank"))
        with closing(connection):
            before = connection.catalogue()
            served.kill()
            served.start()
            again = connection.run(connection.listed())
            assert again.catalogue == before
            assert connection.run(connection.called(again, "greet", {"who": "you"}, {})).content


def test_a_list_that_fails_takes_no_call_of_others_with_it(bank: Bank, served: Served) -> None:
    connection = ServerConnection(Config({"bank": served.entry()}).server("bank"), timeout_s=30)

    async def listed_meanwhile() -> tuple[Any, Any]:
        offer = await connection.listed()
        call = asyncio.create_task(connection.called(offer, "hang", {"seconds": 1.5}, {}))
        while not bank.calls("hang"):
            await asyncio.sleep(0.02)
        with bank.faulty(any={"status": 500}):
            listed = await asyncio.gather(connection.listed(), return_exceptions=True)
        return listed[0], await call

    with closing(connection):
        listed, called = connection.run(listed_meanwhile())
    assert isinstance(listed, HostError) and listed.code == "H046"
    assert called.content[0].text == "late"


def test_a_call_on_a_closed_connection_was_not_sent(served: Served) -> None:
    connection = ServerConnection(Config({"bank": served.entry()}).server("bank"))
    offer = connection.run(connection.listed())
    connection.close()
    with pytest.raises(NotApplied, match="the connection was closed before the call"):
        connection.run(connection.called(offer, "greet", {"who": "you"}, {}))


def test_a_call_goes_to_the_server_that_was_looked_at_and_to_no_other(tmp_path: Path) -> None:
    bank = Bank(tmp_path)
    connection = ServerConnection(Config(bank.config()["mcpServers"]).server("bank"))
    with closing(connection):
        looked_at = connection.run(connection.listed())
        connection.close()
        bank.ledger.with_suffix(".grown").touch()
        assert connection.catalogue() != looked_at.catalogue
        with pytest.raises(NotApplied):
            connection.run(connection.called(looked_at, "get-balance", {"account": "a"}, {}))
    assert bank.calls("get-balance") == []


def test_a_connection_that_is_closed_in_the_middle_of_a_call_leaves_it_unknown(bank: Bank, served: Served) -> None:
    connection = ServerConnection(Config({"bank": served.entry()}).server("bank"))

    async def closed_meanwhile() -> None:
        offer = await connection.listed()
        before = len(bank.calls("hang"))
        call = asyncio.create_task(connection.called(offer, "hang", {"seconds": 1.5}, {}))
        while len(bank.calls("hang")) == before:
            await asyncio.sleep(0.02)
        await connection._closed()
        await call

    with pytest.raises(OutcomeUnknown):
        connection.run(closed_meanwhile())
