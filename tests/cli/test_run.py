"""`agentl run`: its options, its refusals with their codes, and what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.folders import PROGRAM, Place
from tests.durable.processes import agentl


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# --- the plain run


def test_a_run_prints_its_trace_and_a_summary_and_says_that_it_keeps_no_journal(place: Place) -> None:
    ended = place.run()
    assert ended.code == 0, str(ended)
    assert ended.out.splitlines()[0] == "[1] TICK"
    assert ended.out.splitlines()[-1].startswith("completed · ticks: 1 · tool calls: 2 · blocked: 0 · failures: 0")
    assert "keeps no journal" in ended.err
    assert (place.count("pay"), place.count("note")) == (1, 1)


def test_the_french_summary_and_notice_and_the_english_trace(place: Place) -> None:
    ended = place.run("--lang", "fr")
    assert "cette exécution ne tient pas de journal" in ended.err
    assert ended.out.splitlines()[-1].startswith(
        "terminée · ticks : 1 · appels d'outils : 2 · bloqués : 0 · échecs : 0"
    )
    assert ended.out.splitlines()[:-1] == place.run("--lang", "en").out.splitlines()[:-1]


def test_quiet_prints_the_summary_only(place: Place) -> None:
    ended = place.run("--quiet")
    assert len(ended.out.splitlines()) == 1
    assert place.count() == 1


@pytest.mark.parametrize(("ticks", "done"), [("0", 0), ("1", 1), ("2", 1)])
def test_ticks_bounds_the_run_and_zero_is_a_bound(place: Place, ticks: str, done: int) -> None:
    ended = place.run("--ticks", ticks)
    assert ended.code == 0, str(ended)
    assert place.count() == done


def test_the_host_beside_the_program_or_another_one(place: Place) -> None:
    (place.folder / "desk.py").rename(place.folder / "other_host.py")
    missing = place.run()
    assert missing.code == 2
    assert "H" in re.findall(r"error (\w)\d{3}", missing.err)
    assert place.run("--host", "other_host.py").code == 0
    assert place.count() == 1


def test_every_waits_between_ticks_and_not_after_the_last(place: Place) -> None:
    import time

    place.write("desk.agent", PROGRAM.replace("EFFECT { claim.state = paid }", ""))
    start = time.monotonic()
    ended = place.run("--every", "150ms", "--ticks", "3")
    assert 0.3 <= time.monotonic() - start < 3
    assert ended.code == 0


# --- options that are refused


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--durable", "d", "--record", "r"], ("--durable", "--record")),
        (["--durable", "d", "--resume", "--new"], ("--resume", "--new")),
        (["--durable", "d", "--dry-run"], ("--dry-run", "--durable")),
        (["--record", "r", "--dry-run"], ("--dry-run", "--record")),
        (["--resume"], ("--resume", "--durable")),
        (["--new"], ("--new", "--durable")),
        (["--run-id", "x"], ("--run-id", "--durable")),
        (["--ticks", "-1"], ("--ticks",)),
        (["--every", "soon"], ("--every", "soon")),
        (["--tool-timeout", "5"], ("--tool-timeout",)),
        (["--tool-timeout", "0s"], ("--tool-timeout", "0s")),
        (["--approval-life", "-1m"], ("--approval-life",)),
        (["--input", "=1"], ("--input", "=1")),
        (["--input", "novalue"], ("--input", "novalue")),
        (["--input", "1x=2"], ("--input", "1x=2")),
        (["--input", "a=1", "--input", "a=2"], ("a",)),
        (["--inputs", "missing.json"], ("missing.json",)),
        (["--inputs", "list.json"], ("list.json",)),
        (["--inputs", "twice.json"], ("twice.json", "twice")),
        (["--inputs", "nan.json"], ("nan.json", "NaN")),
        (["--inputs", "name.json"], ("name.json",)),
        (["--inputs", "bytes.json"], ("bytes.json", "UTF-8")),
        (["--inputs", "surrogate.json"], ("a",)),
        (["--input", "b=1", "--inputs", "good.json", "--input", "a=1"], ("a",)),
        (["--record", "no/such/folder/r.json"], ("no/such/folder/r.json",)),
        (["--record", "."], (".",)),
        (["--events", "no/such/folder/e.jsonl"], ("no/such/folder/e.jsonl",)),
        (["--host", "no_host.py"], ("no_host.py",)),
        (["--unheard-of"], ("--unheard-of",)),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_slip_in_the_command_is_refused_with_2_before_anything_happens(
    place: Place, options: list[str], named: tuple[str, ...], language: str
) -> None:
    place.write("list.json", "[1]")
    place.write("twice.json", '{"a": 1, "a": 2}')
    place.write("nan.json", '{"a": NaN}')
    place.write("name.json", '{"not a name": 1}')
    place.write("surrogate.json", '{"a": "\\ud800"}')
    place.write("good.json", '{"a": 1}')
    (place.folder / "bytes.json").write_bytes(b'{"a": "\xff"}')
    before = sorted(path.name for path in place.folder.iterdir())
    ended = place.run(*options, "--lang", language)
    assert ended.code == 2, str(ended)
    assert all(name in ended.err for name in named), str(ended)
    assert place.count() == place.count("read") == 0
    assert sorted(path.name for path in place.folder.iterdir()) == before


def test_an_argument_that_is_no_utf8_is_refused_and_no_internal_error(place: Place) -> None:
    ended = place.run("--input", b"a=\xff".decode("utf-8", "surrogateescape"))
    assert ended.code == 2, str(ended)


def test_a_missing_program_is_2_and_a_bad_one_is_1(place: Place) -> None:
    assert place.run(program="nowhere.agent").code == 2
    place.write("bad.agent", "AGENT x { PLAN }")
    assert place.run("--host", "desk.py", program="bad.agent").code == 1
    place.write("unknown.agent", PROGRAM.replace("pay(amount", "pai(amount"))
    assert place.run("--host", "desk.py", program="unknown.agent").code == 1
    assert place.count() == 0


def test_a_host_that_lacks_a_called_tool_is_2_unless_allowed(place: Place) -> None:
    host = (place.folder / "desk.py").read_text(encoding="utf-8").replace('@host.tool("note")', '@host.tool("other")')
    place.write("desk.py", host)
    ended = place.run()
    assert (ended.code, place.count("read")) == (2, 0)
    assert "note" in ended.err
    allowed = place.run("--allow-missing-tools")
    assert allowed.code == 0
    assert place.count() == 1


# --- inputs


INPUTS = PROGRAM.replace(
    "PLAN work WHEN claim.state == open {", "PLAN work WHEN claim.state == open { SET seen = limit"
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("5", "5"), ("5.0", "5.0"), ("true", "true"), ("yes", "yes"), ('"yes"', "yes"), ("a word", "a word"), ("", "")],
)
def test_an_input_is_a_belief_before_tick_1(place: Place, text: str, shown: str) -> None:
    place.write("desk.agent", INPUTS)
    ended = place.run("--input", f"limit={text}")
    assert ended.code == 0, str(ended)
    assert f"seen = {shown}".strip() in ended.out.replace("seen = True", "seen = true")


def test_inputs_come_from_a_file_and_the_command_together(place: Place) -> None:
    place.write("desk.agent", INPUTS.replace("SET seen = limit", "SET seen = limit + more.n"))
    place.write("in.json", '{"limit": 2}')
    assert "seen = 5" in place.run("--inputs", "in.json", "--input", "more.n=3").out


# --- a run without effect, events, records


def test_a_dry_run_reads_sensors_and_acts_on_nothing(place: Place) -> None:
    ended = place.run("--dry-run", "--lang", "fr")
    assert ended.code == 0, str(ended)
    assert (place.count("pay"), place.count("note")) == (0, 0)
    assert place.count("read") > 0
    assert 'pay(amount=40, to="Zürich") [ALLOWED]' in ended.out.splitlines()
    assert re.search(r"^à blanc : \d+ actions auraient franchi la porte$", ended.err, re.MULTILINE)


def test_events_are_one_json_object_a_line_numbered_and_in_order(place: Place) -> None:
    place.run("--events", "e.jsonl", "--quiet")
    events = [json.loads(line) for line in (place.folder / "e.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert {"agent", "tick", "kind", "text", "detail"} <= events[0].keys()
    assert {event["kind"] for event in events} >= {"TICK", "TOOL", "PLAN"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_under_the_events_is_said_once_and_ends_with_5_and_the_run_is_whole(place: Place) -> None:
    ended = place.durable("--events", "/dev/full", "--lang", "fr")
    assert ended.code == 5, str(ended)
    assert ended.err.count("/dev/full") == 1
    assert place.count() == 1
    assert place.durable().code == 0


def test_a_record_replays(place: Place) -> None:
    ended = place.run("--record", "r.json", "--lang", "fr")
    assert ended.code == 0, str(ended)
    assert re.search(r"^enregistré : r\.json \(\d+ entrées\)$", ended.err, re.MULTILINE)
    assert place.agentl("replay", "r.json").code == 0
    assert place.count() == 1


def test_the_secret_is_in_no_file_and_no_output_of_any_kind_of_run(tmp_path: Path) -> None:
    """Decision 26 through the command line: --events, --record, --durable, export, status."""
    marker = "sk-live-4242-geheim"
    program = PROGRAM.replace("to: String", "to: String  token: String").replace(
        'to = "Zürich")', 'to = "Zürich", token = "secret:bank")'
    )
    more = f"""\
host.secrets["bank"] = lambda: "{marker}"[::1]
@host.tool("pay", secret={{"token"}})
def pay(amount, to, token):
    assert token.startswith("sk-live")
    happens("pay")
    raise ValueError("401 for " + token)
"""
    (tmp_path / "src").mkdir()
    place = Place(tmp_path / "src", program, more=more)
    out = tmp_path / "out"
    out.mkdir()
    said = [
        place.run("--events", out / "e.jsonl", "--record", out / "r.json", "--trace-all"),
        place.run("--durable", out / "run", "--events", out / "d.jsonl"),
        place.run("--durable", out / "run", "--trace-all"),
        place.agentl("durable", "export", out / "run", "-o", out / "j.json"),
        place.agentl("durable", "status", out / "run", "--format", "json"),
        place.agentl("replay", out / "j.json"),
        place.agentl("replay", out / "r.json"),
    ]
    assert [ended.code for ended in said] == [0] * 7, "\n".join(map(str, said))
    assert place.count() >= 2
    assert "401 for [secret]" in said[0].out
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) >= 8
    assert [path for path in files if marker.encode() in path.read_bytes()] == []
    assert [ended for ended in said if marker in ended.out + ended.err] == []


def test_help_is_there_in_both_languages() -> None:
    for language, word in (("en", "Keep a journal"), ("fr", "Tient un journal")):
        ended = agentl("run", "--help", "--lang", language)
        assert ended.code == 0
        assert word in ended.out


@pytest.mark.parametrize("option", ["--max-tokens", "--max-cost"])
def test_a_budget_is_a_number_from_zero(option: str) -> None:
    refused = agentl("run", "any.agent", option, "-1")
    assert refused.code == 2
    assert "C031" in refused.err
