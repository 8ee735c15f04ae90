"""`agentl infer`: prior to posterior with the evidence, from a real or an invented world, without acting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.cli.app import main

# The worked example of semantics.md §19.1, with everything beside it that could act.
PROGRAM = """\
AGENT desk {
    GOAL g { ACHIEVE desk.done == yes }
    OBSERVE { orders.refunds_30d  account.chargebacks  parcel.scan ON UNKNOWN ESCALATE
              device.shared  account.age_days }
    HYPOTHESIS refund_abuse {
        PRIOR 0.08
        EVIDENCE {
            GROUP money_trail {
                account.chargebacks > 0     LIKELIHOOD 0.55 GIVEN_NOT 0.11
                orders.refunds_30d > 4      LIKELIHOOD 0.80 GIVEN_NOT 0.10
            }
            parcel.scan == missing          LIKELIHOOD 0.40 GIVEN_NOT 0.25
            device.shared == yes            LIKELIHOOD 0.70 GIVEN_NOT 0.14
            account.age_days < 30           LIKELIHOOD 0.30 GIVEN_NOT 0.60
        }
        MAX_EVIDENCE 4   THRESHOLD 0.55   EXPLAINS claim.kind
    }
    TOOL pay { INPUT { amount: Number }  RISK HIGH }
    TOOL note { RISK LOW }
    POLICY { DEFAULT ALLOW  REQUIRE APPROVAL FOR pay }
    PLAN work WHEN desk.done != yes {
        note()
        pay(amount = 40)
        ASK operator { QUESTION "well?" }
        REASON { TASK "think" PRODUCE { c: Number } }
    }
    LOOP MAX 3 { RECEIVE OBSERVE UPDATE_BELIEFS UPDATE_HYPOTHESES EVALUATE_GOALS SELECT_PLAN EXECUTE }
}
"""

# Whatever could act writes to a ledger and raises; sensors answer as in the worked example.
HOST = """\
from pathlib import Path

from agentl import Host, LLM, Symbol

HERE = Path(__file__).parent
READINGS = {"orders.refunds_30d": 6, "account.chargebacks": 1, "device.shared": Symbol("yes"), "account.age_days": 400}


def acts(*given, **named):
    with open(HERE / "ledger.txt", "a", encoding="utf-8") as ledger:
        ledger.write("acted\\n")
    raise RuntimeError("acted")


class Model(LLM):
    reason = judge = select_plan = acts


class Watched(Host):
    drain = invoke = ask = approve = acts


def build():
    host = Watched()
    host.tools.update(pay=lambda amount: acts(), note=lambda: acts())
    host.approver = host.asker = host.trace_sink = acts
    for path, value in READINGS.items():
        host.sensors[path] = lambda value=value: value
    return host, Model()
"""

STATE = {"orders.refunds_30d": 6, "account.chargebacks": 1, "device.shared": "yes", "account.age_days": 400}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "desk.agent").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "desk.py").write_text(HOST, encoding="utf-8")
    (tmp_path / "state.json").write_text(json.dumps(STATE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ledger(folder: Path) -> int:
    file = folder / "ledger.txt"
    return len(file.read_text(encoding="utf-8").splitlines()) if file.exists() else 0


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("command", ["infer", "plan"])
@pytest.mark.parametrize("more", [[], ["--ticks", "0"], ["--format", "json"], ["--host", "desk.py"]])
def test_no_tool_model_person_event_or_sink_of_the_host_is_touched(
    desk: Path, command: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "desk.agent", *more]) == 0
    assert ledger(desk) == 0
    assert "ERROR" not in capsys.readouterr().err


def test_the_same_host_acts_in_real_ticks_so_the_ledger_can_tell(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["infer", "desk.agent", "--ticks", "1", "--live"]) == 0
    assert ledger(desk) > 0
    assert "1 real ticks were run: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--ticks", "2"], "C020"),
        (["--live"], "C020"),
        (["--ticks", "-1"], "C029"),
        (["--state", "state.json", "--ticks", "1", "--live"], "C009"),
        (["--state", "state.json", "--host", "desk.py"], "C009"),
        (["--state", "absent.json"], "C010"),
        (["--state", "desk.py"], "C040"),
        (["--host", "absent.py"], "H"),
        (["--ticks", "many"], "C005"),
    ],
)
@pytest.mark.parametrize("command", ["infer", "plan"])
def test_what_is_wrong_in_the_command_ends_with_2_before_anything_is_done(
    desk: Path, command: str, options: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "desk.agent", *options]) == 2
    said = capsys.readouterr()
    assert f"error {code}" in said.err and said.out == ""
    assert ledger(desk) == 0


@pytest.mark.parametrize("command", ["infer", "plan"])
@pytest.mark.parametrize("text", ["AGENT desk {", "AGENT desk { PLAN p WHEN 1 == 1 { nothing() } }"])
def test_a_program_that_is_refused_ends_with_1(
    desk: Path, command: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "desk.agent").write_text(text, encoding="utf-8")
    assert main([command, "desk.agent"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("source", [[], ["--state", "state.json"]])
def test_the_worked_example_comes_out_as_the_reference_says(
    desk: Path, source: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["infer", "desk.agent", *source]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "agent desk",
        "  refund_abuse: 0.080 → 0.582, above the threshold 0.550",
        "    naive posterior, without groups and cap: 0.968",
        "    evidence +4.000 bits, capped by MAX_EVIDENCE; reachable 0.005 to 0.582",
        "    +3.000 bits  true  orders.refunds_30d > 4",
        "    +2.322 bits  true  account.chargebacks > 0  (absorbed in group money_trail)",
        "    +2.322 bits  true  device.shared == yes",
        "    +0.807 bits  false  account.age_days < 30",
        "    +0.000 bits  undetermined  parcel.scan == missing",
    ]


def test_json_form_keeps_its_keys_and_tells_the_three_outcomes_apart(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(capsys, "infer", "desk.agent", "--lang", "fr")
    assert [found["schema"], found["world"], found["ticks"]] == ["agentl.infer/1", "host", 0]
    (hypothesis,) = found["agents"][0]["hypotheses"]
    assert set(hypothesis) == {
        *("name", "prior", "posterior", "threshold", "supported", "bits", "capped", "naive", "reachable", "evidence")
    }
    assert [item["true"] for item in hypothesis["evidence"]] == [True, True, True, False, None]
    assert sum(item["counted"] for item in hypothesis["evidence"]) == pytest.approx(6.129, abs=1e-3)


def test_without_a_host_the_world_is_empty_and_that_is_said(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "desk.py").unlink()
    assert main(["infer", "desk.agent"]) == 0
    said = capsys.readouterr()
    assert "there is no host `desk.py`" in said.err
    assert said.out.count("undetermined") == 5
    assert "0.080 → 0.080, below the threshold" in said.out


def test_real_ticks_without_a_host_are_refused(desk: Path) -> None:
    (desk / "desk.py").unlink()
    assert main(["infer", "desk.agent", "--ticks", "1", "--live"]) == 2


@pytest.mark.parametrize("command", ["infer", "plan"])
@pytest.mark.parametrize(
    ("approver", "said"),
    [("PENDING", "waiting for a person to decide on pay(amount=40)"), ("True", "whether it took place is unknown")],
)
def test_real_ticks_that_wait_for_a_person_or_end_in_doubt_end_with_75(
    desk: Path, command: str, approver: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "desk.agent").write_text(
        """AGENT a { TOOL pay { INPUT { amount: Number } RISK HIGH }
            POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR pay } LOOP MAX 1 { pay(amount = 40) } }""",
        encoding="utf-8",
    )
    (desk / "desk.py").write_text(
        f"""from agentl import Host, OutcomeUnknown
from agentl.durable import PENDING
host = Host()
host.approver = lambda request: {approver}
@host.tool("pay")
def pay(amount):
    raise OutcomeUnknown("the line was cut")
""",
        encoding="utf-8",
    )
    assert main([command, "desk.agent", "--ticks", "1", "--live"]) == 75
    assert said in capsys.readouterr().err


def test_a_sensor_that_raises_is_named_and_leaves_its_evidence_undetermined(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = HOST.replace(
        "    return host, Model()", "    host.sensors['device.shared'] = acts\n    return host, Model()"
    )
    (desk / "desk.py").write_text(host, encoding="utf-8")
    assert main(["infer", "desk.agent"]) == 0
    said = capsys.readouterr()
    assert "device.shared" in said.err and "ERROR" in said.err
    assert "undetermined  device.shared == yes" in said.out


def test_a_later_hypothesis_sees_an_earlier_one_and_not_the_other_way_round(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "desk.agent").write_text(
        """AGENT a { OBSERVE { x.y }
            HYPOTHESIS first { PRIOR 0.5 EVIDENCE { second.posterior > 0 LIKELIHOOD 0.9 GIVEN_NOT 0.1 } }
            HYPOTHESIS second { PRIOR 0.5 EVIDENCE { first.posterior > 0 LIKELIHOOD 0.9 GIVEN_NOT 0.1 } } }""",
        encoding="utf-8",
    )
    first, second = document(capsys, "infer", "desk.agent")["agents"][0]["hypotheses"]
    assert [first["evidence"][0]["true"], second["evidence"][0]["true"]] == [None, True]


def test_every_agent_is_shown_with_its_own_host(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = """AGENT {name} {{ OBSERVE {{ x.y }}
        HYPOTHESIS h {{ PRIOR 0.5 EVIDENCE {{ x.y == 1 LIKELIHOOD 0.9 GIVEN_NOT 0.1 }} }} }}\n"""
    (desk / "desk.agent").write_text(agent.format(name="a") + agent.format(name="b"), encoding="utf-8")
    (desk / "desk.py").write_text(
        """from agentl import Host
def build():
    hosts = {"a": Host(), "b": Host()}
    hosts["a"].sensors["x.y"], hosts["b"].sensors["x.y"] = (lambda: 1), (lambda: 2)
    return hosts
""",
        encoding="utf-8",
    )
    agents = document(capsys, "infer", "desk.agent")["agents"]
    assert [(each["agent"], each["hypotheses"][0]["posterior"]) for each in agents] == [("a", 0.9), ("b", 0.1)]


def test_real_ticks_come_first_and_what_they_left_is_perceived(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "desk.agent").write_text(
        """AGENT a { OBSERVE { door.state } TOOL close { RISK LOW } POLICY { DEFAULT ALLOW }
            HYPOTHESIS h { PRIOR 0.5 EVIDENCE { door.state == closed LIKELIHOOD 0.9 GIVEN_NOT 0.1 } }
            LOOP MAX 5 { close() } }""",
        encoding="utf-8",
    )
    (desk / "desk.py").write_text(
        """from agentl import Host, Symbol
def build():
    host, state = Host(), ["open"]
    host.sensors["door.state"] = lambda: Symbol(state[0])
    @host.tool("close")
    def close():
        state[0] = "closed"
    return host
""",
        encoding="utf-8",
    )
    without = document(capsys, "infer", "desk.agent")
    after = document(capsys, "infer", "desk.agent", "--ticks", "2", "--live")
    assert [found["agents"][0]["hypotheses"][0]["posterior"] for found in (without, after)] == [0.1, 0.9]
    assert [without["ticks"], after["ticks"]] == [0, 2]


def test_french_says_the_same(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", "desk.agent", "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert "au-dessus du seuil 0.550" in out and "absorbé dans le groupe money_trail" in out and "indéterminé" in out
