"""Whether a host can carry a program, asked before the first tick (decision 35)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from agentl.diagnostics import Diagnostic
from agentl.hosting.options import options_of
from agentl.kernel.request import Contract
from agentl.messages import Message
from agentl.messages import host as messages


def check_host(
    host: object, contracts: Mapping[str, Contract], called_tools: Iterable[str], allow_missing: bool = False
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a host for one agent: errors mean that the run must not start.

    `contracts`: the declared TOOLs by name; `called_tools`: those that some call of the program names. Errors: a called
    tool the host lacks (not with `allow_missing`), a function that cannot take the INPUT names, a secret parameter the
    TOOL does not have. Warnings: what the host has for tools nobody declared, a reconciler that cannot be called.
    A host without a `tools` dict dispatches by itself and is believed.
    """
    tools = _mapping(host, "tools")
    reconcilers = _mapping(host, "reconcilers") or {}
    findings: list[Diagnostic] = []
    if tools is not None:
        if not allow_missing:
            missing = sorted({name for name in called_tools if name in contracts and name not in tools})
            findings += [Diagnostic(messages.TOOL_MISSING, {"tool": name}, symbol=name) for name in missing]
        for name in sorted(set(tools) & set(contracts)):
            findings += _check_function(host, contracts[name], tools[name])
        findings += _undeclared(messages.TOOL_UNDECLARED, tools, contracts)
    findings += _undeclared(messages.RECONCILER_UNDECLARED, reconcilers, contracts)
    for name in sorted(set(reconcilers) & set(contracts)):
        if not _takes_two(reconcilers[name]):
            findings.append(Diagnostic(messages.RECONCILER_SIGNATURE, {"tool": name}, "warning", symbol=name))
    return tuple(findings)


def _check_function(host: object, contract: Contract, function: object) -> Iterator[Diagnostic]:
    if not contract.inputs:
        return  # an empty INPUT takes any arguments, so nothing can be said (semantics.md §11.1)
    names = tuple(name for name, _ in contract.inputs)
    facts = {"tool": contract.name, "inputs": ", ".join(names)}
    misfit = _misfit(function, names)
    if misfit is not None:
        message, parameter = misfit
        yield Diagnostic(message, {**facts, "parameter": parameter}, symbol=contract.name)
    for parameter in sorted(options_of(host, contract.name).secret.difference(names)):
        yield Diagnostic(messages.SECRET_UNDECLARED, {**facts, "parameter": parameter}, symbol=contract.name)


def _undeclared(message: Message, registered: Iterable[str], contracts: Mapping[str, Contract]) -> list[Diagnostic]:
    names = sorted(set(registered) - set(contracts))
    return [Diagnostic(message, {"tool": name}, "warning", symbol=name) for name in names]


def _misfit(function: object, names: tuple[str, ...]) -> tuple[Message, str] | None:
    """Return why the function cannot be called with these names, and the parameter it fails on; None when it can."""
    if not callable(function):
        return messages.TOOL_NOT_CALLABLE, ""
    parameters = _parameters(function)
    if parameters is None:
        return None
    named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
    refused = next((name for name in names if name not in named and not takes_any), None)
    if refused is not None:
        return messages.TOOL_CANNOT_TAKE, refused
    for p in parameters:
        given = p.name in names and p.kind is not p.POSITIONAL_ONLY
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and not given:
            return messages.TOOL_ALSO_WANTS, p.name
    return None


def _takes_two(function: object) -> bool:
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None  # some functions written in C do not say what they take


def _mapping(host: object, name: str) -> Mapping[str, Callable[..., Any]] | None:
    found = getattr(host, name, None)
    return found if isinstance(found, Mapping) else None
