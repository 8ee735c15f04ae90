"""Pages of everything a check can say: those of the rules, and those about suppressions beside what finds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentl.analysis import pages as of_rules
from agentl.analysis.pages import Page, read_page
from agentl.diagnostics import Diagnostic
from agentl.linting.one_file import Input, check_file
from agentl.linting.settings import Given, Settings
from agentl.messages import suppressing

_GROUP = "suppressions"
_FOLDER = Path(__file__).parent / _GROUP / "pages"
_OF_SUPPRESSIONS = {message.code: message for message in (suppressing.MALFORMED, *suppressing.WARNINGS)}


def page_of(code: str) -> Page | None:
    """Return the page of a code; None for what no check says."""
    message = _OF_SUPPRESSIONS.get(code)
    if message is None:
        return of_rules.page_of(code)
    path = (_FOLDER / message.name.replace("-", "_")).with_suffix(".md")
    return read_page(path, message, _GROUP, "reference", _check)


def all_pages() -> Iterator[Page]:
    """Yield every page: those of the rules by code, then those about suppressions."""
    yield from of_rules.all_pages()
    for code in sorted(_OF_SUPPRESSIONS):
        page = page_of(code)
        assert page is not None
        yield page


def _check(program: str) -> list[Diagnostic]:
    """Check without any configuration: what a page shows depends on nobody's folder."""
    checked = check_file(Input("<page>", program.encode()), Settings(Given()), None)
    return [finding.diagnostic for finding in checked.findings if finding.is_live]
