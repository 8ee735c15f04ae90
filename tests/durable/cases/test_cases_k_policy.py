"""Cases P-K1 to P-K4: what is undefined, wrong or no question never opens a door. Their rules: tests/analysis/rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.folders import PROGRAM, Place
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines

MISSPELT = ["tools.pays.in_doubt", "tools.pay.indoubt", "tools.pay.in_doubt.x"]


@pytest.mark.parametrize("path", MISSPELT)
def test_case_k1_a_misspelt_fact_is_refused_by_check_and_by_run(tmp_path: Path, path: str) -> None:
    program = PROGRAM.replace("NEVER pay WHEN account.frozen == yes", f"NEVER pay WHEN {path} == true")
    place = Place(tmp_path, program)
    for ended in (place.agentl("check", "desk.agent"), place.durable()):
        assert ended.code == 1
        said = ended.out + ended.err
        assert "E205" in said and f"`{path}`" in said and "did you mean `tools.pay.in_doubt`?" in said
        assert "desk.agent:15:24" in said
    assert place.count() == 0
    assert not (tmp_path / "run").exists()


# --- P-K2: what a rule says of a doubt, in every history a tool can have

DONE: dict[str, Any] = {"receipt": "R"}
# What happened to `pay` before the rule is asked: its plan, what its calls do, whether the tool is idempotent.
HISTORIES: dict[str, tuple[str, list[Any], bool, bool]] = {
    "never called": ("", [DONE], False, False),
    "done": (PAY, [DONE], False, False),
    "failed": (PAY, [ValueError("no")], False, False),
    "killed and repeated": (PAY, [Killed(), DONE], True, False),
    "in doubt": (PAY, [TimeoutError("late")], False, True),
    "killed, in doubt": (PAY, [Killed(), DONE], False, True),
    "in doubt, then another done": (f'{PAY} pay(amount = 41, to = "x")', [TimeoutError("late"), DONE], False, True),
    "done, then another in doubt": (f'pay(amount = 41, to = "x") {PAY}', [DONE, TimeoutError("late")], False, True),
}
# A rule on `note`, and whether `note` is called when the doubt is false and when it is true.
RULES = {
    "NEVER note WHEN tools.pay.in_doubt == true": (True, False),
    "NEVER note WHEN tools.pay.in_doubt": (True, False),
    "DENY note WHEN NOT tools.pay.in_doubt": (False, True),
    "ALLOW note IF tools.pay.in_doubt": (False, True),
    "ALLOW note IF NOT tools.pay.in_doubt": (True, False),
    "ALLOW note IF tools.pay.in_doubt == false": (True, False),
}


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("rule", RULES)
def test_case_k2_a_doubt_is_true_or_false_and_never_undefined(history: str, rule: str) -> None:
    plan, script, idempotent, in_doubt = HISTORIES[history]
    text = desk_program(f'{plan} note(text = "x")', policy=f"DEFAULT ALLOW {rule}")
    desk = Desk(text, World({"pay": list(script), "note": [None]}))
    for _ in range(2):
        run = desk.process(host_of(desk.world, idempotent=idempotent))
    assert run.runtime is not None
    assert run.runtime.state.get("tools.pay.in_doubt") is in_doubt
    assert desk.world.count("note") == int(RULES[rule][in_doubt])


# --- P-K3 and P-K4: a guard that is no question, or that errs


@pytest.mark.parametrize("guard", ['"submit order"', "12", "len([1])"])
def test_case_k3_a_prohibition_that_is_no_question_is_refused_by_check_and_by_run(tmp_path: Path, guard: str) -> None:
    place = Place(tmp_path, PROGRAM.replace("WHEN account.frozen == yes", f"WHEN {guard}"))
    for ended in (place.agentl("check", "desk.agent"), place.durable()):
        assert (ended.code, "E206" in ended.out + ended.err) == (1, True)
    assert place.count() == 0


WORDS = st.sampled_from(["yes", "no", "true", "false", "on", "off", "maybe", "120", ""])
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | WORDS
ANYTHING = st.recursive(VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2))


@settings(max_examples=80)
@given(ANYTHING)
def test_case_k3_whatever_a_path_holds_a_bare_guard_opens_only_for_a_yes(value: Any) -> None:
    """An ALLOW lets through what affirms, a DENY lets through what denies; everything else stops."""
    for rule, passes in (
        ("ALLOW note IF account.frozen", _affirms(value)),
        ("DENY note WHEN account.frozen", _denies(value)),
    ):
        desk = Desk(desk_program('note(text = "x")', policy=f"DEFAULT ALLOW {rule}"))
        desk.world.script["note"] = [None]
        desk.world.sensors["account.frozen"] = value
        run = desk.process()
        if desk.world.count("note"):
            assert passes, (rule, value)
        else:
            assert len(lines(run, "BLOCKED")) == 1


def _affirms(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in ("yes", "true", "on")
    return bool(value)


def _denies(value: Any) -> bool:
    return value is not None and not value


@pytest.mark.parametrize("result", ["120", "about 120", "", [120], {"n": 120}, None, float("nan")], ids=repr)
def test_case_k4_a_prohibition_that_meets_another_type_than_it_expects_prohibits(result: Any) -> None:
    text = desk_program(f'{PAY} note(text = "x")', policy="DEFAULT ALLOW DENY note WHEN pay.receipt > 100")
    text = text.replace("OUTPUT { receipt: String }", "OUTPUT { receipt: Anything }")
    desk = Desk(text, World({"pay": [{"receipt": result}]}))
    run = desk.process()
    assert desk.world.count("note") == 0
    (blocked,) = lines(run, "BLOCKED")
    assert "DENY note WHEN pay.receipt > 100" in blocked
    assert desk.process().trace_text() == run.trace_text()


def test_case_k4_and_lets_through_what_is_known_to_be_less() -> None:
    text = desk_program(f'{PAY} note(text = "x")', policy="DEFAULT ALLOW DENY note WHEN pay.receipt > 100")
    text = text.replace("OUTPUT { receipt: String }", "OUTPUT { receipt: Anything }")
    desk = Desk(text, World({"pay": [{"receipt": 99}]}))
    desk.process()
    assert desk.world.count("note") == 1
