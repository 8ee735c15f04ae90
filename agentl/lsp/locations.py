"""Files and their URIs, and the name a source has in messages."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

from agentl import resources
from agentl.diagnostics import Source

_SHIPPED = "std/"


def path_of(uri: str) -> Path | None:
    """Return the file of a URI, None when it names none: a text that was never saved, or one in a container."""
    if not uri.startswith("file:"):
        return None
    path = Path(to_fs_path(uri) or "")
    return path if path.name and "\0" not in str(path) else None


def name_of(uri: str) -> str:
    """Return the name of a document's source: its path, or the URI in angle brackets, beside which nothing is read."""
    path = path_of(uri)
    return str(path) if path is not None else f"<{uri}>"


def uri_of(source: Source) -> str:
    """Return the URI of the text of a document, or of a module."""
    name = source.name
    if name.startswith("<") and name.endswith(">"):
        return name[1:-1]
    if is_shipped(source):
        name = str(resources.stdlib_folder() / name.removeprefix(_SHIPPED))
    return from_fs_path(str(Path(name).absolute())) or ""


def is_shipped(source: Source) -> bool:
    """Is it a module that comes with the language?"""
    return source.name.startswith(_SHIPPED)
