"""`agentl durable`: looking at runs in both languages and as data; the codes tell whether somebody must act."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.folders import Place
from tests.durable.processes import KILLED, Ended, agentl


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def doubtful(place: Place) -> Place:
    """A run that ended with its payment in doubt."""
    place.once("pay")
    assert place.durable("--run-id", "rent").code == KILLED
    assert place.durable().code == 75
    return place


def masked(text: str) -> str:
    """The text without what differs from run to run: hashes, keys, process numbers, machine names, times, sizes."""
    for pattern, name in (
        (r"\b[0-9a-f]{64}\b", "HASH"),
        (r"\b[0-9a-f]{32}\b", "KEY"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
        (r'("pid": |process |processus )\d+', r"\1PID"),
        (r"(on|sur) \S+ (since|depuis)", r"\1 HOST \2"),
        (r'"host": "[^"]*"', '"host": "HOST"'),
    ):
        text = re.sub(pattern, name, text)
    return text


def look(place: Place, *arguments: str, language: str = "en") -> Ended:
    """Look, and hold that the folder and the outside stay as they were."""
    before, calls = place.fingerprint(), place.count()
    ended = place.agentl("durable", *arguments, "--lang", language)
    assert place.fingerprint() == before
    assert place.count() == calls
    return ended


@pytest.mark.parametrize("language", ["en", "fr"])
def test_status_of_a_run_that_ended_in_doubt(doubtful: Place, language: str, snapshot: SnapshotAssertion) -> None:
    ended = look(doubtful, "status", "run", language=language)
    assert ended.code == 75
    assert masked(ended.out) == snapshot


@pytest.mark.parametrize("language", ["en", "fr"])
def test_status_of_an_interrupted_run(place: Place, language: str, snapshot: SnapshotAssertion) -> None:
    place.once("pay")
    place.durable("--run-id", "rent")
    ended = look(place, "status", "run", language=language)
    assert ended.code == 0
    assert masked(ended.out) == snapshot


def test_status_as_data_is_the_same_in_every_language(doubtful: Place, snapshot: SnapshotAssertion) -> None:
    english = look(doubtful, "status", "run", "--format", "json")
    french = look(doubtful, "status", "run", "--format", "json", language="fr")
    assert english == french
    assert masked(english.out) == snapshot
    data = json.loads(english.out)
    # Case P-G10: no yes or no where the answer may be "not known".
    assert data["in_doubt"][0]["tool"] == "pay"
    assert not any(isinstance(value, bool) for value in data.values())


def test_a_torn_end_is_shown_and_left_where_it_is(place: Place) -> None:
    place.once("note")
    place.durable()
    log = place.folder / "run" / "wal.jsonl"
    log.write_bytes(log.read_bytes() + b'{"seq":')
    for subcommand in ("status", "verify"):
        ended = look(place, subcommand, "run", language="fr")
        assert ended.code == 0
        assert "fin déchirée : 7 octets sur lesquels rien ne repose" in ended.out
    resumed = place.durable("--lang", "fr")
    assert "une fin déchirée du journal (7 octets) a été mise de côté sous wal.torn-1" in resumed.err
    assert (place.folder / "run" / "wal.torn-1").read_bytes() == b'{"seq":'


def test_a_run_that_never_began_says_so_and_starts_cleanly(place: Place) -> None:
    """Case P-A2: killed between the folder and the first entry."""
    (place.folder / "run").mkdir()
    (place.folder / "run" / "owner.lock").write_text("")
    ended = place.agentl("durable", "status", "run", "--lang", "fr")
    assert ended.code == 3
    assert "n'a jamais commencé : rien n'a été fait" in ended.err
    assert place.durable().code == 0
    assert place.count() == 1


@pytest.mark.parametrize("subcommand", ["status", "verify", "export", "resume", "owner"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_damage_is_3_and_named_and_nothing_changes(doubtful: Place, subcommand: str, language: str) -> None:
    log = doubtful.folder / "run" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"account.frozen", b"account.fr0zen"))
    ended = look(doubtful, subcommand, "run", language=language)
    assert ended.code == 3, str(ended)
    wanted = "damaged at crossing #2" if language == "en" else "altéré au franchissement #2"
    assert wanted in ended.err


def test_verify_says_that_the_chain_is_intact(doubtful: Place) -> None:
    english = look(doubtful, "verify", "run")
    french = look(doubtful, "verify", "run", language="fr")
    assert (english.code, french.code) == (0, 0)
    assert re.fullmatch(r"run: chain intact, \d+ entries, head [0-9a-f]{64}\n", english.out)
    assert re.fullmatch(r"run : chaîne intacte, \d+ entrées, tête [0-9a-f]{64}\n", french.out)
    assert json.loads(look(doubtful, "verify", "run", "--format", "json").out)["error"] is None


def test_list_names_every_run_and_a_damaged_one_makes_it_3(doubtful: Place, snapshot: SnapshotAssertion) -> None:
    doubtful.run("--durable", "more/second", "--run-id", "second")
    shown = doubtful.agentl("durable", "list", ".", "--lang", "fr")
    assert (shown.code, shown.out) == (0, snapshot)
    data = json.loads(doubtful.agentl("durable", "list", ".", "--format", "json").out)
    assert [run["run_id"] for run in data["runs"]] == ["second", "rent"]
    log = doubtful.folder / "more" / "second" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"account.frozen", b"account.fr0zen"))
    damaged = doubtful.agentl("durable", "list", ".", "--lang", "fr")
    assert damaged.code == 3
    assert "rent" in damaged.out and "altérée" in damaged.out


def test_a_log_that_is_a_link_is_storage_in_every_command(doubtful: Place) -> None:
    log = doubtful.folder / "run" / "wal.jsonl"
    log.rename(doubtful.folder / "elsewhere.jsonl")
    log.symlink_to(doubtful.folder / "elsewhere.jsonl")
    for arguments in (["status", "run"], ["list", "."], ["resume", "run"], ["resume", "--all", "."]):
        assert doubtful.agentl("durable", *arguments).code == 5, arguments


def test_list_of_a_folder_without_runs_is_2(place: Place) -> None:
    assert place.agentl("durable", "list", ".").code == 2
    assert place.agentl("durable", "list", "nowhere").code == 2


# --- export


def test_export_of_a_run_in_doubt_works_and_replays_as_the_same_doubt(doubtful: Place) -> None:
    ended = look(doubtful, "export", "run", "-o", "j.json", language="fr")
    assert ended.code == 0
    assert re.fullmatch(r"exporté : j\.json \(\d+ entrées, dont \d+ annotations\)\n", ended.out)
    replayed = doubtful.agentl("replay", "j.json")
    assert replayed.code == 0, str(replayed)
    assert "ERROR ActionInDoubt" in replayed.out
    assert doubtful.count() == 1


def test_the_exported_chain_is_the_chain_of_the_run(doubtful: Place) -> None:
    look(doubtful, "export", "run", "-o", "j.json")
    journal = json.loads((doubtful.folder / "j.json").read_text(encoding="utf-8"))
    assert [entry["h"] for entry in journal["entries"]] == [entry["h"] for entry in doubtful.entries()]
    assert journal["meta"]["chain_sha256"] == journal["entries"][-1]["h"]
    assert journal["meta"]["run_id"] == "rent"


def test_export_of_a_run_that_has_not_ended_is_1_in_french_too(place: Place) -> None:
    place.once("pay")
    place.durable("--run-id", "rent")
    ended = look(place, "export", "run", "-o", "j.json", language="fr")
    assert ended.code == 1
    assert "l'exécution rent n'est pas terminée : rien à exporter" in ended.err
    assert not (place.folder / "j.json").exists()


def test_export_to_where_nothing_can_be_written_is_2(doubtful: Place) -> None:
    assert look(doubtful, "export", "run", "-o", "no/such/j.json").code == 2


# --- owner


def test_owner_says_who_and_whether_at_work(place: Place) -> None:
    owner = [sys.executable, "-m", "agentl", "durable", "owner", "run"]
    script = f"import subprocess\nsubprocess.run({owner!r}, check=True)"
    place.once("pay", script)
    working = place.durable("--quiet")
    assert working.code == 0, str(working)
    assert "at work now" in working.out
    idle = look(place, "owner", "run", language="fr")
    assert re.fullmatch(r"propriétaire : processus \d+ sur \S+ depuis \d{4}-\S+Z\n", idle.out)


def test_a_second_process_is_refused_with_4_and_told_who(place: Place) -> None:
    """Case P-D5, once; the race of two hundred rounds is a test of its own."""
    script = (
        "import subprocess, sys; done = subprocess.run([sys.executable, '-m', 'agentl', 'run', 'desk.agent', "
        "'--durable', 'run', '--lang', 'fr'], capture_output=True, text=True); "
        "Path('second').write_text(f'{done.returncode}\\n{done.stderr}')"
    )
    place.once("pay", script)
    assert place.durable().code == 0
    code, said = (place.folder / "second").read_text(encoding="utf-8").split("\n", 1)
    assert code == "4"
    assert re.search(r"l'exécution appartient au processus \d+ sur \S+ depuis \d{4}-", said)
    assert place.count() == 1


def test_an_owner_on_another_machine_is_refused_until_it_is_taken_over(place: Place) -> None:
    place.once("pay")
    assert place.durable().code == KILLED
    elsewhere: dict[str, Any] = {"host": "elsewhere", "boot_id": "another"}
    rewritten(place, elsewhere)
    refused = place.durable("--lang", "fr")
    assert refused.code == 4
    assert "d'une autre machine, elsewhere" in refused.err
    assert "--take-over 1" in refused.err
    assert place.agentl("durable", "owner", "run", "--take-over", "7").code == 4
    assert place.agentl("durable", "owner", "run", "--take-over", "1").code == 0
    assert place.durable().code == 75
    assert place.count() == 1


def rewritten(place: Place, fields: dict[str, Any]) -> None:
    """As if the last owner had been another machine: its entry, its note, and a chain that verifies."""
    from agentl.journal.chain import body_of, chain_hashes, line_of

    entries: list[Any] = place.entries()
    for entry in entries:
        if entry["kind"] == "owner":
            entry["args"]["$dict"] = [[name, fields.get(name, value)] for name, value in entry["args"]["$dict"]]
    lines = [line_of(body_of(entry), h) for entry, h in zip(entries, chain_hashes(entries), strict=True)]
    (place.folder / "run" / "wal.jsonl").write_bytes(b"".join(lines))
    (place.folder / "run" / "head.json").unlink()
    lock = place.folder / "run" / "owner.lock"
    note = json.loads(lock.read_text(encoding="utf-8"))
    lock.write_text(json.dumps({**note, **fields}), encoding="utf-8")


def test_help_of_every_subcommand_in_both_languages() -> None:
    for subcommand in ("status", "list", "verify", "export", "resume", "owner"):
        for language in ("en", "fr"):
            assert agentl("durable", subcommand, "--help", "--lang", language).code == 0
