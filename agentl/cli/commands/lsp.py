"""`agentl lsp`: the language server on standard input and output."""

from __future__ import annotations


def command() -> int:
    """Serve one editor. 0 after an orderly end, 1 when the editor went without a word (as the protocol wants it)."""
    import os

    from agentl.cli.exits import CommandError
    from agentl.cli.interrupts import Terminated
    from agentl.hosting.extras import require_extra
    from agentl.messages import editor as messages

    require_extra("agentl lsp", "pygls", "lsp")
    from agentl.lsp.stdio import serve

    try:
        answers = os.dup(1)
        # WHY: standard output belongs to the protocol; whatever else is written there would break it.
        os.dup2(2, 1)
    except OSError:
        raise CommandError.of(messages.NO_STREAMS) from None
    ending = serve(0, answers)
    if ending == "terminated":
        raise Terminated
    return 0 if ending == "shut down" else 1
