"""Which PARALLEL, GIVE and STOP are statements and which are names: no AGENT-L 1.10 program changes (decision 19).

The tokenizer takes every such word as a statement. Here it becomes a name again where the agent has a plan or tool of
that name, or where what stands beside it says so; the parser does the same wherever no statement can begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentl.diagnostics import Diagnostic
from agentl.messages import syntax as messages
from agentl.syntax.grammar import CONTEXTUAL
from agentl.syntax.tables import Tables
from agentl.syntax.tokens import Tokens

# Words of statements: these alone can be meant as the name of a plan or tool where a statement begins.
_STATEMENTS = ("GIVE", "PARALLEL", "STOP")
_ANY = re.compile(rf"\b(?:{'|'.join(CONTEXTUAL)})\b")

_OPENING = ("{", "(", "[")
_CLOSING = ("}", ")", "]")
# Between the members of an agent a name follows these.
_BEFORE_NAME = (".", "HYPOTHESIS", "MESSAGE", "PLAN", "SCENARIO", "TOOL")
# Behind a name these make it the start of a path, a call or an assignment.
_AFTER_NAME = (".", "(", "=", ":")
# What can follow a value in parentheses but never a call that is a statement.
_OPERATORS = ("*", "/", "+", "-", "==", "!=", ">", ">=", "<", "<=", "AND", "OR", "IN")
_VALUES = (
    "IDENT",
    "STR",
    "NUM",
    "PCT",
    "DUR",
    "DATETIME",
    "LBRACKET",
    "MINUS",
    "NOT",
    "SHARED",
    "CONFIDENCE",
    "LBRACE",
)


def settle(tokens: Tokens, tables: Tables) -> list[Diagnostic]:
    """Turn the words that are names here into names; return warnings where a plan or tool hides a statement."""
    if _ANY.search(tokens.source.text) is None:
        return []
    findings = []
    ident = tables.number["IDENT"]
    for first, end in _agents(tokens):
        places = [at for at in range(first, end) if tokens.kinds[at] in tables.contextual]
        declared = _declared(tokens, first, end) if places else {}
        for at in places:
            word = tokens.texts[at]
            if word in declared:
                tokens.declared.add(at)
                tokens.kinds[at] = ident
            elif word in _STATEMENTS and not _begins_statement(tokens, tables, at):
                tokens.kinds[at] = ident
        for word, at in declared.items():
            findings.append(
                Diagnostic(
                    messages.WORD_IS_DECLARED,
                    {"word": word},
                    severity="warning",
                    span=tokens.span(at),
                    source=tokens.source,
                )
            )
    return findings


def _agents(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Yield (first token, token after the last) of each agent and module, and of what is before them."""
    texts = tokens.texts
    depth = first = 0
    for at, text in enumerate(texts):
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
        elif text in ("AGENT", "MODULE") and depth <= 0 and at > first:
            yield first, at
            first = at
    yield first, len(texts)


def _declared(tokens: Tokens, first: int, end: int) -> dict[str, int]:
    """Return the statement words that a plan or tool of the agent is called by, and where."""
    texts = tokens.texts
    found: dict[str, int] = {}
    inside: list[bool] = []
    for at in range(first, end):
        text = texts[at]
        # Deeper, and behind a word that a name follows, PLAN and TOOL are names themselves.
        is_section = len(inside) == 1 and at > 1 and texts[at - 2] not in _BEFORE_NAME
        section = texts[at - 1] if is_section else ""
        if text in _OPENING:
            # `TOOL {` lists names of tools, each perhaps with its parameters.
            inside.append(section == "TOOL")
        elif text in _CLOSING:
            del inside[-1:]
        elif section in ("PLAN", "TOOL") or (inside and inside[-1]):
            word = text.strip('"')
            if word in _STATEMENTS:
                found.setdefault(word, at)
    return found


def _begins_statement(tokens: Tokens, tables: Tables, at: int) -> bool:
    """Can the word be a statement, by what stands beside it?"""
    texts = tokens.texts
    word, after = texts[at], texts[at + 1]
    if word == "PARALLEL":
        return after in ("{", "MAX")
    if _is_verified(tokens, tables, at):
        return False
    if word == "STOP":
        return after not in _AFTER_NAME
    return _gives(tokens, tables, at + 1)


def _is_verified(tokens: Tokens, tables: Tables, at: int) -> bool:
    """After VERIFY, and after VERIFY and its label, a name begins the condition."""
    before = at - 1
    if before > 0 and tokens.kinds[before] == tables.number["STR"]:
        before -= 1
    return before >= 0 and tokens.texts[before] == "VERIFY" and tokens.texts[before - 1] not in (".", "STEP")


def _gives(tokens: Tokens, tables: Tables, at: int) -> bool:
    """Does a value begin here? `GIVE x = 1` is a name and an assignment; `GIVE (x)` is settled when it is lowered."""
    texts = tokens.texts
    if texts[at] == "(":
        return texts[_after_parentheses(tokens, at)] in _OPERATORS
    kind = tokens.kinds[at]
    if kind not in tables.contextual and (kind < 0 or tables.terminals[kind] not in _VALUES):
        return False
    if kind == tables.number["IDENT"] or kind in tables.contextual:
        while texts[at + 1 : at + 2] == ["."]:
            at += 2
        return texts[at + 1 : at + 2] != ["="]
    return True


def _after_parentheses(tokens: Tokens, at: int) -> int:
    """Return the token after the bracket that closes this one; the last token when none does."""
    depth = 0
    for place in range(at, len(tokens.texts) - 1):
        text = tokens.texts[place]
        depth += (text in _OPENING) - (text in _CLOSING)
        if not depth:
            return place + 1
    return len(tokens.texts) - 1
