"""W245: a guard reads a dotted path that nothing in the agent ever gives a value, and that resembles one that it does.

Guards are those of policy rules, and the conditions of plans, handlers, IF, VERIFY and loops. Facts that a run gives
itself pass, and so does what is below a path with a value. In the strict profile policy guards need resemble nothing. A
path tested by `!=` outside of policy is W135's.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.defined_paths import DefinedPaths, guards_of
from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    defined = model.derived(DefinedPaths)
    paths = Spelling(defined.dotted)
    for place in guards_of(model):
        for node, path in path_nodes(place.expression):
            if "." not in path or id(node) in place.left_alone or defined.has(path, place.target):
                continue
            hint = paths.did_you_mean(path)
            if hint is None and not (model.profile == "strict" and place.target is not None):
                continue
            yield model.report(
                lint_effects.UNSET_GUARD_PATH,
                node,
                symbol=place.symbol,
                hint=hint,
                fixes=renamed(model, node, path, hint),
                path=path,
            )


RULE = AgentRule((lint_effects.UNSET_GUARD_PATH,), check)
