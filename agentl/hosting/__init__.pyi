"""The types of the lazy face; a repository test holds it equal to what __init__.py serves."""

from agentl.hosting.calling import Call as Call
from agentl.hosting.calling import call_with_timeout as call_with_timeout
from agentl.hosting.checking import check_host as check_host
from agentl.hosting.classification import classify as classify
from agentl.hosting.host import Host as Host
from agentl.hosting.llm import LLM as LLM
from agentl.hosting.llm import MockLLM as MockLLM
from agentl.hosting.loading import HostError as HostError
from agentl.hosting.loading import HostModule as HostModule
from agentl.hosting.loading import host_path_of as host_path_of
from agentl.hosting.loading import load_host as load_host
from agentl.hosting.options import ToolOptions as ToolOptions
from agentl.hosting.options import after_s_of as after_s_of
from agentl.hosting.options import options_of as options_of
from agentl.hosting.outcomes import NOT_EXECUTED as NOT_EXECUTED
from agentl.hosting.outcomes import PENDING as PENDING
from agentl.hosting.outcomes import NotApplied as NotApplied
from agentl.hosting.outcomes import OutcomeUnknown as OutcomeUnknown
from agentl.hosting.promise import promise_of as promise_of
from agentl.hosting.secrets import handle_violation as handle_violation
from agentl.hosting.secrets import known_values as known_values
from agentl.hosting.secrets import redact as redact
from agentl.hosting.secrets import redact_value as redact_value
from agentl.hosting.secrets import secret_digest as secret_digest
from agentl.hosting.secrets import secret_digests as secret_digests
