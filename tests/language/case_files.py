"""Case files of constructs, `constructs/**/*.md`: one document a construct, read into cases.

The head of a file says which kinds of the IR and which words of the grammar it covers:

    - kinds: `foreach`
    - words: `FOREACH` `IN` `MAX`

Each heading of level two is a case; its first word says of which form.

- `accepted: …`   blocks `agentl`, programs without errors. A block `agentl same` means what the block before it means.
- `refused: …`    blocks `agentl`, each with a block `text`: the findings, as in the case files of the rules.
- `runs: …`       a block `agentl`, `host` (see staging.py), `trace` (`trace ERROR` only these kinds), `calls` (what the
                  host was asked; `calls ask` only these lines), `state` (see playing.py).
                  With `$1`, `$2` … in the program or host and a block `cases` it is run once a row: the columns of a
                  row stand for `$1`, `$2` …, behind the arrow is what the host was asked. `cases ERROR BLOCKED` looks
                  at trace lines of these kinds, `cases state x.y` at the value of a path.
- `scenarios: …`  a block `agentl` and a block `report`: what `agentl test` reports.

A block `agentl rules.agent` is a file beside the program. Marks are as in the case files of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from agentl.analysis.check import check
from agentl.diagnostics import Diagnostic, Source
from agentl.ir.program import Program
from agentl.syntax.module_files import FolderModules
from agentl.syntax.parser import Parsed, parse
from tests.literate import Block, Section, marks, read_sections, show

FOLDER = Path(__file__).parent / "constructs"
FORMS = ("accepted", "refused", "runs", "scenarios")
COVERED = re.compile(r"^- (kinds|words): (.*)$")
FILE = re.compile(r"[\w/-]+\.agent")
ARROW = "→"


@dataclass(frozen=True)
class CaseProgram:
    """A program of a case file; `files` are those beside it, by name."""

    text: str
    files: tuple[tuple[str, str], ...] = ()

    @cached_property
    def parsed(self) -> Parsed:
        with TemporaryDirectory() as folder:
            for name, text in self.files:
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return parse(Source(self.text, "case.agent"), FolderModules(Path(folder)))

    @property
    def program(self) -> Program:
        assert self.parsed.program is not None, show(self.parsed.diagnostics)
        return self.parsed.program

    @property
    def marks(self) -> list[tuple[int, str]]:
        return marks(self.text)

    @property
    def findings(self) -> list[Diagnostic]:
        """What the parser says, every error, and the warnings of rules that the program marks."""
        marked = {code for _, code in self.marks}
        said = {finding.code for finding in self.parsed.diagnostics}
        found = check(self.parsed, "strict")
        return [each for each in found if each.severity == "error" or each.code in said | marked]


@dataclass(frozen=True)
class Case:
    """One case: its form, and its blocks in order."""

    file: str
    form: str
    title: str
    section: Section

    @property
    def name(self) -> str:
        return f"{self.file}: {self.form}: {self.title}"

    def programs(self) -> Iterator[tuple[Block, CaseProgram]]:
        """The programs with the blocks they stand in."""
        files = tuple((block.more, block.text) for block in self.section.blocks if is_file(block))
        for block in self.section.blocks:
            if block.language == "agentl" and not is_file(block):
                yield block, CaseProgram(block.text, files)

    def block(self, language: str) -> Block | None:
        """The block of a language, None when there is none."""
        found = [block for block in self.section.blocks if block.language == language]
        assert len(found) <= 1, f"{self.name}: more than one block {language}"
        return found[0] if found else None

    def text(self, language: str) -> str:
        """The text of the block of a language, "" when there is none."""
        block = self.block(language)
        return "" if block is None else block.text

    def program(self) -> CaseProgram:
        """The only program of a case that runs."""
        ((_, program),) = self.programs()
        return program

    def rows(self) -> list[tuple[list[str], str]]:
        """The rows of the block `cases`: what stands for $1, $2 …, and what is expected."""
        rows = []
        for line in self.text("cases").splitlines():
            columns, arrow, expected = line.rpartition(ARROW)
            assert arrow, f"{self.name}: a row without {ARROW}: {line}"
            rows.append(([column.strip() for column in columns.split(" | ")], expected.strip()))
        return rows

    def filled(self, columns: list[str]) -> tuple[CaseProgram, str]:
        """Program and host with the columns of a row in place of $1, $2 …"""

        def fill(text: str) -> str:
            return re.sub(r"\$(\d)", lambda match: columns[int(match.group(1)) - 1], text)

        program = self.program()
        return CaseProgram(fill(program.text), program.files), fill(self.text("host"))


@dataclass(frozen=True)
class CaseFile:
    """A construct: the kinds and words its head names, and its cases."""

    path: Path
    title: str
    kinds: frozenset[str]
    words: frozenset[str]
    cases: tuple[Case, ...]

    @property
    def name(self) -> str:
        return self.path.relative_to(FOLDER).with_suffix("").as_posix()

    def of_form(self, *forms: str) -> list[Case]:
        return [case for case in self.cases if case.form in forms]


def is_file(block: Block) -> bool:
    """Whether a block is a file beside the program."""
    return block.language == "agentl" and FILE.fullmatch(block.more) is not None


def read_file(path: Path) -> CaseFile:
    """Read one case file."""
    name = path.relative_to(FOLDER).with_suffix("").as_posix()
    head, *sections = read_sections(path)
    assert head.level == 1 and not head.blocks, f"{name}: begins with its title"
    covered: dict[str, set[str]] = {"kinds": set(), "words": set()}
    for line in head.prose:
        if match := COVERED.match(line):
            covered[match.group(1)].update(re.findall(r"`([^`]+)`", match.group(2)))
    cases = []
    for section in sections:
        form, colon, title = section.title.partition(": ")
        assert section.level == 2 and colon and form in FORMS, f"{name}: a case is none of {FORMS}: {section.title}"
        cases.append(Case(name, form, title, section))
    return CaseFile(path, head.title, frozenset(covered["kinds"]), frozenset(covered["words"]), tuple(cases))


def all_files() -> list[CaseFile]:
    """Every case file, by path."""
    return [read_file(path) for path in sorted(FOLDER.rglob("*.md"))]
