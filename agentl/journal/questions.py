"""Questions: what people were asked and have not answered, as a journal has it (decision 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentl.journal.entries import RawEntry
from agentl.journal.kinds import FREE
from agentl.journal.reading import fields_of


@dataclass(frozen=True, slots=True)
class Question:
    """`subject` is the action as it was shown, `action` its digest; `since` is when it was first asked (UTC, ms)."""

    subject: str
    action: str
    agent: str
    branch: str
    since: int


def open_questions(entries: Iterable[RawEntry]) -> list[Question]:
    """The questions that still stand, in the order in which they were first asked.

    A run stops at its question: where its agent (or its branch) has got further since, it is open no more, whatever
    became of it. Being put again by a later process makes it no younger.
    """
    standing: dict[tuple[str, str], Question] = {}
    first_asked: dict[tuple[str, str, str], int] = {}
    for entry in entries:
        kind, line = entry["kind"], (entry.get("agent", ""), entry.get("branch", ""))
        if kind == "request":
            fields = fields_of(entry)
            since = first_asked.setdefault((*line, entry["key"]), int(entry.get("at", 0)))
            standing[line] = Question(entry["key"], str(fields.get("action", "")), *line, since)
        elif kind in ("checkpoint", "end"):
            standing.clear()
            first_asked.clear()
        elif kind not in FREE and not _asks_again(entry):
            standing.pop(line, None)
            if kind == "approve":
                first_asked.pop((*line, entry["key"]), None)
    return sorted(standing.values(), key=lambda question: question.since)


def _asks_again(entry: RawEntry) -> bool:
    """Whether a later process looked at the world and is about to put the question once more (decision 6)."""
    return entry["kind"] == "recheck" and fields_of(entry).get("verdict") != "DENIED"
