"""The built-in functions (syntax.md §2.4, semantics.md §6): call → closure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agentl.ir.expressions import Expression, FunctionCall, Path, SharedPath, Text
from agentl.logic.errors import EvalError, Unknown
from agentl.logic.operands import kind_of
from agentl.logic.regime import Reading, Value
from agentl.logic.scope import UNKNOWN, Scope
from agentl.values import EMPTY_LABEL, UNDEFINED, Label, Symbol, is_untrusted

BELIEF_FUNCTIONS = frozenset({"CONFIDENCE", "UNCERTAINTY"})
POSTERIOR_FUNCTIONS = frozenset({"P", "PROBABILITY", "POSTERIOR"})
PROVENANCE_FUNCTIONS = frozenset({"TRUSTED", "UNTRUSTED", "LLM_DERIVED", "ORIGIN", "ATTESTED"})
PURE_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "round": round}
VALUE_FUNCTIONS = frozenset(PURE_FUNCTIONS) | {"len"}
FUNCTIONS = BELIEF_FUNCTIONS | POSTERIOR_FUNCTIONS | PROVENANCE_FUNCTIONS | VALUE_FUNCTIONS


def compile_function(call: FunctionCall, reading: Reading, compile_value: Callable[[Expression], Value]) -> Value:
    """Closure of a call. Named arguments are ignored; an unknown function and a misuse raise when evaluated."""
    name = call.function
    if name == "len":
        return _length(call, reading, compile_value)
    if name in PURE_FUNCTIONS:
        return _pure(name, [compile_value(argument) for argument in call.positional])
    if name not in FUNCTIONS:
        return _failing(f"{name} is not a function")
    subject = subject_path(call)
    if subject is None:
        return _failing(f"{name} takes a path")
    if name in BELIEF_FUNCTIONS:
        return _confidence(subject, reading, certain=name == "CONFIDENCE")
    if name in POSTERIOR_FUNCTIONS:
        return _posterior(f"{subject}.posterior", reading)
    if name == "ATTESTED":
        return _of_defined(subject, reading, _attested(call, subject))
    return _of_defined(subject, reading, _provenance(name, subject))


def subject_path(call: FunctionCall) -> str | None:
    """The path that the first argument names, None when it is no path."""
    first = call.positional[0] if call.positional else None
    if isinstance(first, Path):
        return first.path
    return f"SHARED.{first.path}" if isinstance(first, SharedPath) else None


def _failing(text: str) -> Value:
    def fail(scope: Scope) -> Any:
        raise EvalError(text)

    return fail


def _pure(name: str, arguments: Sequence[Value]) -> Value:
    function = PURE_FUNCTIONS[name]

    def call(scope: Scope) -> Any:
        values = [argument(scope) for argument in arguments]
        if any(value is UNDEFINED for value in values):
            raise EvalError(f"{name} of an undefined value")
        try:
            return function(*values)
        except (TypeError, ValueError, OverflowError):
            kinds = ", ".join(kind_of(value) for value in values)
            raise EvalError(f"{name} does not take {kinds or 'nothing'}") from None

    return call


def _length(call: FunctionCall, reading: Reading, compile_value: Callable[[Expression], Value]) -> Value:
    if len(call.positional) != 1:
        return _failing("len takes one argument")
    argument = compile_value(call.positional[0])
    closed = reading.closed

    def length(scope: Scope) -> int:
        value = argument(scope)
        if hasattr(value, "__len__"):
            return len(value)
        # WHY: in 1.10 what has no length counts 0 even in a guard, so a missing list opens it (decision 10).
        if closed:
            raise Unknown(f"len of {kind_of(value)}")
        return 0

    return length


def _confidence(path: str, reading: Reading, *, certain: bool) -> Value:
    asks = reading.asks_unknown

    def confidence(scope: Scope) -> float:
        belief = scope.beliefs.get(path)
        if belief is None:
            if asks:
                raise Unknown(f"no belief {path}")
            return 0 if certain else 1
        return belief.confidence if certain else 1 - belief.confidence

    return confidence


def _posterior(path: str, reading: Reading) -> Value:
    asks = reading.asks_unknown

    def posterior(scope: Scope) -> Any:
        value = scope.get(path)
        if value is UNDEFINED:
            if asks:
                raise Unknown(f"{path} is undefined")
            return 0
        return value

    return posterior


def _of_defined(path: str, reading: Reading, answer: Value) -> Value:
    """In evidence, where a value comes from is unknown while there is none, also inside NOT (semantics.md §19)."""
    if not reading.notes or path == "action":
        return answer

    def of_defined(scope: Scope) -> Any:
        if scope.get(path) is UNDEFINED:
            raise Unknown(f"{path} is undefined")
        return answer(scope)

    return of_defined


def _attested(call: FunctionCall, path: str) -> Value:
    if len(call.positional) == 1:
        return lambda scope: UNDEFINED if (value := scope.get(path)) is UNDEFINED else bool(scope.attested_by(value))
    second = call.positional[1]
    if isinstance(second, Path):
        tool = second.path
    elif isinstance(second, Text):
        tool = second.value
    else:
        return _failing("ATTESTED takes a path and the name of a tool")
    return lambda scope: UNDEFINED if (value := scope.get(path)) is UNDEFINED else tool in scope.attested_by(value)


def _provenance(name: str, path: str) -> Value:
    answer = _ANSWERS[name]

    def provenance(scope: Scope) -> Any:
        if path == "action" and scope.action is not None:
            return answer(action_label(scope))
        if scope.get(path) is UNDEFINED:
            return UNDEFINED
        return answer(scope.label(path))

    return provenance


def action_label(scope: Scope) -> Label:
    """Label of the action as a whole: its arguments' labels and that of the decision to act (policy.md §7)."""
    if scope.action is None:
        return UNKNOWN
    provenance = scope.action.provenance
    found = provenance.get("$control", EMPTY_LABEL)
    for name in scope.action.args:
        found |= provenance.get(name) or UNKNOWN
    return found


def _origin(label: Label) -> list[Symbol]:
    return [Symbol(source) for source in sorted(label)]


_ANSWERS: dict[str, Callable[[Label], Any]] = {
    "UNTRUSTED": is_untrusted,
    "TRUSTED": lambda label: not is_untrusted(label),
    "LLM_DERIVED": lambda label: "LLM" in label,
    "ORIGIN": _origin,
}
