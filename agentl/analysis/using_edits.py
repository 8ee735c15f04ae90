"""Edits of USING: what a model is shown with a question."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import takewhile

from agentl.analysis.bans import Bans
from agentl.analysis.edits import Token, tokens
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths, segments, with_parents
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.expressions import Expression
from agentl.ir.statements import Judge, Reason
from agentl.messages import Phrase, lint_models


def guarding_paths_shown(model: AgentModel, statement: Reason | Judge, symbol: str) -> tuple[Fix, ...]:
    """Return the fix that lists in USING what the WHEN around a question reads, as far as models may see it."""
    bans = model.derived(Bans)
    read = paths(model.derived(_whens).get(symbol))
    shown = [path for path in read if "." in path and segments(path)[0] != "payload" and bans.touching(path) is None]
    if not shown:
        return ()
    listed = ", ".join(shown)
    return (Fix(Phrase(lint_models.SHOW_ONLY, paths=listed), (_using(model, statement, listed),), safe=False),)


def visible_parts_instead(model: AgentModel, statement: Reason | Judge, path: str) -> tuple[Fix, ...]:
    """Return the fix that lists the parts of a path that models may see, in its place. None where there are none."""
    bans, known = model.derived(Bans), model.derived(_sorted_paths)
    below = f"{path}."
    after = (known[at] for at in range(bisect_left(known, below), len(known)))
    parts = takewhile(lambda each: each.startswith(below), after)
    visible = {each for each in parts if bans.touching(each) is None}
    topmost = sorted(each for each in visible if visible.isdisjoint(list(with_parents(each))[1:]))
    place = next((token for token in _listed_in_using(tokens(model, statement)) if token.text == path), None)
    if not topmost or place is None or bans.withholding(path) is not None:
        return ()
    listed = ", ".join(topmost)
    return (Fix(Phrase(lint_models.SHOW_ONLY, paths=listed), (Edit(place.span, listed),), safe=False),)


def _using(model: AgentModel, statement: Reason | Judge, listed: str) -> Edit:
    """Fill the empty list of USING, or write one at the start of the question."""
    found = list(tokens(model, statement))
    words = [token.text for token in found]
    if "USING" in words:
        opening = found[words.index("{", words.index("USING"))]
        return Edit(Span(opening.end, opening.end), f" {listed}")
    opening = found[words.index("{")]
    return Edit(Span(opening.end, opening.end), f" USING {{ {listed} }}")


def _listed_in_using(found: Iterable[Token]) -> Iterator[Token]:
    """Yield what stands in the braces after USING; nothing for a path without braces."""
    found = iter(found)
    for token in found:
        if token.text == "USING":
            opening = next((token for token in found if token.text not in ("=", ":")), None)
            if opening is not None and opening.text == "{":
                yield from takewhile(lambda each: each.text != "}", found)


def _whens(model: AgentModel) -> dict[str, Expression | None]:
    """The WHEN of each plan and handler, by its symbol; of the first of two with one name."""
    agent = model.agent
    return {
        **{f"message:{handler.message}": handler.when for handler in reversed(agent.messages)},
        **{f"event:{event.source}": event.when for event in reversed(agent.events)},
        **{f"plan:{plan.name}": plan.when for plan in reversed(agent.plans)},
    }


def _sorted_paths(model: AgentModel) -> list[str]:
    return sorted(model.known | model.referenced)
