"""Literate case files: markdown whose fenced blocks are programs, what they run against, and what is expected of them.

`# error: E001, E001` or `# warning: W220` at the end of a line of a program says that the line gives these findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agentl.diagnostics import Diagnostic

HEADING = re.compile(r"^(#+) (.*)$")
MARK = re.compile(r"# (?:error|warning): ([A-Z]\d{3}(?:, [A-Z]\d{3})*)\s*$")


@dataclass(frozen=True)
class Block:
    """A fenced block: what stands on its fence, its text, and the line its text begins on."""

    fence: str
    text: str
    line: int

    @property
    def language(self) -> str:
        """The first word of the fence."""
        return self.fence.partition(" ")[0]

    @property
    def more(self) -> str:
        """What follows the language."""
        return self.fence.partition(" ")[2].strip()


@dataclass
class Section:
    """A heading (`level` is how many `#` it has) with the blocks and the prose below it, up to the next heading."""

    level: int
    title: str
    line: int
    blocks: list[Block] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)


def read_sections(path: Path) -> list[Section]:
    """Return the sections of a case file in order."""
    return list(_sections(path.read_text(encoding="utf-8").splitlines(), path.name))


def _sections(lines: list[str], name: str) -> Iterator[Section]:
    section: Section | None = None
    fence: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        if line.startswith("```"):
            assert section is not None, f"{name}:{number}: a block before the first heading"
            if fence is None:
                fence = (number + 1, line[3:].strip())
            else:
                first, info = fence
                text = "".join(f"{each}\n" for each in lines[first - 1 : number - 1])
                section.blocks.append(Block(info, text, first))
                fence = None
        elif fence is None and (match := HEADING.match(line)):
            if section is not None:
                yield section
            section = Section(len(match.group(1)), match.group(2), number)
        elif fence is None and section is not None:
            section.prose.append(line)
    assert fence is None, f"{name}: a block is not closed"
    if section is not None:
        yield section


def marks(program: str) -> list[tuple[int, str]]:
    """The findings a program's own marks announce: (line, code), sorted."""
    found = []
    for number, line in enumerate(program.splitlines(), start=1):
        match = MARK.search(line)
        found += [(number, code) for code in match.group(1).split(", ")] if match else []
    return sorted(found)


def show(findings: Iterable[Diagnostic]) -> str:
    """What findings look like: place, code and message, help, related places, fixes, one line each."""
    lines = []
    for finding in findings:
        start, end = finding.start, finding.end
        assert start is not None and end is not None
        place = f"{start.line}:{start.column}-{end.line}:{end.column}"
        lines.append(f"{place} {finding.code} {finding.text('en')}")
        if finding.help("en"):
            lines.append(f"help: {finding.help('en')}")
        for related in finding.related:
            source = related.source or finding.source
            start, end = source.position(related.span.start), source.position(related.span.end)
            place = f"{start.line}:{start.column}-{end.line}:{end.column}"
            lines.append(f"related {place}: {related.text.text('en', **related.arguments)}")
        lines += [f"fix {'safe' if fix.safe else 'unsafe'}: {fix.title.text('en')}" for fix in finding.fixes]
    return "\n".join(lines)
