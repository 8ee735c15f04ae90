"""What this release compiles but does not run is named with its line."""

from __future__ import annotations

from typing import get_args

import pytest

from agentl.diagnostics import Source
from agentl.ir import statements
from agentl.runtime.compiler import PHASE_ALIASES, canonical_phase, phase_names, statement_kinds
from agentl.runtime.unsupported import KINDS, unsupported
from agentl.syntax.module_files import KeptModules
from agentl.syntax.parser import parse


def found(text: str) -> list[tuple[int, str]]:
    parsed = parse(Source(text, "a.agent"))
    assert parsed.program is not None, parsed.diagnostics
    return [(item.line, item.text("en")) for item in unsupported(parsed.program, parsed.spans, parsed.source)]


def test_every_statement_kind_runs_or_is_named_and_none_does_both() -> None:
    union = get_args(statements.Statement)[0]
    kinds = {kind.model_fields["kind"].default for kind in get_args(union)}
    assert statement_kinds() | set(KINDS) >= kinds
    assert statement_kinds() <= kinds and not statement_kinds() & set(KINDS)


def test_every_phase_word_runs() -> None:
    words = set(get_args(statements.Phase.model_fields["phase"].annotation))
    assert {canonical_phase(word) for word in words} == set(phase_names())
    assert set(PHASE_ALIASES) <= words


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements that run, taken for ones that do not."""
    for kind in ("parallel", "give", "stop"):
        monkeypatch.setitem(KINDS, kind, kind.upper())


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    ("member", "construct"),
    [
        ("PLAN p { PARALLEL { BRANCH a { } } }", "PARALLEL"),
        ("PLAN p { GIVE { n = 1 } }", "GIVE"),
        ('PLAN p { STOP "why" }', "STOP"),
    ],
)
def test_a_construct_of_a_later_release_is_named_with_its_line(member: str, construct: str) -> None:
    (finding,) = found(f"AGENT A {{\n\n{member}\n}}")
    assert finding[1] == f"{construct} cannot be run by this release"
    assert finding[0] == 3


@pytest.mark.usefixtures("later")
def test_several_constructs_are_all_named_in_order() -> None:
    text = 'AGENT A {\nPLAN p { STOP "why" }\nPLAN q { GIVE { n = 1 } }\n}'
    assert [text.split()[0] for _, text in found(text)] == ["STOP", "GIVE"]


@pytest.mark.usefixtures("later")
def test_every_agent_of_a_program_is_looked_at() -> None:
    assert [line for line, _ in found('AGENT A { }\nAGENT B {\nPLAN p { STOP "x" }\n}')] == [3]


def test_what_runs_is_not_named_and_scenarios_are_ignored() -> None:
    text = """AGENT A { TOOL t { OUTCOME o { a.b = 1 } COST 2 DURATION 3s INPUT { x BIND a.b } }
        POLICY { NEVER SEND vault } SCENARIO s { GIVEN MESSAGE m FROM B { } EXPECT { SHARED.k.count == 1 } }
        PLAN p { ASK boss { QUESTION "q" } ESCALATE } LOOP { RECEIVE OBSERVE DECIDE ACT VERIFY } }"""
    assert found(text) == []


@pytest.mark.usefixtures("later")
def test_without_places_the_constructs_are_still_named() -> None:
    parsed = parse(Source('AGENT A { PLAN p { STOP "x" } }'))
    assert parsed.program is not None
    (finding,) = unsupported(parsed.program)
    assert finding.code == "R001" and finding.line == 0


def test_a_file_of_modules_alone_cannot_run() -> None:
    assert found("MODULE m { TOOL t { } }") == [(0, "the file holds no AGENT, so there is nothing to run")]


def test_a_construct_from_a_module_is_shown_in_the_text_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    # A statement that runs, taken for one that does not.
    monkeypatch.setitem(KINDS, "escalate", "ESCALATE")
    parsed = parse(
        Source('\n\nIMPORT "m.agent" AGENT a { USE m }', "a.agent"),
        KeptModules({"m.agent": "MODULE m { PLAN p { ESCALATE } }"}),
    )
    assert parsed.program is not None, parsed.diagnostics
    (finding,) = unsupported(parsed.program, parsed.spans, parsed.source)
    assert finding.source is not None
    assert (finding.source.name, finding.line) == ("m.agent", 1)
