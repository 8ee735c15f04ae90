"""Compiled IR in tests: a readable text with the digest, and a syrupy extension that keeps such texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from syrupy.extensions.amber import AmberSnapshotExtension

from agentl.diagnostics import AgentLError
from agentl.ir.program import Program
from agentl.logic.outline import outline
from agentl.syntax.parser import parse_file


class CompiledIR(str):
    """The outline of a program (digest first, then a line for every node), with the program itself."""

    program: Program
    digest: str

    @classmethod
    def of(cls, program: Program) -> CompiledIR:
        """Return the text of a program."""
        text = cls(outline(program))
        text.program = program
        text.digest = text.split("\n", 1)[0].removeprefix("digest ")
        return text

    @classmethod
    def of_file(cls, path: Path) -> CompiledIR:
        """Return the text of a program file. Raises OSError, and ParseError when it is no program."""
        return cls.of(parse_file(path))


class IRSnapshotExtension(AmberSnapshotExtension):
    """Keeps the outline of whatever is compared: a Program, a path of one, or a CompiledIR.

    All snapshots of a test file stand in one file, sorted by the name of the test, so that two names which differ only
    in case never share one.
    """

    file_extension = "ir"

    def serialize(self, data: Any, **kwargs: Any) -> str:
        if isinstance(data, Program):
            data = CompiledIR.of(data)
        elif isinstance(data, Path):
            data = CompiledIR.of_file(data)
        return super().serialize(str(data) if isinstance(data, CompiledIR) else data, **kwargs)


def told(error: AgentLError) -> str:
    """What is wrong with a program, as `agentl check` says it."""
    from agentl.diagnostics.render.text import render_text

    return render_text(error.diagnostics)
