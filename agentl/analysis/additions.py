"""Additions: where a new member of a section is written, and what stands around it there."""

from __future__ import annotations

from typing import NamedTuple

from agentl.analysis.model import AgentModel
from agentl.diagnostics import Edit, Span
from agentl.ir.node import Node

_COMMENTS = ("//", "#")


class Addition(NamedTuple):
    """The place, and what stands before and after the new text there."""

    at: int
    before: str
    after: str = ""

    def of(self, text: str) -> Edit:
        """Return the edit that writes the text."""
        return Edit(Span(self.at, self.at), f"{self.before}{text}{self.after}")


def place_of_additions(model: AgentModel, section: str, last: Node | None) -> Addition:
    """Return where to add to a section of the agent: after its last member, else in a section of its own at the end."""
    text = model.places.source(model.agent).text
    if last is None:
        end = model.places.whole(model.agent).end - 1
        line = text.rfind("\n", 0, end) + 1
        if text[line:end].strip():
            return Addition(end, f" {section} {{ ", " } ")
        return Addition(line, f"    {section} {{ ", " }\n")
    place = model.places.whole(last)
    rest = text[place.end : _line_end(text, place.end)].strip()
    if rest and not rest.startswith(_COMMENTS):
        return Addition(place.end, "  ")
    end = _line_end(text, place.end)
    return Addition(end, f"\n{_indent(text, place.start)}")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _indent(text: str, at: int) -> str:
    """The blanks a new line needs to stand under the text at a place."""
    start = text.rfind("\n", 0, at) + 1
    return "".join(letter if letter == "\t" else " " for letter in text[start:at])
