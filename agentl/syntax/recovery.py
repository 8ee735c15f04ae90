"""After a token that does not fit: have it reported, skip to a border of statement, section or agent, go on."""

from __future__ import annotations

from typing import NamedTuple

from agentl.diagnostics import Diagnostic
from agentl.syntax.borders import CLOSING, OPENING, borders
from agentl.syntax.complaints import Complaints
from agentl.syntax.machine import Machine

# More findings than this help nobody; the parse ends there.
_MOST_FINDINGS = 100
_MOST_RECOVERIES = 1000

# Words that begin a section and never a statement: at the start of a line they are taken as such.
_SECTION_WORDS = ("AGENT", "BELIEF", "GOAL", "HYPOTHESIS", "MEMORY", "PLAN", "PLANNER", "POLICY", "SCENARIO", "TOOL")
# Words that go on something as often as they begin it: in the middle of a line nothing is taken up at them.
_CONTINUING_WORDS = ("CONFIDENCE", "DEFAULT", "NOT", "ON", "SHARED", "WHEN")


class Place(NamedTuple):
    """Where to go on: entries of the stack to keep, and the token."""

    keep: int
    token: int


class Recovery:
    """Brings a machine that stands at a wrong token to where it can go on."""

    def __init__(self, machine: Machine) -> None:
        number = machine.tables.number
        self._machine = machine
        self._tokens = machine.builder.tokens
        self._first_word = machine.tables.first_word
        self._sections = {number[word] for word in _SECTION_WORDS}
        self._continuing = {number[word] for word in _CONTINUING_WORDS}
        self._complaints = Complaints(machine)
        self._recoveries = 0

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self._complaints.diagnostics

    def recover(self) -> bool:
        """Report the token the machine stands at and move on. False: the rest of the text cannot be read."""
        machine, complaints = self._machine, self._complaints
        at = machine.at
        machine.builder.last_damage = at
        place = self._misread_section(at)
        if place is not None:
            complaints.missing_close(place.token, place.keep)
        elif self._closed_too_early(at):
            place = Place(len(machine.states) - 1, at)
            complaints.closed_too_early(at)
        else:
            place = self._next_border(at)
            complaints.wrong_token(at, place.keep if place is not None and place.token == at else None)
            if place is None:
                return False
        machine.cut(*place)
        # A name may have been taken up in the middle of something; what follows it is then an echo.
        is_sure = self._tokens.kinds[place.token] >= self._first_word
        complaints.quiet_until = place.token if is_sure else place.token + 1
        self._recoveries += 1
        return len(self.diagnostics) < _MOST_FINDINGS and self._recoveries < _MOST_RECOVERIES

    def _next_border(self, at: int) -> Place | None:
        """Return the first token from `at` on that fits at a border; what stands in brackets on the way is skipped."""
        texts, kinds = self._tokens.texts, self._tokens.kinds
        places = self._open_borders()
        depth = 0
        while True:
            keep = self._border_for(at, depth, places)
            if keep is not None:
                return Place(keep, at)
            if kinds[at] == 0:
                return None
            if texts[at] in OPENING:
                depth += 1
            elif depth and texts[at] in CLOSING:
                depth -= 1
            at += 1

    def _open_borders(self) -> list[tuple[int, int]]:
        """Return for each border, innermost first, the entries of the stack to keep and the open brackets given up."""
        states, known = self._machine.states, borders()
        closed = left = 0
        places = []
        for keep in range(len(states), 0, -1):
            state = states[keep - 1]
            if not closed and known.is_border[state]:
                places.append((keep, left))
            if known.is_closing[state]:
                closed += 1
            elif known.is_opening[state]:
                if closed:
                    closed -= 1
                else:
                    left += 1
        return places

    def _border_for(self, at: int, depth: int, places: list[tuple[int, int]]) -> int | None:
        """Return how many entries of the stack to keep so that this token fits, or None.

        Closing brackets, sections, and words at the start of a line may give up open brackets; names at the start of a
        line and words within it may not. A name within a line is never taken up: it may be part of what is wrong.
        """
        kind = self._tokens.kinds[at]
        starts_line = self._tokens.starts_line(at)
        is_section = kind in self._sections
        if depth and not (is_section and starts_line):
            return None
        is_word = kind >= self._first_word
        is_free = is_section or (is_word and starts_line) or kind == 0 or self._tokens.texts[at] in CLOSING
        if not is_free and not starts_line and (not is_word or kind in self._continuing):
            return None
        states, known = self._machine.states, borders()
        for keep, left in places:
            if (depth and not known.is_frame[states[keep - 1]]) or (left and not is_free):
                continue
            if self._machine.accepts(keep, kind, as_name=False):
                return keep
        return None

    def _misread_section(self, at: int) -> Place | None:
        """A section word at the start of this line that was read as a name, because `}` is missing before it."""
        first = at
        while first and not self._tokens.starts_line(first):
            first -= 1
        kind = self._tokens.kinds[first]
        if first == at or kind not in self._sections:
            return None
        states, firsts, known = self._machine.states, self._machine.firsts, borders()
        for keep, left in self._open_borders():
            if known.is_frame[states[keep - 1]] and self._machine.accepts(keep, kind, as_name=False):
                consumed_before = keep < len(firsts) and firsts[keep] < first
                return Place(keep, first) if consumed_before and left else None
        return None

    def _closed_too_early(self, at: int) -> bool:
        """Would this reserved word fit, had the `}` before it not been there?"""
        machine, kind = self._machine, self._tokens.kinds[at]
        is_after_brace = self._tokens.texts[at - 1] == "}" and borders().is_closing[machine.states[-1]]
        is_word = kind >= self._first_word and kind not in self._continuing
        return is_after_brace and is_word and machine.accepts(len(machine.states) - 1, kind, as_name=False)
