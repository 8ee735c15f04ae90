"""The derived sets of diagnostics.md §1.3, each a pure function of one agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentl.analysis.paths import paths, with_parents
from agentl.analysis.statements import Site, expressions
from agentl.ir.declarations import Effect, Rule, Tool
from agentl.ir.expressions import Expression
from agentl.ir.program import Agent
from agentl.ir.statements import Delegate, Judge, Reason, Set

RISKY = frozenset({"HIGH", "CRITICAL"})


def branches(tool: Tool) -> tuple[tuple[float, tuple[Effect, ...]], ...]:
    """Return (probability, effects) of each branch; with an OUTCOME, EFFECT is ignored and the sum is 1."""
    if not tool.outcomes:
        return ((1.0, tool.effects),)
    weights = [1.0 if o.probability is None else float(o.probability.value) for o in tool.outcomes]
    total = sum(weights) or 1.0
    return tuple((weight / total, o.effects) for weight, o in zip(weights, tool.outcomes, strict=True))


def effects(tool: Tool) -> Iterator[Effect]:
    """Yield the effects of all branches, INTERNAL ones included."""
    for _, branch in branches(tool):
        yield from branch


def all_effects(tool: Tool) -> Iterator[Effect]:
    """Yield every effect written in a tool, also an EFFECT that an OUTCOME makes void."""
    yield from tool.effects
    for outcome in tool.outcomes:
        yield from outcome.effects


def effect_paths(tool: Tool) -> frozenset[str]:
    """Return `eff(t)`."""
    return frozenset(effect.path for effect in effects(tool))


def is_operator(tool: Tool) -> bool:
    return bool(tool.effects or tool.outcomes)


def is_risky(tool: Tool) -> bool:
    """True for HIGH and CRITICAL only: SEVERE, UNSET and unknown words are not risky here."""
    return tool.risk in RISKY


def acts(tool: Tool) -> bool:
    """True for a tool that changes something outside, as far as its declaration says (W102 in diagnostics.md §3)."""
    return bool(tool.side_effects) or is_risky(tool)


def is_closed(rule: Rule) -> bool:
    """True when an unknown guard makes the rule apply."""
    return rule.effect != "ALLOW"


def field_names(statement: Reason | Judge) -> tuple[str, ...]:
    """Return the bare names an LLM statement produces."""
    fields = statement.questions if isinstance(statement, Judge) else statement.fields
    return tuple(field.name for field in fields)


def produced_names(statement: Reason | Judge) -> Iterator[str]:
    """Yield `LLM(s)`."""
    for name in field_names(statement):
        yield name
        yield f"reason.{name}"
        if isinstance(statement, Judge):
            for suffix in ("", ".value", ".p", ".confidence"):
                yield f"judge.{name}{suffix}"


def referenced(agent: Agent, sites: Iterable[Site]) -> frozenset[str]:
    """Return REFERENCED, closed upwards: `a.b.c` also adds `a.b` and `a`."""
    found: set[str] = set()
    for expression in _declared_expressions(agent):
        found.update(paths(expression))
    found.update(_literal_names(agent))
    for statement, _ in sites:
        for expression in expressions(statement):
            found.update(paths(expression))
        if isinstance(statement, Reason | Judge):
            found.update(statement.using)
        elif isinstance(statement, Delegate):
            found.update(statement.inputs)
    return frozenset(parent for path in found for parent in with_parents(path))


def _declared_expressions(agent: Agent) -> Iterator[Expression | None]:
    for goal in agent.goals:
        yield goal.condition
        yield from goal.targets
    yield from (term.condition for term in agent.utility)
    if agent.planner is not None:
        yield from agent.planner.achieve
    yield from (item.test for hypothesis in agent.hypotheses for item in hypothesis.evidence)
    for tool in agent.tools:
        yield tool.requires
        yield from (effect.value for effect in effects(tool))
    yield from (observer.when for observer in agent.observers)
    yield from (plan.when for plan in agent.plans)
    yield from (rule.guard for rule in agent.rules)
    yield from (event.when for event in agent.events)
    yield from (handler.when for handler in agent.messages)
    if agent.memory is not None:
        yield from (write.when for write in agent.memory.writes)


def _literal_names(agent: Agent) -> Iterator[str]:
    for tool in agent.tools:
        yield from (parameter.bind for parameter in tool.inputs if parameter.bind is not None)
    if agent.memory is not None:
        for write in agent.memory.writes:
            yield from write.store
    if agent.decide is not None and agent.decide.reason is not None:
        yield from agent.decide.reason.using


def refreshed(agent: Agent, sites: Iterable[Site]) -> frozenset[str]:
    """Return REFRESHED: what a run can give a new value; LLM names only in their bare form."""
    found = {observer.path for observer in agent.observers}
    found.update(h.explains for h in agent.hypotheses if h.explains is not None)
    for tool in agent.tools:
        found.update(output.name for output in tool.outputs)
        found.update(effect_paths(tool))
    for statement, _ in sites:
        if isinstance(statement, Reason | Judge):
            found.update(field_names(statement))
        elif isinstance(statement, Delegate):
            found.update(statement.expect)
        elif isinstance(statement, Set):
            found.add(statement.path)
    return frozenset(found)


def known(agent: Agent, sites: Iterable[Site]) -> frozenset[str]:
    """Return KNOWN: every path that something in the agent may define."""
    found = {observer.path for observer in agent.observers} | {belief.path for belief in agent.beliefs}
    for tool in agent.tools:
        found.update(effect_paths(tool))
        found.update(output.name for output in tool.outputs)
        found.update(parameter.name for parameter in tool.inputs)
    found.update(_statement_products(sites))
    return frozenset(found)


def produced(agent: Agent, sites: Iterable[Site]) -> frozenset[str]:
    """Return PRODUCED: what acting can bring about, tool outputs under all three of their names."""
    sites = tuple(sites)
    found: set[str] = set()
    for tool in agent.tools:
        found.update(effect_paths(tool))
        for output in tool.outputs:
            found.update((output.name, f"{tool.name}.{output.name}", f"result.{tool.name}.{output.name}"))
    found.update(_statement_products(sites))
    for statement, _ in sites:
        if isinstance(statement, Delegate):
            found.update(f"{statement.to}.{name}" for name in statement.expect)
    return frozenset(found)


def inferred(agent: Agent) -> frozenset[str]:
    """Return what hypotheses explain, and what the REASON of DECIDE answers: AGENT-L 1.10 has neither in its sets."""
    found = {h.explains for h in agent.hypotheses if h.explains is not None}
    if agent.decide is not None and agent.decide.reason is not None:
        found.update(produced_names(agent.decide.reason))
    return frozenset(found)


def _statement_products(sites: Iterable[Site]) -> Iterator[str]:
    for statement, _ in sites:
        if isinstance(statement, Set):
            yield statement.path
        elif isinstance(statement, Reason | Judge):
            yield from produced_names(statement)
        elif isinstance(statement, Delegate):
            yield from statement.expect
