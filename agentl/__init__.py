"""The public face of agentl: names load on first use, so that `import agentl` costs little."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Public name -> module that holds it (host-api.md §3). A test pins this list.
_PUBLIC = {
    "ActionRequest": "agentl.kernel.request",
    "Agent": "agentl.ir.program",
    "AgentLError": "agentl.diagnostics",
    "Analyzer": "agentl.analysis.analyzer",
    "AnthropicLLM": "agentl.hosting.anthropic",
    "Belief": "agentl.logic.scope",
    "Diagnostic": "agentl.diagnostics",
    "DurableError": "agentl.journal.errors",
    "DurableRun": "agentl.durable.run",
    "Evaluator": "agentl.logic.evaluator",
    "FileStore": "agentl.journal.stores.file",
    "Host": "agentl.hosting.host",
    "Inference": "agentl.inference.inference",
    "Journal": "agentl.journal.plain",
    "LLM": "agentl.hosting.llm",
    "LexError": "agentl.diagnostics",
    "MCPHost": "agentl.hosting.mcp.host",
    "MemoryStore": "agentl.journal.stores.memory",
    "MockLLM": "agentl.hosting.llm",
    "NOT_EXECUTED": "agentl.hosting.outcomes",
    "NotApplied": "agentl.hosting.outcomes",
    "OutcomeUnknown": "agentl.hosting.outcomes",
    "PENDING": "agentl.hosting.outcomes",
    "ParseError": "agentl.diagnostics",
    "Planner": "agentl.runtime.planner",
    "PlanningResult": "agentl.planning.result",
    "PolicyEngine": "agentl.policy",
    "Program": "agentl.ir.program",
    "PydanticAILLM": "agentl.hosting.pydantic_ai",
    "RecordingHost": "agentl.durable.recording",
    "RecordingLLM": "agentl.durable.recording",
    "ReplayDivergence": "agentl.journal.errors",
    "ReplayError": "agentl.journal.errors",
    "ReplayHost": "agentl.durable.recording",
    "ReplayLLM": "agentl.durable.recording",
    "RunOptions": "agentl.durable.options",
    "Runtime": "agentl.durable.runtime",
    "SQLiteStore": "agentl.journal.stores.sqlite",
    "Society": "agentl.durable.society",
    "State": "agentl.runtime.state",
    "Symbol": "agentl.values",
    "Trace": "agentl.runtime.trace",
    "UNDEFINED": "agentl.values",
    "check_program": "agentl.analysis.analyzer",
    "infer": "agentl.inference.infer",
    "mcp_host": "agentl.hosting.mcp.host",
    "parse_file": "agentl.syntax.parser",
    "parse_source": "agentl.syntax.parser",
    "reachable_range": "agentl.inference.reachable",
    "verify_trace": "agentl.journal.plain",
}

__all__ = [*sorted(_PUBLIC), "__version__"]

if TYPE_CHECKING:
    from agentl.analysis.analyzer import Analyzer as Analyzer
    from agentl.analysis.analyzer import check_program as check_program
    from agentl.diagnostics import AgentLError as AgentLError
    from agentl.diagnostics import Diagnostic as Diagnostic
    from agentl.diagnostics import LexError as LexError
    from agentl.diagnostics import ParseError as ParseError
    from agentl.durable.options import RunOptions as RunOptions
    from agentl.durable.recording import RecordingHost as RecordingHost
    from agentl.durable.recording import RecordingLLM as RecordingLLM
    from agentl.durable.recording import ReplayHost as ReplayHost
    from agentl.durable.recording import ReplayLLM as ReplayLLM
    from agentl.durable.run import DurableRun as DurableRun
    from agentl.durable.runtime import Runtime as Runtime
    from agentl.durable.society import Society as Society
    from agentl.hosting.anthropic import AnthropicLLM as AnthropicLLM
    from agentl.hosting.host import Host as Host
    from agentl.hosting.llm import LLM as LLM
    from agentl.hosting.llm import MockLLM as MockLLM
    from agentl.hosting.mcp.host import MCPHost as MCPHost
    from agentl.hosting.mcp.host import mcp_host as mcp_host
    from agentl.hosting.outcomes import NOT_EXECUTED as NOT_EXECUTED
    from agentl.hosting.outcomes import PENDING as PENDING
    from agentl.hosting.outcomes import NotApplied as NotApplied
    from agentl.hosting.outcomes import OutcomeUnknown as OutcomeUnknown
    from agentl.hosting.pydantic_ai import PydanticAILLM as PydanticAILLM
    from agentl.inference.infer import infer as infer
    from agentl.inference.inference import Inference as Inference
    from agentl.inference.reachable import reachable_range as reachable_range
    from agentl.ir.program import Agent as Agent
    from agentl.ir.program import Program as Program
    from agentl.journal.errors import DurableError as DurableError
    from agentl.journal.errors import ReplayDivergence as ReplayDivergence
    from agentl.journal.errors import ReplayError as ReplayError
    from agentl.journal.plain import Journal as Journal
    from agentl.journal.plain import verify_trace as verify_trace
    from agentl.journal.stores.file import FileStore as FileStore
    from agentl.journal.stores.memory import MemoryStore as MemoryStore
    from agentl.journal.stores.sqlite import SQLiteStore as SQLiteStore
    from agentl.kernel.request import ActionRequest as ActionRequest
    from agentl.logic.evaluator import Evaluator as Evaluator
    from agentl.logic.scope import Belief as Belief
    from agentl.planning.result import PlanningResult as PlanningResult
    from agentl.policy import PolicyEngine as PolicyEngine
    from agentl.runtime.planner import Planner as Planner
    from agentl.runtime.state import State as State
    from agentl.runtime.trace import Trace as Trace
    from agentl.syntax.parser import parse_file as parse_file
    from agentl.syntax.parser import parse_source as parse_source
    from agentl.values import UNDEFINED as UNDEFINED
    from agentl.values import Symbol as Symbol


def __getattr__(name: str) -> object:
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'agentl' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
