"""What a status or an error of HTTP says about a call (decision 3)."""

from __future__ import annotations

import json
import ssl

import pytest

from agentl.hosting.mcp.endpoint import Endpoint
from agentl.hosting.mcp.http_failure import HttpFailure, of_error, of_status, recorded

BANK = Endpoint("bank", "https://example.org/mcp?tools=all")
ANSWER = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "no such tool"}})


def failure(status: int, body: str = "", location: str = "") -> HttpFailure:
    found = of_status(BANK, status, body, location)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("status", "ending", "code"),
    [
        (301, "not_applied", "H047"),
        (307, "not_applied", "H047"),
        (400, "failed", "H045"),
        (401, "not_applied", "H043"),
        (403, "not_applied", "H043"),
        (404, "not_applied", "H044"),
        (405, "not_applied", "H044"),
        (408, "unknown", "H046"),
        (409, "unknown", "H046"),
        (413, "not_applied", "H045"),
        (418, "failed", "H045"),
        (421, "not_applied", "H045"),
        (429, "not_applied", "H045"),
        (500, "unknown", "H046"),
        (502, "unknown", "H046"),
        (503, "unknown", "H046"),
        (504, "unknown", "H046"),
    ],
)
def test_a_status_says_whether_the_call_can_have_had_an_effect(status: int, ending: str, code: str) -> None:
    found = failure(status, location="https://elsewhere.example/mcp")
    assert (found.ending, found.message.code) == (ending, code)
    assert "https://example.org/mcp" in found.diagnostic.text("en") and "tools=all" not in found.diagnostic.text("en")


def test_an_error_of_json_rpc_is_the_answer_of_the_server_save_where_it_broke_or_kept_us_out() -> None:
    assert of_status(BANK, 400, ANSWER, "") is None
    assert failure(500, ANSWER).ending == "unknown"
    assert failure(401, ANSWER).diagnostic.text("en").endswith("HTTP 401 (no such tool)")
    assert failure(400, json.dumps({"error": {"code": 1, "message": "m"}})).ending == "failed"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("Invalid Host\n header", " (Invalid Host header)"),
        ("<!doctype html><html>", ""),
        ("", ""),
        ("[" * 100_000, f" ({'[' * 199}…)"),
    ],
)
def test_of_a_refusal_a_short_plain_text_is_told(body: str, told: str) -> None:
    assert failure(421, body).diagnostic.text("en").endswith(f"HTTP 421{told}")


def test_what_was_not_sent_was_not_done_and_what_was_sent_is_unknown() -> None:
    assert of_error(BANK, ConnectionRefusedError(111, "Connect call failed"), was_sent=False).ending == "not_applied"
    assert of_error(BANK, ConnectionResetError(104, "x"), was_sent=True).ending == "unknown"


def test_the_reason_is_that_of_the_system_below_what_the_library_says() -> None:
    library = RuntimeError("All connection attempts failed")
    library.__cause__ = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)")
    assert "Connection refused" in of_error(BANK, library, was_sent=False).diagnostic.text("en")


def test_a_tls_error_is_found_below_what_the_library_says() -> None:
    library = RuntimeError("connect")
    library.__context__ = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
    found = of_error(BANK, library, was_sent=False)
    assert (found.ending, found.message.code) == ("not_applied", "H042")


def test_what_is_recorded_has_the_code_and_what_to_do_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTL_LANG", "fr")
    text = recorded(failure(401).diagnostic)
    assert text.startswith("H043 the MCP server `bank`")
    assert '{"Authorization": "Bearer ${NAME}"}' in text
