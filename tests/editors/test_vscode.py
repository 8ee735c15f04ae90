"""The extension for VS Code: its files are right, and its grammar is the language's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentl import __version__
from agentl.cli.group import command_names
from agentl.diagnostics import Source
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import tokenize

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "editors" / "vscode"


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


GRAMMAR = read("syntaxes/agentl.tmLanguage.json")


def patterns(group: str) -> Iterator[dict[str, str]]:
    yield from GRAMMAR["repository"][group]["patterns"]


def words_in(pattern: str) -> list[str]:
    return re.findall(r"[A-Z_]{2,}", pattern.replace("A-Z", "").replace("A-Za-z", ""))


def test_every_file_that_is_named_is_there() -> None:
    package = read("package.json")
    contributed = package["contributes"]
    named = [package["main"], contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"]]
    assert [name for name in named if not (FOLDER / name).is_file()] == []
    assert contributed["languages"][0]["extensions"] == [".agent"]
    assert contributed["grammars"][0]["scopeName"] == GRAMMAR["scopeName"]
    assert package["version"] == __version__
    command, name = contributed["configuration"]["properties"]["agentl.command"]["default"]
    assert command == "agentl"
    assert name in command_names()
    assert read("language-configuration.json")["comments"]["lineComment"] == "//"


def test_its_keywords_are_the_reserved_words_each_once() -> None:
    found = [word for pattern in patterns("keywords") for word in words_in(pattern["match"])]
    assert sorted(found) == sorted(load_tables().words)


def test_every_group_is_included() -> None:
    assert {each["include"] for each in GRAMMAR["patterns"]} == {f"#{name}" for name in GRAMMAR["repository"]}


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*/*.agent"))[::3], ids=lambda file: file.stem)
def test_its_patterns_match_the_tokens_of_the_language(file: Path) -> None:
    """The first group that matches at a token's place takes the whole token, and is the group meant for it."""
    tables = load_tables()
    groups = {"STR": "strings", "NUM": "numbers", "PCT": "numbers", "DUR": "numbers", "DATETIME": "dates"}
    tokens = tokenize(Source(file.read_text(encoding="utf-8")))
    text = tokens.source.text
    order = [each["include"][1:] for each in GRAMMAR["patterns"]]
    for at, kind in enumerate(tokens.kinds[:-1]):
        terminal = tables.terminals[kind]
        before = tokens.texts[at - 1] if at else ""
        group = groups.get(terminal) or ("keywords" if kind >= tables.first_word and before != "." else None)
        if group is None:
            continue
        matched = next(
            (name for name in order if any(_matches(each, text, tokens.starts[at]) for each in patterns(name))), ""
        )
        assert matched == group, tokens.texts[at]
    for comment in tokens.comments:
        assert any(_matches(each, text, comment.start) for each in patterns("comments"))


def _matches(pattern: dict[str, str], text: str, start: int) -> bool:
    return re.compile(pattern.get("match") or pattern["begin"], re.MULTILINE).match(text, start) is not None
