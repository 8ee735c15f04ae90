"""The hooks for pre-commit: a valid manifest whose hooks do what they say on what is committed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from tests.integrations.scripts import CLEAN, ROOT, TESTED, WRONG

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
UGLY = CLEAN.replace("  GOAL", "GOAL")


class Repository:
    """A repository of somebody who uses the hooks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "repository", folder / "home"
        self.folder.mkdir()
        self.run("git", "init", "--quiet")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        self.run("git", "add", "--all")

    def pre_commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "pre_commit", *arguments)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={**environment, "PATH": path, "PRE_COMMIT_HOME": str(self.home)},
        )


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_manifest_is_valid_and_every_hook_is_a_command_of_ours(repository: Repository) -> None:
    done = repository.pre_commit("validate-manifest", str(MANIFEST))
    assert done.returncode == 0, done.stdout
    assert {hook["id"]: hook["entry"].split()[:2] for hook in HOOKS} == {
        "agentl-check": ["agentl", "check"],
        "agentl-fmt": ["agentl", "fmt"],
        "agentl-test": ["agentl", "test"],
    }


def test_each_hook_stops_what_it_is_for_and_passes_what_is_good(repository: Repository) -> None:
    local = [{**hook, "language": "system"} for hook in HOOKS]  # installed here already
    repository.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]}))
    repository.write("two words.agent", TESTED)
    repository.write("notes.txt", WRONG)
    done = repository.pre_commit("run")
    assert done.returncode == 0 and done.stdout.count("Passed") == 3, done.stdout + done.stderr
    repository.write("wrong.agent", WRONG)
    repository.write("ugly.agent", UGLY)
    done = repository.pre_commit("run")
    assert done.returncode == 1
    assert "wrong.agent:5:21: error E001" in done.stdout and "files: 3 " in done.stdout
    assert "files were modified by this hook" in done.stdout
    assert (repository.folder / "ugly.agent").read_text(encoding="utf-8") != UGLY


@pytest.mark.soak
def test_the_hook_is_installed_from_a_clone_and_runs(repository: Repository) -> None:
    repository.write("wrong.agent", WRONG)
    done = repository.pre_commit("try-repo", str(ROOT), "agentl-check", "--all-files")
    assert done.returncode == 1 and "wrong.agent:5:21: error E001" in done.stdout, done.stdout + done.stderr
