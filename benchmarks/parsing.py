"""Parsing and lowering, in lines a second, against two floors of the same run; and how long the tables take to load.

Floors: the same text cut into tokens by one compiled regular expression and nothing else, and `ast.parse` on a Python
text of as many lines. All are measured alternately with the collector off. Times are of the processor, the best of all
rounds: what other programs do on the machine does not count.
"""

from __future__ import annotations

import ast
import gc
import json
import re
import time
from collections.abc import Callable

from agentl.diagnostics import Source
from agentl.syntax import parser, tokens
from agentl.syntax.tables import TABLE_FILE, Tables, load_tables
from benchmarks.table import Table

ROUNDS = 5
AGENTS = 300
GOAL_LINES, GOAL_RATIO, GOAL_LOAD_MS = 12_000, 8.0, 60.0

AGENT = """
AGENT shop_{number} {{
    VERSION "1.4"
    GOAL paid {{ ACHIEVE invoice.state == paid TARGET {{ ledger.balance > 0  bank.open == yes }} WEIGHT 3 }}
    BELIEF {{ ledger.limit = 5000 CONFIDENCE 80% SOURCE audit }}
    OBSERVE {{
        invoice.state ON UNKNOWN ESCALATE
        bank.open WHEN clock.hour > 7 AND clock.hour < 19
    }}
    TOOL pay {{
        INPUT {{ account: String BIND invoice.account  amount: Number }}
        OUTPUT {{ receipt: Symbol }}
        RISK HIGH
        REQUIRES {{ invoice.amount <= ledger.limit }}
        EFFECT {{ invoice.state = paid }}
    }}
    POLICY {{
        DEFAULT DENY
        ALLOW pay IF invoice.amount < 1000 AND NOT UNTRUSTED(invoice.account)
        REQUIRE APPROVAL FOR pay WHEN invoice.amount >= 1000
        NEVER pay IF bank.open != yes
    }}
    PLAN settle WHEN invoice.state == open {{
        STEP send {{ pay(account = invoice.account, amount = invoice.amount * 1.2 - 3) }}
        STEP prove {{
            VERIFY "paid" {{ CONDITION pay.receipt != none ON FAIL {{ RETRY 2 ESCALATE }} }}
            IF invoice.late IN [yes, maybe] THEN {{
                SET invoice.fee = 4.50
            }} ELSE notify(text = "all is well")
        }}
    }}
    LOOP UNTIL goal.satisfied MAX 12 {{ OBSERVE SELECT_PLAN EXECUTE VERIFY }}
}}
"""

PYTHON = """
class Shop{number}:
    version = "1.4"

    def __init__(self, ledger, bank):
        self.limit = 5000
        self.ledger = ledger
        if bank.open and 7 < bank.hour < 19:
            self.state = "open"
        else:
            self.state = None

    def pay(self, account: str, amount: float) -> str:
        if amount <= self.limit:
            return self.ledger.send(account=account, amount=amount * 1.2 - 3)
        raise ValueError("too much")
"""

ONE_EXPRESSION = re.compile(
    r'[ \n\t]+|//[^\n]*|"[^"\\]*(?:\\.[^"\\]*)*"|[0-9]+(?:\.[0-9]+)?(?:%|[a-z]+\b)?|[A-Za-z_]\w*|[=!<>]=|[^\w\s]'
)


def main() -> Table:
    """Measure and return the table."""
    text = "".join(AGENT.format(number=number) for number in range(AGENTS))
    lines = text.count("\n")
    source = Source(text)
    python = "".join(PYTHON.format(number=number) for number in range(lines // PYTHON.count("\n")))
    load_tables()
    assert parser.parse(source).program is not None
    seconds = _best(
        {
            "one regular expression": lambda: ONE_EXPRESSION.findall(text),
            "ast.parse on Python": lambda: ast.parse(python),
            "our tokens": lambda: tokens.tokenize(source),
            "parse and lower": lambda: parser.parse(source),
        }
    )
    ours = seconds["parse and lower"]
    table = Table(f"Parsing {lines:,} lines", ("what", "lines/s", "x its time"))
    for name, taken in seconds.items():
        table.add(name, f"{lines / taken:,.0f}", ours / taken)
    load = _best({"load": lambda: Tables(json.loads(TABLE_FILE.read_text(encoding="utf-8")))})["load"] * 1000
    table.add("loading the tables", f"{load:.1f} ms", "")
    table.goal(f"at least {GOAL_LINES:,} lines/s parsed and lowered", lines / ours >= GOAL_LINES)
    table.goal(f"at most {GOAL_RATIO:g} x ast.parse", ours / seconds["ast.parse on Python"] <= GOAL_RATIO)
    table.goal(f"tables loaded within {GOAL_LOAD_MS:g} ms", load <= GOAL_LOAD_MS)
    return table


def _best(subjects: dict[str, Callable[[], object]]) -> dict[str, float]:
    best = dict.fromkeys(subjects, float("inf"))
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for name, run in subjects.items():
                start = time.process_time()
                run()
                best[name] = min(best[name], time.process_time() - start)
                gc.collect()
    finally:
        gc.enable()
    return best
