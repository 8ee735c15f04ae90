"""Branches that run at the same time, in any order, killed anywhere: no effect twice, and one story (decision 18)."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agentl.durable.driver import Driver
from agentl.journal.inspection import inspect
from tests.crashes.random_runs import FAILED, FINE, MOODS, PROMISES
from tests.crashes.test_random_crashes import Crash, check_random, crashes
from tests.durable.orders import shuffled

PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
TOOLS = ("t0", "t1", "t2", "ping")
HEAD = """\
AGENT RANDOM {{
    BELIEF {{ n = 0  m = 0 }}
    TOOL t0 {{ INPUT {{ x: Number }} OUTPUT {{ out: Number }} SIDE_EFFECT {{ far.a }} RISK LOW }}
    TOOL t1 {{ INPUT {{ x: Number }} SIDE_EFFECT {{ far.b }} RISK LOW EFFECT {{ word = told }} }}
    TOOL t2 {{ INPUT {{ x: Number }} SIDE_EFFECT {{ far.c }} RISK HIGH }}
    TOOL ping {{ INPUT {{ x: Number }} RISK LOW }}
    POLICY {{ DEFAULT ALLOW {rules} }}
    PLAN p WHEN TRUE {{ {before} PARALLEL {limit} {{ {branches} }} {after} }}
    LOOP MAX {ticks} {{ SELECT_PLAN EXECUTE }}
}}
"""
RULES = (
    "NEVER t1 WHEN tools.ping.in_doubt == true",
    "DENY t2 WHEN action.in_doubt == true",
    "REQUIRE APPROVAL FOR t2 WHEN x > 1",
    "REQUIRE APPROVAL FOR t0",
    "NEVER ping WHEN x > 2",
)
numbers = st.sampled_from(("1", "2", "3", "n", "m"))


def bodies(tool: str, more: str, at_most: int = 3) -> st.SearchStrategy[str]:
    """Statements of a branch that has a tool of its own and shares `ping` with the others."""
    call = st.builds("{}(x = {})".format, st.sampled_from((tool, tool, "ping")), numbers)
    inner = st.builds("PARALLEL {{ BRANCH x {{ {} }} BRANCH y {{ {} }} }}".format, call, call)
    chosen = st.builds("IF {} THEN {{ {} }} ELSE {{ {} }}".format, conditions, call, call)
    again = st.builds("LOOP UNTIL {} MAX 2 {{ {} }}".format, conditions, call)
    one = st.one_of(call, call, call, st.just(more), chosen, again, inner)
    return st.lists(one, min_size=1, max_size=at_most).map(" ".join)


conditions = st.sampled_from(("n > 0", "t0.out > 1", "last_action.blocked == true", "tools.ping.in_doubt == true"))


@st.composite
def programs(draw: st.DrawFn) -> str:
    branches = [
        draw(bodies(tool, more))
        for tool, more in (("t0", "SET n = n + 1"), ("t1", "SET m = m + 1"), ("t2", "t2(x = 9)"))
    ]
    return HEAD.format(
        rules=" ".join(draw(st.lists(st.sampled_from(RULES), max_size=2, unique=True))),
        before=draw(st.sampled_from(("", "ping(x = 1)", "ping(x = 2) t0(x = 1)"))),
        limit=draw(st.sampled_from(("", "", "MAX 2", "MAX 1"))),
        branches=" ".join(f"BRANCH b{place} {{ {body} }}" for place, body in enumerate(branches)),
        after=draw(st.sampled_from(("", "ping(x = 1)", "ping(x = 2) t0(x = 1)"))),
        ticks=draw(st.integers(1, 2)),
    )


worlds = st.fixed_dictionaries(
    {"seed": st.integers(0, 10_000), "promises": st.fixed_dictionaries({t: st.sampled_from(PROMISES) for t in TOOLS})}
)


def check_order(
    text: str, world: dict[str, Any], crashes: list[Crash], seed: int, moods: tuple[str, ...] = MOODS
) -> Any:
    random = Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Driver, "_branches", shuffled(random.randrange(10_000) for _ in count()))
        return check_random(text, world, crashes, moods)


@settings(max_examples=300, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes, seed=st.integers(0, 10_000))
def test_branches_in_any_order_killed_anywhere_do_nothing_twice_and_end_as_their_twin(
    text: str, world: dict[str, Any], crashes: list[Crash], seed: int
) -> None:
    check_order(text, world, crashes, seed)


@settings(max_examples=100, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes, seed=st.integers(0, 10_000))
def test_branches_that_lose_no_answer_are_in_doubt_only_where_nothing_was_promised(
    text: str, world: dict[str, Any], crashes: list[Crash], seed: int
) -> None:
    made = check_order(text, world, crashes, seed, (FINE, FINE, FAILED))
    assert {action.promise for action in inspect(made.store).doubts} <= {"none"}


@pytest.mark.soak
@settings(max_examples=5000, derandomize=False, print_blob=True, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes, seed=st.integers(0, 10_000))
def test_many_branches_in_any_order_killed_anywhere(
    text: str, world: dict[str, Any], crashes: list[Crash], seed: int
) -> None:
    check_order(text, world, crashes, seed)
