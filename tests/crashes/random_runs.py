"""Random programs in random worlds, for what must hold wherever a process dies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from agentl.hosting.host import Host
from agentl.hosting.outcomes import NOT_EXECUTED, NotApplied, OutcomeUnknown
from agentl.hosting.promise import Promise
from agentl.ir.program import Agent
from agentl.kernel import current_action
from agentl.syntax.parser import parse_source
from agentl.testing.outside import Effect, Ledger
from agentl.values import Symbol, canonical_arguments

TOOLS = ("t0", "t1", "t2")
PROMISES: tuple[Promise, ...] = ("idempotent", "reconcile", "both", "none")

# What a call may meet. Only a lost one is unknown; the others end the same way however often they are tried.
MOODS = ("fine", "refused", "failed", "failed late", "lost", "lost late")
FINE, REFUSED, FAILED, FAILED_LATE, LOST_EARLY, LOST_LATE = MOODS

HEAD = """\
AGENT RANDOM {{
    BELIEF {{ n = 0  word = none }}
    OBSERVE {{ world.count ON UNKNOWN ESCALATE  world.items ON UNKNOWN ESCALATE }}
    TOOL t0 {{ INPUT {{ x: Number }} OUTPUT {{ out: Number }} SIDE_EFFECT {{ world.count }} RISK LOW }}
    TOOL t1 {{ INPUT {{ x: Number }} OUTPUT {{ out: Number }} RISK LOW EFFECT {{ word = told }} }}
    TOOL t2 {{ INPUT {{ x: Number }} OUTPUT {{ out: Number }} SIDE_EFFECT {{ world.count }} RISK HIGH }}
    POLICY {{ DEFAULT ALLOW {rules} }}
    PLAN p0 WHEN {when} {{ {first} }}
    PLAN p1 {{ STEP one {{ {second} }} }}
    LOOP UNTIL {until} MAX {ticks} {{ RECEIVE OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE VERIFY }}
}}
"""

values = st.sampled_from(("1", "2", "n", "n + 1", "t0.out", "t1.out", "world.count"))
conditions = st.sampled_from(
    (
        "n < 2",
        "n > 0",
        "world.count < 3",
        "t0.out == 1",
        "t1.out > 1",
        "word == told",
        "last_action.blocked == true",
        "tools.t0.in_doubt == true",
        "1 == 1",
    )
)
calls = st.builds("{}(x = {})".format, st.sampled_from(TOOLS), values)
simple = st.one_of(calls, calls, calls, st.sampled_from(("SET n = n + 1", "SET word = open", "p1")))


def _nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=2).map(" ".join)
    return st.one_of(
        st.builds("IF {} THEN {{ {} }} ELSE {{ {} }}".format, conditions, body, body),
        st.builds("VERIFY {{ CONDITION {} ON FAIL {{ RETRY 2 {} }} }}".format, conditions, body),
        st.builds("FOREACH item IN world.items MAX 3 {{ {}(x = item) {} }}".format, st.sampled_from(TOOLS), body),
        st.builds("LOOP UNTIL {} MAX 3 {{ {} }}".format, conditions, body),
    )


statements = st.recursive(simple, _nest, max_leaves=5)
bodies = st.builds("{} {} {}".format, calls, statements, st.lists(statements, max_size=2).map(" ".join))
ends = st.lists(calls | st.just("SET n = n + 1"), min_size=1, max_size=2).map(" ".join)
RULES = (
    "NEVER t0 WHEN tools.t0.in_doubt == true",
    "DENY t2 WHEN action.in_doubt == true",
    "REQUIRE APPROVAL FOR t2 WHEN x > 1",
    "NEVER t1 WHEN x > 4",
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    return HEAD.format(
        rules=" ".join(draw(st.lists(st.sampled_from(RULES), max_size=2, unique=True))),
        when=draw(st.sampled_from(("TRUE", "n < 3", "world.count < 5"))),
        first=draw(bodies),
        second=draw(ends),
        until=draw(st.sampled_from(("n > 4", "world.count > 6"))),
        ticks=draw(st.integers(1, 3)),
    )


@cache
def agent_of(text: str) -> Agent:
    return parse_source(text).agents[0]


@dataclass
class RandomWorld:
    """The outside of a random run. What a call meets follows from the seed and its key, so that twins meet the same.

    `moods` are those in use; `promises` those of the tools.
    """

    seed: int
    promises: dict[str, Promise]
    moods: tuple[str, ...] = MOODS
    ledger: Ledger = field(default_factory=Ledger)
    people: list[str] = field(default_factory=list)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)

    def host(self, heard: Callable[[Effect | None], None]) -> Host:
        host = Host()
        host.sensors["world.count"] = lambda: len(self.ledger.effects)
        host.sensors["world.items"] = lambda: [1, 2, 3]

        def approve(request: Any) -> Any:
            heard(None)
            self.people.append(request.render())
            return Symbol("yes") if self._number("approve", request.render()) % 3 else Symbol("no")

        host.approver = approve
        for tool, promise in self.promises.items():
            host.tool(tool, idempotent=promise in ("idempotent", "both"))(self._body(tool, heard))
            if promise in ("reconcile", "both"):
                host.reconciler(tool, after_s=0)(self._look_up(tool))
        return host

    def _body(self, tool: str, heard: Callable[[Effect | None], None]) -> Callable[..., Any]:
        def body(x: Any) -> Any:
            action = current_action()
            assert action is not None
            key = action.idempotency_key
            call = Effect(tool, canonical_arguments({"x": x}), key, action.action_id, action.attempt)
            heard(call)
            self.calls[tool, key] += 1
            mood, first = self._mood(tool, key), self.calls[tool, key] == 1
            repeated = self.promises[tool] in ("idempotent", "both") and self.ledger.found(tool, key) is not None
            if not repeated:
                _meet_before(mood, first)
                self.ledger.add(call)
            if mood == FAILED_LATE:
                raise ValueError("too late")
            if mood == LOST_LATE and first:
                raise OutcomeUnknown("no answer")
            return self._result(tool, key)

        return body

    def _look_up(self, tool: str) -> Callable[[Any, Any], Any]:
        def look_up(args: Any, context: Any) -> Any:
            found = self.ledger.found(tool, context.idempotency_key)
            return NOT_EXECUTED if found is None else self._result(tool, context.idempotency_key)

        return look_up

    def _mood(self, tool: str, key: str) -> str:
        mood = self.moods[self._number("mood", tool, key) % len(self.moods)]
        # A look-up tells that a call took place, not that it then failed: there the twins would differ.
        is_looked_up = self.promises[tool] in ("reconcile", "both")
        return FINE if mood == FAILED_LATE and is_looked_up else mood

    def _result(self, tool: str, key: str) -> dict[str, int]:
        return {"out": self._number("result", tool, key) % 4}

    def _number(self, *what: object) -> int:
        text = " ".join(str(part) for part in (self.seed, *what))
        return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


def _meet_before(mood: str, first: bool) -> None:
    if mood == REFUSED:
        raise NotApplied("not today")
    if mood == FAILED:
        raise ValueError("no")
    if mood == LOST_EARLY and first:
        raise OutcomeUnknown("no answer")


worlds = st.fixed_dictionaries(
    {"seed": st.integers(0, 10_000), "promises": st.fixed_dictionaries({t: st.sampled_from(PROMISES) for t in TOOLS})}
)
