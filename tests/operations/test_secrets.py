"""Secrets: private files or variables, found again as they stand, and replaced."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.operations.handler_errors import SecretUnavailable
from agentl.operations.secrets import (
    DirectorySecrets,
    EnvironmentSecrets,
    KnownSecrets,
    SecretsSettingError,
    provider_of,
)
from agentl.operations.stderr_files import KEPT_S, StderrFiles, printable


def private(file: Path, text: str | bytes) -> Path:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    ("text", "value"), [("v", "v"), ("v\n", "v"), ("v\r\n", "v"), ("a\nb\n", "a\nb"), (" v ", " v ")]
)
def test_a_secret_is_the_text_of_its_file(tmp_path: Path, text: str, value: str) -> None:
    private(tmp_path / "key", text)
    assert DirectorySecrets(tmp_path).value("key") == value


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o601])
def test_a_file_that_others_may_open_is_refused(tmp_path: Path, mode: int) -> None:
    private(tmp_path / "key", "value").chmod(mode)
    with pytest.raises(SecretUnavailable, match="0600"):
        DirectorySecrets(tmp_path).value("key")


def test_links_and_what_is_no_file_are_refused(tmp_path: Path) -> None:
    private(tmp_path / "real", "value")
    (tmp_path / "soft").symlink_to(tmp_path / "real")
    (tmp_path / "folder").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("soft", "folder", "pipe"):
        with pytest.raises(SecretUnavailable):
            DirectorySecrets(tmp_path).value(name)
    assert DirectorySecrets(tmp_path).value("real") == "value"
    (tmp_path / "hard").hardlink_to(tmp_path / "real")
    with pytest.raises(SecretUnavailable):
        DirectorySecrets(tmp_path).value("hard")


@pytest.mark.parametrize("handle", ["missing", "../key", "KEY", "a b", "", "a" * 65, "k/y", "key\n"])
def test_what_is_no_handle_or_not_there_is_unavailable(tmp_path: Path, handle: str) -> None:
    (tmp_path / "inner").mkdir()
    private(tmp_path / "key", "value")
    for provider in (DirectorySecrets(tmp_path / "inner"), EnvironmentSecrets("P_", {"P_KEY": "v"})):
        with pytest.raises(SecretUnavailable):
            provider.value(handle)


@pytest.mark.parametrize("data", [b"", b"\n", b"a\0b", b"\xff\xfe", b"x" * (64 * 1024 + 2)])
def test_what_no_variable_can_hold_is_unavailable(tmp_path: Path, data: bytes) -> None:
    private(tmp_path / "key", data)
    with pytest.raises(SecretUnavailable):
        DirectorySecrets(tmp_path).value("key")


def test_a_folder_that_is_not_there_has_no_secrets(tmp_path: Path) -> None:
    with pytest.raises(SecretUnavailable):
        DirectorySecrets(tmp_path / "nowhere").value("key")


def test_secrets_of_the_environment_have_a_prefix() -> None:
    assert EnvironmentSecrets("PAY_", {"PAY_API_KEY": "v"}).value("api_key") == "v"


def test_a_setting_names_one_of_the_two(tmp_path: Path) -> None:
    private(tmp_path / "key", "value")
    assert provider_of(f"dir:{tmp_path}").value("key") == "value"
    assert isinstance(provider_of("env:PAY_"), EnvironmentSecrets)
    for wrong in ("", "dir:", "env:", "env:A B", "vault:x", "/path"):
        with pytest.raises(SecretsSettingError):
            provider_of(wrong)


def test_known_secrets_are_found_in_texts_and_keys_at_any_depth() -> None:
    known = KnownSecrets()
    known.remember("short", "1234567")
    known.remember("key", "12345678")
    deep: object = "x12345678y"
    for _ in range(50_000):
        deep = [deep]
    assert known.found_in(deep) == "key"
    assert known.found_in({"a": {"<12345678>": 1}}) == "key"
    assert known.found_in({"a": ["1234567", 12345678, None, True]}) is None


def test_redaction_takes_the_longest_and_keeps_nothing_of_it() -> None:
    known = KnownSecrets()
    known.remember("part", "abcdefgh")
    known.remember("whole", "abcdefghij")
    assert known.redact("<abcdefghij abcdefgh>") == "<[secret whole] [secret part]>"
    assert repr(known) == "<2 known secrets>"


def test_an_old_value_of_a_handle_stays_known() -> None:
    known = KnownSecrets()
    known.remember("key", "first-value")
    known.remember("key", "second-value")
    assert known.redact("first-value second-value") == "[secret key] [secret key]"


def test_a_value_that_was_cut_at_the_beginning_is_replaced_too() -> None:
    known = KnownSecrets()
    known.remember("key", "0123456789abcdef")
    assert known.redact("89abcdef rest", is_cut=True) == "[secret key] rest"
    assert known.redact("89abcdef rest") == "89abcdef rest"
    assert known.redact("nothing", is_cut=True) == "nothing"


@given(st.lists(st.text("abc", min_size=8, max_size=12), min_size=1, max_size=4), st.text("abc-", max_size=60))
def test_after_redaction_no_known_value_is_left(values: list[str], text: str) -> None:
    known = KnownSecrets()
    for value in values:
        known.remember("k", value)
    shown = known.redact(text)
    assert known.found_in(shown.replace("[secret k]", "|")) is None


def test_stderr_is_kept_for_seven_days_private_and_without_secrets(tmp_path: Path) -> None:
    known = KnownSecrets()
    known.remember("key", "hidden\nvalue")
    files = StderrFiles(tmp_path / "stderr", known)
    files.keep("run:1:../..", b"\x1b[2Jsaid hidden\nvalue\r\n\xff")
    assert files.read("run:1:../..") == "\\x1b[2Jsaid [secret key]\\x0d\n�"
    (file,) = (tmp_path / "stderr").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    written = file.stat().st_mtime
    files.sweep(written + KEPT_S - 1)
    assert file.exists()
    files.sweep(written + KEPT_S + 1)
    assert not file.exists() and files.read("run:1:../..") is None


def test_of_a_silent_handler_nothing_is_kept(tmp_path: Path) -> None:
    StderrFiles(tmp_path / "stderr", KnownSecrets()).keep("c", b"")
    assert not (tmp_path / "stderr").exists()


@given(st.text())
def test_what_is_printable_steers_nothing(text: str) -> None:
    steering = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not [char for char in printable(text) if char not in "\n\t" and unicodedata.category(char) in steering]
