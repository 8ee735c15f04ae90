"""Finding and reading the manifest of a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentl.hosting.manifest import ManifestError, read_manifest

GOOD = '{"manifest_version": "touba-manifest-v1", "bindings": {}}'


def code(folder: Path) -> str:
    with pytest.raises(ManifestError) as caught:
        read_manifest(folder)
    (found,) = caught.value.diagnostics
    assert found.source is not None and found.source.name.startswith(str(folder))
    assert found.text("fr")
    return found.code


def test_a_folder_without_a_manifest_has_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None
    assert read_manifest(tmp_path / "missing") is None


@pytest.mark.parametrize("name", ["touba.manifest.json", "agentl.manifest.json"])
def test_a_manifest_is_found_under_both_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD)
    manifest = read_manifest(str(tmp_path))
    assert manifest is not None and manifest.path == str(tmp_path / name)


def test_two_manifests_are_refused(tmp_path: Path) -> None:
    (tmp_path / "touba.manifest.json").write_text(GOOD)
    (tmp_path / "agentl.manifest.json").write_text(GOOD)
    assert code(tmp_path) == "O300"


def test_a_link_inside_the_folder_is_followed_and_one_out_of_it_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (tmp_path / "outside.json").write_text(GOOD)
    (folder / "inside.json").write_text(GOOD)
    link = folder / "touba.manifest.json"
    link.symlink_to("inside.json")
    assert read_manifest(folder) is not None
    link.unlink()
    link.symlink_to(tmp_path / "outside.json")
    assert code(folder) == "O304"


def test_a_folder_that_is_itself_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "touba.manifest.json").write_text(GOOD)
    (tmp_path / "link").symlink_to("real")
    assert read_manifest(tmp_path / "link") is not None


def test_what_is_no_text_of_ours_has_a_code_each(tmp_path: Path) -> None:
    path = tmp_path / "touba.manifest.json"
    for data, expected in (
        (b"\xef\xbb\xbf" + GOOD.encode(), "O306"),
        (b'{"a": "\xff"}', "O305"),
        (GOOD.encode("utf-16"), "O305"),
        (GOOD.encode() + b" " * (2 << 20), "O303"),
        (b"", "O307"),
    ):
        path.write_bytes(data)
        assert code(tmp_path) == expected
    path.write_bytes(GOOD.encode().ljust(1 << 20))
    assert read_manifest(tmp_path) is not None


def test_what_is_no_file_is_refused_and_nothing_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "touba.manifest.json"
    path.mkdir()
    assert code(tmp_path) == "O302"
    path.rmdir()
    os.mkfifo(path)
    assert code(tmp_path) == "O302"
    path.unlink()
    path.symlink_to("nowhere")
    assert code(tmp_path) == "O301"
    path.unlink()
    path.symlink_to(path.name)
    assert code(tmp_path) == "O301"


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "touba.manifest.json"
    path.write_text(GOOD)
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything
        assert read_manifest(tmp_path) is not None
    else:
        assert code(tmp_path) == "O301"
