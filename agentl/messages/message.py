"""Text: one thing said to people in two languages. Message: a Text with a stable code and a help line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentl.messages.language import current_language


@dataclass(frozen=True, slots=True)
class Text:
    """A text with `{placeholders}`, the same ones in both languages (a test holds that)."""

    en: str
    fr: str

    def text(self, language: str | None = None, /, **arguments: object) -> str:
        """Fill the placeholders. `language` is "en" or "fr", by default the current one."""
        language = language or current_language()
        template = self.fr if language == "fr" else self.en
        return template.format(**{name: _spoken(value, language) for name, value in arguments.items()})


class Phrase:
    """A text with its arguments that is itself an argument: it is said in the language of the text around it."""

    def __init__(self, text: Text, /, **arguments: object) -> None:
        self._text = text
        self._arguments = arguments

    def text(self, language: str | None = None) -> str:
        return self._text.text(language, **self._arguments)

    def __str__(self) -> str:
        """The English form, which is what data holds."""
        return self.text("en")


class Choice(Phrase):
    """Several things of which one is meant: `a, b or c`. Plain strings read the same in every language."""

    def __init__(self, parts: Sequence[Text | str]) -> None:
        self._parts = parts

    def text(self, language: str | None = None) -> str:
        language = language or current_language()
        said = [part.text(language) if isinstance(part, Text) else part for part in self._parts]
        if len(said) < 2:
            return "".join(said)
        return f"{', '.join(said[:-1])} {'ou' if language == 'fr' else 'or'} {said[-1]}"


def _spoken(value: object, language: str) -> object:
    """A phrase becomes text; a tuple of phrases is joined with semicolons; all else stays."""
    if isinstance(value, Phrase):
        return value.text(language)
    if isinstance(value, tuple) and value and all(isinstance(item, Phrase) for item in value):
        return "; ".join(item.text(language) for item in value)
    return value


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
