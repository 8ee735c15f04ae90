"""A server reached over HTTP: the entry of a config with a `url` (tooling.md §6)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit

from agentl.hosting.mcp.catalogue import CatalogueError, unusable
from agentl.hosting.mcp.environment import filled, has_variable, is_credential, secrets_of
from agentl.messages import Phrase, Text
from agentl.messages import mcp as messages
from agentl.messages import mcp_http as http_messages

Transport = Literal["http", "sse"]

# As the configs of other clients write them, without case, `-` and `_`.
_TRANSPORTS: Mapping[str, Transport] = {"http": "http", "streamablehttp": "http", "sse": "sse"}
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?")
# What the transport itself says; another word of it would be another protocol.
_RESERVED = re.compile(
    "accept|accept-encoding|connection|content-.*|host|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server listens. `headers` go along with every request, and never to another origin.

    `secrets`: texts the server was given and nobody else may see.
    """

    server: str
    url: str
    transport: Transport = "http"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def shown(self) -> str:
        """The address without its query, as people see it."""
        return self.url.partition("?")[0]

    @property
    def origin(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_loopback(self) -> bool:
        """Whether what is sent stays on this machine."""
        return _is_loopback(urlsplit(self.url).hostname or "")


def is_url(source: object) -> bool:
    """Whether a source of tools is an address and not a file."""
    return isinstance(source, str) and re.match(r"https?://", source, re.IGNORECASE) is not None


def host_of(url: str) -> str:
    """The host of an address, "" when it has none: what a server is called that was not given a name."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def endpoint_of(server: str, entry: Mapping[str, Any], *, allow_http: bool = False) -> Endpoint:
    """Read an entry; `${NAME}` in it is the environment variable.

    What a header takes from the environment is a secret, and so is a header whose name says so. `allow_http`, or the
    same word in the entry, lets plain http:// leave this machine. CatalogueError when it is no usable address.
    """

    def bad(name: str, expected: Text) -> CatalogueError:
        return unusable(server, Phrase(messages.BAD_ENTRY, field=name, expected=Phrase(expected)))

    url, headers, allowed = entry["url"], entry.get("headers") or {}, entry.get("allow_http", False)
    if not isinstance(url, str):
        raise bad("url", messages.EXPECTED_TEXT)
    if not isinstance(headers, Mapping) or not all(isinstance(value, str) for value in headers.values()):
        raise bad("headers", messages.EXPECTED_TEXTS_BY_NAME)
    if not isinstance(allowed, bool):
        raise bad("allow_http", http_messages.EXPECTED_TRUTH)
    given = {str(name): _header(server, str(name), value) for name, value in headers.items()}
    endpoint = Endpoint(
        server,
        _address(server, url),
        _transport(server, entry.get("type") or "http"),
        given,
        secrets_of(value for name, value in given.items() if is_credential(name) or has_variable(headers[name])),
    )
    if endpoint.url.startswith("http://") and not (endpoint.is_loopback or allowed or allow_http):
        raise CatalogueError.of(http_messages.PLAIN_HTTP, server=server, url=endpoint.shown)
    return endpoint


def _address(server: str, template: str) -> str:
    if has_variable(template.partition("?")[2]):
        raise unusable(server, Phrase(http_messages.SECRET_IN_URL))
    url = filled(server, template)
    if not _is_address(url):
        raise unusable(server, Phrase(http_messages.BAD_URL))
    parts = urlsplit(url)
    if parts.username is not None or parts.password is not None:
        raise unusable(server, Phrase(http_messages.SECRET_IN_URL))
    return parts._replace(scheme=parts.scheme.lower(), fragment="").geturl()


def _is_address(url: str) -> bool:
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _transport(server: str, given: Any) -> Transport:
    found = _TRANSPORTS.get(re.sub("[-_]", "", given).lower()) if isinstance(given, str) else None
    if found is None:
        expected = Phrase(http_messages.EXPECTED_TRANSPORT)
        raise unusable(server, Phrase(messages.BAD_ENTRY, field="type", expected=expected))
    return found


def _header(server: str, name: str, template: str) -> str:
    """The value of a header; no refusal shows it."""
    if not _HEADER_NAME.fullmatch(name) or _RESERVED.fullmatch(name):
        raise unusable(server, Phrase(http_messages.BAD_HEADER_NAME, name=name))
    value = filled(server, template)
    if not _HEADER_VALUE.fullmatch(value):
        raise unusable(server, Phrase(http_messages.BAD_HEADER_VALUE, name=name))
    return value


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
