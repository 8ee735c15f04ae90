"""Patterns of paths, as `[per-file]` has them: `*` and `?` within a name, `**` over folders."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path


def matches(pattern: str, path: str, folder: Path) -> bool:
    """Does a file match a pattern that is meant from `folder` on? A pattern without `/` is of names, in any folder."""
    relative = os.path.relpath(path, folder).replace(os.sep, "/")
    text = relative.rpartition("/")[2] if "/" not in pattern else relative
    return _expression(pattern.removeprefix("./")).fullmatch(text) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meant.get(part) or re.escape(part) for part in parts), re.DOTALL)
