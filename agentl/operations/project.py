"""A served folder: its programs, its manifest and its references, read once (operations-contract.md §6 Folder)."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentl.diagnostics import ParseError, Source
from agentl.diagnostics.refusals import reason
from agentl.hosting.manifest import Binding, Manifest, read_manifest
from agentl.ir.program import Agent
from agentl.messages import operations as say
from agentl.operations.problems import Problem
from agentl.syntax.parser import parse
from agentl.syntax.reading import Parsed

LARGEST = 1 << 20
CONFIGURATION = "agentl.toml"


class ProjectError(ParseError):
    """A served folder that cannot be used: unreadable, or two agents of one name."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Target:
    """One plan of one agent, in the program text it stands in."""

    agent: Agent
    plan: str
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class Project:
    """`agents` by name, with the text each stands in; `references`: what an input may refer to, by name."""

    path: str
    agents: Mapping[str, tuple[Agent, Parsed]]
    manifest: Manifest | None
    references: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Project:
        """Read a folder's `.agent` files, manifest and `[inputs.references]`.

        ProjectError for a folder that cannot be read and for two agents of one name (ignoring case), ParseError for a
        program that is none, ManifestError.
        """
        path = Path(folder)
        if not path.is_dir():
            raise ProjectError.of(say.NO_FOLDER, path=os.fspath(folder))
        agents: dict[str, tuple[Agent, Parsed]] = {}
        for name in sorted(found.name for found in path.iterdir() if found.name.endswith(".agent")):
            for agent, parsed in _agents_of(path / name):
                known = {each.lower(): each for each in agents}
                if agent.name.lower() in known:
                    raise ProjectError.of(say.AGENT_TWICE, agent=agent.name, path=os.fspath(folder))
                agents[agent.name] = agent, parsed
        resolved = os.path.realpath(folder)
        return cls(resolved, agents, read_manifest(path), _references(path))

    def target(self, agent: str, plan: str) -> Target:
        """The plan an operation names. Problem TargetUnknown."""
        found = self.agents.get(agent)
        if found is None:
            raise _unknown("agent", agent, self.agents)
        plans = [each.name for each in found[0].plans]
        if plan not in plans:
            raise _unknown("plan", plan, plans)
        return Target(found[0], plan, found[1])

    def bindings(self, agent: str, tools: tuple[str, ...]) -> dict[str, Binding]:
        """The bindings of an agent's tools by tool name, of those that have one."""
        bound = self.manifest.bindings if self.manifest is not None else {}
        found = {tool: bound.get(f"tool:{agent}/{tool}") for tool in tools}
        return {tool: binding for tool, binding in found.items() if binding is not None}


def _unknown(what: str, name: str, known: object) -> Problem:
    names = ", ".join(sorted(map(str, known))) if isinstance(known, Mapping | list) else ""
    return Problem("TargetUnknown", {"what": what, "name": name}, known=names or "none")


def _agents_of(path: Path) -> list[tuple[Agent, Parsed]]:
    source = Source(_text_of(path), os.fspath(path))
    parsed = parse(source)
    if parsed.program is None:
        raise ParseError(*parsed.diagnostics)
    return [(agent, parsed) for agent in parsed.program.agents]


def _text_of(path: Path) -> str:
    """A regular file of at most 1 MiB, never through a link."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                raise ProjectError.of(say.NOT_A_PROGRAM_FILE, path=os.fspath(path), most=LARGEST)
            with os.fdopen(os.dup(fd), "rb") as file:
                return file.read(LARGEST + 1).decode("utf-8-sig")
        finally:
            os.close(fd)
    except (OSError, UnicodeDecodeError) as error:
        told = reason(error) if isinstance(error, OSError) else "UTF-8"
        raise ProjectError.of(say.UNREADABLE, path=os.fspath(path), reason=told) from error


def _references(path: Path) -> dict[str, str]:
    """`[inputs.references]` of agentl.toml: name → where the value is, `env:NAME` or `file:PATH`."""
    if not (path / CONFIGURATION).is_file():  # a pipe of that name would be waited for
        return {}
    try:
        data = (path / CONFIGURATION).read_bytes()
    except OSError:
        return {}
    try:
        found = tomllib.loads(data.decode("utf-8")).get("inputs", {}).get("references", {})
    except (ValueError, AttributeError) as error:
        raise ProjectError.of(say.UNREADABLE, path=os.fspath(path / CONFIGURATION), reason=str(error)) from error
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ProjectError.of(say.UNREADABLE, path=os.fspath(path / CONFIGURATION), reason="[inputs.references]")
    return dict(found)
