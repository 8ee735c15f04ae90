"""Hook of mkdocs: makes a page for every rule of `agentl check`, and lists of rules and codes, in both languages.

The texts are those of `agentl explain`, from the same files and catalogue (tooling.md §17).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from agentl.analysis.page_text import as_markdown
from agentl.analysis.pages import Page
from agentl.linting.pages import all_pages, page_of
from agentl.messages import current_language, use_language
from agentl.messages.catalogue import catalogue
from agentl.messages.message import Message

FOLDERS = {"en": "", "fr": "fr/"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made here to the pages that are written."""
    before = current_language()
    for language, folder in FOLDERS.items():
        use_language(language)
        for path, text in _pages():
            files.append(File.generated(config, f"{folder}{path}", content=text))
    use_language(before)
    return files


def _pages() -> Iterator[tuple[str, str]]:
    """Yield (path, Markdown) in the current language."""
    rules = sorted(all_pages(), key=lambda page: (page.group, page.message.code))
    for page in rules:
        yield f"rules/{page.message.code}.md", as_markdown(page.message, page)
    yield "rules/index.md", _index(rules)
    yield "codes.md", "\n\n".join(_entry(message) for message in catalogue().values())


def _index(rules: list[Page]) -> str:
    lines = ["# Rules" if current_language() == "en" else "# Règles"]
    for group, pages in groupby(rules, key=lambda page: page.group):
        lines += ["", f"## {group}", ""]
        lines += (f"- [{page.message.code}]({page.message.code}.md) {page.message.name}" for page in pages)
    return "\n".join(lines)


def _entry(message: Message) -> str:
    """A code in the list of all: its own page where it has one, else what its message says."""
    if page_of(message.code) is not None:
        return f"## {message.code}\n\n[{message.name}](rules/{message.code}.md)"
    text = as_markdown(message, None)
    return "\n".join(f"#{line}" if line.startswith("#") else line for line in text.split("\n"))
