"""Joins grammar/*.lark in a fixed order and makes the LALR(1) tables from them; only here is Lark used."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Collection
from typing import Any

from agentl import resources

# The files are joined, never imported by one another: an import would double the terminals.
FILES = ("program", "sections", "tools", "reasoning", "statements", "expressions", "names", "tokens")

# Words of ours beyond AGENT-L 1.10: where they begin nothing they are ordinary names (decision 19).
CONTEXTUAL = ("BRANCH", "GIVE", "IMPORT", "MODULE", "PARALLEL", "STOP", "USE")

# Shape of the table file; a step makes older files stale.
TABLE_FORMAT = 1

END = "$END"


def grammar_text() -> str:
    """Return the whole grammar."""
    folder = resources.grammar_folder()
    return "\n".join((folder / f"{name}.lark").read_text(encoding="utf-8") for name in FILES)


def grammar_digest(text: str) -> str:
    """SHA-256 hex of a grammar and of the table format; tables made from another grammar are stale."""
    return hashlib.sha256(f"agentl.grammar.{TABLE_FORMAT}\n{text}".encode()).hexdigest()


def build_tables(text: str) -> dict[str, Any]:
    """Make the parse tables of a grammar as JSON data (see `tables.Tables`). Takes about 0.3 s.

    State numbers come from a walk in sorted order, so that one grammar always gives one file.
    """
    from lark import Lark

    lark = Lark(text, parser="lalr", lexer="basic", start="program")
    source = lark.parser.parser._parse_table
    order = _state_order(source.states, source.start_states["program"])
    rules = sorted({_rule_key(rule) for rule in lark.rules})
    rule_number = {key: number for number, key in enumerate(rules)}
    plain, words = _split_terminals(lark.terminals)
    terminals = [END, *(name for name, _ in plain), "WORD", *words]
    nonterminals = sorted({key[0] for key in rules})
    number_of = {name: number for number, name in enumerate(terminals)}
    nonterminal_number = {name: number for number, name in enumerate(nonterminals)}
    actions: list[list[int]] = []
    gotos: list[list[int]] = []
    for state in order:
        # In its last state the machine accepts the end of the text, written as a shift.
        action_row: list[tuple[int, int]] = [(0, 0)] if state == source.end_states["program"] else []
        goto_row: list[tuple[int, int]] = []
        for symbol, (kind, target) in source.states[state].items():
            if str(kind) == "Reduce":
                action_row.append((number_of[symbol], ~rule_number[_rule_key(target)]))
            elif symbol in number_of:
                action_row.append((number_of[symbol], order[target]))
            else:
                goto_row.append((nonterminal_number[symbol], order[target]))
        actions.append([value for pair in sorted(action_row) for value in pair])
        gotos.append([value for pair in sorted(goto_row) for value in pair])
    action_rows, action_of = _shared(actions)
    goto_rows, goto_of = _shared(gotos)
    return {
        "digest": grammar_digest(text),
        "plain": plain,
        "words": words,
        "nonterminals": nonterminals,
        "rules": [[nonterminal_number[origin], list(expansion), alias] for origin, expansion, alias in rules],
        "actions": action_rows,
        "action_of": action_of,
        "gotos": goto_rows,
        "goto_of": goto_of,
    }


def _rule_key(rule: Any) -> tuple[str, tuple[str, ...], str]:
    return rule.origin.name, tuple(symbol.name for symbol in rule.expansion), rule.alias or ""


def _state_order(states: dict[Any, dict[str, Any]], start: Any) -> dict[Any, int]:
    order = {start: 0}
    queue = deque([start])
    while queue:
        row = states[queue.popleft()]
        for symbol in sorted(row):
            kind, target = row[symbol]
            if str(kind) == "Shift" and target not in order:
                order[target] = len(order)
                queue.append(target)
    return order


def _split_terminals(terminals: Collection[Any]) -> tuple[list[list[str]], list[str]]:
    """Return the tokens with their regular expressions in the order of recognition, and the reserved words."""
    words = sorted(
        terminal.name
        for terminal in terminals
        if terminal.pattern.type == "str" and terminal.pattern.value.replace("_", "").isalpha()
    )
    others = [terminal for terminal in terminals if terminal.name not in words]
    # A longer operator comes before its own beginning: `==` before `=`.
    others.sort(key=lambda each: (-each.priority, -len(each.pattern.value), each.name))
    return [[each.name, each.pattern.to_regexp()] for each in others], words


def _shared(rows: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """Return the different rows, and for each state the number of its row."""
    number: dict[tuple[int, ...], int] = {}
    places = [number.setdefault(tuple(row), len(number)) for row in rows]
    return [list(row) for row in number], places
