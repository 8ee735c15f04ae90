"""Which values the rest of a plan can still read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.analysis.sequential import live_after, sequence_of
from agentl.diagnostics import Source
from agentl.ir.program import Agent
from agentl.syntax.parser import parse

TEXT = """AGENT shop {
  TOOL look { OUTPUT { stock: Number  price: Number } EFFECT { shelf.seen = yes } SIDE_EFFECT { shelf } }
  TOOL pay { INPUT { sum: Number } REQUIRES shelf.seen == yes OUTPUT { id: String } }
  TOOL send { INPUT { id: String } OUTPUT { at: String } EFFECT { mail.last = order.note } }
  POLICY { NEVER pay WHEN look.stock == 0  DENY * WHEN UNTRUSTED(order.owner)  NEVER send WHEN action.in_doubt == true }
  PLAN p {
    STEP one { SET order.owner = "desk" SET order.note = "gift" look() }
    STEP two { pay(sum = price) SET order.note = "none" }
    STEP three { send(id = pay.id) GIVE { at = result.send.at } }
  }
}"""


def agent(text: str = TEXT) -> Agent:
    program = parse(Source(text)).program
    assert program is not None
    return program.agents[0]


def live(done: int, text: str = TEXT) -> set[str]:
    return set(live_after(agent(text), "p", done))


def test_what_a_later_argument_guard_requires_effect_or_origin_reads_is_live() -> None:
    assert live(0) == set()
    assert live(1) == {"order.owner"}
    # The note is written anew before an EFFECT reads it.
    assert live(2) == {"order.owner"}
    # pay: its argument, its REQUIRES, its guard; the rule on every tool.
    assert live(3) == {"order.owner", "price", "shelf.seen", "look.stock"}
    assert live(4) == {"order.owner", "pay.id"}
    assert live(5) == {"order.owner", "pay.id", "order.note"}
    assert live(6) == {"result", "result.send"}
    assert live(7) == live(99) == set()


def test_statements_are_counted_over_all_steps() -> None:
    assert [statement.kind for statement in sequence_of(agent().plans[0])] == [
        "set", "set", "call", "call", "set", "call", "give"
    ]  # fmt: skip


def test_a_value_inside_of_another_and_around_it_is_live() -> None:
    text = """AGENT a { PLAN p { SET x.y = 1 SET x.y.z = 2 SET x = 3 SET w = 4 GIVE x.y } }"""
    assert live(4, text) == {"x.y", "x.y.z", "x"}


def test_a_value_that_is_only_perhaps_written_anew_stays_live() -> None:
    text = (
        "AGENT a {{ TOOL t {{ EFFECT {{ e.f = 1 }} }} PLAN p {{ SET x.y = 1 SET e.f = 2 {again} GIVE [x.y, e.f] }} }}"
    )
    assert live(2, text.format(again="SET x.y = 3 SET e.f = 4")) == {"e.f"}
    assert live(2, text.format(again='SET x.y = "a" - 1')) == {"x.y", "e.f"}
    assert live(2, text.format(again="SET x.y = nothing.there")) == {"x.y", "e.f"}


def test_an_assigned_value_hides_an_output_of_the_same_path() -> None:
    text = "AGENT a {{ TOOL t {{ OUTPUT {{ n: Number }} }} PLAN p {{ {first} t() t() GIVE t.n }} }}"
    assert live(2, text.format(first="SET t.n = 1")) == {"t.n"}
    assert live(2, text.format(first="SET x.y = 1")) == set()


def test_facts_of_the_run_that_guards_read_are_live() -> None:
    text = """AGENT a {
      TOOL t { SIDE_EFFECT { till } }
      TOOL u { }
      POLICY { NEVER u WHEN tools.t.failures > 1 OR last_action.blocked == true OR till.dirty == true
               NEVER u WHEN action.confidence < 1  NEVER t WHEN action.in_doubt == true }
      PLAN p { SET confidence = 1 t() u() t() GIVE 1 }
    }"""
    assert live(2, text) == {
        "confidence", "tools.t.failures", "last_action.blocked", "till.dirty", "tools.t.in_doubt"
    }  # fmt: skip
    assert live(3, text) == {"confidence", "tools.t.in_doubt"}


def test_an_unknown_plan_is_a_fault_of_the_caller() -> None:
    with pytest.raises(KeyError):
        live_after(agent(), "nowhere", 0)


names = st.sampled_from(["a.x", "b.x", "b.y", "c"])


@given(st.lists(st.tuples(names, st.lists(names, max_size=2)), min_size=1, max_size=8), st.lists(names, max_size=2))
def test_nothing_that_a_later_statement_reads_is_ever_left_out(
    sets: list[tuple[str, list[str]]], given_out: list[str]
) -> None:
    """Against the simplest interpreter: a value is needed when changing it changes what is given."""
    lines = [f"SET {path} = {' + '.join(['1', *read])}" for path, read in sets]
    text = f"AGENT a {{ PLAN p {{ {' '.join(lines)} GIVE {' + '.join(['1', *given_out])} }} }}"
    statements = re.findall(r"(?:SET|GIVE) [^SG}]*", text.split("{", 2)[2])
    for done in range(len(sets) + 1):
        state = run(statements[:done], {})
        found = live_after(agent(text), "p", done)
        for path in state:
            changed = {**state, path: state[path] + 1000}
            if run(statements[done:], state)["given"] != run(statements[done:], changed)["given"]:
                assert path in found


def run(statements: list[str], state: dict[str, int]) -> dict[str, int]:
    state = dict(state)
    for statement in statements:
        head, _, value = statement.partition("= ") if "=" in statement else ("given", "", statement[5:])
        total = sum(state.get(part, 0) if not part.isdigit() else int(part) for part in value.strip().split(" + "))
        state[head.removeprefix("SET ").strip()] = total
    return state
