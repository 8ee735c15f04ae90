"""The INPUT and OUTPUT contracts of a tool: coercion, then check (semantics.md §11.1, §11.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from agentl.kernel.provenance import unwrap
from agentl.kernel.request import Contract
from agentl.values import UNDEFINED, Labelled, Symbol

_TRUE = frozenset({"yes", "true", "on"})
_FALSE = frozenset({"no", "false", "off"})


class BoundOutputs(NamedTuple):
    """`values`: the declared OUTPUT keys, coerced. `dropped`: names the host returned without being asked for them."""

    values: dict[str, object]
    dropped: tuple[str, ...]


def coerce(declared: str, value: object) -> object:
    """Return the value as a parameter of the declared type receives it; unchanged where there is nothing to coerce."""
    if declared == "String" and isinstance(value, Symbol):
        return value.name
    if declared == "Symbol" and isinstance(value, str):
        return Symbol(value)
    if declared in ("Bool", "Boolean") and isinstance(value, Symbol):
        word = value.name.lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    return value


def accepts(declared: str, value: object) -> bool:
    """Whether a coerced value is of the declared type. A type the table does not name accepts all but UNDEFINED."""
    if value is UNDEFINED:
        return False
    check = _CHECKS.get(declared)
    return check is None or check(value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


_CHECKS: dict[str, Callable[[object], bool]] = {
    "Number": _is_number,
    "Float": _is_number,
    "Int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "String": lambda value: isinstance(value, str),
    "Bool": lambda value: isinstance(value, bool),
    "Boolean": lambda value: isinstance(value, bool),
    "Symbol": lambda value: isinstance(value, Symbol),
    "List": lambda value: isinstance(value, list),
}


def check_inputs(contract: Contract, args: Mapping[str, object]) -> dict[str, object] | str:
    """Return the coerced arguments in INPUT order as a new dict, or what is wrong. The caller's dict is not touched.

    A tool with an empty INPUT accepts any arguments; UNDEFINED is refused for every parameter.
    """
    if not contract.inputs:
        absent = next((name for name, value in args.items() if value is UNDEFINED), None)
        return dict(args) if absent is None else f"argument {absent} is undefined"
    declared = dict(contract.inputs)
    if declared.keys() != args.keys():
        missing = next((name for name in declared if name not in args), None)
        unknown = next((name for name in args if name not in declared), None)
        return f"unknown argument {unknown}" if missing is None else f"missing argument {missing}"
    coerced: dict[str, object] = {}
    for name, type_name in declared.items():
        coerced[name] = coerce(type_name, args[name])
        if not accepts(type_name, coerced[name]):
            return _violation("argument", name, type_name, coerced[name])
    return coerced


def check_outputs(contract: Contract, result: object) -> BoundOutputs | str:
    """Return the declared outputs of a host's result and the names it had beside them, or what is wrong with it.

    A label the host put on the whole result or on one value (`untrusted`) stays on each value.
    """
    raw, sources = unwrap(result)
    if not contract.outputs:
        return BoundOutputs({}, tuple(map(str, raw)) if isinstance(raw, dict) else ())
    if not isinstance(raw, dict):
        return f"the result must have the declared outputs, not be {describe(raw)}"
    declared = dict(contract.outputs)
    if not declared.keys() <= raw.keys():
        return f"missing output {next(name for name in declared if name not in raw)}"
    values: dict[str, object] = {}
    for name, type_name in declared.items():
        value, own = unwrap(raw[name])
        value = coerce(type_name, value)
        if not accepts(type_name, value):
            return _violation("output", name, type_name, value)
        values[name] = Labelled(value, sources | own) if sources or own else value
    dropped = () if len(raw) == len(declared) else tuple(str(name) for name in raw if name not in declared)
    return BoundOutputs(values, dropped)


def _violation(what: str, name: str, type_name: str, value: object) -> str:
    if value is UNDEFINED:
        return f"{what} {name} is undefined"
    return f"{what} {name} must be {type_name}, not {describe(value)}"


def describe(value: object) -> str:
    """Name the kind of a value in the words of the language, never the value itself: it may be a secret."""
    if isinstance(value, float) and not math.isfinite(value):
        return "a number that is not finite"
    named = {bool: "a boolean", int: "an integer", float: "a number", str: "a text", Symbol: "a symbol"}
    return named.get(type(value)) or ("none" if value is None else f"a {type(value).__name__}")
