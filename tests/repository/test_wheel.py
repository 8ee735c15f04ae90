"""The built package works away from the checkout: grammar, tables and modules travel with it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM

ROOT = Path(__file__).parents[2]
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return folder / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty virtual environment with the wheel; its Python. The dependencies are those of this environment."""
    home = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # WHY: a .pth line is searched after the package itself, and .pth files found there are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    yield home / "bin" / "python"


def run(python: Path | str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([str(python), *arguments], cwd=cwd, capture_output=True, text=True, env=environment)


def test_wheel_holds_the_grammar_the_tables_and_no_tools_of_development(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"agentl/_shipped/grammar/{file.name}" for file in (ROOT / "grammar").glob("*.lark")} <= names
    assert {f"agentl/_shipped/stdlib/{file.name}" for file in (ROOT / "stdlib").glob("*.agent")} <= names
    rules = ROOT / "agentl" / "analysis" / "rules"
    assert {f"agentl/analysis/rules/{page.relative_to(rules).as_posix()}" for page in rules.rglob("*.md")} <= names
    assert "agentl/py.typed" in names
    assert any(name.startswith("agentl/syntax/_tables") for name in names)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"agentl"}
    assert not any(name.startswith("agentl/_dev/") for name in names)


def test_installed_wheel_finds_the_shipped_modules(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "main.agent").write_text("IMPORT std.durable AGENT a { USE std.durable }", encoding="utf-8")
    done = run(installed, "-m", "agentl", "check", "main.agent", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "policy rules: 1" in done.stdout


def test_installed_wheel_makes_a_new_program(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-m", "agentl", "init", "remind", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run(installed, "-m", "agentl", "test", "remind", cwd=tmp_path).returncode == 0


def test_installed_wheel_compiles_a_program_from_anywhere(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "lamp.agent").write_text(PROGRAM, encoding="utf-8")
    where = run(installed, "-c", "import agentl; print(agentl.__file__)", cwd=tmp_path)
    assert str(installed.parents[1]) in where.stdout
    there = run(installed, "-m", "agentl", "compile", "lamp.agent", "--digest", cwd=tmp_path)
    assert (there.returncode, there.stderr) == (0, "")
    here = run(sys.executable, "-m", "agentl", "compile", "lamp.agent", "--digest", cwd=tmp_path)
    assert there.stdout == here.stdout


def test_installed_wheel_finds_grammar_and_modules(installed: Path, tmp_path: Path) -> None:
    code = "from agentl import resources; print(*(p for p in resources.grammar_folder().iterdir()), sep='\\n')"
    done = run(installed, "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "tokens.lark" in done.stdout and str(ROOT) not in done.stdout


def test_editable_install_works_from_another_folder(tmp_path: Path) -> None:
    (tmp_path / "lamp.agent").write_text(PROGRAM, encoding="utf-8")
    done = run(Path(sys.executable).parent / "agentl", "compile", "lamp.agent", "--digest", cwd=tmp_path)
    assert (done.returncode, len(done.stdout)) == (0, 65)
