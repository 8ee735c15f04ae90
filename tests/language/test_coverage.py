"""No construct without a case file: every kind of the IR, every word of the grammar, each shown where its file says."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import get_args

import pytest

import agentl.ir
from agentl.ir.declarations import TraceAssertion
from agentl.ir.node import Node
from agentl.ir.walk import walk
from agentl.logic.functions import FUNCTIONS
from agentl.syntax.tables import load_tables
from tests.language.case_files import Case, CaseFile, CaseProgram, all_files

FILES = all_files()
# What is no word: comments, texts.
NO_WORDS = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/|\"[^\"\\]*(?:\\.[^\"\\]*)*\"", re.DOTALL)
A_FILE = [pytest.param(file, id=file.name) for file in FILES]


def kinds() -> set[str]:
    """Every kind of node there is."""
    for module in pkgutil.iter_modules(agentl.ir.__path__):
        importlib.import_module(f"agentl.ir.{module.name}")
    return {kind.model_fields["kind"].default for kind in _below(Node)}


def _below(kind: type[Node]) -> Iterator[type[Node]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)


def words() -> set[str]:
    """Every word of the grammar, those only EXPECT knows, and the functions of expressions."""
    behind_expect = {
        word for form in get_args(TraceAssertion.model_fields["form"].annotation) for word in form.split("_")
    }
    return set(load_tables().words) | behind_expect | FUNCTIONS


def test_every_kind_of_the_ir_has_a_case_file() -> None:
    covered = {kind for file in FILES for kind in file.kinds}
    assert kinds() - covered == set(), "no file below constructs/ names these in its head"
    assert covered - kinds() == set(), "no such kinds"


def test_every_word_of_the_language_has_a_case_file() -> None:
    covered = {word for file in FILES for word in file.words}
    assert words() - covered == set(), "no file below constructs/ names these in its head"
    assert covered - words() == set(), "no such words"


@pytest.mark.parametrize("file", A_FILE)
def test_a_file_shows_what_is_accepted_what_is_refused_and_what_runs(file: CaseFile) -> None:
    assert file.title
    assert file.kinds
    assert file.of_form("accepted")
    assert file.of_form("refused")
    assert file.of_form("runs", "scenarios")
    titles = [(case.form, case.title) for case in file.cases]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("file", A_FILE)
def test_the_kinds_a_file_names_are_in_its_programs(file: CaseFile) -> None:
    for forms in (("accepted",), ("runs", "scenarios")):
        shown = {kind for case in file.of_form(*forms) for program in _programs(case) for kind in _kinds_in(program)}
        assert file.kinds - shown == set(), f"in no program of the form {' or '.join(forms)}"


@pytest.mark.parametrize("file", A_FILE)
def test_the_words_a_file_names_are_in_its_programs(file: CaseFile) -> None:
    shown = {
        word.upper() if word.upper() in file.words else word
        for case in file.cases
        for block in case.section.blocks
        if block.language == "agentl" or block.language == "cases"
        for word in re.findall(r"\w+", NO_WORDS.sub(" ", block.text))
    }
    assert file.words - shown == set()


def _programs(case: Case) -> Iterator[CaseProgram]:
    if case.block("cases") is None:
        yield from (program for _, program in case.programs())
    else:
        yield from (case.filled(columns)[0] for columns, _ in case.rows())


def _kinds_in(program: CaseProgram) -> Iterator[str]:
    for _, node in walk(program.program):
        yield node.kind
