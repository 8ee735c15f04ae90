"""Expression → closure, once (design.md §1 item 6). The public face of this package's compilers.

A closure takes a Scope. Compiling never fails on a wrong program: what has no meaning raises when it is evaluated, or
is unknown in the three-valued regimes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentl.ir.expressions import Expression
from agentl.logic.errors import EvalError
from agentl.logic.kleene import kleene_test
from agentl.logic.labels import compile_label
from agentl.logic.ordinary import ordinary_value
from agentl.logic.reads import paths
from agentl.logic.regime import Reading, Regime, Test, Value
from agentl.logic.scope import Scope
from agentl.logic.truth import Truth, equal, truthy
from agentl.values import UNDEFINED

__all__ = [
    "EvalError",
    "Truth",
    "compile_evidence",
    "compile_kleene",
    "compile_label",
    "compile_test",
    "compile_value",
    "equal",
    "paths",
    "truthy",
]

_ORDINARY = Reading(Regime.ORDINARY)
_STRICT = Reading(Regime.STRICT)
_EVIDENCE = Reading(Regime.EVIDENCE)


def compile_value(expr: Expression, *, strict: bool = False) -> Value:
    """Value of an expression (semantics.md §4.2); may be UNDEFINED. The closure raises EvalError.

    `strict` is VERIFY as 1.10 reads it.
    """
    value = ordinary_value(expr, _STRICT if strict else _ORDINARY)
    return lambda scope: _guarded(value, scope)


def compile_test(expr: Expression, *, strict: bool = False) -> Callable[[Scope], bool]:
    """Two-valued truth; `strict` as of `compile_value`. The closure raises EvalError: count it false, trace it."""
    value = ordinary_value(expr, _STRICT if strict else _ORDINARY)
    return lambda scope: truthy(_guarded(value, scope))


def compile_kleene(
    expr: Expression, *, policy: bool = False, permits: bool = False, state_names: frozenset[str] = frozenset()
) -> Test:
    """Three-valued truth: True, False, None for unknown; the closure never raises (semantics.md §4.1).

    `policy` closes what decision 10 closes, for guards, VERIFY and EXPECT alike; `permits` says that it is the guard of
    an ALLOW, and matters only with `policy`. `state_names` are bare names that are undefined rather than symbols while
    unset (semantics.md §26).
    """
    return kleene_test(expr, Reading(Regime.POLICY if policy else Regime.KLEENE, permits, state_names))


def compile_evidence(expr: Expression) -> Test:
    """Truth of an evidence test (semantics.md §19): None is undetermined; what short circuit skips does not count."""
    value = ordinary_value(expr, _EVIDENCE)

    def evidence(scope: Scope) -> Truth:
        try:
            found = value(scope)
            return None if found is UNDEFINED else truthy(found)
        except Exception:
            return None

    return evidence


def _guarded(value: Value, scope: Scope) -> Any:
    try:
        return value(scope)
    except EvalError:
        raise
    except Exception as error:
        # WHY: values of a host may raise anything when they are compared or counted.
        raise EvalError(f"{type(error).__name__} while evaluating") from error
