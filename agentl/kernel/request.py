"""What is asked of the gate and what it answers: request, contract, decision, refusal, identity."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentl.values import UNDEFINED, Label, Labelled, Symbol

Kind = Literal["invoke", "delegate"]
Verdict = Literal["ALLOWED", "DENIED", "APPROVAL_REQUIRED"]

CONTROL = "$control"  # the key of `provenance` under which the label of the decision itself stands
UNKNOWN_RISK = "UNKNOWN"

_BARE = re.compile(r"[\w.:@/+-]+")


@dataclass(frozen=True, slots=True)
class Contract:
    """What a TOOL declares: INPUT and OUTPUT as (name, type) pairs in order, RISK, SIDE_EFFECT paths."""

    name: str
    inputs: tuple[tuple[str, str], ...] = ()
    outputs: tuple[tuple[str, str], ...] = ()
    risk: str = "LOW"
    side_effects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """One action as it is judged (policy.md §16).

    `args` is a read-only view of a copy nobody else holds; `frozen` is the same as text and is what binds: the digest,
    and every copy handed on, are made from it. Only `propose` and `freeze` fill `frozen` and `action_hash`; a request
    built by hand has neither and cannot be granted. `provenance` has a label for each argument, and for the decision
    under `$control`.
    """

    tool: str
    args: Mapping[str, object] = field(default_factory=dict)
    risk: str = "LOW"
    side_effects: tuple[str, ...] = ()
    origin: str = "plan"
    confidence: float = 1.0
    provenance: Mapping[str, Label] = field(default_factory=dict)
    kind: Kind = "invoke"
    frozen: str = field(default="", repr=False)
    action_hash: str = field(default="", repr=False)

    def render(self) -> str:
        """`tool(a=1, b=x, c="text")`: symbols bare, text quoted, nothing shortened (decision 9)."""
        return render_call(self.tool, self.args)


@dataclass(slots=True)
class ShownRequest:
    """What an approver is given: a copy of everything, free to be changed, without any effect (policy.md §5.2)."""

    tool: str
    args: dict[str, object]
    risk: str
    side_effects: list[str]
    origin: str
    confidence: float
    provenance: dict[str, Label]
    kind: Kind

    def render(self) -> str:
        """As ActionRequest.render."""
        return render_call(self.tool, self.args)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a decider answers (policy.md §2).

    `rule` is the rule that spoke, as text, with its effect (NEVER, DENY, ALLOW, REQUIRE_APPROVAL) in `rule_effect`;
    both None when an unsatisfied ALLOW or the DEFAULT decided. `judged` is filled by `judge` with the action digest,
    so that a decision about one action cannot be used for another.
    """

    verdict: Verdict
    rule: str | None = None
    rule_effect: str | None = None
    reason: str = ""
    shadowed_args: tuple[str, ...] = ()
    judged: str = field(default="", repr=False, compare=False)

    @property
    def allowed(self) -> bool:
        """True for ALLOWED only: an approval still to be given is not a permission."""
        return self.verdict == "ALLOWED"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action goes no further. `text` is for the trace: one fixed English form.

    Stages of the kernel: contract, isolation, policy_error, policy, approval; drivers add their own, such as in_doubt.
    """

    stage: str
    text: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """Where a permit stands in its run (durable.md §4, decisions 7 and 18). The caller counts `sequence`, from 1.

    `key_space` is what idempotency keys are derived from; `branch` is the path of a PARALLEL branch, such as
    `pay/0.b`, empty outside. ValueError for a line end in a text or a sequence below 1: two runs could share a key.
    """

    run_id: str
    key_space: str
    agent: str
    tick: int
    sequence: int
    branch: str = ""

    def __post_init__(self) -> None:
        if "\n" in self.run_id + self.key_space + self.agent + self.branch:
            raise ValueError("a run id, key space, agent or branch cannot contain a line end")
        if self.sequence < 1:
            raise ValueError("sequence numbers start at 1")

    @property
    def action_id(self) -> str:
        """`run:agent:tTICK:aSEQ`, inside a branch `run:agent:tTICK:BRANCH:aSEQ`."""
        branch = f":{self.branch}" if self.branch else ""
        return f"{self.run_id}:{self.agent}:t{self.tick}{branch}:a{self.sequence}"


def render_call(name: str, args: Mapping[str, object]) -> str:
    """Return `name(a=1, b=x)` as a person is shown it."""
    return f"{name}({', '.join(f'{key}={render_value(value)}' for key, value in args.items())})"


def render_value(value: object) -> str:
    """Return a value as text that cannot be mistaken for another kind: the symbol `yes`, the text `"yes"`, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, Symbol):
        return value.name if _BARE.fullmatch(value.name) else _printable("symbol" + json.dumps(value.name))
    if isinstance(value, str):
        return _printable(json.dumps(str(value), ensure_ascii=False))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{render_value(key)}: {render_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(render_value(item) for item in value) + "]"
    if isinstance(value, Labelled):
        return render_value(value.value)
    return _printable(repr(value))


def _printable(text: str) -> str:
    # WHY: a terminal obeys control and direction characters, and an approver must see what is there.
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
