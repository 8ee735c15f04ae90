"""Every construct as a readable document: what is accepted, what is refused, what runs and how (case_files.py)."""

from __future__ import annotations

from functools import cache

import pytest

from agentl.durable import MemoryStore
from agentl.ir.digest import program_digest
from tests.language.case_files import Case, all_files
from tests.language.playing import play, play_asynchronously, play_durably
from tests.language.results import Result, outcome, results
from tests.language.rewriting import IS_WANTED, rewrite
from tests.literate import Block

if IS_WANTED:
    for each in all_files():
        rewrite(each)

HOLD_RESULTS = {"text", "trace", "calls", "state", "report"}
CASES = [case for file in all_files() for case in file.cases]
RUNS = [case for case in CASES if case.form == "runs"]
ROWS = [(case, columns, expected) for case in RUNS if case.block("cases") for columns, expected in case.rows()]
# Rounds of an asynchronous society are synchronised, so that its runs are others (semantics.md §25).
OF_ONE_AGENT = [case for case in RUNS if case.block("cases") is None and len(case.program().program.agents) == 1]
# An inbox that is filled by hand is in no journal.
JOURNALED = [case for case in OF_ONE_AGENT if "\nmessage " not in f"\n{case.text('host')}"]


def blocks() -> list[pytest.param]:
    """Every block that holds results, each a test; rows are tests of their own."""
    return [
        pytest.param(case, block, id=f"{case.name}: {block.language} {index}")
        for case in CASES
        if case.block("cases") is None
        for index, block in enumerate(case.section.blocks, start=1)
        if block.language in HOLD_RESULTS
    ]


@cache
def found_in(name: str) -> list[Result]:
    """The results of a case by its name: a case is run once, however many blocks it has."""
    (case,) = [case for case in CASES if case.name == name]
    return list(results(case))


def programs(*forms: str) -> list[pytest.param]:
    """Every program of these forms of case, each a test; programs of rows are whole only once they are filled."""
    return [
        pytest.param(case, index, id=f"{case.name}: program {index + 1}")
        for case in CASES
        if case.form in forms and case.block("cases") is None
        for index, _ in enumerate(case.programs())
    ]


@pytest.mark.parametrize(("case", "index"), programs("accepted", "runs", "scenarios"))
def test_a_program_gives_exactly_the_findings_it_marks(case: Case, index: int) -> None:
    _, program = list(case.programs())[index]
    found = sorted((finding.line, finding.code) for finding in program.findings)
    assert found == program.marks, [finding.render("en") for finding in program.findings]
    if case.form == "accepted":
        assert all(finding.severity != "error" for finding in program.findings)


@pytest.mark.parametrize(("case", "index"), programs("accepted"))
def test_another_way_of_writing_means_the_same(case: Case, index: int) -> None:
    both = list(case.programs())
    block, program = both[index]
    assert block.more in ("", "same")
    if block.more == "same":
        assert program_digest(program.program) == program_digest(both[index - 1][1].program)


@pytest.mark.parametrize(("case", "block"), blocks())
def test_a_block_holds_exactly_what_is_found(case: Case, block: Block) -> None:
    (result,) = [result for result in found_in(case.name) if result.block == block]
    assert result.found == block.text


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES if case.block("cases") is None])
def test_no_block_of_results_is_missing(case: Case) -> None:
    for result in found_in(case.name):
        assert result.block is not None, f"no block `{result.language}`; it would be:\n{result.found}"


@pytest.mark.parametrize(("case", "index"), programs("refused"))
def test_what_is_refused_has_an_error(case: Case, index: int) -> None:
    _, program = list(case.programs())[index]
    assert any(finding.severity == "error" for finding in program.findings)


@pytest.mark.parametrize(
    ("case", "columns", "expected"),
    [pytest.param(*row, id=f"{row[0].name}: {' | '.join(row[1])}") for row in ROWS],
)
def test_a_row_comes_to_this(case: Case, columns: list[str], expected: str) -> None:
    block = case.block("cases")
    assert block is not None
    assert outcome(case, columns, block.more) == expected


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in OF_ONE_AGENT])
def test_a_run_is_the_same_under_the_asynchronous_driver(case: Case) -> None:
    program, script = case.program().program, case.text("host")
    plain, concurrent = play(program, script), play_asynchronously(program, script)
    assert (concurrent.trace, concurrent.calls) == (plain.trace, plain.calls)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in JOURNALED])
def test_a_run_on_a_journal_is_the_same_and_is_derived_again_without_asking_anybody(case: Case) -> None:
    program, script = case.program().program, case.text("host")
    plain, store = play(program, script), MemoryStore()
    first = play_durably(program, script, store)
    assert (first.trace, first.calls) == (plain.trace, plain.calls)
    again = play_durably(program, script, store.crashed())
    assert (again.trace, again.calls) == (plain.trace, [])


def test_no_block_is_left_unread() -> None:
    known = {
        "accepted": {"agentl"},
        "refused": {"agentl", "text"},
        "runs": {"agentl", "host", "trace", "calls", "state", "cases"},
        "scenarios": {"agentl", "report"},
    }
    for case in CASES:
        assert case.section.blocks, f"{case.name}: no block"
        for block in case.section.blocks:
            assert block.language in known[case.form], f"{case.name}: block {block.language}"
