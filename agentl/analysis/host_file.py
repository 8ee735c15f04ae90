"""HostFile: what the Python file beside a program promises about its tools. It is read, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path


def host_path(program: str) -> Path:
    """Return where the host of a program is by the pairing rule, `X.py` for `X.agent` (host-api.md §1)."""
    return Path(program).with_suffix(".py")


class HostFile:
    """The host of a program; read on first use."""

    def __init__(self, program: str) -> None:
        self._program = program

    @cached_property
    def unpromised(self) -> frozenset[str] | None:
        """The tools that the host registers by name, and promises neither a key nor a look-up for.

        None when there is no such file, or it registers something in a way that only running it could tell.
        """
        try:
            return unpromised_in(host_path(self._program).read_bytes())
        except (OSError, ValueError):  # ValueError: a name that no file can have, of standard input
            return None


def unpromised_in(source: bytes | str) -> frozenset[str] | None:
    """Return what `HostFile.unpromised` is for a host with this source; None too when it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    seen = _Registrations()
    seen.visit(tree)
    return None if seen.is_dynamic else frozenset(seen.tools - seen.promised)


class _Registrations(ast.NodeVisitor):
    """Collects `host.tool("name", …)`, `host.tools["name"] = …` and their like."""

    def __init__(self) -> None:
        self.tools: set[str] = set()
        self.promised: set[str] = set()
        self.is_dynamic = False

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return
        if node.func.attr in ("tool", "reconciler"):
            self._register(node.func.attr, node.args[0] if node.args else None, node.keywords)
        holder = node.func.value
        if isinstance(holder, ast.Attribute) and holder.attr in ("tools", "reconcilers", "idempotent_tools"):
            names = list(_texts(node.args))
            self.is_dynamic |= holder.attr != "idempotent_tools" or len(names) != len(node.args)
            self.promised.update(names)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
                if target.value.attr in ("tools", "reconcilers"):
                    self._register(target.value.attr.removesuffix("s"), target.slice, [])
            elif isinstance(target, ast.Attribute) and target.attr in ("tools", "reconcilers", "idempotent_tools"):
                self.is_dynamic = True

    def _register(self, kind: str, name: ast.expr | None, keywords: list[ast.keyword]) -> None:
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            self.is_dynamic = True
            return
        given = {keyword.arg: keyword.value for keyword in keywords}
        idempotent = given.get("idempotent")
        # What is computed may be a promise, and so may what `**options` holds.
        may_promise = None in given or (idempotent is not None and not _is_false(idempotent))
        if kind == "tool":
            self.tools.add(name.value)
        if kind == "reconciler" or may_promise:
            self.promised.add(name.value)


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
