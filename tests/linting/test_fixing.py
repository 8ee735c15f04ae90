"""Fixes: what is mended, in what order, and what is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.analysis.registry import all_rules
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic, Edit, Fix, Source, Span
from agentl.linting import one_file
from agentl.linting.fixing import fix_file
from agentl.linting.one_file import Input, check_file
from agentl.linting.original_text import edited_original
from agentl.linting.settings import Given, Settings
from agentl.messages import Phrase, Text
from agentl.messages import suppressing as some
from tests.linting.programs import CLEAN, ERROR, SILENT

ROOT = Path(__file__).parents[2]
RISKY = """\
AGENT chairlift {
  GOAL g { MAINTAIN rope.ok == yes }
  OBSERVE { wind.kmh }  # ignore[W102]: nothing here
  TOOL start { RISK HIGH }
  TOOL stop { RISK HIGH }
  PLAN p WHEN rope.ok == no AND wind.kmh > 3 { start() stop() }
}
"""


def fixed(text: str | bytes, *, unsafe: bool = False, **given: object) -> tuple[str, int]:
    data = text.encode() if isinstance(text, str) else text
    done = fix_file(Input("x.agent", data), Settings(Given(**given)), unsafe=unsafe)  # type: ignore[arg-type]
    return done.data.decode(), done.mended


def codes(text: str) -> list[str]:
    checked = check_file(Input("x.agent", text.encode()), Settings(Given()), None)
    return [finding.diagnostic.code for finding in checked.findings]


def test_safe_fixes_are_made_until_nothing_is_left_to_mend() -> None:
    text, mended = fixed(RISKY)
    assert mended == 5
    assert "  OBSERVE { wind.kmh }\n" in text
    assert text.count("POLICY {") == 1
    assert "{ REQUIRE APPROVAL FOR start  REQUIRE APPROVAL FOR stop }" in text
    assert {"S002", "W101", "W120"} & set(codes(text)) == set()
    assert fixed(text) == (text, 0)


def test_only_what_is_asked_and_not_suppressed_is_mended() -> None:
    assert fixed(RISKY, select=("W101",))[0].count("APPROVAL") == 2
    assert fixed(RISKY, ignore=("W101", "W120"))[1] == 1
    suppressed = SILENT.replace("wind.kmh }", "wind.kmh }  # ignore[W131]: two wires", 1)
    assert fixed(suppressed) == (suppressed, 0)


def test_an_unsafe_fix_is_made_only_where_it_is_wanted() -> None:
    misspelt = CLEAN.replace("ALLOW light", "ALLOW light IF tools.light.indoubt == yes")
    assert fixed(misspelt) == (misspelt, 0)
    assert "tools.light.in_doubt == yes" in fixed(misspelt, unsafe=True)[0]


@pytest.mark.parametrize("text", ["AGENT x {", "", "AGENT x { GOAL", b"\xff\xfe", CLEAN + "}", "\x00"])
def test_what_is_no_program_is_given_back_as_it_is(text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    done = fix_file(Input("x.agent", data), Settings(Given()), unsafe=True)
    assert (done.data, done.mended, done.is_program) == (data, 0, False)


def test_a_program_with_errors_is_mended_where_it_can_be() -> None:
    text = ERROR.replace("GOAL { a.b }", "GOAL { a.b }\n  TOOL horn { RISK HIGH }")
    done, mended = fixed(text)
    assert "REQUIRE APPROVAL FOR horn" in done and mended == 2
    assert "E001" in codes(done)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_are_kept(mark: str, line_end: str) -> None:
    as_it_is, _ = fixed(mark + RISKY.replace("\n", line_end))
    assert as_it_is == mark + fixed(RISKY)[0].replace("\n", line_end)


def test_mixed_line_ends_stay_where_nothing_is_edited() -> None:
    text = "AGENT a {\r\n  GOAL g { MAINTAIN b.c == yes }\n  OBSERVE { b.c }\r  # é\r\n  TOOL t { RISK HIGH }\n}\r\n"
    lines = fixed(text)[0].splitlines(keepends=True)
    assert lines == [*text.splitlines(keepends=True)[:-1], "    POLICY { REQUIRE APPROVAL FOR t }\r\n", "}\r\n"]


PIECES = st.sampled_from(["a", "é", "\n", "\r\n", "\r", "𝄞", " "])


@given(st.booleans(), st.lists(PIECES, max_size=12), st.data())
@settings(max_examples=80)
def test_an_edit_of_the_source_is_the_same_edit_in_the_file(
    has_mark: bool, pieces: list[str], data: st.DataObject
) -> None:
    raw = ("\ufeff" if has_mark else "") + "".join(pieces)
    seen = Source(raw).text
    start = data.draw(st.integers(0, len(seen)))
    end = data.draw(st.integers(start, len(seen)))
    edited = edited_original(raw, [Edit(Span(start, end), "new\n")])
    assert Source(edited).text == seen[:start] + "new\n" + seen[end:]
    assert edited.startswith("\ufeff") is has_mark
    assert edited_original(raw, []) == raw


def rule(find: Callable[[str], Iterator[tuple[Span, Fix]]]) -> AgentRule:
    """A rule that finds in the text what `find` does."""

    def check(model: object) -> Iterator[Diagnostic]:
        source = model.places.source(model.agent)  # type: ignore[attr-defined]
        for span, fix in find(source.text):
            yield Diagnostic(FOUND, severity="warning", span=span, source=source, fixes=(fix,))

    return AgentRule((FOUND,), check)


FOUND = next(message for each in all_rules() for message in each.messages if message.code == "W103")
TITLE = Phrase(Text("x", "x"))


def with_rule(monkeypatch: pytest.MonkeyPatch, find: Callable[[str], Iterator[tuple[Span, Fix]]]) -> list[int]:
    """Let programs be checked by this rule and the errors; returns a list that grows with each check."""
    errors = [each for each in all_rules() if each.messages[0].code.startswith("E")]
    checks: list[int] = []
    plain = one_file.check_bytes

    def check_bytes(data: bytes, name: str, profile: object, rules: object, at_hand: object) -> object:
        checks.append(1)
        return plain(data, name, profile, (*errors, rule(find)))  # type: ignore[arg-type]

    monkeypatch.setattr(one_file, "check_bytes", check_bytes)
    return checks


def words(text: str, word: str) -> Iterator[Span]:
    at = text.find(word)
    while at >= 0:
        yield Span(at, at + len(word))
        at = text.find(word, at + 1)


GOALS = "AGENT a {\n" + "".join(f"  GOAL g{number} {{ MAINTAIN bad.x == yes }}\n" for number in range(9)) + "}\n"


def test_a_fix_that_breaks_the_program_is_taken_back_and_the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(text: str) -> Iterator[tuple[Span, Fix]]:
        for number, span in enumerate(words(text, "bad")):
            yield span, Fix(TITLE, (Edit(span, "good" if number % 4 else "bad {"),), safe=True)

    with_rule(monkeypatch, find)
    text, mended = fixed(GOALS)
    assert "{ MAINTAIN bad {" not in text
    assert mended == text.count("good") >= 6


def test_a_fix_that_brings_an_error_or_mends_nothing_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(text: str) -> Iterator[tuple[Span, Fix]]:
        for number, span in enumerate(words(text, "bad")):
            unknown = "foo(bad.x) == 1 OR bad" if number else "bad.bad"
            yield span, Fix(TITLE, (Edit(span, unknown),), safe=True)

    checks = with_rule(monkeypatch, find)
    assert fixed(GOALS) == (GOALS, 0)
    assert len(checks) < 80


def test_a_fix_that_brings_what_it_mends_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(text: str) -> Iterator[tuple[Span, Fix]]:
        yield Span(0, 1), Fix(TITLE, (Edit(Span(0, 0), "# more\n"),), safe=True)

    with_rule(monkeypatch, find)
    assert fixed(GOALS) == (GOALS, 0)


def test_edits_that_meet_wait_for_the_next_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(text: str) -> Iterator[tuple[Span, Fix]]:
        for span in words(text, "bad"):
            yield span, Fix(TITLE, (Edit(Span(0, 5), "AGENT"), Edit(span, "good")), safe=True)
            yield span, Fix(TITLE, (Edit(Span(span.start - 1, span.end), " good"),), safe=True)

    with_rule(monkeypatch, find)
    text, mended = fixed(GOALS)
    assert text == GOALS.replace("bad", "good")
    assert mended == 9


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/*.agent")), ids=lambda path: path.stem)
def test_fixing_an_example_changes_nothing_or_stays_a_program(path: Path) -> None:
    data = path.read_bytes()
    done = fix_file(Input(str(path), data), Settings(Given()), unsafe=True)
    assert done.is_program
    before = check_file(Input(str(path), data), Settings(Given()), None)
    after = check_file(Input(str(path), done.data), Settings(Given()), None)
    assert len(after.findings) <= len(before.findings)
    assert some.UNUSED.code not in {finding.diagnostic.code for finding in after.findings}


def test_line_ends_that_would_fall_together_are_written_alike() -> None:
    assert edited_original("a\rb\nc", [Edit(Span(2, 3), "")]) == "a\r\rc"
