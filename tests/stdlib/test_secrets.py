"""What std.secrets keeps from a model, and what it does not reach."""

from __future__ import annotations

import json

import pytest

from agentl.ir.program import Agent
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Reason
from agentl.syntax.parser import parse_source

SECRET = "hunter2"


def context(using: str, path: str, module: str = "USE std.secrets") -> str:
    """What a REASON would send, as text, when `path` is a belief that holds the secret."""
    agent = parse_source(
        f'IMPORT std.secrets AGENT a {{ {module} BELIEF {{ {path} = "{SECRET}" }}'
        f' LOOP {{ REASON {{ TASK "t" {using} PRODUCE {{ x: String }} }} }} }}'
    ).agents[0]
    return asked(agent)


def asked(agent: Agent) -> str:
    """What the first question of an agent sends, as text."""
    machine = Machine(agent, MachineOptions())
    machine.begin_tick()
    request = machine.step(None)
    assert isinstance(request, Reason), request
    return json.dumps(request.context, default=str)


@pytest.mark.parametrize(
    "path",
    ["password", "secrets.bank.key", "card.number", "api_key", "token.value", "user.password", "session.token", "pin"],
)
def test_no_model_sees_it(path: str) -> None:
    assert SECRET not in context(f"USING {{ {path} }}", path)
    assert SECRET not in context("", path)


def test_without_the_module_it_is_sent() -> None:
    """Else the tests above would prove nothing."""
    assert SECRET in context("USING { password }", "password", module="")


def test_a_parent_is_sent_without_the_banned_part() -> None:
    assert SECRET not in context("USING { card }", "card.number")


def test_a_name_of_yours_is_not_covered() -> None:
    """The page of the module says so: a path is covered by how it begins."""
    assert SECRET in context("USING { customer.wallet.number }", "customer.wallet.number")


def test_every_ban_withholds_its_path() -> None:
    agent = parse_source("IMPORT std.secrets AGENT a { USE std.secrets }").agents[0]
    paths = [ban.path for ban in agent.send_bans]
    assert len(paths) == len(set(paths)) > 40
    beliefs = " ".join(f'{path} = "{SECRET}"' for path in paths)
    made = parse_source(
        f"IMPORT std.secrets AGENT a {{ USE std.secrets BELIEF {{ {beliefs} }}"
        ' LOOP { REASON { TASK "t" PRODUCE { x: String } } } }'
    ).agents[0]
    assert SECRET not in asked(made)
