"""Text for an XML document: what no XML document can hold is shown by its number."""

from __future__ import annotations

import re

# What XML 1.0 cannot hold, not even escaped.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Return the text with every character that XML 1.0 lacks as `\\u{0000}`; a writer still has to escape it."""
    return _IMPOSSIBLE.sub(lambda found: f"\\u{{{ord(found.group()):04X}}}", text)
