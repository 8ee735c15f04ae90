"""Each command loads what it needs and no more (cases.md P-Q1)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM, env

LOADED = """
import sys
from agentl.cli.app import main
code = main(sys.argv[1:])
print("loaded:", *sorted(name for name in sys.modules), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "lamp.agent"
    file.write_text(PROGRAM, encoding="utf-8")
    return str(file)


def loaded(*arguments: str) -> set[str]:
    """Return the modules a command line has loaded at its end."""
    done = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, env=env())
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("loaded:")[2].split())


def under(modules: set[str], *packages: str) -> set[str]:
    return {name for name in modules if any(name == package or name.startswith(package + ".") for package in packages)}


def test_version_loads_no_parser_and_no_option_parser() -> None:
    heavy = ("typer", "rich", "pydantic", "lark", "agentl.syntax", "agentl.ir", "agentl.runtime", "agentl.durable")
    assert under(loaded("--version"), *heavy) == set()


def test_help_loads_no_command() -> None:
    heavy = ("rich", "pydantic", "lark", "agentl.syntax", "agentl.ir", "agentl.runtime", "agentl.durable")
    modules = loaded("--help")
    assert under(modules, *heavy) == set()
    assert under(modules, "agentl.cli.commands") == {"agentl.cli.commands"}


@pytest.mark.parametrize("name", ["check", "compile"])
def test_what_only_reads_programs_loads_nothing_that_runs_them(name: str, program: str) -> None:
    runs = ("agentl.durable", "agentl.runtime", "agentl.hosting", "agentl.journal", "agentl.server", "agentl.lsp")
    assert under(loaded(name, program), *runs, "rich", "fastapi", "sqlite3", "asyncio", "http", "hypothesis") == set()


def test_checking_loads_neither_rules_nor_readers_that_nobody_asked_for(program: str) -> None:
    unasked = (
        "agentl.analysis.rules.strict",
        "agentl.linting.configuration_file",
        "agentl.linting.suppressions",
        "agentl.linting.baseline",
        "agentl.linting.fixing",
        "agentl.syntax.formatter",
        "tomllib",
    )
    # The folder itself is loaded when rules are looked for; none of its rules is.
    assert under(loaded("check", program), *unasked) - {"agentl.analysis.rules.strict"} == set()


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, agentl; print(*[name for name in sys.modules if name.startswith('agentl.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env())
    assert done.stdout.split() == []


def test_kernel_is_loaded_without_pydantic_and_lark() -> None:
    code = "import sys, agentl.kernel; agentl.kernel.current_action(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env())
    assert under(set(done.stdout.split()), "pydantic", "lark", "agentl.ir", "agentl.syntax") == set()
