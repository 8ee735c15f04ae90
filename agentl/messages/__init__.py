"""Every text for people, English and French side by side, one file an area."""

from agentl.messages.language import current_language, use_language
from agentl.messages.message import Choice, Message, Phrase, Text

__all__ = ["Choice", "Message", "Phrase", "Text", "current_language", "use_language"]
