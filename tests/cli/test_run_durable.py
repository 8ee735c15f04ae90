"""`agentl run --durable`: starting, resuming, what is refused, and how a run that was stopped ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.folders import PROGRAM, Place
from tests.durable.processes import KILLED


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_first_line_says_what_the_command_did(place: Place) -> None:
    started, ended = place.durable("--lang", "fr"), place.durable("--lang", "fr")
    assert re.fullmatch(r"→ exécution durable [0-9a-f]{12} : run/wal\.jsonl", started.err.splitlines()[0])
    assert re.fullmatch(
        r"✓ exécution durable [0-9a-f]{12} terminée : \d+ entrée\(s\) journalisée\(s\), re-dérivées sans effet",
        ended.err.splitlines()[0],
    )


def test_the_run_id_is_the_given_one_and_sharing_keys_is_said(place: Place) -> None:
    first = place.durable("--run-id", "march-rent", "--lang", "fr")
    assert first.err.splitlines()[0] == "→ exécution durable march-rent : run/wal.jsonl"
    assert "clés d'idempotence partagées" in first.err.splitlines()[1]
    place.run("--durable", "other", "--run-id", "march-rent")
    one, two = place.keys()
    assert one == two
    assert "partagées" not in place.durable("--run-id", "march-rent", "--lang", "fr").err


def test_resume_and_new_refuse_the_other_case(place: Place) -> None:
    assert place.durable("--resume").code == 3
    assert not (place.folder / "run").exists()
    assert place.durable("--new").code == 0
    before = place.fingerprint()
    again = place.durable("--new", "--lang", "fr")
    assert again.code == 3
    assert "contient déjà l'exécution" in again.err
    assert place.fingerprint() == before
    assert place.durable("--resume").code == 0
    assert place.count() == 1


def test_a_killed_run_goes_on_with_the_same_command(place: Place) -> None:
    place.once("note")
    assert place.durable().code == KILLED
    ended = place.durable()
    assert ended.code == 75
    assert (place.count("pay"), place.count("note")) == (1, 1)


def test_derived_again_events_are_printed_only_when_asked_for_and_marked(place: Place) -> None:
    first = place.durable()
    assert len(place.durable().out.splitlines()) == 1
    everything = place.durable("--trace-all").out.splitlines()
    assert everything[:-1] == [f"↻ {line}" for line in first.out.splitlines()[:-1]]
    place.run("--durable", "run", "--trace-all", "--events", "e.jsonl")
    assert (place.folder / "e.jsonl").read_text() == ""


@pytest.mark.parametrize(
    ("options", "field", "recorded", "given"),
    [
        (["--ticks", "2"], "max_ticks", "none", "2"),
        (["--input", "a=2"], "input a", "1", "2"),
        (["--input", "a=1.0"], "input a", "1", "1.0"),
        (["--input", "a=[true]"], "input a", "1", "[True]"),
        (["--input", "a=1", "--input", "b=null"], "input b", "none", "none"),
        (["--compat"], "compat", "False", "True"),
    ],
)
def test_another_bound_input_or_option_is_refused_naming_field_and_both_values(
    place: Place, options: list[str], field: str, recorded: str, given: str
) -> None:
    assert place.durable("--input", "a=1").code == 0
    before = place.fingerprint()
    ended = place.durable(*options, "--lang", "fr")
    assert ended.code == 3, str(ended)
    assert f"{field} valait {recorded} au début de cette exécution, et vaut maintenant {given}" in ended.err
    assert place.fingerprint() == before


def test_what_is_not_given_is_taken_from_the_run_and_neutral_options_may_differ(place: Place) -> None:
    place.once("note", "kill")
    assert place.durable("--input", "a=1", "--ticks", "2").code == KILLED
    neutral = ["--quiet", "--trace-all", "--tool-timeout", "20s", "--approval-life", "1h", "--every", "1ms"]
    assert place.durable(*neutral, "--allow-missing-tools").code == 75
    assert place.count() == 1


def test_another_run_id_or_program_is_refused(place: Place) -> None:
    place.durable("--run-id", "one")
    before = place.fingerprint()
    other = place.durable("--run-id", "two", "--lang", "fr")
    assert (other.code, "appartient à l'exécution one, et non two" in other.err) == (3, True)
    place.write("desk.agent", PROGRAM.replace("amount = 40", "amount = 41"))
    assert place.durable().code == 3
    assert place.fingerprint() == before


def test_a_path_that_is_no_folder_is_a_storage_failure_and_no_internal_error(place: Place) -> None:
    place.write("file", "")
    ended = place.durable(directory="file")
    assert ended.code in (2, 5), str(ended)
    assert place.count() == 0


def test_an_interrupt_says_how_to_go_on_with_everything_the_resume_needs(place: Place) -> None:
    (place.folder / "desk.py").rename(place.folder / "h.py")
    place.once("note", "os.kill(os.getpid(), signal.SIGINT); time.sleep(5)")
    ended = place.durable("--host", "h.py", "--tool-timeout", "20s", "--lang", "fr")
    assert ended.code == 130
    said = re.search(r"reprend d'après le journal : (agentl .*)$", ended.err, re.MULTILINE)
    assert said is not None, str(ended)
    assert said[1] == "agentl run desk.agent --durable run --host h.py --tool-timeout 20s"
    assert place.agentl(*said[1].split()[1:]).code == 75
    assert place.count() == 1


def test_sigterm_is_143_and_no_failure_of_the_tool(place: Place) -> None:
    """Case P-A6."""
    place.once("pay", "os.kill(os.getpid(), signal.SIGTERM); time.sleep(5)")
    ended = place.durable()
    assert ended.code == 143
    assert [entry["kind"] for entry in place.entries()][-1] == "intent"


def test_pending_is_75_in_both_processes_and_goes_on_with_the_answer(tmp_path: Path) -> None:
    program = PROGRAM.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR pay")
    more = 'host.approver = lambda request: True if (HERE / "yes").exists() else PENDING'
    place = Place(tmp_path, program, more=more)
    for _ in range(2):
        ended = place.durable("--lang", "fr")
        assert ended.code == 75
        assert 'en attente d\'une décision humaine sur pay(amount=40, to="Zürich")' in ended.err
    status = place.agentl("durable", "status", "run")
    assert (status.code, 'waiting for a person: pay(amount=40, to="Zürich")' in status.out) == (75, True)
    place.write("yes", "")
    assert place.durable().code == 0
    assert place.agentl("durable", "status", "run").code == 0
    assert place.count() == 1


@pytest.mark.parametrize(("answer", "calls"), [(b"yes\n", 1), (b"no\n", 0), (b"", 0), (b"perhaps\n", 0)])
def test_the_terminal_is_asked_only_when_wanted(tmp_path: Path, answer: bytes, calls: int) -> None:
    place = Place(tmp_path, PROGRAM.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR pay"))
    assert place.agentl("run", "desk.agent", "--ticks", "1", stdin=answer).code == 0
    assert place.count() == 0
    options = ("--approve-on-terminal", "--ticks", "1", "--lang", "fr")
    ended = place.agentl("run", "desk.agent", *options, stdin=answer)
    assert place.count() == calls, str(ended)
    assert 'autoriser pay(amount=40, to="Zürich") ?' in ended.err


def test_a_tool_past_its_time_is_75_and_said(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.once("pay", "time.sleep(60)")
    place.write("fast.py", "import agentl.durable.driver as d\n\nd.GRACE_S = 0.05\n")
    host = (place.folder / "desk.py").read_text(encoding="utf-8")
    place.write("desk.py", f"import fast\n{host}")
    ended = place.durable("--tool-timeout", "60ms", "--lang", "fr")
    assert ended.code == 75
    assert "un appel est encore en cours après sa limite de temps" in ended.err
    assert "on ignore si elle a eu lieu" in ended.err
    assert place.count() == 1


INTERRUPT = "__import__('threading').Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()"
WAITS = {
    "an approver": f"def approve(request):\n    {INTERRUPT}\n    time.sleep(20)\nhost.approver = approve",
    "a look-up that is not believed yet": (
        f'@host.reconciler("pay", after_s=20)\ndef look_up(args, context):\n    {INTERRUPT}\n    return NOT_EXECUTED'
    ),
    "a tool with a time limit": (
        f'@host.tool("pay", timeout_s=20)\ndef pay(amount, to):\n    {INTERRUPT}\n    time.sleep(20)'
    ),
    "a sensor": f'def read():\n    {INTERRUPT}\n    time.sleep(20)\nhost.sensors["account.frozen"] = read',
}


@pytest.mark.parametrize("wait", WAITS)
def test_an_interrupt_in_any_wait_is_130_and_says_how_to_go_on(tmp_path: Path, wait: str) -> None:
    policy = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay" if wait == "an approver" else "DEFAULT ALLOW"
    place = Place(tmp_path, PROGRAM.replace("DEFAULT ALLOW", policy), more=WAITS[wait])
    if "look-up" in wait:
        place.once("pay")
        assert place.durable().code == KILLED
    ended = place.durable()
    assert ended.code == 130, str(ended)
    assert ended.err.endswith("goes on from the journal: agentl run desk.agent --durable run\n")
    assert "Traceback" not in ended.err
    assert place.agentl("durable", "verify", "run").code == 0
