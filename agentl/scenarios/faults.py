"""Fault: why a scenario could not be played as it stands. One is enough to make it red (scenario.md §8)."""

from __future__ import annotations

from agentl.messages import Message


class Fault(Exception):
    """What went wrong, as a message with its arguments; its text is English (it enters traces)."""

    def __init__(self, message: Message, **arguments: object) -> None:
        super().__init__(message.text("en", **arguments))
        self.message = message
        self.arguments = arguments

    def text(self, language: str | None = None) -> str:
        """What went wrong, in the reader's language."""
        return self.message.text(language, **self.arguments)

    def help(self, language: str | None = None) -> str:
        """What to do, "" when there is nothing to say."""
        return "" if self.message.help is None else self.message.help.text(language, **self.arguments)
