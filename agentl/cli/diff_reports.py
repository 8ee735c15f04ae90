"""The reports of `agentl diff`: for people, for programs, for a pull request."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agentl.cli.comparing import Compared, Side
from agentl.ir.diff import Change, ValueChange
from agentl.ir.node import Node
from agentl.logic.outline import line_of, lines_of, shown, trail_text
from agentl.messages import Text
from agentl.messages import comparing as messages

SCHEMA = "agentl.diff/1"

_MARKS = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}
_WORDS: dict[str, Text] = {
    "added": messages.ADDED,
    "removed": messages.REMOVED,
    "changed": messages.CHANGED,
    "moved": messages.MOVED,
}


def render_text(pairs: Sequence[Compared], code: int) -> str:
    """Return the changes of each pair that differs, one line each with what is below it, and the counts."""
    blocks = ["\n".join(_text_of(pair)) for pair in pairs if pair.differs]
    return "\n\n".join([*blocks, _summary(pairs)])


def _text_of(pair: Compared) -> Iterator[str]:
    yield f"--- {pair.old.name} {pair.old.digest[:12]}" if pair.old else f"--- {messages.FILE_ADDED.text()}"
    yield f"+++ {pair.new.name} {pair.new.digest[:12]}" if pair.new else f"+++ {messages.FILE_REMOVED.text()}"
    for change in pair.changes:
        line = f"{_MARKS[change.kind]} {_place(pair, change):>4}  {_headline(change)}"
        yield f"{line} ({_was_at(pair, change)})" if _has_moved(change) else line
        yield from (f"        {value.field}: {_values(value)}" for value in change.values)
        yield from (f"+       {line}" for line in _below(change))


def render_markdown(pairs: Sequence[Compared], code: int) -> str:
    """Return a comment for a pull request. Whatever a program holds stands in code, where it is only text."""
    lines = [f"**agentl diff** · {_summary(pairs)}"]
    for pair in pairs:
        if pair.differs:
            lines += ["", f"### {_code(pair.name)}", "", *_markdown_of(pair)]
    return "\n".join(lines)


def _markdown_of(pair: Compared) -> Iterator[str]:
    if pair.old is None or pair.new is None:
        yield f"- **{(messages.FILE_ADDED if pair.old is None else messages.FILE_REMOVED).text()}**"
    for change in pair.changes:
        place = _place(pair, change)
        also = [part for part in (place, _was_at(pair, change) if _has_moved(change) else "") if part]
        tail = f" ({', '.join(also)})" if also else ""
        yield f"- **{_WORDS[change.kind].text()}** {_code(_headline(change))}{tail}"
        for value in change.values:
            yield f"  - {_code(value.field)}: {_code(shown(value.old))} → {_code(shown(value.new))}"
        below = _below(change)
        if below:
            fence = "`" * max(3, 1 + _longest_run("\n".join(below)))
            yield from ("", f"  {fence}", *(f"  {line}" for line in below), f"  {fence}", "")


def _code(text: str) -> str:
    """Return a text as a code span that nothing in it can end."""
    fence = "`" * (1 + _longest_run(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text.replace(chr(10), ' ')}{pad}{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def render_json(pairs: Sequence[Compared], code: int) -> str:
    """Return the document `agentl.diff/1`: ASCII, lines from 1, values as they are written in the language."""
    document = {
        "schema": SCHEMA,
        "files": [_file_data(pair) for pair in pairs],
        "summary": {**_counts(pairs), "exit": code},
    }
    return json.dumps(document, indent=2)


def _file_data(pair: Compared) -> dict[str, Any]:
    return {
        "name": pair.name,
        "old": _side_data(pair.old),
        "new": _side_data(pair.new),
        "changes": [_change_data(pair, change) for change in pair.changes],
    }


def _side_data(side: Side | None) -> dict[str, str] | None:
    return None if side is None else {"path": side.name, "digest": side.digest}


def _change_data(pair: Compared, change: Change) -> dict[str, Any]:
    node = change.new or change.old
    assert node is not None
    return {
        "change": change.kind,
        "moved": change.kind == "moved" or change.moved,
        "kind": node.kind,
        "trail": [{"field": field, "title": line_of(step, values_too=False)} for field, step in change.trail],
        "old": _node_data(pair.old, change.old),
        "new": _node_data(pair.new, change.new),
        "values": [{"field": v.field, "old": shown(v.old), "new": shown(v.new)} for v in change.values],
    }


def _node_data(side: Side | None, node: Node | None) -> dict[str, Any] | None:
    if side is None or node is None:
        return None
    file, line = side.place(node)
    return {"file": file, "line": line, "text": line_of(node)}


def _headline(change: Change) -> str:
    """Where the change is; of what was added or removed, all that its line says."""
    if not change.trail:
        return "program"
    if change.kind not in ("added", "removed"):
        return trail_text(change.trail)
    *above, (_, node) = change.trail
    own = trail_text(change.trail[-1:])
    carried = line_of(node).removeprefix(line_of(node, values_too=False))
    return " › ".join([*([trail_text(above)] if above else []), own + carried])


def _below(change: Change) -> list[str]:
    """What an added node holds, line by line."""
    return lines_of(change.new)[1:] if change.kind == "added" and change.new is not None else []


def _values(value: ValueChange) -> str:
    return f"{shown(value.old)} → {shown(value.new)}"


def _has_moved(change: Change) -> bool:
    return change.kind == "moved" or change.moved


def _place(pair: Compared, change: Change) -> str:
    return _told(pair.old, change.old) if change.new is None else _told(pair.new, change.new)


def _was_at(pair: Compared, change: Change) -> str:
    return messages.WAS_AT.text(place=_told(pair.old, change.old))


def _told(side: Side | None, node: Node | None) -> str:
    """The line of a node, with the file in front where that is not the program's own."""
    if side is None or node is None:
        return ""
    file, line = side.place(node)
    return "" if line is None else str(line) if file == side.name else f"{file}:{line}"


def _counts(pairs: Sequence[Compared]) -> dict[str, int]:
    kinds = Counter(change.kind for pair in pairs for change in pair.changes)
    differ = sum(pair.differs for pair in pairs)
    return {"files": len(pairs), "differ": differ, **{kind: kinds[kind] for kind in _WORDS}}  # type: ignore[index]


def _summary(pairs: Sequence[Compared]) -> str:
    counts = _counts(pairs)
    said = messages.DIFF_SUMMARY.text(**counts)
    return said if counts["differ"] else f"{messages.NO_DIFFERENCE.text()} · {said}"


RENDERERS: dict[str, Callable[[Sequence[Compared], int], str]] = {
    "text": render_text,
    "json": render_json,
    "markdown": render_markdown,
}
