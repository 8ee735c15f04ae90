"""Digests of grants: they change with what is granted and where it leads, not with how it is written down."""

from __future__ import annotations

from agentl.hosting.manifest import grants_digest

GRANTS = ["network", "env:DATA", "fs-read:/srv/in"]


def test_the_digest_of_grants_is_the_same_whatever_their_order() -> None:
    digest = grants_digest({"pay": GRANTS, "tell": []})
    assert len(digest) == 64
    assert grants_digest({"tell": [], "pay": GRANTS[::-1]}) == digest


def test_another_grant_another_tool_and_another_target_are_another_digest() -> None:
    digests = {
        grants_digest({"pay": GRANTS}),
        grants_digest({"pay": [*GRANTS[:2], "fs-read:/srv/other"]}),
        grants_digest({"pay": GRANTS[1:]}),
        grants_digest({"tell": GRANTS}),
        grants_digest({}),
    }
    assert len(digests) == 5
