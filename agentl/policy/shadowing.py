"""Arguments that hide something of the state in a guard (policy.md §4.1)."""

from __future__ import annotations

from collections.abc import Mapping

from agentl.logic.scope import Scope
from agentl.values import UNDEFINED


def shadowed_arguments(args: Mapping[str, object], scope: Scope) -> tuple[str, ...]:
    """The arguments whose name some store holds with a different value, compared as text."""
    shadowed: tuple[str, ...] = ()
    remembers = scope.short_term or scope.long_term or scope.knowledge
    for name in args:
        # WHY: almost no argument is shadowed, and this is on the road of every decision.
        if (
            name in scope.locals
            or name in scope.beliefs
            or name in scope.world
            or name in scope.untrusted
            or (remembers and (name in scope.short_term or name in scope.long_term or name in scope.knowledge))
        ) and _differs(name, args[name], scope):
            shadowed = (*shadowed, name)
    return shadowed


def _differs(name: str, sent: object, scope: Scope) -> bool:
    held = [store[name] for store in (scope.locals, scope.world, scope.untrusted) if name in store]
    held.extend(bucket[name] for bucket in scope.memory.values() if name in bucket)
    if name in scope.beliefs:
        held.append(scope.beliefs[name].value)
    return any(value is not UNDEFINED and not _same_text(value, sent) for value in held)


def _same_text(value: object, other: object) -> bool:
    try:
        return str(value) == str(other)
    except Exception:
        # WHY: a value of a host that cannot be printed cannot be shown to be the same.
        return False
