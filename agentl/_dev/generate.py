"""Writes the generated files: `python -m agentl._dev.generate`; with `--check`, says whether they are stale."""

from __future__ import annotations

import json
import sys
from typing import Any

from agentl.syntax import grammar
from agentl.syntax.tables import TABLE_FILE


def table_file_text(data: dict[str, Any]) -> str:
    """Return the text of the table file: one line a key, so that a diff says which part changed."""
    lines = (f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` return 1 when one of them is not what the grammar gives."""
    text = table_file_text(grammar.build_tables(grammar.grammar_text()))
    current = TABLE_FILE.read_text(encoding="utf-8") if TABLE_FILE.exists() else ""
    if "--check" not in arguments:
        TABLE_FILE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if current == text:
        return 0
    print(f"{TABLE_FILE.name} is stale: run `make generate`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
