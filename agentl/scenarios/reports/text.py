"""The report for people: each scenario with why it is green or red, then the counts."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.diagnostics.render.text import render_text
from agentl.messages import scenarios as messages
from agentl.scenarios.faults import Fault
from agentl.scenarios.reports.report import Report, TestedFile
from agentl.scenarios.result import Expected, Result

_COLOURS = {"green": "\x1b[1;32m", "red": "\x1b[1;31m", "invalid": "\x1b[1;31m"}
_PLAIN = "\x1b[0m"
_WORDS = {"green": messages.GREEN, "red": messages.RED, "invalid": messages.INVALID}


def render_report(report: Report, *, trace: bool = False, color: bool = False) -> str:
    """Return the whole report without a final newline; `trace` adds the trace of every scenario."""
    lines = [line for file in report.files for line in _file(file, report.allow_empty, trace, color)]
    for problem in report.problems:
        lines += [render_text([problem.finding], color), ""]
    lines.append(summary(report))
    return "\n".join(lines)


def summary(report: Report) -> str:
    """The line of counts."""
    return messages.SUMMARY.text(**report.counts)


def _file(file: TestedFile, allow_empty: bool, trace: bool, color: bool) -> Iterator[str]:
    if file.suite.state != "ready":
        yield from (render_text(file.suite.errors, color), "")
        return
    yield file.suite.name
    for agent in file.suite.agents:
        yield f"  {messages.AGENT.text(agent=agent)}"
        if agent in file.suite.empty_agents:
            yield from (f"    {line}" for line in _empty(agent, allow_empty))
        for played in file.played:
            if played.case.agent == agent:
                yield from (f"    {line}" for line in render_result(played.result, trace=trace, color=color))
    yield ""


def _empty(agent: str, allowed: bool) -> list[str]:
    if allowed:
        return [messages.EMPTY_ALLOWED.text(agent=agent)]
    missing = Fault(messages.NO_SCENARIO, agent=agent)
    return [fault_line(missing), *_help(missing.help())]


def render_result(result: Result, *, trace: bool = False, color: bool = False) -> list[str]:
    """The lines about one scenario: its colour and name, why, and its trace if wanted."""
    word = _WORDS[result.status].text()
    painted = f"{_COLOURS[result.status]}{word}{_PLAIN}" if color else word
    if result.status == "green":
        lines = [f"{painted} {result.name}: {'; '.join(_held(result))}"]
    else:
        lines = [f"{painted} {result.name}", *(f"  {line}" for line in reasons(result))]
    if trace and result.trace:
        lines += [f"  | {line}" for line in result.trace.splitlines()]
    return lines


def _held(result: Result) -> Iterator[str]:
    ticks = [expected.tick or 0 for expected in result.expected if expected.form == "eventuality"]
    if ticks:
        yield messages.SATISFIED.text(tick=max(ticks), bound=result.bound)
    if any(expected.form == "invariant" for expected in result.expected):
        yield messages.HELD.text(ticks=result.ticks, bound=result.bound)
    elif not ticks:
        yield messages.MET.text(ticks=result.ticks, bound=result.bound)


def reasons(result: Result) -> list[str]:
    """Why a scenario is not green: findings, faults, expectations, one line each with its help below."""
    lines = []
    for finding in result.findings:
        lines += [f"{finding.code}: {finding.text()}", *_help(finding.help())]
    for fault in result.faults:
        lines += [fault_line(fault), *_help(fault.help())]
    return lines + [unmet(expected, result) for expected in result.failed]


def _help(text: str) -> list[str]:
    return [f"  {messages.HELP.text()}: {text}"] if text else []


def unmet(expected: Expected, result: Result) -> str:
    """What an expectation did that it should not have done."""
    if expected.form == "eventuality":
        return messages.NEVER_TRUE.text(expression=expected.text, ticks=result.ticks, bound=result.bound)
    if expected.form == "invariant":
        return messages.BROKEN.text(expression=expected.text, tick=expected.tick)
    return messages.NOT_MET.text(assertion=expected.text)


def fault_line(fault: Fault) -> str:
    """One fault with its code."""
    return f"{fault.message.code}: {fault.text()}"
