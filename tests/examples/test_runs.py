"""Every example, run: plainly, durably, killed between an effect and its result, resumed, replayed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from agentl.durable.options import RunOptions
from agentl.durable.replaying import replay
from agentl.durable.run import DurableRun
from agentl.journal.stores.memory import MemoryStore
from agentl.journal.stores.null import NullStore
from agentl.testing.twin import check_chain, check_keys
from examples.procurement import procurement
from tests.cli.running import agentl
from tests.examples.plays import Play, cast, program
from tests.examples.worlds import ENDS, effects, program_of


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of effects of this test's world; it need not survive a power cut."""
    file = tmp_path / "effects.jsonl"
    monkeypatch.setenv("AGENTL_EFFECTS", str(file))
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    return file


def done(world: Path) -> Counter[str]:
    """How often each tool had its effect. No key had two."""
    lines = effects(world)
    assert len({(line["tool"], line["key"]) for line in lines}) == len(lines)
    return Counter(line["tool"] for line in lines)


@pytest.mark.parametrize("name", ENDS)
def test_example_without_a_journal_ends_as_its_readme_says(name: str, world: Path) -> None:
    hosts, models = cast(name)
    run = DurableRun(program(name), hosts, models, store=NullStore())
    run.run()
    assert (run.status, done(world)) == ("completed", ENDS[name])


@pytest.mark.parametrize(("name", "tool"), [*((name, None) for name in ENDS), ("enrichment", "ask_bureau")])
def test_example_killed_after_an_effect_goes_on_to_the_same_end_and_its_export_conforms(
    name: str, tool: str | None, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = Play(name)
    ending = twin.process()
    assert ending is not None
    world.unlink()

    play = Play(name)
    assert play.process(twin.after_an_effect(tool)) is None
    assert 0 < sum(done(world).values()) < sum(ENDS[name].values())
    assert play.process() == ending
    assert done(world) == ENDS[name]
    check_chain(play.journal)
    check_keys(play.journal)

    monkeypatch.setenv("AGENTL_EFFECTS", str(world.with_name("nowhere.jsonl")))
    again = replay(program(name), play.export())
    assert (again.left_over, again.same_trace) == (0, True)
    assert again.served > 0 and not world.with_name("nowhere.jsonl").exists()


@pytest.mark.parametrize("name", ["payment_desk", "harbour"])
def test_example_on_the_command_line_does_everything_once_and_nothing_when_it_is_run_again(
    name: str, tmp_path: Path
) -> None:
    world, folder = tmp_path / "effects.jsonl", str(tmp_path / "run")
    for _ in range(2):
        ended = agentl("run", program_of(name), "--durable", folder, AGENTL_EFFECTS=str(world))
        assert ended.returncode == 0, ended.stderr
        assert done(world) == ENDS[name]


def test_procurement_with_a_budget_for_the_model_goes_on_without_it_and_does_not_count_afresh(world: Path) -> None:
    store, answers = MemoryStore(), 3
    for _ in range(2):
        hosts, models = cast("procurement")
        options = RunOptions(max_cost=answers * float(procurement.COST))
        runtime = DurableRun(program("procurement"), hosts, models, store=store, options=options).run()
        assert runtime.state.get("work.by_rule") == len(procurement.OFFERS) - answers
        assert sum(done(world).values()) == len(procurement.OFFERS)


def test_mail_triage_moves_no_money_whatever_letters_ask_for(world: Path) -> None:
    hosts, models = cast("mail_triage")
    runtime = DurableRun(program("mail_triage"), hosts, models, store=NullStore()).run()
    refused = [event for event in runtime.trace.of_kind("BLOCKED") if event.text.startswith("pay_back(")]
    assert len(refused) == 50 and "pay_back" not in done(world)
