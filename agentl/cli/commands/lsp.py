"""`agentl lsp`: the language server on standard input and output."""

from __future__ import annotations


def command() -> int:
    """Serve one editor. 0 after an orderly end, 1 when the editor went without a word (as the protocol wants it)."""
    import os
    import sys

    from agentl.hosting.extras import require_extra

    require_extra("agentl lsp", "pygls", "lsp")
    from agentl.lsp.stdio import serve

    # WHY: standard output belongs to the protocol; whatever else is written there would break it.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        was_ended = serve(sys.stdin.fileno(), answers)
    return 0 if was_ended else 1
