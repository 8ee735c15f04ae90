"""The GitHub Action: a valid action whose steps do here what they say."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.integrations.scripts import CLEAN, ROOT, TESTED, WRONG, read, run_script

FILE = "integrations/github/action.yml"
ACTION = read(FILE)
# As GitHub runs a step with `shell: bash`.
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")


class Job:
    """A folder with programs, and what the runner gives to each step of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work tree"
        self.temp, self.output, self.page = folder / "temp", folder / "output", folder / "page"
        self.folder.mkdir()
        self.temp.mkdir()
        self.output.touch()

    def step(self, id: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        step = next(each for each in ACTION["runs"]["steps"] if each.get("id") == id)
        given = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()} | inputs
        folder = self.folder / _filled(step["working-directory"], given)
        environment = {name: _filled(value, given) for name, value in step["env"].items()}
        return run_script(
            step["run"],
            folder,
            *BASH,
            **environment,
            RUNNER_TEMP=str(self.temp),
            GITHUB_OUTPUT=str(self.output),
            GITHUB_STEP_SUMMARY=str(self.page),
        )

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.output.read_text(encoding="utf-8").splitlines())


def _filled(text: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    yield Job(tmp_path)


def test_it_is_valid_by_the_schema_of_actions() -> None:
    command = ["check-jsonschema", "--builtin-schema", "vendor.github-actions", str(ROOT / FILE)]
    done = run_script(" ".join(command), ROOT, *BASH)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_input_is_put_into_the_text_of_a_script() -> None:
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert scripts and not any("${{" in script for script in scripts)


def test_every_output_and_every_condition_names_what_is_there() -> None:
    steps: list[dict[str, Any]] = ACTION["runs"]["steps"]
    said = json.dumps([ACTION["outputs"], steps])
    assert set(re.findall(r"inputs\.([\w-]+)", said)) == set(ACTION["inputs"])
    for step, name in re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", said):
        assert any(each.get("id") == step and f"{name}=" in each["run"] for each in steps)


def test_findings_are_annotations_sarif_and_a_page_and_fail_the_step(job: Job) -> None:
    (job.folder / "wrong.agent").write_text(WRONG, encoding="utf-8")
    done = job.step("check")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=wrong.agent,line=5,")
    (run,) = json.loads(Path(job.outputs["sarif-file"]).read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["E001"]
    assert run["automationDetails"]["id"] == "agentl/agentl/"
    assert "wrong.agent:5:21" in job.page.read_text(encoding="utf-8")


def test_what_is_clean_passes_with_a_sarif_file_that_says_so(job: Job) -> None:
    (job.folder / "deep").mkdir()
    (job.folder / "deep" / "clean.agent").write_text(CLEAN, encoding="utf-8")
    done = job.step("check", **{"working-directory": "deep", "category": "deep"})
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(Path(job.outputs["sarif-file"]).read_text(encoding="utf-8"))["runs"]
    assert run["results"] == [] and run["automationDetails"]["id"] == "agentl/deep/"


def test_nothing_to_check_is_red(job: Job) -> None:
    assert job.step("check").returncode == 2
    assert job.step("test").returncode == 2


def test_paths_are_one_a_line_and_no_shell_reads_them(job: Job) -> None:
    names = ["two words.agent", "$(touch stolen).agent", "`touch stolen`;.agent", "-x.agent"]
    for name in names:
        (job.folder / name).write_text(CLEAN, encoding="utf-8")
    done = job.step("check", paths="\n".join(["", *names, ""]), **{"check-args": "--profile\nstrict\n"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "files: 4 " in done.stdout
    assert not (job.folder / "stolen").exists()


def test_a_pattern_is_expanded_by_agentl_alone(job: Job) -> None:
    (job.folder / "a.agent").write_text(CLEAN, encoding="utf-8")
    assert "files: 1 " in job.step("check", paths="*.agent").stdout


def test_scenarios_are_played_into_a_junit_file(job: Job) -> None:
    (job.folder / "payments.agent").write_text(TESTED, encoding="utf-8")
    done = job.step("test")
    assert done.returncode == 0, done.stdout + done.stderr
    root = ElementTree.parse(job.outputs["junit-file"]).getroot()
    assert int(root.attrib["tests"]) > 3 and root.get("failures") == "0"


def test_a_scenario_that_fails_is_red(job: Job) -> None:
    (job.folder / "payments.agent").write_text(TESTED.replace("EXPECT CALL notify", "EXPECT NEVER CALL notify"))
    assert job.step("test").returncode == 1
    root = ElementTree.parse(job.outputs["junit-file"]).getroot()
    assert root.get("failures") == "1"
