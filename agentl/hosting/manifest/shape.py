"""The shape of a manifest V1: its fields, each checked; what is wrong is collected, never raised.

Strict on purpose: what is not known is told, `true` is not 1 and "5000" is not 5000 (operations-contract.md §7).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from agentl.hosting.manifest.grants import Grant, is_reserved, parse_grant, secret_variable
from agentl.hosting.manifest.model import (
    OWN_FILE,
    VERSION,
    Binding,
    EffectContract,
    EffectKind,
    Handler,
    HandlerKind,
    RetryMode,
)
from agentl.hosting.manifest.problems import Problem, below, nearest, quoted
from agentl.messages import Message, Phrase
from agentl.messages import manifest as messages
from agentl.values.border import MAX_INTEGER

MAX_TIMEOUT_MS = 86_400_000
MAX_PAYLOAD_BYTES = 67_108_864

_TOOL = re.compile(r"tool:(?P<agent>.+)/(?P<name>[^/]+)")
_Check = tuple[Callable[[Any], bool], Phrase]


def bindings_of(document: Any, problems: list[Problem], *, own: bool) -> Mapping[str, Binding]:
    """Return the bindings of a manifest by the whole tool name; what is wrong with it goes to `problems`.

    `own` says that the file may hold what V1 does not have.
    """
    found = _Shape(problems, own).bindings(document)
    return {} if problems else found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != "" and "\0" not in value


def _is_argument(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_function(value: Any) -> bool:
    if not isinstance(value, str) or value.count(":") != 1:
        return False
    return all(part.isidentifier() for half in value.split(":") for part in half.split("."))


def _number(most: int) -> _Check:
    # WHY `type`: for Python `true` is 1, and 1.0 equals it; a manifest means neither.
    return (
        lambda value: type(value) is int and 1 <= value <= most,
        Phrase(messages.A_NUMBER, least=1, most=most),
    )


def _one_of(choices: tuple[str, ...]) -> _Check:
    shown = ", ".join(f"`{choice}`" for choice in choices)
    return (lambda value: isinstance(value, str) and value in choices, Phrase(messages.ONE_OF, choices=shown))


_OBJECT: _Check = (lambda value: isinstance(value, dict), Phrase(messages.AN_OBJECT))
_LIST: _Check = (lambda value: isinstance(value, list), Phrase(messages.A_LIST))
_TEXT: _Check = (_is_text, Phrase(messages.A_TEXT))
_FUNCTION: _Check = (_is_function, Phrase(messages.MODULE_FUNCTION))

# The fields of each object: those it must have, those it may have.
_Fields = tuple[Mapping[str, _Check], Mapping[str, _Check]]
_MANIFEST: _Fields = ({"manifest_version": _one_of((VERSION,)), "bindings": _OBJECT}, {})
_BINDING: _Fields = (
    {
        "handler": _OBJECT,
        "timeout_ms": _number(MAX_TIMEOUT_MS),
        "max_payload_bytes": _number(MAX_PAYLOAD_BYTES),
        "effect_contract": _OBJECT,
    },
    {"grants": _LIST},
)
_KIND = {"kind": _one_of(get_args(HandlerKind))}
_HANDLERS: dict[str, _Fields] = {
    "process": ({**_KIND, "command": _TEXT}, {"args": _LIST, "cwd": _TEXT}),
    "python": ({**_KIND, "function": _FUNCTION}, {"cwd": _TEXT}),
}
_PLACES = {"process": messages.A_PROCESS, "python": messages.A_FUNCTION}
_RETRY = _one_of(get_args(RetryMode))
_EFFECT_KIND = {"kind": _one_of(get_args(EffectKind))}
_CONTRACT = (_EFFECT_KIND, {"retry_mode": _RETRY, "key_life_ms": _number(MAX_INTEGER)})
_WRITE_CONTRACT = ({**_EFFECT_KIND, "retry_mode": _RETRY}, {"key_life_ms": _number(MAX_INTEGER)})


class _Shape:
    """Walks a document and collects what is wrong with it."""

    def __init__(self, problems: list[Problem], own: bool) -> None:
        self._problems = problems
        self._own = own

    def bindings(self, document: Any) -> dict[str, Binding]:
        manifest = self._fields(document, "", Phrase(messages.THE_MANIFEST), _MANIFEST)
        found: dict[str, Binding] = {}
        names: dict[tuple[str, str], str] = {}
        for tool, value in manifest.get("bindings", {}).items():
            pointer = below("/bindings", tool)
            match = _TOOL.fullmatch(tool)
            if match is None or not tool.isprintable():
                self._tell(messages.TOOL_NAME, pointer, tool=quoted(tool))
            else:
                same = names.setdefault((match["agent"].casefold(), match["name"]), pointer)
                if same != pointer:
                    self._problems.append(Problem(messages.BOUND_TWICE, pointer, {"tool": quoted(tool)}, before=same))
            binding = self._binding(tool, match, value, pointer)
            if binding is not None:
                found[tool] = binding
        return found

    def _binding(self, tool: str, match: re.Match[str] | None, value: Any, pointer: str) -> Binding | None:
        before = len(self._problems)
        name = quoted(tool)
        fields = self._fields(value, pointer, Phrase(messages.A_BINDING, tool=name), _BINDING)
        handler = self._handler(name, fields["handler"], below(pointer, "handler")) if "handler" in fields else None
        grants = self._grants(fields.get("grants", []), below(pointer, "grants"))
        contract = (
            self._contract(name, fields["effect_contract"], below(pointer, "effect_contract"))
            if "effect_contract" in fields
            else None
        )
        if len(self._problems) > before or match is None or handler is None or contract is None:
            return None
        return Binding(
            tool,
            match["agent"],
            match["name"],
            handler,
            grants,
            fields["timeout_ms"],
            fields["max_payload_bytes"],
            contract,
        )

    def _handler(self, tool: str, value: Mapping[str, Any], pointer: str) -> Handler | None:
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in _HANDLERS:
            # Which fields it must have hangs on the kind: without it only the kind itself is told.
            alone = {"kind": kind} if "kind" in value else {}
            self._fields(alone, pointer, Phrase(messages.A_HANDLER, tool=tool), (_KIND, {}))
            return None
        fields = self._fields(value, pointer, Phrase(_PLACES[kind], tool=tool), _HANDLERS[kind])
        args = self._texts(fields.get("args", []), below(pointer, "args"), "args")
        cwd = fields.get("cwd", ".")
        if _leads_out(cwd):
            self._tell(messages.PATH_LEADS_OUT, below(pointer, "cwd"), at_value=True, field="cwd")
        elif "/" in fields.get("command", "") and _leads_out(fields["command"], cwd):
            self._tell(messages.PATH_LEADS_OUT, below(pointer, "command"), at_value=True, field="command")
        if kind == "process":
            return Handler("process", fields.get("command", ""), args, cwd)
        return Handler("python", cwd=cwd, function=fields.get("function", ""))

    def _contract(self, tool: str, value: Mapping[str, Any], pointer: str) -> EffectContract | None:
        shape = _WRITE_CONTRACT if value.get("kind") == "external_write" else _CONTRACT
        fields = self._fields(value, pointer, Phrase(messages.A_CONTRACT, tool=tool), shape)
        if "key_life_ms" in value and not self._own:
            self._tell(messages.KEY_LIFE_NOT_V1, below(pointer, "key_life_ms"), own=OWN_FILE)
        if "kind" not in fields:
            return None
        return EffectContract(fields["kind"], fields.get("retry_mode", "none"), fields.get("key_life_ms"))

    def _grants(self, items: list[Any], pointer: str) -> tuple[str, ...]:
        read: dict[str, tuple[Grant, str]] = {}
        for at, text in enumerate(items):
            place = below(pointer, at)
            grant = parse_grant(text) if isinstance(text, str) else None
            if not isinstance(text, str):
                expected = Phrase(messages.A_TEXT)
                self._tell(messages.WRONG_VALUE, place, at_value=True, field=f"grants[{at}]", expected=expected)
            elif grant is None:
                self._tell(messages.GRANT, place, at_value=True, grant=quoted(text))
            elif text in read:
                self._tell(messages.GRANT_TWICE, place, at_value=True, grant=quoted(text))
            else:
                read[text] = (grant, place)
        self._variables([grant for grant, _ in read.values()], [place for _, place in read.values()])
        return tuple(read)

    def _variables(self, grants: list[Grant], places: list[str]) -> None:
        """Judge what the grants say of environment variables, one beside the others."""
        names = {grant.value for grant in grants if grant.kind == "env"}
        for grant, place in zip(grants, places, strict=True):
            if grant.kind == "env" and is_reserved(grant.value):
                self._tell(messages.RESERVED_VARIABLE, place, at_value=True, name=grant.value)
            elif grant.variable and grant.variable not in names:
                self._tell(messages.UNGRANTED_VARIABLE, place, at_value=True, name=grant.variable)
            elif grant.kind == "secret" and secret_variable(grant.value) in names:
                name = secret_variable(grant.value)
                self._tell(messages.VARIABLE_OF_SECRET, place, at_value=True, name=name, handle=grant.value)

    def _texts(self, items: list[Any], pointer: str, field: str) -> tuple[str, ...]:
        for at, item in enumerate(items):
            if not _is_argument(item):
                expected = Phrase(messages.AN_ARGUMENT)
                place = below(pointer, at)
                self._tell(messages.WRONG_VALUE, place, at_value=True, field=f"{field}[{at}]", expected=expected)
        return tuple(items)

    def _fields(self, value: Any, pointer: str, place: Phrase, shape: _Fields) -> dict[str, Any]:
        """Return the fields that are as they must be; the others are told, and so is what is missing or not known."""
        if not isinstance(value, dict):
            self._tell(messages.WRONG_OBJECT, pointer, at_value=True, place=place)
            return {}
        required, optional = shape
        known = {**required, **optional}
        good: dict[str, Any] = {}
        meant = set()
        for key, item in value.items():
            inner = below(pointer, key)
            if key not in known:
                near = nearest(key, [name for name in known if name not in value])
                meant.add(near)
                shown = ", ".join(f"`{name}`" for name in known)
                arguments = {"field": quoted(key), "place": place, "fields": shown}
                self._problems.append(Problem(messages.UNKNOWN_FIELD, inner, arguments, meant=near))
            elif not known[key][0](item):
                self._wrong(key, inner, known[key][1])
            else:
                good[key] = item
        for key, (_, expected) in required.items():
            # A field that is there under a wrong name is told once.
            if key not in value and key not in meant:
                self._tell(messages.MISSING_FIELD, pointer, place=place, field=key, expected=expected)
        return good

    def _wrong(self, key: str, pointer: str, expected: Phrase) -> None:
        if key == "manifest_version":
            self._tell(messages.WRONG_VERSION, pointer, at_value=True, expected=VERSION)
        else:
            self._tell(messages.WRONG_VALUE, pointer, at_value=True, field=key, expected=expected)

    def _tell(self, message: Message, pointer: str, *, at_value: bool = False, **arguments: object) -> None:
        self._problems.append(Problem(message, pointer, arguments, at_value))


def _leads_out(path: str, start: str = ".") -> bool:
    """Whether a relative path leaves the folder, as far as its text says; links are judged when it is opened."""
    joined = posixpath.normpath(posixpath.join(start, path))
    return posixpath.isabs(path) or joined == ".." or joined.startswith("../")
