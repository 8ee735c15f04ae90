"""Index: what each name of a program and its modules names, and where else that is named."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from agentl.diagnostics import Span
from agentl.lsp.collect import Collected
from agentl.lsp.meaning import Meaning
from agentl.lsp.names import Kind, Name, Scope, ScopeId, Use

# Known to all agents of a program.
_OF_ALL = {Kind.AGENT, Kind.MODULE, Kind.MESSAGE}


class Subject(NamedTuple):
    """What a name names, as seen from an agent or module. `owner` is the tool of an input or output."""

    kind: Kind
    text: str
    owner: str
    scope: ScopeId


class Mention(NamedTuple):
    """A place where a subject is named: its text, the name there, and the tokens of it that name the subject."""

    file: int
    name: Name
    first: int
    last: int


class Index:
    """The names of one program: of its own text, and of all texts it imports."""

    def __init__(self, files: Sequence[Collected]) -> None:
        self.files = tuple(files)
        self.scopes: dict[ScopeId, Scope] = {
            (file, number): scope
            for file, collected in enumerate(self.files)
            for number, scope in enumerate(collected.scopes)
        }
        modules = {scope.name: at for at, scope in reversed(self.scopes.items()) if scope.kind is Kind.MODULE}
        self._reached = {at: tuple(self._reach(at, modules)) for at in self.scopes}
        meaning = Meaning(self.files, self._reached)
        self.names = tuple(
            sorted(meaning.names_in(file), key=lambda name: (name.first, -name.last)) for file in range(len(files))
        )

    def _reach(self, start: ScopeId, modules: dict[str, ScopeId]) -> Iterator[ScopeId]:
        """Yield a scope and every module it uses, itself or through another."""
        waiting, seen = [start], {start}
        while waiting:
            at = waiting.pop(0)
            yield at
            for used in self.scopes[at].uses:
                module = modules.get(used)
                if module is not None and module not in seen:
                    seen.add(module)
                    waiting.append(module)

    def reached(self, scope: ScopeId) -> tuple[ScopeId, ...]:
        """Return a scope with every module it uses; nothing outside of agents and modules."""
        return self._reached.get(scope, ())

    def reaching(self, scope: ScopeId) -> tuple[ScopeId, ...]:
        """Return every agent and module that uses a scope, itself or through another."""
        return tuple(at for at, reached in self._reached.items() if scope in reached)

    # --- From a place to what is named there ------------------------------------------------------------------------

    def mention_at(self, file: int, offset: int) -> Mention | None:
        """Return the narrowest mention at an offset of a text; of a path, as far as the segment there."""
        tokens = self.files[file].tree.tokens
        token = bisect_right(tokens.starts, offset) - 1
        # Right behind a name is still on it.
        places = [at for at in (token, token - 1) if at >= 0 and tokens.starts[at] <= offset <= tokens.ends[at]]
        for at in places:
            found = [name for name in self._around(file, at) if name.first <= at <= name.last]
            if found:
                name = min(found, key=lambda each: each.last - each.first)
                segment = at if (at - name.first) % 2 == 0 else at - 1
                return Mention(file, name, name.first, segment if name.kind is Kind.PATH else name.last)
        return None

    def _around(self, file: int, token: int) -> Iterable[Name]:
        """Yield the names that may reach to a token: few begin between the beginning of one and its end."""
        names = self.names[file]
        at = bisect_right(names, token, key=lambda name: name.first)
        return names[max(0, at - 12) : at]

    def subject_of(self, mention: Mention) -> Subject:
        """Return what is named at a mention."""
        name = mention.name
        text = name.text
        if name.kind is Kind.PATH and mention.last < name.last:
            text = next(text for token, text in self._prefixes(mention.file, name) if token == mention.last)
        return Subject(name.kind, text, name.owner, (mention.file, name.scope))

    # --- From what is named to its places ---------------------------------------------------------------------------

    @cached_property
    def _by_subject(self) -> dict[tuple[Kind, str, str], list[tuple[int, Name]]]:
        found: dict[tuple[Kind, str, str], list[tuple[int, Name]]] = defaultdict(list)
        for file, names in enumerate(self.names):
            for name in names:
                found[(name.kind, _owner(name), name.text)].append((file, name))
        return found

    @cached_property
    def _paths(self) -> dict[str, list[tuple[int, Name]]]:
        """The paths, by their first segment."""
        found: dict[str, list[tuple[int, Name]]] = defaultdict(list)
        for file, names in enumerate(self.names):
            for name in names:
                if name.kind is Kind.PATH:
                    found[name.text.split(".")[0]].append((file, name))
        return found

    @cached_property
    def written(self) -> frozenset[str]:
        """The paths that are given a value somewhere."""
        return frozenset(
            name.text for names in self.names for name in names if name.kind is Kind.PATH and name.use is not Use.READS
        )

    def mentions(self, subject: Subject) -> list[Mention]:
        """Return every place where a subject is named, in the order of the texts."""
        if subject.kind is Kind.PATH:
            return self._mentions_of_path(subject)
        owner = subject.owner if subject.kind in (Kind.INPUT, Kind.OUTPUT, Kind.VARIABLE) else ""
        named = self._by_subject.get((subject.kind, owner, subject.text), [])
        is_of_tool = subject.kind in (Kind.INPUT, Kind.OUTPUT)
        shared = self._sharing(subject._replace(kind=Kind.TOOL, text=owner) if is_of_tool else subject)
        return [
            Mention(file, name, name.first, name.last)
            for file, name in named
            if shared is None or (file, name.scope) in shared
        ]

    def _mentions_of_path(self, subject: Subject) -> list[Mention]:
        found = []
        for file, name in self._paths.get(subject.text.split(".")[0], ()):
            if name.text == subject.text:
                found.append(Mention(file, name, name.first, name.last))
            elif name.text.startswith(f"{subject.text}."):
                found.append(Mention(file, name, name.first, self._end_of_prefix(file, name, subject.text)))
        if subject.text.startswith("SHARED."):
            return found
        scopes = {subject.scope}
        mentioning = {(each.file, each.name.scope) for each in found}
        while grown := {at for at in mentioning - scopes if self._meet(at, scopes)}:
            scopes |= grown
        return [each for each in found if (each.file, each.name.scope) in scopes]

    def _end_of_prefix(self, file: int, name: Name, prefix: str) -> int:
        return next((token for token, text in self._prefixes(file, name) if text == prefix), name.last)

    def _prefixes(self, file: int, name: Name) -> Iterator[tuple[int, str]]:
        """Yield the token of each segment of a path, and the path up to it."""
        tree = self.files[file].tree
        # Where MEMORY declares it, a shared key stands without the word before it.
        is_short = name.text.startswith("SHARED.") and tree.tokens.texts[name.first] != "SHARED"
        text = "SHARED" if is_short else ""
        for token in range(name.first, name.last + 1, 2):
            text = f"{text}.{tree.name(token)}" if text else tree.name(token)
            yield token, text

    def _meet(self, scope: ScopeId, others: set[ScopeId]) -> bool:
        """Does some agent or module have the members of both?"""
        reaching = self.reaching(scope)
        return any(other in self._reached[at] for at in reaching for other in others)

    def _sharing(self, subject: Subject) -> set[ScopeId] | None:
        """Return the agents and modules in which the name means the same; None: all of them."""
        if subject.kind in _OF_ALL:
            return None
        home = self._home(subject.scope, subject)
        if home is None:
            # Declared nowhere, or by an agent that uses the module it is named in.
            homes = {self._home(at, subject) for at in self.reaching(subject.scope)} - {None}
            home = next(iter(sorted(each for each in homes if each is not None)), None)
        sharing = set()
        for at in self.scopes:
            own = self._home(at, subject)
            if own is None and home is not None:
                own = home if any(self._home(user, subject) == home for user in self.reaching(at)) else None
            if own == home and (home is not None or at == subject.scope):
                sharing.add(at)
        return sharing

    def _home(self, scope: ScopeId, subject: Subject) -> ScopeId | None:
        """Return the first of a scope and what it uses that declares a name."""
        declaring = self._declaring.get((subject.kind, subject.text), ())
        return next((at for at in self.reached(scope) if at in declaring), None)

    @cached_property
    def _declaring(self) -> dict[tuple[Kind, str], set[ScopeId]]:
        found: dict[tuple[Kind, str], set[ScopeId]] = defaultdict(set)
        for file, names in enumerate(self.names):
            for name in names:
                if name.use is Use.DECLARES:
                    found[(name.kind, name.text)].add((file, name.scope))
        return found

    # --- Where things are declared ----------------------------------------------------------------------------------

    def declarations(self, subject: Subject) -> list[Mention]:
        """Return where a subject is declared; of a path, where it is given a value, scenarios last."""
        mentions = self.mentions(subject)
        if subject.kind is Kind.PATH:
            whole = [each for each in mentions if each.name.text == subject.text] or mentions
            for use in (Use.WRITES, Use.SUPPOSES):
                found = [each for each in whole if each.name.use is use]
                if found:
                    return found
            return []
        return [each for each in mentions if each.name.use is Use.DECLARES]

    def visible(self, scope: ScopeId, kind: Kind, owner: str = "") -> list[tuple[int, Name]]:
        """Return what is declared of a kind and can be named in an agent or module, each once.

        Inputs and outputs are those of the tool `owner`.
        """
        found: dict[str, tuple[int, Name]] = {}
        for at in self.scopes if kind in _OF_ALL else self.reached(scope):
            for file, name in self._declared_in.get((at, kind, owner), ()):
                found.setdefault(name.text, (file, name))
        return list(found.values())

    @cached_property
    def _declared_in(self) -> dict[tuple[ScopeId, Kind, str], list[tuple[int, Name]]]:
        found: dict[tuple[ScopeId, Kind, str], list[tuple[int, Name]]] = defaultdict(list)
        for file, names in enumerate(self.names):
            for name in names:
                if name.use is Use.DECLARES:
                    found[(file, name.scope), name.kind, _owner(name)].append((file, name))
        return found

    def span(self, mention: Mention) -> Span:
        """Return the stretch of a mention in its text."""
        return self.files[mention.file].tree.span(mention.first, mention.last)

    def scope_at(self, file: int, offset: int) -> ScopeId:
        """Return the agent or module around an offset; the number -1 outside of all."""
        tree = self.files[file].tree
        for number, scope in enumerate(self.files[file].scopes):
            start, end = tree.span(scope.branch.first, scope.branch.last)
            if start <= offset <= end:
                return file, number
        return file, -1


def _owner(name: Name) -> str:
    return name.owner if name.kind in (Kind.INPUT, Kind.OUTPUT, Kind.VARIABLE) else ""
