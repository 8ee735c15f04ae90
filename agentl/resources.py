"""Where grammar/ and stdlib/ lie; no other file knows.

In a checkout (also an editable install) they stand next to the package and win; in a wheel they are in
`agentl/_shipped/`. Found from the package's own place, so the working directory does not matter.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def grammar_folder() -> Path:
    """Return the folder of the grammar files. Raises FileNotFoundError when the installation is incomplete."""
    return _folder("grammar")


def stdlib_folder() -> Path:
    """Return the folder of the standard library. Raises FileNotFoundError when the installation is incomplete."""
    return _folder("stdlib")


def _folder(name: str) -> Path:
    # A folder `grammar` next to an installed package belongs to somebody else: a checkout has its pyproject.toml.
    checkout = _PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    shipped = _PACKAGE / "_shipped" / name
    if shipped.is_dir():
        return shipped
    raise FileNotFoundError(f"agentl is installed without its folder {name!r} (looked in {checkout} and {shipped})")
