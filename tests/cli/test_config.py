"""`agentl config show`: every key, its value for a file, and where that was given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl.cli.app import main
from agentl.linting.settings import FIELD_OF


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.agent").write_text("", encoding="utf-8")
    (tmp_path / "sub" / "agentl.toml").write_text(
        '# ours\nfail-on = "warning"\n\nignore = ["W131"]\n[severity]\nW102 = "error"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, tuple[object, str]]:
    assert main(["config", "show", *arguments, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "agentl.config/1"
    return {key: (each["value"], each["origin"]) for key, each in document["keys"].items()}


@pytest.mark.parametrize("file", ["sub/x.agent", "sub"])
def test_values_have_the_line_they_were_given_on(capsys: pytest.CaptureFixture[str], file: str) -> None:
    keys = shown(capsys, file)
    assert keys["fail-on"] == ("warning", "sub/agentl.toml:2")
    assert keys["ignore"] == (["W131"], "sub/agentl.toml:4")
    assert keys["severity"] == ({"W102": "error"}, "sub/agentl.toml:5")
    assert keys["profile"] == ("reference", "default")
    assert list(keys) == list(FIELD_OF)


def test_without_a_configuration_all_is_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert {origin for _, origin in shown(capsys, ".").values()} == {"default"}
    assert shown(capsys, ".")["fail-on"][0] == "error"


def test_the_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show", "sub/x.agent"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 'fail-on       = "warning"  # sub/agentl.toml:2' in lines
    assert "baseline      = -  # default" in lines


@pytest.mark.parametrize(("path", "code"), [("missing.agent", "C010"), ("sub/x.agent", "C103")])
def test_what_cannot_be_shown_ends_with_2(capsys: pytest.CaptureFixture[str], path: str, code: str) -> None:
    Path("sub/agentl.toml").write_text("colour = 1\n", encoding="utf-8")
    assert main(["config", "show", path]) == 2
    assert code in capsys.readouterr().err
