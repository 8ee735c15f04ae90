"""After a token that does not fit: have it reported, skip to a border of statement, section or agent, go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from agentl.diagnostics import Diagnostic
from agentl.syntax.borders import CLOSING, OPENING, borders
from agentl.syntax.complaints import Complaints
from agentl.syntax.machine import Machine

# More findings than this help nobody; the parse ends there.
_MOST_FINDINGS = 100
_MOST_RECOVERIES = 1000

# Words that begin a section and never a statement: at the start of a line they are taken as such.
_SECTION_WORDS = (
    *("AGENT", "BELIEF", "GOAL", "HYPOTHESIS", "MEMORY", "MODULE", "PLAN", "PLANNER", "POLICY", "SCENARIO", "TOOL"),
)
# Words that go on something as often as they begin it: in the middle of a line nothing is taken up at them.
_CONTINUING_WORDS = ("CONFIDENCE", "DEFAULT", "NOT", "ON", "SHARED", "WHEN")


# Entries of the stack to keep for a border, and how many open brackets that gives up.
Border = tuple[int, int]


class Place(NamedTuple):
    """Where to go on: entries of the stack to keep, and the token."""

    keep: int
    token: int


@dataclass
class _Around:
    """What is open around a wrong token: the borders, innermost first, and the opening brackets, outermost first."""

    places: list[Border]
    opened: list[int]

    def give_up(self, count: int) -> None:
        """Leave out the innermost brackets and the borders in them."""
        if count:
            del self.opened[-count:]
            self.places = [(keep, left - count) for keep, left in self.places if left >= count]


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
        around = _Around(self._open_borders(), self._complaints.opened(0))
        depth = 0
        while True:
            if texts[at] in CLOSING and not depth:
                keep = self._border_for_closing(at, around)
            else:
                keep = self._border_for(at, depth, around.places)
                depth += (texts[at] in OPENING) - (texts[at] in CLOSING)
            if keep is not None:
                return Place(keep, at)
            if kinds[at] == 0:
                return None
            at += 1

    def _border_for_closing(self, at: int, around: _Around) -> int | None:
        """A closing bracket fits where its own bracket may end; when nothing in there can end, it is given up whole."""
        texts = self._tokens.texts
        own = [index for index, token in enumerate(around.opened) if OPENING[texts[token]] == texts[at]]
        if not own:
            return None
        around.give_up(len(around.opened) - own[-1] - 1)
        for keep, left in around.places:
            if not left and self._machine.accepts(keep, self._tokens.kinds[at]):
                return keep
        around.give_up(1)
        return None

    def _open_borders(self) -> list[Border]:
        """Return the borders outside of closed brackets, innermost first."""
        states, known = self._machine.states, borders()
        closed = left = 0
        places = []
        for keep in range(len(states), 0, -1):
            state = states[keep - 1]
            # Right after an opening bracket a list can only begin; where one has begun, it goes on.
            has_begun = known.is_opening[state] and keep < len(states) and known.is_list[states[keep]]
            if not closed and known.is_border[state] and not has_begun:
                places.append((keep, left))
            if known.is_closing[state]:
                closed += 1
            elif known.is_opening[state]:
                if closed:
                    closed -= 1
                else:
                    left += 1
        return places

    def _border_for(self, at: int, depth: int, places: list[Border]) -> int | None:
        """Return how many entries of the stack to keep so that this token fits, or None.

        Sections and words at the start of a line may give up open brackets; names at the start of a line and words
        within it may not. A name within a line is never taken up: it may be part of what is wrong.
        """
        kind = self._tokens.kinds[at]
        starts_line = self._tokens.starts_line(at)
        is_section = kind in self._sections
        if depth and not (is_section and starts_line):
            return None
        is_word = kind >= self._first_word
        is_free = is_section or (is_word and starts_line) or kind == 0
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
        """Would this reserved word fit without the `}` before it, and does it stand as if it were inside?"""
        machine, tokens, kind = self._machine, self._tokens, self._tokens.kinds[at]
        is_after_brace = tokens.texts[at - 1] == "}" and borders().is_closing[machine.states[-1]]
        if not is_after_brace or kind < self._first_word or kind in self._continuing:
            return False
        if not machine.accepts(len(machine.states) - 1, kind, as_name=False):
            return False
        return not tokens.starts_line(at) or tokens.column(at) > tokens.indent(self._opening_of_last())

    def _opening_of_last(self) -> int:
        """Return the bracket that the last token on the stack closes."""
        states, firsts, known = self._machine.states, self._machine.firsts, borders()
        closed = 0
        for index in range(len(states) - 1, 0, -1):
            closed += known.is_closing[states[index]] - known.is_opening[states[index]]
            if closed == 0:
                return firsts[index]
        return firsts[-1]
