"""UNDEFINED: the absence of a value."""

from __future__ import annotations

from typing import Final


class Undefined:
    """Falsy, one instance, equal to nothing, not even itself in the language (semantics.md §1)."""

    __slots__ = ()
    _instance: Undefined | None = None

    def __new__(cls) -> Undefined:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __copy__(self) -> Undefined:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Undefined:
        return self

    def __reduce__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined()
