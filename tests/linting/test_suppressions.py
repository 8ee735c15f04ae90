"""Suppression by comment: which comments are meant, how far they reach, and what is told of wrong ones."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.diagnostics import Diagnostic, Source, Suppression, edited
from agentl.linting.checking import Input, Options, check_all
from agentl.linting.rendering import render
from agentl.linting.report import Report
from agentl.linting.settings import Given
from agentl.linting.suppressions.reach import Stretch, innermost
from agentl.syntax.formatter.formatting import format_source
from tests.linting.programs import SOCIETY

TODAY = date(2026, 11, 30)
# Finds W131 and W103 in OBSERVE, W106 at each plan.
PROGRAM = """\
AGENT chairlift {
  GOAL g { MAINTAIN rope.ok == yes }
  OBSERVE {
    wind.kmh
    rain.mm
  }
  TOOL start { RISK LOW }
  POLICY { NEVER start WHEN wind.kmh > 60 }
  PLAN one { start() }
  PLAN two { start() }
}
"""


def checked(text: str, path: str = "x.agent", **given: object) -> Report:
    options = Options(Given(**given), today=TODAY)  # type: ignore[arg-type]
    return check_all([Input(path, text.encode())], options)


def live(report: Report) -> list[tuple[str, int]]:
    return [(each.code, each.line) for each in report.live]


def suppressed(report: Report) -> list[tuple[str, int]]:
    return [(each.diagnostic.code, each.diagnostic.line) for each in report.findings if each.suppressed]


def put(old: str, new: str, text: str = PROGRAM) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def test_the_program_finds_what_these_tests_take_away() -> None:
    assert live(checked(PROGRAM)) == [("W131", 4), ("W103", 5), ("W106", 9), ("W106", 10)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("    wind.kmh\n", "    wind.kmh  # ignore[W131]: two wires\n", [("W131", 4)]),
        ("    wind.kmh\n", "    wind.kmh // ignore[W131]: two wires\n", [("W131", 4)]),
        ("    wind.kmh\n", "    wind.kmh,# ignore[silent-sensor]: two wires\n", [("W131", 4)]),
        ("    wind.kmh\n", "    # ignore[W131]: two wires\n    wind.kmh\n", [("W131", 5)]),
        ("    wind.kmh\n", "    wind.kmh # ignore[W131, W103]: two wires\n", [("W131", 4)]),
        ("  OBSERVE {", "  # ignore[W131,W103]: ours\n  OBSERVE {", [("W131", 5), ("W103", 6)]),
        ("  OBSERVE {\n", "  OBSERVE {  # ignore[W131 , W103]: ours\n", [("W131", 4), ("W103", 5)]),
        ("rain.mm\n  }\n", "rain.mm\n  }  # ignore[W131,W103]: ours\n", [("W131", 4), ("W103", 5)]),
        ("PLAN one { start() }", "PLAN one { start() }  # ignore[W106]: kept", [("W106", 9)]),
        ("  PLAN one", "  # a word\n\n  ## ignore[W106]: kept\n\n  # another\n  PLAN one", [("W106", 14)]),
        ("AGENT", "# ignore[W106]: kept\nAGENT", [("W106", 10), ("W106", 11)]),
        ("AGENT", "# ours\n# ignore-file[W106]: kept\n# too\nAGENT", [("W106", 12), ("W106", 13)]),
        ("    wind.kmh\n", "    wind.kmh # ignore[W131] until 2026-11-30: today still\n", [("W131", 4)]),
    ],
)
def test_a_comment_reaches_what_it_stands_at_and_no_more(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    report = checked(put(old, new))
    assert suppressed(report) == expected
    assert report.counts.suppressed == len(expected)
    assert [code for code, _ in live(report) if code.startswith("S")] == (["S002"] if "W131, W103" in new else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RISK LOW }", 'DESCRIPTION "# ignore-file[W106]: in a text" }'),
        (
            "  PLAN one",
            "  # we ignore rain\n  # ignore: it\n  # ignore [the rain]\n  # ignore-files\n  PLAN one",
        ),
        ("  PLAN one", "  # please ignore[W106]: not at the beginning\n  PLAN one"),
    ],
)
def test_what_only_looks_like_one_is_none(old: str, new: str) -> None:
    found = [code for code, _ in live(checked(put(old, new)))]
    assert found == ["W131", "W103", "W106", "W106"]


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("# ignore[W106]", "reason are missing"),
        ("# ignore[W106] kept", "reason are missing"),
        ("# ignore[W106]:", "gives no reason"),
        ("# ignore[W106]:   ", "gives no reason"),
        ("# ignore[]: kept", "names no code"),
        ("# ignore[ , ]: kept", "names no code"),
        ("# ignore[W106: kept", "names no code"),
        ("# ignore W106: kept", "names no code"),
        ("# ignore: W106", "names no code"),
        ("# ignore [W106]: kept", "names no code"),
        ("# ignore-file", "names no code"),
        ("# ignore[W106] until tomorrow: kept", "`tomorrow` is no day"),
        ("# ignore[W106] until 2027-02-30: kept", "`2027-02-30` is no day"),
        ("# ignore[W106] until 20270203: kept", "is no day"),
        ("/* ignore[W106]: kept */", "must be a line comment"),
        ("# ignore-file[W106]: kept", "above everything else"),
    ],
)
def test_a_malformed_one_is_an_error_and_suppresses_nothing(comment: str, why: str) -> None:
    report = checked(put("  PLAN one", f"  {comment}\n  PLAN one"))
    assert ("S001", 9) in live(report)
    assert why in next(each for each in report.live if each.code == "S001").text("en")
    assert (suppressed(report), report.exit_code) == ([], 1)


def test_an_expired_one_is_told_and_suppresses_nothing() -> None:
    report = checked(put("    wind.kmh\n", "    wind.kmh # ignore[W131] until 2026-11-29: old\n"))
    assert live(report)[:2] == [("W131", 4), ("S004", 4)]
    assert suppressed(report) == []


def test_an_outer_one_holds_where_an_inner_one_has_expired() -> None:
    inner = put("    wind.kmh\n", "    wind.kmh # ignore[W131] until 2026-11-29: old\n")
    report = checked(put("  OBSERVE", "  # ignore[W131]: ours\n  OBSERVE", inner))
    assert suppressed(report) == [("W131", 5)]


def test_the_innermost_answers_and_the_outer_is_unused() -> None:
    text = put(
        "    wind.kmh\n", "    wind.kmh # ignore[W131]: inner\n", put("  OBSERVE", "  # ignore[W131]: outer\n  OBSERVE")
    )
    report = checked(text)
    (finding,) = [each for each in report.findings if each.suppressed]
    assert finding.suppressed == Suppression("comment", "inner")
    assert ("S002", 3) in live(report)


@pytest.mark.parametrize("code", ["E001", "undeclared-tool", "S002", "P101", "C010"])
def test_errors_and_what_is_no_rule_cannot_be_suppressed(code: str) -> None:
    report = checked(put("PLAN one { start()", f"PLAN one {{ strat() # ignore[{code}, W106]: kept\n"))
    assert {"E001", "S005"} <= {each for each, _ in live(report)}
    assert suppressed(report) == []


@pytest.mark.parametrize("code", ["W999", "silent-senor", "w131", "W1", "policy", "*"])
def test_an_unknown_code_is_told(code: str) -> None:
    report = checked(put("    wind.kmh\n", f"    wind.kmh # ignore[{code}]: two wires\n"))
    assert ("S003", 4) in live(report)
    assert suppressed(report) == []


def test_of_a_rule_that_is_not_asked_nothing_is_said() -> None:
    text = put("  TOOL start", "  # ignore[W102]: kept\n  TOOL start")
    assert ("S002", 7) in live(checked(text))
    assert [code for code, _ in live(checked(text, ignore=("W102",)))] == ["W131", "W103", "W106", "W106"]
    assert live(checked(text, select=("W131",))) == [("W131", 4)]


def test_a_program_that_cannot_be_parsed_has_syntax_findings_alone() -> None:
    report = checked(put("PLAN two {", "# ignore[W106]: kept\nPLAN two (") + "# ignore[W106]\n")
    assert {code[0] for code, _ in live(report)} == {"P"}


MODULE = """\
MODULE wind {
  // ignore[W101, W102]: the siren is harmless
  TOOL horn { RISK HIGH }
  // ignore[W131]: never found
  PLAN blow { horn() }
}
"""


def test_a_finding_in_a_module_is_answered_there_and_unused_is_said_of_no_module(tmp_path: Path) -> None:
    (tmp_path / "wind.agent").write_text(MODULE, encoding="utf-8")
    text = 'IMPORT "wind.agent"\n' + put("  OBSERVE {\n    wind.kmh\n    rain.mm\n  }\n", "  USE wind\n")
    report = checked(text, str(tmp_path / "x.agent"))
    assert suppressed(report) == [("W101", 3)]
    alone = checked("# ignore-file[W103]: ours\n" + MODULE, "wind.agent")
    assert {code for code, _ in live(report) + live(alone)} & {"W101", "S002"} == set()


def test_in_json_a_suppressed_finding_stays_with_its_reason_and_does_not_count() -> None:
    report = checked(
        put("    wind.kmh\n", "    wind.kmh # ignore[W131] until 2027-01-31: two wires\n"), fail_on="warning"
    )
    document = json.loads(render(report, "json"))
    first = document["findings"][0]
    assert (first["rule"], first["suppressed"]) == (
        "W131",
        {"by": "comment", "reason": "two wires", "until": "2027-01-31"},
    )
    assert (document["summary"]["suppressed"], document["summary"]["warnings"]) == (1, 3)


def fixed(text: str, finding: Diagnostic) -> str:
    (fix,) = finding.fixes
    assert fix.safe
    return edited(Source(text).text, fix.edits)


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("  # ignore[W102]: kept\n  PLAN one", "  PLAN one"),
        ("  # ignore[W102, W106]: kept\n  PLAN one", "  # ignore[W106]: kept\n  PLAN one"),
        ("  # ignore[W106,W102 ]: kept\n  PLAN one", "  # ignore[W106]: kept\n  PLAN one"),
        ("  PLAN  # ignore[W102]: kept\n  one", "  PLAN\n  one"),
    ],
)
def test_an_unused_one_is_removed_by_its_fix(comment: str, left: str) -> None:
    text = put("  PLAN one", comment)
    (finding,) = [each for each in checked(text).live if each.code == "S002"]
    assert fixed(text, finding) == put("  PLAN one", left)


COMMENTS = st.sampled_from(
    ["# ignore[W131]: a", "# ignore[W103, W106]: b", "# ignore[W106]: c", "# c", "/* c */", "# ignore[W131,W103]: d"]
)


@given(st.lists(st.tuples(st.integers(0, 60), COMMENTS, st.booleans()), max_size=5))
@settings(max_examples=40)
def test_the_formatter_never_changes_what_is_suppressed(comments: list[tuple[int, str, bool]]) -> None:
    words = PROGRAM.split()
    for at, comment, own_line in comments:
        words.insert(at % len(words), f"{'' if not own_line else chr(10)}{comment}\n")
    text = " ".join(words)
    formatted = format_source(Source(text))
    before, after = checked(text), checked(formatted)
    assert [each.diagnostic.code for each in before.findings if each.suppressed] == [
        each.diagnostic.code for each in after.findings if each.suppressed
    ]


def test_a_file_of_many_comments_takes_no_more_than_its_length() -> None:
    plans = "".join(f"  PLAN p{number} {{ start() }}  # ignore[W106]: kept\n" for number in range(800))
    report = checked(put("  PLAN one { start() }\n", plans))
    assert report.counts.suppressed == 800


@given(st.data())
@settings(max_examples=60)
def test_the_innermost_of_nested_stretches_is_found(data: st.DataObject) -> None:
    stretches: list[Stretch] = []

    def grow(start: int, end: int) -> None:
        while start < end and len(stretches) < 12:
            first = data.draw(st.integers(start, end - 1))
            last = data.draw(st.integers(first + 1, end))
            stretches.append(Stretch(first, last, len(stretches)))
            if data.draw(st.booleans()):
                grow(first, last)
            start = last

    grow(0, 30)
    points = list(range(-1, 31))
    around = [[each for each in stretches if each.start <= point < each.end] for point in points]
    expected = [each[-1].of if each else None for each in around]
    assert innermost(stretches, points) == expected


@pytest.mark.parametrize("in_file", ["", 'ignore = ["{}"]', 'select = ["{}"]'])
@pytest.mark.parametrize("by_command", [{}, {"ignore": True}, {"select": True}])
@pytest.mark.parametrize(("code", "old"), [("W131", "  OBSERVE"), ("W111", "AGENT porter")])
def test_a_comment_answers_whatever_the_layers_leave_asked(
    in_file: str, by_command: dict[str, bool], code: str, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agentl.toml").write_text(in_file.format(code), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = put(old, f"# ignore[{code}]: ours\n{old}", SOCIETY if code == "W111" else PROGRAM)
    report = checked(text, **dict.fromkeys(by_command, (code,)))
    last = next(iter(by_command), None) or in_file[:6].strip()
    assert [each for each, _ in suppressed(report)] == ([] if last == "ignore" else [code])
    assert code not in {each for each, _ in live(report)}
