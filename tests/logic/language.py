"""Text → IR for the tests of logic and policy."""

from __future__ import annotations

import re
from typing import Any

from agentl.ir.declarations import Rule
from agentl.ir.expressions import (
    And,
    Comparison,
    Datetime,
    Difference,
    FunctionCall,
    ListLiteral,
    NamedArgument,
    Negation,
    Not,
    Number,
    Or,
    Path,
    Product,
    Quotient,
    SharedPath,
    Sum,
    Text,
)
from agentl.ir.program import Agent

_TOKEN = re.compile(
    r"""\s*(?:(?P<date>\d{4}-\d\d-\d\d)|(?P<number>\d+(?:\.\d+)?)(?P<unit>%|ms\b|s\b|m\b|h\b|d\b)?"""
    r"""|"(?P<text>[^"]*)"|(?P<name>[A-Za-z_]\w*(?:\.\w+)*)|(?P<op>==|!=|>=|<=|[-+*/<>()\[\],=]))"""
)
_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=", "IN")


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, Any]] = []
        place = 0
        text = text.strip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            assert found, text[place:]
            kind = next(name for name in ("date", "number", "text", "name", "op") if found[name] is not None)
            self.tokens.append((kind, (found[kind], found["unit"] or "") if kind == "number" else found[kind]))
            place = found.end()
        self.at = 0

    def word(self) -> Any:
        kind, value = self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")
        return value if kind in ("name", "op") else None

    def take(self, *words: str) -> str | None:
        if self.word() in words and self.word():
            self.at += 1
            return str(self.tokens[self.at - 1][1])
        return None

    def chain(self, word: str, node: Any, below: Any) -> Any:
        items = [below()]
        while self.take(word):
            items.append(below())
        return items[0] if len(items) == 1 else node.make(items=tuple(items))

    def either(self) -> Any:
        return self.chain("OR", Or, self.both)

    def both(self) -> Any:
        return self.chain("AND", And, self.negated)

    def negated(self) -> Any:
        return Not.make(operand=self.negated()) if self.take("NOT") else self.compared()

    def compared(self) -> Any:
        left = self.summed()
        op = self.take(*_COMPARISONS)
        return Comparison.make(op=op, left=left, right=self.summed()) if op else left

    def summed(self) -> Any:
        return self.folded("+", Sum, "-", Difference, self.multiplied)

    def multiplied(self) -> Any:
        return self.folded("*", Product, "/", Quotient, self.signed)

    def folded(self, flat: str, node: Any, binary: str, pair: Any, below: Any) -> Any:
        left, open_chain = below(), False
        while op := self.take(flat, binary):
            right = below()
            if op == binary:
                left, open_chain = pair.make(left=left, right=right), False
            elif open_chain:
                left = node.make(items=(*left.items, right))
            else:
                left, open_chain = node.make(items=(left, right)), True
        return left

    def signed(self) -> Any:
        return Negation.make(operand=self.signed()) if self.take("-") else self.primary()

    def primary(self) -> Any:
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return Number.make(type="float" if "." in value[0] else "int", text=value[0], unit=value[1])
        if kind == "text":
            return Text.make(value=value)
        if kind == "date":
            return Datetime.make(value=value)
        if value == "(":
            inner = self.either()
            assert self.take(")")
            return inner
        if value == "[":
            return ListLiteral.make(items=self.items("]")[0])
        if self.take("("):
            positional, named = self.items(")")
            return FunctionCall.make(function=value, positional=positional, named=named)
        return SharedPath.make(path=value[7:]) if value.startswith("SHARED.") else Path.make(path=value)

    def items(self, end: str) -> tuple[Any, Any]:
        positional, named = [], []
        while not self.take(end):
            item = self.either()
            if self.take("="):
                named.append(NamedArgument.make(name=item.path, value=self.either()))
            else:
                positional.append(item)
            self.take(",")
        return tuple(positional), tuple(named)


def expr(text: str) -> Any:
    """Read one expression."""
    reader = _Reader(text)
    tree = reader.either()
    assert reader.at == len(reader.tokens), text
    return tree


def agent(policy: str) -> Agent:
    """Read the lines of a POLICY block into an agent that has nothing else; `//` starts a comment."""
    rules, default = [], None
    for line in policy.splitlines():
        text = line.split("//")[0].strip()
        if not text:
            continue
        if text.startswith("DEFAULT "):
            default = text.split()[1]
            continue
        found = re.match(r"(NEVER|DENY|ALLOW|REQUIRE(?: APPROVAL)? FOR)\s+(\S+)(?:\s+(?:WHEN|IF)\s+(.*))?$", text)
        assert found, text
        effect = "REQUIRE_APPROVAL" if found[1].startswith("REQUIRE") else found[1]
        rules.append(Rule.make(effect=effect, target=found[2], guard=expr(found[3]) if found[3] else None))
    return Agent.make(name="tested", rules=tuple(rules), policy_default=default)
