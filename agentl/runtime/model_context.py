"""What a model sees: the paths a statement names, or the agent's goals, beliefs, tools and plans (semantics.md §22)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

from agentl.ir.program import Agent
from agentl.runtime.withholding import SendBans
from agentl.values import UNDEFINED, Symbol

if TYPE_CHECKING:
    from agentl.runtime.state import State


class Shower(Protocol):
    """Whose context it is, and who is told of what is withheld: a Machine."""

    @property
    def state(self) -> State: ...
    def count(self, metric: str, by: int = 1) -> None: ...
    def log(self, kind: str, name: str, **facts: Any) -> None: ...


class Unheard:
    """A state by itself: nobody is told, since nothing goes out."""

    def __init__(self, state: State) -> None:
        self.state = state

    def count(self, metric: str, by: int = 1) -> None:
        """Count nothing."""

    def log(self, kind: str, name: str, **facts: Any) -> None:
        """Trace nothing."""


class ModelContext:
    """Builds the contexts of one agent. Everything that goes out has passed NEVER SEND; it is plain data."""

    def __init__(self, agent: Agent) -> None:
        self._bans = SendBans(tuple(ban.path for ban in agent.send_bans))
        self._goals = {goal.name: goal.mode for goal in agent.goals}
        self._tools = {
            tool.name: (tool.risk, {parameter.name: parameter.type for parameter in tool.inputs})
            for tool in reversed(agent.tools)
        }
        self._tool_names = tuple(dict.fromkeys(tool.name for tool in agent.tools))
        self.plans = tuple(dict.fromkeys(plan.name for plan in agent.plans))

    def of(self, machine: Shower, using: tuple[str, ...]) -> dict[str, Any]:
        """The context of a REASON or JUDGE: only its USING paths when it has any, else everything there is."""
        if not using:
            return self.whole(machine)
        focus = {path: as_text(self._clean(machine, path, machine.state.get(path))) for path in using}
        return {"tick": machine.state.tick, "focus": focus}

    def whole(self, machine: Shower) -> dict[str, Any]:
        """Goals, beliefs, tools and plans; world values that nobody believes are not among them."""
        return {
            "tick": machine.state.tick,
            "goals": {name: self._goal(machine, name, mode) for name, mode in self._goals.items()},
            "beliefs": {path: self._belief(machine, path) for path in machine.state.beliefs},
            "tools": {
                name: {"risk": self._tools[name][0], "inputs": dict(self._tools[name][1])} for name in self._tool_names
            },
            "plans": list(self.plans),
        }

    def _goal(self, machine: Shower, name: str, mode: str) -> dict[str, Any]:
        """`score` is None before the goals were evaluated."""
        path = f"goals.{name}.score"
        score = machine.state.get(path)
        return {"mode": mode, "score": self._clean(machine, path, None if score is UNDEFINED else score)}

    def _belief(self, machine: Shower, path: str) -> dict[str, Any]:
        belief = machine.state.beliefs[path]
        value = as_text(self._clean(machine, path, belief.value))
        return {"value": value, "confidence": belief.confidence, "source": belief.source}

    def _clean(self, machine: Shower, path: str, value: Any) -> Any:
        def noted(where: str) -> None:
            machine.count("redactions")
            machine.log("BLOCKED", "withheld", path=where)

        return self._bans.clean(path, value, noted)


def as_text(value: Any) -> str:
    """A value as a model reads it: text and symbols as they are, what is in a list or dict so that it stays apart."""
    return value if isinstance(value, str) else _nested(value)


def _nested(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is UNDEFINED:
        return "UNDEFINED"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_nested(key)}: {_nested(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_nested, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(_nested, value))) + "}"
    return str(value)
