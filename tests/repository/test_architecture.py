"""What no import rule can see: one road to the host, one maker of permits, a kernel that can be read."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import agentl.hosting
import agentl.kernel
from agentl.kernel import TCB_FILES

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "agentl" / "kernel"
MAY_CALL_THE_HOST = ("kernel", "hosting", "durable")
REGISTRIES = {"tools", "subagents", "reconcilers"}
NO_HOST = {"group.invoke"}  # the command line's own group of commands
IMPURE_MODULES = {
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "signal", "socket"),
    *("sqlite3", "subprocess", "sys", "tempfile", "time", "urllib", "uuid"),
}


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(folder.rglob("*.py")):
        yield file, ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(module, name) of every import, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def calls_a_host(tree: ast.Module) -> Iterator[int]:
    """Lines that call `.invoke(…)`, or what `tools[…]`, `subagents.get(…)` and the like hold."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr == "invoke" and ast.unparse(called) not in NO_HOST:
            yield node.lineno
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and called.func.attr == "get":
            called = called.func
        holder = called.value if isinstance(called, (ast.Subscript, ast.Attribute)) else None
        if isinstance(called, ast.Attribute) and called.attr != "get":
            continue
        direct = isinstance(called, ast.Subscript) or called is not node.func
        if direct and isinstance(holder, ast.Attribute) and holder.attr in REGISTRIES:
            yield node.lineno


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("host.invoke('a', {})", True),
        ("self.host.tools['a'](x=1)", True),
        ("host.subagents['a'](payload)", True),
        ("host.subagents.get('a')(payload)", True),
        ("host.reconcilers['a'](args, context)", True),
        ("host.subagents.get('a')", False),
        ("host.tools['a']", False),
        ("agent.tools[0]", False),
        ("tools['a']()", False),
        ("invoke('a')", False),
    ],
)
def test_the_search_for_host_calls_finds_them(code: str, seen: bool) -> None:
    assert bool(list(calls_a_host(ast.parse(code)))) is seen


def test_nothing_but_kernel_hosting_and_the_drivers_calls_a_host() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file, tree in modules(ROOT / "agentl")
        if file.relative_to(ROOT / "agentl").parts[0] not in MAY_CALL_THE_HOST
        for line in calls_a_host(tree)
    ]
    assert found == []


def test_only_the_gate_makes_permits() -> None:
    makers, spenders = set(), set()
    for file, tree in modules(ROOT / "agentl"):
        for module, name in imports(tree):
            if module == "agentl.kernel.permit" and name in ("mint", "_MINTED", "_FIELDS", "_LOCK"):
                makers.add(file.name)
            if module == "agentl.kernel.permit" and name in ("begin", "finish"):
                spenders.add(file.name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ("mint", "_MINTED"):
                makers.add(file.name)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__new__":
                made = [ast.unparse(argument) for argument in node.args]
                assert "ExecutionPermit" not in made or file == KERNEL / "permit.py", file
    assert makers == {"gate.py"}
    assert spenders == {"dispatch.py"}


def test_the_trusted_files_are_the_kernel_but_for_its_face_and_its_test_kit() -> None:
    files = {f"agentl/kernel/{file.name}" for file in KERNEL.glob("*.py")}
    assert set(TCB_FILES) == files - {"agentl/kernel/__init__.py", "agentl/kernel/testing.py"}
    assert not [path for path in KERNEL.iterdir() if path.is_dir() and path.name != "__pycache__"]


def test_the_kernel_has_at_most_900_lines_with_its_face_and_its_test_kit() -> None:
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in KERNEL.glob("*.py")) <= 900


def test_the_kernel_imports_the_standard_library_values_and_messages_only() -> None:
    foreign = {
        (file.name, module)
        for file, tree in modules(KERNEL)
        for module, _ in imports(tree)
        if module.split(".")[0] not in sys.stdlib_module_names
        and ".".join(module.split(".")[:2])
        not in ("agentl.values", "agentl.diagnostics", "agentl.messages", "agentl.kernel")
    }
    assert foreign == set()


def test_the_kernel_has_no_clock_no_chance_and_no_files() -> None:
    found = {
        (file.name, module)
        for file, tree in modules(KERNEL)
        for module, _ in imports(tree)
        if module.split(".")[0] in IMPURE_MODULES
    }
    assert found == set()
    opened = [file.name for file, tree in modules(KERNEL) for node in ast.walk(tree) if _opens(node)]
    assert opened == []


def _opens(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "exec", "eval")


def test_the_kernel_and_a_host_load_nothing_heavy() -> None:
    code = (
        "import sys, agentl.kernel.gate, agentl.kernel.dispatch, agentl.kernel.testing, agentl.hosting.host\n"
        "print([name for name in ('pydantic', 'lark', 'typer', 'asyncio', 'ssl', 'agentl.ir', 'agentl.policy')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", [agentl.kernel, agentl.hosting])
def test_a_lazy_face_serves_all_it_lists_and_its_stub_says_the_same(package: object) -> None:
    listed: list[str] = package.__all__  # type: ignore[attr-defined]
    assert dir(package) == sorted(listed)
    assert [name for name in listed if not hasattr(package, name)] == []
    with pytest.raises(AttributeError):
        package.no_such_name  # type: ignore[attr-defined]  # noqa: B018
    stub = Path(str(package.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert {name for _, name in imports(ast.parse(stub))} == set(listed) - {"TCB_FILES"}


def test_every_name_of_the_older_core_module_is_served() -> None:
    import agentl.core

    assert [name for name in agentl.core.__all__ if not hasattr(agentl.core, name)] == []
    assert issubclass(agentl.core.PolicyViolation, agentl.core.AgentLError)
    with pytest.raises(AttributeError):
        agentl.core.no_such_name  # noqa: B018
