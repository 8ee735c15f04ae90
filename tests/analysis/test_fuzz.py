"""No text, however mangled, makes `check` fail or its document invalid."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.analysis.at_hand import AtHand
from agentl.analysis.files import CheckedFile, check_bytes
from agentl.diagnostics import FileFacts, fingerprinted
from agentl.diagnostics.render.findings_json import render_findings

CASES = Path(__file__).parent / "rules"
PROGRAMS = [
    program
    for path in sorted(CASES.glob("*.md"))
    for program in re.findall(r"```agentl(?: sequential)?\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
]
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?%?|==|!=|<=|>=|\s+|.', re.DOTALL)
TOKENS = sorted({token for program in PROGRAMS for token in TOKEN.findall(program)})


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A program of the cases with some tokens dropped, doubled, swapped, or put in from other programs."""
    tokens = TOKEN.findall(draw(st.sampled_from(PROGRAMS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(tokens) - 1))
        match draw(st.sampled_from(("drop", "double", "replace", "swap"))):
            case "drop":
                tokens[at] = ""
            case "double":
                tokens[at] *= 2
            case "replace":
                tokens[at] = draw(st.sampled_from(TOKENS))
            case "swap":
                other = draw(st.integers(0, len(tokens) - 1))
                tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


@st.composite
def renamed(draw: st.DrawFn) -> str:
    """Two programs in one file, one name made another throughout: it mostly still parses, and means something else."""
    text = draw(st.sampled_from(PROGRAMS)) + draw(st.sampled_from(PROGRAMS))
    names = sorted(set(re.findall(r"\b[a-z_]+\b", text)))
    old, new = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    return re.sub(rf"\b{old}\b", new, text)


def holds(file: CheckedFile, text: str) -> None:
    places = []
    for diagnostic in file.diagnostics:
        assert diagnostic.source is not None and diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.source.text)
        assert diagnostic.text("en") and diagnostic.text("fr")
        places.append(diagnostic.span.start)
    assert places == sorted(places)
    document = render_findings(
        [FileFacts(file.path, file.sha256, file.agents)],
        fingerprinted(file.diagnostics),
        command="check",
        version="0",
        profile="reference",
        counts={},
        exit_code=0,
    )
    assert len(json.loads(document)["findings"]) == len(file.diagnostics)


def same(text: str) -> None:
    """A second check finds the same."""
    first, second = (check_bytes(text.encode(), "x.agent").diagnostics for _ in range(2))
    assert [d.render() for d in first] == [d.render() for d in second]


@given(mangled())
@settings(max_examples=250)
def test_a_mangled_program_is_reported_and_never_fails(text: str) -> None:
    holds(check_bytes(text.encode(), "x.agent"), text)
    same(text)


@given(renamed())
@settings(max_examples=100)
def test_a_renamed_program_is_reported_and_never_fails(text: str) -> None:
    file = check_bytes(text.encode(), "x.agent")
    assert file.agents or all(diagnostic.code.startswith("P") for diagnostic in file.diagnostics)
    holds(file, text)
    same(text)


@given(renamed() | mangled())
@settings(max_examples=150)
def test_what_keeps_a_plan_from_being_an_operation_is_told_of_any_program(text: str) -> None:
    at_hand = AtHand(frozenset({"tool:a/pay"}), ("ref",))
    holds(check_bytes(text.encode(), "x.agent", "sequential", at_hand=at_hand), text)


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_any_bytes_are_reported(data: bytes) -> None:
    file = check_bytes(data, "x.agent")
    assert file.diagnostics or file.agents
