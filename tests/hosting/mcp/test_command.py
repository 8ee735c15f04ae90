"""Entries that start a process."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.command import ServerCommand, command_of


def test_variables_are_filled_from_the_environment_and_a_missing_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_TOKEN", "t-1")
    entry = {"command": "b", "args": ["${BANK_TOKEN}!"], "env": {"T": "${BANK_TOKEN}"}}
    assert command_of("bank", entry) == ServerCommand("bank", "b", ("t-1!",), {"T": "t-1"})
    monkeypatch.delenv("BANK_TOKEN")
    with pytest.raises(HostError, match="`BANK_TOKEN` is not set"):
        command_of("bank", entry)


def test_what_its_environment_calls_a_credential_is_secret_and_not_shown() -> None:
    entry = {"command": "b", "env": {"BANK_TOKEN": "s3cret-0123456789", "HOME": "/home/somebody"}}
    command = command_of("bank", entry)
    assert command.secrets == ("s3cret-0123456789",)
    assert "s3cret" not in repr(command)


@pytest.mark.parametrize(
    "entry",
    [
        {"command": ""},
        {"command": "b", "args": "x"},
        {"command": "b", "env": {"A": 1}},
        {"command": "b", "cwd": 1},
    ],
)
def test_an_entry_that_starts_no_process_is_refused(entry: Any) -> None:
    with pytest.raises(HostError, match="`bank` cannot be used"):
        command_of("bank", entry)
