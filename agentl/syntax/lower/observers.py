"""Lowering of observers, with and without braces (syntax.md §3.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentl.ir import declarations as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers
from agentl.syntax.lower.pieces import Section

# A clause: the token of its first word, the word, its fields of the IR's Observer.
Clause = tuple[int, str, dict[str, Any]]


@dataclass(slots=True)
class _OpenObserver:
    """An observer without braces whose clauses may still come."""

    path: str
    first: int
    path_token: int
    last: int
    clauses: list[Clause] = field(default_factory=list)


@lowers("observe_section")
def observe_section(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("observers", "OBSERVE", first, v[2])


@lowers("observer")
def observer(b: Builder, v: list[Any], first: int, last: int) -> ir.Observer:
    return _observer(b, v[0], v[1], first, first, last)


def _observer(b: Builder, path: str, clauses: list[Clause], anchor: int, first: int, last: int) -> ir.Observer:
    fields: dict[str, Any] = {}
    seen: dict[str, int] = {}
    for token, word, values in clauses:
        if word in seen:
            b.warning(messages.REPEATED_FIELD, token, seen[word], word=word)
        seen[word] = token
        fields.update(values)
    return b.placed(ir.Observer.make(path=path, **fields), anchor, first, last)


@lowers("clause_when")
def clause_when(b: Builder, v: list[Any], first: int, last: int) -> Clause:
    return first, "WHEN", {"when": v[2]}


@lowers("clause_escalate")
def clause_escalate(b: Builder, v: list[Any], first: int, last: int) -> Clause:
    return first, "ON UNKNOWN", {"on_unknown": "ESCALATE", "fallback": None}


@lowers("clause_degrade")
def clause_degrade(b: Builder, v: list[Any], first: int, last: int) -> Clause:
    return first, "ON UNKNOWN", {"on_unknown": "DEGRADE", "fallback": v[6]}


@lowers("clause_every")
def clause_every(b: Builder, v: list[Any], first: int, last: int) -> Clause:
    """Read only to be refused: EVERY left the language at level 1.8."""
    b.error(messages.EVERY_REMOVED, first, last)
    return first, "EVERY", {}


@lowers("open_observer", "open_next_observer")
def open_observer(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    members = closed_members(b, v[0])
    keyword: int = v[1]
    members.append(_OpenObserver(v[2], keyword, keyword + 1, last))
    return members


@lowers("extend_observer")
def extend_observer(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    members: list[Any] = v[0]
    members[-1].clauses.append(v[1])
    members[-1].last = last
    return members


@lowers("close_observer")
def close_observer(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    return closed_members(b, v[0])


def closed_members(b: Builder, members: list[Any]) -> list[Any]:
    """Replace the open observer at the end of the members, if there is one, by its section."""
    if members and isinstance(members[-1], _OpenObserver):
        pending = members.pop()
        node = _observer(b, pending.path, pending.clauses, pending.path_token, pending.path_token, pending.last)
        members.append(Section("observers", "OBSERVE", pending.first, [node]))
    return members


@lowers("append_after_observer")
def append_after_observer(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    members = closed_members(b, v[0])
    members.append(v[1])
    return members
