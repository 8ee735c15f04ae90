"""Start-up of whole processes, against one that defines a single pydantic model (decision 40)."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.table import Table

ROUNDS = 11
GOAL = 2.2
FLOOR = "from pydantic import BaseModel\nclass One(BaseModel):\n    name: str\nOne(name='x')"


def main() -> Table:
    table = Table("Start-up, whole process", ("process", "ms", "× one pydantic model"))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "sixty.agent")
        program.write_text(sixty_lines(), encoding="utf-8")
        subjects = {
            "python -c pass": ["-c", "pass"],
            "one pydantic model": ["-c", FLOOR],
            "agentl --version": ["-m", "agentl", "--version"],
            "agentl --help": ["-m", "agentl", "--help"],
            "agentl compile, 60 lines": ["-m", "agentl", "compile", str(program)],
            "agentl check, 60 lines": ["-m", "agentl", "check", str(program)],
        }
        times = measure(subjects)
    floor = times["one pydantic model"]
    for name, seconds in times.items():
        table.add(name, seconds * 1000, seconds / floor)
    ratio = times["agentl check, 60 lines"] / floor
    table.goal(f"check of 60 lines within {GOAL} × one pydantic model ({ratio:.2f})", ratio <= GOAL)
    return table


def measure(subjects: dict[str, list[str]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median seconds of each, subjects alternated; one round before warms the caches."""
    seconds: dict[str, list[float]] = {name: [] for name in subjects}
    for round_number in range(rounds + 1):
        for name, arguments in subjects.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if round_number:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def sixty_lines() -> str:
    tools = "\n".join(
        f"    TOOL t{n} {{\n        INPUT {{ amount: Number }}\n        RISK LOW\n    }}" for n in range(10)
    )
    steps = "\n".join(f"        STEP s{n} {{ t{n}(amount = {n}) }}" for n in range(10))
    return f"AGENT sixty {{\n    OBSERVE {{ a.b }}\n{tools}\n    PLAN p WHEN a.b == yes {{\n{steps}\n    }}\n}}\n"


if __name__ == "__main__":
    print(main().render())
