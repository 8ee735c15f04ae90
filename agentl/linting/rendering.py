"""Renders a Report in one of the formats, each a file in `formats/` that holds `render(report, look) -> str`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from agentl.linting.report import Report

_FOLDER = Path(__file__).parent / "formats"


@dataclass(frozen=True, slots=True)
class Look:
    """What is wanted of a format; each takes what it knows and leaves the rest.

    `color`: for a terminal. `statistics`: counts of each rule in place of the findings. `problems`: False where wrong
    paths are shown elsewhere. `category`: the name of this analysis, which tells it from others of one repository.
    `answered`: suppressed and known findings too.
    """

    color: bool = False
    statistics: bool = False
    problems: bool = True
    category: str = ""
    answered: bool = False


PLAIN = Look()


@cache
def format_names() -> tuple[str, ...]:
    """Return the names of all formats, sorted; nothing is imported."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.py") if file.stem != "__init__"))


def render(report: Report, format: str, look: Look = PLAIN) -> str:
    """Return the report in a format, without a final newline. Raises ModuleNotFoundError when there is no such one."""
    text: str = import_module(f"{__package__}.formats.{format}").render(report, look)
    return text
