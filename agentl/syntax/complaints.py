"""What to say about a token that does not fit: which message, where, with what help."""

from __future__ import annotations

from agentl.diagnostics import Diagnostic, Related, Span
from agentl.messages import Message, Phrase
from agentl.messages import syntax as messages
from agentl.syntax import hints
from agentl.syntax.borders import CLOSING, OPENING, borders
from agentl.syntax.expected import phrase
from agentl.syntax.machine import Machine

_LONGEST_SHOWN = 30


class Complaints:
    """The findings of a parse. Nothing is said up to the token `quiet_until`: it would be an echo."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._tokens = machine.builder.tokens
        self._tables = machine.tables
        lexical = self._tokens.diagnostics
        self._lexical_lines = {each.line for each in lexical}
        self._is_cut_short = any(each.definition is messages.OPEN_COMMENT for each in lexical)
        self.quiet_until = -1
        self.diagnostics: list[Diagnostic] = []

    def wrong_token(self, at: int, keep: int | None) -> None:
        """Report a token. `keep` says that it fits once only so many entries of the stack are left."""
        tokens = self._tokens
        if self._is_echo(at):
            return
        closing = tokens.texts[at] if tokens.texts[at] in CLOSING else ""
        opened = self.opened(0)
        if closing and all(OPENING[tokens.texts[token]] != closing for token in opened):
            self._add(messages.EXTRA_CLOSE, at, bracket=closing)
        elif closing and OPENING[tokens.texts[opened[-1]]] != closing:
            self._missing(at, opened[-1])
        elif tokens.kinds[at] == 0 and opened:
            opener = self._suspect(opened[0]) or opened[-1]
            related = (Related(tokens.span(opener), messages.OPENED_HERE),)
            self._add(messages.UNEXPECTED_END, at, related=related, expected=phrase(self._expected(), self._tables))
        elif keep is not None and tokens.kinds[at] != 0 and self.opened(keep):
            self.missing_close(at, keep)
        else:
            self._unexpected(at)

    def missing_close(self, at: int, keep: int) -> None:
        """Report that a bracket opened above the first `keep` entries of the stack is not closed before a token."""
        opened = self.opened(keep)
        if at > self.quiet_until:
            self._missing(at, self._suspect(opened[0]) or opened[-1])

    def closed_too_early(self, at: int) -> None:
        """Report the `}` before a token, which belongs inside."""
        if not self._is_echo(at):
            related = (Related(self._tokens.span(at), messages.BELONGS_INSIDE),)
            self._add(messages.CLOSED_TOO_EARLY, at - 1, related=related, found=self._found(at))

    def _is_echo(self, at: int) -> bool:
        if self._is_cut_short and self._tokens.kinds[at] == 0:
            return True
        line = self._tokens.source.position(self._tokens.starts[at]).line
        return at <= self.quiet_until or line in self._lexical_lines

    def _unexpected(self, at: int) -> None:
        expected = self._expected()
        hint = hints.find(self._machine, expected)
        where = hint.token if hint and hint.token is not None else at
        message = messages.UNEXPECTED if self._tokens.kinds[at] else messages.UNEXPECTED_END
        self._add(message, where, hint=hint, expected=phrase(expected, self._tables), found=self._found(where))

    def _missing(self, at: int, opener: int) -> None:
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
        self.diagnostics.append(
            Diagnostic(
                message,
                arguments,
                span=Span(tokens.ends[at - 1], tokens.ends[at - 1]) if is_end else tokens.span(at),
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
        shown = line if line == text and len(line) <= _LONGEST_SHOWN else line[: _LONGEST_SHOWN - 3] + "…"
        return f"`{shown}`"

    # --- Brackets -----------------------------------------------------------------------------------------------------

    def opened(self, keep: int) -> list[int]:
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
            elif tokens.texts[at] in CLOSING and stack:
                opened = stack.pop()
                if tokens.starts_line(at) and tokens.column(at) < tokens.indent(opened):
                    return opened
        return None
