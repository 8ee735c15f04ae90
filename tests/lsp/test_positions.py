"""Positions in every unit, changes as an editor makes them, and what was typed since."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind, Range
from lsprotocol.types import TextDocumentContentChangePartial as Partial
from lsprotocol.types import TextDocumentContentChangeWholeDocument as Whole

from agentl.diagnostics import Source, Span
from agentl.lsp.drift import Change, Drift
from agentl.lsp.positions import Lines
from agentl.lsp.text import SyncedText

TEXTS = st.text(st.sampled_from('ab{}é𝔾 \t"\n\r\u2028\x0b\ufeff'), max_size=40)
ENCODINGS = st.sampled_from(list(PositionEncodingKind))


def widths(text: str, encoding: PositionEncodingKind) -> list[int]:
    coding = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding.value]
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding.value]
    return [len(character.encode(coding, "surrogatepass")) // size for character in text]


@given(TEXTS, ENCODINGS)
def test_every_offset_has_a_position_that_leads_back_to_it(text: str, encoding: PositionEncodingKind) -> None:
    lines = Lines(text, encoding)
    assert len(lines) == len(re.split("\r\n|\r|\n", text))
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":
            continue  # between the two is no place
        position = lines.position(offset)
        assert lines.offset(position) == offset
        start = max(0, *(match.end() for match in re.finditer("\r\n|\r|\n", text) if match.end() <= offset), 0)
        assert position.character == sum(widths(text[start:offset], encoding))


@given(TEXTS, st.integers(0, 50), st.integers(0, 50), ENCODINGS)
def test_no_position_is_out_of_range(text: str, line: int, character: int, encoding: PositionEncodingKind) -> None:
    assert 0 <= Lines(text, encoding).offset(Position(line, character)) <= len(text)


def test_the_byte_order_mark_of_an_editor_counts_in_its_first_line() -> None:
    synced = SyncedText("\ufeffAGENT\nx", "a", "utf-16")
    assert synced.lines.position(0) == Position(0, 1)
    assert synced.lines.offset(Position(0, 3)) == 2
    assert synced.lines.position(6) == Position(1, 0)


class Editor:
    """What an editor does: lines end as the protocol says, and columns are UTF-16."""

    def __init__(self, text: str) -> None:
        self.text = text

    def replace(self, start: Position, end: Position, new: str) -> None:
        first, last = self._offset(start), self._offset(end)
        self.text = self.text[:first] + new + self.text[last:]

    def _offset(self, position: Position) -> int:
        ends = [*re.finditer("\r\n|\r|\n", self.text)]
        start = ends[position.line - 1].end() if position.line else 0
        end = ends[position.line].start() if position.line < len(ends) else len(self.text)
        encoded = self.text[start:end].encode("utf-16-le", "surrogatepass")[: 2 * position.character]
        return start + len(encoded.decode("utf-16-le", "surrogatepass"))


@st.composite
def edits(draw: st.DrawFn, text: str) -> tuple[Range, str]:
    lines = Lines(text)
    places = [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n"]
    one, other = sorted((draw(st.sampled_from(places)), draw(st.sampled_from(places))))
    return Range(lines.position(one), lines.position(other)), draw(TEXTS)


@settings(max_examples=150)
@given(st.data(), TEXTS, st.integers(1, 6))
def test_after_any_edits_both_texts_are_equal_and_old_places_are_found(
    data: st.DataObject, text: str, count: int
) -> None:
    editor, synced, drift = Editor(text), SyncedText(text, "a", "utf-16"), Drift()
    old = synced.source.text
    for _ in range(count):
        if data.draw(st.integers(0, 7)) == 0:
            editor.text = data.draw(TEXTS)
            synced, change = synced.edited(Whole(editor.text))
        else:
            at, new = data.draw(edits(editor.text))
            editor.replace(at.start, at.end, new)
            synced, change = synced.edited(Partial(at, new))
        drift.add(change)
        assert synced.text == editor.text
    now = synced.source.text
    assert now == Source(editor.text).text
    for start in range(len(old)):
        for end in range(start + 1, min(len(old), start + 4) + 1):
            moved = drift.span_to_new(Span(start, end))
            if moved is not None:
                assert now[moved.start : moved.end] == old[start:end]
                assert drift.to_old(moved.start) == start
    for offset in range(len(now) + 1):
        assert 0 <= drift.to_old(offset) <= len(old)


@pytest.mark.parametrize(
    ("changes", "span", "moved"),
    [
        ([], (2, 4), (2, 4)),
        ([Change(0, 0, 3)], (2, 4), (5, 7)),
        ([Change(3, 3, 1)], (2, 4), None),
        ([Change(2, 2, 1)], (2, 4), (3, 5)),
        ([Change(4, 4, 1)], (2, 4), (2, 4)),
        ([Change(0, 1, 0), Change(5, 6, 9)], (2, 4), (1, 3)),
        ([Change(5, 5, 4), Change(0, 9, 1)], (2, 4), None),
    ],
)
def test_drift(changes: list[Change], span: tuple[int, int], moved: tuple[int, int] | None) -> None:
    drift = Drift()
    for change in changes:
        drift.add(change)
    assert drift.span_to_new(Span(*span)) == moved
