"""Lowering of decisions, hypotheses, planner, utility and scenarios (syntax.md §3.11 to §3.14)."""

from __future__ import annotations

from typing import Any, NamedTuple

from agentl.ir import declarations as ir
from agentl.ir import statements as ir_statements
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, Field, lowers
from agentl.syntax.lower.pieces import Section, split_bucket
from agentl.syntax.lower.statements import parts


@lowers("decide")
def decide(b: Builder, v: list[Any], first: int, last: int) -> Section:
    rules: list[Any] = []
    reason: ir_statements.Reason | None = None
    for item in v[2]:
        if isinstance(item, ir_statements.Reason):
            if reason is not None:
                token, before = b.spans.anchor_token(item), b.spans.anchor_token(reason)
                b.warning(messages.REPEATED_FIELD, token, before, word="REASON")
            reason = item
        else:
            rules.extend(item if isinstance(item, list) else [item])
    node = ir.Decide.make(rules=tuple(rules), reason=reason)
    return Section("decide", "DECIDE", first, b.nested(node, parts(rules, reason), first, first, last))


@lowers("decide_rules")
def decide_rules(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    rules: list[Any] = v[2]
    return rules


# --- Hypotheses -----------------------------------------------------------------------------------------------------


class _PriorFrom(NamedTuple):
    bucket: str
    key: str
    where: Any


class _Explains(NamedTuple):
    path: str
    value: Any


@lowers("hypothesis")
def hypothesis(b: Builder, v: list[Any], first: int, last: int) -> Section:
    """PRIOR and PRIOR FROM stand side by side; CONFIDENCE is an old name of PRIOR."""
    found = b.fields(v[3], several=("EVIDENCE", "PREDICT"), other_names={"CONFIDENCE": "PRIOR"})
    measured: _PriorFrom | None = found.get("FROM")
    explains: _Explains | None = found.get("EXPLAINS")
    evidence: list[ir.Evidence] = []
    for token, value in v[3]:
        if b.texts[token] in ("EVIDENCE", "PREDICT"):
            evidence.extend(value)
    node = ir.Hypothesis.make(
        name=b.name(v[1]),
        description=found.get("DESCRIPTION", ""),
        prior=found.get("PRIOR"),
        prior_bucket=measured and measured.bucket,
        prior_key=measured and measured.key,
        prior_where=measured and measured.where,
        threshold=found.get("THRESHOLD"),
        max_evidence=found.get("MAX_EVIDENCE"),
        evidence=tuple(evidence),
        explains=explains and explains.path,
        explains_value=explains and explains.value,
    )
    return Section("hypotheses", "HYPOTHESIS", first, [b.placed(node, first, first, last)])


@lowers("prior_from")
def prior_from(b: Builder, v: list[Any], first: int, last: int) -> Field:
    bucket, key = split_bucket(v[3])
    return v[2], _PriorFrom(bucket, key, v[4])


@lowers("explains")
def explains(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], _Explains(v[2], None)


@lowers("explains_value")
def explains_value(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], _Explains(v[2], v[4])


@lowers("predict")
def predict(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """PREDICT is one evidence item with the default likelihoods."""
    node = ir.Evidence.make(test=v[2], predicted=True)
    return v[0], [b.nested(node, (v[2],), first, first, last)]


@lowers("evidence")
def evidence(b: Builder, v: list[Any], first: int, last: int) -> list[ir.Evidence]:
    found = b.fields(v[1])
    node = ir.Evidence.make(test=v[0], likelihood=found.get("LIKELIHOOD"), given_not=found.get("GIVEN_NOT"))
    return [b.nested(node, (v[0],), first, first, last)]


@lowers("evidence_group")
def evidence_group(b: Builder, v: list[Any], first: int, last: int) -> list[ir.Evidence]:
    """Items of a group bear its name; an inner group's name wins."""
    name = b.name(v[1])
    return [_grouped(b, item, name) for item in v[3]]


def _grouped(b: Builder, item: ir.Evidence, name: str) -> ir.Evidence:
    if item.group is not None:
        return item
    fields = {**item.__dict__, "group": name}
    return b.moved(ir.Evidence.make(**fields), item)


@lowers("evidence_list")
def evidence_list(b: Builder, v: list[Any], first: int, last: int) -> list[ir.Evidence]:
    items: list[ir.Evidence] = v[0]
    items.extend(v[1])
    return items


# --- Planner and utility --------------------------------------------------------------------------------------------


@lowers("planner")
def planner(b: Builder, v: list[Any], first: int, last: int) -> Section:
    found = b.fields(v[2], several=("ACHIEVE", "ENABLE"))
    node = ir.Planner.make(
        achieve=tuple(found.get("ACHIEVE", ())),
        max_depth=found.get("MAX_DEPTH"),
        max_nodes=found.get("MAX_NODES"),
        approval_cost=found.get("APPROVAL_COST"),
        target_confidence=found.get("TARGET_CONFIDENCE"),
        deadline=found.get("DEADLINE"),
        time_weight=found.get("TIME_WEIGHT"),
    )
    return Section("planner", "PLANNER", first, b.placed(node, first, first, last))


@lowers("utility")
def utility(b: Builder, v: list[Any], first: int, last: int) -> Section:
    return Section("utility", "UTILITY", first, tuple(v[2]))


@lowers("utility_term")
def utility_term(b: Builder, v: list[Any], first: int, last: int) -> ir.UtilityTerm:
    return _utility_term(b, v[0], v[3], "", first, last)


@lowers("utility_term_negative")
def utility_term_negative(b: Builder, v: list[Any], first: int, last: int) -> ir.UtilityTerm:
    return _utility_term(b, v[0], v[4], "-", first, last)


def _utility_term(b: Builder, condition: Any, token: int, sign: str, first: int, last: int) -> ir.UtilityTerm:
    node = ir.UtilityTerm.make(condition=condition, value=b.number(token, sign))
    return b.nested(node, (condition,), first, first, last)


# --- Scenarios ------------------------------------------------------------------------------------------------------

# Words after EXPECT, upper-cased -> the form of the assertion.
_FORMS = {
    ("CALL",): "CALL",
    ("NEVER", "CALL"): "NEVER_CALL",
    ("BLOCKED",): "BLOCKED",
    ("EVENT",): "EVENT",
}


class _Item(NamedTuple):
    """A part of a scenario: the field of the IR's Scenario, and what is added to it."""

    field: str
    token: int
    values: Any


@lowers("scenario")
def scenario(b: Builder, v: list[Any], first: int, last: int) -> Section:
    lists: dict[str, list[Any]] = {"given": [], "stimuli": [], "expect": [], "assertions": []}
    within: _Item | None = None
    for item in v[3]:
        if item.field != "within":
            lists[item.field].extend(item.values)
            continue
        if within is not None:
            b.warning(messages.REPEATED_FIELD, item.token, within.token, word="WITHIN")
        within = item
    name = b.name(v[1])
    has_expectation = any(item.field in ("expect", "assertions") for item in v[3])
    if not has_expectation and not b.is_damaged(first):
        b.error(messages.NOTHING_EXPECTED, first, v[1], name=name)
    fields = {key: tuple(items) for key, items in lists.items()}
    node = ir.Scenario.make(name=name, within=None if within is None else within.values, **fields)
    return Section("scenarios", "SCENARIO", first, [b.placed(node, first, first, last)])


@lowers("given")
def given(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    return _Item("given", first, v[2])


@lowers("given_event")
def given_event(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    node = ir.Stimulus.make(form="EVENT", name=v[2], payload=tuple(v[4]))
    return _Item("stimuli", first, [b.placed(node, first, first, last)])


@lowers("given_message")
def given_message(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    node = ir.Stimulus.make(form="MESSAGE", name=v[2], sender=b.name(v[4]), payload=tuple(v[6]))
    return _Item("stimuli", first, [b.placed(node, first, first, last)])


@lowers("expect")
def expect(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    return _Item("expect", first, v[2])


@lowers("expect_trace")
def expect_trace(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    return _assertion(b, (b.texts[v[1]],), v[2], first, last)


@lowers("expect_trace_two")
def expect_trace_two(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    return _assertion(b, (b.texts[v[1]], b.texts[v[2]]), v[3], first, last)


def _assertion(b: Builder, words: tuple[str, ...], target: str, first: int, last: int) -> _Item:
    """The words are read in any case; CALL, BLOCKED, NO and ERROR are not reserved (syntax.md §3.14)."""
    upper = tuple(word.upper() for word in words)
    form = _FORMS.get(upper)
    if (*upper, target.upper()) == ("NO", "ERROR"):
        form, target = "NO_ERROR", ""
    if form is None:
        b.error(messages.EXPECT_WORDS, first, last, words=" ".join((*words, target)))
    node = ir.TraceAssertion.make(form=form, target=target)
    return _Item("assertions", first, [b.placed(node, first, first, last)])


@lowers("within")
def within(b: Builder, v: list[Any], first: int, last: int) -> _Item:
    """Cut to a whole number of ticks."""
    return _Item("within", first, int(v[2].value))
