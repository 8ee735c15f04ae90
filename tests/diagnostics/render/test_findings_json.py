"""Findings as one JSON document."""

from __future__ import annotations

import json
from typing import Any

from agentl.diagnostics import Diagnostic, Edit, FileFacts, Fix, Related, Source, Span, fingerprinted
from agentl.diagnostics.render.findings_json import SCHEMA, render_findings
from agentl.messages import Message, Phrase, Text, use_language

UNKNOWN = Message("E901", "unknown-word", "`{word}` is unknown: {why}", "`{word}` est inconnu : {why}")
EARLIER = Text("`{word}` stood here", "`{word}` était ici")
WHY = Text("it is new", "il est nouveau")

FRUIT = Source("pear\néé plum pear\n", "b.agent")


def finding(start: int, end: int, source: Source = FRUIT, **fields: Any) -> Diagnostic:
    arguments = {"word": source.text[start:end], "why": Phrase(WHY)}
    return Diagnostic(UNKNOWN, arguments, span=Span(start, end), source=source, **fields)


def document(*diagnostics: Diagnostic, files: tuple[FileFacts, ...] = (), exit_code: int = 1) -> dict[str, Any]:
    text = render_findings(
        files,
        fingerprinted(diagnostics),
        command="check",
        version="0.0.0",
        profile="reference",
        counts={"files": len(files)},
        exit_code=exit_code,
    )
    assert text.isascii()
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def test_an_empty_document_has_every_part() -> None:
    assert document(exit_code=0) == {
        "schema": SCHEMA,
        "tool": {"name": "agentl", "version": "0.0.0", "profile": "reference"},
        "files": [],
        "findings": [],
        "theorems": [],
        "scenarios": [],
        "summary": {"files": 0, "errors": 0, "warnings": 0, "infos": 0, "exit": 0},
    }


def test_columns_count_code_points_and_the_end_is_exclusive() -> None:
    found = document(finding(8, 12))["findings"][0]
    assert found["range"] == {"start": {"line": 2, "column": 4}, "end": {"line": 2, "column": 8}}
    assert found["message"] == "`plum` is unknown: it is new"
    assert found["file"] == "b.agent"


def test_findings_are_ordered_by_file_then_place_then_rule_however_they_come() -> None:
    first = finding(0, 4, Source("pear", "a.agent"))
    some = [finding(13, 17), finding(8, 12), finding(0, 4), first]
    expected = [("a.agent", 1), ("b.agent", 1), ("b.agent", 2), ("b.agent", 2)]
    for order in (some, some[::-1]):
        found = document(*order)["findings"]
        assert [(f["file"], f["range"]["start"]["line"]) for f in found] == expected
        assert [f["range"]["start"]["column"] for f in found] == [1, 1, 4, 9]


def test_files_are_ordered_by_path() -> None:
    files = (FileFacts("b.agent", "22", ("x",)), FileFacts("a.agent", None))
    assert document(files=files)["files"] == [
        {"path": "a.agent", "sha256": None, "agents": []},
        {"path": "b.agent", "sha256": "22", "agents": ["x"]},
    ]


def test_a_finding_without_a_place_has_no_range() -> None:
    nowhere = Diagnostic(UNKNOWN, {"word": "x", "why": "y"}, source=Source("", "gone.agent"))
    found = document(nowhere)["findings"][0]
    assert found["file"] == "gone.agent"
    assert found["range"] is None


def test_phrases_in_arguments_are_data_in_english_whatever_the_language() -> None:
    use_language("fr")
    try:
        found = document(finding(0, 4, related=(Related(Span(8, 12), EARLIER, {"word": "plum"}),)))["findings"][0]
    finally:
        use_language(None)
    assert found["message"] == "`pear` est inconnu : il est nouveau"
    assert found["arguments"] == {"word": "pear", "why": "it is new"}
    assert found["related"] == [
        {
            "message": "`plum` était ici",
            "range": {"start": {"line": 2, "column": 4}, "end": {"line": 2, "column": 8}},
        }
    ]


def test_the_fingerprint_stays_when_lines_are_put_before() -> None:
    moved = Source("\n\n" + FRUIT.text, "elsewhere.agent")
    here = document(finding(8, 12, agent="a", symbol="plan:p"))["findings"][0]
    there = document(finding(10, 14, moved, agent="a", symbol="plan:p"))["findings"][0]
    assert here["fingerprint"] == there["fingerprint"]
    other = document(finding(8, 12, agent="a", symbol="plan:q"))["findings"][0]
    assert here["fingerprint"] != other["fingerprint"]


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    found = document(finding(0, 4), finding(13, 17))["findings"]
    assert len({f["fingerprint"] for f in found}) == 2


def test_severities_are_counted() -> None:
    summary = document(finding(0, 4), finding(8, 12, severity="warning"))["summary"]
    assert (summary["errors"], summary["warnings"], summary["infos"]) == (1, 1, 0)


def test_a_related_place_in_another_text_names_its_file() -> None:
    there = Related(Span(4, 5), EARLIER, {"word": "x"}, Source("one\nx", "m.agent"))
    here = Related(Span(0, 4), EARLIER, {"word": "pear"}, FRUIT)
    other, own = document(finding(0, 4, related=(there, here)))["findings"][0]["related"]
    assert (other["file"], other["range"]["start"]) == ("m.agent", {"line": 2, "column": 1})
    assert "file" not in own


def test_a_fix_has_its_title_in_the_reader_s_language_and_the_ranges_of_its_edits() -> None:
    title = Phrase(Text("swap `{one}`", "échanger `{one}`"), one="plum")
    fix = Fix(title, (Edit(Span(8, 12), "fig"), Edit(Span(13, 13), "x")), safe=True)
    expected = {
        "title": "swap `plum`",
        "safe": True,
        "edits": [
            {"range": {"start": {"line": 2, "column": 4}, "end": {"line": 2, "column": 8}}, "text": "fig"},
            {"range": {"start": {"line": 2, "column": 9}, "end": {"line": 2, "column": 9}}, "text": "x"},
        ],
    }
    assert document(finding(8, 12, fixes=(fix,)))["findings"][0]["fixes"] == [expected]
    use_language("fr")
    assert document(finding(8, 12, fixes=(fix,)))["findings"][0]["fixes"][0]["title"] == "échanger `plum`"


def test_a_number_that_json_lacks_is_text() -> None:
    endless = Diagnostic(UNKNOWN, {"word": float("inf"), "why": (float("nan"), 1.5)}, source=FRUIT)
    assert document(endless)["findings"][0]["arguments"] == {"word": "inf", "why": ["nan", 1.5]}
