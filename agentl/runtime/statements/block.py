"""THEN { … } as a statement: just its body."""

from __future__ import annotations

from agentl.ir.statements import Block
from agentl.runtime.code import Builder


def translate(builder: Builder, statement: Block, pointer: str) -> None:
    builder.statements(statement.body, f"{pointer}/body")
