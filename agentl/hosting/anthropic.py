"""AnthropicLLM: AGENT-L 1.10's adapter under its name (host-api.md §6, §18), over PydanticAILLM; extra `anthropic`."""

from __future__ import annotations

import os

from agentl.hosting.extras import require_extra
from agentl.hosting.loading import HostError
from agentl.hosting.pydantic_ai import PydanticAILLM
from agentl.messages import models as messages

MODEL = "claude-sonnet-5-5"
ATTEMPTS = 3
BUDGET_S = 90
OUTPUT_TOKENS = 4096


class AnthropicLLM(PydanticAILLM):
    """Asks a model of Anthropic; what it sends, retries and reports is PydanticAILLM's.

    `api_key`: by default $ANTHROPIC_API_KEY. `max_tokens` of an answer: by default $AGENTL_MAX_OUTPUT_TOKENS, else
    4096. $AGENTL_LLM_RETRIES is how often a question is asked at most (3), $AGENTL_LLM_RETRY_BUDGET the seconds within
    which that ends (90). HostError without the extra, without a key, and for a variable that is no whole number from 1.
    """

    def __init__(self, model: str = MODEL, api_key: str | None = None, max_tokens: int | None = None) -> None:
        require_extra("AnthropicLLM", "pydantic_ai", "anthropic")
        require_extra("AnthropicLLM", "anthropic", "anthropic")
        from agentl.hosting.models.asking import anthropic_model

        super().__init__(
            anthropic_model(model, api_key),
            retries=_from_environment("AGENTL_LLM_RETRIES", ATTEMPTS) - 1,
            retry_budget_s=_from_environment("AGENTL_LLM_RETRY_BUDGET", BUDGET_S),
            settings={"max_tokens": max_tokens or _from_environment("AGENTL_MAX_OUTPUT_TOKENS", OUTPUT_TOKENS)},
        )


def _from_environment(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or int(text) < 1:
        raise HostError.of(messages.BAD_VARIABLE, name=name, value=text)
    return int(text)
