"""Where a reserved word, a number or a text may be a name (syntax.md §1.10): all 125 words in every position."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.ir.node import to_data
from agentl.syntax.grammar import CONTEXTUAL
from agentl.syntax.parser import parse
from agentl.syntax.tables import load_tables

WORDS = [word for word in load_tables().words if word not in CONTEXTUAL]
OTHERS = ["plain", "7", "2.50", '"two words"', "_x", "Goal"]


def member(text: str) -> str:
    return f"AGENT a {{{{ {text} }}}}"


def statement(text: str) -> str:
    return f"AGENT a {{{{ PLAN p {{{{ {text} }}}} }}}}"


# Position -> (source with the name as {}, words that mean something else there).
ANY_NAME: dict[str, tuple[str, set[str]]] = {
    "agent": ("AGENT {} {{ }}", set()),
    "later segment": (member("GOAL {{ a.{} > 1 }}"), set()),
    "segment after a number": (member("GOAL {{ a.1.{} > 1 }}"), set()),
    "shared path": (member("GOAL {{ SHARED.{} > 1 }}"), set()),
    "target of an assignment": (statement("SET a.{} = 1"), set()),
    "call": (statement("a.{}()"), set()),
    "bucket": (member("MEMORY {{ WRITE {{ INTO {}.b }} }}"), set()),
    "bucket key": (member("MEMORY {{ WRITE {{ INTO b.{} }} }}"), set()),
    "measured prior": (member("HYPOTHESIS h {{ PRIOR FROM {} }}"), set()),
    "tool": (member("TOOL {} {{ }}"), set()),
    "short tool": (member("TOOL {{ f() {}(a) }}"), set()),
    "parameter of a short tool": (member("TOOL {{ f(a: Int {}: Int) }}"), set()),
    "input": (member("TOOL t {{ INPUT {{ a: Int {} }} }}"), {"BIND", "ATTESTS"}),
    "first input": (member("TOOL t {{ INPUT {{ {}: Int }} }}"), {"BIND", "ATTESTS"}),
    "output": (member("TOOL t {{ OUTPUT {{ a: Int {} }} }}"), set()),
    "type": (member("TOOL t {{ OUTPUT {{ a: {} b }} }}"), set()),
    "attested": (member("TOOL t {{ INPUT {{ a ATTESTS {} b }} }}"), set()),
    "risk": (member("TOOL t {{ RISK {} COST 1 }}"), set()),
    "risk category": (member("TOOL t {{ RISK {{ {} = LOW }} }}"), set()),
    "outcome": (member("TOOL t {{ OUTCOME {} {{ }} }}"), set()),
    "plan": (member("PLAN {} {{ }}"), set()),
    "step": (member("PLAN p {{ STEP {} {{ }} }}"), set()),
    "message handler": (member("ON MESSAGE {} {{ }}"), set()),
    "hypothesis": (member("HYPOTHESIS {} {{ }}"), set()),
    "group": (member("HYPOTHESIS h {{ EVIDENCE {{ GROUP {} {{ a }} }} }}"), set()),
    "scenario": (member("SCENARIO {} {{ EXPECT {{ a }} }}"), set()),
    "sender": (member("SCENARIO s {{ GIVEN MESSAGE m FROM {} {{ }} EXPECT {{ a }} }}"), set()),
    "source": (member("BELIEF {{ a = 1 SOURCE {} b = 2 }}"), set()),
    "asked": (statement("ASK {} {{ }}"), set()),
    "delegate": (statement("DELEGATE {} {{ }}"), set()),
    "message": (statement("MESSAGE {} {{ }}"), set()),
    "receiver": (statement("MESSAGE m {{ TO {} BROADCAST }}"), set()),
    "loop variable": (statement("FOREACH {} IN x {{ }}"), set()),
    "produced": (statement("REASON {{ PRODUCE {{ a {} }} }}"), {"IN", "DEFAULT", "AND", "OR"}),
    "first produced": (statement("REASON {{ PRODUCE {{ {}: Int }} }}"), {"IN", "DEFAULT", "AND", "OR"}),
    "payload key": (statement("MESSAGE m {{ PAYLOAD {{ a = 1 {} = 2 }} }}"), {"AND", "OR", "IN"}),
    "first payload key": (statement("MESSAGE m {{ PAYLOAD {{ {} = 2 }} }}"), {"AND", "OR", "IN"}),
    "judged": (
        statement('JUDGE {{ a: NOUL "x" {}: NOUL "y" }}'),
        {"TASK", "USING", "ABSTAIN", "DEFAULT", "AND", "OR", "IN"},
    ),
    "first judged": (
        statement('JUDGE {{ {}: NOUL "y" }}'),
        {"TASK", "USING", "ABSTAIN", "DEFAULT", "AND", "OR", "IN"},
    ),
    "option": (statement('JUDGE {{ a: CHOICE "x" {{ b: "1" {}: "2" }} }}'), set()),
}

PLAIN_NAME = {
    "goal": member("GOAL {} {{ a }}"),
    "first segment": member("PLAN p WHEN {}.x(1) {{ }}"),
    "assignment": statement("{} = 1"),
    "set": statement("SET {} = 1"),
    "argument": statement("f({} = 1)"),
    "belief": member("BELIEF {{ {} = 1 }}"),
    "observer": member("OBSERVE {{ {} }}"),
    "effect": member("TOOL t {{ EFFECT {{ {} = 1 }} }}"),
    "side effect": member("TOOL t {{ SIDE_EFFECT {{ {} }} }}"),
    "bound": member("TOOL t {{ INPUT {{ a BIND {} }} }}"),
    "given": member("SCENARIO s {{ GIVEN {{ {} = 1 }} EXPECT {{ a }} }}"),
    "explained": member("HYPOTHESIS h {{ EXPLAINS {} }}"),
    "event": member("EVENT {} {{ }}"),
    "policy target": member("POLICY {{ DENY {} }}"),
    "banned": member("POLICY {{ NEVER SEND {} }}"),
    "used": statement("REASON {{ USING {{ {} }} }}"),
    "asserted": member("SCENARIO s {{ EXPECT CALL {} }}"),
}


def is_accepted(text: str) -> bool:
    return parse(Source(text)).program is not None


@pytest.mark.parametrize("position", ANY_NAME)
def test_any_word_number_or_text_is_a_name_here(position: str) -> None:
    template, excepted = ANY_NAME[position]
    refused = {name for name in [*WORDS, *OTHERS] if not is_accepted(template.format(name))}
    assert refused == excepted


@pytest.mark.parametrize("position", PLAIN_NAME)
def test_only_a_plain_name_stands_here(position: str) -> None:
    template = PLAIN_NAME[position]
    accepted = {name for name in [*WORDS, *OTHERS] if is_accepted(template.format(name))}
    assert accepted == {"plain", "_x", "Goal"}


def test_a_call_begins_with_a_plain_name_or_is_a_verify() -> None:
    accepted = {name for name in [*WORDS, *OTHERS] if is_accepted(statement("{}(1)").format(name))}
    assert accepted == {"plain", "_x", "Goal", "VERIFY"}


def test_a_small_letter_makes_any_word_a_plain_name() -> None:
    for word in WORDS:
        name = word[0].lower() + word[1:]
        assert is_accepted(f"AGENT a {{ GOAL {{ {name}.x == {name} }} PLAN {name} {{ {name}() SET {name} = 1 }} }}"), (
            word
        )


def test_a_name_that_begins_with_a_word_is_a_plain_name() -> None:
    for word in WORDS:
        assert is_accepted(f"AGENT a {{ GOAL {{ {word}S == {word}_1 }} }}") or f"{word}S" in WORDS, word


def test_a_tool_of_any_reserved_word_is_declared_with_a_warning() -> None:
    for word in WORDS:
        parsed = parse(Source(f"AGENT a {{ TOOL {word} {{ }} }}"))
        assert [each.code for each in parsed.diagnostics] == ["W232"]
        assert parsed.program is not None and parsed.program.agents[0].tools[0].name == word


@pytest.mark.parametrize(
    ("written", "text"), [("3.10", "3.10"), ('"b c"', "b c"), ("TARGET", "TARGET"), ("007", "007")]
)
def test_a_segment_keeps_its_spelling(written: str, text: str) -> None:
    program = parse(Source(f"AGENT a {{ GOAL {{ rack.{written} }} }}")).program
    assert program is not None
    assert to_data(program)["agents"][0]["goals"][0]["condition"]["path"] == f"rack.{text}"
