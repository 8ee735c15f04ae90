"""The seal of a journal: keys, signatures, and what altering anything does to them (host-api.md §11)."""

from __future__ import annotations

import builtins
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import agentl.seal
from agentl.journal.plain import Journal
from agentl.journal.seal import KEY_VARIABLE, SigningKey
from agentl.seal import (
    SealError,
    generate_ed25519,
    load_signing_key,
    load_verify_key,
    sign,
    verify_signature,
)

META = {"agent": "DESK", "ticks": None, "trace_sha256": "ab", "source": "dépôt.agent"}


@pytest.fixture(autouse=True)
def _no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


@pytest.fixture(params=["secret", "file", "ed25519"])
def keys(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[SigningKey, SigningKey]:
    """The key to sign with and the key to verify with."""
    if request.param == "ed25519":
        private, public = generate_ed25519(tmp_path / "keys")
        signing, verifying = load_signing_key(private), load_verify_key(public)
    else:
        (tmp_path / "shared").write_bytes(b"\x00 a secret of bytes \xff")
        spec = "correct horse battery" if request.param == "secret" else tmp_path / "shared"
        signing, verifying = load_signing_key(spec), load_verify_key(spec)
    assert signing is not None and verifying is not None
    return signing, verifying


def test_what_was_signed_holds_whatever_the_order_of_its_names(keys: tuple[SigningKey, SigningKey]) -> None:
    signing, verifying = keys
    signed = {"signature": sign(META, signing), **dict(reversed(META.items()))}
    report = verify_signature(signed, verifying)
    assert (report.ok, report.reason, report.alg) == (True, "valid", signing.alg)
    assert report.key_id == signing.key_id == verifying.key_id and len(report.key_id) == 16
    assert sign(signed, signing) == signed["signature"]


@pytest.mark.parametrize(
    "change", [{"ticks": 0}, {"more": 1}, {"agent": "DESK "}, {"source": "de\u0301po\u0302t.agent"}]
)
def test_any_change_of_the_meta_breaks_it(keys: tuple[SigningKey, SigningKey], change: dict[str, Any]) -> None:
    signed = {**META, "signature": sign(META, keys[0]), **change}
    assert verify_signature(signed, keys[1]).reason == "invalid"


def test_each_other_verdict(keys: tuple[SigningKey, SigningKey], tmp_path: Path) -> None:
    signing, verifying = keys
    good = sign(META, signing)

    def reason(signature: Any, key: SigningKey | None = verifying) -> str:
        report = verify_signature({**META, "signature": signature}, key)
        assert not report.ok
        return report.reason

    assert verify_signature(META, verifying).reason == "unsigned"
    for odd in ("x", [], {}, {**good, "value": 5}, {**good, "alg": None}):
        assert reason(odd) == "malformed"
    assert reason(good, None) == "no-key"
    assert reason({**good, "alg": "none"}) == "algorithm"
    assert reason({**good, "key_id": "0" * 16}) == "key"
    for value in ("", "zz", "é", good["value"][:-2], "0" * len(good["value"])):
        assert reason({**good, "value": value}) == "invalid"
    assert reason(good, load_verify_key("another secret")) in ("key", "algorithm")


def test_a_public_key_of_ed25519_is_never_taken_for_a_secret(tmp_path: Path) -> None:
    """The confusion of algorithms: an HMAC under the public key, which everybody has."""
    public = load_verify_key(generate_ed25519(tmp_path)[1])
    assert public is not None
    forged = sign(META, SigningKey("HMAC-SHA256", (tmp_path / "journal.pub").read_bytes(), public.key_id))
    assert verify_signature({**META, "signature": forged}, public).reason == "algorithm"
    with pytest.raises(SealError, match="D602"):
        sign(META, public)
    with pytest.raises(SealError, match="D601"):
        load_signing_key(tmp_path / "journal.pub")


def test_a_secret_is_shown_nowhere_and_its_id_is_no_plain_hash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "hunter2")
    key = load_signing_key()
    assert key is not None and "hunter2" not in repr(key) and "hunter2" not in str(sign(META, key))
    monkeypatch.setenv(KEY_VARIABLE, "looks/like=a path")
    with pytest.raises(SealError) as caught:
        load_signing_key()
    assert "looks" not in str(caught.value) and KEY_VARIABLE in str(caught.value)
    given = load_signing_key("spec wins")
    assert given is not None and given.key_id != key.key_id
    monkeypatch.setenv(KEY_VARIABLE, "")
    assert load_signing_key() is None and load_verify_key() is None


@pytest.mark.parametrize("name", ["a.key", "b.pem", "c.pub", "d.secret", "folder/e", ""])
def test_a_path_without_a_usable_file_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SealError, match="D600"):
        load_signing_key(name or tmp_path)


@pytest.mark.parametrize(
    "data",
    [b"", b" \n", b"x" * ((1 << 20) + 1), b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    ids=["empty", "blank", "large", "broken"],
)
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "k.key").write_bytes(data)
    for load in (load_signing_key, load_verify_key):
        with pytest.raises(SealError, match="D601"):
            load(tmp_path / "k.key")


@pytest.mark.parametrize("text", ["x" * 5000, "nul \0 inside", "\udcff"], ids=["long", "nul", "bytes"])
def test_a_text_that_cannot_be_a_file_is_a_secret(text: str) -> None:
    key = load_signing_key(text)
    assert key is not None and key.alg == "HMAC-SHA256"


def test_a_pair_is_written_once_and_its_private_key_is_private(tmp_path: Path) -> None:
    private, public = generate_ed25519(tmp_path / "a" / "b", "desk")
    assert (private.name, public.name) == ("desk.key", "desk.pub")
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    before = private.read_bytes()
    with pytest.raises(SealError, match="D605"):
        generate_ed25519(tmp_path / "a" / "b", "desk")
    assert private.read_bytes() == before
    (tmp_path / "file").touch()
    with pytest.raises(SealError, match="D605"):
        generate_ed25519(tmp_path / "file" / "below")


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private, _ = generate_ed25519(tmp_path)
    found = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SealError, match="D603"):
        load_signing_key(private)
    assert load_signing_key("a secret") is not None


@pytest.mark.parametrize("meta", [{"x": float("nan")}, {"x": object()}, {"x": b""}], ids=["nan", "object", "bytes"])
def test_what_is_no_json_cannot_be_sealed(meta: dict[str, Any]) -> None:
    key = load_signing_key("a secret")
    assert key is not None
    with pytest.raises(SealError, match="D604"):
        sign(meta, key)


def recorded() -> Journal:
    journal = Journal()
    journal.record("read", "a.b", value=1)
    journal.record("invoke", "pay", args={"x": 1}, value={"receipt": "R"})
    return journal


def test_a_sealed_journal_comes_back_from_its_file_as_it_was(keys: tuple[SigningKey, SigningKey]) -> None:
    journal = recorded()
    journal.seal("[1] TICK", key=keys[0], agent="DESK")
    loaded = Journal.loads(journal.dumps())
    assert (journal.signed, loaded.signed) == (True, True)
    assert loaded.verify_seal(keys[1]).ok
    assert loaded.verify_seal(None).reason == "no-key"
    loaded.record("read", "a.b", value=2)
    assert loaded.verify_seal(keys[1]).reason == "entries"
    loaded.seal("[1] TICK")
    assert not loaded.signed and loaded.verify_seal(keys[1]).reason == "unsigned"


def test_entries_edited_after_signing_are_said_to_be(keys: tuple[SigningKey, SigningKey]) -> None:
    journal = recorded()
    journal.seal("[1] TICK", key=keys[0])
    edited = Journal.loads(journal.dumps().replace('"R"', '"Q"'), strict=False)
    assert edited.verify_seal(keys[1]).reason == "entries"
    renamed = Journal.loads(journal.dumps().replace('"meta": {', '"meta": {"agent": "OTHER",'), strict=False)
    assert renamed.verify_seal(keys[1]).reason == "invalid"


def test_the_module_has_the_names_of_the_reference() -> None:
    assert set(agentl.seal.__all__) == {
        *("load_signing_key", "load_verify_key", "generate_ed25519", "sign", "verify_signature", "SignatureReport"),
        *("chain_hashes", "chain_step", "chain_head", "verify_chain", "ChainReport", "canonical", "SigningKey"),
        "SealError",
    }
    assert all(hasattr(agentl.seal, name) for name in agentl.seal.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        agentl.seal.no_such_name  # noqa: B018
    assert replace(SigningKey("a", b"b", "c"), key_id="d").key_id == "d"
