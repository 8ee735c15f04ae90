"""Where code hosts look for a file: below the root of the repository, whatever folder and link it was reached by."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePath

STANDARD_INPUT_NAME = "<stdin>"
# Where GitHub and GitLab say that they have put a repository.
_NAMED = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def repository_path(name: str) -> PurePath:
    """Return the path of a file relative to the root of its repository; absolute when it lies in none.

    The root is the nearest folder with a `.git` from where the process stands; else what the code host names, since the
    files may have come without one; else the nearest from the file; else where the process stands. Links are followed
    unless they lead out of the root. Standard input is its own path.
    """
    if name == STANDARD_INPUT_NAME:
        return PurePath(name)
    here = _here()
    given = os.path.join(here, name)  # noqa: PTH118
    for path in (os.path.realpath(given), os.path.normpath(given)):
        for top in (_root(here), *map(os.environ.get, _NAMED), _root(os.path.dirname(path)), here):  # noqa: PTH120
            if top and PurePath(path).is_relative_to(top):
                return PurePath(path).relative_to(top)
    return PurePath(os.path.realpath(given))


def shown_path(name: str) -> str:
    """Return `repository_path` with forward slashes."""
    return repository_path(name).as_posix()


def uri_of(path: PurePath) -> str:
    """Return a relative reference for a relative path and a file URI for an absolute one, percent-encoded."""
    if path.is_absolute():
        return path.as_uri()
    from urllib.parse import quote  # WHY: only some formats need it, and all would load it

    return quote(os.fsencode(path.as_posix()))


def _here() -> str:
    try:
        return os.path.realpath(Path.cwd())
    except OSError:  # the folder is gone
        return os.sep


@cache
def _root(folder: str) -> str | None:
    return next((str(top) for top in (Path(folder), *Path(folder).parents) if os.path.exists(top / ".git")), None)  # noqa: PTH110  # never raises


def analysis_name(paths: Iterable[str]) -> str:
    """Return a name for the check of these paths, the same in any order and from any folder."""
    return "+".join(sorted({uri_of(repository_path(path)) for path in paths}))
