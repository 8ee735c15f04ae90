"""Which names can be meant at a place, by what the grammar has read before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from agentl.analysis.functions import BUILT_IN
from agentl.lsp.expecting import Expecting
from agentl.lsp.index import Index
from agentl.lsp.names import Kind, Name, ScopeId, Use
from agentl.syntax.module_files import shipped_modules
from agentl.values.ordinal import RANKS

_STATEMENT = {"SET", "FOREACH"}
_EXPRESSION = {"NUM", "LPAREN", "IDENT"}
_TYPES = ("Any", "Bool", "Int", "Json", "List", "Number", "String", "Symbol")
# What a run knows of each tool, and of the action that a guard judges (semantics.md §27, policy.md §4).
_TOOL_FACTS = ("available", "failures", "in_doubt")
_ACTION_FACTS = ("args", "confidence", "in_doubt", "origin", "risk", "tool")
_COMPARING = {"EQUALS", "DIFFERS", "MORE", "LESS", "AT_LEAST", "AT_MOST", "SET_TO", "COLON"}
_TRACE = ("CALL", "NEVER CALL", "BLOCKED", "EVENT", "NO ERROR")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that fits. `kind` is what it names, None for a word of the program; `arguments` are those of a call."""

    text: str
    kind: Kind | None
    owner: str = ""
    arguments: tuple[str, ...] = ()
    is_call: bool = False


_RISKS = tuple(Candidate(word, None) for word in RANKS if word != "UNSET")


class Candidates:
    """Names as they can be seen from a scope of an index."""

    def __init__(self, index: Index, words: Mapping[str, list[str]], scope: ScopeId, expecting: Expecting) -> None:
        self._index = index
        self._words = words
        self._scope = scope
        self._expecting = expecting

    def all(self) -> Iterator[Candidate]:
        """Yield what fits, each text once, what is meant most likely first."""
        seen = set()
        for candidate in self._all():
            if candidate.text not in seen:
                seen.add(candidate.text)
                yield candidate

    def _all(self) -> Iterator[Candidate]:
        symbols, terminals = self._expecting.after, self._expecting.terminals
        top, below = symbols[-1], symbols[-2] if len(symbols) > 1 else ""
        if self._expecting.symbols[-1] == "DOT":
            yield from self._below()
            return
        by_word = self._by_word.get(top)
        if by_word is not None:
            yield from by_word()
            return
        if self._expecting.symbols[-1] == "COLON" and below in ("name", "inputs", "parameters", "produces"):
            yield from (Candidate(each, Kind.TYPE) for each in _TYPES)
            return
        if top == "IDENT" and "EXPECT" in symbols[-3:]:
            yield from self._of(Kind.TOOL)
            yield from self._of(Kind.EVENT)
            return
        yield from self._arguments()
        if terminals >= _STATEMENT:
            yield from self._calls()
            yield from self._of(Kind.PLAN)
        elif terminals >= _EXPRESSION:
            yield from self._compared()
            yield from self._values()
        elif "IDENT" in terminals and not terminals & {"STR", "WORD"}:
            yield from self._paths()

    # --- By the word before -----------------------------------------------------------------------------------------

    @cached_property
    def _by_word(self) -> dict[str, Callable[[], Iterable[Candidate]]]:
        return {
            "ALLOW": self._targets,
            "ASK": lambda: self._said_after("ask"),
            "ATTESTS": lambda: self._of(Kind.TOOL),
            "BIND": self._paths,
            "DELEGATE": lambda: self._of(Kind.AGENT),
            "DENY": self._targets,
            "EVENT": lambda: self._of(Kind.EVENT),
            "EXPECT": lambda: (Candidate(word, None) for word in _TRACE),
            "EXPLAINS": self._paths,
            "FOR": self._targets,
            "IMPORT": lambda: (Candidate(name, Kind.MODULE) for name in shipped_modules()),
            "MESSAGE": lambda: self._of(Kind.MESSAGE),
            "NEVER": self._after_never,
            "RISK": lambda: _RISKS,
            "SEND": self._paths,
            "SET": self._paths,
            "TO": lambda: self._of(Kind.AGENT),
            "USE": lambda: self._of(Kind.MODULE),
        }

    def _after_never(self) -> Iterable[Candidate]:
        if "expect" in "".join(self._expecting.symbols[-2:]).lower():
            return (Candidate("CALL", None),)
        return self._targets()

    def _targets(self) -> Iterable[Candidate]:
        return (*self._of(Kind.TOOL), Candidate("*", None))

    def _said_after(self, kind: str) -> Iterator[Candidate]:
        """Yield what stands behind the first word of statements of a kind elsewhere."""
        for collected in self._index.files[:1]:
            tree = collected.tree
            stack = list(tree.roots)
            while stack:
                branch = stack.pop()
                stack.extend(branch)
                if branch.kind == kind:
                    yield Candidate(tree.name(branch.parts[1]), None)

    # --- Names ------------------------------------------------------------------------------------------------------

    def _of(self, kind: Kind) -> Iterator[Candidate]:
        for _, name in self._index.visible(self._scope, kind):
            yield Candidate(name.text, kind)

    def _fields(self, kind: Kind, tool: str) -> list[str]:
        """Return the inputs or outputs of a tool, in the order they are declared."""
        return [name.text for _, name in self._index.visible(self._scope, kind, tool)]

    def _calls(self) -> Iterator[Candidate]:
        for _, name in self._index.visible(self._scope, Kind.TOOL):
            inputs = tuple(self._fields(Kind.INPUT, name.text))
            yield Candidate(name.text, Kind.TOOL, arguments=inputs, is_call=True)

    def _arguments(self) -> Iterator[Candidate]:
        """Yield the arguments that a call of a tool does not have yet."""
        expecting = self._expecting
        opening = expecting.innermost()
        if opening is None or expecting.symbols[-1] not in ("LPAREN", "arguments", "argument", "COMMA"):
            return
        symbols = expecting.symbols
        if symbols[opening] != "LPAREN" or symbols[opening - 1] != "path":
            return
        tool = expecting.text(opening - 1)
        given = expecting.given(opening)
        for name in self._fields(Kind.INPUT, tool):
            if name not in given:
                yield Candidate(name, Kind.INPUT, owner=tool)

    def _seen_paths(self) -> Iterator[Name]:
        reached = self._index.reached(self._scope)
        for file, names in enumerate(self._index.names):
            for name in names:
                if name.kind is Kind.PATH and (file, name.scope) in reached:
                    yield name

    def _paths(self) -> Iterator[Candidate]:
        """Yield every path that is given a value, then those that are only read."""
        seen = list(self._seen_paths())
        written = {name.text for name in seen if name.use in (Use.WRITES, Use.SUPPOSES)}
        for text in sorted(written):
            yield Candidate(text, Kind.PATH)
        for text in sorted({name.text for name in seen if "." in name.text} - written):
            yield Candidate(text, Kind.PATH)

    def _values(self) -> Iterator[Candidate]:
        yield from self._paths()
        for tool in (name.text for _, name in self._index.visible(self._scope, Kind.TOOL)):
            for output in self._fields(Kind.OUTPUT, tool):
                yield Candidate(f"{tool}.{output}", Kind.OUTPUT, owner=tool)
        yield from self._of(Kind.HYPOTHESIS)
        yield from (Candidate(name, Kind.FUNCTION, is_call=True) for name in sorted(BUILT_IN))

    def _compared(self) -> Iterator[Candidate]:
        """Yield the words that elsewhere stand beside what is compared, or given a value, here."""
        symbols = self._expecting.symbols
        if symbols[-1] not in _COMPARING or len(symbols) < 2:
            return
        path = self._expecting.text(-2)
        if path == "action.risk":
            yield from _RISKS
        for word in self._words.get(path, ()):
            yield Candidate(word, None)

    # --- Segments ---------------------------------------------------------------------------------------------------

    def _below(self) -> Iterator[Candidate]:
        """Yield what can stand behind the `.` of a path."""
        expecting = self._expecting
        is_shared = expecting.symbols[-2] == "SHARED"
        path = expecting.text(-2) if not is_shared else "SHARED"
        if expecting.symbols[-2] == "shared_path":
            path = f"SHARED.{path}"
        if len(expecting.symbols) > 2 and expecting.symbols[-3] in ("IMPORT", "USE", "MODULE"):
            known = [*shipped_modules(), *(each.text for each in self._of(Kind.MODULE))]
            yield from (Candidate(text, Kind.MODULE) for text in _next_segments(path, known))
            return
        parts = path.split(".")
        tools = {name.text for _, name in self._index.visible(self._scope, Kind.TOOL)}
        if path in ("tools", "result"):
            yield from (Candidate(tool, Kind.TOOL) for tool in sorted(tools))
        elif parts[0] == "tools" and len(parts) == 2:
            yield from (Candidate(fact, None) for fact in _TOOL_FACTS)
        elif path == "action":
            yield from (Candidate(fact, None) for fact in _ACTION_FACTS)
        elif path == "goals":
            yield from self._of(Kind.GOAL)
        elif path == "goal":
            yield from (Candidate(fact, None) for fact in ("satisfied", "score"))
        tool = parts[-1] if parts[:-1] in ([], ["result"]) else ""
        if tool in tools:
            yield from (Candidate(each, Kind.OUTPUT, owner=tool) for each in self._fields(Kind.OUTPUT, tool))
        known = sorted({name.text for name in self._seen_paths()})
        yield from (Candidate(text, Kind.PATH) for text in _next_segments(path, known))


def _next_segments(path: str, known: Iterable[str]) -> Iterator[str]:
    for each in known:
        if each.startswith(f"{path}."):
            yield each.removeprefix(f"{path}.").split(".")[0]
