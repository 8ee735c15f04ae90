"""The LR machine: runs the parse tables over tokens, calling a lowering function at each reduction.

Nothing here recurses, so depth of nesting never meets Python's limit.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from agentl.syntax.lower.builder import Builder, Lowering
from agentl.syntax.lower.register import lowerings
from agentl.syntax.tables import Tables, load_tables

# What a reduction does: hand on its one value, start a list, add to a list, give None, or call a function.
HAND_ON, NEW_LIST, ADD, NOTHING, CALL = range(5)

# (nonterminal, length of the right side, what to do, function or None)
Reduction = tuple[int, int, int, Lowering | None]


@cache
def reductions() -> list[Reduction]:
    """Return what each rule does, by its number."""
    return _reductions(load_tables(), lowerings())


def _reductions(tables: Tables, functions: dict[str, Lowering]) -> list[Reduction]:
    names = tables.nonterminals
    lists = {origin for origin, symbols, _ in tables.rules if symbols[:1] == [names[origin]]}
    result: list[Reduction] = []
    for origin, symbols, alias in tables.rules:
        function = functions.get(alias or names[origin])
        length = len(symbols)
        if alias:
            if function is None:
                raise LookupError(f"no function lowers the grammar alias {alias!r}")
            result.append((origin, length, CALL, function))
        elif symbols[:1] == [names[origin]]:
            result.append((origin, length, ADD, None))
        elif not symbols:
            result.append((origin, 0, NEW_LIST if origin in lists else NOTHING, None))
        elif length == 1:
            result.append((origin, length, HAND_ON, None))
        elif function is not None:
            result.append((origin, length, CALL, function))
        else:
            raise LookupError(f"nothing lowers the grammar rule {names[origin]!r}")
    return result


class Machine:
    """Stacks of one parse. After `run` gave False, `states` and `at` say where it stands; it can go on from there."""

    def __init__(self, tables: Tables, builder: Builder, rules: list[Reduction] | None = None) -> None:
        """`rules` is what each rule does; by default it lowers."""
        self.tables = tables
        self.builder = builder
        self.rules = reductions() if rules is None else rules
        self.kinds = builder.kinds
        self.states = [0]
        self.values: list[Any] = [None]
        self.firsts = [0]
        self.at = 0

    def run(self) -> bool:
        """Parse on until the end (True) or to a token that does not fit (False)."""
        actions, gotos, rules = self.tables.actions, self.tables.gotos, self.rules
        word, first_word = self.tables.word_terminal, self.tables.first_word
        ident, contextual = self.tables.number["IDENT"], self.tables.contextual
        states, values, firsts, kinds = self.states, self.values, self.firsts, self.kinds
        builder, at = self.builder, self.at
        kind, state = kinds[at], states[-1]
        while True:
            row = actions[state]
            action = row.get(kind)
            if action is None:
                if kind in contextual:
                    kinds[at] = kind = ident
                    continue
                # A reserved word that means nothing here may still be a name.
                action = row.get(word) if kind >= first_word else None
                if action is None:
                    self.at = at
                    return False
            if action >= 0:
                if kind == 0:
                    return True
                states.append(action)
                values.append(at)
                firsts.append(at)
                at += 1
                kind = kinds[at]
                state = action
                continue
            origin, length, deed, function = rules[~action]
            if deed == HAND_ON:
                states[-1] = state = gotos[states[-2]][origin]
                continue
            if deed == CALL:
                first = firsts[-length]
                value = function(builder, values[-length:], first, at - 1)  # type: ignore[misc]
                del states[-length:], values[-length:], firsts[-length:]
            elif deed == ADD:
                value, first = values[-length], firsts[-length]
                value.append(values[1 - length])
                del states[-length:], values[-length:], firsts[-length:]
            else:
                value = [] if deed == NEW_LIST else None
                first = at
            state = gotos[states[-1]][origin]
            states.append(state)
            values.append(value)
            firsts.append(first)

    @property
    def result(self) -> Any:
        return self.values[-1]

    def accepts(self, depth: int, kind: int, as_name: bool = True) -> bool:
        """Would this terminal be shifted if only the first `depth` states were left? Changes nothing.

        `as_name`: may a reserved word count as a name?
        """
        actions, gotos, rules = self.tables.actions, self.tables.gotos, self.rules
        top = depth
        pushed: list[int] = []
        while True:
            row = actions[pushed[-1] if pushed else self.states[top - 1]]
            action = row.get(kind)
            if action is None and as_name and kind in self.tables.contextual:
                kind = self.tables.number["IDENT"]
                continue
            if action is None and as_name and kind >= self.tables.first_word:
                action = row.get(self.tables.word_terminal)
            if action is None:
                return False
            if action >= 0:
                return True
            origin, length, _, _ = rules[~action]
            kept = len(pushed) - length
            if kept >= 0:
                del pushed[kept:]
            else:
                pushed.clear()
                top += kept
            pushed.append(gotos[pushed[-1] if pushed else self.states[top - 1]][origin])

    def cut(self, depth: int, at: int) -> None:
        """Keep the first `depth` entries of the stacks and go on at a token."""
        del self.states[depth:], self.values[depth:], self.firsts[depth:]
        self.at = at
