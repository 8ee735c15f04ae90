"""What a name is, as Markdown: the contract of a tool, who writes and reads a path, what a guard reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentl.analysis.functions import BUILT_IN
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.model import AgentModel
from agentl.ir.declarations import Hypothesis, Tool
from agentl.lsp.index import Mention, Subject
from agentl.lsp.names import Kind, Use
from agentl.lsp.tree import Branch
from agentl.lsp.view import View
from agentl.messages import Text
from agentl.messages import editor as messages

# Of a list of places, as many are shown.
_MOST_SHOWN = 8
_LONGEST_SHOWN = 100


def describe(view: View, subject: Subject) -> str:
    """Return what is known of a subject, "" when that is no more than its name."""
    write = _WRITERS.get(subject.kind, _declared)
    return "\n\n".join(part for part in write(view, subject) if part)


def describe_rule(view: View, file: int, branch: Branch) -> str:
    """Return which tools a policy rule holds for, and what its guard reads."""
    tree = view.index.files[file].tree
    target = branch.parts[-2]
    named = f"`{tree.path(target)}`" if target.kind == "path" else messages.EVERY_TOOL.text()
    code = _code(_short(tree.source.text[slice(*tree.span(branch.first, branch.last))]))
    return "\n\n".join((code, f"{messages.COVERS.text()}: {named}", describe_condition(view, file, branch)))


def describe_condition(view: View, file: int, branch: Branch) -> str:
    """Return each path that is read in a branch, with the places that give it a value."""
    index = view.index
    lines, told = [], set()
    for name in index.names[file]:
        if not branch.first <= name.first <= branch.last or name.use not in (Use.READS, Use.REFERS):
            continue
        subject = index.subject_of(Mention(file, name, name.first, name.last))
        declared = index.declarations(subject)
        is_word = name.kind is Kind.PATH and not declared and "." not in name.text
        if name.kind not in (Kind.PATH, Kind.OUTPUT, Kind.INPUT) or is_word or subject in told:
            continue
        told.add(subject)
        where = ", ".join(_link(view, each) for each in declared[:3]) or messages.NO_VALUE.text()
        lines.append(f"- `{name.text}`: {where}")
    return _listed(messages.GUARD_READS, lines)


# --- One writer a kind ------------------------------------------------------------------------------------------------


def _tool(view: View, subject: Subject) -> Iterator[str]:
    model = _model(view, subject)
    tool = model.tools.get(subject.text) if model is not None else None
    if model is None or tool is None:
        yield from _declared(view, subject)
        return
    yield _code(_signature(tool))
    yield tool.description
    yield " · ".join(_facts(tool))
    if tool.side_effects:
        yield f"{messages.SIDE_EFFECTS.text()}: " + ", ".join(f"`{path}`" for path in tool.side_effects)
    if tool.requires is not None:
        yield f"{messages.REQUIRES.text()}: `{_short(model.places.text(tool.requires))}`"
    effects = [each for outcome in tool.outcomes for each in outcome.effects] or list(tool.effects)
    yield _listed(messages.EFFECTS, [f"- `{_short(model.places.text(each))}`" for each in effects])
    concerning = [rule for rule in model.agent.rules if rule.target in (tool.name, EVERY_TOOL)]
    rules = [f"- `{_short(model.places.text(rule))}`" for rule in concerning]
    default = messages.DEFAULT_IS.text(word=model.agent.policy_default or "ALLOW")
    yield f"{_listed(messages.RULES_ON, rules) or messages.NO_RULES.text()}\n\n{default}"


def _signature(tool: Tool) -> str:
    inputs = ", ".join(f"{each.name}: {each.type}" for each in tool.inputs)
    outputs = ", ".join(f"{each.name}: {each.type}" for each in tool.outputs)
    return f"TOOL {tool.name}({inputs})" + (f" -> {outputs}" if outputs else "")


def _facts(tool: Tool) -> Iterator[str]:
    yield messages.RISK_IS.text(word=f"**{tool.risk}**")
    if tool.cost is not None:
        yield messages.COST_IS.text(number=tool.cost.text)
    if tool.duration is not None:
        yield messages.DURATION_IS.text(number=f"{tool.duration.text}{tool.duration.unit}")


def _field(view: View, subject: Subject) -> Iterator[str]:
    model = _model(view, subject)
    tool = model.tools.get(subject.owner) if model is not None else None
    if subject.kind is Kind.INPUT:
        found = next((each for each in tool.inputs if each.name == subject.text), None) if tool else None
        yield _code(f"{subject.text}: {found.type}" if found else subject.text)
        said = [messages.INPUT_OF.text(tool=subject.owner)]
        if found is not None and found.bind is not None:
            said.append(messages.BOUND_TO.text(path=found.bind))
        if found is not None and found.attests is not None:
            said.append(messages.ATTESTED_BY.text(tool=found.attests))
        yield " · ".join(said)
        return
    output = next((each for each in tool.outputs if each.name == subject.text), None) if tool else None
    yield _code(f"{subject.text}: {output.type}" if output else subject.text)
    yield messages.OUTPUT_OF.text(tool=subject.owner, name=subject.text)
    yield _readers(view, subject)


def _path(view: View, subject: Subject) -> Iterator[str]:
    mentions = view.index.mentions(subject)
    writers = [each for each in mentions if each.name.use is Use.WRITES]
    supposed = [each for each in mentions if each.name.use is Use.SUPPOSES]
    yield _code(subject.text)
    yield _places(view, messages.WRITTEN_BY, writers) or messages.NEVER_WRITTEN.text()
    yield _readers(view, subject)
    if supposed:
        yield messages.SUPPOSED_IN.text(count=len(supposed))


def _readers(view: View, subject: Subject) -> str:
    readers = [each for each in view.index.mentions(subject) if each.name.use in (Use.READS, Use.REFERS)]
    return _places(view, messages.READ_BY, readers) or messages.NEVER_READ.text()


def _hypothesis(view: View, subject: Subject) -> Iterator[str]:
    model = _model(view, subject)
    agent = model.agent if model is not None else None
    found = next((each for each in agent.hypotheses if each.name == subject.text), None) if agent else None
    yield _code(f"HYPOTHESIS {subject.text}")
    if found is not None:
        yield found.description
        yield " · ".join(_odds(found))
    yield _readers(view, subject)


def _odds(hypothesis: Hypothesis) -> Iterator[str]:
    prior = hypothesis.prior
    if prior is not None or hypothesis.prior_bucket is None:
        yield messages.PRIOR_IS.text(number=f"{prior.text}{prior.unit}" if prior is not None else "0.10")
    threshold = hypothesis.threshold
    yield messages.THRESHOLD_IS.text(number=f"{threshold.text}{threshold.unit}" if threshold is not None else "0.90")
    yield messages.EVIDENCE_COUNT.text(count=len(hypothesis.evidence))


def _plan(view: View, subject: Subject) -> Iterator[str]:
    declared = view.index.declarations(subject)
    if not declared:
        return
    first = declared[0]
    branch, tree = first.name.branch, view.index.files[first.file].tree
    brace = next((part for part in branch.parts if isinstance(part, int) and tree.tokens.texts[part] == "{"), None)
    end = brace - 1 if brace is not None else branch.last
    yield _code(_short(tree.source.text[slice(*tree.span(branch.first, end))]))
    named = [each for each in view.index.mentions(subject) if each.name.use is Use.REFERS]
    yield _places(view, messages.STARTED_BY, named)


def _message(view: View, subject: Subject) -> Iterator[str]:
    mentions = view.index.mentions(subject)
    yield _code(f"MESSAGE {subject.text}")
    yield _places(view, messages.SENT_BY, [each for each in mentions if each.name.branch.kind == "send"])
    yield _places(view, messages.READ_BY, [each for each in mentions if each.name.use is Use.DECLARES])


def _variable(view: View, subject: Subject) -> Iterator[str]:
    yield _code(subject.text)
    yield _places(view, messages.TURNS_OF, view.index.declarations(subject))


def _function(view: View, subject: Subject) -> Iterator[str]:
    if subject.text in BUILT_IN:
        yield _code(f"{subject.text}(…)")
        yield messages.FUNCTIONS[subject.text].text()


def _declared(view: View, subject: Subject) -> Iterator[str]:
    """What is known of everything else: the line that declares it."""
    for mention in view.index.declarations(subject)[:1]:
        yield _code(_line(view, mention))


_WRITERS: dict[Kind, Callable[[View, Subject], Iterator[str]]] = {
    Kind.FUNCTION: _function,
    Kind.HYPOTHESIS: _hypothesis,
    Kind.INPUT: _field,
    Kind.MESSAGE: _message,
    Kind.OUTPUT: _field,
    Kind.PATH: _path,
    Kind.PLAN: _plan,
    Kind.TOOL: _tool,
    Kind.VARIABLE: _variable,
}


# --- Pieces -----------------------------------------------------------------------------------------------------------


def _model(view: View, subject: Subject) -> AgentModel | None:
    """Return the agent a subject is seen from; of a module, the first agent that uses it."""
    index = view.index
    for at in index.reaching(subject.scope):
        if at[0] == 0 and index.scopes[at].kind is Kind.AGENT:
            name = index.scopes[at].name
            return next((model for model in view.snapshot.models if model.agent.name == name), None)
    return None


def _places(view: View, title: Text, mentions: Iterable[Mention]) -> str:
    lines: dict[tuple[int, int], str] = {}
    for each in mentions:
        line = view.snapshot.source_of(each.file).position(view.index.span(each).start).line
        lines.setdefault((each.file, line), f"- {_link(view, each)}: `{_line(view, each)}`")
    shown = list(lines.values())
    if len(shown) > _MOST_SHOWN:
        shown[_MOST_SHOWN:] = [f"- {messages.MORE_PLACES.text(count=len(shown) - _MOST_SHOWN)}"]
    return _listed(title, shown)


def _listed(title: Text, lines: list[str]) -> str:
    return "\n".join((f"{title.text()}:\n", *lines)) if lines else ""


def _link(view: View, mention: Mention) -> str:
    """Return the number of a line, as a link to it."""
    location = view.location(mention)
    if location is None:
        return "…"
    line = location.range.start.line + 1
    return f"[{line}]({location.uri}#L{line})"


def _line(view: View, mention: Mention) -> str:
    source = view.snapshot.source_of(mention.file)
    return _short(source.line(source.position(view.index.span(mention).start).line))


def _short(text: str) -> str:
    """Return a text on one line, fit to stand between backticks."""
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _LONGEST_SHOWN else line[: _LONGEST_SHOWN - 1] + "…"


def _code(text: str) -> str:
    return f"```agentl\n{text}\n```"
