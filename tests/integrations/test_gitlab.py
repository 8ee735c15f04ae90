"""The GitLab template: valid, and its jobs do here what they say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from tests.integrations.scripts import ROOT, TESTED, WRONG, read, run_script

FILE = "integrations/gitlab/agentl.gitlab-ci.yml"
TEMPLATE = read(FILE)
# A runner hands the lines of a job to one shell, which need not be bash.
SHELL = ("sh", "-e", "-c")


def job(name: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: str(value) for name, value in TEMPLATE["variables"].items()} | {"AGENTL_PACKAGE": ""}
    script = [*TEMPLATE[TEMPLATE[name]["extends"]]["before_script"], *TEMPLATE[name]["script"]]
    return run_script("\n".join(script), folder, *SHELL, **environment | variables)


def test_it_is_valid_by_the_schema_of_gitlab() -> None:
    done = run_script(f"check-jsonschema --builtin-schema vendor.gitlab-ci '{ROOT / FILE}'", ROOT, *SHELL)
    assert done.returncode == 0, done.stdout + done.stderr


def test_findings_are_a_code_quality_report_and_fail_the_job(tmp_path: Path) -> None:
    (tmp_path / "two words.agent").write_text(WRONG, encoding="utf-8")
    done = job("agentl-check", tmp_path)
    assert done.returncode == 1, done.stderr
    artifact = TEMPLATE["agentl-check"]["artifacts"]["reports"]["codequality"]
    (entry,) = json.loads((tmp_path / artifact).read_text(encoding="utf-8"))
    assert entry["check_name"] == "E001" and entry["location"]["path"] == "two words.agent"


def test_scenarios_are_a_junit_report(tmp_path: Path) -> None:
    (tmp_path / "payments.agent").write_text(TESTED, encoding="utf-8")
    done = job("agentl-test", tmp_path, AGENTL_PATHS="payments.agent")
    assert done.returncode == 0, done.stderr
    artifact = TEMPLATE["agentl-test"]["artifacts"]["reports"]["junit"]
    assert int(ElementTree.parse(tmp_path / artifact).getroot().attrib["tests"]) > 3


def test_nothing_to_check_is_red_and_no_shell_reads_a_path(tmp_path: Path) -> None:
    assert job("agentl-check", tmp_path).returncode == 2
    done = job("agentl-check", tmp_path, AGENTL_PATHS="$(touch stolen)\nb c")
    assert done.returncode == 2 and "C010" in (tmp_path / "gl-code-quality-report.json").read_text(encoding="utf-8")
    assert not (tmp_path / "stolen").exists()
