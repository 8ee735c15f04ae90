"""Which rules are asked: selectors by code, prefix, name or group, and the one order in which layers of them count.

A layer is the configuration or the command line; a later one wins over all before it. Within one, `select` puts its
rules in the place of those before, `extend_select` adds, `ignore` takes away. Errors are in every selection.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from agentl.analysis.profile import Profile
from agentl.analysis.registry import all_rules, rules_of
from agentl.analysis.rule import Rule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import AgentLError, Diagnostic
from agentl.messages import Message, modules, suppressing, syntax
from agentl.messages import linting as messages

# The wider groups of tooling.md §10; every folder of rules is a group by its own name.
_WIDER = {
    "structure": ("calls", "declarations", "expressions", "names", "parallel"),
    "llm": ("models",),
    "scenario": ("scenarios",),
    "provenance": ("flow", "knowledge"),
}

# Warnings that no rule gives: a text that is read, and what it imports, may be odd already.
_FROM_READING = (*syntax.WARNINGS, *modules.WARNINGS)


class SelectorError(AgentLError):
    """A selector that selects nothing, or would leave an error out."""


class Layer(NamedTuple):
    """Selectors given in one place; `select` is None when it was not given there."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def is_error(code: str) -> bool:
    """Is this a code that nothing ignores, lowers, suppresses or keeps in a baseline? All but warnings are."""
    return not code.startswith("W") and code not in _audits()


def select(profile: Profile, layers: Iterable[Layer]) -> frozenset[str]:
    """Return the codes that are asked. SelectorError."""
    usual = frozenset(_codes(rules_of(profile)))
    chosen = usual | _of_no_rule()
    for layer in layers:
        if layer.select is not None:
            chosen = _all_of(layer.select)
        chosen = (chosen | _all_of(layer.extend_select)) - frozenset().union(*map(ignored, layer.ignore))
    return chosen | {code for code in usual if is_error(code)}


def selected(selector: str) -> frozenset[str]:
    """Return the codes that a selector stands for. SelectorError when there are none."""
    known = _known()
    if selector in known:
        return known[selector]
    found = frozenset(code for code in _all_codes() if selector and code.startswith(selector))
    if not found:
        hint, arguments = Spelling(known).did_you_mean(selector) or (None, {})
        groups = ", ".join(sorted(group for group in _groups()))
        raise SelectorError(
            Diagnostic(
                messages.UNKNOWN_SELECTOR,
                {"selector": selector, "groups": groups},
                hint=hint,
                hint_arguments=arguments,
            )
        )
    return found


def ignored(selector: str) -> frozenset[str]:
    """Return the codes that a selector may leave out: its warnings. SelectorError when all it stands for are errors."""
    found = selected(selector)
    warnings = frozenset(code for code in found if not is_error(code))
    if not warnings:
        raise SelectorError.of(messages.NEVER_IGNORED, selector=selector, codes=", ".join(sorted(found)))
    return warnings


def asked_rules(profile: Profile, codes: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules that can report one of these codes.

    Rules that the profile does not ask are loaded only when one of the codes is theirs.
    """
    usual = rules_of(profile)
    rules = usual if codes <= {*_codes(usual), *_of_no_rule()} else all_rules()
    return tuple(rule for rule in rules if any(message.code in codes for message in rule.messages))


@cache
def codes_by_word() -> dict[str, str]:
    """Return the code for each code and each name of what a check can say."""
    return {word: message.code for message in _all_messages() for word in (message.code, message.name)}


@cache
def _known() -> dict[str, frozenset[str]]:
    """Groups, codes and names with what they stand for."""
    by_code = {message.code: frozenset({message.code}) for message in _all_messages()}
    by_name = {message.name: frozenset({message.code}) for message in _all_messages()}
    return {**by_name, **by_code, **_groups()}


@cache
def _groups() -> dict[str, frozenset[str]]:
    folders: dict[str, set[str]] = {}
    for rule in all_rules():
        folders.setdefault(group_of(rule), set()).update(_codes([rule]))
    wider = {name: set().union(*(folders.get(part, set()) for part in parts)) for name, parts in _WIDER.items()}
    return {name: frozenset(codes) for name, codes in {**wider, **folders}.items()}


def group_of(rule: Rule) -> str:
    """Return the folder that a rule stands in."""
    return rule.check.__module__.split(".")[-2]


def _all_of(selectors: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(selected, selectors))


def _codes(rules: Iterable[Rule]) -> list[str]:
    return [message.code for rule in rules for message in rule.messages]


@cache
def _all_codes() -> frozenset[str]:
    return frozenset(message.code for message in _all_messages())


@cache
def _all_messages() -> tuple[Message, ...]:
    of_rules = (message for rule in all_rules() for message in rule.messages)
    return (*of_rules, *_FROM_READING, suppressing.MALFORMED, *suppressing.WARNINGS)


@cache
def _of_no_rule() -> frozenset[str]:
    """The codes of warnings that no rule gives."""
    return _audits() | {message.code for message in _FROM_READING}


@cache
def _audits() -> frozenset[str]:
    """What is said as a warning about suppressions themselves."""
    return frozenset(message.code for message in suppressing.WARNINGS)
