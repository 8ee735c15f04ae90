"""Handles in, values only at the call, nothing written or shown (decision 26)."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.hosting import Host, handle_violation, known_values, redact, redact_value, secret_digest, secret_digests
from agentl.hosting.secrets import REMEMBERED, SecretValues, handle_name, resolve
from agentl.values import Labelled, Symbol

KEY = bytes(range(32))
MARKER = 'hunter2/"é"'


def bank(value: str | bytes = MARKER) -> Host:
    host = Host()
    host.tool("pay", secret={"token"})(print)
    host.secret("bank")(lambda: value)
    return host


def test_a_handle_is_text_or_symbol_with_the_prefix() -> None:
    assert handle_name("secret:bank") == handle_name(Symbol("secret:bank")) == "bank"
    for other in ("bank", "Secret:bank", "", 5, None, "secret:"):
        assert handle_name(other) == ""


def test_a_value_in_a_secret_parameter_is_noticed_before_it_is_written_down() -> None:
    host = bank()
    assert handle_violation(host, "pay", {"token": "secret:bank", "to": "x"}) == ""
    assert handle_violation(host, "pay", {"to": "x"}) == ""
    assert handle_violation(host, "other", {"token": MARKER}) == ""
    said = handle_violation(host, "pay", {"token": MARKER})
    assert said.startswith("parameter `token` is secret") and MARKER not in said
    assert "no one supplies the secret `visa`" in handle_violation(host, "pay", {"token": "secret:visa"})


def test_only_secret_parameters_are_filled_and_the_given_dict_stays() -> None:
    host, args = bank(), {"token": "secret:bank", "to": "secret:bank"}
    assert resolve(host, "pay", args) == {"token": MARKER, "to": "secret:bank"}
    assert args["token"] == "secret:bank"
    assert known_values(host) == (MARKER,) and known_values(object()) == ()


def test_the_digest_is_keyed_and_tells_values_apart() -> None:
    digests = secret_digests(bank(), "pay", {"token": "secret:bank", "to": "x"}, KEY)
    assert digests == {"token": secret_digest(KEY, MARKER)} and len(digests["token"]) == 64
    assert secret_digests(bank(), "pay", {"token": "secret:visa"}, KEY) == {}
    assert secret_digest(KEY, "a") != secret_digest(KEY, "b") != secret_digest(bytes(32), "b")
    assert secret_digest(KEY, "a") == secret_digest(KEY, b"a")
    with pytest.raises(ValueError, match="32 bytes"):
        secret_digest(b"short", "a")


@pytest.mark.parametrize(
    "leak",
    [
        MARKER,
        repr(MARKER),
        json.dumps({"t": MARKER}),
        json.dumps({"t": MARKER}, ensure_ascii=False),
        f"https://bank/?t={quote(MARKER)}&u={quote(MARKER, safe='')}",
        base64.b64encode(MARKER.encode()).decode(),
        base64.urlsafe_b64encode(MARKER.encode()).decode().rstrip("="),
        str(MARKER.encode()),
        MARKER.encode().hex(),
    ],
)
def test_a_value_is_replaced_in_every_common_writing(leak: str) -> None:
    hidden = redact(f"bank said: {leak}!", [MARKER])
    assert "hunter2" not in hidden and leak not in hidden and "[secret]" in hidden
    assert hidden.startswith("bank said: ")


def test_longer_values_go_first_and_nothing_else_changes() -> None:
    assert redact("tok-1 and tok-12", ["tok-1", "tok-12"]) == "[secret] and [secret]"
    assert redact("nothing here", [MARKER]) == "nothing here"
    assert redact("text", []) == "text" == redact("text", [""])


texts = st.text(st.characters(codec="utf-8", exclude_characters="[secret]"), max_size=8)


@given(texts.filter(bool), texts, texts)
def test_no_text_keeps_the_value(value: str, before: str, after: str) -> None:
    assert value not in redact(before + value + after, [value])


def test_results_are_cleaned_at_every_depth() -> None:
    dirty = {"a": [f"x{MARKER}", (Symbol(MARKER), 5)], "b": Labelled(MARKER, frozenset({"EXTERNAL"})), "c": b"no"}
    dirty |= {"d": MARKER.encode(), "e": None, "f": {MARKER}}
    clean = redact_value(dirty, [MARKER])
    assert "hunter2" not in repr(clean)
    assert clean["a"][1][1] == 5 and clean["c"] == b"no" and clean["b"].sources == {"EXTERNAL"}
    assert redact_value(dirty, []) is dirty


def test_values_kept_in_mind_are_bounded_and_not_shown() -> None:
    values = SecretValues()
    for number in range(REMEMBERED + 10):
        values.remember(f"v{number}")
    assert len(list(values)) == REMEMBERED and "v9" not in list(values) and "v10" in list(values)
    assert repr(values) == f"<{REMEMBERED} secret values>"
