"""Paths of expressions, their segments and their parents."""

from __future__ import annotations

import pytest

from agentl.analysis.paths import function_calls, paths, segments, with_parents
from agentl.ir.expressions import (
    Comparison,
    FunctionCall,
    ListLiteral,
    NamedArgument,
    Negation,
    Not,
    Number,
    Path,
    SharedPath,
)


def path(text: str) -> Path:
    return Path.make(path=text)


def number(text: str) -> Number:
    return Number.make(type="int", text=text)


def test_paths_are_found_in_operands_lists_and_arguments_of_both_kinds() -> None:
    call = FunctionCall.make(
        function="max",
        positional=(path("a.b"),),
        named=(NamedArgument.make(name="n", value=ListLiteral.make(items=(path("c"), number("1")))),),
    )
    expression = Not.make(operand=Comparison.make(op="IN", left=call, right=Negation.make(operand=path("d.e"))))
    assert paths(expression) == ("a.b", "c", "d.e")


def test_a_path_used_twice_is_listed_once_and_constants_are_listed() -> None:
    expression = Comparison.make(op="==", left=path("door"), right=path("door"))
    assert paths(expression) == ("door",)


def test_shared_paths_keep_their_root() -> None:
    assert paths(SharedPath.make(path="k.count")) == ("SHARED.k.count",)


def test_nothing_has_no_paths() -> None:
    assert paths(None) == ()


def test_a_function_name_is_no_path_and_nested_calls_are_found() -> None:
    inner = FunctionCall.make(function="len", positional=(path("a"),))
    outer = FunctionCall.make(function="abs", positional=(inner,))
    assert paths(outer) == ("a",)
    assert [call.function for call in function_calls(outer)] == ["abs", "len"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ("a",)),
        ("a.b.c", ("a", "b", "c")),
        ("shelf.2", ("shelf", "2")),
        ("shelf.2.5", ("shelf", "2.5")),
        ("rack.3.1.top", ("rack", "3.1", "top")),
        ("a.2.5.7", ("a", "2.5", "7")),
        ("a.b2.5", ("a", "b2", "5")),
        ("2.5.a", ("2.5", "a")),
    ],
)
def test_segments_follow_the_tokens(text: str, parts: tuple[str, ...]) -> None:
    assert segments(text) == parts


def test_parents_run_from_the_path_to_its_root() -> None:
    assert list(with_parents("rack.3.1.top")) == ["rack.3.1.top", "rack.3.1", "rack"]
