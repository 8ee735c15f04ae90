"""Lowering of PARALLEL, GIVE and STOP (operations.md §2)."""

from __future__ import annotations

from typing import Any

from agentl.ir import statements as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers


@lowers("parallel")
def parallel(b: Builder, v: list[Any], first: int, last: int) -> ir.Parallel:
    """No branch at all, a branch name twice and MAX 0 are slips that would run nothing, or not what is written."""
    branches: list[ir.Branch] = v[3]
    limit = None if v[1] is None else int(b.number(v[1]).value)
    if not branches and not b.is_damaged(first):
        b.error(messages.NO_BRANCH, first)
    if limit is not None and limit < 1:
        b.error(messages.PARALLEL_LIMIT, v[1], limit=b.texts[v[1]])
    seen: dict[str, int] = {}
    for branch in branches:
        token = b.spans.anchor_token(branch)
        if branch.name in seen:
            b.error(messages.REPEATED_BRANCH, token, name=branch.name)
        seen.setdefault(branch.name, token)
    node = ir.Parallel.make(limit=limit, branches=tuple(branches))
    return b.nested(node, branches, first, first, last)


@lowers("parallel_branch")
def parallel_branch(b: Builder, v: list[Any], first: int, last: int) -> ir.Branch:
    node = ir.Branch.make(name=b.texts[v[1]], body=tuple(v[3]))
    return b.nested(node, v[3], v[1], first, last)


@lowers("give")
def give(b: Builder, v: list[Any], first: int, last: int) -> ir.Give:
    return b.nested(ir.Give.make(value=v[1]), (v[1],), first, first, last)


@lowers("give_fields")
def give_fields(b: Builder, v: list[Any], first: int, last: int) -> ir.Give:
    fields = v[2]
    names: set[str] = set()
    for field in fields:
        if field.name in names:
            b.error(messages.REPEATED_RESULT, b.spans.anchor_token(field), name=field.name)
        names.add(field.name)
    return b.nested(ir.Give.make(fields=tuple(fields)), fields, first, first, last)


@lowers("stop")
def stop(b: Builder, v: list[Any], first: int, last: int) -> ir.Stop:
    return b.placed(ir.Stop.make(), first, first, last)


@lowers("stop_reason")
def stop_reason(b: Builder, v: list[Any], first: int, last: int) -> ir.Stop:
    return b.placed(ir.Stop.make(reason=b.string(v[1])), first, first, last)
