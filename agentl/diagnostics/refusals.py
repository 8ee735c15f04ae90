"""Why the system refused to read or write a file, in words."""

from __future__ import annotations

from agentl.messages import Phrase
from agentl.messages import command as messages


def reason(error: OSError) -> Phrase | str:
    """Return why the system refused, in the reader's language where we have words for it."""
    if isinstance(error, FileNotFoundError):
        return Phrase(messages.NO_SUCH_FILE)
    if isinstance(error, IsADirectoryError):
        return Phrase(messages.IS_A_FOLDER)
    if isinstance(error, PermissionError):
        return Phrase(messages.NO_RIGHT)
    return error.strerror or type(error).__name__
