"""One tool call in a scenario: the branch, its effects one by one, the outputs (scenario.md §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.analysis.facts import branches
from agentl.ir.declarations import Effect, Tool
from agentl.logic.compile import EvalError, compile_value
from agentl.messages import Phrase
from agentl.messages import scenarios as messages
from agentl.runtime.owned import owned
from agentl.runtime.state import State
from agentl.scenarios.answers import first_posed, output_paths
from agentl.scenarios.faults import Fault
from agentl.scenarios.monitors import Monitors
from agentl.scenarios.world import World
from agentl.values import UNDEFINED

EXPECTED = "expected"  # the one branch of a tool without OUTCOME


def simulate(tool: Tool, args: Mapping[str, Any], world: World, state: State, monitors: Monitors) -> dict[str, Any]:
    """Make the call happen and return what the tool returns. Fault when the scenario does not say enough."""
    world.settle(state)
    applied = _apply(tool, _branch(tool, world.given), args, state, monitors)
    outputs = _outputs(tool, world, applied)
    world.change(tool.name, applied)
    return outputs


def _branch(tool: Tool, given: Mapping[str, Any]) -> tuple[Effect, ...]:
    """The effects of the branch that was posed, or of the only possible one; the likeliest one is never guessed."""
    names = [outcome.name for outcome in tool.outcomes] or [EXPECTED]
    possible = {name: effects for name, (weight, effects) in zip(names, branches(tool), strict=True) if weight > 0}
    listed = ", ".join(possible) or "-"
    posed = first_posed(given, (f"scenario.outcome.{tool.name}",))
    if posed:
        name = str(posed[0])
        if name not in possible:
            raise Fault(messages.UNKNOWN_OUTCOME, tool=tool.name, outcome=name, outcomes=listed)
        return possible[name]
    if not possible:
        raise Fault(messages.NO_OUTCOME, tool=tool.name)
    if len(possible) != 1:
        raise Fault(messages.AMBIGUOUS_OUTCOME, tool=tool.name, outcomes=listed)
    return next(iter(possible.values()))


def _apply(
    tool: Tool, branch: tuple[Effect, ...], args: Mapping[str, Any], state: State, monitors: Monitors
) -> dict[str, Any]:
    """Evaluate the effects in order, each seeing those before it, the arguments and the state."""
    applied: dict[str, Any] = {}
    for effect in branch:
        try:
            value = owned(compile_value(effect.value)(state.overlaid({**args, **applied}, {})))
        except EvalError as problem:
            reason = Phrase(messages.NO_VALUE, detail=str(problem))
            raise Fault(messages.UNDEFINED_EFFECT, tool=tool.name, path=effect.path, reason=reason) from None
        if value is UNDEFINED:
            reason = Phrase(messages.UNDEFINED_VALUE)
            raise Fault(messages.UNDEFINED_EFFECT, tool=tool.name, path=effect.path, reason=reason)
        applied[effect.path] = value
        monitors.look(state.overlaid(applied, {}))
    return applied


def _outputs(tool: Tool, world: World, applied: Mapping[str, Any]) -> dict[str, Any]:
    """What the tool returns: what is posed, else what effects have made, of this call or earlier ones."""
    effects = {**world.effects, **applied}
    outputs = {}
    for output in tool.outputs:
        paths = output_paths(tool.name, output.name)
        found = first_posed(world.given, paths) or first_posed(effects, paths)
        if not found:
            raise Fault(messages.OUTPUT_NOT_POSED, tool=tool.name, output=output.name)
        outputs[output.name] = found[0]
    return outputs
