"""Programs beside files that they import, all given as texts."""

from __future__ import annotations

from agentl.diagnostics import Source
from agentl.ir.program import Agent, Program
from agentl.syntax.module_files import FolderModules, KeptModules
from agentl.syntax.parser import Parsed, parse


class Texts(KeptModules):
    """The files of one test, and the shipped modules."""

    def find(self, name: str) -> Source:
        return super().find(name) if name.endswith(".agent") else FolderModules(None).find(name)


def read(main: str, **files: str) -> Parsed:
    """Parse a program beside files `<name>.agent`; a name with two underscores is one in a folder."""
    texts = {f"{name.replace('__', '/')}.agent": text for name, text in files.items()}
    return parse(Source(main, "main.agent"), Texts(texts))


def agent(main: str, **files: str) -> Agent:
    return program(main, **files).agents[0]


def program(main: str, **files: str) -> Program:
    parsed = read(main, **files)
    assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
    return parsed.program


def findings(main: str, **files: str) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in read(main, **files).diagnostics]
