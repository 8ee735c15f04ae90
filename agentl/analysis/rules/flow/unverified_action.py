"""W102: in a plan, a call of a tool that acts, and no VERIFY after it on every path about what it changes.

A tool acts when it has a SIDE_EFFECT or is risky. A VERIFY is about the call when it reads an effect, an output or a
side effect of the tool, or a path above or below one. It counts for one call: an earlier one of the same tool needs its
own (diagnostics.md §5.1). An IF that reads `<tool>.<output>` is as good: the program looks at what came of the call
(AGENT-L 1.10 asks for a VERIFY). The sequential profile has neither: there a call that does not satisfy its OUTPUT
stops the operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from agentl.analysis.facts import acts, effect_paths
from agentl.analysis.model import AgentModel
from agentl.analysis.path_set import PathSet
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.analysis.statements import plan_body
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.ir.statements import Block, Call, Foreach, If, Loop, Parallel, Set, Statement, Verify
from agentl.messages import lint_flow


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.profile == "sequential":
        return
    acting = {name: _changed(tool, model) for name, tool in model.tools.items() if acts(tool)}
    outputs = frozenset(path for name in acting for path in _outputs(model.tools[name], model))
    for plan in model.agent.plans if acting else ():
        walk = _Backwards(acting, outputs)
        walk.body(plan_body(plan))
        for call in walk.unverified:
            changed = acting[call.tool]
            yield model.report(
                lint_flow.UNVERIFIED_ACTION,
                call,
                symbol=f"plan:{plan.name}",
                hint=None if changed else (lint_flow.NOTHING_DECLARED, {}),
                tool=call.tool,
                paths=", ".join(changed),
            )


def _changed(tool: Tool, model: AgentModel) -> tuple[str, ...]:
    bare = (output.name for output in tool.outputs)
    return tuple(dict.fromkeys((*sorted(effect_paths(tool)), *bare, *_outputs(tool, model), *tool.side_effects)))


def _outputs(tool: Tool, model: AgentModel) -> tuple[str, ...]:
    """The outputs under their full names, which AGENT-L 1.10 does not know here."""
    return () if model.profile == "compat" else tuple(f"{tool.name}.{output.name}" for output in tool.outputs)


class _Backwards:
    """Walks a plan from its end with the paths that a later VERIFY, or IF on an output, reads."""

    def __init__(self, acting: Mapping[str, tuple[str, ...]], outputs: frozenset[str]) -> None:
        self.unverified: list[Call] = []
        self._acting = acting
        self._outputs = outputs
        self._verified = PathSet()

    def body(self, statements: Sequence[Statement]) -> None:
        for statement in reversed(statements):
            self._step(statement)

    def _step(self, statement: Statement) -> None:
        match statement:
            case Verify():
                self._of_failure(statement)
                for path in paths(statement.condition):
                    self._verified.add(path)
            case If():
                bodies = (statement.then, statement.otherwise)
                self._verified.one_of([partial(self.body, each) for each in bodies])
                for path in self._outputs.intersection(paths(statement.condition)):
                    self._verified.add(path)
            case Parallel():
                self._verified.all_of([partial(self.body, branch.body) for branch in statement.branches])
            case Loop() | Foreach():
                self._verified.aside(partial(self.body, statement.body))
            case Block():
                self.body(statement.body)
            case Set():
                self._verified.discard(statement.path)
            case Call() if statement.tool in self._acting:
                self._call(statement)

    def _of_failure(self, verify: Verify) -> None:
        """ON FAIL ends the plan: nothing that stands after the VERIFY is verified there."""
        after, self._verified = self._verified, PathSet()
        self.body(verify.on_fail or ())
        self._verified = after

    def _call(self, call: Call) -> None:
        related = {member for path in self._acting[call.tool] for member in self._verified.related(path)}
        if not related:
            self.unverified.append(call)
        for path in related:
            self._verified.discard(path)


RULE = AgentRule((lint_flow.UNVERIFIED_ACTION,), check)
