"""Lowering of tools and policy (syntax.md §3.7, §3.8)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from agentl.ir import declarations as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, Field, lowers
from agentl.syntax.lower.pieces import Section
from agentl.syntax.lower.statements import parts, refuse_words


@lowers("tool_section")
def tool_section(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("tools", "TOOL", first, v[2])


@lowers("short_tool_bare")
def short_tool_bare(b: Builder, v: list[Any], first: int, last: int) -> ir.Tool:
    return _named_tool(b, v[0], {}, first, last)


@lowers("short_tool")
def short_tool(b: Builder, v: list[Any], first: int, last: int) -> ir.Tool:
    inputs = tuple(b.placed(ir.Parameter.make(**fields), token, token, end) for token, end, fields in v[2])
    return _named_tool(b, v[0], {"inputs": inputs}, first, last)


def _named_tool(b: Builder, name: int, fields: dict[str, Any], first: int, last: int) -> ir.Tool:
    text = b.name(name)
    if b.is_word(name):
        b.warning(messages.UNREACHABLE_TOOL, name, name=text)
    return b.placed(ir.Tool.make(name=text, **fields), name, first, last)


@lowers("tool")
def tool(b: Builder, v: list[Any], first: int, last: int) -> Section:
    outcomes = [item for item in v[3] if isinstance(item, ir.Outcome)]
    found = b.fields(item for item in v[3] if not isinstance(item, ir.Outcome))
    fields: dict[str, Any] = {
        "description": found.get("DESCRIPTION", ""),
        "inputs": tuple(found.get("INPUT", ())),
        "outputs": tuple(
            b.placed(ir.OutputField.make(**fields), token, token, end) for token, end, fields in found.get("OUTPUT", ())
        ),
        "side_effects": tuple(found.get("SIDE_EFFECT", ())),
        "risk": found.get("RISK", "LOW"),
        "requires": found.get("REQUIRES"),
        "effects": tuple(found.get("EFFECT", ())),
        "outcomes": tuple(outcomes),
        "cost": found.get("COST"),
        "duration": found.get("DURATION"),
    }
    return Section("tools", "TOOL", first, [_named_tool(b, v[1], fields, first, last)])


# A parameter as read: its first token, its last token, its fields.
_Parameter = tuple[int, int, dict[str, Any]]


@lowers("parameter")
def parameter(b: Builder, v: list[Any], first: int, last: int) -> _Parameter:
    return first, last, {"name": b.name(v[0]), "type": v[1] or "Any"}


@lowers("input")
def input_field(b: Builder, v: list[Any], first: int, last: int) -> ir.Parameter:
    name, type_name, bind, attests = v
    refuse_words(b, name, ("BIND", "ATTESTS"))
    node = ir.Parameter.make(name=b.name(name), type=type_name or "Any", bind=bind, attests=attests)
    return b.placed(node, first, first, last)


@lowers("tool_risk")
def tool_risk(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], b.name(v[2]).upper()


@lowers("tool_risks")
def tool_risks(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """The category says nothing and the last entry wins (syntax.md §3.7)."""
    entries: list[tuple[int, str]] = v[3]
    for (before, _), (token, _) in pairwise(entries):
        b.warning(messages.REPEATED_FIELD, token, before, word="RISK")
    return v[0], entries[-1][1] if entries else "LOW"


@lowers("risk")
def risk(b: Builder, v: list[Any], first: int, last: int) -> tuple[int, str]:
    return first, b.name(v[2]).upper()


@lowers("effect")
def effect(b: Builder, v: list[Any], first: int, last: int) -> ir.Effect:
    node = ir.Effect.make(path=v[0], value=v[2], internal=v[3] is not None)
    return b.nested(node, (v[2],), first, first, last)


@lowers("outcome")
def outcome(b: Builder, v: list[Any], first: int, last: int) -> ir.Outcome:
    node = ir.Outcome.make(name=b.name(v[1]), probability=v[2], effects=tuple(v[4]))
    return b.placed(node, v[1], first, last)


# --- Policy ---------------------------------------------------------------------------------------------------------


@lowers("policy")
def policy(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("policy", "POLICY", first, v[2])


@lowers("policy_default")
def policy_default(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """Any other word than ALLOW or DENY would fail open, and is refused."""
    word = b.name(v[2])
    if word not in ("ALLOW", "DENY"):
        b.error(messages.POLICY_DEFAULT, v[2], word=word)
    return v[0], word


@lowers("target_any")
def target_any(b: Builder, v: list[Any], first: int, last: int) -> str:
    return "*"


@lowers("rule")
def rule(b: Builder, v: list[Any], first: int, last: int) -> ir.Rule:
    return _rule(b, b.texts[first], v[1], v[2], first, last)


@lowers("approval_rule")
def approval_rule(b: Builder, v: list[Any], first: int, last: int) -> ir.Rule:
    return _rule(b, "REQUIRE_APPROVAL", v[2], v[3], first, last)


@lowers("approval_rule_long")
def approval_rule_long(b: Builder, v: list[Any], first: int, last: int) -> ir.Rule:
    return _rule(b, "REQUIRE_APPROVAL", v[3], v[4], first, last)


def _rule(b: Builder, effect: str, target: str, guard: Any, first: int, last: int) -> ir.Rule:
    node = ir.Rule.make(effect=effect, target=target, guard=guard)
    return b.nested(node, parts((), guard), first, first, last)


@lowers("append_bans")
def append_bans(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    """`NEVER SEND a, b`: one ban a path."""
    rules: list[Any] = v[0]
    never: int = v[1]
    end = last if v[5] is None else last - 1
    rules.extend(b.placed(ir.SendBan.make(path=path), never, never, end) for path in v[4])
    return rules
