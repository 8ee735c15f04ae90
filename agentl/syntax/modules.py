"""Joins a program with what it imports: agents get the members of the modules they USE (design.md §4).

Brought in are policy rules with DEFAULT and NEVER SEND, tools, hypotheses and plans, behind the agent's own and in the
order of USE; what a used module uses itself comes right behind it. A member reached on two ways is brought in once.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentl.diagnostics import Diagnostic, LexError, Related, Severity, Span
from agentl.ir.digest import program_digest
from agentl.ir.node import Node
from agentl.ir.program import Agent, Import, Module, Program, Use
from agentl.messages import Message, Text
from agentl.messages import modules as messages
from agentl.messages import syntax as syntax_messages
from agentl.syntax.module_files import SUFFIX, ModuleFiles, NotFoundHere, module_name, shipped_modules
from agentl.syntax.reading import Parsed, read_text
from agentl.syntax.tokens import NESTING_LIMIT

# Members with a name of their own kind, and what people call them.
_NAMED = {"tools": "TOOL", "plans": "PLAN", "hypotheses": "HYPOTHESIS"}
# In the order in which an agent's fields are made; rules keep theirs among one another.
_BROUGHT = (*_NAMED, "rules", "send_bans")


def join(parsed: Parsed, files: ModuleFiles) -> Parsed:
    """Return the parse with every USE carried out and its findings added; `program` is None if one is an error."""
    joiner = _Joiner(files)
    file = joiner.join(parsed, "", ())
    texts = {name: each.parsed.source for name, each in joiner.files.items()}
    order = sorted(file.findings, key=lambda each: (each.source is not parsed.source, each.span or Span(0, 0)))
    return replace(parsed, program=file.program, diagnostics=tuple(order), modules=texts)


@dataclass
class _Visible:
    """A module where it can be used: its file, and the IMPORT it came by (None in its own file)."""

    file: _File
    module: Module
    by: Import | None


@dataclass
class _File:
    """One text being joined. `program` stays None when it, or what it imports, has an error."""

    name: str
    parsed: Parsed
    findings: list[Diagnostic]
    visible: dict[str, _Visible] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    # An import failed: what a USE does not find may have been meant to come from there.
    lacks_import: bool = False
    program: Program | None = None

    def report(
        self,
        message: Message,
        node: Node,
        *,
        severity: Severity = "error",
        hint: tuple[Text, str] | None = None,
        related: tuple[Related, ...] = (),
        **arguments: object,
    ) -> None:
        """Note a finding at a node of this file; `hint` is a text and the name it speaks of."""
        finding = self.finding(message, node, arguments)
        text, about = (hint[0], {"name": hint[1]}) if hint else (None, {})
        finding = replace(finding, severity=severity, hint=text, hint_arguments=about, related=related)
        self.findings.append(finding)

    def finding(self, message: Message, node: Node, arguments: Mapping[str, object]) -> Diagnostic:
        """Return an error at a node of this file."""
        return Diagnostic(message, arguments, span=self.parsed.spans.anchor(node), source=self.parsed.source)

    @property
    def has_errors(self) -> bool:
        return any(each.severity == "error" for each in self.findings)

    def declares(self) -> list[str]:
        """The names of its own modules."""
        return [module.name for module in self.parsed.program.modules] if self.parsed.program is not None else []


class _Joiner:
    """All texts of one program, each read once."""

    def __init__(self, files: ModuleFiles) -> None:
        self._find = files.find
        self.files: dict[str, _File] = {}

    def join(self, parsed: Parsed, name: str, chain: tuple[str, ...]) -> _File:
        """Join one text; `chain` are the names of the texts that led here, from the program on."""
        file = _File(name, parsed, list(parsed.diagnostics))
        program = parsed.program
        if program is None:
            return file
        imports = tuple(self._imported(file, each, chain) for each in program.imports)
        file.lacks_import = any(not each.digest for each in imports)
        self._declare(file, program)
        agents = tuple(self._with_uses(file, agent) for agent in program.agents)
        for module in program.modules:
            # Whether what a module uses is there and fits is found out as for an agent of the same members.
            self._with_uses(file, module)
        _tell_unused(file, program)
        if not file.has_errors:
            joined = Program.make(agents=agents, imports=imports, modules=program.modules)
            parsed.spans.copy(program, joined)
            file.program = joined
        return file

    # --- IMPORT -----------------------------------------------------------------------------------------------------

    def _imported(self, file: _File, node: Import, chain: tuple[str, ...]) -> Import:
        """Read what an IMPORT names and make its modules visible; return the IMPORT with the digest of the text."""
        try:
            name = module_name(file.name, node.form, node.name)
            other = self._file(file, node, name, chain)
        except NotFoundHere as problem:
            file.findings.append(file.finding(problem.message, node, problem.arguments))
            return node
        except LexError as error:
            file.report(messages.MODULE_HAS_ERRORS, node, path=name, count=len(error.diagnostics))
            file.findings.extend(error.diagnostics)
            return node
        if other is None:
            return node
        if other.program is None:
            wrong = [each for each in other.findings if each.severity == "error"]
            file.report(messages.MODULE_HAS_ERRORS, node, path=name, count=len(wrong))
            file.findings.extend(each for each in wrong if each not in file.findings)
            return node
        if not other.declares():
            file.report(messages.NO_MODULE, node, path=name)
        if any(seen.by is not None and seen.file is other for seen in file.visible.values()):
            file.report(messages.REPEATED_NAME, node, severity="warning", name=name)
        else:
            for module in other.program.modules:
                self._show(file, _Visible(other, module, node), node)
        joined = Import.make(form=node.form, name=node.name, digest=program_digest(other.program))
        file.parsed.spans.copy(node, joined)
        return joined

    def _file(self, file: _File, node: Import, name: str, chain: tuple[str, ...]) -> _File | None:
        """Return the text of that name, joined; None when that was reported."""
        way = (*chain, file.name) if file.name else chain
        if name in way:
            circle = " → ".join((*way[way.index(name) :], name))
            file.report(messages.IMPORT_CYCLE, node, chain=circle)
            return None
        if len(way) >= NESTING_LIMIT:
            file.report(syntax_messages.TOO_DEEP, node, limit=NESTING_LIMIT)
            return None
        if name not in self.files:
            self.files[name] = self.join(read_text(self._find(name)), name, way)
        other = self.files[name]
        file.parsed.spans.join(other.parsed.spans)
        return other

    # --- MODULE and USE ---------------------------------------------------------------------------------------------

    def _declare(self, file: _File, program: Program) -> None:
        for module in program.modules:
            if file.name.endswith(SUFFIX) and module.name.split(".")[0] == "std":
                file.report(messages.SHIPPED_NAME, module, name=module.name)
            self._show(file, _Visible(file, module, None), module)

    def _show(self, file: _File, shown: _Visible, node: Node) -> None:
        earlier = file.visible.setdefault(shown.module.name, shown)
        if earlier is not shown:
            file.report(
                messages.MODULE_TWICE, node, related=_other(file, earlier.by or earlier.module), name=shown.module.name
            )

    def _reached(self, file: _File, block: Agent | Module) -> Iterator[tuple[Use, _Visible]]:
        """Yield every module a block uses, itself or through another, once, with the USE in the block that leads there.

        What a USE of the block names and is not there is reported.
        """
        seen: set[int] = {id(block)}
        for use in block.uses:
            found = file.visible.get(use.module)
            file.used.add(use.module)
            if found is None:
                if not file.lacks_import:
                    file.report(messages.NOT_IMPORTED, use, hint=_missing_hint(file, use.module), name=use.module)
                continue
            if id(found.module) in seen:
                file.report(messages.REPEATED_NAME, use, severity="warning", name=use.module)
            stack = [found]
            while stack:
                shown = stack.pop()
                if id(shown.module) in seen:
                    continue
                seen.add(id(shown.module))
                yield use, shown
                below = (shown.file.visible.get(inner.module) for inner in shown.module.uses)
                stack.extend(reversed([each for each in below if each is not None]))

    def _with_uses(self, file: _File, block: Agent | Module) -> Any:
        """Return the block with the members of everything it uses behind its own."""
        if not block.uses:
            return block
        members: dict[str, Any] = {kind: list(getattr(block, kind)) for kind in _BROUGHT}
        default = block.policy_default
        for use, shown in self._reached(file, block):
            module = shown.module
            for kind in _BROUGHT:
                for node in getattr(module, kind):
                    if self._fits(file, use, module, kind, node, members[kind]):
                        members[kind].append(node)
            brought = module.policy_default
            if brought is not None and default is not None and brought != default:
                file.report(messages.DEFAULT_CLASH, use, module=module.name, brought=brought, here=default)
            default = default or brought
        fields = {**block.__dict__, **{kind: tuple(nodes) for kind, nodes in members.items()}}
        joined = type(block).make(**{**fields, "policy_default": default})
        file.parsed.spans.copy(block, joined)
        return joined

    def _fits(self, file: _File, use: Use, module: Module, kind: str, node: Any, there: list[Any]) -> bool:
        """May a member be brought in? A ban that stands already is not told twice; a name that does is an error."""
        if kind == "send_bans":
            return all(ban.path != node.path for ban in there)
        if kind in _NAMED:
            for other in there:
                if other.name == node.name:
                    word = _NAMED[kind]
                    related = _other(file, other)
                    file.report(messages.CLASH, use, related=related, kind=word, name=node.name, module=module.name)
                    return False
        return True


def _missing_hint(file: _File, name: str) -> tuple[Text, str]:
    """What to do about a USE whose module is not there."""
    program = file.parsed.program
    if name in shipped_modules():
        return messages.ADD_IMPORT, name
    if program is not None and any(agent.name == name for agent in program.agents):
        return messages.NOT_AN_AGENT, name
    close = [each for each in file.visible if each.endswith(f".{name}")]
    close += difflib.get_close_matches(name, file.visible, n=1, cutoff=0.6)
    return (messages.MEANT, close[0]) if close else (messages.DECLARE_IT, name)


def _other(file: _File, node: Node) -> tuple[Related, ...]:
    spans = file.parsed.spans
    return (Related(spans.anchor(node), messages.OTHER_HERE, source=spans.source(node)),)


def _tell_unused(file: _File, program: Program) -> None:
    used_files = {id(file.visible[name].file) for name in file.used if name in file.visible}
    for name, shown in file.visible.items():
        if shown.by is None and name not in file.used:
            file.report(messages.UNUSED_MODULE, shown.module, severity="warning", name=name)
    told: set[int] = set()
    for shown in file.visible.values():
        if shown.by is not None and id(shown.file) not in used_files | told:
            told.add(id(shown.file))
            path, name = shown.file.name, shown.module.name
            file.report(messages.UNUSED_IMPORT, shown.by, severity="warning", path=path, name=name)
