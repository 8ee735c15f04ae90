"""Which findings stand at which file when several programs find some in one module."""

from __future__ import annotations

from lsprotocol.types import Diagnostic, Position, Range

from agentl.lsp.board import Board


def finding(line: int, message: str) -> Diagnostic:
    return Diagnostic(Range(Position(line, 0), Position(line, 1)), message)


def test_what_several_programs_find_in_a_module_is_told_once_and_in_order() -> None:
    board = Board()
    one, two, three = finding(1, "one"), finding(2, "two"), finding(3, "three")
    assert board.replace("a", {"a": [one], "m": [two, three]}) == {"a": [one], "m": [two, three]}
    assert board.replace("b", {"b": [], "m": [two, one]}) == {"b": [], "m": [two, three, one]}
    assert board.replace("a", {"a": []}) == {"a": [], "m": [two, one]}
    assert board.replace("b", {}) == {"b": [], "m": []}
