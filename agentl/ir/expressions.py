"""Expressions: literals, names, operators, calls (syntax.md §2).

A path is its dotted text: `rack.3.1` has the segments `rack` and `3.1`, and resolution works on the text.
A name of one segment (no dot) that nothing defines is a symbol.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agentl.ir.node import Node

# Factor of each unit: a percent is a hundredth, a duration is in seconds (syntax.md §1.6, §1.7).
UNITS = {"": 1, "%": 0.01, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Number(Node, frozen=True):
    """A number as written. `text` is the digits (with a sign only where the grammar has one), `unit` a key of UNITS."""

    kind: Literal["number"] = "number"
    type: Literal["int", "float"]
    text: str
    unit: Literal["", "%", "ms", "s", "m", "h", "d"] = ""

    @property
    def value(self) -> int | float:
        """An int for a plain whole number, else a float; percents divided by 100, durations in seconds."""
        if self.unit == "":
            return int(self.text) if self.type == "int" else float(self.text)
        if self.unit == "%":
            return float(self.text) / 100
        if self.unit == "ms":
            return float(self.text) / 1000
        return float(self.text) * UNITS[self.unit]


class Text(Node, frozen=True):
    """A quoted string, escapes resolved."""

    kind: Literal["text"] = "text"
    value: str


class Datetime(Node, frozen=True):
    """A date or date and time; its value is the literal text."""

    kind: Literal["datetime"] = "datetime"
    value: str


class Path(Node, frozen=True):
    kind: Literal["path"] = "path"
    path: str

    @property
    def is_bare(self) -> bool:
        """True for a name of one segment, which evaluates to a symbol when nothing defines it."""
        return "." not in self.path


class SharedPath(Node, frozen=True):
    """`SHARED.key…`; `path` is the text after `SHARED.`."""

    kind: Literal["shared"] = "shared"
    path: str


class ListLiteral(Node, frozen=True):
    kind: Literal["list"] = "list"
    items: tuple[Expression, ...]


class NamedArgument(Node, frozen=True):
    kind: Literal["argument"] = "argument"
    name: str
    value: Expression


class FunctionCall(Node, frozen=True):
    """`name(args)` in an expression: a built-in function, or an error that `check` reports."""

    kind: Literal["function"] = "function"
    function: str
    positional: tuple[Expression, ...] = ()
    named: tuple[NamedArgument, ...] = ()


class Not(Node, frozen=True):
    kind: Literal["not"] = "not"
    operand: Expression


class Negation(Node, frozen=True):
    """Unary minus."""

    kind: Literal["negation"] = "negation"
    operand: Expression


class And(Node, frozen=True):
    """A chain of AND, two items or more, evaluated left to right."""

    kind: Literal["and"] = "and"
    items: tuple[Expression, ...]


class Or(Node, frozen=True):
    kind: Literal["or"] = "or"
    items: tuple[Expression, ...]


class Sum(Node, frozen=True):
    kind: Literal["sum"] = "sum"
    items: tuple[Expression, ...]


class Product(Node, frozen=True):
    kind: Literal["product"] = "product"
    items: tuple[Expression, ...]


class Difference(Node, frozen=True):
    kind: Literal["difference"] = "difference"
    left: Expression
    right: Expression


class Quotient(Node, frozen=True):
    kind: Literal["quotient"] = "quotient"
    left: Expression
    right: Expression


class Comparison(Node, frozen=True):
    """`IN` is here too; the rules of diagnostics.md §1.1 that mean only the six others test `op`."""

    kind: Literal["comparison"] = "comparison"
    op: Literal["==", "!=", ">", ">=", "<", "<=", "IN"]
    left: Expression
    right: Expression


Expression = Annotated[
    Number
    | Text
    | Datetime
    | Path
    | SharedPath
    | ListLiteral
    | FunctionCall
    | Not
    | Negation
    | And
    | Or
    | Sum
    | Product
    | Difference
    | Quotient
    | Comparison,
    Field(discriminator="kind"),
]
