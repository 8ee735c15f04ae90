"""Warmed parents: scripts started once, in an environment of their own, that fork a process for each request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Parent:
    """One script of this folder, asked line by line in JSON. `folder` is its working directory."""

    def __init__(self, script: str, folder: Path, **environment: str) -> None:
        folder.mkdir()
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name(script))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def __call__(self, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        self._process.communicate()
