"""`agentl check`: what is wrong in programs, found without running them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from agentl.cli import console
from agentl.cli.exits import Exit, worst
from agentl.cli.formats import Format
from agentl.cli.programs import STANDARD_INPUT, problems_of, read_bytes
from agentl.diagnostics import Diagnostic
from agentl.messages import command as messages

if TYPE_CHECKING:
    from agentl.analysis.files import CheckedFile


class Profile(StrEnum):
    """Which rules are asked: those of AGENT-L 1.10 alone, with ours, or more warnings too."""

    COMPAT = "compat"
    REFERENCE = "reference"
    STRICT = "strict"


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.CHECK_PATHS.text())],
    format: Annotated[Format, typer.Option("--format", help=messages.OPTION_FORMAT.text())] = Format.TEXT,
    profile: Annotated[Profile, typer.Option("--profile", help=messages.CHECK_PROFILE.text())] = Profile.REFERENCE,
) -> int:
    """Check files and folders; every one is reported. Returns the worst code of all (decision 31)."""
    from agentl.analysis.files import find_programs

    programs = find_programs(paths)
    problems = list(problems_of(programs, messages.NOTHING_TO_CHECK))
    checked = []
    for path in programs.paths:
        result = _check(path, profile)
        if isinstance(result, Diagnostic):
            problems.append(result)
        else:
            checked.append(result)
    code = _exit_code(checked, problems)
    if format is Format.JSON:
        _write_json(checked, problems, profile, code)
    else:
        _write_text(checked, problems, profile)
    return code


def _check(path: str, profile: Profile) -> CheckedFile | Diagnostic:
    from agentl.analysis.files import check_bytes

    data = read_bytes(path)
    if isinstance(data, Diagnostic):
        return data
    return check_bytes(data, "<stdin>" if path == STANDARD_INPUT else path, profile.value)


def _exit_code(checked: Iterable[CheckedFile], problems: Iterable[Diagnostic]) -> int:
    """A wrong program is 1, a wrong path is 2; the format never changes it."""
    codes = [Exit.COMMAND for _ in problems]
    codes += [Exit.PROGRAM for file in checked for finding in file.diagnostics if finding.severity == "error"]
    return worst(codes)


def _counts(checked: Iterable[CheckedFile], profile: Profile) -> dict[str, int]:
    from agentl.analysis.registry import rules_of

    files = list(checked)
    return {
        "files": len(files),
        "agents": sum(len(file.agents) for file in files),
        "policy_rules": sum(file.policy_rules for file in files),
        "checks": len(rules_of(profile.value)),
    }


def _write_text(checked: list[CheckedFile], problems: list[Diagnostic], profile: Profile) -> None:
    from agentl.diagnostics.render.text import render_text

    found = [finding for file in checked for finding in file.diagnostics]
    if found:
        console.result(render_text(found, color=console.has_color(sys.stdout)) + "\n")
    if problems:
        console.show(problems)
    severities = [finding.severity for finding in found]
    errors, warnings = severities.count("error") + len(problems), severities.count("warning")
    console.result(messages.CHECK_SUMMARY.text(**_counts(checked, profile), errors=errors, warnings=warnings))


def _write_json(checked: list[CheckedFile], problems: list[Diagnostic], profile: Profile, code: int) -> None:
    from agentl import __version__
    from agentl.diagnostics.render.findings_json import FileFacts, render_findings

    text = render_findings(
        [FileFacts(file.path, file.sha256, file.agents) for file in checked],
        [*(finding for file in checked for finding in file.diagnostics), *problems],
        command="check",
        version=__version__,
        profile=profile.value,
        counts=_counts(checked, profile),
        exit_code=code,
    )
    console.result(text)
