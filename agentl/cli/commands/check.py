"""`agentl check`: what is wrong in programs, found without running them."""

# WHY no `from __future__ import annotations`: the option parser would evaluate each annotation four times.

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentl.linting.rendering import format_names
from agentl.messages import command as messages
from agentl.messages import linting as lint_messages
from agentl.messages import watching as watch_messages

if TYPE_CHECKING:
    Format = str
else:
    Format = Literal[format_names()]


class Profile(StrEnum):
    """Which rules are asked: those of AGENT-L 1.10 alone, with ours, more warnings too, or those of operations too."""

    COMPAT = "compat"
    REFERENCE = "reference"
    STRICT = "strict"
    SEQUENTIAL = "sequential"


class Level(StrEnum):
    """Severities of findings, from the one that weighs most."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.CHECK_PATHS.text())],
    format: Annotated[Format, typer.Option("--format", help=messages.CHECK_FORMAT.text())] = "text",
    profile: Annotated[
        Profile | None, typer.Option("--profile", help=messages.CHECK_PROFILE.text(), show_default="reference")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="RULES", help=lint_messages.SELECT.text())
    ] = None,
    extend_select: Annotated[
        list[str] | None, typer.Option("--extend-select", metavar="RULES", help=lint_messages.EXTEND_SELECT.text())
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help=lint_messages.IGNORE.text())
    ] = None,
    fail_on: Annotated[
        Level | None, typer.Option("--fail-on", help=lint_messages.FAIL_ON.text(), show_default="error")
    ] = None,
    max_warnings: Annotated[
        int | None, typer.Option("--max-warnings", metavar="N", min=0, help=lint_messages.MAX_WARNINGS.text())
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help=lint_messages.EXIT_ZERO.text())] = False,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="FILE", help=lint_messages.BASELINE.text())
    ] = None,
    write_baseline: Annotated[
        str | None, typer.Option("--write-baseline", metavar="FILE", help=lint_messages.WRITE_BASELINE.text())
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help=lint_messages.FIX.text())] = False,
    unsafe_fixes: Annotated[bool, typer.Option("--unsafe-fixes", help=lint_messages.UNSAFE_FIXES.text())] = False,
    diff: Annotated[bool, typer.Option("--diff", help=lint_messages.DIFF.text())] = False,
    fix_only: Annotated[bool, typer.Option("--fix-only", help=lint_messages.FIX_ONLY.text())] = False,
    show_suppressed: Annotated[
        bool, typer.Option("--show-suppressed", help=lint_messages.SHOW_SUPPRESSED.text())
    ] = False,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help=messages.STDIN_FILENAME.text())
    ] = "<stdin>",
    output_file: Annotated[
        str | None, typer.Option("--output-file", metavar="FILE", help=messages.CHECK_OUTPUT_FILE.text())
    ] = None,
    statistics: Annotated[bool, typer.Option("--statistics", help=messages.CHECK_STATISTICS.text())] = False,
    category: Annotated[str, typer.Option("--category", metavar="NAME", help=messages.CHECK_CATEGORY.text())] = "",
    watch: Annotated[bool, typer.Option("--watch", help=watch_messages.WATCH.text())] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help=messages.CHECK_NO_CACHE.text())] = False,
) -> int:
    """Check files and folders; every one is reported. Returns the worst code of all (decision 31)."""
    from agentl.cli.checking import Wanted, cache_for, check_paths, selectors
    from agentl.linting.checking import Options
    from agentl.linting.settings import Given

    given = Given(
        profile=profile.value if profile else None,
        select=selectors(select) if select else None,
        extend_select=selectors(extend_select),
        ignore=selectors(ignore),
        fail_on=fail_on.value if fail_on else None,
        max_warnings=max_warnings,
        baseline=baseline,
    )
    fixes = None
    if fix or unsafe_fixes or diff or fix_only:
        from agentl.cli.fixing import FixesWanted

        fixes = FixesWanted(unsafe_fixes, diff, fix_only)
    wanted = Wanted(
        format, stdin_filename, output_file, statistics, category, show_suppressed, write_baseline, watch, fixes
    )
    return check_paths(paths, Options(given, exit_zero, cache=cache_for(watch, no_cache)), wanted)
