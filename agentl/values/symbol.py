"""Symbol: a bare word as a value."""

from __future__ import annotations

from typing import Any


class Symbol:
    """Immutable; equal to a Symbol or str with the same text, and hashing like it (semantics.md §1)."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", str(name))

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise AttributeError("a Symbol cannot be changed")

    def __delattr__(self, attribute: str) -> None:
        raise AttributeError("a Symbol cannot be changed")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Symbol):
            return self.name == other.name
        if isinstance(other, str):
            return self.name == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Symbol:
        return self

    def __reduce__(self) -> tuple[type[Symbol], tuple[str]]:
        return (Symbol, (self.name,))
