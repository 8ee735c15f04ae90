"""Which rules are asked: every kind of selector, and one order of precedence for rules of agents and of programs."""

from __future__ import annotations

import itertools

import pytest

from agentl.analysis.profile import Profile
from agentl.analysis.registry import all_rules, rules_of
from agentl.linting.checking import Input, Options, check_all
from agentl.linting.selection import Layer, SelectorError, group_of, ignored, is_error, select, selected
from agentl.linting.settings import Given
from agentl.messages.catalogue import catalogue
from tests.linting.programs import ERROR, SILENT, SOCIETY

CODES = {message.code for rule in all_rules() for message in rule.messages}


@pytest.mark.parametrize(
    ("selector", "codes"),
    [
        ("W131", {"W131"}),
        ("silent-sensor", {"W131"}),
        ("W13", {code for code in CODES if code.startswith("W13")}),
        ("society", {m.code for rule in all_rules() if group_of(rule) == "society" for m in rule.messages}),
    ],
)
def test_a_selector_is_a_code_a_name_a_prefix_or_a_group(selector: str, codes: set[str]) -> None:
    assert selected(selector) == codes


def test_every_rule_is_in_the_group_of_its_folder_and_the_wider_ones_hold_whole_folders() -> None:
    for rule in all_rules():
        assert {message.code for message in rule.messages} <= selected(group_of(rule))
    for wider, folder in (("structure", "names"), ("llm", "models"), ("scenario", "scenarios"), ("provenance", "flow")):
        assert selected(folder) <= selected(wider)


@pytest.mark.parametrize("selector", ["", "W9", "X", "w131", "polcy", "W1311", "E9"])
def test_what_selects_nothing_is_told_with_its_code(selector: str) -> None:
    with pytest.raises(SelectorError) as caught:
        selected(selector)
    assert caught.value.code == "C100"


def test_a_near_name_is_proposed() -> None:
    with pytest.raises(SelectorError, match="polcy") as caught:
        selected("polcy")
    assert "`policy`" in caught.value.diagnostics[0].help()


@pytest.mark.parametrize("selector", ["E001", "E", "undeclared-tool", "calls"])
def test_an_error_is_never_ignored(selector: str) -> None:
    with pytest.raises(SelectorError, match="E0") as caught:
        ignored(selector)
    assert caught.value.code == "C101"


def test_of_a_group_with_errors_only_the_warnings_are_ignored() -> None:
    assert ignored("society") == {code for code in selected("society") if code.startswith("W")} >= {"W111", "W112"}


@pytest.mark.parametrize("profile", ["compat", "reference", "strict"])
def test_errors_are_in_every_selection_and_the_profile_is_where_it_begins(profile: str) -> None:
    usual = {message.code for rule in rules_of(profile) for message in rule.messages}  # type: ignore[arg-type]
    everything = select(profile, [])  # type: ignore[arg-type]
    assert everything & CODES == usual
    alone = select(profile, [Layer(select=("W102",))])  # type: ignore[arg-type]
    assert alone == {"W102"} | {code for code in usual if is_error(code)}


def test_a_rule_of_the_strict_profile_can_be_asked_by_name() -> None:
    assert "W223" not in select("reference", [])
    assert "W223" in select("reference", [Layer(extend_select=("W223",))])


CONFIGURED = (None, "ignore", "select")


@pytest.mark.parametrize(("code", "program"), [("W131", SILENT), ("W111", SOCIETY)])
@pytest.mark.parametrize(
    ("in_file", "by_command"), list(itertools.product(CONFIGURED, repeat=2)), ids=lambda each: str(each)
)
def test_a_later_layer_wins_for_rules_of_agents_and_of_programs_alike(
    code: str, program: str, in_file: str | None, by_command: str | None
) -> None:
    def layer(kind: str | None) -> Layer:
        return Layer((code,) if kind == "select" else None, (), (code,) if kind == "ignore" else ())

    last = by_command or in_file
    assert (code in select("reference", [layer(in_file), layer(by_command)])) is (last != "ignore")
    given = Given(select=(code,)) if last != "ignore" else Given(ignore=(code,))
    found = {
        finding.diagnostic.code for finding in check_all([Input("x.agent", program.encode())], Options(given)).findings
    }
    assert (code in found) is (last != "ignore")


def test_an_error_is_told_whatever_is_selected() -> None:
    report = check_all([Input("x.agent", ERROR.encode())], Options(Given(select=("W102",), ignore=("structure",))))
    assert [finding.diagnostic.code for finding in report.findings] == ["E001"]
    assert report.exit_code == 1
    assert report.counts.checks == len([code for code in CODES if code.startswith("E")]) + 1


@pytest.mark.parametrize("profile", ["reference", "strict", "compat"])
def test_every_warning_of_the_catalogue_can_be_chosen_and_those_of_reading_are_asked(profile: Profile) -> None:
    """A warning that belongs to no rule was once in no selection, and so was never told."""
    codes = {code for code in catalogue() if code.startswith("W")}
    rules = {message.code for rule in all_rules() for message in rule.messages}
    assert {code for code in codes if selected(code) == {code}} == codes
    assert codes - rules <= select(profile, [])
