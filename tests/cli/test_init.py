"""`agentl init`: everything it makes passes at once, and nothing that stands is ever touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.running import agentl, command, env


def made(folder: Path, *arguments: str) -> Path:
    done = agentl("init", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / arguments[0]


def steps(workflow: Path) -> list[str]:
    """The commands of the CI file, without the one that installs."""
    data = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    found = (
        [step["run"] for step in data["jobs"]["agentl"]["steps"] if "run" in step]
        if "jobs" in data
        else data["agentl"]["script"]
    )
    assert found[0] == "python -m pip install -r requirements.txt"
    return found[1:]


def test_every_step_of_its_continuous_integration_passes(tmp_path: Path) -> None:
    folder = made(tmp_path, "refund-desk")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for step in steps(folder / ".github" / "workflows" / "agentl.yml"):
        done = subprocess.run(step, shell=True, cwd=folder, env=env(PATH=path), capture_output=True, text=True)
        assert done.returncode == 0, f"{step}\n{done.stdout}{done.stderr}"
        if "pytest" in step:
            assert "5 passed" in done.stdout


def test_both_integrations_take_the_same_steps(tmp_path: Path) -> None:
    github = steps(made(tmp_path, "one") / ".github" / "workflows" / "agentl.yml")
    gitlab = steps(made(tmp_path, "other", "--ci", "gitlab") / ".gitlab-ci.yml")
    assert [step.replace(" --format github", "") for step in github] == gitlab


def test_it_is_clean_in_the_strict_profile_and_runs(tmp_path: Path) -> None:
    made(tmp_path, "remind", "--ci", "none")
    assert sorted(file.name for file in (tmp_path / "remind").iterdir()) == [
        ".gitignore",
        "__snapshots__",
        "remind.agent",
        "remind.py",
        "requirements.txt",
        "test_remind.py",
    ]
    checked = agentl("check", "remind", "--profile", "strict", cwd=tmp_path)
    assert "errors: 0 · warnings: 0" in checked.stdout
    for _ in range(2):
        ran = agentl("run", "remind/remind.agent", "--durable", "runs/a", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    assert len((tmp_path / "remind" / "outbox.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_the_snapshot_is_the_one_that_syrupy_would_write(tmp_path: Path) -> None:
    folder = made(tmp_path, "services/remind", "--ci", "none")
    snapshot = folder / "__snapshots__" / "test_remind.ir"
    before = snapshot.read_bytes()
    snapshot.write_text("# serializer version: 1\n", encoding="utf-8")
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--snapshot-update", "-k", "compiled"]
    subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=True)
    assert snapshot.read_bytes() == before


@pytest.mark.parametrize("name", ["2fast", "Remind", "class", "json", "pytest", "a b", "", "é", "x/../..", "agentl"])
def test_names_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    done = agentl("init", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), name
    assert "C112" in done.stderr and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_what_stands_there_is_left_alone(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "remind"
    match kind:
        case "file":
            target.write_text("mine", encoding="utf-8")
        case "folder":
            target.mkdir()
        case _:
            target.symlink_to(tmp_path / "nowhere")
    done = agentl("init", "remind", cwd=tmp_path)
    assert done.returncode == 2 and "C113" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["remind"]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = agentl("init", "file/remind", cwd=tmp_path)
    assert done.returncode == 2 and "C011" in done.stderr and "Traceback" not in done.stderr


def test_two_at_once_leave_one_whole_folder(tmp_path: Path) -> None:
    both = [
        subprocess.Popen(
            command("init", "remind"), cwd=tmp_path, env=env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    codes = sorted((each.communicate(), each.returncode)[1] for each in both)
    assert codes == [0, 2]
    assert [file.name for file in tmp_path.iterdir()] == ["remind"]
    assert len([file for file in (tmp_path / "remind").rglob("*") if file.is_file()]) == 7
