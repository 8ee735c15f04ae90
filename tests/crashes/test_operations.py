"""Operations in real processes with real handlers, killed by SIGKILL in the gaps of operations-contract.md §3.

Every process after a kill has another hash seed, language, time zone and working directory than the one that died. In
process, against a model, every gap under every contract: tests/operations/test_gaps.py.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.cli.operation_folder import HANDLER, Said, Served
from tests.cli.running import env

ROOT = Path(__file__).parents[2]
# Waits before the effect as well, while `wait-TOOL` is there.
PATIENT = HANDLER.replace(
    'grep -qs "^$tool $key" "$world/effects" ||',
    'while [ -e "$world/wait-$tool" ]; do sleep 0.02; done\ngrep -qs "^$tool $key" "$world/effects" ||',
)
KEY, RECONCILE, NONE = "idempotency_key", "reconcile", "none"
OTHER_WORLD = {"TZ": "Pacific/Chatham", "LC_ALL": "C", "AGENTL_LANG": "fr", "PYTHONHASHSEED": "7"}

# The gap, the contract, where the process dies, and what is found: is anything unknown, did the effect take place.
GAPS: list[tuple[str, str, str, bool, int]] = [
    ("G2", KEY, "W1 after", False, 0),
    ("G3", KEY, "W2 inside", False, 0),
    ("G4", KEY, "W2 after", False, 0),
    ("G5", KEY, "W3 transfer after", True, 0),
    ("G6", KEY, "wait", True, 0),
    ("G7", KEY, "hold", True, 1),
    ("G8", KEY, "W4 transfer inside", True, 1),
    ("G9", KEY, "W4 transfer after", False, 1),
    ("G10", KEY, "W5 inside", False, 1),
    ("G5", RECONCILE, "W3 transfer after", True, 0),
    ("G7", RECONCILE, "hold", True, 1),
    ("G6", NONE, "wait", True, 0),
    ("G8", NONE, "W4 transfer inside", True, 1),
    ("G7", "kind none", "hold", True, 1),
    ("G5", "external_read", "W3 transfer after", True, 0),
]
QUICK = {("G7", KEY), ("G8", NONE)}
AGAIN: list[tuple[str, str]] = [
    ("G15", "W7 after"),
    ("G16", "W3 transfer inside"),
    ("G17", "W3 transfer after"),
    ("G17", "hold"),
    ("G17", "W4 transfer inside"),
]


@dataclass
class Machine:
    """One served folder and the processes on it."""

    served: Served
    operation_id: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> list[str]:
        return ["--state", str(self.served.root / "state")]

    def killed(self, at: str, *words: str) -> None:
        """Run a command that dies at a point of the state folder, or while `transfer` waits."""
        waits = at in ("wait", "hold")
        before = len(self.served.lines("launches" if at == "wait" else "effects"))
        mark = self.served.world / f"{at}-transfer"
        if waits:
            mark.touch()
        launched = self.served.lines("launches").count("transfer")
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.crashes.operating", "" if waits else at, *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env(**self.served.environment, **self.environment),
        )
        if waits:
            self._wait(at, launched, before)
            process.send_signal(signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL, err
        self.operation_id = self.operation_id or (out.splitlines() or [""])[0]
        if waits:
            mark.unlink()
        self.environment = OTHER_WORLD

    def ends_full(self, write: str, *words: str) -> None:
        """Run a command whose disk has no room for one write."""
        process = subprocess.run(
            [sys.executable, "-m", "tests.crashes.operating", f"full {write}", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env=env(**self.served.environment),
        )
        assert process.returncode == 5, process.stderr
        self.operation_id = process.stdout.splitlines()[0]

    def _wait(self, at: str, launched: int, effects: int) -> None:
        end = time.monotonic() + 60
        while self.served.lines("launches").count("transfer") == launched or (
            at == "hold" and "transfer" not in self.served.lines("effects")
        ):
            assert time.monotonic() < end
            time.sleep(0.01)
        time.sleep(0.05)  # past the line of the launch

    def __call__(self, *words: str, folder: Path | None = None) -> Said:
        process = subprocess.run(
            [sys.executable, "-m", "agentl", "operation", *words, *self.state],
            cwd=folder or self.served.root,
            capture_output=True,
            text=True,
            env=env(**self.served.environment, **self.environment),
        )
        return Said(process.returncode, process.stdout, process.stderr)

    def find(self) -> None:
        """The id of the operation, where its process died before it was told."""
        if not self.operation_id:
            self.operation_id = self("list", "--format", "json").json["operations"][0]["operation_id"]

    def look(self) -> dict[str, Any]:
        self.find()
        said = self("recovery", self.operation_id, "--sandbox", "off", "--format", "json")
        assert said.code == 0, said.err
        found: dict[str, Any] = said.json
        return found

    def seen(self, *more: str) -> list[str]:
        """What a client asks with: the checkpoint as it is shown."""
        fresh = self.look()["freshness"]
        shown = ["--revision", str(fresh["checkpoint_revision"]), "--digest", fresh["checkpoint_digest"]]
        return [self.operation_id, *shown, "--sandbox", "off", *more]

    @property
    def effects(self) -> int:
        return self.served.lines("effects").count("transfer")


def machine(tmp_path: Path, contract: str) -> Machine:
    kinds = {"kind none": ("none", None), "external_read": ("external_read", None)}
    served = Served(tmp_path, kinds.get(contract, ("external_write", contract)))
    handler = served.folder / "handler.sh"
    handler.write_text(PATIENT, encoding="utf-8")
    handler.chmod(0o755)
    return Machine(served)


def _marked(gap: tuple[str, str, str, bool, int]) -> Any:
    name = f"{gap[0]}-{gap[1]}"
    return pytest.param(*gap[1:], id=name, marks=() if gap[:2] in QUICK else pytest.mark.soak)


@pytest.mark.parametrize(("contract", "at", "is_unknown", "applied"), [_marked(gap) for gap in GAPS])
def test_killed_in_a_gap_and_taken_on_by_contract(
    tmp_path: Path, contract: str, at: str, is_unknown: bool, applied: int
) -> None:
    made = machine(tmp_path, contract)
    made.killed(at, *made.served.start_words(*made.state))
    assert made.effects == applied
    shown = made.look()
    assert shown["state"] == "interrupted"
    write = contract in (KEY, RECONCILE, NONE)
    assert shown["effects"]["unknown"] == (1 if is_unknown and write else 0)
    assert shown["effects"]["in_flight"] == "no"
    if is_unknown and contract == NONE:
        refused = made("resume", *made.seen(), "--format", "json")
        assert (refused.code, json.loads(refused.out)["code"]) == (3, "EffectOutcomeUnknown")
        assert made.effects == applied
        return
    if is_unknown and contract == RECONCILE:
        assert shown["actions"] == ["reconcile", "cancel"]
        assert made("resume", *made.seen()).code == 3
        asked = made("reconcile", *made.seen())
        assert asked.code == 0, asked.err
    done = made("resume", *made.seen("--format", "json"))
    assert done.code == 0, done.err
    assert made.look()["state"] == "completed"
    assert made.effects == 1


@pytest.mark.soak
@pytest.mark.parametrize(("gap", "at"), AGAIN)
def test_killed_again_after_the_resume_was_accepted(tmp_path: Path, gap: str, at: str) -> None:
    made = machine(tmp_path, KEY)
    made.killed("hold", *made.served.start_words(*made.state))
    asked = made.seen("--request-id", "r-1")
    made.killed(at, "operation", "resume", *asked, *made.state)
    again = made("resume", *asked)
    assert again.code == 75, again.err  # coalesced, and it says how things stand: interrupted
    shown = made("show", made.operation_id, "--format", "json").json["budget"]
    spent = 2 if gap == "G17" else 1
    assert shown["calls"] == 1 + spent  # with the call of quote
    assert spent * 20_000 <= shown["active_elapsed_ms"] < spent * 20_000 + 10_000
    done = made("resume", *made.seen("--request-id", "r-2"))
    assert done.code == 0, done.err
    assert made.effects == 1


@pytest.mark.soak
@pytest.mark.parametrize(("gap", "at", "applied"), [("G19", "hold", 1), ("G20", "hold", 1), ("G21", "wait", 0)])
def test_killed_after_the_verdict_of_the_package(tmp_path: Path, gap: str, at: str, applied: int) -> None:
    made = machine(tmp_path, RECONCILE)
    made.killed(at, *made.served.start_words(*made.state))
    made.killed("W9 inside" if gap == "G19" else "W9 after", "operation", "reconcile", *made.seen(), *made.state)
    if gap == "G19":  # the package knows, and nobody wrote it down: it is asked again, which is reading only
        assert made.look()["actions"] == ["reconcile", "cancel"]
        assert made("reconcile", *made.seen()).code == 0
    shown = made.look()
    assert shown["effects"]["applied"] == applied
    assert shown["actions"] == ["resume", "cancel"]
    assert made("resume", *made.seen()).code == 0
    assert made.effects == 1
    assert made.served.lines("launches").count("transfer") == (1 if applied else 2)


@pytest.mark.soak
def test_a_second_process_is_refused_by_name_of_the_first(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    made.served.hold("transfer")
    first = made.served.process(*made.served.start_words(*made.state))
    made.served.wait_for("transfer")
    made.find()
    refused = made("resume", *made.seen())
    assert refused.code == 4
    assert str(first.pid) in refused.err
    assert made.look()["state"] in ("running", "interrupted")
    made.served.hold("transfer", now=False)
    _out, err = first.communicate(timeout=60)
    assert first.returncode == 0, err
    assert made.effects == 1


@pytest.mark.parametrize(("budget", "is_allowed"), [(15_000, False), (40_000, True)])
def test_the_budget_of_the_page_with_real_handlers(tmp_path: Path, budget: int, is_allowed: bool) -> None:
    """An interrupted attempt of 10,000 ms and another reservation of 10,000 ms (operations.md §4)."""
    made = machine(tmp_path, KEY)
    manifest = made.served.folder / "touba.manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("20000", "10000"), encoding="utf-8")
    made.killed("hold", *made.served.start_words(*made.state, "--max-run-ms", str(budget)))
    before = made.look()
    done = made("resume", *made.seen("--format", "json"))
    if is_allowed:
        assert done.code == 0, done.err
        assert made.effects == 1
        return
    assert done.code == 3
    refused = json.loads(done.out)
    assert refused["code"] == "RunTimeBudgetExceeded"
    assert set(refused["details"]) == {"activeElapsedMs", "reservationMs", "remainingMs"}
    assert refused["details"]["reservationMs"] == 10_000
    after = made.look()
    assert (after["freshness"]["checkpoint_revision"], after["freshness"]["checkpoint_digest"]) == (
        before["freshness"]["checkpoint_revision"],
        before["freshness"]["checkpoint_digest"],
    )
    assert made.served.lines("launches").count("transfer") == 1
