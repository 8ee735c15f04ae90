"""Makes the folder of a new program from the templates beside this file: all of it or nothing."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Literal

from agentl.cli.exits import CommandError
from agentl.cli.files import umask
from agentl.diagnostics import ParseError
from agentl.diagnostics.refusals import reason
from agentl.logic.outline import outline
from agentl.messages import Phrase, Text
from agentl.messages import command as command_messages
from agentl.messages import scaffolding as messages
from agentl.syntax.parser import parse_source

TEMPLATES = Path(__file__).parent / "templates"

# Template -> where it goes; `{{name}}` in either is the name of the agent.
_FILES = {
    "program.agent.txt": "{{name}}.agent",
    "host.py.txt": "{{name}}.py",
    "test.py.txt": "test_{{name}}.py",
    "snapshot.ir.txt": "__snapshots__/test_{{name}}.ir",
    "requirements.txt": "requirements.txt",
    "gitignore.txt": ".gitignore",
}
_INTEGRATIONS = {
    "github": {"github.yml.txt": ".github/workflows/agentl.yml"},
    "gitlab": {"gitlab.yml.txt": ".gitlab-ci.yml"},
    "none": {},
}
_NAMES_TAKEN = frozenset({"agentl", "pytest", "syrupy", "conftest"})


def scaffold(path: str, ci: Literal["github", "gitlab", "none"]) -> list[str]:
    """Make the folder `path` and return the files in it, sorted, as paths that begin with it.

    The last part of `path` names the agent, `-` as `_`. CommandError when that is no usable name, when anything stands
    at `path`, or when it cannot be written; then nothing was.
    """
    target = Path(path)
    name = target.name.replace("-", "_")
    check_name(name)
    if target.exists() or target.is_symlink():
        raise CommandError.of(messages.TARGET_EXISTS, path=path)
    texts = _texts(name, ci)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _make(target, texts)
    except OSError as error:
        raise CommandError.of(command_messages.CANNOT_WRITE, path=path, reason=reason(error)) from error
    return sorted(str(target / file) for file in texts)


def check_name(name: str) -> None:
    """CommandError unless an agent, a Python module and a test can all be called so."""
    said: Text | None = None
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        said = messages.NOT_AN_IDENTIFIER
    elif name in sys.stdlib_module_names or name in _NAMES_TAKEN:
        said = messages.IS_A_MODULE
    else:
        try:
            parse_source(_filled("program.agent.txt", name))
        except ParseError:
            said = messages.IS_A_WORD
    if said is not None:
        raise CommandError.of(messages.NAME_UNUSABLE, name=name, reason=Phrase(said))


def _texts(name: str, ci: str) -> dict[str, str]:
    """Return the files by their path in the folder."""
    files = {**_FILES, **_INTEGRATIONS[ci]}
    texts = {place.replace("{{name}}", name): _filled(template, name) for template, place in files.items()}
    shown = outline(parse_source(texts[f"{name}.agent"]))
    snapshot = f"__snapshots__/test_{name}.ir"
    lines = "\n".join(f"  {line}" for line in shown.split("\n"))
    return {**texts, snapshot: texts[snapshot].replace("{{outline}}", lines)}


def _filled(template: str, name: str) -> str:
    return (TEMPLATES / template).read_text(encoding="utf-8").replace("{{name}}", name)


def _make(target: Path, texts: dict[str, str]) -> None:
    """Write everything into a folder beside the target, then give it its name."""
    made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for place, text in texts.items():
            file = made / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        made.chmod(0o777 & ~umask())
        made.rename(target)  # refuses a folder that has come to stand there and holds anything
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
