"""Manifests: which handler carries out a tool, with which grants and which promise about its effect."""

from __future__ import annotations

from agentl.hosting.manifest.digests import grants_digest
from agentl.hosting.manifest.files import FILE_NAMES, read_manifest
from agentl.hosting.manifest.grants import Grant, parse_grant
from agentl.hosting.manifest.model import Binding, EffectContract, Handler, Manifest, ManifestError
from agentl.hosting.manifest.reading import parse_manifest

__all__ = [
    "FILE_NAMES",
    "Binding",
    "EffectContract",
    "Grant",
    "Handler",
    "Manifest",
    "ManifestError",
    "grants_digest",
    "parse_grant",
    "parse_manifest",
    "read_manifest",
]
