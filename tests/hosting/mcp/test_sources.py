"""Sources of tools: configs, captured lists, and everything that is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.command import ServerCommand
from agentl.hosting.mcp.endpoint import Endpoint
from agentl.hosting.mcp.sources import Captured, Config, read_source, source_of


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_a_config_names_servers_by_either_word(key: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({key: {"bank": {"command": "bank", "args": ["-v"], "env": {"A": "1"}, "cwd": "/"}}}))
    found = read_source(file)
    assert isinstance(found, Config)
    assert found.server("bank") == ServerCommand("bank", "bank", ("-v",), {"A": "1"}, "/")


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


@pytest.mark.parametrize("entry", [3, {}, {"args": []}, {"command": "b", "url": "https://example.org/mcp"}])
def test_an_entry_is_either_a_process_or_an_address(entry: Any) -> None:
    with pytest.raises(HostError, match="needs either a `command` to start it or a `url` to reach it"):
        Config({"bank": entry}).server("bank")


def test_an_entry_with_an_address_is_read_as_one() -> None:
    config = Config({"bank": {"url": "http://example.org/mcp"}})
    assert config.server("bank", allow_http=True) == Endpoint("bank", "http://example.org/mcp")


def test_a_server_the_config_does_not_have_is_named_with_those_it_has() -> None:
    with pytest.raises(HostError) as caught:
        Config({"bank": {}, "mail": {}}).server("post")
    assert caught.value.diagnostics[0].help() == "it has: bank, mail"
