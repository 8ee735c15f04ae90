"""The types of the lazy face; a repository test holds it equal to what __init__.py serves."""

from agentl.hosting.kernel_adapter import Authorization as Authorization
from agentl.hosting.kernel_adapter import Kernel as Kernel
from agentl.hosting.kernel_adapter import coerce_inputs as coerce_inputs
from agentl.hosting.kernel_adapter import typecheck as typecheck
from agentl.kernel.approval import APPROVAL_WORDS as APPROVAL_WORDS
from agentl.kernel.approval import approval_granted as approval_granted
from agentl.kernel.contract import BoundOutputs as BoundOutputs
from agentl.kernel.contract import check_inputs as check_inputs
from agentl.kernel.contract import check_outputs as check_outputs
from agentl.kernel.digest import action_digest as action_digest
from agentl.kernel.digest import canonical as canonical
from agentl.kernel.digest import canonical_bytes as canonical_bytes
from agentl.kernel.digest import idempotency_key as idempotency_key
from agentl.kernel.digest import value_digest as value_digest
from agentl.kernel.dispatch import ActionContext as ActionContext
from agentl.kernel.dispatch import activated as activated
from agentl.kernel.dispatch import active_dispatch as active_dispatch
from agentl.kernel.dispatch import current_action as current_action
from agentl.kernel.dispatch import require_permit as require_permit
from agentl.kernel.errors import ActionInDoubt as ActionInDoubt
from agentl.kernel.errors import Cancelled as Cancelled
from agentl.kernel.errors import KernelAbort as KernelAbort
from agentl.kernel.errors import PermitError as PermitError
from agentl.kernel.gate import MISSING as MISSING
from agentl.kernel.gate import Decider as Decider
from agentl.kernel.gate import freeze as freeze
from agentl.kernel.gate import grant as grant
from agentl.kernel.gate import judge as judge
from agentl.kernel.gate import propose as propose
from agentl.kernel.gate import propose_delegate as propose_delegate
from agentl.kernel.gate import show as show
from agentl.kernel.permit import ExecutionPermit as ExecutionPermit
from agentl.kernel.permit import Issuer as Issuer
from agentl.kernel.permit import void as void
from agentl.kernel.request import ActionRequest as ActionRequest
from agentl.kernel.request import Contract as Contract
from agentl.kernel.request import Decision as Decision
from agentl.kernel.request import Identity as Identity
from agentl.kernel.request import Refusal as Refusal
from agentl.kernel.request import ShownRequest as ShownRequest
from agentl.policy import policy_digest as policy_digest

TCB_FILES: tuple[str, ...]
