"""SharedMemory: the one store a whole society writes to (semantics.md §18.2)."""

from __future__ import annotations

from typing import Any

from agentl.values import UNDEFINED


class SharedMemory:
    """Records by key, in order, and how often each key was written. One object for all agents of a run."""

    __slots__ = ("declared", "records", "versions")

    def __init__(self, declared: tuple[str, ...] = ()) -> None:
        self.declared: set[str] = set(declared)
        self.records: dict[str, list[Any]] = {}
        self.versions: dict[str, int] = {}

    def write(self, key: str, record: Any) -> int:
        """Append one record and return the new version of the key, 1 after the first write."""
        self.records.setdefault(key, []).append(record)
        self.versions[key] = self.versions.get(key, 0) + 1
        return self.versions[key]

    def read(self, path: str) -> Any:
        """Value of `SHARED.<path>`; UNDEFINED for what the table of §18.2 does not list."""
        key, _, rest = path.partition(".")
        if rest == "version":
            return self.versions.get(key, 0)
        records = self.records.get(key)
        if records is None:
            if key not in self.declared:
                return UNDEFINED
            records = []
        if not rest:
            return records
        if rest == "count":
            return len(records)
        word, _, field = rest.partition(".")
        if word != "last" or not records:
            return UNDEFINED
        return _field(records[-1], field) if field else records[-1]


def _field(record: Any, path: str) -> Any:
    # WHY: a record stored from `a.b` has the one key "a.b"; it comes before a descent into "a".
    if isinstance(record, dict) and path in record:
        return record[path]
    value = record
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return UNDEFINED
        value = value[part]
    return value
