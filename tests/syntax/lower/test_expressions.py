"""Expressions as nodes (syntax.md §2)."""

from __future__ import annotations

import pytest

from tests.syntax.reading import condition, show


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
        ('a IN [x y, "z" 4]', "(a IN list(x, y, 'z', 4))"),
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
