"""What scenarios reach, for people: the counts of each agent, every part that none of them reaches, the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentl.messages import scenarios as messages
from agentl.scenarios.coverage import Coverage, percent

_WORDS = {
    "rule": messages.RULES,
    "tool": messages.TOOLS,
    "plan": messages.PLANS,
    "event": messages.EVENTS,
    "message": messages.MESSAGES,
}


def render_coverage(coverages: Sequence[Coverage]) -> str:
    """Return the lines, without a final newline."""
    lines = [line for coverage in coverages for line in _agent(coverage)]
    reached = sum(len(each.parts) - len(each.missing) for each in coverages)
    total = sum(len(each.parts) for each in coverages)
    share = percent(coverages)
    whole = messages.NOTHING_TO_REACH.text() if share is None else f"{share} %"
    return "\n".join([*lines, messages.COVERAGE.text(share=whole, reached=reached, total=total)])


def _agent(coverage: Coverage) -> Iterator[str]:
    counted = coverage.counts().items()
    counts = " · ".join(f"{_WORDS[kind].text()} {reached}/{total}" for kind, (reached, total) in counted)
    yield messages.COVERAGE_OF.text(file=coverage.file, agent=coverage.agent, counts=counts or "-")
    for part in coverage.missing:
        is_here = part.file == coverage.file
        place = messages.LINE.text(line=part.line) if is_here else f"{part.file}:{part.line}"
        yield f"  {messages.NOT_REACHED.text(part=part.text, place=place)}"
