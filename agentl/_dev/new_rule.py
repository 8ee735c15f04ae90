"""`agentl new rule`: the files of a new lint rule, each where it belongs, for whoever writes one."""

from __future__ import annotations

import re
from pathlib import Path

from agentl.diagnostics import AgentLError
from agentl.messages import contributing as messages

TEMPLATES = Path(__file__).parent / "templates"
_CODE = re.compile(r'"(W2\d\d)"')


class ScaffoldError(AgentLError):
    """A rule that cannot be begun like this."""

    exit_code = 2


def create(root: Path, name: str, group: str) -> tuple[str, list[Path]]:
    """Begin the rule `name` (snake_case, the fault it finds) in a folder of `agentl/analysis/rules/`.

    `root` is the checkout. Returns the code it was given, the first free one from W250 on, and the files written or
    added to. Its case file has a program that is to give the finding, so that the tests fail until the rule finds it.
    Raises ScaffoldError when it is no checkout, when name or group cannot be used; then nothing was written.
    """
    rules = root / "agentl" / "analysis" / "rules"
    cases = root / "tests" / "analysis" / "rules"
    if not rules.is_dir() or not cases.is_dir():
        raise ScaffoldError.of(messages.NO_CHECKOUT, path=str(root))
    groups = sorted(folder.name for folder in rules.iterdir() if (folder / "__init__.py").exists())
    if group not in groups:
        raise ScaffoldError.of(messages.UNKNOWN_GROUP, name=group, groups=", ".join(groups))
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", name):
        raise ScaffoldError.of(messages.RULE_NAME, name=name)
    if (cases / f"{name}.md").exists() or list(rules.glob(f"*/{name}.py")):
        raise ScaffoldError.of(messages.RULE_EXISTS, name=name)
    catalogue = root / "agentl" / "messages"
    code = _free_code(catalogue)
    texts = catalogue / (f"lint_{group}.py" if (catalogue / f"lint_{group}.py").exists() else "lint.py")
    words = {
        "code": code,
        "constant": name.upper(),
        "kebab": name.replace("_", "-"),
        "messages": texts.stem,
        "profile": ', profile="strict"' if group == "strict" else "",
    }
    files = {
        rules / group / f"{name}.py": "rule.py.txt",
        rules / group / f"{name}.md": "page.md.txt",
        cases / f"{name}.md": "cases.md.txt",
    }
    for file, template in files.items():
        file.write_text(_filled(template, words), encoding="utf-8", newline="\n")
    with texts.open("a", encoding="utf-8", newline="\n") as end:
        end.write(_filled("message.py.txt", words))
    return code, [*files, texts]


def _free_code(catalogue: Path) -> str:
    """Return the first warning code from W250 on that no message has."""
    taken = {code for file in catalogue.glob("*.py") for code in _CODE.findall(file.read_text(encoding="utf-8"))}
    return next(code for code in (f"W{number}" for number in range(250, 300)) if code not in taken)


def _filled(template: str, words: dict[str, str]) -> str:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"{{{{{word}}}}}", value)
    return text
