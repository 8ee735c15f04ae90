"""The command line as a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """\
AGENT lamp {
    OBSERVE { room.dark }
    TOOL light { INPUT { level: Number }  RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN evening WHEN room.dark == yes { light(level = 3) }
}
"""


def agentl(
    *arguments: str, cwd: Path | None = None, stdin: str | bytes = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `agentl` to its end; English unless AGENTL_LANG says otherwise."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(command(*arguments), input=data, capture_output=True, cwd=cwd, env=env(**environment))
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agentl", *arguments]


def env(**more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name != "AGENTL_LANG"}
    return {**inherited, **more}
