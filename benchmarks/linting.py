"""What `check` costs a line, from 2,500 to 20,000 lines, and a whole call of it on 200 files.

Cost a line is of the rules alone, the program being parsed: once for a program without findings, once for one in which
nearly every declaration has one. It must stay flat, else some rule compares everything with everything. Times are of
the processor, the best of all rounds, sizes alternated. The whole process is measured beside one that defines a single
pydantic model (`startup` has the file of 60 lines), and after one of the files has changed, with and without the cache.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from agentl.analysis.check import check
from agentl.diagnostics import Source
from agentl.syntax.parser import Parsed, parse
from benchmarks.startup import FLOOR, measure
from benchmarks.table import Table

ROUNDS, PROCESS_ROUNDS = 5, 3
SIZES = (2_500, 5_000, 10_000, 20_000)
FLAT = 1.4  # a large program leaves the caches of the processor; a rule that compares all with all would show as 8
FILES, LINES_A_FILE = 200, 200

CLEAN = """
    GOAL paid_{n} {{ ACHIEVE invoice_{n}.state == paid }}
    OBSERVE {{
        invoice_{n}.state
        invoice_{n}.amount ON UNKNOWN ESCALATE
    }}
    TOOL pay_{n} {{
        INPUT {{ amount: Number }}
        OUTPUT {{ receipt_{n}: Symbol }}
        SIDE_EFFECT {{ bank_{n} }}
        RISK HIGH
        EFFECT {{ invoice_{n}.state = paid }}
    }}
    POLICY {{
        REQUIRE APPROVAL FOR pay_{n}
        NEVER pay_{n} WHEN tools.pay_{n}.in_doubt == true
        NEVER pay_{n} WHEN invoice_{n}.amount > 1000 OR amount > 1000
    }}
    PLAN settle_{n} WHEN invoice_{n}.state == open {{
        pay_{n}(amount = invoice_{n}.amount)
        VERIFY invoice_{n}.state == paid
    }}
    SCENARIO settled_{n} {{
        GIVEN {{ invoice_{n}.state = open }}
        EXPECT {{ invoice_{n}.state == paid }}
    }}
"""

# Names slightly wrong, tools nobody approves, sensors nobody reads, branches that write one path, calls round a person.
FAULTY = """
    GOAL {{ invoice_{n}.state == paid }}
    OBSERVE {{
        invoice_{n}.amount
        invoice_{n}.unread
    }}
    TOOL pay_{n} {{
        INPUT {{ amount: Number }}
        SIDE_EFFECT {{ bank_{n} }}
        RISK HIGH
        EFFECT {{ invoice_{n}.state = paid }}
    }}
    POLICY {{
        ALLOW pay_{n} IF action.in_doubt == false
        NEVER pya_{n} WHEN invoice_{n}.amount > 1000
        DENY lend_{n} WHEN invocie_{n}.state == open
    }}
    TOOL lend_{n} {{ RISK HIGH  SIDE_EFFECT {{ bank_{n} }} }}
    PLAN settle_{n} WHEN invoice_{n}.stat != open {{
        PARALLEL {{
            BRANCH one {{ SET invoice_{n}.note = 1 }}
            BRANCH two {{ SET invoice_{n}.note = 2 }}
        }}
        IF answer == yes THEN lend_{n}()
        lend_{n}()
        pay{n}(amount = invoice_{n}.amount)
        THEN setle_{n}
    }}
    SCENARIO settled_{n} {{
        GIVEN {{ invoice_{n}.stte = open }}
        EXPECT CALL pay_{n}_
    }}
"""


class Cost(NamedTuple):
    """Seconds a line, and findings."""

    seconds: float
    findings: int


def main() -> Table:
    """Measure and return the table."""
    table = Table("Linting", ("what", "lines", "findings", "cost", "x"))
    for name, unit in (("clean", CLEAN), ("full of findings", FAULTY)):
        costs = cost_a_line({lines: parse(Source(program(unit, lines))) for lines in SIZES})
        smallest = costs[SIZES[0]].seconds
        for lines, cost in costs.items():
            growth = cost.seconds / smallest
            table.add(f"rules, {name}", f"{lines:,}", cost.findings, f"{cost.seconds * 1e6:.1f} µs a line", growth)
        growth = costs[SIZES[-1]].seconds / smallest
        table.goal(
            f"{name}: a line of {SIZES[-1]:,} at most {FLAT} x one of {SIZES[0]:,} ({growth:.2f})", growth <= FLAT
        )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FILES):
            Path(folder, f"shop_{number}.agent").write_text(program(CLEAN, LINES_A_FILE), encoding="utf-8")
        check_all = f"agentl check, {FILES} files"
        subjects = {"one pydantic model": ["-c", FLOOR], check_all: ["-m", "agentl", "check", folder]}
        times = measure(subjects, PROCESS_ROUNDS) | one_changed(Path(folder))
    floor = times["one pydantic model"]
    for name, seconds in times.items():
        total = "" if name == "one pydantic model" else f"{FILES * LINES_A_FILE:,}"
        table.add(f"{name}, whole process", total, "", f"{seconds * 1000:,.0f} ms", seconds / floor)
    cached, whole = (seconds for name, seconds in times.items() if "one changed" in name)
    gain = whole / cached
    table.goal(f"one changed file among {FILES}: the cache at least halves the call ({gain:.1f} x)", gain >= 2)
    return table


def one_changed(folder: Path) -> dict[str, float]:
    """Return the median seconds of a call after one file has changed, with the cache and without it."""
    (folder / "agentl.toml").write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "agentl", "check", str(folder)]
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    subjects = {"one changed, cached": command, "one changed, --no-cache": [*command, "--no-cache"]}
    taken: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(PROCESS_ROUNDS + 1):  # the first round fills the cache
        for name, arguments in subjects.items():
            with (folder / "shop_0.agent").open("a", encoding="utf-8") as file:
                file.write(f"# {name} {number}\n")
            start = time.perf_counter()
            subprocess.run(arguments, stdout=subprocess.DEVNULL, env=environment, check=True)
            if number:
                taken[name].append(time.perf_counter() - start)
    return {f"agentl check, {FILES} files, {name}": statistics.median(seconds) for name, seconds in taken.items()}


def program(unit: str, lines: int) -> str:
    """Return one agent of about so many lines."""
    return "AGENT shop {\n" + "".join(unit.format(n=n) for n in range(lines // unit.count("\n"))) + "}\n"


def cost_a_line(programs: dict[int, Parsed]) -> dict[int, Cost]:
    """Return what the rules cost for each program, by its lines."""
    best = dict.fromkeys(programs, Cost(float("inf"), 0))
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for lines, parsed in programs.items():
                start = time.process_time()
                found = check(parsed)
                best[lines] = min(best[lines], Cost((time.process_time() - start) / lines, len(found)))
                gc.collect()
    finally:
        gc.enable()
    return best
