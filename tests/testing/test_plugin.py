"""The pytest plugin: scenarios are tests like others."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.scenarios.reports.files import COLOURS, EMPTY, GRAMMAR, GREEN, RED

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
PLUGIN = "agentl.testing.plugin"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest("-p", PLUGIN, "-p", "no:cacheprovider", *arguments)


def write(pytester: pytest.Pytester, **texts: str) -> None:
    for name, text in texts.items():
        (pytester.path / f"{name}.agent").write_text(text, encoding="utf-8")


def test_every_scenario_is_a_test_named_after_its_agent(pytester: pytest.Pytester) -> None:
    write(pytester, lamp=COLOURS)
    run(pytester, "--collect-only", "-q").stdout.fnmatch_lines(
        [f"lamp.agent::lamp::{name}" for name in ("dark", "bright", "silent", "both", "wrong", "unposed", "invalid")],
        consecutive=True,
    )


def test_green_passes_and_red_fails_with_its_reasons_and_its_trace(pytester: pytest.Pytester) -> None:
    write(pytester, lamp=COLOURS)
    result = run(pytester)
    result.assert_outcomes(passed=4, failed=3)
    result.stdout.fnmatch_lines(
        [
            "red wrong",
            "  broken at tick 1: lamp.on == no",
            "  never true over 2/2 ticks: lamp.on == red",
            "*agentl trace*",
            "[[]1] TICK",
            "  R208: output not posed: *",
            "  W117: GIVEN poses `roof.dark`*",
        ]
    )


def test_one_scenario_can_be_chosen(pytester: pytest.Pytester) -> None:
    write(pytester, lamp=COLOURS)
    run(pytester, "lamp.agent::lamp::dark").assert_outcomes(passed=1)
    run(pytester, "-k", "bright").assert_outcomes(passed=1, deselected=6)


def test_a_program_that_is_none_is_one_failing_test_and_stops_no_other(pytester: pytest.Pytester) -> None:
    write(pytester, broken="# SCENARIO\n" + GRAMMAR, green=GREEN)
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*broken.agent:2:23: error P003:*"])


def test_a_program_without_scenario_is_no_test(pytester: pytest.Pytester) -> None:
    write(pytester, empty=EMPTY, half=EMPTY.replace("AGENT a", "AGENT b") + GREEN)
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.parametrize(("patterns", "passed"), [("kept_*.agent", 1), ("below/*.agent", 1), ("*.agent", 3), ("", 0)])
def test_the_ini_option_says_which_files_count(pytester: pytest.Pytester, patterns: str, passed: int) -> None:
    pytester.makeini(f"[pytest]\nagentl_files = {patterns}\n")
    (pytester.path / "below").mkdir()
    write(pytester, kept_one=GREEN, other=GREEN)
    (pytester.path / "below" / "deep.agent").write_text(GREEN, encoding="utf-8")
    run(pytester).assert_outcomes(passed=passed)


def test_the_place_of_a_failure_is_the_line_of_the_scenario(pytester: pytest.Pytester) -> None:
    write(pytester, lamp="\n\n" + RED.replace("SCENARIO", "\nSCENARIO"))
    run(pytester, "-rf", "-v").stdout.fnmatch_lines(["*lamp.agent::a::s FAILED*"])
    items, _ = pytester.inline_genitems("-p", PLUGIN)
    assert items[0].reportinfo()[1] == 3


def test_the_plugin_is_registered_under_its_own_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


@pytest.mark.parametrize("arguments", [(), ("-p", PLUGIN)])
def test_it_is_found_by_its_entry_point_and_may_be_named_too(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    installed = pytester.mkdir("site") / "stand_in-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-in\nVersion: 1\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{PLUGIN} = {PLUGIN}\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(pytester.path / "site"), str(ROOT)]))
    write(pytester, green=GREEN)
    pytester.runpytest_subprocess(*arguments).assert_outcomes(passed=1)


def test_registering_the_plugin_costs_a_run_of_pytest_nothing() -> None:
    code = (
        f"import sys, pytest; before = set(sys.modules); import {PLUGIN}\n"
        "print(*sorted(name for name in set(sys.modules) - before), sep=',')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "agentl,agentl.testing,agentl.testing.plugin"


def test_a_run_without_such_files_imports_nothing_more(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n"
        "def test_it():\n"
        "    assert 'agentl.scenarios' not in sys.modules and 'agentl.syntax' not in sys.modules\n"
    )
    done = pytester.runpytest_subprocess("-p", PLUGIN)
    done.assert_outcomes(passed=1)
