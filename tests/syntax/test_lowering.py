"""What the parser delivers: nodes, defaults, repetition (syntax.md §2, §3, §4, §7)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.diagnostics import Source
from agentl.ir import declarations, expressions, statements
from agentl.ir.node import to_data
from agentl.ir.program import Agent
from agentl.syntax.parser import parse, parse_source


def agent(members: str) -> Agent:
    return parse_source(f"AGENT a {{ {members} }}").agents[0]


def body(text: str) -> tuple[Any, ...]:
    return agent(f"PLAN p {{ {text} }}").plans[0].steps[0].body


def statement(text: str) -> Any:
    (only,) = body(text)
    return only


def condition(text: str) -> Any:
    return agent(f"GOAL g {{ {text} }}").goals[0].condition


def show(node: Any) -> str:
    """Write an expression with all its parentheses."""
    match node:
        case expressions.Number():
            return node.text + node.unit
        case expressions.Text():
            return repr(node.value)
        case expressions.Path():
            return node.path
        case expressions.SharedPath():
            return f"SHARED:{node.path}"
        case expressions.Datetime():
            return node.value
        case expressions.Not():
            return f"not({show(node.operand)})"
        case expressions.Negation():
            return f"neg({show(node.operand)})"
        case expressions.Comparison():
            return f"({show(node.left)} {node.op} {show(node.right)})"
        case expressions.Difference() | expressions.Quotient():
            return f"{node.kind}({show(node.left)}, {show(node.right)})"
        case expressions.FunctionCall():
            parts = [*map(show, node.positional), *(f"{each.name}={show(each.value)}" for each in node.named)]
            return f"{node.function}({', '.join(parts)})"
        case _:
            return f"{node.kind}({', '.join(map(show, node.items))})"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a OR b AND c", "or(a, and(b, c))"),
        ("a OR b OR c", "or(a, b, c)"),
        ("(a OR b) OR c", "or(or(a, b), c)"),
        ("a AND (b AND c)", "and(a, and(b, c))"),
        ("NOT a == b", "not((a == b))"),
        ("NOT NOT a", "not(not(a))"),
        ("NOT a AND b", "and(not(a), b)"),
        ("a + b * c", "sum(a, product(b, c))"),
        ("a + b + c > 0", "(sum(a, b, c) > 0)"),
        ("a - b - c", "difference(difference(a, b), c)"),
        ("a + b - c + d + e", "sum(difference(sum(a, b), c), d, e)"),
        ("a * b / c * d", "product(quotient(product(a, b), c), d)"),
        ("a / b / c", "quotient(quotient(a, b), c)"),
        ("-a * -4", "product(neg(a), neg(4))"),
        ("- - a", "neg(neg(a))"),
        ("a - -b", "difference(a, neg(b))"),
        ("[3 -2]", "list(difference(3, 2))"),
        ("[3, -2]", "list(3, neg(2))"),
        ("a IN [x y, \"z\" 4]", "(a IN list(x, y, 'z', 4))"),
        ("rack.3.1 > 2h", "(rack.3.1 > 2h)"),
        ("shelf.2.5.10", "shelf.2.5.10"),
        ("shelf.3.10", "shelf.3.10"),
        ('a."b c".TARGET', "a.b c.TARGET"),
        ("SHARED.k.count > 0", "(SHARED:k.count > 0)"),
        ("CONFIDENCE (a.b) >= 80%", "(CONFIDENCE(a.b) >= 80%)"),
        ("f(1, x = 2 3)", "f(1, 3, x=2)"),
        ("a == 2027-02-03T10:00", "(a == 2027-02-03T10:00)"),
        ("a > 4min OR a > 9sec", "or((a > 4m), (a > 9s))"),
        ("true == unknown", "(true == unknown)"),
        ("x - y > 0", "(difference(x, y) > 0)"),
    ],
)
def test_an_expression_has_this_shape(text: str, shown: str) -> None:
    assert show(condition(text)) == shown


@pytest.mark.parametrize(
    ("text", "value"),
    [("42", 42), ("3.50", 3.5), ("15%", 0.15), ("250ms", 0.25), ("90s", 90.0), ("1.5h", 5400.0), ("4min", 240.0)],
)
def test_a_number_has_this_value(text: str, value: float) -> None:
    number = condition(text)
    assert number.value == value
    assert type(number.value) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"a\nb", "a\nb"),
        (r"a\tb\rc", "a\tb\rc"),
        (r"\"\\", '"\\'),
        (r"\q\u0041", r"\q\u0041"),
        ("two\n  lines", "two\n  lines"),
        ("", ""),
        ("é", "é"),
    ],
)
def test_a_text_has_this_value(text: str, value: str) -> None:
    assert condition(f'"{text}"').value == value


def test_defaults_of_an_agent() -> None:
    empty = agent("")
    assert (empty.version, empty.description, empty.policy_default, empty.memory) == ("0.1", "", None, None)
    assert (empty.loop, empty.decide, empty.planner) == (None, None, None)


@pytest.mark.parametrize(("text", "version"), [("1.10", "1.10"), ('"2.1 b"', "2.1 b"), ("2027-01-09", "2027-01-09")])
def test_a_version_is_kept_as_text(text: str, version: str) -> None:
    assert agent(f"VERSION {text}").version == version


def test_sections_that_repeat_add_up_or_replace() -> None:
    twice = agent(
        "GOAL a { x } GOAL b { y } POLICY { DEFAULT DENY ALLOW f } POLICY { DEFAULT ALLOW DENY g }"
        " LOOP MAX 1 { } LOOP MAX 2 { } UTILITY { x VALUE 1 } UTILITY { y VALUE 2 } MEMORY { a } MEMORY { b }"
        " ON VERIFY.FAIL { f() } ON VERIFY.FAIL { }"
    )
    assert [goal.name for goal in twice.goals] == ["a", "b"]
    assert [rule.effect for rule in twice.rules] == ["ALLOW", "DENY"]
    assert twice.policy_default == "ALLOW"
    assert twice.loop is not None and twice.loop.limit == 2
    assert len(twice.utility) == 1
    assert twice.memory is not None and twice.memory.long_term == ("b",)
    assert twice.on_verify_fail == ()


def test_a_goal_without_name_is_main_and_its_last_condition_sets_the_mode() -> None:
    goal = agent("GOAL { ACHIEVE a MAINTAIN b c TARGET x TARGET { y z } WEIGHT 2.5 }").goals[0]
    assert (goal.name, goal.mode, show(goal.condition)) == ("main", "MAINTAIN", "c")
    assert [show(target) for target in goal.targets] == ["x", "y", "z"]
    assert goal.weight is not None and goal.weight.value == 2.5


def test_a_belief_keeps_confidence_source_and_update() -> None:
    first, second = agent("BELIEF { a.b = x CONFIDENCE 80% SOURCE TARGET UPDATED 2027-01-09 c 2 }").beliefs
    assert first.confidence is not None and first.confidence.value == 0.8
    assert (first.source, first.updated) == ("TARGET", "2027-01-09")
    assert (second.path, second.confidence, second.source, second.updated) == ("c", None, None, None)


def test_observers_with_and_without_braces_are_alike() -> None:
    inside = agent("OBSERVE { a.b WHEN x ON UNKNOWN DEGRADE -1 }").observers
    outside = agent("OBSERVE a.b WHEN x ON UNKNOWN DEGRADE -1 ON MESSAGE m { }").observers
    assert to_data(inside[0]) == to_data(outside[0])
    assert inside[0].fallback is not None and show(inside[0].fallback) == "neg(1)"


def test_the_last_conduct_of_an_observer_counts() -> None:
    (observer,) = agent("OBSERVE { a ON UNKNOWN DEGRADE 1 ON UNKNOWN ESCALATE }").observers
    assert (observer.on_unknown, observer.fallback) == ("ESCALATE", None)


def test_memory_lists_replace_and_bare_paths_join_long_term() -> None:
    memory = agent("MEMORY { gone LONG_TERM { a, b } c SHARED claims WRITE { } }").memory
    assert memory is not None
    assert (memory.long_term, memory.shared) == (("a", "b", "c"), ("claims",))
    assert (memory.writes[0].into, memory.writes[0].key, memory.writes[0].store) == ("LONG_TERM", "records", ())


@pytest.mark.parametrize(
    ("path", "bucket", "key"),
    [("SHARED.claims", "SHARED", "claims"), ("long_term", "LONG_TERM", "records"), ("cold.a.b", "COLD", "a.b")],
)
def test_a_bucket_is_upper_cased_and_has_a_key(path: str, bucket: str, key: str) -> None:
    memory = agent(f"MEMORY {{ WRITE {{ STORE x INTO {path} }} }}").memory
    assert memory is not None
    assert (memory.writes[0].into, memory.writes[0].key) == (bucket, key)


def test_a_tool_keeps_all_its_fields() -> None:
    tool = agent(
        'TOOL lift { DESCRIPTION "d" INPUT { truck: String BIND truck.id permit ATTESTS truck } OUTPUT { mm: Number ok }'
        " SIDE_EFFECT { a b } RISK { physical = severe } REQUIRES { x > 1 } EFFECT { y = 0 z 1 INTERNAL }"
        " OUTCOME good WITH 70% { y = 0 } OUTCOME bad { } COST 3 DURATION 25s }"
    ).tools[0]
    truck, permit = tool.inputs
    assert (truck.type, truck.bind, truck.attests) == ("String", "truck.id", None)
    assert (permit.type, permit.bind, permit.attests) == ("Any", None, "truck")
    assert [(field.name, field.type) for field in tool.outputs] == [("mm", "Number"), ("ok", "Any")]
    assert (tool.side_effects, tool.risk, tool.description) == (("a", "b"), "SEVERE", "d")
    assert [effect.internal for effect in tool.effects] == [False, True]
    assert [outcome.name for outcome in tool.outcomes] == ["good", "bad"]
    assert tool.outcomes[1].probability is None
    assert tool.cost is not None and tool.duration is not None
    assert (tool.cost.value, tool.duration.value) == (3, 25.0)


def test_a_second_list_of_a_tool_replaces_the_first() -> None:
    tool = agent("TOOL t { INPUT { a } INPUT { b } RISK HIGH RISK { x = LOW y = medium } }").tools[0]
    assert [field.name for field in tool.inputs] == ["b"]
    assert tool.risk == "MEDIUM"


def test_the_short_form_declares_tools_with_parameters_only() -> None:
    tools = agent("TOOL { beep() honk(volume: Int, tone) reset }").tools
    assert [tool.name for tool in tools] == ["beep", "honk", "reset"]
    assert [(field.name, field.type) for field in tools[1].inputs] == [("volume", "Int"), ("tone", "Any")]


def test_policy_rules_keep_their_order_and_send_bans_stand_apart() -> None:
    made = agent("POLICY { NEVER f IF a REQUIRE FOR * NEVER SEND x, y.z, ALLOW g REQUIRE APPROVAL FOR h WHEN: b DENY * }")
    assert [(rule.effect, rule.target) for rule in made.rules] == [
        ("NEVER", "f"),
        ("REQUIRE_APPROVAL", "*"),
        ("ALLOW", "g"),
        ("REQUIRE_APPROVAL", "h"),
        ("DENY", "*"),
    ]
    assert [ban.path for ban in made.send_bans] == ["x", "y.z"]
    assert made.rules[1].guard is None and show(made.rules[3].guard) == "b"


def test_a_plan_without_step_has_one_step_called_main() -> None:
    plan = agent("PLAN p WHEN a { f() g }").plans[0]
    assert [step.name for step in plan.steps] == ["main"]
    assert len(plan.steps[0].body) == 2
    assert len(agent("PLAN p { }").plans[0].steps) == 1


def test_a_step_without_braces_runs_to_the_next_step() -> None:
    steps = agent("PLAN p { STEP 1: f() g() STEP two { h() } STEP three }").plans[0].steps
    assert [(step.name, len(step.body)) for step in steps] == [("1", 2), ("two", 1), ("three", 0)]


def test_else_belongs_to_the_nearest_if() -> None:
    outer = statement("IF a THEN IF b THEN f() ELSE g()")
    assert outer.otherwise == ()
    assert isinstance(outer.then[0], statements.If) and len(outer.then[0].otherwise) == 1


def test_brace_branches_are_flattened_and_then_keeps_a_block() -> None:
    choice = statement("IF a THEN { f() g() } ELSE { }")
    assert (len(choice.then), choice.otherwise) == (2, ())
    assert isinstance(statement("THEN { f() }"), statements.Block)
    assert isinstance(statement("THEN f"), statements.PlanReference)


def test_handlers_keep_the_last_when_and_all_statements() -> None:
    event = agent("EVENT a.b { f() WHEN x WHEN y THEN { } g() }").events[0]
    assert (event.source, show(event.when), len(event.body)) == ("a.b", "y", 3)
    handler = agent("ON MESSAGE hello { THEN p }").messages[0]
    assert (handler.message, handler.when, len(handler.body)) == ("hello", None, 1)


def test_decide_keeps_its_rules_in_source_order() -> None:
    decide = agent("DECIDE { IF a THEN p RULES { IF b THEN q } IF c THEN r REASON { TASK \"t\" } }").decide
    assert decide is not None
    assert [show(rule.condition) for rule in decide.rules] == ["a", "b", "c"]
    assert decide.reason is not None and decide.reason.task == "t"


def test_a_hypothesis_keeps_both_priors_and_groups() -> None:
    made = agent(
        "HYPOTHESIS h { PRIOR FROM cases WHERE k == jam PRIOR 5% PREDICT x EVIDENCE { GROUP g { a GROUP i { b } } c"
        " LIKELIHOOD 0.8 GIVEN_NOT 20% } EXPLAINS y.z = jam MAX_EVIDENCE 6 }"
    ).hypotheses[0]
    assert (made.prior_bucket, made.prior_key) == ("CASES", "records")
    assert made.prior is not None and made.prior.value == 0.05
    assert [(show(item.test), item.group, item.predicted) for item in made.evidence] == [
        ("x", None, True),
        ("a", "g", False),
        ("b", "i", False),
        ("c", None, False),
    ]
    last = made.evidence[-1]
    assert last.likelihood is not None and last.given_not is not None
    assert (last.likelihood.value, last.given_not.value) == (0.8, 0.2)
    assert (made.explains, show(made.explains_value)) == ("y.z", "jam")


def test_confidence_in_a_hypothesis_is_an_old_name_of_prior() -> None:
    made = agent("HYPOTHESIS h { CONFIDENCE 0.2 }").hypotheses[0]
    assert made.prior is not None and made.prior.value == 0.2


def test_utility_and_planner() -> None:
    made = agent("UTILITY { a VALUE -3 b VALUE 4.5 } PLANNER { ENABLE ACHIEVE a ACHIEVE b MAX_DEPTH 3 DEADLINE 5min }")
    assert [term.value.value for term in made.utility] == [-3, 4.5]
    assert made.planner is not None and made.planner.deadline is not None
    assert ([show(each) for each in made.planner.achieve], made.planner.deadline.value) == (["a", "b"], 300.0)


def test_a_scenario_gathers_givens_stimuli_and_assertions() -> None:
    made = agent(
        "SCENARIO s { GIVEN { a.b = 1 } GIVEN { c 2 } GIVEN EVENT e.f { k = 1 } GIVEN MESSAGE m FROM bob { } EXPECT { a b }"
        " EXPECT CALL x.y EXPECT never Call z EXPECT BLOCKED q EXPECT EVENT e.f EXPECT no Error WITHIN 3.9 }"
    ).scenarios[0]
    assert [effect.path for effect in made.given] == ["a.b", "c"]
    assert [(each.form, each.name, each.sender) for each in made.stimuli] == [
        ("EVENT", "e.f", None),
        ("MESSAGE", "m", "bob"),
    ]
    assert [(each.form, each.target) for each in made.assertions] == [
        ("CALL", "x.y"),
        ("NEVER_CALL", "z"),
        ("BLOCKED", "q"),
        ("EVENT", "e.f"),
        ("NO_ERROR", ""),
    ]
    assert (len(made.expect), made.within) == (2, 3)


def test_calls_and_assignments() -> None:
    call = statement("a.b(1, x = 2, 3)")
    assert (call.tool, [show(each) for each in call.positional]) == ("a.b", ["1", "3"])
    assert [(each.name, show(each.value)) for each in call.named] == [("x", "2")]
    for text in ("SET a.b = 1", "SET a.b 1", "SET a.b: 1", "a.b = 1"):
        assert to_data(statement(text)) == to_data(statement("a.b = 1"))


@pytest.mark.parametrize(
    ("text", "label", "on_fail"),
    [
        ("VERIFY a", None, None),
        ('VERIFY "x" a', "x", None),
        ("VERIFY { a }", None, None),
        ("VERIFY { CONDITION = a ON FAIL { } }", None, 0),
        ('VERIFY "x" { a, ON FAIL: RETRY 2, }', "x", 1),
    ],
)
def test_verify(text: str, label: str | None, on_fail: int | None) -> None:
    node = statement(text)
    assert (node.label, show(node.condition)) == (label, "a")
    assert (None if node.on_fail is None else len(node.on_fail)) == on_fail


def test_verify_before_another_phase_is_the_phase() -> None:
    first, second = body("VERIFY UPDATE_MEMORY")
    assert (first.phase, second.phase) == ("VERIFY", "UPDATE_MEMORY")


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("a: Number IN [0, 1]", "range"),
        ("a: float IN [-5, 10%]", "range"),
        ("a: Number IN [1, 2, 3]", "enumeration"),
        ("a: Symbol IN [0, 1]", "enumeration"),
        ("a IN [0, 1]", "enumeration"),
        ("a: Int IN [low, 3]", "enumeration"),
    ],
)
def test_a_domain_is_a_range_only_for_two_numbers_of_a_numeric_type(field: str, form: str) -> None:
    domain = statement(f"REASON {{ PRODUCE {{ {field} }} }}").fields[0].domain
    assert domain.form == form


def test_a_negative_domain_item_is_a_number() -> None:
    items = statement("REASON { PRODUCE { a: Int IN [-5, 5] } }").fields[0].domain.items
    assert [item.value for item in items] == [-5, 5]


def test_judge_keeps_questions_options_levels_and_tails() -> None:
    judge = statement(
        'JUDGE "t" { USING { form.text, age } TASK "x" a: NOUL "one?" DEFAULT false ABSTAIN BELOW 75%'
        ' b: CHOICE "two?" { c: "C", d "D" } e SCORE "three?" [ "low" "high" ] }'
    )
    assert (judge.label, judge.task, judge.using) == ("t", "x", ("form.text", "age"))
    first, second, third = judge.questions
    assert (first.form, first.text, first.abstain_below.value, show(first.default)) == ("NOUL", "one?", 0.75, "false")
    assert [(option.name, option.text) for option in second.options] == [("c", "C"), ("d", "D")]
    assert third.levels == ("low", "high")


def test_ask_delegate_and_message() -> None:
    ask, delegate, send = body(
        'ASK boss { QUESTION "ok?" REASON risk TIMEOUT 5min DEFAULT no } DELEGATE sub { INPUT { a b } EXPECT c }'
        " MESSAGE hi { TO bob PAYLOAD { x = 1, MAX 2 } }"
    )
    assert (ask.who, ask.question, ask.reason, ask.timeout.value) == ("boss", "ok?", "risk", 300.0)
    assert (delegate.to, delegate.task, delegate.inputs, delegate.expect) == ("sub", None, ("a", "b"), ("c",))
    assert (send.message, send.to, send.broadcast) == ("hi", "bob", False)
    assert [(entry.name, show(entry.value)) for entry in send.payload] == [("x", "1"), ("MAX", "2")]


@pytest.mark.parametrize(
    ("text", "limit"), [("LOOP { }", None), ("LOOP MAX 3 { }", 3), ("FOREACH v IN x MAX 2.9 { }", 2)]
)
def test_loops_keep_their_limit(text: str, limit: int | None) -> None:
    assert statement(text).limit == limit


@pytest.mark.parametrize(("text", "count"), [("RETRY", 1), ("RETRY 3", 3), ("RETRY 2.5", 2)])
def test_retry_counts(text: str, count: int) -> None:
    assert statement(text).count == count


def test_a_field_may_have_the_name_of_a_reserved_word() -> None:
    tool = agent("TOOL t { OUTPUT { a: Int VALUE: Int MAX } }").tools[0]
    assert [field.name for field in tool.outputs] == ["a", "VALUE", "MAX"]


def test_repeated_fields_point_at_the_first_one() -> None:
    parsed = parse(Source("AGENT a { GOAL g { x WEIGHT 1 WEIGHT 2 } }"))
    (finding,) = parsed.diagnostics
    assert (finding.code, finding.severity, parsed.program is not None) == ("W202", "warning", True)
    assert finding.related[0].span.start < (finding.span or (0, 0))[0]


def test_all_kinds_of_statement_have_one_place_each() -> None:
    assert isinstance(agent("LOOP { f() }").loop, declarations.LoopSpec)
    assert isinstance(statement("LOOP { f() }"), statements.Loop)
