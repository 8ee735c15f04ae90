"""Collects the names of a tree. What stands where in a rule of the grammar is said here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from agentl.lsp.names import Kind, Name, Scope, Use
from agentl.lsp.tree import Branch, Tree


@dataclass
class Collected:
    """The names of a text in the order they stand in, its agents and modules, and the IMPORTs."""

    tree: Tree
    names: list[Name] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    imports: list[Branch] = field(default_factory=list)


class _Around(NamedTuple):
    """What a branch stands in."""

    scope: int = -1
    tool: str = ""
    owner: Branch | None = None
    use: Use = Use.READS
    is_supposed: bool = False


_DECLARES, _REFERS, _WRITES, _READS = Use.DECLARES, Use.REFERS, Use.WRITES, Use.READS

# Names in a rule that are one token, by the position of their symbol.
_TOKENS: dict[str, tuple[tuple[int, Kind, Use], ...]] = {
    "agent": ((1, Kind.AGENT, _DECLARES),),
    "delegate": ((1, Kind.AGENT, _REFERS),),
    "foreach": ((1, Kind.VARIABLE, _DECLARES),),
    "given_message": ((4, Kind.AGENT, _REFERS),),
    "goal": ((1, Kind.GOAL, _DECLARES),),
    "hypothesis": ((1, Kind.HYPOTHESIS, _DECLARES),),
    "on_message": ((2, Kind.MESSAGE, _DECLARES),),
    "plan_of_statements": ((1, Kind.PLAN, _DECLARES),),
    "plan_of_steps": ((1, Kind.PLAN, _DECLARES),),
    "scenario": ((1, Kind.SCENARIO, _DECLARES),),
    "send": ((1, Kind.MESSAGE, _REFERS),),
    "short_tool": ((0, Kind.TOOL, _DECLARES),),
    "short_tool_bare": ((0, Kind.TOOL, _DECLARES),),
    "step_braced": ((1, Kind.STEP, _DECLARES),),
    "step_open": ((1, Kind.STEP, _DECLARES),),
    "third_text": ((2, Kind.TOOL, _REFERS),),
    "tool": ((1, Kind.TOOL, _DECLARES),),
    "second_text": ((1, Kind.TYPE, _REFERS),),
    "tool_risk": ((2, Kind.WORD, _REFERS),),
    "risk": ((0, Kind.WORD, _REFERS), (2, Kind.WORD, _REFERS)),
    "policy_default": ((2, Kind.WORD, _REFERS),),
    "produce": ((0, Kind.PATH, _WRITES),),
    "noul": ((0, Kind.PATH, _WRITES),),
    "choice": ((0, Kind.PATH, _WRITES),),
    "score": ((0, Kind.PATH, _WRITES),),
}
# Names in a rule that are paths.
_PATHS: dict[str, tuple[tuple[int, Kind, Use], ...]] = {
    "approval_rule": ((2, Kind.TOOL, _REFERS),),
    "approval_rule_long": ((3, Kind.TOOL, _REFERS),),
    "assignment": ((0, Kind.PATH, _WRITES),),
    "assignment_set": ((1, Kind.PATH, _WRITES),),
    "belief": ((0, Kind.PATH, _WRITES),),
    "call": ((0, Kind.TOOL, _REFERS),),
    "effect": ((0, Kind.PATH, _WRITES),),
    "event": ((1, Kind.EVENT, _DECLARES),),
    "explains": ((2, Kind.PATH, _WRITES),),
    "explains_value": ((2, Kind.PATH, _WRITES),),
    "function": ((0, Kind.FUNCTION, _REFERS),),
    "given_event": ((2, Kind.EVENT, _REFERS),),
    "given_message": ((2, Kind.MESSAGE, _REFERS),),
    "import_shipped": ((1, Kind.MODULE, _REFERS),),
    "memory_path": ((0, Kind.PATH, _WRITES),),
    "module": ((1, Kind.MODULE, _DECLARES),),
    "observer": ((0, Kind.PATH, _WRITES),),
    "open_next_observer": ((1, Kind.PATH, _WRITES),),
    "open_observer": ((1, Kind.PATH, _WRITES),),
    "plan_reference": ((0, Kind.PLAN, _REFERS),),
    "rule": ((1, Kind.TOOL, _REFERS),),
    "use": ((1, Kind.MODULE, _REFERS),),
}
# Rules with names in lists that are given a value; FIELD rules say it by their word.
_WRITING = {"field_list", "memory_names"}
_NAME_LISTS = {"second", "name_list_of_one"}
_GIVEN = {"given", "given_event", "given_message"}
_RULES = {"rule", "approval_rule", "approval_rule_long"}
_TRACE = {"CALL": Kind.TOOL, "BLOCKED": Kind.TOOL, "EVENT": Kind.EVENT}
_POSTERIORS = {"P", "PROBABILITY", "POSTERIOR"}


def collect(tree: Tree) -> Collected:
    """Return all names of a tree."""
    found = _Collector(tree)
    found.visit(tree.roots)
    found.collected.names.sort(key=lambda name: name.first)
    return found.collected


class _Collector:
    """Walks a tree with its own stack: depth never meets Python's limit."""

    def __init__(self, tree: Tree) -> None:
        self.collected = Collected(tree)
        self._tree = tree
        self._texts = tree.tokens.texts
        # Rules that need a look of their own.
        self._specials: dict[str, Callable[[Branch, _Around], Iterable[object]]] = {
            "expect_trace": self._expect_trace,
            "expect_trace_two": self._expect_trace_two,
            "field_name": self._field_name,
            "function": self._function,
            "input": self._input,
            "named_argument": self._named_argument,
            "parameter": self._parameter,
            "shared": self._shared,
        }

    def visit(self, roots: Iterable[Branch]) -> None:
        stack = [(root, _Around()) for root in reversed(list(roots))]
        while stack:
            branch, around = stack.pop()
            taken, around = self._look(branch, around)
            below = [(each, around) for each in branch if not any(each is other for other in taken)]
            stack.extend(reversed(below))

    def _look(self, branch: Branch, around: _Around) -> tuple[tuple[object, ...], _Around]:
        """Note the names of a branch; return the parts that need no further look, and what stands around the rest."""
        kind, parts = branch.kind, branch.parts
        if kind == "path":
            self._add_path(branch, around)
            return (), around
        if kind in ("agent", "module"):
            around = self._enter(branch)
        elif kind in ("import_file", "import_shipped"):
            self.collected.imports.append(branch)
        if kind in _NAME_LISTS:
            return (), around
        around = around._replace(owner=branch, use=_READS, is_supposed=around.is_supposed or kind in _GIVEN)
        tool = self._tool(branch)
        if tool is not None:
            around = around._replace(tool=tool)
        taken: list[object] = []
        for at, named, use in _TOKENS.get(kind, ()):
            if parts[at] is not None:
                self._add(named, parts[at], use, around, branch)
        for at, named, use in _PATHS.get(kind, ()):
            if isinstance(parts[at], Branch) and parts[at].kind == "path":
                self._add(named, parts[at], use, around, branch)
                taken.append(parts[at])
        special = self._specials.get(kind)
        if special is not None:
            taken += special(branch, around)
        if kind in _WRITING or (kind == "field" and self._texts[parts[0]] == "EXPECT"):
            around = around._replace(use=_WRITES)
        return tuple(taken), around

    def _add_path(self, branch: Branch, around: _Around) -> None:
        """Note a path; a key that MEMORY declares as shared is named by the path it is read with."""
        owner = around.owner or branch
        self._add(Kind.PATH, branch, around.use, around, owner)
        if owner.kind == "memory_names" and self._texts[owner.first] == "SHARED":
            name = self.collected.names[-1]
            self.collected.names[-1] = name._replace(text=f"SHARED.{name.text}")

    def _enter(self, branch: Branch) -> _Around:
        uses = tuple(self._tree.path(member.parts[1]) for member in branch if member.kind == "use")
        named = branch.parts[1]
        name = self._tree.path(named) if isinstance(named, Branch) else self._tree.name(named)
        kind = Kind.AGENT if branch.kind == "agent" else Kind.MODULE
        self.collected.scopes.append(Scope(kind, name, uses, branch))
        return _Around(len(self.collected.scopes) - 1)

    def _tool(self, branch: Branch) -> str | None:
        """Return the tool whose inputs can be meant in a branch; "" where none is, None where nothing changes."""
        kind, parts = branch.kind, branch.parts
        if kind in ("tool", "short_tool"):
            return self._tree.name(parts[1 if kind == "tool" else 0])
        if kind == "call":
            return self._tree.path(parts[0])
        if kind in _RULES:
            target = parts[-2]
            return self._tree.path(target) if target.kind == "path" else ""
        return "" if kind == "function" else None

    def _add(self, kind: Kind, place: int | Branch, use: Use, around: _Around, branch: Branch) -> None:
        if isinstance(place, Branch):
            first, last, text = place.first, place.last, self._tree.path(place)
        else:
            first = last = place
            text = self._tree.name(place)
        if use is _WRITES and around.is_supposed:
            use = Use.SUPPOSES
        self.collected.names.append(Name(kind, text, use, first, last, around.scope, around.tool, branch))

    # --- Rules that need a look of their own --------------------------------------------------------------------------

    def _input(self, branch: Branch, around: _Around) -> Iterable[object]:
        self._add(Kind.INPUT, branch.parts[0], _DECLARES, around, branch)
        return ()

    def _parameter(self, branch: Branch, around: _Around) -> Iterable[object]:
        """A parameter of OUTPUT, or of a tool in its short form."""
        kind = Kind.OUTPUT if self._is_output(branch) else Kind.INPUT
        self._add(kind, branch.parts[0], _DECLARES, around, branch)
        return ()

    def _is_output(self, branch: Branch) -> bool:
        """The bracket before the list says it: `OUTPUT {`, or the `(` of a short tool."""
        depth = 0
        for at in range(branch.first - 1, 0, -1):
            text = self._texts[at]
            depth += (text in "})") - (text in "{(") if text in ("{", "}", "(", ")") else 0
            if depth < 0:
                return self._texts[at - 1] == "OUTPUT"
        return False

    def _named_argument(self, branch: Branch, around: _Around) -> Iterable[object]:
        if around.tool:
            self._add(Kind.INPUT, branch.parts[0], _REFERS, around, branch)
        return ()

    def _field_name(self, branch: Branch, around: _Around) -> Iterable[object]:
        if self._texts[branch.parts[0]] == "TO":
            self._add(Kind.AGENT, branch.parts[2], _REFERS, around, branch)
        return ()

    def _expect_trace(self, branch: Branch, around: _Around) -> Iterator[object]:
        return self._traced(self._texts[branch.parts[1]], branch.parts[2], around, branch)

    def _expect_trace_two(self, branch: Branch, around: _Around) -> Iterator[object]:
        return self._traced(self._texts[branch.parts[2]], branch.parts[3], around, branch)

    def _traced(self, word: str, path: Branch, around: _Around, branch: Branch) -> Iterator[object]:
        kind = _TRACE.get(word.upper())
        if kind is not None:
            self._add(kind, path, _REFERS, around, branch)
        yield path

    def _shared(self, branch: Branch, around: _Around) -> Iterator[object]:
        path = branch.parts[2]
        text = f"SHARED.{self._tree.path(path)}"
        self.collected.names.append(
            Name(Kind.PATH, text, around.use, branch.first, branch.last, around.scope, "", around.owner or branch)
        )
        yield path

    def _function(self, branch: Branch, around: _Around) -> Iterator[object]:
        """Functions of hypotheses and of tools take names, where others take paths."""
        called = self._tree.path(branch.parts[0])
        arguments = branch.parts[2]
        for at, kind in self._named_by(called, len(arguments)):
            argument = arguments[at]
            if isinstance(argument, Branch) and argument.kind == "path":
                self._add(kind, argument, _REFERS, around, branch)
                yield argument

    def _named_by(self, called: str, count: int) -> Iterator[tuple[int, Kind]]:
        if called in _POSTERIORS and count:
            yield 0, Kind.HYPOTHESIS
        elif called == "ATTESTED" and count > 1:
            yield 1, Kind.TOOL
