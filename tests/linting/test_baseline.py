"""Baseline: known findings do not fail, new ones do, and what is found no more is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.linting.baseline import BaselineError, Entry, read_baseline, rendered, renewed
from agentl.linting.checking import Check, Input, Options
from agentl.linting.report import Report
from agentl.linting.settings import Given
from tests.linting.programs import ERROR, SILENT

FILE = "known.json"
OTHER = SILENT.replace("wind.kmh", "rain.mm")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(programs: dict[str, str], **given: object) -> Check:
    for path, text in programs.items():
        Path(path).write_text(text, encoding="utf-8")
    inputs = [Input(path, text.encode()) for path, text in programs.items()]
    return Check(inputs, Options(Given(fail_on="warning", **given)))  # type: ignore[arg-type]


def written(programs: dict[str, str], path: str = FILE, **given: object) -> Report:
    check = checked(programs, **given)
    baseline = renewed(path, check.checked)
    Path(path).write_text(baseline.source.text, encoding="utf-8")
    return check.report(baseline)


def against(programs: dict[str, str], path: str = FILE, **given: object) -> Report:
    return checked(programs, baseline=path, **given).report()


def codes(report: Report) -> list[str]:
    return [each.code for each in report.live]


def test_what_was_found_is_known_at_once_and_later_and_does_not_fail() -> None:
    for report in (written({"a.agent": SILENT}), against({"a.agent": SILENT})):
        assert (codes(report), report.counts.baseline, report.exit_code) == ([], 1, 0)
        assert [finding.baseline for finding in report.findings] == [True]


def test_known_findings_may_move_and_new_ones_fail() -> None:
    written({"a.agent": SILENT})
    moved = "# a line\n\n" + SILENT.replace("  OBSERVE", "  OBSERVE { rope.ok }\n\n  OBSERVE")
    assert codes(against({"a.agent": moved})) == []
    report = against({"a.agent": SILENT.replace("{ wind.kmh }", "{ wind.kmh rain.mm }")})
    assert (codes(report), report.exit_code) == (["W103"], 1)
    assert against({"b.agent": SILENT}).exit_code == 1


def test_a_second_one_of_the_same_kind_is_new() -> None:
    program = SILENT.replace("RISK LOW", "RISK HIGH")
    one, two = (
        program[:-2] + f"  PLAN p WHEN rope.ok == no {{ {calls} }}\n}}\n" for calls in ("start()", "start() start()")
    )
    known = written({"a.agent": one}).counts.baseline
    report = against({"a.agent": two})
    assert (report.counts.baseline, codes(report)) == (known, ["W102"])


def test_the_file_holds_no_lines_and_no_absolute_paths_and_is_sorted_one_a_line(folder: Path) -> None:
    programs = {str(folder / "b.agent"): SILENT, "sub/a.agent": OTHER, "a.agent": SILENT}
    written(programs, "sub/known.json")
    text = Path("sub/known.json").read_text(encoding="utf-8")
    assert str(folder) not in text
    document = json.loads(text)
    assert [each["file"] for each in document["findings"]] == ["../a.agent", "../b.agent", "a.agent"]
    assert set(document["findings"][0]) == {"file", "rule", "agent", "symbol", "fingerprint"}
    assert len(text.splitlines()) == 3 + 3 + 2
    assert codes(against({path: programs[path] for path in reversed(programs)}, "sub/known.json")) == []


def test_errors_and_what_is_suppressed_are_never_in_it() -> None:
    suppressed = SILENT.replace("wind.kmh }", "wind.kmh }  # ignore[W131]: two wires", 1)
    report = written({"a.agent": ERROR, "b.agent": suppressed})
    assert (codes(report), report.counts.baseline, report.exit_code) == (["E001"], 0, 1)
    assert json.loads(Path(FILE).read_text(encoding="utf-8"))["findings"] == []


def test_an_error_put_into_it_by_hand_is_still_an_error() -> None:
    (finding,) = checked({"a.agent": ERROR}).report().findings
    entry = Entry("a.agent", "E001", finding.diagnostic.agent, finding.diagnostic.symbol, finding.fingerprint)
    Path(FILE).write_text(rendered([entry]), encoding="utf-8")
    assert "E001" in codes(against({"a.agent": ERROR}))


def test_a_known_warning_that_the_configuration_makes_an_error_stays_known() -> None:
    written({"a.agent": SILENT})
    Path("agentl.toml").write_text(f'baseline = "{FILE}"\n[severity]\nW131 = "error"\n', encoding="utf-8")
    assert checked({"a.agent": SILENT}).report().exit_code == 0


def test_the_path_in_a_configuration_is_from_its_folder() -> None:
    Path("sub/agentl.toml").write_text('baseline = "own.json"\n', encoding="utf-8")
    written({"sub/a.agent": SILENT}, "sub/own.json")
    report = checked({"sub/a.agent": SILENT, "b.agent": SILENT}).report()
    assert [finding.path for finding in report.findings if finding.is_live] == ["b.agent"]


def test_what_is_found_no_more_is_told_with_its_line_and_does_not_fail() -> None:
    written({"a.agent": SILENT, "b.agent": OTHER})
    report = against({"a.agent": SILENT.replace("wind.kmh }", "wind.kmh ON UNKNOWN ESCALATE }"), "b.agent": OTHER})
    assert [(each.code, each.severity, each.line) for each in report.live] == [("C108", "info", 4)]
    assert report.exit_code == 0
    Path("b.agent").unlink()
    assert codes(against({"a.agent": SILENT})) == ["C108"]


def test_of_what_was_not_looked_for_nothing_is_told() -> None:
    written({"a.agent": SILENT, "b.agent": OTHER})
    assert codes(against({"a.agent": SILENT})) == []
    assert codes(against({"a.agent": SILENT}, select=("W102",))) == []


def test_to_write_after_a_look_at_a_part_takes_nothing_else_away() -> None:
    written({"a.agent": SILENT, "b.agent": OTHER})
    written({"a.agent": SILENT.replace("wind.kmh }", "wind.kmh ON UNKNOWN ESCALATE }")})
    assert codes(against({"a.agent": SILENT, "b.agent": OTHER})) == ["W131"]
    written({"b.agent": OTHER}, select=("W102",))
    assert codes(against({"b.agent": OTHER})) == []
    Path("b.agent").unlink()
    written({"a.agent": SILENT})
    assert [entry.file for entry in read_baseline(FILE).entries] == ["a.agent"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"schema": "agentl.baseline/2", "findings": []}', '{"schema": "agentl.baseline/1"}', "[" * 9000]
    + [f'{{"schema": "agentl.baseline/1", "findings": [{each}]}}' for each in ("1", "{}", '{"file": 1}', "null")]
    + [rendered([Entry("a", "b", "c", "d", "e")]).replace('"e"', "1")],
)
def test_what_is_no_baseline_is_refused_and_never_written_over(text: str) -> None:
    Path(FILE).write_text(text, encoding="utf-8")
    for reading in (lambda: against({"a.agent": SILENT}), lambda: written({"a.agent": SILENT})):
        with pytest.raises(BaselineError) as caught:
            reading()
        assert caught.value.code == "C107"
    assert Path(FILE).read_text(encoding="utf-8") == text


def test_one_that_cannot_be_read_is_told() -> None:
    with pytest.raises(BaselineError, match="no such file"):
        against({"a.agent": SILENT})
    Path(FILE).write_bytes(b"\xff")
    with pytest.raises(BaselineError):
        against({"a.agent": SILENT})
    with pytest.raises(BaselineError, match="folder"):
        against({"a.agent": SILENT}, "sub")


WORDS = st.text(max_size=6)


@given(st.lists(st.builds(Entry, WORDS, WORDS, WORDS, WORDS, WORDS), max_size=5))
@settings(max_examples=50)
def test_it_is_read_as_it_was_written_whatever_the_order(entries: list[Entry]) -> None:
    text = rendered(entries)
    assert text == rendered(reversed(entries))
    Path(FILE).write_text(text, encoding="utf-8")
    assert read_baseline(FILE).entries == frozenset(entries)
