"""Adapters whose library comes with an extra: said clearly, and before anything is done, when it is not there."""

from __future__ import annotations

from importlib.util import find_spec

from agentl.hosting.loading import HostError
from agentl.messages import models as messages


class ExtraMissing(HostError):
    """An adapter is used whose extra is not installed."""


def require_extra(what: str, package: str, extra: str) -> None:
    """Raise ExtraMissing unless the top-level `package` can be imported; it is not imported here."""
    if find_spec(package) is None:
        raise ExtraMissing.of(messages.EXTRA_MISSING, what=what, package=package, extra=extra)
