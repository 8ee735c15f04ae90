"""What an expression mentions: its paths and its function calls (diagnostics.md §1.1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from agentl.ir.expressions import Expression, FunctionCall, Path, SharedPath
from agentl.ir.walk import walk


def path_text(expression: Expression) -> str | None:
    """Return the dotted text of a path, `SHARED.` included, or None for any other expression."""
    if isinstance(expression, Path):
        return expression.path
    if isinstance(expression, SharedPath):
        return f"SHARED.{expression.path}"
    return None


def path_nodes(expression: Expression) -> Iterator[tuple[Path | SharedPath, str]]:
    """Yield every path of an expression with its text, in source order, repetitions included."""
    for _, node in walk(expression):
        if isinstance(node, Path):
            yield node, node.path
        elif isinstance(node, SharedPath):
            yield node, f"SHARED.{node.path}"


def paths(expression: Expression | None) -> tuple[str, ...]:
    """Return each path of an expression once; bare names used as constants are in it too."""
    if expression is None:
        return ()
    return tuple(dict.fromkeys(text for _, text in path_nodes(expression)))


def function_calls(expression: Expression) -> Iterator[FunctionCall]:
    """Yield every call inside an expression, outer ones first."""
    for _, node in walk(expression):
        if isinstance(node, FunctionCall):
            yield node


def segments(path: str) -> tuple[str, ...]:
    """Split a path into its segments; `rack.3.1` has the two segments `rack` and `3.1` (syntax.md §1.10)."""
    parts = path.split(".")
    found: list[str] = []
    at = 0
    while at < len(parts):
        is_decimal = parts[at].isdigit() and at + 1 < len(parts) and parts[at + 1].isdigit()
        width = 2 if is_decimal else 1
        found.append(".".join(parts[at : at + width]))
        at += width
    return tuple(found)


def with_parents(path: str) -> Iterator[str]:
    """Yield the path and everything above it: `a.b.c`, `a.b`, `a`."""
    parts = segments(path)
    for length in range(len(parts), 0, -1):
        yield ".".join(parts[:length])


def has_prefix(ordered: Sequence[str], prefix: str) -> bool:
    """True when some text of a sorted sequence begins with `prefix`."""
    at = bisect_left(ordered, prefix)
    return at < len(ordered) and ordered[at].startswith(prefix)
