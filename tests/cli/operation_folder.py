"""A served folder with real handlers, its state, and the command line on it: in this process, or as one of its own."""

from __future__ import annotations

import json
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agentl.cli.app import main
from tests.cli.running import command, env

PROGRAM = """\
AGENT desk {
  TOOL quote {
    OUTPUT { ref: String }
    RISK: LOW
  }
  TOOL transfer {
    INPUT { amount: Number to: String }
    OUTPUT { ref: String }
    RISK: HIGH
  }
  PLAN pay {
    STEP check { quote() }
    STEP move {
      SET target = "acme"
      transfer(amount = 40, to = target)
      GIVE { moved = transfer.ref }
    }
  }
  PLAN halt {
    STEP check { quote() STOP "not today" }
  }
}
"""

# A provider that honours keys: `effects` gets one line for each effect, `launches` one for each launch. It waits while
# `hold-TOOL` stands there, after the effect, and says that nothing was applied where `deny-TOOL` does.
HANDLER = """\
#!/bin/sh
tool=$1 world=$2
given=$(cat)
key=$(printf '%s' "$given" | sed 's/.*"effect_id": *"\\([0-9a-f]*\\)".*/\\1/')
case $given in
*'"reconcile"'*)
    if grep -qs "^$tool $key" "$world/effects"
    then printf '{"applied": true, "output": {"ref": "%s-1"}}' "$tool"
    else printf '{"applied": false}'
    fi
    exit ;;
esac
echo "$tool" >> "$world/launches"
echo "about to $tool" >&2
if [ -e "$world/deny-$tool" ]
then
    printf '{"error": {"code": "no_funds", "message": "there is nothing left", "outcome": "not_applied"}}'
    exit
fi
grep -qs "^$tool $key" "$world/effects" || echo "$tool $key" >> "$world/effects"
while [ -e "$world/hold-$tool" ]; do sleep 0.02; done
printf '{"output": {"ref": "%s-1"}}' "$tool"
"""


@dataclass
class Said:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Served:
    """`contract` is that of `transfer`: kind and retry mode."""

    root: Path
    contract: tuple[str, str | None] = ("external_write", "idempotency_key")
    timeout_ms: int = 20_000
    program: str = PROGRAM
    sandbox: str = "off"
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.world.mkdir()
        (self.folder / "desk.agent").write_text(self.program, encoding="utf-8")
        handler = self.folder / "handler.sh"
        handler.write_text(HANDLER, encoding="utf-8")
        handler.chmod(0o755)
        bindings = {
            "tool:desk/quote": self._binding("quote", "external_read", None),
            "tool:desk/transfer": self._binding("transfer", *self.contract),
        }
        manifest = {"manifest_version": "touba-manifest-v1", "bindings": bindings}
        (self.folder / "touba.manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        self.environment["XDG_STATE_HOME"] = str(self.root / "xdg")

    def _binding(self, tool: str, kind: str, mode: str | None) -> dict[str, Any]:
        return {
            "handler": {"kind": "process", "command": "./handler.sh", "args": [tool, str(self.world)], "cwd": "."},
            "grants": [] if self.sandbox == "off" else [f"fs-write:{self.world}"],
            "timeout_ms": self.timeout_ms,
            "max_payload_bytes": 65536,
            "effect_contract": {"kind": kind} if mode is None else {"kind": kind, "retry_mode": mode},
        }

    @property
    def folder(self) -> Path:
        return self.root / "served"

    @property
    def world(self) -> Path:
        return self.root / "world"

    @property
    def state(self) -> Path:
        (found,) = (self.root / "xdg" / "agentl" / "operations").iterdir()
        return found

    def lines(self, name: str) -> list[str]:
        """The tools named in a file of the world, in order."""
        file = self.world / name
        return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []

    def hold(self, tool: str, *, now: bool = True) -> None:
        mark = self.world / f"hold-{tool}"
        mark.touch() if now else mark.unlink()

    def deny(self, tool: str) -> None:
        (self.world / f"deny-{tool}").touch()

    def start_words(self, *more: str, plan: str = "pay") -> list[str]:
        words = ["operation", "start", str(self.folder), "--agent", "desk", "--plan", plan]
        return [*words, "--sandbox", self.sandbox, *more]

    def process(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """A process of its own, with pipes."""
        return subprocess.Popen(
            command(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env(**self.environment, **environment),
        )

    def killed_in(self, tool: str) -> str:
        """An operation whose process was killed while a handler waited, after its effect. Returns its id."""
        self.hold(tool)
        running = self.process(*self.start_words())
        assert running.stdout is not None
        operation_id = running.stdout.readline().strip()
        self.wait_for(tool)
        running.kill()
        running.communicate()
        self.hold(tool, now=False)
        return operation_id

    def wait_for(self, tool: str) -> None:
        """Wait until the effect of a tool has taken place."""
        end = time.monotonic() + 60
        while tool not in self.lines("effects"):
            assert time.monotonic() < end, f"{tool} was not called"
            time.sleep(0.01)


@dataclass
class Line:
    """The command line of one test, called in this process."""

    served: Served
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str, language: str = "en") -> Said:
        self.capsys.readouterr()
        code = main([*words, "--lang", language])
        said = self.capsys.readouterr()
        return Said(code, said.out, said.err)

    def start(self, *more: str, plan: str = "pay", language: str = "en") -> Said:
        return self(*self.served.start_words(*more, plan=plan), language=language)

    def started(self, *more: str, plan: str = "pay") -> str:
        """The id of an operation that was driven."""
        return self.start(*more, plan=plan).out.splitlines()[0]

    def recovery(self, operation_id: str, *more: str) -> Any:
        return self("operation", "recovery", operation_id, "--sandbox", "off", "--format", "json", *more).json

    def resume(self, operation_id: str, *more: str) -> Said:
        return self("operation", "resume", operation_id, *self.seen(operation_id, *more), "--sandbox", "off", *more)

    def seen(self, operation_id: str, *more: str) -> list[str]:
        """Revision and digest as options."""
        fresh = self.recovery(operation_id, *more)["freshness"]
        return ["--revision", str(fresh["checkpoint_revision"]), "--digest", fresh["checkpoint_digest"]]


def masked(text: str, root: Path) -> str:
    """A text without what differs from run to run."""
    text = text.replace(str(root), "ROOT")
    text = re.sub(r"\b(operation|run|resume|cancel|rec):[0-9a-f]{8,32}", r"\1:ID", text)
    text = re.sub(r"sha256:[0-9a-f]{64}", "sha256:DIGEST", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", text)
    text = re.sub(r"(elapsed_ms[=\"]*:? ?)\d+", r"\1N", text)
    text = re.sub(r"\b\d+ (of|ms sur) 300000", r"N \1 300000", text)
    text = re.sub(r"2\d{5} (left|restantes)", r"N \1", text)
    return re.sub(r"(served-)[0-9a-f]{16}", r"\1HASH", text)
