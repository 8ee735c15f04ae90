"""Text: one thing said to people in two languages. Message: a Text with a stable code and a help line."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.messages.language import current_language


@dataclass(frozen=True, slots=True)
class Text:
    """A text with `{placeholders}`, the same ones in both languages (a test holds that)."""

    en: str
    fr: str

    def text(self, language: str | None = None, /, **arguments: object) -> str:
        """Fill the placeholders. `language` is "en" or "fr", by default the current one."""
        template = self.fr if (language or current_language()) == "fr" else self.en
        return template.format(**arguments)


@dataclass(frozen=True, slots=True)
class Message(Text):
    """A text with a code (letter and three digits, never reused) and a name that reads after "ignore"."""

    code: str
    name: str
    help: Text | None = None

    def __init__(self, code: str, name: str, en: str, fr: str, help: Text | None = None) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "en", en)
        object.__setattr__(self, "fr", fr)
        object.__setattr__(self, "help", help)
