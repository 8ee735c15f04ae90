"""The comparisons that guards are mostly made of, with their common cases inlined.

A side that is a path stands against a number, a text or a word of the program. Each closure gives what the general
comparison gives: whatever is not plain goes to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentl.ir.expressions import Comparison, ListLiteral, Number, Path, Text
from agentl.logic.readers import is_pair, meaning
from agentl.logic.regime import Reading, Test, Value
from agentl.logic.scope import Scope
from agentl.logic.truth import Truth
from agentl.values import UNDEFINED, Symbol, rank
from agentl.values.ordinal import RANKS

Compare = Callable[[Any, Any], Truth]

# Whole numbers up to here are floats exactly, so that comparing them needs no conversion.
_EXACT = 2**53


def fast_comparison(expr: Comparison, left: Value, compare: Compare, reading: Reading) -> Test | None:
    """A closure for `left op constant`; None for other shapes. `compare` is the general comparison of two values."""
    right = expr.right
    if isinstance(right, Path) and _is_word(right, reading.state_names):
        if expr.op in ("==", "!="):
            against = _against_word(left, right.path, compare, equal=expr.op == "==")
            if isinstance(expr.left, Path) and is_pair(expr.left.path):
                return _pair_against_word(expr.left.path, right.path, against, equal=expr.op == "==")
            return against
        return None if expr.op == "IN" else _ordered_by_word(left, right.path, compare)
    if isinstance(right, Text) and expr.op in ("==", "!="):
        return _against_text(left, right.value, compare, equal=expr.op == "==")
    if isinstance(right, Number) and expr.op in _AGAINST_NUMBER:
        limit = right.value
        return _AGAINST_NUMBER[expr.op](left, limit, compare) if abs(limit) <= _EXACT else None
    if isinstance(right, ListLiteral) and expr.op == "IN" and reading.closed and not reading.state_names:
        return _among_words(left, right, compare)
    return None


def _is_word(path: Path, state_names: frozenset[str]) -> bool:
    return path.is_bare and path.path not in state_names and path.path != "confidence"


def _against_word(left: Value, name: str, compare: Compare, *, equal: bool) -> Test:
    symbol = Symbol(name)

    def against_word(scope: Scope) -> Truth:
        try:
            value = left(scope)
            words = scope.words
            word = words.get(name) if words is not None else None
            if word is None:
                word = meaning(scope, name, symbol)
            if word is symbol or type(word) is Symbol:
                if type(value) is Symbol:
                    return (value.name == word.name) is equal
                if type(value) is str:
                    return (value == word.name) is equal
            if value is UNDEFINED or word is UNDEFINED:
                return None
            return compare(value, word)
        except Exception:
            return None

    return against_word


def _pair_against_word(path: str, name: str, otherwise: Test, *, equal: bool) -> Test:
    """`door.state == open`, the commonest leaf: the reader inlined for a believed or observed word."""
    root, symbol = path.partition(".")[0], Symbol(name)

    def pair_against_word(scope: Scope) -> Truth:
        overlay, names, words = scope.overlay, scope.locals, scope.words
        if words is not None and not (root in overlay or path in overlay or root in names or path in names):
            belief = scope.beliefs.get(path)
            value = scope.world.get(path) if belief is None else belief.value
            if type(value) is Symbol:
                word = words.get(name) or meaning(scope, name, symbol)
                if type(word) is Symbol:
                    return (value.name == word.name) is equal
        return otherwise(scope)

    return pair_against_word


def _against_text(left: Value, text: str, compare: Compare, *, equal: bool) -> Test:
    def against_text(scope: Scope) -> Truth:
        try:
            value = left(scope)
            if type(value) is str:
                return (value == text) is equal
            if type(value) is Symbol:
                return (value.name == text) is equal
            return None if value is UNDEFINED else compare(value, text)
        except Exception:
            return None

    return against_text


def _above(left: Value, limit: float, compare: Compare) -> Test:
    def above(scope: Scope) -> Truth:
        try:
            value = left(scope)
            if (type(value) is int or type(value) is float) and -_EXACT <= value <= _EXACT:
                return value > limit
            return None if value is UNDEFINED else compare(value, limit)
        except Exception:
            return None

    return above


def _at_least(left: Value, limit: float, compare: Compare) -> Test:
    def at_least(scope: Scope) -> Truth:
        try:
            value = left(scope)
            if (type(value) is int or type(value) is float) and -_EXACT <= value <= _EXACT:
                return value >= limit
            return None if value is UNDEFINED else compare(value, limit)
        except Exception:
            return None

    return at_least


def _below(left: Value, limit: float, compare: Compare) -> Test:
    def below(scope: Scope) -> Truth:
        try:
            value = left(scope)
            if (type(value) is int or type(value) is float) and -_EXACT <= value <= _EXACT:
                return value < limit
            return None if value is UNDEFINED else compare(value, limit)
        except Exception:
            return None

    return below


def _at_most(left: Value, limit: float, compare: Compare) -> Test:
    def at_most(scope: Scope) -> Truth:
        try:
            value = left(scope)
            if (type(value) is int or type(value) is float) and -_EXACT <= value <= _EXACT:
                return value <= limit
            return None if value is UNDEFINED else compare(value, limit)
        except Exception:
            return None

    return at_most


_AGAINST_NUMBER: dict[str, Callable[[Value, float, Compare], Test]] = {
    ">": _above,
    ">=": _at_least,
    "<": _below,
    "<=": _at_most,
}


def _ordered_by_word(left: Value, name: str, compare: Compare) -> Test | None:
    """`action.risk >= HIGH`: once the word is known to be one, a symbol's place is looked up in a table of answers."""
    symbol = Symbol(name)
    if rank(symbol) is None:
        return None
    answers = {word: compare(Symbol(word), symbol) for word in RANKS}

    def ordered_by_word(scope: Scope) -> Truth:
        try:
            value = left(scope)
            words = scope.words
            word = words.get(name) if words is not None else None
            if word is None:
                word = meaning(scope, name, symbol)
            if word is symbol and type(value) is Symbol and value.name in answers:
                return answers[value.name]
            if value is UNDEFINED or word is UNDEFINED:
                return None
            return compare(value, word)
        except Exception:
            return None

    return ordered_by_word


def _among_words(left: Value, right: ListLiteral, compare: Compare) -> Test | None:
    """`x IN [settled, withdrawn]`, all of them words."""
    items = [item for item in right.items if isinstance(item, Path) and _is_word(item, frozenset())]
    if not items or len(items) != len(right.items):
        return None
    symbols = [Symbol(item.path) for item in items]
    names = frozenset(symbol.name for symbol in symbols)
    # WHY: no bare name has a space, so this cannot be taken for one in `words`.
    key = f" {' '.join(names)}"

    def found(scope: Scope) -> list[Any]:
        return [meaning(scope, symbol.name, symbol) for symbol in symbols]

    def are_symbols(scope: Scope, words: dict[str, Any]) -> bool:
        plain = words[key] = all(word is symbol for word, symbol in zip(found(scope), symbols, strict=True))
        return plain

    def among_words(scope: Scope) -> Truth:
        try:
            value = left(scope)
            words = scope.words
            if words is not None and (type(value) is Symbol or type(value) is str):
                plain = words.get(key)
                if plain or (plain is None and are_symbols(scope, words)):
                    return str(value) in names
            return None if value is UNDEFINED else compare(value, found(scope))
        except Exception:
            return None

    return among_words
