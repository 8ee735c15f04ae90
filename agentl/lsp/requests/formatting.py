"""The canonical layout, of a whole document or of some of its lines."""

from __future__ import annotations

from lsprotocol import types

from agentl.diagnostics import ParseError
from agentl.lsp.session import Session
from agentl.syntax.formatter.formatting import format_edits


def formatting(session: Session, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    return _edits(session, params.text_document.uri, None)


def range_formatting(session: Session, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
    """Lay out the items that stand on the lines of a range; a line that it only touches at its beginning is none."""
    start, end = sorted((params.range.start, params.range.end))
    last = end.line if end.character == 0 and end.line > start.line else end.line + 1
    return _edits(session, params.text_document.uri, (start.line + 1, last))


def _edits(session: Session, uri: str, lines: tuple[int, int] | None) -> list[types.TextEdit] | None:
    """Return the edits; None for a text that is no program, which its findings say already. Raises LayoutFault."""
    document = session.documents.get(uri)
    if document is None:
        return None
    text = document.text
    try:
        edits = format_edits(text.source, lines)
    except ParseError:
        return None
    return [types.TextEdit(text.lines.range(edit.span), edit.text.replace("\n", text.line_end)) for edit in edits]


HANDLERS = {
    types.TEXT_DOCUMENT_FORMATTING: (formatting, None),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: (range_formatting, None),
}
