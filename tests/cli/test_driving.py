"""What a host module may give `agentl run`: an async `build()`, Limits, async models; and its other commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import test_infer
from tests.cli.folders import PROGRAM, Place
from tests.cli.test_async_host import APPROVED, place_of
from tests.durable.processes import agentl

BUILT = """\
import asyncio
from agentl import Host, MockLLM, Symbol
from agentl.aio import AsyncHost, Limits

async def connected():
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    return loop

async def slow(*args, **named):
    await asyncio.sleep(60)

async def build():
    loop = await connected()
    host = AsyncHost()

    @host.sensor("account.frozen")
    async def frozen():
        return Symbol("no")

    @host.tool("pay")
    async def pay(amount, to):
        assert asyncio.get_running_loop() is loop, "what build() has opened belongs to another loop"
        return {"receipt": "R-1"}

    @host.tool("note")
    def note(text):
        pass

    CHANGED
    return host, None, LIMITS
"""


NO_GRACE = "import agentl.durable.driver; agentl.durable.driver.GRACE_S = 0;"


def built(folder: Path, changed: str = "pass", limits: str = "None", program: str = PROGRAM) -> Place:
    place = Place(folder, program)
    place.write("desk.py", BUILT.replace("CHANGED", changed).replace("LIMITS", limits))
    return place


def test_build_may_be_async_and_has_the_loop_of_the_run(tmp_path: Path) -> None:
    ended = built(tmp_path).run()
    assert ended.code == 0, str(ended)
    assert "tool calls: 2" in ended.out and "failures: 0" in ended.out


def test_an_error_in_an_async_build_is_shown_at_its_line(tmp_path: Path) -> None:
    ended = built(tmp_path, 'raise ValueError("no such bank")').run()
    assert ended.code == 2
    assert "no such bank" in ended.err
    assert 'raise ValueError("no such bank")' in ended.err


def test_an_async_build_is_interrupted(tmp_path: Path) -> None:
    ended = built(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGTERM); await slow()").run()
    assert (ended.code, "Traceback" in ended.err) == (143, False)


@pytest.mark.parametrize(
    ("changed", "limits", "traced"),
    [
        ('host.sensors["account.frozen"] = slow', "read_timeout=0.02", "OBSERVE account.frozen is silent"),
        (
            f'{NO_GRACE} host.tools["pay"] = slow; host.approver = lambda request: True',
            "tool_timeout=0.02",
            "ActionInDoubt",
        ),
        ("host.approver = slow", "human_timeout=0.02", "approval refused"),
    ],
)
def test_limits_that_come_with_the_host_hold(tmp_path: Path, changed: str, limits: str, traced: str) -> None:
    ended = built(tmp_path, changed, f"Limits({limits})", APPROVED).run("--ticks", "1")
    assert traced in ended.out, str(ended)


# --- models


REASON = """\
AGENT a {
    TOOL note { INPUT { text: String }  RISK LOW }
    PLAN p WHEN TRUE { REASON { TASK "think" PRODUCE { c: Number } } IF c == 5 THEN note(text = "five") }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}
"""
MODEL = """
from agentl import LLM

class Model(LLM):
    async def reason(self, task, context, produce):
        self.last_usage = {"input_tokens": 60}
        return {"c": 5}

def build_with_model():
    return build_host(), Model()

build_host, build = build, build_with_model
"""


@pytest.mark.parametrize("host", ["desk.py", "awaited.py"])
def test_a_model_may_be_async_beside_any_host(tmp_path: Path, host: str) -> None:
    place = place_of(tmp_path, REASON)
    text = (place.folder / host).read_text(encoding="utf-8")
    place.write("host.py", text + MODEL)
    ended = place.run("--host", "host.py", "--durable", "run")
    assert ended.code == 0, str(ended)
    assert place.count("note") == 1
    (asked,) = [entry for entry in place.entries() if entry["kind"] == "reason"]
    assert asked["usage"] == {"$dict": [["input_tokens", 60]]}
    assert place.run("--host", "host.py", "--max-tokens", "50").code == 0
    assert place.count("note") == 2


# --- the commands that look


@pytest.mark.parametrize("name", ["infer", "plan"])
def test_what_is_perceived_is_the_same(tmp_path: Path, name: str) -> None:
    (tmp_path / "desk.agent").write_text(test_infer.PROGRAM, encoding="utf-8")
    (tmp_path / "desk.py").write_text(test_infer.HOST, encoding="utf-8")
    awaited = "import desk\nfrom tests.aio.awaited import AwaitedHost\n\ndef build():\n    host, model = desk.build()\n"
    (tmp_path / "awaited.py").write_text(awaited + "    return AwaitedHost(host), model\n", encoding="utf-8")
    called, found = (
        agentl(name, "desk.agent", "--format", "json", "--host", host, cwd=tmp_path)
        for host in ("desk.py", "awaited.py")
    )
    assert called.code == 0, str(called)
    assert found == called
    assert not (tmp_path / "ledger.txt").exists()


@pytest.mark.parametrize("name", ["infer", "plan"])
def test_live_ticks_are_the_same(tmp_path: Path, name: str) -> None:
    one, other = place_of(tmp_path / "one"), place_of(tmp_path / "other")
    options = (name, "desk.agent", "--live", "--ticks", "2", "--host")
    called, awaited = one.agentl(*options, "desk.py"), other.agentl(*options, "awaited.py")
    assert called.code == 0, str(called)
    assert awaited == called
    assert (one.count(), other.count()) == (1, 1)
