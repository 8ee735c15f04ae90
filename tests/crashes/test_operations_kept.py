"""Operations in real processes, `idempotency_key`: the gaps of the contract (§3) in which more than a kill happens.

A request that never was, a handler that is changed under way or takes too long, a full disk, a cancel, an end that
nobody heard of, a database that was put back or set back.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.cli.running import env
from tests.crashes.test_operations import KEY, PATIENT, ROOT, Machine, machine

pytestmark = pytest.mark.soak


def completed(made: Machine, launches: int) -> None:
    """It is resumed to its end; the effect took place once, by so many launches."""
    done = made("resume", *made.seen())
    assert done.code == 0, done.err
    assert made.look()["state"] == "completed"
    assert (made.effects, made.served.lines("launches").count("transfer")) == (1, launches)


def database(made: Machine) -> Path:
    return made.served.root / "state" / "operations.sqlite3"


def test_g1_what_was_never_admitted_is_sent_again(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    words = made.served.start_words(*made.state, "--message-id", "m-1")
    made.killed("W1 inside", *words)
    assert made("list", "--format", "json").json["operations"] == []
    done = made(*words[1:])
    assert done.code == 0, done.err
    assert made.effects == 1


def test_g11_an_end_that_nobody_heard_of_stands(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    words = made.served.start_words(*made.state, "--message-id", "m-1")
    made.killed("W5 after", *words)
    assert made.look()["state"] == "completed"
    again = made(*words[1:])
    assert again.code == 0, again.err
    assert again.out.splitlines()[0] == made.operation_id
    assert made("resume", *made.seen()).code == 3
    assert made.effects == 1


@pytest.mark.parametrize(("gap", "at"), [("G12", "W3x transfer inside"), ("G13", "W3x transfer after")])
def test_a_check_right_before_the_launch_refuses_and_the_process_is_killed(tmp_path: Path, gap: str, at: str) -> None:
    """The files of the handler are changed between the reservation of one call and the launch of the next."""
    made = machine(tmp_path, KEY)
    handler = made.served.folder / "handler.sh"

    def change() -> None:
        made.served.wait_for("quote")
        handler.write_text(PATIENT + "\n# changed\n", encoding="utf-8")
        made.served.hold("quote", now=False)

    made.served.hold("quote")
    changing = threading.Thread(target=change)
    changing.start()
    made.killed(at, *made.served.start_words(*made.state))
    changing.join()
    shown = made.look()
    assert (shown["state"], shown["refusal"]["code"]) == ("interrupted", "ArtifactChanged")
    assert made("resume", *made.seen()).code == 3
    assert made.served.lines("launches").count("transfer") == 0
    handler.write_text(PATIENT, encoding="utf-8")
    assert made.look()["effects"]["unknown"] == (
        1 if gap == "G12" else 0
    )  # on the safe side: G12 cannot be told from G6
    completed(made, launches=1)


def test_g14_a_handler_that_takes_too_long_is_killed_and_so_is_who_waits_for_it(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    manifest = made.served.folder / "touba.manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("20000", "1500"), encoding="utf-8")
    made.served.hold("transfer")
    made.killed("W4u transfer inside", *made.served.start_words(*made.state))
    made.served.hold("transfer", now=False)
    assert made.look()["effects"]["unknown"] == 1
    completed(made, launches=2)


@pytest.mark.parametrize("at", ["W6+W5 inside", "W6+W5 after"])
def test_g18_a_cancel_holds_once_it_is_written(tmp_path: Path, at: str) -> None:
    made = machine(tmp_path, KEY)
    made.killed("hold", *made.served.start_words(*made.state))
    made.killed(at, "operation", "cancel", made.operation_id, *made.state)
    shown = made.look()
    assert shown["state"] == ("cancelled" if at == "W6+W5 after" else "interrupted")
    assert shown["effects"]["unknown"] == 1
    if at == "W6+W5 after":
        assert made("resume", *made.seen()).code == 3
        assert made.effects == 1
    else:
        completed(made, launches=2)


@pytest.mark.parametrize("write", ["W3 transfer", "W4 transfer", "W5"])
def test_g23_a_disk_without_room_for_a_write_ends_the_process_and_nothing_else(tmp_path: Path, write: str) -> None:
    made = machine(tmp_path, KEY)
    made.ends_full(write, *made.served.start_words(*made.state))
    assert made.look()["state"] == "interrupted"
    completed(made, launches=2 if write == "W4 transfer" else 1)


def test_g25_an_older_copy_of_the_database_is_damage_until_a_person_accepts_it(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    made.killed("W2 after", *made.served.start_words(*made.state))
    made.find()
    with sqlite3.connect(database(made)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(database(made), tmp_path / "copy")
    made.killed("hold", "operation", "resume", *made.seen(), *made.state)
    for name in ("operations.sqlite3-wal", "operations.sqlite3-shm"):
        (made.served.root / "state" / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy", database(made))
    shown = made.look()
    assert (shown["refusal"]["code"], shown["actions"]) == ("CheckpointDamaged", [])
    assert made("resume", *made.seen()).code == 3
    assert made.served.lines("launches").count("transfer") == 1
    accepted = made("accept-restore", "--folder", str(made.served.folder))
    assert accepted.code == 0, accepted.err
    completed(made, launches=2)


def test_g26_a_checkpoint_set_back_by_the_receipt_of_its_own_call_is_repaired(tmp_path: Path) -> None:
    made = machine(tmp_path, KEY)
    made.served.hold("transfer")
    words = made.served.start_words(*made.state)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crashes.operating", "W4 transfer after", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=env(**made.served.environment),
    )
    made.served.wait_for("transfer")
    with sqlite3.connect(database(made)) as connection:
        row = connection.execute("SELECT checkpoint, digest, entries, head_seq, head_h FROM operations").fetchone()
    made.served.hold("transfer", now=False)
    process.communicate(timeout=60)
    time.sleep(0.05)
    with sqlite3.connect(database(made)) as connection:
        statement = "UPDATE operations SET checkpoint = ?, digest = ?, entries = ?, head_seq = ?, head_h = ?"
        connection.execute(statement, row)
    assert made.look()["refusal"] is None
    completed(made, launches=1)
