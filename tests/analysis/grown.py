"""Grown programs: a program repeated within its agent, each time with names of its own."""

from __future__ import annotations

import re

_TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\.?[A-Za-z_]\w*')
_NAME = re.compile(r"[a-z_]\w*")
_AGENT = re.compile(r"AGENT\s+(\w+)\s*\{")
# Names with a meaning of their own stay as they are.
_FIXED = frozenset(
    {
        *("yes", "no", "true", "false", "none", "abs", "len", "min", "max", "round"),
        *("tools", "in_doubt", "available", "failures", "action", "last_action", "result", "goal", "goals", "planner"),
        *("judge", "reason", "answer", "memory", "payload", "event", "message", "hypothesis", "sensors"),
        *("operator", "scenario", "llm"),
    }
)


def grown(program: str, times: int) -> str:
    """Repeat what stands in the agent of a program, or all of a program of several agents, and drop its comments."""
    names = {token for token in _TOKEN.findall(program) if _NAME.fullmatch(token)} - _FIXED
    agents = _AGENT.findall(program)
    if len(agents) > 1:
        return "\n".join(_renamed(program, names | set(agents), number) for number in range(times))
    head = _AGENT.search(program)
    assert head is not None
    body = program[head.end() : program.rindex("}")]
    names.discard(agents[0])
    return "\n".join((program[: head.end()], *(_renamed(body, names, number) for number in range(times)), "}\n"))


def _renamed(text: str, names: set[str], number: int) -> str:
    def rename(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith("#"):
            return ""
        return f"{token}_{number}" if token.lstrip(".") in names else token

    return _TOKEN.sub(rename, text)
