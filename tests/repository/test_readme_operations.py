"""The operation of the README, typed in as printed: started, killed, recovered, and its room held once."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def lines_of_the_readme() -> list[str]:
    """The lines of the block in which an operation is started."""
    blocks = re.findall(r"```bash\n(.*?)```", README, flags=re.DOTALL)
    return next(block for block in blocks if "agentl operation start" in block).splitlines()


@pytest.mark.skipif(shutil.which("node") is None, reason="one handler is a program of Node")
def test_the_operation_of_the_readme_is_killed_and_recovered(tmp_path: Path) -> None:
    started = next(
        index for index, line in enumerate(lines_of_the_readme()) if line.startswith("agentl operation list")
    )
    before, after = lines_of_the_readme()[:started], lines_of_the_readme()[started:]
    script = "\n".join(
        [
            f'agentl() {{ exec "{sys.executable}" -m agentl "$@"; }}',
            f"export XDG_STATE_HOME={tmp_path}/state",
            *before,
            "agentl() { command " + sys.executable + ' -m agentl "$@"; }',
            after[0],
            "ID=$(agentl operation list | awk '{print $1}')",
            "SEEN=$(agentl operation recovery $ID)",
            'echo "$SEEN"',
            r'N=$(echo "$SEEN" | sed -n "s/.*--revision \([0-9]*\).*/\1/p")',
            r'D=$(echo "$SEEN" | sed -n "s/.*--digest \(sha256:[0-9a-f]*\).*/\1/p")',
            *(re.sub(r"\b(ID|N|D)\b", r"$\1", line.partition("#")[0]) for line in after[2:]),
            "cat $STAY_WORLD/rooms.jsonl",
        ]
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, text=True, capture_output=True, timeout=120, stdin=subprocess.DEVNULL
    )
    assert "interrupted" in done.stdout, done.stdout + done.stderr
    assert "state: completed" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count('"room":"room-101"') == 1
