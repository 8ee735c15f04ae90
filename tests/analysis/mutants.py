"""Mutants of a rule: its source with one decision changed, each a rule that is too wide, too narrow, or both."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
QUANTIFIERS = {"any": "all", "all": "any"}

# A change of one node: what is put in its place, and how the mutant is called.
Change = tuple[Callable[[ast.AST], ast.AST], str]


@dataclass(frozen=True)
class Mutant:
    """`name` tells line and change; `rule` is the RULE of the changed module."""

    name: str
    rule: Any


def mutants_of(path: Path, module: str) -> Iterator[Mutant]:
    """Yield every mutant of the rule in a file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for index, node in enumerate(ast.walk(tree)):
        for change, said in _changes(node):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[index]
            mutated = _Replace(target, change(target)).visit(changed)
            line = getattr(node, "lineno", 0)
            yield Mutant(f"{line}: {said}", _load(ast.fix_missing_locations(mutated), path, module))


def _changes(node: ast.AST) -> Iterator[Change]:
    """Every change that may be made to a node itself."""
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield _with_test(value), f"`{ast.unparse(node.test)}` is {value}"
    elif isinstance(node, ast.comprehension):
        for number, condition in enumerate(node.ifs):
            yield _without_condition(number), f"`{ast.unparse(condition)}` is not asked"
    elif isinstance(node, ast.BoolOp):
        for number, operand in enumerate(node.values):
            yield _without_operand(number), f"without `{ast.unparse(operand)}`"
    elif isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            if type(operator) in OPPOSITES:
                yield _with_operator(number), f"another comparison in `{ast.unparse(node)}`"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield (lambda target: target.operand), f"`{ast.unparse(node)}` turned round"  # type: ignore[attr-defined]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in QUANTIFIERS:
        yield _other_quantifier, f"`{node.func.id}` is {QUANTIFIERS[node.func.id]}"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for step in (1, -1):
            yield _stepped(step), f"{node.value} is {node.value + step}"


def _with_test(value: bool) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        node.test = ast.Constant(value)
        return node

    return change


def _without_condition(number: int) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        del node.ifs[number]
        return node

    return change


def _without_operand(number: int) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        values = [value for index, value in enumerate(node.values) if index != number]
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    return change


def _with_operator(number: int) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        node.ops[number] = OPPOSITES[type(node.ops[number])]()
        return node

    return change


def _other_quantifier(node: Any) -> ast.AST:
    node.func.id = QUANTIFIERS[node.func.id]
    return node


def _stepped(step: int) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        return ast.Constant(node.value + step)

    return change


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, replacement: ast.AST) -> None:
        self._target = target
        self._replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        return self._replacement if node is self._target else self.generic_visit(node)


def _load(tree: ast.AST, path: Path, name: str) -> Any:
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    exec(compile(tree, str(path), "exec"), module.__dict__)  # type: ignore[arg-type]
    return module.RULE
