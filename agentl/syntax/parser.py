"""Text to Parsed, with what it imports; the entry of this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agentl.diagnostics import LexError, ParseError, Source
from agentl.ir.program import Program
from agentl.syntax.origins import remember
from agentl.syntax.reading import Parsed as Parsed
from agentl.syntax.reading import decode_source as decode_source
from agentl.syntax.reading import read_text

if TYPE_CHECKING:
    from agentl.syntax.module_files import ModuleFiles


def parse(source: Source, modules: ModuleFiles | None = None) -> Parsed:
    """Parse a program and bring in what it imports. Never raises on a bad program: all that is wrong is a finding.

    `modules` finds the imported texts; by default they are the shipped ones and the files of the folder that the
    source's name stands in (none for a name in angle brackets, such as `<stdin>`). A text without IMPORT, MODULE and
    USE reads no other file.
    """
    parsed = read_text(source)
    program = parsed.program
    if program is None or not (program.imports or program.modules or any(agent.uses for agent in program.agents)):
        return parsed
    from agentl.syntax.module_files import folder_of
    from agentl.syntax.modules import join

    return join(parsed, folder_of(source) if modules is None else modules)


def parse_source(text: str, filename: str = "<source>") -> Program:
    """Return the program of a text.

    Raises LexError when a character or token is wrong, else ParseError when the text is not a program; both hold
    all diagnostics of the text. Warnings alone raise nothing. Files it imports are looked for beside `filename`.
    """
    return program_of(parse(Source(text, filename)))


def program_of(parsed: Parsed) -> Program:
    """Return the program of a parse; raises as `parse_source` does."""
    if parsed.program is not None:
        remember(parsed)
        return parsed.program
    lexical = any(each.severity == "error" and each.code.startswith("P1") for each in parsed.diagnostics)
    raise (LexError if lexical else ParseError)(*parsed.diagnostics)


def parse_file(path: str | Path) -> Program:
    """Return the program of a file. Raises OSError, and what `parse_source` and `read_source` raise."""
    return program_of(parse(read_source(path)))


def read_source(path: str | Path) -> Source:
    """Read a file as UTF-8. Raises OSError, and what `decode_source` raises."""
    return decode_source(Path(path).read_bytes(), str(path))
