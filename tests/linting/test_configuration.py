"""Configuration files: which holds for a file, what each key does, and what is told of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.linting.checking import Input, Options, check_all
from agentl.linting.configuration_file import ConfigurationError, read_configuration
from agentl.linting.configurations import Configurations
from agentl.linting.patterns import matches
from agentl.linting.report import Report
from agentl.linting.settings import FIELD_OF, NO_CONFIGURATION, Given
from agentl.linting.toml_lines import line_of
from tests.linting.programs import SILENT


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(*paths: str, **given: object) -> Report:
    options = Options(Given(**given))  # type: ignore[arg-type]
    return check_all([Input(path, SILENT.encode()) for path in paths], options)


def codes(report: Report) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in report.findings:
        found.setdefault(finding.path, []).append(f"{finding.diagnostic.severity[0]}:{finding.diagnostic.code}")
    return found


def wrong(text: str, path: str = "agentl.toml") -> list[tuple[str, int]]:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(text.encode(), path)
    return [(each.code, each.line) for each in caught.value.diagnostics]


def test_the_nearest_folder_with_a_configuration_holds_and_no_other() -> None:
    Path("agentl.toml").write_text('ignore = ["W131"]\n')
    Path("sub/pyproject.toml").write_text('[tool.agentl]\nseverity = { W131 = "info" }\n')
    Path("sub/deep/pyproject.toml").write_text("[tool.other]\nagentl = 1\n")
    assert codes(checked("a.agent", "sub/b.agent", "sub/deep/c.agent")) == {
        "sub/b.agent": ["i:W131"],
        "sub/deep/c.agent": ["i:W131"],
    }


def test_the_own_file_holds_before_the_shared_one_of_its_folder() -> None:
    Path("pyproject.toml").write_text("[tool.agentl]\nmax-warnings = 3\n")
    assert Configurations().of("x.agent").given.max_warnings == 3
    Path("agentl.toml").write_text("max-warnings = 4\n")
    assert Configurations().of("x.agent").given.max_warnings == 4


def test_without_a_configuration_there_is_none_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n")
    monkeypatch.setattr("tomllib.loads", lambda _: pytest.fail("read for nothing"))
    assert Configurations().of("sub/deep/x.agent") is NO_CONFIGURATION


def test_the_command_line_wins_key_by_key() -> None:
    Path("agentl.toml").write_text('profile = "strict"\nfail-on = "warning"\nignore = ["W131"]\n')
    assert (checked("x.agent").profile, checked("x.agent", profile="compat").profile) == ("strict", "compat")
    assert checked("x.agent", select=("W131",)).exit_code == 1
    assert checked("x.agent", select=("W131",), fail_on="error").exit_code == 0


def test_files_under_different_profiles_are_told_as_mixed() -> None:
    Path("sub/agentl.toml").write_text('profile = "strict"\n')
    assert checked("x.agent", "sub/x.agent").profile == "mixed"


def test_a_warning_made_an_error_fails_and_one_turned_off_is_not_asked() -> None:
    Path("agentl.toml").write_text('[severity]\nsilent-sensor = "error"\nW103 = "off"\n')
    report = checked("x.agent")
    assert (codes(report), report.exit_code) == ({"x.agent": ["e:W131"]}, 1)
    assert report.counts.checks == checked("x.agent", extend_select=("W103",)).counts.checks - 1


def test_a_pattern_ignores_in_the_files_it_matches() -> None:
    Path("agentl.toml").write_text('[per-file]\n"sub/**" = ["W131"]\n"old_*.agent" = ["knowledge"]\n')
    assert set(codes(checked("x.agent", "sub/x.agent", "sub/deep/x.agent", "old_x.agent"))) == {"x.agent"}


def test_warnings_are_counted_in_the_files_of_one_configuration() -> None:
    Path("sub/agentl.toml").write_text("max-warnings = 1\n")
    assert checked("a.agent", "b.agent", "sub/a.agent").exit_code == 0
    assert checked("sub/a.agent", "sub/deep/b.agent").exit_code == 1
    assert checked("sub/a.agent", "sub/deep/b.agent", max_warnings=2).exit_code == 0
    report = checked("a.agent", "sub/a.agent", "sub/b.agent", max_warnings=2)
    assert report.exit_code == 1
    told = [each for each in report.live if each.code == "C109"]
    assert [(each.text("en"), each.source and each.source.name) for each in told] == [
        ("3 warnings, where 2 are allowed", None)
    ]
    (own,) = [each for each in checked("sub/a.agent", "sub/b.agent").live if each.code == "C109"]
    assert own.source is not None and own.source.name == str(Path("sub", "agentl.toml"))


def test_every_wrong_key_and_value_is_told_with_its_line() -> None:
    text = """\
# ours
profile = "lax"
select = "W1"
extend-select = [
    1,
]
ignore = ["E001", "W9"]
fail_on = "error"
max-warnings = true
baseline = ""

[severity]
E001 = "warning"
W13 = "info"
W131 = "loud"

[per-file]
"a.agent" = "W131"
"""
    assert wrong(text) == [
        ("C104", 2),
        ("C104", 3),
        ("C104", 4),
        ("C101", 7),
        ("C100", 7),
        ("C103", 8),
        ("C104", 9),
        ("C104", 10),
        ("C104", 15),
        ("C101", 13),
        ("C104", 14),
        ("C104", 18),
    ]


def test_lines_are_those_of_the_table_in_a_shared_file() -> None:
    text = '[tool.other]\nprofile = 1\nx = """\n[tool.agentl]\nprofile = 2\n"""\n[tool.agentl]\nprofile = 3\n'
    assert wrong(text, "a/pyproject.toml") == [("C104", 8)]
    assert wrong("[tool]\nagentl = 3\n", "pyproject.toml") == [("C104", 2)]


@pytest.mark.parametrize(("text", "line"), [("a = \n", 1), ("x = 1\n[y\n", 2), ('x = "', 1)])
def test_what_is_no_toml_is_told_with_its_line(text: str, line: int) -> None:
    ((code, at),) = wrong(text)
    assert code == "C102" and at in (0, line)


def test_bytes_that_are_no_text_and_a_file_that_cannot_be_read_are_told() -> None:
    with pytest.raises(ConfigurationError, match="UTF-8"):
        read_configuration(b"\xff", "agentl.toml")
    Path("sub/agentl.toml").mkdir()
    with pytest.raises(ConfigurationError) as caught:
        Configurations().of("sub/x.agent")
    assert caught.value.code == "C105"
    Path("sub/deep/agentl.toml").symlink_to("nowhere")
    with pytest.raises(ConfigurationError, match="no such file"):
        Configurations().of("sub/deep/x.agent")


def test_deep_nesting_is_no_crash() -> None:
    assert wrong("a = " + "[" * 5000)[0][0] == "C102"


def test_the_keys_are_those_of_the_reference_and_the_inputs_of_operations() -> None:
    assert set(FIELD_OF) == {
        *("profile", "select", "extend-select", "ignore", "severity", "per-file"),
        *("fail-on", "max-warnings", "baseline", "inputs"),
    }


def test_references_are_read_by_name() -> None:
    configuration = read_configuration(b'[inputs.references]\ncard = "env:CARD"\nid = "file:id"\n', "agentl.toml")
    assert configuration is not None and configuration.given.inputs == ("card", "id")
    for text in (
        "inputs = 1",
        "[inputs]",
        "[inputs]\nother = 1",
        "[inputs]\nreferences = ['a']",
        "[inputs.references]\na = 1",
    ):
        assert wrong(text)[0][0] == "C104"


@given(
    st.lists(st.sampled_from(["", "# x", "k{n} = 1", "l{n} = [\n1,\n]", '"d{n}" = """\n[t]\nk0 = 1\n"""']), max_size=12)
)
@settings(max_examples=40)
def test_a_line_is_found_among_any_others(parts: list[str]) -> None:
    above = [part.replace("{n}", str(number)) for number, part in enumerate(parts)]
    text = "\n".join([*above, "[t.u]", "", "wanted = 1", *above])
    assert text.split("\n")[line_of(text, ("t", "u", "wanted")) - 1] == "wanted = 1"
    assert text.split("\n")[line_of(text, ("t", "u")) - 1] == "[t.u]"


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("*.agent", "a/b/x.agent", True),
        ("a/*.agent", "a/x.agent", True),
        ("a/*.agent", "a/b/x.agent", False),
        ("a/**/x.agent", "a/x.agent", True),
        ("a/**/x.agent", "a/b/c/x.agent", True),
        ("a/**", "a/b/x.agent", True),
        ("a/**", "ab/x.agent", False),
        ("./a/x.agent", "a/x.agent", True),
        ("?.agent", "x.agent", True),
        ("?.agent", "xy.agent", False),
        ("[x].agent", "[x].agent", True),
        ("x.agent", "x!agent", False),
        ("../**", "../x.agent", True),
    ],
)
def test_patterns_are_of_paths_below_their_folder(pattern: str, path: str, is_match: bool) -> None:
    assert matches(pattern, path, Path.cwd()) is is_match
    assert matches(pattern, str(Path(path).absolute()), Path.cwd()) is is_match
