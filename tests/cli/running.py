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


LAMP = """\
AGENT lamp {
    GOAL lit { ACHIEVE lamp.state == on }
    BELIEF { lamp.state = off }
    OBSERVE { room.dark }
    TOOL switch { INPUT { state: Symbol }  OUTPUT { state: Symbol }  RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN evening WHEN lamp.state == off {
        switch(state = on)
        IF switch.state == on THEN SET lamp.state = on
    }
    LOOP UNTIL goal.satisfied MAX 3 {
        OBSERVE  UPDATE_BELIEFS  EVALUATE_GOALS  SELECT_PLAN  EXECUTE  VERIFY
    }
}
"""

LAMP_HOST = """\
from agentl import Host, Symbol

def build():
    host = Host()
    host.sensors["room.dark"] = lambda: Symbol("yes")

    @host.tool("switch", idempotent=True)
    def switch(state):
        with open("effects", "a") as file:
            file.write("switched\\n")
        return {"state": Symbol(state)}

    return host
"""


class Lamp:
    """A folder with a program, its host, and a file that gets one line an effect."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "lamp.agent").write_text(LAMP, encoding="utf-8")
        (folder / "lamp.py").write_text(LAMP_HOST, encoding="utf-8")

    def agentl(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return agentl(*arguments, cwd=self.folder)

    def change(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    @property
    def effects(self) -> int:
        path = self.folder / "effects"
        return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
