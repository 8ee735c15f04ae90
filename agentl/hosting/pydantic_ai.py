"""PydanticAILLM: any model pydantic-ai knows, as the model of a program (host-api.md §6; extra `llm`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from threading import local
from typing import TYPE_CHECKING, Any

from agentl.hosting.background import BackgroundLoop
from agentl.hosting.extras import require_extra
from agentl.hosting.llm import LLM
from agentl.hosting.models.patience import Patience
from agentl.messages import models as messages

if TYPE_CHECKING:
    from agentl.hosting.models.answers import Shape
    from agentl.hosting.models.asking import Used

Money = str | int | float | Decimal
MILLION = 1_000_000


class PydanticAILLM(LLM):
    """Asks a model for fields, judgements and plans; may be called from several threads at once.

    `model`: a name such as `"openai:gpt-5.2"` or a pydantic-ai Model. `instructions`: said to the model before every
    question. `retries`: attempts after a transient failure (408, 425, 429, 500, 502, 503, 504, 529, time-outs, lost
    connections), each after 1, 2, 4 … s or what `Retry-After` says; nothing else is tried again. `retry_budget_s`:
    seconds within which all retries of a question end. `timeout_s`: seconds one attempt may take. `reasks`: how often
    an answer of the wrong shape is given back to the model. `prices`: money per million tokens, `{"input": "0.50",
    "output": "2"}`; without them no cost is reported, since none is known. `settings`: pydantic-ai's ModelSettings.

    The task and the fields go out as instructions; what the program knows goes out apart from them, as JSON. A field
    the model leaves open is in `last_reason_missing`. After each question `last_usage` holds `input_tokens`,
    `output_tokens` and, with prices, `cost`; None when the provider reports no tokens. There is no telemetry.

    HostError when pydantic-ai is not installed or knows no such model; ValueError for an option that makes no sense.
    """

    def __init__(
        self,
        model: Any,
        *,
        retries: int = 3,
        retry_budget_s: float = 90.0,
        timeout_s: float = 60.0,
        first_wait_s: float = 1.0,
        reasks: int = 2,
        instructions: str | None = None,
        prices: Mapping[str, Money] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        # INVARIANT: before the base class, which sets `last_reason_missing`.
        self._said = local()
        super().__init__()
        patience = Patience(retries, retry_budget_s, timeout_s, first_wait_s)
        self._prices = _prices(prices)
        self._instructions = instructions
        require_extra("PydanticAILLM", "pydantic_ai", "llm")
        from agentl.hosting.models.asking import Asker, model_named

        self._asker = Asker(model_named(model), patience, reasks, dict(settings or {}))
        self._loop = BackgroundLoop("agentl-model")

    # WHY one for each thread: a driver reads them after its own question, while another thread asks the next.
    @property
    def last_reason_missing(self) -> list[str]:
        """The fields the last REASON of this thread left open."""
        missing: list[str] = getattr(self._said, "missing", [])
        return missing

    @last_reason_missing.setter
    def last_reason_missing(self, missing: list[str]) -> None:
        self._said.missing = missing

    @property
    def last_usage(self) -> dict[str, Any] | None:
        """What the last question of this thread took; None when nobody said."""
        return getattr(self._said, "usage", None)

    @last_usage.setter
    def last_usage(self, usage: dict[str, Any] | None) -> None:
        self._said.usage = usage

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        """Return the fields the model answered (semantics.md §14). Without fields to fill nothing is asked.

        Domains are told to the model and left to the program to enforce. ModelUnavailable or ModelRefused when there
        is no answer.
        """
        from agentl.hosting.models import answers, prompts

        answered = (
            self._ask(prompts.reason_prompt(task, produce), context, answers.produced(produce)) if produce else {}
        )
        self.last_reason_missing = [name for name in produce if name not in answered]
        return answered

    def judge(self, task: str, context: Any, questions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return field → {value, p, confidence} for what the model answered; `p` and `confidence` only if it gave them.

        Raises as `reason` does.
        """
        from agentl.hosting.models import answers, prompts

        if not questions:
            return {}
        answered = self._ask(prompts.judge_prompt(task, questions), context, answers.judged(questions))
        return {name: answers.verdict_of(answer) for name, answer in answered.items()}

    def select_plan(self, context: Any, candidates: Sequence[str]) -> str | None:
        """Return one of the candidates, or None when the model chooses none. Raises as `reason` does."""
        from agentl.hosting.models import answers, prompts

        if not candidates:
            return None
        plan = self._ask(prompts.choice_prompt(candidates), context, answers.chosen(candidates)).get("plan")
        return None if plan is None else str(plan)

    def _ask(self, prompt: str, context: Any, shape: Shape) -> dict[str, Any]:
        from agentl.hosting.models import prompts

        instructions = prompt if self._instructions is None else f"{self._instructions}\n\n{prompt}"
        self.last_usage = None
        answer, used = self._loop.run(self._asker.ask(instructions, prompts.data(context), shape.model))
        self.last_usage = self._usage(used)
        if isinstance(answer, Exception):
            raise answer
        return shape.values(answer)

    def _usage(self, used: Used) -> dict[str, Any] | None:
        if not used.input_tokens and not used.output_tokens:
            return None
        usage: dict[str, Any] = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
        if self._prices is not None:
            cost = (used.input_tokens * self._prices[0] + used.output_tokens * self._prices[1]) / MILLION
            usage["cost"] = format(cost, "f")
        return usage


def _prices(given: Mapping[str, Money] | None) -> tuple[Decimal, Decimal] | None:
    if given is None:
        return None
    try:
        amounts = {name: Decimal(str(amount)) for name, amount in given.items()}
    except InvalidOperation:
        amounts = {}
    if set(amounts) != {"input", "output"} or not all(
        amount.is_finite() and amount >= 0 for amount in amounts.values()
    ):
        raise ValueError(messages.BAD_PRICES.text(value=dict(given)))
    return amounts["input"], amounts["output"]
