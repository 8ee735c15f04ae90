"""Entries with an address: what is one, what its headers may be, and what nobody may see."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.endpoint import Endpoint, endpoint_of, host_of, is_url

TOKEN = "s3cret-0123456789"


def refused(entry: dict[str, Any], **options: Any) -> str:
    with pytest.raises(HostError) as caught:
        endpoint_of("bank", entry, **options)
    assert TOKEN not in str(caught.value)
    return caught.value.code


@pytest.mark.parametrize(
    ("given", "transport"),
    [(None, "http"), ("http", "http"), ("streamable-http", "http"), ("streamableHttp", "http"), ("SSE", "sse")],
)
def test_the_transport_is_named_as_in_the_configs_of_others(given: str | None, transport: str) -> None:
    found = endpoint_of("bank", {"url": "https://example.org/mcp", "type": given})
    assert found == Endpoint("bank", "https://example.org/mcp", transport)  # type: ignore[arg-type] # a Literal


@pytest.mark.parametrize(
    "entry",
    [
        {"url": 3},
        {"url": ""},
        {"url": "example.org/mcp"},
        {"url": "ftp://example.org"},
        {"url": "https://"},
        {"url": "https://example.org:port/"},
        {"url": "https://exa mple.org/"},
        {"url": "https://example.org/\n"},
        {"url": "https://[::1/"},
        {"url": "https://example.org/", "type": "carrier-pigeon"},
        {"url": "https://example.org/", "type": 3},
        {"url": "https://example.org/", "headers": ["A"]},
        {"url": "https://example.org/", "headers": {"A": 1}},
        {"url": "https://example.org/", "allow_http": "yes"},
    ],
)
def test_what_is_no_usable_address_is_refused(entry: dict[str, Any]) -> None:
    assert refused(entry) == "H031"


@pytest.mark.parametrize("name", ["", "a b", "a:b", "é", "Accept", "content-LENGTH", "Host", "MCP-Session-Id"])
def test_a_header_that_is_none_or_that_the_transport_sets_is_refused(name: str) -> None:
    assert refused({"url": "https://example.org/", "headers": {name: "x"}}) == "H031"


@pytest.mark.parametrize("value", ["", "Bearer ", f"{TOKEN}\r\nX: 1", f"{TOKEN}\n", f"{TOKEN}é", f" {TOKEN}"])
def test_a_value_that_cannot_be_sent_is_refused_without_being_shown(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_HEADER", value)
    assert refused({"url": "https://example.org/", "headers": {"Authorization": "${BANK_HEADER}"}}) == "H031"


def test_headers_are_filled_from_the_environment_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_TOKEN", TOKEN)
    monkeypatch.setenv("BANK_HOST", "example.org")
    entry = {"url": "https://${BANK_HOST}/mcp", "headers": {"Authorization": "Bearer ${BANK_TOKEN}", "X-Team": "ours"}}
    found = endpoint_of("bank", entry)
    assert found.url == "https://example.org/mcp"
    assert found.headers == {"Authorization": f"Bearer {TOKEN}", "X-Team": "ours"}
    assert found.secrets == (TOKEN,)
    assert TOKEN not in repr(found)
    monkeypatch.delenv("BANK_TOKEN")
    with pytest.raises(HostError, match="`BANK_TOKEN` is not set"):
        endpoint_of("bank", entry)


def test_what_a_header_takes_from_the_environment_is_secret_and_so_is_a_literal_credential(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BANK_TEAM", "accounting")
    headers = {"X-Team": "${BANK_TEAM}", "X-Api-Key": TOKEN, "X-Note": "nothing to hide", "X-Version-Key": "2"}
    found = endpoint_of("bank", {"url": "https://example.org/", "headers": headers})
    assert sorted(found.secrets) == ["accounting", TOKEN]


def test_an_address_holds_no_credential_since_it_is_shown_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_TOKEN", TOKEN)
    assert refused({"url": "https://example.org/mcp?key=${BANK_TOKEN}"}) == "H031"
    assert refused({"url": f"https://somebody:{TOKEN}@example.org/mcp"}) == "H031"
    shown = endpoint_of("bank", {"url": "https://example.org/mcp?tools=all#top"})
    assert (shown.url, shown.shown) == ("https://example.org/mcp?tools=all", "https://example.org/mcp")


@pytest.mark.parametrize(
    "url", ["http://localhost:8000/mcp", "http://127.0.0.1/mcp", "http://127.8.8.8/", "HTTP://[::1]/mcp"]
)
def test_plain_http_may_stay_on_this_machine(url: str) -> None:
    assert endpoint_of("bank", {"url": url}).is_loopback


@pytest.mark.parametrize(
    "url", ["http://example.org/mcp", "http://10.0.0.7/mcp", "http://localhost.example.org/", "http://0.0.0.0/mcp"]
)
def test_plain_http_leaves_this_machine_only_when_that_is_allowed(url: str) -> None:
    assert refused({"url": url}) == "H040"
    assert refused({"url": url, "allow_http": False}) == "H040"
    assert endpoint_of("bank", {"url": url, "allow_http": True}).url == url
    assert endpoint_of("bank", {"url": url}, allow_http=True).url == url


def test_an_address_is_told_from_a_file_and_names_its_server() -> None:
    assert is_url("https://example.org/mcp") and is_url("HTTP://x")
    assert not is_url("mcp.json") and not is_url("ftp://x") and not is_url({"url": "https://x"})
    assert host_of("https://tools.example.org:8443/mcp") == "tools.example.org"
    assert host_of("https://[::1/") == ""
