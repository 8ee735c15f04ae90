"""Names: each place in a text where one stands, what it names, and what is done with it there."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from agentl.lsp.tree import Branch


class Kind(Enum):
    """What a name names. The value is the word people use for it."""

    AGENT = "AGENT"
    MODULE = "MODULE"
    TOOL = "TOOL"
    PLAN = "PLAN"
    HYPOTHESIS = "HYPOTHESIS"
    GOAL = "GOAL"
    MESSAGE = "MESSAGE"
    EVENT = "EVENT"
    SCENARIO = "SCENARIO"
    STEP = "STEP"
    INPUT = "INPUT"
    OUTPUT = "OUTPUT"
    VARIABLE = "FOREACH"
    PATH = "PATH"
    FUNCTION = "FUNCTION"
    TYPE = "TYPE"
    WORD = "WORD"


class Use(Enum):
    """What is done with a name: it is declared, referred to, given a value (in a scenario: supposed to
    have one), or its value is read."""

    DECLARES = "declares"
    REFERS = "refers"
    WRITES = "writes"
    SUPPOSES = "supposes"
    READS = "reads"


class Name(NamedTuple):
    """One place. A path of several segments reaches from `first` to `last`.

    `scope` is the number of the agent or module it stands in, -1 outside. `owner` is the tool that an input or output
    belongs to, and for a path the tool whose inputs it may mean: that of the declaration or guard it stands in.
    `branch` is what the name stands in: the declaration, the statement.
    """

    kind: Kind
    text: str
    use: Use
    first: int
    last: int
    scope: int
    owner: str
    branch: Branch


class Scope(NamedTuple):
    """An agent or module of a text: its name, what it uses, and its branch."""

    kind: Kind
    name: str
    uses: tuple[str, ...]
    branch: Branch


# The number of a text (0: the program's own), and of an agent or module in it; -1 outside of all.
ScopeId = tuple[int, int]
