"""Asking through pydantic-ai: the only file that imports it. Loaded when a PydanticAILLM is made, not before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestTimeout,
    UserError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from agentl.hosting.classification import classify
from agentl.hosting.loading import HostError
from agentl.hosting.models.patience import TRANSIENT_STATUS, ModelRefused, Patience, Question, Trouble
from agentl.messages import models as messages

LONGEST_REASON = 300  # characters of a provider's error that are recorded


def model_named(model: Any) -> Model:
    """Return the model of a name such as `openai:gpt-5.2`, or the Model given; HostError when there is none."""
    if isinstance(model, Model):
        return model
    try:
        return infer_model(model)
    except (UserError, ValueError, ImportError) as error:
        raise HostError.of(messages.MODEL_UNUSABLE, model=str(model), reason=_one_line(error)) from None


def anthropic_model(name: str, api_key: str | None) -> Model:
    """Return a model of Anthropic with this key, or that of the environment; HostError when there is none."""
    try:
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(name, provider=AnthropicProvider(api_key=api_key))
    except (UserError, ImportError) as error:
        raise HostError.of(messages.MODEL_UNUSABLE, model=name, reason=_one_line(error)) from None


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens one question took, over all its requests; both 0 when the provider does not say."""

    input_tokens: int = 0
    output_tokens: int = 0


class Asker:
    """Puts questions to one model. `reasks`: how often an answer of the wrong shape is given back to the model."""

    def __init__(self, model: Model, patience: Patience, reasks: int, settings: dict[str, Any]) -> None:
        self._model = model
        self._patience = patience
        self._reasks = reasks
        # WHY 0: the client of a provider would retry by a schedule of its own, inside ours.
        self._settings = ModelSettings(**{"max_retries": 0, **settings})  # type: ignore[typeddict-item]

    async def ask(self, instructions: str, data: str, answer: type[BaseModel]) -> tuple[BaseModel | Exception, Used]:
        """Return the answer, or why there is none, and what it took: a question without answer costs too.

        The failure is ModelUnavailable, or ModelRefused when asking again is no use.
        """
        question = Question(self._patience, self._model.model_name, trouble_of)
        usage = RunUsage()
        agent = Agent(
            _Patient(self._model, question),
            output_type=answer,
            instructions=instructions,
            model_settings=self._settings,
            retries=self._reasks,
        )
        agent.instrument = False  # no telemetry, also where the host's process has switched it on for all agents
        outcome: BaseModel | Exception
        try:
            outcome = (await agent.run(data, usage=usage, infer_name=False)).output
        except (AgentRunError, UserError) as error:
            reason = trouble_of(error).reason
            outcome = ModelRefused(messages.REFUSED.text("en", model=self._model.model_name, reason=reason))
            outcome.__cause__ = error
        except Exception as error:
            outcome = error
        return outcome, Used(usage.input_tokens, usage.output_tokens)


class _Patient(WrapperModel):
    """A model each of whose requests is made with patience."""

    def __init__(self, wrapped: Model, question: Question) -> None:
        super().__init__(wrapped)
        self._question = question

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """As the model's own, but transient failures are tried again."""
        send = partial(super().request, messages, model_settings, model_request_parameters)
        return await self._question.request(send)


def trouble_of(error: BaseException) -> Trouble:
    """Judge a failed request. Transient: the status codes of host-api.md §6, time-outs and lost connections."""
    if isinstance(error, ModelHTTPError):
        # WHY not the quota: it has a 429 too, and no wait of ours refills it.
        transient = error.status_code in TRANSIENT_STATUS and not isinstance(error, ModelQuotaExceededError)
        return Trouble(transient, f"HTTP {error.status_code}: {_cut(error.body)}", error.retry_after)
    if isinstance(error, BaseExceptionGroup):  # every model of a FallbackModel failed
        parts = [trouble_of(part) for part in error.exceptions]
        return Trouble(all(part.is_transient for part in parts), "; ".join(part.reason for part in parts))
    if isinstance(error, ModelQuotaExceededError):
        return Trouble(False, _one_line(error))
    known = (ModelConnectionError, ModelRequestTimeout, TimeoutError)
    transient = isinstance(error, known) or (
        isinstance(error, (ModelAPIError, OSError)) and classify(error) == "unknown"
    )
    retry_after = error.retry_after if isinstance(error, ModelAPIError) else None
    return Trouble(transient, _one_line(error) or "no answer in time", retry_after)


def _one_line(error: BaseException) -> str:
    return _cut(str(error))


def _cut(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + "…"
