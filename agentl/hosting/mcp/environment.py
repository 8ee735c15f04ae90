"""What an entry of a config takes from the environment, and which texts of it nobody else may see."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from agentl.hosting.mcp.catalogue import unusable
from agentl.messages import Phrase
from agentl.messages import mcp as messages

SHORTEST_SECRET = 8  # characters; anything shorter would be found, and hidden, in texts it has nothing to do with
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_CREDENTIAL = re.compile("auth|bearer|cookie|credential|key|passw|secret|session|signature|token", re.IGNORECASE)


def filled(server: str, text: str) -> str:
    """Return the text with every `${NAME}` replaced by the environment variable. HostError when one is not set."""
    return _VARIABLE.sub(lambda match: _variable(server, match[1]), text)


def has_variable(text: str) -> bool:
    """Whether the text takes something from the environment."""
    return _VARIABLE.search(text) is not None


def is_credential(name: str) -> bool:
    """Whether a header or a variable of this name is likely to hold a credential."""
    return _CREDENTIAL.search(name) is not None


def secrets_of(values: Iterable[str]) -> tuple[str, ...]:
    """The parts of credentials that are to be hidden wherever they turn up: `Bearer x` is hidden as `x`."""
    return tuple({word: None for value in values for word in value.split() if len(word) >= SHORTEST_SECRET})


def _variable(server: str, name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise unusable(server, Phrase(messages.UNSET_VARIABLE, name=name))
    return value
