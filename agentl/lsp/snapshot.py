"""Snapshot: all that is known of one state of a document; made away from the loop that answers the editor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agentl.analysis.model import AgentModel, ProgramModel
from agentl.diagnostics import Diagnostic, Source
from agentl.ir.program import Program
from agentl.lsp.collect import collect
from agentl.lsp.index import Index
from agentl.lsp.lint import lint
from agentl.lsp.tree import Tree, grow
from agentl.lsp.words import words_of
from agentl.lsp.workspace_files import EditedModules, OpenText
from agentl.syntax.parser import parse
from agentl.syntax.reading import Parsed


@dataclass(frozen=True)
class Snapshot:
    """A text with its parse and, once it was checked, its findings. `serial` counts the states of the document."""

    serial: int
    parsed: Parsed

    @property
    def source(self) -> Source:
        return self.parsed.source

    @property
    def program(self) -> Program | None:
        return self.parsed.program

    @cached_property
    def tree(self) -> Tree:
        return grow(self.source)

    @cached_property
    def index(self) -> Index:
        """The names of the text and of all it imports."""
        return Index([collect(self.tree), *(collect(grow(source)) for source in self.parsed.modules.values())])

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The words that stand beside each path."""
        return words_of(collected.tree for collected in self.index.files)

    def source_of(self, file: int) -> Source:
        """Return a text of the index."""
        return self.index.files[file].tree.source

    @property
    def is_good(self) -> bool:
        """Is the text itself a program? What it imports may be wrong."""
        return self.tree.is_whole

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What counts of what the parser and the rules found; asked for the first time, it is what takes long."""
        return lint(self.parsed)

    @property
    def is_checked(self) -> bool:
        return "findings" in self.__dict__

    @property
    def known_findings(self) -> tuple[Diagnostic, ...]:
        """The findings if the text has been checked; none before."""
        return self.findings if self.is_checked else ()

    @cached_property
    def models(self) -> tuple[AgentModel, ...]:
        """The agents of the program, with what they use; none when there is no program."""
        return () if self.program is None else ProgramModel(self.program, self.parsed, "reference", None).agents


def take(source: Source, serial: int, open_text: OpenText) -> Snapshot:
    """Parse a text with what it imports. Never raises for what texts hold."""
    folder = None if source.name.startswith("<") else Path(source.name).parent
    return Snapshot(serial, parse(source, EditedModules(folder, open_text)))
