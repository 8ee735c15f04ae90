"""Process deaths, in process: at any point of a commit or of a launch everything stops, and nothing runs on after it.

A point has a name: `W3 transfer inside` (the transaction is never committed), `W3 transfer after`, `launch transfer 1
effect`. A `Cut` dies at a name, or at the point of a number, so that all points can be tried one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from agentl.journal.reading import fields_of
from agentl.operations.state import StateFolder
from tests.operations.world import Killed

_BY_KIND = {"open": "W1", "settle": "W9", "invoke": "W4", "end": "W5", "intent": "W3"}
_BY_WORD = {"start": "W2", "resume": "W7", "cancel": "W6"}
_BY_HOW = {"retry": "W3", "not_launched": "W3x", "unknown": "W4u", "reconciled": "W9", "not_executed": "W9"}


@dataclass
class Cut:
    """`at`: the name of a point, or its number from 1; "" for none. `seen`: the points passed. `then`: what else
    happens at a point, once.
    """

    at: str | int = ""
    then: dict[str, Callable[[], object]] = field(default_factory=dict)
    dead: bool = False
    seen: list[str] = field(default_factory=list)

    def point(self, name: str) -> None:
        """Die here when it is the point that was meant; whoever is dead dies again."""
        self.check()
        self.seen.append(name)
        happens = self.then.pop(name, None)
        if happens is not None:
            happens()
        if self.at in (name, len(self.seen)):
            self.dead = True
            raise Killed(name)

    def check(self) -> None:
        if self.dead:
            raise Killed("the process is gone")


class CuttingState(StateFolder):
    """A state folder whose owner may die at any commit. `fails_at`: the name of a write the disk has no room for."""

    cut: Cut
    fails_at: str = ""

    def execute(self, statement: str, arguments: tuple[object, ...] = ()) -> None:
        super().execute(statement, arguments)
        if statement.startswith("INSERT INTO entries"):
            self._lines.append(arguments[2])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.cut.check()
        self._lines: list[Any] = []
        name = ""
        with super().transaction():
            yield
            name = name_of([json.loads(line) for line in self._lines])
            if name and name == self.fails_at:
                raise OSError(28, "No space left on device")
            if name:
                self.cut.point(f"{name} inside")
        if name:
            self.cut.point(f"{name} after")


def name_of(written: list[dict[str, Any]]) -> str:
    """The name the contract has for a write (operations-contract.md §3), with its tool; "" for one without entries."""
    names = [name for name in map(_name_of_entry, written) if name]
    return "+".join(dict.fromkeys(names))


def _name_of_entry(entry: dict[str, Any]) -> str:
    kind, key = entry["kind"], entry["key"]
    if kind == "control":
        return _BY_WORD[key]
    name = _BY_HOW.get(fields_of(entry)["how"], "") if kind == "resolution" else _BY_KIND.get(kind, "")
    return f"{name} {key}" if name in ("W3", "W3x", "W4", "W4u") else name
