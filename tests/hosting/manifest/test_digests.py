"""Digests of grants: they change with what is granted, not with how it is written down."""

from __future__ import annotations

import json
from typing import Any

from agentl.diagnostics import Source
from agentl.hosting.manifest import Binding, grants_digest, parse_manifest

PATHS = {"fs-read:$DATA/in": "/srv/in"}


def bindings(grants: list[str], **more: Any) -> dict[str, Binding]:
    one = {
        "handler": {"kind": "process", "command": "pay"},
        "grants": grants,
        "timeout_ms": 1000,
        "max_payload_bytes": 4096,
        "effect_contract": {"kind": "none"},
    }
    data = json.dumps({"manifest_version": "touba-manifest-v1", "bindings": {"tool:DESK/pay": one | more}})
    return dict(parse_manifest(Source(data, "touba.manifest.json")).bindings)


def test_the_digest_of_grants_is_of_the_grants_alone_whatever_their_order() -> None:
    digest = grants_digest(bindings(["network", "env:DATA", "fs-read:$DATA/in"]), PATHS)
    assert digest.startswith("sha256:") and len(digest) == 71
    assert grants_digest(bindings(["fs-read:$DATA/in", "env:DATA", "network"], timeout_ms=7), PATHS) == digest


def test_another_grant_another_tool_and_another_target_are_another_digest() -> None:
    bound = bindings(["network", "env:DATA", "fs-read:$DATA/in"])
    digests = {
        grants_digest(bound, PATHS),
        grants_digest(bound, {"fs-read:$DATA/in": "/srv/other"}),
        grants_digest(bindings(["env:DATA", "fs-read:$DATA/in"]), PATHS),
        grants_digest({}, PATHS),
    }
    assert len(digests) == 4
