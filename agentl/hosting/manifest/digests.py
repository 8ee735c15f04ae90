"""Digests of what a manifest says, for the checkpoint (operations-contract.md §4, artifacts)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.hosting.manifest.model import VERSION, Binding
from agentl.values import canonical_json, domain_digest

_GRANTS = "agentl.grants.v1"


def manifest_digest(document: Any) -> str:
    """Return `sha256:` and the digest of a manifest's canonical text: white space and order of keys are no change."""
    return f"sha256:{domain_digest(VERSION, canonical_json(document))}"


def grants_digest(bindings: Mapping[str, Binding], resolved_paths: Mapping[str, str]) -> str:
    """Return `sha256:` and the digest of what the tools of `bindings` are granted.

    `resolved_paths` maps an `fs-read:` or `fs-write:` grant as written to the path it meant at start, so that another
    target of a link, or another value of `$NAME`, is another digest. The order of grants is no change.
    """
    granted = {
        tool: sorted([grant, resolved_paths.get(grant, "")] for grant in binding.grants)
        for tool, binding in bindings.items()
    }
    return f"sha256:{domain_digest(_GRANTS, canonical_json(granted))}"
