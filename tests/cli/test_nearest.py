"""Case P-E7: a resume of the wrong folder starts nothing, creates nothing, and names the run that was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.cli.nearest import nearest_run
from tests.cli.folders import Place


def runs(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "wal.jsonl").write_text("")
    return folder


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("runs/payment", "payments"),
        ("runs/refund", "refunds"),
        ("run/payments", "payments"),
        ("runs/payments/program", "payments"),
        ("runs/payments/wal.jsonl", "payments"),
        ("runs/payments2", "payments"),
    ],
)
def test_the_nearest_is_the_run_around_or_the_neighbour_most_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, found: str
) -> None:
    monkeypatch.chdir(runs(tmp_path, "runs/payments", "runs/refunds"))
    near = nearest_run(asked)
    assert near is not None
    assert near.absolute() == tmp_path / "runs" / found


@pytest.mark.parametrize("asked", ["runs", ".", "runs/empty"])
def test_a_folder_above_and_an_empty_one_beside_lead_to_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.chdir(runs(tmp_path, "runs/payments"))
    (tmp_path / "runs" / "empty").mkdir()
    near = nearest_run(asked)
    assert near is not None
    assert near.absolute() == tmp_path / "runs" / "payments"


def test_without_any_run_within_reach_there_is_none(tmp_path: Path) -> None:
    assert nearest_run(str(tmp_path / "a" / "b")) is None


def test_case_e7_a_mistyped_folder_is_refused_naming_the_nearest_and_creating_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert place.run("--durable", "runs/payments").code == 0
    (tmp_path / "runs" / "empty").mkdir()
    before = sorted(map(str, tmp_path.rglob("*")))
    for wrong in ("runs/payment", "runs/empty", "runs", "run/payments", "runs/payments/program"):
        for language, said in (("en", "the nearest run is at"), ("fr", "l'exécution la plus proche est à")):
            ended = place.run("--resume", "--durable", wrong, "--lang", language)
            assert ended.code == 3, str(ended)
            assert f"{said} {tmp_path / 'runs/payments'}" in ended.err or f"{said} runs/payments" in ended.err, (
                ended.err
            )
    assert sorted(map(str, tmp_path.rglob("*"))) == before
    assert place.count() == 1


@pytest.mark.parametrize("subcommand", ["status", "verify", "export", "resume", "owner"])
def test_every_command_on_run_folders_names_the_nearest(tmp_path: Path, subcommand: str) -> None:
    place = Place(tmp_path)
    place.run("--durable", "runs/payments")
    ended = place.agentl("durable", subcommand, "runs/payment", "--lang", "fr")
    assert ended.code == 2
    assert "l'exécution la plus proche est à runs/payments" in ended.err
    assert not (tmp_path / "runs" / "payment").exists()
