"""Examples killed with SIGKILL right after their n-th effect and resumed elsewhere: counts obey each tool's promise."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.running import agentl, command, env
from tests.examples.worlds import ENDS, UNPROMISED, effects, program_of

A_DOZEN = 12  # kills an example at most, spread over its effects
CASES = [
    (name, count)
    for name, ends in ENDS.items()
    for count in range(1, sum(ends.values()) + 1, 1 + sum(ends.values()) // A_DOZEN)
]


def kill_after(count: int, name: str, folder: Path) -> None:
    """Run an example and kill it as soon as the world holds so many effects. It may end before the kill lands."""
    world = folder / "effects.jsonl"
    running = subprocess.Popen(
        command("run", program_of(name), "--durable", str(folder / "run")),
        env=env(AGENTL_EFFECTS=str(world), PYTHONHASHSEED="1", TZ="UTC", LANG="C.UTF-8"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while len(effects(world)) < count and running.poll() is None:
        time.sleep(0.0005)
    running.kill()
    running.wait()


def resume(name: str, folder: Path) -> int:
    """Run the example again, as another process on another machine would; return its exit code."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    done = agentl(
        *("run", program_of(name), "--durable", str(folder / "run")),
        cwd=elsewhere,
        AGENTL_EFFECTS=str(folder / "effects.jsonl"),
        PYTHONHASHSEED="7",
        TZ="Asia/Kathmandu",
        LANG="fr_FR.UTF-8",
    )
    assert done.returncode in (0, 75), done.stdout + done.stderr
    return done.returncode


def check(name: str, code: int, folder: Path) -> None:
    """Every promised tool has its exact count; the others at most theirs, and fewer only in doubt."""
    lines = effects(folder / "effects.jsonl")
    counts = Counter(line["tool"] for line in lines)
    assert len({line["key"] for line in lines}) == len(lines)
    for tool, wanted in ENDS[name].items():
        if tool in UNPROMISED:
            assert counts[tool] <= wanted
            assert counts[tool] == wanted or code == 75
        else:
            assert counts[tool] == wanted, tool


@pytest.mark.soak
@pytest.mark.parametrize(("name", "count"), CASES)
def test_killed_example_ends_with_counts_that_obey_the_promises(name: str, count: int, tmp_path: Path) -> None:
    kill_after(count, name, tmp_path)
    check(name, resume(name, tmp_path), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", ENDS)
def test_example_killed_again_and_again_ends_with_counts_that_obey_the_promises(name: str, tmp_path: Path) -> None:
    total = sum(ENDS[name].values())
    for count in range(2, total + 1, 2 + total // A_DOZEN):
        kill_after(count, name, tmp_path)
    check(name, resume(name, tmp_path), tmp_path)
