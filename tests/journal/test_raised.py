"""Recorded errors come back under their class name and with their text (durable.md §2.2)."""

from __future__ import annotations

import pytest

from agentl.journal.raised import rebuild
from agentl.kernel.errors import ActionInDoubt


@pytest.mark.parametrize(
    ("class_name", "text"),
    [
        ("ValueError", "bad"),
        ("TimeoutError", "probe took too long"),
        ("KeyError", "'gone'"),
        ("UnicodeDecodeError", "'utf-8' codec can't decode byte 0xff"),
        ("BankClosed", "come back tomorrow"),
        ("KeyboardInterrupt", ""),
        ("SystemExit", "1"),
        ("print", "not a class"),
        ("ActionInDoubt", "no answer"),
        ("StopIteration", "x"),
    ],
)
def test_class_name_and_text_are_those_recorded(class_name: str, text: str) -> None:
    error = rebuild(class_name, text)
    assert isinstance(error, Exception)
    assert (type(error).__name__, str(error)) == (class_name, text)


def test_known_classes_are_caught_as_themselves() -> None:
    assert type(rebuild("ValueError", "x")) is ValueError
    assert isinstance(rebuild("KeyError", "'x'"), KeyError)
    assert type(rebuild("ActionInDoubt", "x")) is ActionInDoubt


def test_an_interrupt_of_the_process_is_never_rebuilt_as_one() -> None:
    assert not isinstance(rebuild("KeyboardInterrupt", ""), KeyboardInterrupt)
