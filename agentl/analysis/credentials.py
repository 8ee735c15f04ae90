"""What looks like a credential: by its form, by its name, or because nobody writes such a text by hand."""

from __future__ import annotations

import re

# Forms that issuers give their credentials, with what they are.
_FORMS = (
    ("private-key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    ("jwt", re.compile(r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*")),
    ("aws", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("github", re.compile(r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})")),
    ("gitlab", re.compile(r"\bglpat-[\w-]{16,}")),
    ("slack", re.compile(r"\bxox[abprs]-[\w-]{10,}")),
    ("google", re.compile(r"\bAIza[\w-]{30,}")),
    ("stripe", re.compile(r"\b[sr]k_(?:live|test)_\w{10,}")),
    ("api-key", re.compile(r"\bsk-[\w-]{20,}")),
    ("agentl", re.compile(r"\bagt_\w+_[\w-]{43}")),
    ("bearer", re.compile(r"\b[Bb]earer [\w.~+/-]{16,}")),
    ("address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@")),
)
_NAMES = re.compile(r"passw(?:or)?d|passphrase|secret|credential|api_?key|access_?key|private_?key|auth_?token|bearer")
_RANDOM = re.compile(r"[A-Za-z0-9+/_=-]{32,}")
_SHORTEST = 8


def credential_form(text: str) -> str | None:
    """Return what a text has the form of, a key of `messages.sequential.FORMS`; None for nothing known."""
    return next((kind for kind, form in _FORMS if form.search(text)), None)


def names_credential(name: str, text: str) -> bool:
    """True when a text is given under a name that speaks of a credential, and could be one: one long word."""
    return len(text) >= _SHORTEST and not any(map(str.isspace, text)) and _NAMES.search(name.lower()) is not None


def is_random(text: str) -> bool:
    """True for one long word of capitals, small letters and digits mixed; digests and identifiers have one case."""
    if not _RANDOM.fullmatch(text):
        return False
    return all(re.search(kind, text) for kind in ("[A-Z]", "[a-z]", "[0-9]"))
