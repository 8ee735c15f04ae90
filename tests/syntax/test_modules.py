"""IMPORT, USE and MODULE: what is brought in and in which order, digests, places (design.md §4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.analysis.check import check
from agentl.diagnostics import Source
from agentl.ir.digest import program_digest, run_digest
from agentl.ir.node import Node, to_data
from agentl.ir.program import Program
from agentl.ir.walk import walk
from agentl.syntax.module_files import KeptModules
from agentl.syntax.parser import Parsed, parse, parse_file, parse_source
from tests.syntax.modules import agent, findings, program, read

RULES = "MODULE rules { POLICY { NEVER * WHEN a.b == 1 } TOOL pay { RISK HIGH } PLAN p { pay() } }"


# --- What is brought in ---------------------------------------------------------------------------------------------


def test_members_stand_behind_those_of_the_agent() -> None:
    made = agent(
        'IMPORT "./rules.agent" AGENT a { USE rules TOOL own { } POLICY { DENY own } PLAN q { own() } }', rules=RULES
    )
    assert [tool.name for tool in made.tools] == ["own", "pay"]
    assert [(rule.effect, rule.target) for rule in made.rules] == [("DENY", "own"), ("NEVER", "*")]
    assert [plan.name for plan in made.plans] == ["q", "p"]
    assert [use.module for use in made.uses] == ["rules"]


def test_modules_come_in_the_order_of_use_and_each_before_what_it_uses_itself() -> None:
    files = {
        "one": 'IMPORT "three.agent" MODULE one { USE three PLAN p1 { f() } }',
        "two": "MODULE two { PLAN p2 { f() } }",
        "three": "MODULE three { PLAN p3 { f() } }",
    }
    made = agent('IMPORT "one.agent" IMPORT "two.agent" AGENT a { USE two USE one PLAN p0 { f() } }', **files)
    assert [plan.name for plan in made.plans] == ["p0", "p2", "p1", "p3"]


def test_every_kind_of_member_is_brought_in_and_nothing_else_stands_in_a_module() -> None:
    text = (
        'MODULE m { DESCRIPTION "d" VERSION 2 TOOL t { } HYPOTHESIS h { } PLAN p { t() }'
        " POLICY { DEFAULT DENY ALLOW t NEVER SEND x } }"
    )
    made = agent(text + " AGENT a { USE m }")
    assert (made.tools[0].name, made.hypotheses[0].name, made.plans[0].name) == ("t", "h", "p")
    assert (made.policy_default, made.rules[0].target, made.send_bans[0].path) == ("DENY", "t", "x")
    assert (made.description, made.version) == ("", "0.1")


@pytest.mark.parametrize(
    "member",
    [
        "GOAL g { a }",
        "BELIEF { a = 1 }",
        "OBSERVE { a }",
        "OBSERVE a",
        "MEMORY { a }",
        "EVENT e { f() }",
        "ON MESSAGE m { f() }",
        "ON VERIFY.FAIL { ESCALATE }",
        "DECIDE { IF a THEN f() }",
        "PLANNER { ENABLE }",
        "UTILITY { a VALUE 1 }",
        "SCENARIO s { EXPECT { a } }",
        "LOOP { f() }",
    ],
)
def test_what_belongs_to_an_agent_cannot_stand_in_a_module(member: str) -> None:
    assert findings(f"MODULE m {{ {member} }} AGENT a {{ USE m }}") == [("P022", "error")]


def test_a_member_reached_on_two_ways_is_brought_in_once() -> None:
    files = {
        "left": 'IMPORT "base.agent" MODULE left { USE base }',
        "right": 'IMPORT "base.agent" MODULE right { USE base }',
        "base": "MODULE base { TOOL t { } POLICY { DENY t } }",
    }
    made = agent('IMPORT "left.agent" IMPORT "right.agent" AGENT a { USE left USE right }', **files)
    assert len(made.tools) == len(made.rules) == 1


def test_a_ban_that_stands_already_is_not_repeated() -> None:
    made = agent("MODULE m { POLICY { NEVER SEND x, y } } AGENT a { USE m POLICY { NEVER SEND y } }")
    assert [ban.path for ban in made.send_bans] == ["y", "x"]


def test_a_default_is_brought_in_and_an_equal_one_is_no_clash() -> None:
    text = "MODULE m {{ POLICY {{ DEFAULT DENY }} }} AGENT a {{ USE m {} }}"
    assert agent(text.format("")).policy_default == "DENY"
    assert agent(text.format("POLICY { DEFAULT DENY }")).policy_default == "DENY"
    assert findings(text.format("POLICY { DEFAULT ALLOW }")) == [("P041", "error")]


def test_modules_that_use_one_another_give_all_their_members() -> None:
    made = agent("MODULE m { USE n PLAN p { f() } } MODULE n { USE m PLAN q { f() } } AGENT a { USE m }")
    assert [plan.name for plan in made.plans] == ["p", "q"]


def test_an_agent_without_use_gets_nothing() -> None:
    one, other = program("MODULE m { TOOL t { } } AGENT a { USE m } AGENT b { }").agents
    assert (len(one.tools), other) == (1, program("AGENT b { }").agents[0])


def test_a_module_name_may_have_parts() -> None:
    assert agent("MODULE acme.rules { TOOL t { } } AGENT a { USE acme.rules }").tools


MEMBERS = [
    "TOOL t{n} {{ RISK HIGH }}",
    "POLICY {{ DENY * WHEN x.y == {n} }}",
    "POLICY {{ NEVER SEND s{n} }}",
    "PLAN p{n} WHEN x.y == {n} {{ f() }}",
    "HYPOTHESIS h{n} {{ PRIOR 0.{n} }}",
]


@given(st.lists(st.tuples(st.sampled_from(MEMBERS), st.integers(0, 3)), max_size=12), st.permutations([1, 2, 3]))
def test_an_agent_with_modules_runs_like_one_with_all_written_in_it(
    members: list[tuple[str, int]], order: list[int]
) -> None:
    """Members are spread over an agent (place 0) and three modules, one of them in another file."""
    placed: dict[int, list[str]] = {place: [] for place in range(4)}
    for number, (member, place) in enumerate(members, start=1):
        placed[place].append(member.format(n=number))
    module = {place: f"MODULE m{place} {{ {' '.join(placed[place])} }}" for place in order}
    uses = " ".join(f"USE m{place}" for place in order)
    own = " ".join(placed[0])
    joined = program(f'IMPORT "m1.agent" {module[2]} AGENT a {{ {uses} {own} }} {module[3]}', m1=module[1])
    written = program(f"AGENT a {{ {own} {' '.join(' '.join(placed[place]) for place in order)} }}")
    assert run_digest(joined) == run_digest(written)


# --- Digests --------------------------------------------------------------------------------------------------------


def test_the_digests_cover_what_was_brought_in() -> None:
    main = 'IMPORT "rules.agent" AGENT a { USE rules }'
    one, other = program(main, rules=RULES), program(main, rules=RULES.replace("== 1", "== 2"))
    assert program_digest(one) != program_digest(other)
    assert run_digest(one) != run_digest(other)


def test_a_run_depends_on_the_members_and_not_on_where_they_came_from() -> None:
    joined = program('IMPORT "rules.agent" AGENT a { USE rules }', rules=RULES)
    written = program("AGENT a { POLICY { NEVER * WHEN a.b == 1 } TOOL pay { RISK HIGH } PLAN p { pay() } }")
    assert run_digest(joined) == run_digest(written)
    assert program_digest(joined) != program_digest(written)


def test_layout_and_comments_of_a_module_change_no_digest_and_its_scenarios_only_that_of_the_program() -> None:
    main = 'IMPORT "rules.agent" AGENT a { USE rules }'
    one = program(main, rules=RULES)
    other = program(main, rules="// rules\n" + RULES.replace(" ", "\n"))
    third = program(main, rules=RULES + " AGENT shown { USE rules SCENARIO s { EXPECT CALL pay } }")
    assert program_digest(one) == program_digest(other)
    assert run_digest(one) == run_digest(third)
    assert program_digest(one) != program_digest(third)


def test_the_tree_says_which_text_was_imported() -> None:
    made = program('IMPORT "rules.agent" AGENT a { USE rules }', rules=RULES)
    (imported,) = made.imports
    assert (imported.form, imported.name) == ("file", "rules.agent")
    assert imported.digest == program_digest(program(RULES))


def test_the_tree_survives_json() -> None:
    made = program('IMPORT "rules.agent" MODULE m { USE rules } AGENT a { USE m }', rules=RULES)
    again = Program.model_validate(to_data(made))
    assert again == made
    assert program_digest(again) == program_digest(made)


def test_a_program_without_modules_has_no_trace_of_them() -> None:
    data = to_data(program("AGENT a { }"))
    assert "imports" not in data and "modules" not in data and "uses" not in data["agents"][0]


# --- Places ---------------------------------------------------------------------------------------------------------


def test_every_node_has_a_place_in_the_text_it_was_written_in() -> None:
    parsed = read('IMPORT "rules.agent"\nAGENT a { USE rules TOOL own { } }', rules=RULES)
    assert parsed.program is not None
    for _, node in walk(parsed.program):
        source, anchor = parsed.spans.source(node), parsed.spans.anchor(node)
        extent = parsed.spans.extent(node)
        assert extent.start <= anchor.start < anchor.end <= extent.end <= len(source.text)
    own, pay = parsed.program.agents[0].tools
    assert parsed.spans.source(own) is parsed.source
    assert (parsed.spans.source(pay).name, shown(parsed, pay)) == ("rules.agent", "pay")


def shown(parsed: Parsed, node: Node) -> str:
    span = parsed.spans.anchor(node)
    return parsed.spans.source(node).text[span.start : span.end]


def test_a_finding_about_a_brought_member_stands_in_the_text_of_the_module() -> None:
    parsed = read('IMPORT "m.agent"\nAGENT a { USE m TOOL t { } }', m="\n\nMODULE m { PLAN p { gone() } }")
    found = [each for each in check(parsed) if each.code == "E001"]
    assert [(each.source.name, each.line, each.agent) for each in found if each.source] == [("m.agent", 3, "a")]


def test_findings_of_the_program_come_before_those_of_its_modules() -> None:
    parsed = read('\n\n\nIMPORT "m.agent" AGENT a { USE m PLAN q { gone() } }', m="MODULE m { PLAN p { gone() } }")
    names = [each.source.name for each in check(parsed) if each.source and each.code == "E001"]
    assert names == ["main.agent", "m.agent"]


def test_many_ways_to_one_file_cost_no_more_than_one() -> None:
    """Every file imports both of the next layer: a walk over all ways would take 2 to the 40th steps."""
    files = {}
    for layer in range(40):
        below = f'IMPORT "l{layer + 1}.agent" IMPORT "r{layer + 1}.agent"' if layer < 39 else ""
        uses = f"USE l{layer + 1} USE r{layer + 1}" if layer < 39 else ""
        for side in "lr":
            files[f"{side}{layer}"] = f"{below} MODULE {side}{layer} {{ {uses} PLAN {side}{layer} {{ f() }} }}"
    parsed = read('IMPORT "l0.agent" IMPORT "r0.agent" AGENT a { USE l0 USE r0 }', **files)
    assert parsed.program is not None
    plans = parsed.program.agents[0].plans
    assert len(plans) == len(parsed.modules) == 80
    assert {parsed.spans.source(plan).name for plan in plans} == set(parsed.modules)


def test_the_texts_of_all_modules_are_returned_by_name() -> None:
    parsed = read(
        'IMPORT "lib/one.agent" AGENT a { USE one }',
        lib__one='IMPORT "./two.agent" MODULE one { USE two }',
        lib__two="MODULE two { TOOL t { } }",
    )
    assert sorted(parsed.modules) == ["lib/one.agent", "lib/two.agent"]
    kept = KeptModules({name: source.text for name, source in parsed.modules.items()})
    again = parse(parsed.source, kept)
    assert parsed.program is not None and again.program == parsed.program


# --- Files ----------------------------------------------------------------------------------------------------------


def test_files_are_looked_for_beside_the_program_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "rules.agent").write_text(RULES)
    main = tmp_path / "program" / "main.agent"
    main.write_text('IMPORT "./rules.agent" AGENT a { USE rules }')
    monkeypatch.chdir(tmp_path)
    made = parse_file(main)
    assert made == parse_file("program/main.agent") == parse_source(main.read_text(), "program/main.agent")
    assert made.agents[0].tools


def test_shipped_modules_are_found_from_any_text() -> None:
    made = parse_source("IMPORT std.durable AGENT a { USE std.durable }")
    assert made.agents[0].rules
    assert made.imports[0].form == "shipped"


def test_the_words_of_modules_are_names_everywhere_else() -> None:
    text = "AGENT a { TOOL USE { } PLAN IMPORT { MODULE = 1 USE(IMPORT) IMPORT } GOAL MODULE { USE == IMPORT } }"
    parsed = parse(Source(text))
    assert parsed.program is not None and parsed.diagnostics == ()
