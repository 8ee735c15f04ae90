"""Sources of tools: configs, captured lists, and everything that is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.sources import Captured, Config, ServerCommand, read_source, source_of


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_a_config_names_servers_by_either_word(key: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({key: {"bank": {"command": "bank", "args": ["-v"], "env": {"A": "1"}, "cwd": "/"}}}))
    found = read_source(file)
    assert isinstance(found, Config)
    assert found.command("bank") == ServerCommand("bank", "bank", ("-v",), {"A": "1"}, "/")


@pytest.mark.parametrize("data", [{"tools": [{"name": "a"}]}, {"id": 1, "result": {"tools": [{"name": "a"}]}}])
def test_a_captured_list_is_the_answer_or_what_is_in_it(data: Any) -> None:
    assert source_of(data) == Captured(({"name": "a"},))


@pytest.mark.parametrize("data", [[], 3, {}, {"tools": 3}, {"result": []}, {"tools": [], "nextCursor": "2"}])
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(HostError, match="is no source of MCP tools"):
        source_of(data)


def test_a_file_that_is_not_json_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff{")
    with pytest.raises(HostError, match="not JSON"):
        read_source(tmp_path / "x.json")


def test_variables_are_filled_from_the_environment_and_a_missing_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_TOKEN", "t-1")
    config = Config({"bank": {"command": "b", "args": ["${BANK_TOKEN}!"], "env": {"T": "${BANK_TOKEN}"}}})
    assert config.command("bank") == ServerCommand("bank", "b", ("t-1!",), {"T": "t-1"})
    monkeypatch.delenv("BANK_TOKEN")
    with pytest.raises(HostError, match="`BANK_TOKEN` is not set"):
        config.command("bank")


@pytest.mark.parametrize(
    "entry",
    [
        3,
        {"url": "https://example.org/mcp"},
        {"command": ""},
        {"command": "b", "args": "x"},
        {"command": "b", "env": {"A": 1}},
        {"command": "b", "cwd": 1},
    ],
)
def test_an_entry_that_starts_no_process_is_refused(entry: Any) -> None:
    with pytest.raises(HostError, match="`bank` cannot be used"):
        Config({"bank": entry}).command("bank")


def test_a_server_the_config_does_not_have_is_named_with_those_it_has() -> None:
    with pytest.raises(HostError) as caught:
        Config({"bank": {}, "mail": {}}).command("post")
    assert caught.value.diagnostics[0].help() == "it has: bank, mail"
