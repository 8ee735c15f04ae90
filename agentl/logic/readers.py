"""Path readers: a dotted path → closure that finds its value (semantics.md §2.1).

Every reader gives what `Scope.get` gives; it only asks the stores that usually answer first, without a call. A path has
one reader however many rules read it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agentl.logic.errors import Unknown
from agentl.logic.regime import Reading, Value
from agentl.logic.scope import Scope, action_fact
from agentl.values import UNDEFINED, Symbol


def read_path(path: str, reading: Reading) -> Value:
    """Value of a path inside an expression: a bare name nothing defines is its symbol."""
    if reading.closed:
        return read_side(path, reading)
    find = _resolver(path)
    if "." not in path and path not in reading.state_names:
        return _or_symbol(find, Symbol(path))
    if reading.notes:
        return _or_unknown(find, path)
    return find


def read_side(path: str, reading: Reading) -> Value:
    """Value of a path that is a whole comparison side or condition, for the three-valued regimes.

    UNDEFINED when a local holds exactly this path as UNDEFINED, even for a bare name (semantics.md §4.1 rules 2, 7).
    """
    if "." in path:
        return _dotted_side(path)
    return _bare_side(path, UNDEFINED if path in reading.state_names else Symbol(path))


def _resolver(path: str) -> Value:
    if path == "confidence" or path.startswith(("action.", "SHARED.")):
        return lambda scope: scope.get(path)
    if "." in path:
        return _dotted(path)
    return _bare(path)


def _or_symbol(find: Value, symbol: Symbol) -> Value:
    def read(scope: Scope) -> Any:
        value = find(scope)
        return symbol if value is UNDEFINED else value

    return read


def _or_unknown(find: Value, path: str) -> Value:
    def read(scope: Scope) -> Any:
        value = find(scope)
        if value is UNDEFINED:
            raise Unknown(f"{path} is undefined")
        return value

    return read


def _bare(name: str) -> Value:
    def read(scope: Scope) -> Any:
        if name in scope.overlay or name in scope.locals:
            return scope.get(name)
        belief = scope.beliefs.get(name)
        if belief is not None:
            return belief.value
        value = scope.world.get(name, UNDEFINED)
        return scope.get(name) if value is UNDEFINED else value

    return read


def _dotted(path: str) -> Value:
    prefixes = _shorter(path)

    def read(scope: Scope) -> Any:
        overlay, names = scope.overlay, scope.locals
        if path in overlay or path in names:
            return scope.get(path)
        for prefix in prefixes:
            if prefix in overlay or prefix in names:
                return scope.get(path)
        belief = scope.beliefs.get(path)
        if belief is not None:
            return belief.value
        value = scope.world.get(path, UNDEFINED)
        return scope.get(path) if value is UNDEFINED else value

    return read


def _shorter(path: str) -> tuple[str, ...]:
    parts = path.split(".")
    return tuple(".".join(parts[:end]) for end in range(1, len(parts)))


def _bare_side(name: str, otherwise: Any) -> Value:
    if name == "confidence":
        return _checked_side(name, otherwise)

    def read(scope: Scope) -> Any:
        overlay = scope.overlay
        if name in overlay:
            return overlay[name]
        if (
            name in scope.locals
            or name in scope.beliefs
            or name in scope.world
            or name in scope.short_term
            or name in scope.long_term
            or name in scope.knowledge
            or name in scope.untrusted
        ):
            return side_value(scope, name, otherwise)
        return otherwise

    return read


def meaning(scope: Scope, name: str, symbol: Symbol) -> Any:
    """Value of a bare name that is mostly a word of the program: its symbol, unless something defines it."""
    if (
        name in scope.overlay
        or name in scope.locals
        or name in scope.beliefs
        or name in scope.world
        or name in scope.short_term
        or name in scope.long_term
        or name in scope.knowledge
        or name in scope.untrusted
    ):
        value = side_value(scope, name, symbol)
    else:
        value = symbol
    if scope.words is not None:
        scope.words[name] = value
    return value


@lru_cache(maxsize=4096)
def _dotted_side(path: str) -> Value:
    if path.startswith("action."):
        return _action_side(path)
    if path.startswith("SHARED."):
        return _checked_side(path, UNDEFINED)
    prefixes = _shorter(path)
    if len(prefixes) == 1:
        return _pair_side(path, prefixes[0])

    def read(scope: Scope) -> Any:
        overlay, names = scope.overlay, scope.locals
        if path in overlay or path in names:
            return side_value(scope, path, UNDEFINED)
        for prefix in prefixes:
            if prefix in overlay or prefix in names:
                return side_value(scope, path, UNDEFINED)
        belief = scope.beliefs.get(path)
        if belief is not None:
            return belief.value
        value = scope.world.get(path, UNDEFINED)
        return scope.get(path) if value is UNDEFINED else value

    return read


def is_pair(path: str) -> bool:
    """True for two segments of the state, read by `_pair_side`."""
    return path.count(".") == 1 and not path.startswith(("action.", "SHARED."))


def _pair_side(path: str, root: str) -> Value:
    # WHY: two segments are by far the commonest; the loop over prefixes costs more than all of this.
    is_confidence = path.endswith(".confidence")

    def read(scope: Scope) -> Any:
        overlay, names = scope.overlay, scope.locals
        if root in overlay or path in overlay or root in names or path in names:
            return side_value(scope, path, UNDEFINED)
        belief = scope.beliefs.get(path)
        if belief is not None:
            return belief.value
        value = scope.world.get(path, UNDEFINED)
        if value is not UNDEFINED:
            return value
        if is_confidence or may_be_found(scope, path, root):
            return scope.get(path)
        return UNDEFINED

    return read


def may_be_found(scope: Scope, path: str, root: str) -> bool:
    """False when no store below the beliefs has `path` or its one prefix: the cheap answer for what is missing."""
    if root in scope.world or path in scope.untrusted or root in scope.untrusted:
        return True
    for bucket in (scope.short_term, scope.long_term, scope.knowledge):
        if bucket and (path in bucket or root in bucket):
            return True
    return False


def _action_side(path: str) -> Value:
    def read(scope: Scope) -> Any:
        action = scope.action
        if action is not None:
            value = action_fact(scope, action, path)
            if value is not UNDEFINED:
                return value
        return side_value(scope, path, UNDEFINED)

    if not path.startswith("action.args."):
        return read
    name = path[len("action.args.") :]

    def read_argument(scope: Scope) -> Any:
        action = scope.action
        if action is not None:
            args = action.args
            if name in args:
                return args[name]
        return read(scope)

    return read_argument


def _checked_side(path: str, otherwise: Any) -> Value:
    return lambda scope: side_value(scope, path, otherwise)


def side_value(scope: Scope, path: str, otherwise: Any) -> Any:
    """Value of a comparison side, by the long way; `otherwise` when nothing defines the path."""
    if scope.is_undefined_local(path) and not (path == "confidence" and scope.action is not None):
        return UNDEFINED
    value = scope.get(path)
    return otherwise if value is UNDEFINED else value
