"""Every program of the project: the files, and those printed in documents and cases of tests."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from agentl.diagnostics import Source
from agentl.syntax.reading import read_text
from tests.language.test_cases import ROWS
from tests.syntax.test_separators import ALLOWED, COMMAS

ROOT = Path(__file__).parents[3]
FOLDERS = ("examples", "stdlib", "tests", "docs")


@cache
def programs() -> dict[str, str]:
    """Return the programs by where they stand; texts that are no program are left out."""
    found = {f"row {name}": text for name, text, _ in ROWS}
    for number, template in enumerate((*ALLOWED, *COMMAS)):
        found[f"separators {number}"] = template.replace("§", ":" if number < len(ALLOWED) else ",")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix == ".agent":
                found[name] = path.read_text(encoding="utf-8")
            elif path.suffix == ".md":
                found |= _printed(name, path)
    found |= _printed("README.md", ROOT / "README.md")
    return {name: text for name, text in found.items() if read_text(Source(text)).program is not None}


def _printed(name: str, path: Path) -> dict[str, str]:
    blocks = re.findall(r"^```agentl\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return {f"{name}, block {number}": block for number, block in enumerate(blocks)}
