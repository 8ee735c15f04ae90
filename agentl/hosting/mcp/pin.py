"""The pin: what a program says it was imported from, and what has changed since (tooling.md §6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import Catalogue, quoted
from agentl.messages import Phrase, Text
from agentl.messages import mcp as messages

MOST_NAMED = 10  # tools of one kind of change that are told by name
_SHA256 = "sha256:([0-9a-f]{64})"


@dataclass(frozen=True, slots=True)
class Pin:
    """The digest of a catalogue decides; those of its tools by name, when they are known, say what changed."""

    digest: str
    tools: Mapping[str, str] = field(default_factory=dict)


def pin_of(catalogue: Catalogue) -> Pin:
    """The pin of a catalogue as it is now."""
    return Pin(catalogue.digest, {quoted(tool.name): tool.digest for tool in catalogue.tools})


def pin_lines(catalogue: Catalogue) -> Iterator[str]:
    """The lines of a program that pin a catalogue, to be kept as they are."""
    server = quoted(catalogue.server)
    yield f"# catalogue {server} sha256:{catalogue.digest}"
    for name, digest in pin_of(catalogue).tools.items():
        yield f"# tool {server} {name} sha256:{digest}"


def pinned_in(text: str, server: str) -> Pin | None:
    """Return what a program pins for a server; None when it pins nothing. The first line of a thing counts."""
    name = re.escape(quoted(server))
    match = re.search(rf"^# catalogue {name} {_SHA256}\s*$", text, re.MULTILINE)
    if match is None:
        return None
    tools: dict[str, str] = {}
    for tool, digest in re.findall(rf"^# tool {name} (\".*\") {_SHA256}\s*$", text, re.MULTILINE):
        tools.setdefault(tool, digest)
    return Pin(match[1], tools)


def pin_from(pinned: str | Path, server: str) -> Pin:
    """Return the pin a host was given: the program that holds it, or the digest of the catalogue itself.

    HostError when the program pins nothing for this server; OSError when it cannot be read.
    """
    if isinstance(pinned, str) and re.fullmatch("[0-9a-f]{64}", pinned):
        return Pin(pinned)
    pin = pinned_in(Path(pinned).read_text(encoding="utf-8"), server)
    if pin is None:
        raise HostError.of(messages.NOT_PINNED, path=str(pinned), server=server)
    return pin


def changes(pin: Pin, found: Catalogue) -> tuple[Phrase, ...]:
    """Say which tools differ from the pinned ones. To be asked when the digests differ."""
    now = pin_of(found).tools
    if not pin.tools:
        return (Phrase(messages.CHANGES_UNKNOWN),)
    both = now.keys() & pin.tools.keys()
    kinds = (
        (messages.TOOLS_CHANGED, {name for name in both if now[name] != pin.tools[name]}),
        (messages.TOOLS_GONE, pin.tools.keys() - now.keys()),
        (messages.TOOLS_NEW, now.keys() - pin.tools.keys()),
    )
    return tuple(_named(text, sorted(names)) for text, names in kinds if names) or (Phrase(messages.CHANGES_UNKNOWN),)


def _named(text: Text, names: list[str]) -> Phrase:
    shown = ", ".join(names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return Phrase(text, names=f"{shown} (+{more})" if more > 0 else shown)
