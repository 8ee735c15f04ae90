"""W250: a WRITE goes INTO something that is no memory, so that each tick reports an error and nothing is kept.

The first word after INTO is the memory, in upper case: `INTO cases` writes into CASES, and `INTO LONG_TERM.cases` is
what keeps records under `cases` (semantics.md §18.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import after_word, tokens
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.declarations import MemoryWrite
from agentl.messages import Phrase, lint

MEMORIES = ("SHORT_TERM", "LONG_TERM", "KNOWLEDGE", "SHARED")
DEFAULT_KEY = "records"


def check(model: AgentModel) -> Iterator[Diagnostic]:
    memory = model.agent.memory
    for write in memory.writes if memory is not None else ():
        if write.into not in MEMORIES:
            meant = _meant(write)
            yield model.report(
                lint.UNKNOWN_MEMORY,
                write,
                symbol="memory",
                hint=None if meant is None else (lint.DID_YOU_MEAN, {"name": meant}),
                fixes=() if meant is None else _fixes(model, write, meant),
                memory=write.into,
            )


def _meant(write: MemoryWrite) -> str | None:
    """A memory misspelt, else a key of LONG_TERM: that is what most often stands there alone."""
    near = Spelling(MEMORIES).closest(write.into)
    if near is not None:
        return f"{near}.{write.key}"
    key = write.into.lower()
    if not key.isidentifier():
        return None
    return f"LONG_TERM.{key}" if write.key == DEFAULT_KEY else f"LONG_TERM.{key}.{write.key}"


def _fixes(model: AgentModel, write: MemoryWrite, meant: str) -> tuple[Fix, ...]:
    for bucket in after_word(tokens(model, write), "INTO"):
        if bucket.text.partition(".")[0].upper() == write.into:
            edit = Edit(bucket.span, meant)
            return (Fix(Phrase(lint.WRITE_INSTEAD, name=meant), (edit,), safe=False),)
    return ()


RULE = AgentRule((lint.UNKNOWN_MEMORY,), check)
