"""Lowering of goals, beliefs and memory (syntax.md §3.3, §3.4, §3.6)."""

from __future__ import annotations

from typing import Any

from agentl.ir import declarations as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers
from agentl.syntax.lower.pieces import Section, split_bucket


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
