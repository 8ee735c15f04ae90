"""After a token that does not fit: report it, skip to a border of statement, section or agent, go on."""

from __future__ import annotations

from agentl.diagnostics import Diagnostic, Related, Span
from agentl.messages import Message, Phrase
from agentl.messages import syntax as messages
from agentl.syntax import hints
from agentl.syntax.borders import OPENING, borders
from agentl.syntax.expected import phrase
from agentl.syntax.machine import Machine

# More findings than this help nobody; the parse ends there.
_MOST_FINDINGS = 100
_MOST_RECOVERIES = 1000

# Words that begin a section and never a statement: at the start of a line they are taken as such.
_SECTION_WORDS = ("AGENT", "BELIEF", "GOAL", "HYPOTHESIS", "MEMORY", "PLAN", "PLANNER", "POLICY", "SCENARIO", "TOOL")


class Recovery:
    """Brings a machine that stands at a wrong token to where it can go on. Keeps the findings."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._tokens = machine.builder.tokens
        self._tables = machine.tables
        self._sections = {self._tables.number[word] for word in _SECTION_WORDS}
        self._lexical_lines = {each.line for each in self._tokens.diagnostics}
        self._is_cut_short = any(each.message is messages.OPEN_COMMENT for each in self._tokens.diagnostics)
        self._quiet_until = -1
        self._recoveries = 0
        self.diagnostics: list[Diagnostic] = []

    def recover(self) -> bool:
        """Report the token the machine stands at and move on. False: the rest of the text cannot be read."""
        machine = self._machine
        at = machine.at
        machine.builder.last_damage = at
        misread = self._misread_section(at)
        if misread is not None:
            depth, token = misread
            self._report_missing(token, depth)
            machine.cut(depth, token)
        else:
            place = self._next_border(at)
            self._report(at, place)
            if place is None:
                return False
            machine.cut(*place)
        # A name may have been taken up in the middle of something; what follows it is then an echo.
        is_sure = self._tokens.kinds[machine.at] >= self._tables.first_word
        self._quiet_until = machine.at if is_sure else machine.at + 1
        self._recoveries += 1
        return len(self.diagnostics) < _MOST_FINDINGS and self._recoveries < _MOST_RECOVERIES

    # --- Where to go on -----------------------------------------------------------------------------------------------

    def _next_border(self, at: int) -> tuple[int, int] | None:
        """Return (entries of the stack to keep, token to go on at) of the first token that fits at a border."""
        texts, kinds = self._tokens.texts, self._tokens.kinds
        places = self._open_borders()
        depth = 0
        while True:
            kind = kinds[at]
            keep = self._border_for(at, depth, places)
            if keep is not None:
                return keep, at
            if kind == 0:
                return None
            if texts[at] in OPENING:
                depth += 1
            elif depth and texts[at] in OPENING.values():
                depth -= 1
            at += 1

    def _open_borders(self) -> list[int]:
        """Return how many entries of the stack to keep for each border, innermost first, none in closed brackets."""
        states, known = self._machine.states, borders()
        closed = 0
        places = []
        for keep in range(len(states), 0, -1):
            state = states[keep - 1]
            if known.is_closing[state]:
                closed += 1
            elif closed and known.is_opening[state]:
                closed -= 1
            elif not closed and known.is_border[state]:
                places.append(keep)
        return places

    def _border_for(self, at: int, depth: int, places: list[int]) -> int | None:
        """Return how many entries of the stack to keep so that this token fits, or None."""
        kind = self._tokens.kinds[at]
        starts_line = self._starts_line(at)
        is_section = kind in self._sections and starts_line
        if depth and not is_section:
            return None
        if kind < self._tables.first_word and not starts_line and kind != 0 and not self._is_closing(at):
            return None
        states, known = self._machine.states, borders()
        for keep in places:
            if depth and not known.is_frame[states[keep - 1]]:
                continue
            if self._machine.accepts(keep, kind, as_name=False):
                return keep
        return None

    def _misread_section(self, at: int) -> tuple[int, int] | None:
        """A section word at the start of this line that was read as a name, because `}` is missing before it."""
        first = at
        while first and not self._starts_line(first):
            first -= 1
        kind = self._tokens.kinds[first]
        if first == at or kind not in self._sections:
            return None
        states, firsts, known = self._machine.states, self._machine.firsts, borders()
        for keep in self._open_borders():
            if known.is_frame[states[keep - 1]] and self._machine.accepts(keep, kind, as_name=False):
                consumed_before = keep < len(firsts) and firsts[keep] < first
                return (keep, first) if consumed_before and self._opened(keep) else None
        return None

    def _starts_line(self, at: int) -> bool:
        if at == 0:
            return True
        return "\n" in self._tokens.source.text[self._tokens.ends[at - 1] : self._tokens.starts[at]]

    def _is_closing(self, at: int) -> bool:
        return self._tokens.texts[at] in OPENING.values()

    # --- What to say --------------------------------------------------------------------------------------------------

    def _report(self, at: int, place: tuple[int, int] | None) -> None:
        tokens = self._tokens
        if self._is_cut_short and tokens.kinds[at] == 0:
            return
        if at <= self._quiet_until or tokens.source.position(tokens.starts[at]).line in self._lexical_lines:
            return
        closing = tokens.texts[at] if self._is_closing(at) else ""
        opened = self._opened(0)
        if closing and all(OPENING[tokens.texts[token]] != closing for token in opened):
            self._add(messages.EXTRA_CLOSE, at, bracket=closing)
        elif closing and OPENING[tokens.texts[opened[-1]]] != closing:
            self._report_missing(at, len(self._machine.states), opened[-1])
        elif tokens.kinds[at] == 0 and opened:
            self._report_end(at, opened)
        elif place is not None and place[1] == at and tokens.kinds[at] != 0 and self._opened(place[0]):
            self._report_missing(at, place[0])
        else:
            self._report_unexpected(at)

    def _report_unexpected(self, at: int) -> None:
        expected = self._expected()
        hint = hints.find(self._machine, expected)
        where = hint.token if hint and hint.token is not None else at
        message = messages.UNEXPECTED if self._tokens.kinds[at] else messages.UNEXPECTED_END
        self._add(message, where, hint=hint, expected=phrase(expected, self._tables), found=self._found(where))

    def _report_end(self, at: int, opened: list[int]) -> None:
        opener = self._suspect(opened[0]) or opened[-1]
        related = (Related(self._tokens.span(opener), messages.OPENED_HERE),)
        self._add(messages.UNEXPECTED_END, at, related=related, expected=phrase(self._expected(), self._tables))

    def _report_missing(self, at: int, keep: int, opener: int | None = None) -> None:
        if at <= self._quiet_until:
            return
        if opener is None:
            opened = self._opened(keep)
            opener = self._suspect(opened[0]) or opened[-1]
        related = (Related(self._tokens.span(opener), messages.OPENED_HERE),)
        bracket = OPENING[self._tokens.texts[opener]]
        self._add(messages.MISSING_CLOSE, at, related=related, bracket=bracket, found=self._found(at))

    def _add(
        self,
        message: Message,
        at: int,
        hint: hints.Hint | None = None,
        related: tuple[Related, ...] = (),
        **arguments: object,
    ) -> None:
        tokens = self._tokens
        # What is missing at the end is missing right after the last token.
        is_end = tokens.kinds[at] == 0 and at
        span = Span(tokens.ends[at - 1], tokens.ends[at - 1]) if is_end else tokens.span(at)
        self.diagnostics.append(
            Diagnostic(
                message,
                arguments,
                span=span,
                source=tokens.source,
                hint=hint.text if hint else None,
                hint_arguments=hint.arguments if hint else {},
                related=related,
            )
        )

    def _expected(self) -> set[str]:
        machine = self._machine
        row = self._tables.actions[machine.states[-1]]
        size = len(machine.states)
        return {self._tables.terminals[kind] for kind in row if machine.accepts(size, kind, as_name=False)}

    def _found(self, at: int) -> Phrase | str:
        text = self._tokens.texts[at]
        if not text:
            return Phrase(messages.THE_END)
        line = text.split("\n")[0]
        shown = line if len(line) <= 30 and line == text else line[:27] + "…"
        return f"`{shown}`"

    def _opened(self, keep: int) -> list[int]:
        """Return the opening brackets that stand open above the first `keep` entries of the stack."""
        machine, known = self._machine, borders()
        opened: list[int] = []
        for state, first in zip(machine.states[keep:], machine.firsts[keep:], strict=True):
            if known.is_opening[state]:
                opened.append(first)
            elif known.is_closing[state]:
                opened.pop()
        return opened

    def _suspect(self, opener: int) -> int | None:
        """Return the first bracket after `opener` whose closing one stands further left than the line that opened it.

        By its layout that one is not closed: the `}` that follows was meant for a block around it.
        """
        tokens = self._tokens
        stack: list[int] = []
        for at in range(opener, self._machine.at):
            if tokens.texts[at] in OPENING:
                stack.append(at)
            elif self._is_closing(at) and stack:
                opened = stack.pop()
                if self._starts_line(at) and self._column(at) < self._indent(opened):
                    return opened
        return None

    def _column(self, at: int) -> int:
        return self._tokens.source.position(self._tokens.starts[at]).column

    def _indent(self, at: int) -> int:
        while not self._starts_line(at):
            at -= 1
        return self._column(at)
