"""The fixture `agent_ir` and the snapshot extension: readable, complete, never green by accident (P-N2, P-N3)."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
PLUGIN = "agentl.testing.plugin"
PROGRAM = """\
AGENT pay {
    TOOL transfer { INPUT { amount: Number }  RISK HIGH }
    POLICY { DEFAULT DENY  ALLOW transfer IF amount <= 100 }
    PLAN go WHEN due == yes { transfer(amount = 50) }
}
"""
TEST = 'def test_ir(agent_ir, ir_snapshot):\n    assert agent_ir("pay.agent") == ir_snapshot\n'
SNAPSHOT = "__snapshots__/test_pay.ir"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """In a process of its own: syrupy keeps what it has read of a file for as long as its process lives."""
    arguments = ("-p", PLUGIN, "-p", "no:cacheprovider", "--ignore", "pay.agent", *arguments)
    return pytester.runpytest_subprocess(*arguments)


@pytest.fixture
def kept(pytester: pytest.Pytester) -> Path:
    """A test whose snapshot has been written."""
    (pytester.path / "pay.agent").write_text(PROGRAM, encoding="utf-8")
    pytester.makepyfile(test_pay=TEST)
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    return pytester.path / SNAPSHOT


def test_a_snapshot_is_readable_and_names_the_digest(kept: Path) -> None:
    lines = [line.strip() for line in kept.read_text(encoding="utf-8").splitlines()]
    assert "# name: test_ir" in lines
    assert any(line.startswith("digest ") and len(line) == 71 for line in lines)
    assert "rule ALLOW transfer  guard: amount <= 100" in lines


def test_neutral_edits_stay_green_and_a_change_fails_with_the_line(pytester: pytest.Pytester, kept: Path) -> None:
    (pytester.path / "pay.agent").write_text(f"// neutral\n{PROGRAM}", encoding="utf-8")
    run(pytester).assert_outcomes(passed=1)
    (pytester.path / "pay.agent").write_text(PROGRAM.replace("100", "1000"), encoding="utf-8")
    result = run(pytester, "-vv")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- *digest*", "*+ *digest*", "*- *amount <= 100", "*+ *amount <= 1000"])


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_missing_or_cut_snapshot_is_a_failure_and_nothing_is_written(
    damage: str, pytester: pytest.Pytester, kept: Path
) -> None:
    if damage == "gone":
        kept.unlink()
    else:
        text = kept.read_text(encoding="utf-8")
        kept.write_text(text[: len(text) // 2], encoding="utf-8")
    before = kept.read_bytes() if kept.exists() else None
    run(pytester).assert_outcomes(failed=1)
    assert (kept.read_bytes() if kept.exists() else None) == before


def test_names_that_differ_in_case_alone_have_a_snapshot_each(pytester: pytest.Pytester) -> None:
    for name, limit in (("Pay", 100), ("pay", 200)):
        (pytester.path / f"{name}_{limit}.agent").write_text(PROGRAM.replace("100", str(limit)), encoding="utf-8")
    pytester.makepyfile(
        test_pay="import pytest\n"
        '@pytest.mark.parametrize("name", ["Pay", "pay"])\n'
        "def test_ir(agent_ir, ir_snapshot, name):\n"
        '    assert agent_ir({"Pay": "Pay_100.agent", "pay": "pay_200.agent"}[name]) == ir_snapshot\n'
    )
    run(pytester, "--snapshot-update").assert_outcomes(passed=2)
    run(pytester).assert_outcomes(passed=2)
    text = (pytester.path / SNAPSHOT).read_text(encoding="utf-8")
    assert [name for name in ("test_ir[Pay]", "test_ir[pay]") if f"# name: {name}\n" in text] == [
        "test_ir[Pay]",
        "test_ir[pay]",
    ]


def test_plain_snapshots_and_plain_texts_work_too(pytester: pytest.Pytester) -> None:
    (pytester.path / "pay.agent").write_text(PROGRAM, encoding="utf-8")
    pytester.makepyfile(
        test_pay="def test_plain(agent_ir, snapshot):\n"
        '    ir = agent_ir("pay.agent")\n'
        "    assert ir == snapshot\n"
        '    assert len(ir.digest) == 64 and ir.program.agents[0].name == "pay"\n'
        "    assert agent_ir(ir.program) == ir\n"
    )
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("text", "said"), [("AGENT {", "*pay.agent:1:7: error P*"), (None, "pay.agent: No such file*")]
)
def test_what_is_no_program_fails_in_words(pytester: pytest.Pytester, text: str | None, said: str) -> None:
    if text is not None:
        (pytester.path / "pay.agent").write_text(text, encoding="utf-8")
    pytester.makepyfile(test_pay=TEST)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([said])
    result.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    "chosen", [("-k", "Gold"), pytest.param(("-n", "2", "test_pay.py::test_ir[Gold]"), marks=pytest.mark.soak)]
)
def test_updating_one_snapshot_leaves_the_others_alone(pytester: pytest.Pytester, chosen: tuple[str, ...]) -> None:
    """Also one whose test is not chosen, and whose program has changed as well (P-N1)."""
    pytester.makepyfile(
        test_pay="import pytest\n"
        '@pytest.mark.parametrize("name", ["Gold", "Ask"])\n'
        "def test_ir(agent_ir, ir_snapshot, name):\n"
        '    assert agent_ir(f"{name}.agent") == ir_snapshot\n'
    )
    for name in ("Gold", "Ask"):
        (pytester.path / f"{name}.agent").write_text(PROGRAM, encoding="utf-8")
    run(pytester, "--snapshot-update").assert_outcomes(passed=2)
    for name in ("Gold", "Ask"):
        (pytester.path / f"{name}.agent").write_text(PROGRAM.replace("100", "1000"), encoding="utf-8")
    run(pytester, "--snapshot-update", *chosen)
    entries = (pytester.path / SNAPSHOT).read_text(encoding="utf-8").split("# name: ")
    limits = {entry.splitlines()[0]: "1000" in entry for entry in entries[1:]}
    assert limits == {"test_ir[Ask]": False, "test_ir[Gold]": True}
