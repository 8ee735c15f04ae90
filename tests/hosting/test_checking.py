"""A host that cannot carry the program is refused before the first tick (decision 35)."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.diagnostics import Diagnostic
from agentl.hosting import Host, check_host
from agentl.kernel import Contract

PAY = Contract("pay", (("amount", "Number"), ("to", "String")))
RING = Contract("ring")
CONTRACTS = {"pay": PAY, "ring": RING}


def codes(host: object, called: tuple[str, ...] = ("pay",), allow_missing: bool = False) -> list[tuple[str, str]]:
    return [(found.code, found.severity) for found in check_host(host, CONTRACTS, called, allow_missing)]


def host_with(**tools: Any) -> Host:
    host = Host()
    host.tools.update(tools)
    return host


def test_a_called_tool_the_host_lacks_is_an_error_and_an_uncalled_one_is_not() -> None:
    assert codes(Host()) == [("H010", "error")]
    assert codes(Host(), called=()) == []
    assert codes(Host(), allow_missing=True) == []
    assert codes(Host(), called=("undeclared",)) == []


@pytest.mark.parametrize(
    "function",
    [
        lambda amount, to: None,
        lambda to, amount, more=None: None,
        lambda **named: None,
        lambda *positional, amount, to, **named: None,
        lambda amount, to, /, **named: None,
        print,
    ],
)
def test_a_function_that_can_take_the_input_names_is_right(function: Any) -> None:
    expected = [("H016", "error")] if "/" in str(_signature(function)) else []
    expected = [("H011", "error")] if function is print else expected
    assert codes(host_with(pay=function)) == expected


def _signature(function: Any) -> object:
    import inspect

    return inspect.signature(function)


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda amount: None, "H011"),
        (lambda amount, too: None, "H011"),
        (lambda *positional: None, "H011"),
        (lambda amount, to, note: None, "H016"),
        (lambda amount, to, *, note: None, "H016"),
        (5, "H017"),
    ],
)
def test_a_function_that_cannot_take_the_input_names_is_an_error(function: Any, code: str) -> None:
    assert codes(host_with(pay=function)) == [(code, "error")]


def test_methods_partials_and_callables_are_understood() -> None:
    from functools import partial

    class Bank:
        def pay(self, amount: float, to: str) -> None: ...

        def __call__(self, amount: float, to: str) -> None: ...

    assert codes(host_with(pay=Bank().pay)) == codes(host_with(pay=Bank())) == []
    assert codes(host_with(pay=partial(lambda bank, amount, to: None, "b"))) == []
    assert codes(host_with(pay=Bank.pay)) == [("H016", "error")]


def test_an_empty_input_takes_anything_so_nothing_is_said() -> None:
    assert codes(host_with(pay=lambda amount, to: None, ring=lambda arg0: None)) == []


def test_what_nobody_declared_is_only_a_warning() -> None:
    host = host_with(pay=lambda amount, to: None, paay=print)
    host.reconciler("pai")(print)
    assert codes(host) == [("H012", "warning"), ("H013", "warning")]


def test_a_reconciler_that_cannot_be_called_is_a_warning() -> None:
    host = host_with(pay=lambda amount, to: None)
    host.reconcilers["pay"] = lambda args: None  # type: ignore[misc, assignment]
    assert codes(host) == [("H014", "warning")]
    host.reconcilers["pay"] = 5  # type: ignore[assignment]
    assert codes(host) == [("H014", "warning")]
    host.reconcilers["pay"] = max
    assert codes(host) == []


def test_a_secret_parameter_the_tool_does_not_have_is_an_error() -> None:
    host = Host()
    host.tool("pay", secret={"tokn", "to"})(lambda amount, to: None)
    assert codes(host) == [("H015", "error")]


def test_a_host_that_dispatches_by_itself_is_believed() -> None:
    assert codes(object()) == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_findings_read_well(language: str, snapshot: SnapshotAssertion) -> None:
    host = host_with(paay=print)
    host.reconciler("pai")(print)
    findings: list[Diagnostic] = list(check_host(host, CONTRACTS, ["pay"]))
    for function in (lambda amount: None, lambda amount, to, note: None, 5):
        findings += check_host(host_with(pay=function), CONTRACTS, ["pay"])
    last = Host()
    last.tool("pay", secret={"tokn"})(lambda amount, to: None)
    last.reconcilers["pay"] = lambda: None  # type: ignore[misc, assignment]
    findings += check_host(last, CONTRACTS, ["pay"])
    assert "\n".join(f"{found.render(language)}\n  {found.help(language)}" for found in findings) == snapshot
