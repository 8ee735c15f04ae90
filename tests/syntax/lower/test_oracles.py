"""REASON and JUDGE as nodes (syntax.md §4.1, §4.2)."""

from __future__ import annotations

import pytest

from tests.syntax.reading import show, statement


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
