"""Digests of what a manifest says, for the checkpoint (operations-contract.md §4, artifacts)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentl.hosting.manifest.model import VERSION
from agentl.values import canonical_json, domain_digest

_GRANTS = "agentl.operation.grants.v1"


def manifest_digest(document: Any) -> str:
    """Return `sha256:` and the digest of a manifest's canonical text: white space and order of keys are no change."""
    return f"sha256:{domain_digest(VERSION, canonical_json(document))}"


def grants_digest(granted: Mapping[str, Iterable[str]]) -> str:
    """Return the digest (64 hex) of what tools are granted: by tool, the grants with their paths resolved.

    So another target of a link, or another value of `$NAME`, is another digest. The order of grants is no change.
    """
    return domain_digest(_GRANTS, *(canonical_json([tool, *sorted(granted[tool])]) for tool in sorted(granted)))
