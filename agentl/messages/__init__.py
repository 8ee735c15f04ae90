"""Every text for people, English and French side by side, one file an area."""

from agentl.messages.language import current_language, use_language
from agentl.messages.message import Message, Text

__all__ = ["Message", "Text", "current_language", "use_language"]
