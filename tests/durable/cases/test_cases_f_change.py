"""Cases P-F1 to P-F3 and P-F6: another program, another form of the same text. P-F4, F5 and F7: tests/journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.folders import PROGRAM, Place, interrupted
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines
from tests.durable.processes import KILLED

NEUTRAL: dict[str, Callable[[str], str]] = {
    "comments": lambda text: f"// why it is so\n{text}// the end",
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "indentation": lambda text: text.replace("    ", "\t"),
    "commas": lambda text: text.replace("amount: Number  to: String", "amount: Number, to: String"),
}


@pytest.mark.parametrize("change", NEUTRAL)
def test_case_f1_a_change_that_means_nothing_resumes(tmp_path: Path, change: str) -> None:
    place = interrupted(tmp_path, "a")
    changed = NEUTRAL[change](PROGRAM)
    assert changed != PROGRAM
    place.write("desk.agent", changed)
    assert place.run("--durable", "runs/a").code == 0
    assert len(set(place.keys())) == 1


def test_case_f1_a_change_that_means_something_is_refused_and_named_also_in_a_pass_over_all(tmp_path: Path) -> None:
    place = interrupted(tmp_path, "a")
    place.write("desk.agent", PROGRAM.replace("amount = 40", "amount = 41"))
    before = place.fingerprint("runs")
    for command in (("durable", "resume", "--all", "runs"), ("run", "desk.agent", "--durable", "runs/a")):
        ended = place.agentl(*command)
        assert ended.code == 3, str(ended)
        assert "the program has changed since this run began" in ended.err
    assert "! runs/a: exit code 3" in place.agentl("durable", "resume", "--all", "runs").err
    assert place.fingerprint("runs") == before
    assert place.count() == 1


TWO_LINES = PROGRAM.replace('note(text = "done")', 'note(text = "first\nsecond")')
FORMS: dict[str, Callable[[str], bytes]] = {
    "line feeds": lambda text: text.encode(),
    "carriage returns": lambda text: text.replace("\n", "\r\n").encode(),
    "a byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no final newline": lambda text: text.rstrip("\n").encode(),
    "all of it": lambda text: b"\xef\xbb\xbf" + text.rstrip("\n").replace("\n", "\r\n").encode(),
}


def test_case_f2_the_form_of_a_file_changes_neither_digest_nor_literal(tmp_path: Path) -> None:
    place = Place(tmp_path, TWO_LINES)
    digests, texts = set(), set()
    for name, form in FORMS.items():
        (tmp_path / "desk.agent").write_bytes(form(TWO_LINES))
        digests.add(place.agentl("compile", "desk.agent", "--digest").out)
        assert place.run("--durable", name).code == 0
        (note,) = [entry for entry in place.entries(name) if entry["kind"] == "invoke" and entry["key"] == "note"]
        texts.add(str(note["args"]))
    assert len(digests) == 1
    assert texts == {"{'$dict': [['text', 'first\\nsecond']]}"}


@pytest.mark.parametrize("form", FORMS)
def test_case_f2_a_run_goes_on_whatever_form_its_file_has_by_now(tmp_path: Path, form: str) -> None:
    place = interrupted(tmp_path, "a")
    (tmp_path / "desk.agent").write_bytes(FORMS[form](PROGRAM))
    assert place.run("--durable", "runs/a").code == 0


def test_case_f3_an_action_inserted_before_recorded_ones_is_refused_and_the_old_program_goes_on(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path)
    place.once("note")
    assert place.durable().code == KILLED
    place.write("desk.agent", PROGRAM.replace("pay(amount = 40", 'note(text = "new") pay(amount = 40'))
    before = place.fingerprint()
    assert place.durable().code == 3
    assert place.fingerprint() == before
    assert (place.count("pay"), place.count("note")) == (1, 1)
    place.write("desk.agent", PROGRAM)
    assert place.durable().code == 75
    assert (place.count("pay"), place.count("note")) == (1, 1)


def test_case_f6_a_result_that_does_not_fit_its_declaration_is_recorded_as_it_came_and_rejected_each_time() -> None:
    rejected = 'IF tools.pay.failures > 0 THEN { SET claim.state = rejected } note(text = "end")'
    text = desk_program(f"{PAY} {rejected}").replace("receipt: String", "receipt: Number")
    desk = Desk(text, World({"pay": [{"receipt": "R-1"}], "note": [Killed(), None]}))
    seen = []
    for _ in range(3):
        run = desk.process(host_of(desk.world, idempotent=True))
        assert run.runtime is not None
        seen.append((str(run.runtime.state.get("claim.state")), lines(run, "ERROR")[0]))
    assert len(set(seen)) == 1
    assert seen[0][0] == "rejected"
    assert desk.world.count("pay") == 1
