"""PolicyEngine: the decider of an agent (policy.md §2, §19). It reads the state and never changes it."""

from __future__ import annotations

from dataclasses import replace

from agentl.ir.program import Agent
from agentl.kernel.request import ActionRequest, Decision
from agentl.logic.reads import paths
from agentl.logic.scope import Scope
from agentl.policy.explain import Explanation, explain
from agentl.policy.index import TargetRules, index_rules
from agentl.policy.rules import CompiledRule
from agentl.policy.shadowing import shadowed_arguments

_DEFAULT_ALLOWS = Decision("ALLOWED", reason="no rule refuses it (DEFAULT ALLOW)")
_DEFAULT_DENIES = Decision("DENIED", reason="no ALLOW rule concerns it (DEFAULT DENY)")
_UNSATISFIED = Decision("DENIED", reason="no ALLOW rule that concerns it has a guard that is true")


class PolicyEngine:
    """The rules of one agent, compiled and indexed once.

    `compat` reads guards as AGENT-L 1.10 does, without the closures of decision 10. `decide` raises nothing of its own;
    whoever calls it treats an exception as a refusal (policy.md §2.1).
    """

    def __init__(self, agent: Agent, compat: bool = False) -> None:
        rules = [CompiledRule(rule, number, compat=compat) for number, rule in enumerate(agent.rules, 1)]
        self.rules: tuple[CompiledRule, ...] = tuple(rules)
        self._by_target, self._others = index_rules(rules)
        self._default_denies = agent.policy_default == "DENY"

    def decide(self, request: ActionRequest, scope: Scope) -> Decision:
        """Judge one action in a state; `scope` is the state itself, the names of the action are added here."""
        seen = scope.overlaid(request.args, request.provenance, request, {})
        decision = self._verdict(self._by_target.get(request.tool, self._others), seen)
        shadowed = shadowed_arguments(request.args, scope)
        return replace(decision, shadowed_args=shadowed) if shadowed else decision

    check = decide
    """`decide` under its name in AGENT-L 1.10 (policy.md §16)."""

    def _verdict(self, rules: TargetRules, scope: Scope) -> Decision:
        for guard, rule in rules.prohibitions:
            truth = guard(scope)
            if truth is not False:
                return (rule.when_true if truth else rule.when_unknown) or rule.decision(truth)
        given = _DEFAULT_ALLOWS
        if rules.permissions:
            for guard, rule in rules.permissions:
                if guard(scope) is True:
                    given = rule.when_true or rule.decision(True)
                    break
            else:
                return _UNSATISFIED
        elif self._default_denies:
            return _DEFAULT_DENIES
        for guard, rule in rules.approvals:
            truth = guard(scope)
            if truth is not False:
                return (rule.when_true if truth else rule.when_unknown) or rule.decision(truth)
        return given

    def concerning(self, tool: str) -> tuple[CompiledRule, ...]:
        """The rules that concern a target, wildcards included, in source order."""
        return self._by_target.get(tool, self._others).all

    def reads(self, tool: str) -> tuple[str, ...]:
        """Every path of the state that guards concerning the tool can read, `action.*` names left out.

        After each dotted path come its prefixes: its value may be found inside what one of them holds.
        """
        read = (path for path in self._guard_paths(tool) if not _names_the_action(path))
        return tuple(dict.fromkeys(prefix for path in read for prefix in _with_prefixes(path)))

    def reads_in_doubt(self, tool: str) -> bool:
        """True when a rule concerning the tool asks whether it is in doubt: then the program decides (decision 2)."""
        wanted = (f"tools.{tool}.in_doubt", "action.in_doubt")
        return any(path in wanted for path in self._guard_paths(tool))

    def explain(self, request: ActionRequest, scope: Scope) -> Explanation:
        """Say of every rule concerning the action what its guard is and why; slow, made on demand."""
        seen = scope.overlaid(request.args, request.provenance, request)
        return explain(self.concerning(request.tool), seen, self.decide(request, scope))

    def _guard_paths(self, tool: str) -> list[str]:
        return [
            path for rule in self.concerning(tool) if rule.rule.guard is not None for path in paths(rule.rule.guard)
        ]


def _with_prefixes(path: str) -> list[str]:
    parts = path.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _names_the_action(path: str) -> bool:
    return path == "action" or path.startswith("action.")
