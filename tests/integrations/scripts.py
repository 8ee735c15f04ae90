"""Runs what an integration would run on a code host, in a folder here, with the `agentl` of this environment."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TESTED = (ROOT / "examples" / "payments" / "payments.agent").read_text(encoding="utf-8")
CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
WRONG = CLEAN.replace("light() }", "ligth() }")


def read(path: str) -> dict[str, Any]:
    """Read a YAML file of the project."""
    data = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    assert isinstance(data, dict)
    return data


def run_script(script: str, folder: Path, *shell: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script as a code host does; `agentl` and `python3` are those of this environment."""
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [*shell, script], cwd=folder, env={**kept, **environment, "PATH": path}, capture_output=True, text=True
    )
