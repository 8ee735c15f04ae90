"""One policy rule, compiled: its guard, its text, and the decisions it can give."""

from __future__ import annotations

from agentl.ir.declarations import Rule
from agentl.kernel.request import Decision, Verdict
from agentl.logic.compile import Truth, compile_kleene
from agentl.logic.regime import Test
from agentl.logic.render import render_expression
from agentl.logic.scope import Scope

_WORDS = {"NEVER": "NEVER", "DENY": "DENY", "ALLOW": "ALLOW", "REQUIRE_APPROVAL": "REQUIRE APPROVAL FOR"}
_VERDICTS: dict[str, Verdict] = {
    "NEVER": "DENIED",
    "DENY": "DENIED",
    "ALLOW": "ALLOWED",
    "REQUIRE_APPROVAL": "APPROVAL_REQUIRED",
}


def always(scope: Scope) -> Truth:
    """The guard of a rule that has none (policy.md §2)."""
    return True


def render_rule(rule: Rule) -> str:
    """Return a rule as it is written in a POLICY block."""
    head = f"{_WORDS[rule.effect]} {rule.target}"
    if rule.guard is None:
        return head
    return f"{head} {'IF' if rule.effect == 'ALLOW' else 'WHEN'} {render_expression(rule.guard)}"


class CompiledRule:
    """A rule with its guard as a closure, always true without one. `index` counts all rules of the agent from 1."""

    __slots__ = ("effect", "guard", "index", "rule", "target", "when_true", "when_unknown")

    def __init__(self, rule: Rule, index: int, *, compat: bool) -> None:
        self.rule = rule
        self.index = index
        self.effect = rule.effect
        self.target = rule.target
        self.guard: Test = (
            always
            if rule.guard is None
            else compile_kleene(rule.guard, policy=not compat, permits=rule.effect == "ALLOW")
        )
        self.when_true: Decision | None = None
        self.when_unknown: Decision | None = None

    @property
    def text(self) -> str:
        return render_rule(self.rule)

    def decision(self, truth: Truth) -> Decision:
        """The verdict of this rule when its guard was `truth` (True or None), with the reason as a trace shows it.

        Built on first use and kept in `when_true` or `when_unknown`: it holds nothing of the action it is about.
        """
        why = "" if self.rule.guard is None else " (guard true)" if truth else " (guard unknown)"
        made = Decision(
            verdict=_VERDICTS[self.effect],
            rule=self.text,
            rule_effect=self.effect,
            reason=f"rule {self.index}: {self.text}{why}",
        )
        if truth:
            self.when_true = made
        else:
            self.when_unknown = made
        return made
