"""Loads the parse tables that `make generate` wrote; rebuilds them in memory when the grammar has changed."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from agentl.messages.syntax import STALE_TABLES
from agentl.syntax import grammar

TABLE_FILE = Path(__file__).with_name("_tables.json")


class Tables:
    """LALR(1) tables. Terminals, nonterminals, rules and states are numbers.

    `actions[state]` maps a terminal to a state (shift) or to `~rule` (reduce); `gotos[state]` maps a nonterminal
    to a state. Terminal 0 is the end of the text; WORD stands for any reserved word that means nothing else at
    that place.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.digest: str = data["digest"]
        self.plain: list[tuple[str, str]] = [(name, regex) for name, regex in data["plain"]]
        self.words: list[str] = data["words"]
        self.terminals: list[str] = [grammar.END, *(name for name, _ in self.plain), "WORD", *self.words]
        self.nonterminals: list[str] = data["nonterminals"]
        self.number = {name: number for number, name in enumerate(self.terminals)}
        self.word_terminal = self.number["WORD"]
        # Words that are ordinary names wherever they begin nothing.
        self.contextual = frozenset(self.number[word] for word in grammar.CONTEXTUAL)
        self.rules: list[tuple[int, list[str], str]] = [(rule[0], rule[1], rule[2]) for rule in data["rules"]]
        action_rows = [dict(zip(row[::2], row[1::2], strict=True)) for row in data["actions"]]
        goto_rows = [dict(zip(row[::2], row[1::2], strict=True)) for row in data["gotos"]]
        self.actions: list[dict[int, int]] = [action_rows[number] for number in data["action_of"]]
        self.gotos: list[dict[int, int]] = [goto_rows[number] for number in data["goto_of"]]

    @property
    def first_word(self) -> int:
        """The number of the first reserved word; all terminals from there on are reserved words."""
        return self.word_terminal + 1


@cache
def load_tables() -> Tables:
    """Return the tables of the grammar as it is now. Stale or damaged tables are rebuilt, with one note on stderr."""
    text = grammar.grammar_text()
    data = _read(TABLE_FILE)
    if data is None or data.get("digest") != grammar.grammar_digest(text):
        print(STALE_TABLES.text(), file=sys.stderr)
        data = grammar.build_tables(text)
    return Tables(data)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None
