"""pytest plugin: the SCENARIOs of `.agent` files are tests, and compiled IR can be held by snapshots.

Registered by entry point, so that installing agentl is enough; `-p no:agentl.testing.plugin` turns it off, and the ini
option `agentl_files` says which files count (glob patterns; `*.agent`). Nothing of agentl is imported before a file
that holds a scenario is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from agentl.diagnostics import Diagnostic
    from agentl.ir.program import Program
    from agentl.scenarios.result import Result
    from agentl.scenarios.suite import Case, Suite
    from agentl.testing.ir_snapshot import CompiledIR

PATTERNS = ("*.agent",)
WORD = b"SCENARIO"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the ini option."""
    text = "glob patterns of the .agent files whose scenarios are tests (name, or path from the root)"
    parser.addini("agentl_files", text, type="args", default=list(PATTERNS))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> AgentFile | None:
    """Take a program in which a scenario may be; others cost one look at their bytes."""
    if file_path.suffix != ".agent" or not _is_wanted(file_path, parent.config) or not _may_hold_one(file_path):
        return None
    if _is_kept_by_run(file_path):
        return None
    file: AgentFile = AgentFile.from_parent(parent, path=file_path)
    return file


def _is_wanted(path: Path, config: pytest.Config) -> bool:
    inside = path.relative_to(config.rootpath).as_posix() if path.is_relative_to(config.rootpath) else path.as_posix()
    return any(fnmatch(path.name, pattern) or fnmatch(inside, pattern) for pattern in config.getini("agentl_files"))


def _is_kept_by_run(path: Path) -> bool:
    """Whether this is the copy of its program that a durable run keeps beside its journal."""
    return path.parent.name == "program" and (path.parent.parent / "wal.jsonl").exists()


def _may_hold_one(path: Path) -> bool:
    """Whether the word is in the file; one that cannot be read is taken, so that collecting it says so."""
    try:
        return WORD in path.read_bytes()
    except OSError:
        return True


@pytest.fixture
def agent_ir(request: pytest.FixtureRequest) -> Callable[[str | Path | Program], CompiledIR]:
    """A function that compiles a program and returns it as a readable text with its digest, for a snapshot.

    It takes a path, looked for beside the test file and then in the working directory, or a Program. A program with an
    error fails the test with what `agentl check` says.
    """

    def compiled(program: str | Path | Program) -> CompiledIR:
        from agentl.diagnostics import AgentLError
        from agentl.testing.ir_snapshot import CompiledIR, told

        if not isinstance(program, str | Path):
            return CompiledIR.of(program)
        beside = request.path.parent / program
        try:
            return CompiledIR.of_file(beside if beside.exists() else Path(program))
        except AgentLError as error:
            pytest.fail(told(error), pytrace=False)
        except OSError as error:
            pytest.fail(f"{program}: {error.strerror}", pytrace=False)

    return compiled


@pytest.fixture
def ir_snapshot(request: pytest.FixtureRequest) -> Any:
    """syrupy's `snapshot` with the extension for compiled IR: `assert agent_ir("x.agent") == ir_snapshot`."""
    from agentl.testing.ir_snapshot import IRSnapshotExtension

    return request.getfixturevalue("snapshot").use_extension(IRSnapshotExtension)


class AgentFile(pytest.File):
    """One program: a collector for each agent with scenarios, or one failing test when it does not pass `check`."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        from agentl.scenarios.suite import suite_of

        suite: Suite = suite_of(self.path.read_bytes(), str(self.path))
        if suite.state != "ready":
            yield CheckItem.from_parent(self, name="check", errors=suite.errors)
            return
        for agent in suite.agents:
            cases = [case for case in suite.cases if case.agent == agent]
            if cases:
                yield AgentCollector.from_parent(self, name=agent, cases=cases)


class AgentCollector(pytest.Collector):
    """One agent: a test for each of its scenarios."""

    def __init__(self, *, cases: list[Case], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._cases = cases

    def collect(self) -> Iterator[ScenarioItem]:
        for case in self._cases:
            yield ScenarioItem.from_parent(self, name=case.name, case=case)


class RedScenario(Exception):
    """A scenario is not green."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.name)
        self.result = result


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._case = case

    def runtest(self) -> None:
        result = self._case.play()
        if result.trace:
            self.add_report_section("call", "agentl trace", result.trace)
        if result.status != "green":
            raise RedScenario(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reasons, as `agentl test` gives them."""
        if not isinstance(excinfo.value, RedScenario):
            return super().repr_failure(excinfo, style)
        from agentl.scenarios.reports.text import render_result

        return "\n".join(render_result(excinfo.value.result))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._case.line - 1, f"{self._case.agent}::{self.name}"


class Refused(Exception):
    """A program cannot be tested as it stands."""


class CheckItem(pytest.Item):
    """Stands for a whole program that is none, or that `check` refuses."""

    def __init__(self, *, errors: tuple[Diagnostic, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._errors = errors

    def runtest(self) -> None:
        raise Refused

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """What is wrong, as `agentl check` says it."""
        from agentl.diagnostics.render.text import render_text

        return render_text(self._errors)

    def reportinfo(self) -> tuple[Path, int, str]:
        line = self._errors[0].line if self._errors else 0
        return self.path, max(line - 1, 0), "check"
