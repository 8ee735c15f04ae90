"""Reads one configuration file: its keys (tooling.md §13), each checked, every fault told with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from agentl.analysis.profile import Profile
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import AgentLError, Diagnostic, Severity, Source, Span
from agentl.linting.selection import SelectorError, ignored, selected
from agentl.linting.settings import FIELD_OF, Configuration, Given, SeverityOrOff
from agentl.linting.toml_lines import line_of
from agentl.messages import Message, Phrase, Text
from agentl.messages import linting as messages

PYPROJECT = "pyproject.toml"


class ConfigurationError(AgentLError):
    """A configuration file that cannot be read, or says something that it cannot."""


class _WrongValue(Exception):
    """What was expected in the place of a value."""

    def __init__(self, text: Text, **arguments: object) -> None:
        self.expected = Phrase(text, **arguments)


def read_configuration(data: bytes, path: str) -> Configuration | None:
    """Return what a file gives; None for a pyproject.toml without a table `tool.agentl`. ConfigurationError."""
    try:
        source = Source(data.decode("utf-8"), path)
    except UnicodeDecodeError:
        detail = Phrase(messages.NOT_UTF_8)
        raise ConfigurationError.of(messages.NOT_TOML, source=Source("", path), detail=detail) from None
    try:
        document = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _no_toml(error, source) from None
    where: tuple[str, ...] = ()
    table: Any = document
    if path.endswith(PYPROJECT):
        where = ("tool", "agentl")
        tools = document.get("tool")
        if not isinstance(tools, dict) or "agentl" not in tools:
            return None
        table = tools["agentl"]
    return _Reading(source, where).configuration(table)


def _no_toml(error: Exception, source: Source) -> ConfigurationError:
    detail = str(error) or type(error).__name__
    found = re.search(r" ?\(at line (\d+), column \d+\)", detail)
    span = None if found is None else _line(source, int(found[1]))
    text = detail if found is None else detail[: found.start()]
    return ConfigurationError.of(messages.NOT_TOML, source=source, span=span, detail=text)


def _line(source: Source, number: int) -> Span:
    start = source.lines(number, number).start
    return Span(start, start + len(source.line(number)))


class _Reading:
    """Collects the values of a table, and what is wrong with it."""

    def __init__(self, source: Source, where: tuple[str, ...]) -> None:
        self._source = source
        self._where = where
        self._wrong: list[Diagnostic] = []

    def configuration(self, table: Any) -> Configuration:
        given: dict[str, Any] = {}
        lines: dict[str, int] = {}
        if not isinstance(table, dict):
            self._report((), messages.WRONG_TYPE, key=".".join(self._where), expected=Phrase(messages.A_TABLE))
            table = {}
        for key, value in table.items():
            if key not in _READERS:
                hint = Spelling(_READERS).did_you_mean(key)
                self._report((key,), messages.UNKNOWN_KEY, hint, key=key, keys=", ".join(sorted(_READERS)))
                continue
            field = FIELD_OF[key]
            lines[field] = self._line_number((key,))
            if isinstance(value, dict) and key in _OF_ENTRIES:
                read = {name: self._read(_OF_ENTRIES[key], each, (key, name)) for name, each in value.items()}
                given[field] = self._by_code(read) if key == "severity" else read
            else:
                given[field] = self._read(_READERS[key], value, (key,))
        if self._wrong:
            raise ConfigurationError(*self._wrong)
        return Configuration(self._source.name, Given(**given), lines)

    def _read(self, reader: Callable[[Any], Any], value: Any, place: tuple[str, ...]) -> Any:
        key = ".".join(place)
        try:
            return reader(value)
        except _WrongValue as error:
            self._report(place, messages.WRONG_TYPE, key=key, expected=error.expected)
        except SelectorError as error:
            self._wrong += (self._at(place, diagnostic) for diagnostic in error.diagnostics)
        return None

    def _by_code(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return severities by code; a name stands for its code."""
        read = {}
        for selector, severity in given.items():
            place = ("severity", selector)
            codes = self._read(ignored, selector, place)
            if codes is not None and len(codes) != 1:
                expected = Phrase(messages.A_CODE)
                self._report(place, messages.WRONG_TYPE, key=".".join(place), expected=expected)
            elif codes is not None:
                read[next(iter(codes))] = severity
        return read

    def _report(
        self,
        place: tuple[str, ...],
        message: Message,
        hint: tuple[Text, Mapping[str, object]] | None = None,
        **arguments: object,
    ) -> None:
        text, of_hint = hint or (None, {})
        self._wrong.append(self._at(place, Diagnostic(message, arguments, hint=text, hint_arguments=of_hint)))

    def _at(self, place: tuple[str, ...], diagnostic: Diagnostic) -> Diagnostic:
        span = _line(self._source, self._line_number(place))
        return replace(diagnostic, source=self._source, span=span)

    def _line_number(self, place: tuple[str, ...]) -> int:
        return line_of(self._source.text, (*self._where, *place))


def _one_of(*choices: str) -> Callable[[Any], Any]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise _WrongValue(messages.ONE_OF, choices=", ".join(choices))
        return value

    return read


def _selectors(check: Callable[[str], object]) -> Callable[[Any], Any]:
    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise _WrongValue(messages.A_LIST_OF_TEXTS)
        wrong: list[Diagnostic] = []
        for each in value:
            try:
                check(each)
            except SelectorError as error:
                wrong += error.diagnostics
        if wrong:
            raise SelectorError(*wrong)
        return tuple(value)

    return read


def _natural(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _WrongValue(messages.A_NATURAL_NUMBER)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongValue(messages.A_TEXT)
    return value


def _table(value: Any) -> Any:
    """A table is read entry by entry; what comes here is none."""
    raise _WrongValue(messages.A_TABLE)


def _inputs(value: Any) -> tuple[str, ...]:
    """`[inputs.references]` says where the value of each reference is; only a run asks for that."""
    if not isinstance(value, dict) or value.keys() != {"references"}:
        raise _WrongValue(messages.A_TABLE_OF_REFERENCES)
    references = value["references"]
    if not isinstance(references, dict) or not all(isinstance(each, str) for each in references.values()):
        raise _WrongValue(messages.A_TABLE_OF_REFERENCES)
    return tuple(references)


_READERS: dict[str, Callable[[Any], Any]] = {
    "profile": _one_of(*get_args(Profile)),
    "select": _selectors(selected),
    "extend-select": _selectors(selected),
    "ignore": _selectors(ignored),
    "severity": _table,
    "per-file": _table,
    "fail-on": _one_of(*get_args(Severity)),
    "max-warnings": _natural,
    "baseline": _text,
    "inputs": _inputs,
}
_OF_ENTRIES: dict[str, Callable[[Any], Any]] = {
    "severity": _one_of(*get_args(SeverityOrOff)),
    "per-file": _selectors(ignored),
}
