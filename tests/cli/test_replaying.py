"""`agentl replay` of exports and of records: what is the same, what differs, what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.chain import chain_hashes
from agentl.journal.plain import Journal
from agentl.journal.seal import load_signing_key, sign
from tests.cli.folders import PROGRAM, Place
from tests.durable.processes import KILLED


@pytest.fixture(params=["export", "record"])
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """A run in `j.json`, once exported from its folder and once recorded."""
    made = Place(tmp_path)
    if request.param == "record":
        assert made.run("--record", "j.json", "--input", "limit=5").code == 0
    else:
        assert made.durable("--input", "limit=5").code == 0
        assert made.agentl("durable", "export", "run", "-o", "j.json").code == 0
    return made


def rewrite(place: Place, change: Any, *, chained: bool = True) -> None:
    """Change the journal; its chain and its head are made anew unless they are to betray the change."""
    path = place.folder / "j.json"
    journal = json.loads(path.read_text(encoding="utf-8"))
    change(journal)
    if chained:
        for seq, entry in enumerate(journal["entries"]):
            entry["seq"] = seq
        for entry, h in zip(journal["entries"], chain_hashes(journal["entries"]), strict=True):
            entry["h"] = h
        journal["meta"]["chain_sha256"] = journal["entries"][-1]["h"]
    path.write_text(json.dumps(journal, ensure_ascii=False), encoding="utf-8")


def test_it_derives_the_same_trace_and_calls_nothing(place: Place) -> None:
    calls = (place.count("pay"), place.count("note"), place.count("read"))
    (place.folder / "desk.py").unlink()
    ended = place.agentl("replay", "j.json", "--lang", "fr")
    assert ended.code == 0, str(ended)
    assert re.fullmatch(r"rejeu conforme : \d+ franchissements servis, la trace est identique\n", ended.err)
    assert "[1] TOOL pay(amount=40, to=Zürich) (risk=LOW)" in ended.out
    assert (place.count("pay"), place.count("note"), place.count("read")) == calls


def test_quiet_prints_no_trace(place: Place) -> None:
    assert place.agentl("replay", "j.json", "--quiet").out == ""


def test_an_altered_value_breaks_the_chain_and_is_3(place: Place) -> None:
    def other_receipt(journal: Any) -> None:
        next(e for e in journal["entries"] if e["kind"] == "invoke")["value"]["$dict"][0][1] = "R-2"

    rewrite(place, other_receipt, chained=False)
    ended = place.agentl("replay", "j.json", "--lang", "fr")
    assert ended.code == 3, str(ended)
    assert "le journal a été modifié : la chaîne se rompt à l'entrée #" in ended.err


def test_an_altered_value_under_a_chain_made_anew_shows_as_another_run_and_is_1(place: Place) -> None:
    def frozen(journal: Any) -> None:
        next(e for e in journal["entries"] if e["kind"] == "read")["value"] = {"$sym": "yes"}

    rewrite(place, frozen)
    ended = place.agentl("replay", "j.json", "--lang", "fr")
    assert ended.code == 1, str(ended)
    assert "reprise impossible au franchissement #" in ended.err


def test_a_removed_tail_is_noticed_by_the_head(place: Place) -> None:
    rewrite(place, lambda journal: journal["entries"].pop(), chained=False)
    assert place.agentl("replay", "j.json").code == 3


def test_another_program_is_3_and_1_when_forced(place: Place) -> None:
    place.write("desk.agent", PROGRAM.replace("amount = 40", "amount = 41"))
    refused = place.agentl("replay", "j.json", "--lang", "fr")
    assert refused.code == 3
    assert "n'est pas le programme de ce journal" in refused.err
    forced = place.agentl("replay", "j.json", "--force", "--lang", "fr")
    assert forced.code == 1, str(forced)
    assert "reprise impossible au franchissement #" in forced.err


def test_forced_a_program_that_does_the_same_is_0(place: Place) -> None:
    place.write("desk.agent", PROGRAM.replace("MAX 3", "MAX 4"))
    assert place.agentl("replay", "j.json").code == 3
    assert place.agentl("replay", "j.json", "--force").code == 0


def test_a_program_with_errors_is_1(place: Place) -> None:
    place.write("desk.agent", "AGENT desk { PLAN }")
    assert place.agentl("replay", "j.json").code == 1


def test_the_program_may_stand_elsewhere(place: Place) -> None:
    (place.folder / "desk.agent").rename(place.folder / "moved.agent")
    assert place.agentl("replay", "j.json").code == 2
    assert place.agentl("replay", "j.json", "--source", "moved.agent").code == 0


def test_crossings_nobody_asked_for_are_1(place: Place) -> None:
    def one_more(journal: Any) -> None:
        end = journal["entries"].pop()
        journal["entries"] += [{"seq": 0, "kind": "read", "key": "account.frozen", "value": None}, end]

    rewrite(place, one_more)
    ended = place.agentl("replay", "j.json")
    assert ended.code == 1, str(ended)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 3),
        ("[]", 3),
        ("{}", 3),
        ('{"meta": {}, "entries": [3]}', 3),
        ('{"meta": {"format": 99}, "entries": []}', 3),
    ],
)
def test_what_is_no_journal_is_refused(place: Place, text: str, code: int) -> None:
    place.write("j.json", text)
    assert place.agentl("replay", "j.json", "--lang", "fr").code == code
    assert place.agentl("replay", "nowhere.json").code == 2
    assert place.agentl("replay", ".").code == 2


def test_a_kind_this_release_does_not_know_is_named(place: Place) -> None:
    def strange(journal: Any) -> None:
        journal["entries"][2]["kind"] = "teleport"

    rewrite(place, strange)
    ended = place.agentl("replay", "j.json")
    assert (ended.code, "teleport" in ended.err) == (3, True)


def test_runs_in_doubt_retried_reconciled_and_rechecked_replay_alike(tmp_path: Path) -> None:
    more = """\
@host.reconciler("note", after_s=0)
def found(args, context):
    return {}
"""
    for number, (options, kill, how) in enumerate(
        [("", "pay", "in_doubt"), ("idempotent=True", "pay", "retry"), ("", "note", "reconciled")]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        place = Place(folder, options=options, more=more)
        place.once(kill)
        assert place.durable().code == KILLED
        assert place.durable().code == (75 if how == "in_doubt" else 0)
        assert how in place.agentl("durable", "status", "run").out
        assert place.agentl("durable", "export", "run", "-o", "j.json").code == 0
        live = place.durable("--trace-all").out.splitlines()[:-1]
        replayed = place.agentl("replay", "j.json")
        assert replayed.code == 0, str(replayed)
        assert replayed.out.splitlines() == [line.removeprefix("↻ ") for line in live]


def sealed(place: Place, key: str, change: Any = None) -> None:
    """Sign the journal in `j.json`; then change it, with a chain made anew."""
    path = place.folder / "j.json"
    journal = Journal.load(path)
    signing = load_signing_key(key)
    assert signing is not None
    journal.meta["signature"] = sign(journal.meta, signing)
    journal.save(path)
    if change is not None:
        rewrite(place, change)


def test_a_seal_is_checked_before_anything_is_derived(place: Place) -> None:
    assert place.agentl("replay", "j.json", "--key", "a secret", "--quiet").code == 0
    unsigned = place.agentl("replay", "j.json", "--key", "a secret", "--require-seal")
    assert (unsigned.code, unsigned.out, "D607" in unsigned.err) == (3, "", True)
    sealed(place, "a secret")
    good = place.agentl("replay", "j.json", "--key", "a secret", "--require-seal")
    assert good.code == 0 and "the seal holds: HMAC-SHA256" in good.err
    for key in ((), ("--key", "another"), ("--key", "no/such.key")):
        refused = place.agentl("replay", "j.json", *key, "--force")
        assert (refused.code, refused.out) == (3, "") and "error D60" in refused.err, str(refused)


@pytest.mark.parametrize("where", ["meta", "entries", "odd"])
def test_what_was_changed_after_signing_is_refused_although_the_chain_is_whole(place: Place, where: str) -> None:
    def change(journal: Any) -> None:
        if where == "odd":
            journal["meta"]["signature"] = "valid"
        elif where == "meta":
            journal["meta"]["ticks"] = 7
        else:
            next(e for e in journal["entries"] if e["kind"] == "invoke")["value"]["$dict"][0][1] = "R-2"

    sealed(place, "a secret", change)
    refused = place.agentl("replay", "j.json", "--key", "a secret", "--lang", "fr")
    assert (refused.code, refused.out) == (3, "") and "D606" in refused.err
