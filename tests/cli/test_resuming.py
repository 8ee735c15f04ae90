"""`agentl durable resume`: a run by its folder alone, and all of them, none of which stops another."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.folders import Place
from tests.durable.processes import KILLED


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An idempotent payment whose process was killed in `runs/b`."""
    made = Place(tmp_path, options="idempotent=True")
    made.once("pay")
    assert made.run("--durable", "runs/b", "--input", "limit=5", "--ticks", "2").code == KILLED
    return made


def test_a_run_is_resumed_by_its_folder_alone_and_from_anywhere(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    os.environ.pop("PYTHONPATH", None)
    from tests.durable.processes import agentl

    root = str(Path(__file__).parents[2])
    ended = agentl("durable", "resume", tmp_path / "runs" / "b", "--lang", "fr", cwd=elsewhere, PYTHONPATH=root)
    assert ended.code == 0, str(ended)
    assert place.count() == 2 and len(set(place.keys())) == 1
    assert "relancée avec la même clé d'idempotence" in ended.err


def test_a_finished_run_is_derived_again_and_does_nothing(place: Place) -> None:
    for _ in range(2):
        assert place.agentl("durable", "resume", "runs/b").code == 0
    assert len(set(place.keys())) == 1
    assert place.count() == 2


def test_a_run_whose_folder_does_not_say_where_its_program_is(place: Place) -> None:
    (place.folder / "runs" / "b" / "meta.json").unlink()
    ended = place.agentl("durable", "resume", "runs/b", "--lang", "fr")
    assert ended.code == 2
    assert "agentl run FILE --durable runs/b" in ended.err


def in_another_process(*arguments: str | Path) -> str:
    """A script that runs `agentl` to its end while the call it stands in is still under way."""
    command = [sys.executable, "-m", "agentl", *map(str, arguments)]
    return f"import subprocess\ndone = subprocess.run({command!r}, capture_output=True)"


def bad_runs(place: Place) -> None:
    """Around the good run in `runs/b`: one damaged, one without meta, one whose host is gone, one of a dead host."""
    for name in ("a-damaged", "a-meta", "c-hostless", "c-dying"):
        shutil.copytree(place.folder / "runs" / "b", place.folder / "runs" / name)
    log = place.folder / "runs" / "a-damaged" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"account.frozen", b"account.fr0zen"))
    (place.folder / "runs" / "a-meta" / "meta.json").unlink()
    for name, host in (("c-hostless", "gone.py"), ("c-dying", "dying.py")):
        meta = place.folder / "runs" / name / "meta.json"
        data = json.loads(meta.read_text(encoding="utf-8"))
        meta.write_text(json.dumps({**data, "host_path": str(place.folder / host)}), encoding="utf-8")
    place.write("dying.py", "import os\nos.kill(os.getpid(), 9)\n")


def test_one_bad_run_stops_no_other_and_the_worst_code_wins(place: Place) -> None:
    bad_runs(place)
    ended = place.agentl("durable", "resume", "--all", "runs", "--lang", "fr")
    assert "completed" in place.agentl("durable", "status", "runs/b").out, str(ended)
    assert ended.code == 70, str(ended)
    for name, said in (
        ("a-damaged", "code de sortie 3"),
        ("a-meta", "code de sortie 2"),
        ("c-hostless", "code de sortie 2"),
        ("c-dying", "code de sortie -9"),
    ):
        assert f"! runs/{name} : {said}" in ended.err, str(ended)
    assert len(set(place.keys())) == 1


def test_a_finished_run_is_skipped_and_said(place: Place) -> None:
    place.agentl("durable", "resume", "runs/b")
    calls = place.count()
    ended = place.agentl("durable", "resume", "--all", "runs", "--lang", "fr")
    assert (ended.code, ended.err) == (0, "- runs/b : terminée\n")
    assert place.count() == calls


def test_case_d6_a_run_that_was_finished_meanwhile_is_skipped_after_a_fresh_look(place: Place) -> None:
    """The list is made first; the second run is finished by somebody else while the first is being resumed."""
    shutil.copytree(place.folder / "runs" / "b", place.folder / "runs" / "c")
    place.once("note", in_another_process("run", place.folder / "desk.agent", "--durable", place.folder / "runs" / "c"))
    ended = place.agentl("durable", "resume", "--all", "runs")
    assert ended.code == 0, str(ended)
    assert "- runs/c: completed" in ended.err
    assert len(set(place.keys())) == 1


def test_a_run_that_is_driven_elsewhere_is_4_and_left_alone(place: Place) -> None:
    script = in_another_process("durable", "resume", "--all", place.folder / "runs")
    place.once("note", f"{script}\nPath({str(place.folder / 'seen')!r}).write_text(str(done.returncode))")
    assert place.run("--durable", "runs/b").code == 0
    assert (place.folder / "seen").read_text() == "4"
    assert place.count() == 2


def test_a_folder_without_runs_is_2(place: Place) -> None:
    (place.folder / "empty").mkdir()
    assert place.agentl("durable", "resume", "--all", "empty").code == 2
