"""What a path means: a place in the state, or a tool, an output, an input, a variable by the way it is written.

The names that a run publishes are those of semantics.md §27: `tools.<t>.…`, `result.<t>.…`, `<t>.<output>`,
`goals.<g>.…`, `hypothesis.<h>.…`, `<h>.…`, `reason.<field>`, `judge.<field>`; and in a guard `action.args.<input>`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agentl.lsp.collect import Collected
from agentl.lsp.names import Kind, Name, ScopeId, Use

_BEFORE_NAME = {"tools": Kind.TOOL, "result": Kind.TOOL, "goals": Kind.GOAL, "hypothesis": Kind.HYPOTHESIS}
_ANSWERS = ("reason", "judge")


@dataclass
class _Known:
    """What can be named in an agent or module, with what it uses: by kind, and the inputs and outputs of tools."""

    names: dict[Kind, set[str]] = field(default_factory=lambda: defaultdict(set))
    fields: set[tuple[Kind, str, str]] = field(default_factory=set)
    owners: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)


class Meaning:
    """Reads the paths of all texts of a program; `reached` says what each agent or module has the members of."""

    def __init__(self, files: Sequence[Collected], reached: Mapping[ScopeId, Sequence[ScopeId]]) -> None:
        self._files = files
        self._known: dict[ScopeId, _Known] = defaultdict(_Known)
        self._loops: dict[ScopeId, dict[str, list[Name]]] = defaultdict(lambda: defaultdict(list))
        declared: dict[ScopeId, list[Name]] = defaultdict(list)
        for file, collected in enumerate(files):
            for name in collected.names:
                if name.kind is Kind.VARIABLE:
                    self._loops[file, name.scope][name.text].append(name)
                elif name.use in (Use.DECLARES, Use.WRITES):
                    declared[file, name.scope].append(name)
        for scope, members in reached.items():
            for name in (name for member in members for name in declared[member]):
                _note(self._known[scope], name)

    def names_in(self, file: int) -> Iterator[Name]:
        """Yield the names of a text, each path read."""
        for name in self._files[file].names:
            if name.kind is Kind.PATH and not name.text.startswith("SHARED."):
                yield from self._read(file, name)
            elif name.kind is Kind.VARIABLE:
                yield name._replace(owner=str(name.first))
            else:
                yield name

    def _read(self, file: int, name: Name) -> Iterator[Name]:
        at = (file, name.scope)
        tree = self._files[file].tree
        parts = [tree.name(token) for token in range(name.first, name.last + 1, 2)]
        loop = self._loop_around(at, parts[0], name.first)
        if loop is not None:
            yield _part(name, 0, Kind.VARIABLE, parts[0], str(loop.first))
        elif len(parts) == 1:
            yield self._read_bare(self._known[at], name)
        else:
            yield from self._read_dotted(self._known[at], name, parts)

    def _loop_around(self, at: ScopeId, variable: str, token: int) -> Name | None:
        loops = self._loops[at].get(variable, ()) if at in self._loops else ()
        around = [each for each in loops if each.first < token <= each.branch.last]
        return around[-1] if around else None

    def _read_bare(self, known: _Known, name: Name) -> Name:
        """An input of the tool around, or the output of some tool, unless something else gives it a value."""
        if name.use is Use.READS and (Kind.INPUT, name.owner, name.text) in known.fields:
            return name._replace(kind=Kind.INPUT)
        if name.text in known.owners and name.text not in known.written:
            return name._replace(kind=Kind.OUTPUT, owner=known.owners[name.text])
        return name

    def _read_dotted(self, known: _Known, name: Name, parts: list[str]) -> Iterator[Name]:
        first, second = parts[0], parts[1]
        kind = _BEFORE_NAME.get(first)
        if kind is not None and second in known.names[kind]:
            yield _part(name, 1, kind, second)
            if first == "result" and len(parts) > 2 and (Kind.OUTPUT, second, parts[2]) in known.fields:
                yield _part(name, 2, Kind.OUTPUT, parts[2], second)._replace(use=name.use)
        elif (first, second) == ("action", "args") and len(parts) > 2:
            yield _part(name, 2, Kind.INPUT, parts[2], name.owner)._replace(use=name.use)
        elif first in _ANSWERS:
            yield _part(name, 1, Kind.PATH, second)._replace(use=name.use)
        elif (Kind.OUTPUT, first, second) in known.fields:
            yield _part(name, 0, Kind.TOOL, first)
            yield _part(name, 1, Kind.OUTPUT, second, first)._replace(use=name.use)
        elif first in known.names[Kind.HYPOTHESIS] and name.use is Use.READS:
            yield _part(name, 0, Kind.HYPOTHESIS, first)
        else:
            yield name


def _note(known: _Known, name: Name) -> None:
    if name.use is Use.WRITES:
        known.written.add(name.text)
        return
    known.names[name.kind].add(name.text)
    if name.kind in (Kind.INPUT, Kind.OUTPUT):
        known.fields.add((name.kind, name.owner, name.text))
    if name.kind is Kind.OUTPUT:
        known.owners.setdefault(name.text, name.owner)


def _part(name: Name, segment: int, kind: Kind, text: str, owner: str = "") -> Name:
    """Return the name that one segment of a path is."""
    token = name.first + 2 * segment
    return name._replace(kind=kind, text=text, use=Use.REFERS, first=token, last=token, owner=owner)
