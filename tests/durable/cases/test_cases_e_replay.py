"""Cases P-E1 to P-E9: matching, determinism, values.

P-E2 stands in tests/crashes/test_branches.py, P-E5 and P-E6 with decision 14, P-E7 with `nearest`, the command line's
side of P-E4 with `run`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentl.durable import DurableError
from agentl.journal.errors import ReplayDivergence
from tests.cli.folders import Place
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of

NOTE = 'note(text = "x")'
ASKING = 'ASK boss { QUESTION "how?" }'


def interrupted() -> Desk:
    """Two actions: the first done, killed inside the second."""
    desk = Desk(desk_program(f"{PAY} {NOTE}"), World({"note": [Killed(), None]}))
    desk.process()
    return desk


@pytest.mark.parametrize(
    ("plan", "recorded", "requested"),
    [
        (f'{PAY} pay(amount = 1, to = "x")', "intent note", "intent pay"),
        (f'{PAY} note(text = "y")', "intent note", "intent note"),
        ('pay(amount = 41, to = "Zürich") note(text = "x")', "intent pay", "intent pay"),
        (f"{PAY} {ASKING} {NOTE}", "intent note", "ask how?"),
        (f"{NOTE} {PAY}", "intent pay", "intent note"),
        (PAY, "intent note", "checkpoint 1"),
    ],
)
def test_case_e1_a_record_of_another_action_is_never_taken_for_this_one(
    plan: str, recorded: str, requested: str
) -> None:
    """Even where the check of the program is left out, the identity of every entry is held."""
    desk = interrupted()
    calls, before = len(desk.world.calls), bytes(desk.store.data)
    desk.text = desk_program(plan)
    with pytest.raises(DurableError, match="program has changed"):
        desk.process()
    with pytest.raises(ReplayDivergence) as divergence:
        desk.process(any_program=True)
    text = str(divergence.value)
    assert f"recorded {recorded}" in text
    assert f"requested {requested}" in text
    assert len(desk.world.calls) == calls
    assert bytes(desk.store.data) == before


def test_case_e3_three_equal_calls_of_a_loop_have_three_keys_and_only_the_third_runs_on_resume() -> None:
    plan = f"FOREACH n IN [1 2 3] {{ {PAY} }}"
    desk = Desk(desk_program(plan), World())
    done = {"receipt": "R"}
    desk.world.script["pay"] = [done, done, Killed(), done]
    desk.process(host_of(desk.world, idempotent=True))
    before = desk.world.count()
    run = desk.process(host_of(desk.world, idempotent=True))
    assert (before, desk.world.count()) == (3, 4)
    assert len({fields["key"] for fields in desk.of_kind("intent")}) == 3
    assert desk.world.keys()[2] == desk.world.keys()[3]
    assert run.status == "completed"


@pytest.mark.parametrize("again", [None, {}, {"limit": 1}])
def test_case_e8_missing_empty_and_the_same_inputs_all_resume(again: Any) -> None:
    desk = interrupted_with_input()
    run = desk.process(inputs=again)
    assert run.resumed
    assert desk.world.count("pay") == 1


@pytest.mark.parametrize("other", [{"limit": 2}, {"limit": 1.0}, {"limit": True}, {"limit": None}, {"more": 1}])
def test_case_e8_other_inputs_are_refused_and_none_restarts(other: Any) -> None:
    desk = interrupted_with_input()
    before = bytes(desk.store.data)
    with pytest.raises(DurableError, match="input "):
        desk.process(inputs=other)
    assert bytes(desk.store.data) == before
    assert desk.world.count("pay") == 1


def interrupted_with_input() -> Desk:
    desk = Desk(desk_program(f"{PAY} {NOTE}"), World({"note": [Killed(), None]}))
    desk.process(inputs={"limit": 1})
    return desk


SETS = """\
AGENT desk {
    MEMORY { LONG_TERM { seen } }
    TOOL pay { INPUT { amount: Number }  OUTPUT { names: Anything }  SIDE_EFFECT { a.x b.x c.x d.x }  RISK LOW }
    TOOL note { INPUT { text: String }  RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN work WHEN TRUE {
        pay(amount = 1)
        SET kept = pay.names
        IF "ten" IN pay.names THEN { SET found = yes }
        note(text = "x")
    }
    LOOP MAX 2 { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE UPDATE_MEMORY }
}
"""


def test_case_e9_the_order_of_a_set_is_no_part_of_what_is_derived(tmp_path: Path) -> None:
    """Killed under one hash seed, locale and time zone, resumed under another."""
    place = Place(tmp_path, SETS)
    names = "{'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'}"
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    host = host.replace("def pay(amount, to):", "def pay(amount):").replace(
        '{"receipt": "R-1"}', f'{{"names": {names}}}'
    )
    place.write("desk.py", host)
    place.once("note")

    def under(seed: str, **environment: str) -> int:
        command = [sys.executable, "-m", "agentl", "run", "desk.agent", "--durable", "run", "--quiet"]
        root = str(Path(__file__).parents[3])
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root, **environment}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True).returncode

    assert under("0", TZ="UTC", LANG="C") == -signal.SIGKILL
    assert under("1", TZ="Pacific/Apia", LANG="C.UTF-8") == 75
    assert under("2") == 75
    assert place.count("pay") == 2
