"""What holds for every test: steady settings, and no skip that goes unnoticed."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from agentl.messages import use_language

# With AGENTL_REQUIRE_ALL set (`make test REQUIRE=all`) a test that would be skipped fails instead (decision 39).
REQUIRE_ALL = bool(os.environ.get("AGENTL_REQUIRE_ALL"))

# Programs below tests/ are material of tests; the plugin that makes tests of scenarios leaves them alone.
collect_ignore_glob = ["*.agent"]

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

os.environ.pop("AGENTL_LANG", None)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """A test that chose a language, and failed before it gave it back, chooses it for no other."""
    yield
    use_language(None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _without_skip((yield), item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _without_skip((yield), collector.nodeid)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List by name what was skipped and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("skipped, by name")
        for report in skipped:
            terminalreporter.write_line(f"{report.nodeid}: {_why(report)}")


def _without_skip(report: Report, name: str) -> Report:
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        why = _why(report)
        report.outcome = "failed"
        report.longrepr = f"{name} was skipped, and everything is required: {why}"
    return report


def _why(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
