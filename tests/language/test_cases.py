"""Every row of the tables in this folder: a short source, and whether the parser takes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentl.diagnostics import Source
from agentl.syntax.parser import parse

FOLDER = Path(__file__).parent
ROW = re.compile(r"^\| (file|member|stmt|expr) \| `(.*)` \| (accept|warn W\d{3}|reject(?: P\d{3})?) \|(?:.*\|)?$")
AROUND = {
    "file": "{}",
    "member": "AGENT a {{ {} }}",
    "stmt": "AGENT a {{ PLAN p {{ {} }} }}",
    "expr": "AGENT a {{ GOAL g {{ {} }} }}",
}


def rows() -> list[tuple[str, str, str]]:
    found = []
    for path in sorted(FOLDER.glob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = ROW.match(line)
            if match is None:
                # A row that does not fit the form would silently not be tested.
                assert not line.startswith(("| file", "| member", "| stmt", "| expr")), f"{path.name}:{number}: {line}"
                continue
            kind, source, verdict = match.groups()
            text = AROUND[kind].format(source.replace("⏎", "\n"))
            found.append((f"{path.stem}:{number}", text, verdict))
    return found


ROWS = rows()


@pytest.mark.parametrize(("text", "verdict"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_table_row_holds(text: str, verdict: str) -> None:
    parsed = parse(Source(text))
    codes = [each.code for each in parsed.diagnostics]
    word, _, code = verdict.partition(" ")
    if word == "reject":
        assert parsed.program is None, "accepted"
        assert not code or code in codes, codes
    else:
        assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
        assert not code or code in codes, codes


def test_there_are_many_rows() -> None:
    assert len(ROWS) > 300
