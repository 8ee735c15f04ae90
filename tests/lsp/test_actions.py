"""What can be done about findings, asked by a real client; and that a check here says what `agentl check` says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from agentl.analysis.pages import all_pages
from agentl.cli.app import main
from agentl.diagnostics import Edit, Source, edited
from agentl.lsp.document import Document
from agentl.lsp.lint import lint
from agentl.lsp.positions import Lines
from agentl.lsp.requests.actions import _comment
from agentl.lsp.text import SyncedText
from agentl.syntax.parser import parse
from tests.lsp.client import Client

WRONG = """AGENT a {
    GOAL g { ACHIEVE x.y == 1 }
    OBSERVE { x.y  never.read }
    TOOL repair { RISK HIGH  INPUT { n: Number } }
    PLAN p WHEN x.y == 0 { repare(n = 1) }
}
"""


def asked(
    client: Client, uri: str, line: int, only: list[types.CodeActionKind | str] | None = None
) -> list[types.CodeAction]:
    at = types.Range(types.Position(line, 0), types.Position(line, 99))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), at, types.CodeActionContext([], only=only))
    return list(client.ask(types.TEXT_DOCUMENT_CODE_ACTION, params))


def made(text: str, uri: str, action: types.CodeAction) -> str:
    assert action.edit is not None
    assert action.edit.changes is not None
    lines = Lines(text)
    return edited(text, [Edit(lines.span(each.range), each.new_text) for each in action.edit.changes[uri]])


def test_fixes_are_offered_and_what_may_change_the_meaning_says_so(
    client: Client, opened: Callable[[str], str]
) -> None:
    text = WRONG.replace("x.y == 0", "tools.repair.in_dout == 0")
    uri = opened(text)
    fix, *_ = asked(client, uri, 4)
    assert fix.title.endswith("(may change the meaning)")
    assert fix.is_preferred is None
    assert fix.diagnostics is not None
    assert fix.diagnostics[0].code == "E205"
    assert "WHEN tools.repair.in_doubt == 0" in made(text, uri, fix)
    safe, *_ = asked(client, uri, 3)
    assert safe.is_preferred
    assert "REQUIRE APPROVAL FOR repair" in made(text, uri, safe)


def test_a_warning_can_be_suppressed_with_a_reason(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(WRONG.replace("\n", "\r\n"))
    (suppress,) = [each for each in asked(client, uri, 2) if "Suppress W103" in each.title]
    text = made(WRONG.replace("\n", "\r\n"), uri, suppress)
    assert "\r\n    # ignore[W103]: reason\r\n    OBSERVE" in text
    client.change(uri, 2, text)
    assert "W103" not in [each.code for each in client.findings(uri, 2)]
    assert "S002" not in [each.code for each in client.findings(uri, 2)]


def test_an_error_cannot_be_suppressed(client: Client, opened: Callable[[str], str]) -> None:
    assert not [each for each in asked(client, opened(WRONG), 4) if "E001" in each.title]


SAFE = """AGENT a {
    GOAL g { ACHIEVE x.y == 1 }
    OBSERVE { x.y }
    TOOL one { RISK HIGH  EFFECT { x.y = 1 } }
    TOOL two { RISK HIGH  EFFECT { x.y = 1 } }
    PLAN p WHEN x.y == 0 { one()  VERIFY x.y == 1  two()  VERIFY x.y == 1 }
}
"""


def test_every_safe_fix_at_once(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(SAFE)
    (all_safe,) = asked(client, uri, 0, only=["source.fixAll"])
    assert all_safe.kind == "source.fixAll.agentl"
    before = [each.code for each in client.findings(uri, 1)]
    client.change(uri, 2, made(SAFE, uri, all_safe))
    after = [each.code for each in client.findings(uri, 2)]
    assert len(after) < len(before)
    assert asked(client, uri, 0, only=["refactor"]) == []


@pytest.mark.parametrize("code", [page.message.code for page in all_pages() if page.suppress is not None][::3])
def test_the_comment_of_every_warning_answers_it(code: str) -> None:
    (page,) = [each for each in all_pages() if each.message.code == code]
    found = [each for each in lint(parse(Source(page.example, "<a>"))) if each.code == code and each.span]
    if page.profile in ("strict", "sequential"):
        return
    assert found
    for finding in found[:1]:
        document = Document("untitled:a", SyncedText(page.example, "<a>", "utf-16"), 1)
        assert finding.span is not None
        text = edited(page.example, [_comment(document, finding.span, code)])
        left = [each for each in lint(parse(Source(text, "<a>"))) if each.code in (code, "S002")]
        assert len(left) < len(found)
        assert "S002" not in [each.code for each in left]


def test_configuration_holds_as_on_the_command_line(client: Client, tmp_path: Path) -> None:
    program, configuration = tmp_path / "a.agent", tmp_path / "agentl.toml"
    program.write_text(WRONG, encoding="utf-8")
    uri = program.as_uri()
    client.open(uri, WRONG)
    assert "W103" in [each.code for each in client.findings(uri, 1)]
    configuration.write_text('ignore = ["W103"]\n', encoding="utf-8")
    client.tell(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesParams([]))
    client.wait_until(lambda: "W103" not in [each.code for each in client.published[uri][-1].diagnostics])
    configuration.write_text("nonsense = 1\n", encoding="utf-8")
    client.tell(types.TEXT_DOCUMENT_DID_SAVE, types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
    wrong = configuration.as_uri()
    client.wait_until(lambda: bool(client.published[wrong] and client.published[wrong][-1].diagnostics))
    assert "W103" in [each.code for each in client.published[uri][-1].diagnostics]
    client.close(uri)
    client.wait_until(lambda: not client.published[wrong][-1].diagnostics)


def test_what_a_baseline_knows_is_information(tmp_path: Path) -> None:
    program = tmp_path / "a.agent"
    program.write_text(WRONG, encoding="utf-8")
    options = ("--write-baseline", str(tmp_path / "known.json"))
    main(["check", str(program), *options])
    (tmp_path / "agentl.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    found = {each.code: each.severity for each in lint(parse(Source(WRONG, str(program))))}
    assert found["W103"] == "info"
    assert found["E001"] == "error"
