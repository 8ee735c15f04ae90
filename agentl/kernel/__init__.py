"""The trusted kernel: decides whether an action may go out, and is the only road to the host (decision 13)."""

from __future__ import annotations

from importlib import import_module

# INVARIANT: whoever has read these files, and agentl/values which they write values down with, has read all that stands
# between a decision and a call. testing.py only uses them.
TCB_FILES = tuple(
    f"agentl/kernel/{name}.py"
    for name in ("approval", "contract", "digest", "dispatch", "errors", "gate", "permit", "provenance", "request")
)

_PUBLIC = {
    "approval": ("APPROVAL_WORDS", "approval_granted"),
    "contract": ("BoundOutputs", "check_inputs", "check_outputs"),
    "digest": ("action_digest", "canonical", "canonical_bytes", "idempotency_key", "value_digest"),
    "dispatch": ("ActionContext", "activated", "active_dispatch", "current_action", "require_permit"),
    "errors": ("ActionInDoubt", "Cancelled", "KernelAbort", "PermitError"),
    "gate": ("MISSING", "Decider", "freeze", "grant", "judge", "propose", "propose_delegate", "show"),
    "permit": ("ExecutionPermit", "Issuer", "void"),
    "request": ("ActionRequest", "Contract", "Decision", "Identity", "Refusal", "ShownRequest"),
}
_HOME = {name: f"agentl.kernel.{module}" for module, names in _PUBLIC.items() for name in names}
# Names of AGENT-L 1.10 that need more than the kernel: reached by name, on use, so that the kernel imports none of it.
_HOME |= dict.fromkeys(("Authorization", "Kernel", "coerce_inputs", "typecheck"), "agentl.hosting.kernel_adapter")
_HOME["policy_digest"] = "agentl.policy"

__all__ = ["TCB_FILES", *sorted(_HOME)]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.kernel' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
