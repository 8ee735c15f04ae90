"""Where imported texts come from in an editor: from what is open there, unsaved changes included, else from disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agentl.diagnostics import Source
from agentl.syntax.module_files import SUFFIX, FolderModules, ModuleFiles

# Returns the text of a file that is open, None for any other.
OpenText = Callable[[Path], str | None]


class EditedModules:
    """Shipped modules, and the files below the folder of a program as the editor has them; no folder: none."""

    def __init__(self, folder: Path | None, open_text: OpenText) -> None:
        self._folder = folder
        self._open_text = open_text
        self._on_disk: ModuleFiles = FolderModules(folder)

    def find(self, name: str) -> Source:
        """Return the text. Raises as `FolderModules.find` does."""
        if self._folder is not None and name.endswith(SUFFIX):
            path = self._folder / name
            text = self._open_text(path)
            if text is not None:
                return Source(text, str(path))
        return self._on_disk.find(name)
