"""Sizes and names: no file that nobody reads to its end, no file whose name says nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES_A_FILE = 400
LINES_A_FUNCTION = 50
# Who may print beside the console, and why.
PRINTS = {
    "runtime/trace.py": "Trace.echo, for programs that embed the runtime",
    "durable/run.py": "echo=True, the same",
    "durable/runtime.py": "echo=True, the same",
    "syntax/tables.py": "one note when the tables are stale, also below the command line (decision 37)",
}
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "stuff"}


def files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_no_file_is_longer_than_400_lines() -> None:
    every = [*files("agentl", "tests", "examples", "benchmarks"), *sorted((ROOT / "grammar").glob("*.lark"))]
    long = {str(file.relative_to(ROOT)): count for file in every if (count := _lines(file)) > LINES_A_FILE}
    assert long == {}


def test_no_function_is_longer_than_50_lines() -> None:
    long = {}
    for file in files("agentl", "examples", "benchmarks"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "build":
                length = (node.end_lineno or node.lineno) - node.body[0].lineno + 1  # a command's options do not count
                if length > LINES_A_FUNCTION:
                    long[f"{file.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


def test_no_file_or_folder_has_a_name_that_says_nothing() -> None:
    parts = {
        part for file in files("agentl", "tests", "examples", "benchmarks") for part in file.parts[len(ROOT.parts) :]
    }
    stems = {part.removesuffix(".py").removeprefix("test_") for part in parts}
    assert stems & NAMES_THAT_SAY_NOTHING == set()


def test_first_line_of_every_file_says_what_it_is_for() -> None:
    silent = [
        str(file.relative_to(ROOT))
        for file in files("agentl", "examples", "benchmarks")
        if not file.read_text(encoding="utf-8").startswith('"""')
    ]
    assert silent == []


def test_only_the_console_prints() -> None:
    printing = {
        file.relative_to(ROOT / "agentl").as_posix()
        for file in files("agentl")
        if "_dev" not in file.parts and _prints(file)
    }
    assert printing <= {"cli/console.py", *PRINTS}


def _prints(file: Path) -> bool:
    """True when the file calls `print` or writes to a standard stream itself."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called == "print" or called.startswith(("sys.stdout.write", "sys.stderr.write", "typer.echo")):
            return True
    return False


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())
