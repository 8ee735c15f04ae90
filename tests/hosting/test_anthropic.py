"""AGENT-L 1.10's AnthropicLLM, against an HTTP server that speaks Anthropic's format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agentl import AnthropicLLM
from agentl.hosting.loading import HostError
from agentl.hosting.models.patience import ModelUnavailable
from tests.hosting.models.provider import Provider, Script, fails

PRODUCE = {"kind": "Symbol IN [bill, junk]"}
CONTEXT = {"tick": 1, "focus": {"mail.body": "an invoice"}}


def says(answer: dict[str, Any]) -> Script:
    """A structured answer in the form that was asked for."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": json.dumps(answer)}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
    return lambda reply: reply.send(200, json.dumps(body))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    for name in ("AGENTL_LLM_RETRIES", "AGENTL_LLM_RETRY_BUDGET", "AGENTL_MAX_OUTPUT_TOKENS", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with Provider([says({"kind": "bill"})]) as made:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", made.url.removesuffix("/v1"))
        yield made


def test_a_question_is_answered_by_the_model_that_was_named(provider: Provider) -> None:
    llm = AnthropicLLM("claude-haiku-5-5", api_key="k", max_tokens=77)
    assert llm.reason("classify", CONTEXT, PRODUCE) == {"kind": "bill"}
    assert llm.last_usage == {"input_tokens": 100, "output_tokens": 20}
    (request,) = provider.requests
    assert request.path.startswith("/v1/messages")
    assert (request.body["model"], request.body["max_tokens"]) == ("claude-haiku-5-5", 77)
    assert request.body["output_config"]["format"]["schema"]["properties"]["kind"]["enum"] == ["bill", "junk"]


def test_key_and_output_budget_come_from_the_environment(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HostError) as missing:
        AnthropicLLM()
    assert "ANTHROPIC_API_KEY" in str(missing.value)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    AnthropicLLM().reason("classify", CONTEXT, PRODUCE)
    monkeypatch.setenv("AGENTL_MAX_OUTPUT_TOKENS", "500")
    AnthropicLLM().reason("classify", CONTEXT, PRODUCE)
    assert [request.body["max_tokens"] for request in provider.requests] == [4096, 500]


@pytest.mark.parametrize("attempts", ["1", "2"])
def test_a_question_is_asked_so_often_at_most(
    provider: Provider, attempts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTL_LLM_RETRIES", attempts)
    provider.script = [fails(503, retry_after="0")]
    with pytest.raises(ModelUnavailable):
        AnthropicLLM(api_key="k").reason("classify", CONTEXT, PRODUCE)
    assert provider.count == int(attempts)


@pytest.mark.parametrize("value", ["many", "0", "-1", "1.5"])
@pytest.mark.parametrize("name", ["AGENTL_LLM_RETRIES", "AGENTL_LLM_RETRY_BUDGET", "AGENTL_MAX_OUTPUT_TOKENS"])
def test_a_variable_that_is_no_count_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(HostError, match=name):
        AnthropicLLM(api_key="k")
