"""The states of the LR machine where a list of items may go on: the borders at which a parse can be taken up again."""

from __future__ import annotations

from functools import cache

from agentl.syntax.tables import Tables, load_tables

OPENING = {"{": "}", "(": ")", "[": "]"}
CLOSING = frozenset(OPENING.values())
_OPENING_TOKENS = ("LBRACE", "LPAREN", "LBRACKET")
_CLOSING_TOKENS = ("RBRACE", "RPAREN", "RBRACKET")
# Lists that are never empty, and so have no empty rule to tell them by.
_NEVER_EMPTY = ("agents", "steps", "open")
# Lists of agents and sections.
_FRAME = ("imports", "agents", "closed", "open")


class Borders:
    """Per state: is it a border, and the symbol by which it was entered."""

    def __init__(self, tables: Tables) -> None:
        names = tables.nonterminals
        empty = {origin for origin, symbols, _ in tables.rules if not symbols}
        growing = {origin for origin, symbols, _ in tables.rules if symbols[:1] == [names[origin]]}
        lists = {names[origin] for origin in empty & growing} | set(_NEVER_EMPTY)
        entered = [""] * len(tables.actions)
        for row in tables.actions:
            for terminal, action in row.items():
                if action > 0:
                    entered[action] = tables.terminals[terminal]
        for row in tables.gotos:
            for nonterminal, state in row.items():
                entered[state] = names[nonterminal]
        self.entered = entered
        self.is_list = [symbol in lists for symbol in entered]
        self.is_border = [symbol in lists or symbol in _OPENING_TOKENS or not symbol for symbol in entered]
        self.is_opening = [symbol in _OPENING_TOKENS for symbol in entered]
        self.is_closing = [symbol in _CLOSING_TOKENS for symbol in entered]
        self.is_frame = [symbol in _FRAME or not symbol for symbol in entered]
        # In the braces of an agent no list stands yet.
        for state, symbol in enumerate(entered):
            if symbol == "LBRACE" and names.index("closed") in tables.gotos[state]:
                self.is_frame[state] = True


@cache
def borders() -> Borders:
    return Borders(load_tables())
