"""Lowering of goals, beliefs, observers and memory (syntax.md §3.3 to §3.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentl.ir import declarations as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.agents import Section
from agentl.syntax.lower.builder import Builder, lowers
from agentl.syntax.lower.pieces import split_bucket


@lowers("goal")
def goal(b: Builder, v: list[Any], first: int, last: int) -> Section:
    fields: dict[str, Any] = {} if v[1] is None else {"name": b.name(v[1])}
    targets: list[Any] = []
    seen: dict[str, int] = {}
    for token, word, value in v[3]:
        if word == "TARGET":
            targets.extend(value)
            continue
        place = "WEIGHT" if word == "WEIGHT" else "condition"
        if place in seen:
            b.warning(messages.REPEATED_FIELD, token, seen[place], word=place)
        seen[place] = token
        fields["weight" if word == "WEIGHT" else "condition"] = value
        if word in ("MAINTAIN", "ACHIEVE"):
            fields["mode"] = word
    node = ir.Goal.make(targets=tuple(targets), **fields)
    return Section("goals", "GOAL", first, [b.placed(node, first, first, last)])


@lowers("goal_condition")
def goal_condition(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str, Any]:
    return first, b.texts[first], v[2]


@lowers("goal_bare_condition")
def goal_bare_condition(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str, Any]:
    return first, "", v[0]


@lowers("goal_target")
def goal_target(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str, Any]:
    return first, "TARGET", [v[2]]


@lowers("goal_targets")
def goal_targets(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str, Any]:
    return first, "TARGET", v[3]


@lowers("goal_weight")
def goal_weight(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str, Any]:
    return first, "WEIGHT", b.number(v[2])


@lowers("belief_section")
def belief_section(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("beliefs", "BELIEF", first, v[2])


@lowers("belief")
def belief(b: Builder, v: list[Any], first: int, last: int) -> ir.Belief:
    found = b.fields(v[3])
    node = ir.Belief.make(
        path=v[0],
        value=v[2],
        confidence=found.get("CONFIDENCE"),
        source=found.get("SOURCE"),
        updated=found.get("UPDATED"),
    )
    return b.nested(node, (v[2],), first, first, last)


# --- Observers ------------------------------------------------------------------------------------------------------

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
    members = _closed(b, v[0])
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
    return _closed(b, v[0])


def _closed(b: Builder, members: list[Any]) -> list[Any]:
    """Replace the open observer at the end of the members, if there is one, by its section."""
    if members and isinstance(members[-1], _OpenObserver):
        pending = members.pop()
        node = _observer(b, pending.path, pending.clauses, pending.path_token, pending.path_token, pending.last)
        members.append(Section("observers", "OBSERVE", pending.first, [node]))
    return members


@lowers("append_after_observer")
def append_after_observer(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    members = _closed(b, v[0])
    members.append(v[1])
    return members


# --- Memory ---------------------------------------------------------------------------------------------------------


@lowers("memory")
def memory(b: Builder, v: list[Any], first: int, last: int) -> Section:
    """A list replaces an earlier one of its kind; a bare path is added to LONG_TERM (syntax.md §3.6)."""
    names: dict[str, list[str]] = {"SHORT_TERM": [], "LONG_TERM": [], "KNOWLEDGE": [], "SHARED": []}
    seen: dict[str, int] = {}
    writes: list[ir.MemoryWrite] = []
    for item in v[2]:
        if isinstance(item, ir.MemoryWrite):
            writes.append(item)
        elif isinstance(item, str):
            names["LONG_TERM"] = [*names["LONG_TERM"], item]
        else:
            token, paths = item
            word = b.texts[token]
            if word in seen:
                b.warning(messages.REPEATED_FIELD, token, seen[word], word=word)
            seen[word] = token
            names[word] = paths
    lists = {word.lower(): tuple(paths) for word, paths in names.items()}
    node = ir.Memory.make(writes=tuple(writes), **lists)
    return Section("memory", "MEMORY", first, b.placed(node, first, first, last))


@lowers("memory_path")
def memory_path(b: Builder, v: list[Any], first: int, last: int) -> str:
    path: str = v[0]
    return path


@lowers("memory_write")
def memory_write(b: Builder, v: list[Any], first: int, last: int) -> ir.MemoryWrite:
    found = b.fields(v[2])
    fields: dict[str, Any] = {"when": found.get("WHEN"), "store": tuple(found.get("STORE", ()))}
    if "INTO" in found:
        fields["into"], fields["key"] = split_bucket(found["INTO"])
    return b.placed(ir.MemoryWrite.make(**fields), first, first, last)
