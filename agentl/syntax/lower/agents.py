"""Lowering of the frame: agents and how their sections add up or replace one another (syntax.md §3.1)."""

from __future__ import annotations

from typing import Any, NamedTuple

from agentl.ir import declarations as ir
from agentl.ir.program import Agent, Import, Module, Program, Use
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers
from agentl.syntax.lower.observers import closed_members
from agentl.syntax.lower.pieces import Section
from agentl.syntax.lower.statements import parts

# Sections whose second occurrence replaces the first; all others add up.
_SINGLE = ("version", "description", "memory", "decide", "planner", "utility", "loop", "on_verify_fail")
# What a module can bring in, and what says something about it.
_IN_MODULE = ("version", "description", "tools", "policy", "plans", "hypotheses", "uses")


@lowers("program")
def program(b: Builder, v: list[Any], first: int, last: int) -> Program:
    blocks = v[1]
    node = Program.make(
        agents=tuple(each for each in blocks if isinstance(each, Agent)),
        imports=tuple(v[0]),
        modules=tuple(each for each in blocks if isinstance(each, Module)),
    )
    return b.placed(node, first, first, last)


@lowers("agent")
def agent(b: Builder, v: list[Any], first: int, last: int) -> Agent:
    fields = _members(b, closed_members(b, v[3]))
    return b.placed(Agent.make(name=b.name(v[1]), **fields), first, first, last)


@lowers("module")
def module(b: Builder, v: list[Any], first: int, last: int) -> Module:
    sections = closed_members(b, v[3])
    for section in sections:
        if section.field not in _IN_MODULE:
            b.error(messages.NOT_IN_MODULE, section.token, word=section.word)
    fields = _members(b, [section for section in sections if section.field in _IN_MODULE])
    return b.placed(Module.make(name=v[1], **fields), first, first, last)


def _members(b: Builder, sections: list[Section]) -> dict[str, Any]:
    """Return the fields of the IR's Agent or Module that the sections make."""
    fields: dict[str, Any] = {}
    several: dict[str, list[Any]] = {}
    seen: dict[str, int] = {}
    for section in sections:
        name = section.field
        if name in _SINGLE:
            if name in seen:
                b.warning(messages.REPEATED_SECTION, section.token, seen[name], word=section.word)
            seen[name] = section.token
            fields[name] = section.value
        elif name == "policy":
            _add_policy(b, fields, several, seen, section.value)
        else:
            several.setdefault(name, []).extend(section.value)
    fields.update({name: tuple(items) for name, items in several.items()})
    return fields


def _add_policy(
    b: Builder, fields: dict[str, Any], several: dict[str, list[Any]], seen: dict[str, int], items: list[Any]
) -> None:
    for item in items:
        if isinstance(item, ir.Rule):
            several.setdefault("rules", []).append(item)
        elif isinstance(item, ir.SendBan):
            several.setdefault("send_bans", []).append(item)
        else:
            token, word = item
            if "policy_default" in seen:
                b.warning(messages.REPEATED_FIELD, token, seen["policy_default"], word="DEFAULT")
            seen["policy_default"] = token
            fields["policy_default"] = word


# --- Modules --------------------------------------------------------------------------------------------------------


@lowers("import_shipped")
def import_shipped(b: Builder, v: list[Any], first: int, last: int) -> Import:
    return b.placed(Import.make(form="shipped", name=v[1]), first + 1, first, last)


@lowers("import_file")
def import_file(b: Builder, v: list[Any], first: int, last: int) -> Import:
    return b.placed(Import.make(form="file", name=b.string(v[1])), first + 1, first, last)


@lowers("use")
def use(b: Builder, v: list[Any], first: int, last: int) -> Section:
    node = b.placed(Use.make(module=v[1]), first + 1, first, last)
    return Section("uses", "USE", first, [node])


# --- Sections that hold one thing -----------------------------------------------------------------------------------


@lowers("version")
def version(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("version", "VERSION", first, b.name(v[2]))


@lowers("agent_description")
def agent_description(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("description", "DESCRIPTION", first, b.string(v[2]))


@lowers("plan_of_steps")
def plan_of_steps(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return _plan(b, v, tuple(v[4]), first, last)


@lowers("plan_of_statements")
def plan_of_statements(b: Builder, v: list[Any], first: int, last: int) -> Section:
    """Statements without STEP are one step called `main`."""
    step = ir.Step.make(body=tuple(v[4]))
    step = b.nested(step, v[4], first, first, last)
    return _plan(b, v, (step,), first, last)


def _plan(b: Builder, v: list[Any], steps: tuple[ir.Step, ...], first: int, last: int) -> Section:
    node = ir.Plan.make(name=b.name(v[1]), when=v[2], steps=steps)
    return Section("plans", "PLAN", first, [b.nested(node, parts(steps, v[2]), first, first, last)])


@lowers("step_braced")
def step_braced(b: Builder, v: list[Any], first: int, last: int) -> ir.Step:
    end = last if v[6] is None else last - 1
    return b.nested(ir.Step.make(name=b.name(v[1]), body=tuple(v[4])), v[4], first, first, end)


@lowers("step_open")
def step_open(b: Builder, v: list[Any], first: int, last: int) -> ir.Step:
    return b.nested(ir.Step.make(name=b.name(v[1]), body=tuple(v[3])), v[3], first, first, last)


@lowers("event")
def event(b: Builder, v: list[Any], first: int, last: int) -> Section:
    when, body = _handler(b, v[3])
    node = ir.EventHandler.make(source=v[1], when=when, body=tuple(body))
    return Section("events", "EVENT", first, [b.nested(node, parts(body, when), first, first, last)])


@lowers("on_message")
def on_message(b: Builder, v: list[Any], first: int, last: int) -> Section:
    when, body = _handler(b, v[4])
    node = ir.MessageHandler.make(message=b.name(v[2]), when=when, body=tuple(body))
    return Section("messages", "ON MESSAGE", first, [b.nested(node, parts(body, when), v[2], first, last)])


class _When(NamedTuple):
    """A WHEN among the statements of a handler."""

    token: int
    condition: Any


@lowers("handler_when")
def handler_when(b: Builder, v: list[Any], first: int, last: int) -> _When:
    return _When(v[0], v[2])


def _handler(b: Builder, items: list[Any]) -> tuple[Any, list[Any]]:
    found = b.fields((item.token, item.condition) for item in items if isinstance(item, _When))
    return found.get("WHEN"), [item for item in items if not isinstance(item, _When)]


@lowers("on_verify_fail")
def on_verify_fail(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("on_verify_fail", "ON VERIFY.FAIL", first, tuple(v[5]))


@lowers("agent_loop")
def agent_loop(b: Builder, v: list[Any], first: int, last: int) -> Section:
    until, limit, body = v[0]
    node = ir.LoopSpec.make(until=until, limit=limit, body=tuple(body))
    return Section("loop", "LOOP", first, b.nested(node, parts(body, until), first, first, last))
