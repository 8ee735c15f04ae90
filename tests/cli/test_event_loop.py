"""Signals and calls that do not end, under `agentl run` with a host that is awaited."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.folders import Place
from tests.cli.running import command, env

# Each call of `pay` writes a line when it begins and one when it is torn down; SIGNAL comes while it is under way.
SLOW = """\
import asyncio, os, signal, time
from pathlib import Path
from agentl import Symbol
from agentl.aio import AsyncHost
from agentl.kernel import current_action

HERE = Path(__file__).parent


def note(text):
    with open(HERE / "ledger.txt", "a") as file:
        file.write(f"{text} {current_action().idempotency_key}\\n")


async def endless():
    try:
        await asyncio.sleep(60)
    finally:
        note("torn-down")


async def stubborn():
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            note("torn-down")


async def blocking():
    time.sleep(60)


def build():
    host = AsyncHost()
    host.sensors["account.frozen"] = lambda: Symbol("no")

    @host.tool("pay", idempotent=True)
    async def pay(amount, to):
        note("pay")
        if (HERE / "go-on").exists():
            return {"receipt": "R-1"}
        asyncio.get_running_loop().call_later(0, os.kill, os.getpid(), signal.SIGNAL)
        BEFORE
        await WAIT

    @host.tool("note")
    async def say(text):
        pass

    return host
"""


def interrupted(folder: Path, wait: str, signal: str = "SIGINT", before: str = "pass", *options: str) -> Place:
    place = Place(folder)
    place.write("slow.py", SLOW.replace("WAIT", wait).replace("SIGNAL", signal).replace("BEFORE", before))
    ended = place.durable("--host", "slow.py", *options)
    assert ended.code == {"SIGINT": 130, "SIGTERM": 143}[signal], str(ended)
    assert ended.err.splitlines()[-1].endswith(
        f": agentl run desk.agent --durable run --host slow.py{' '.join(['', *options])}"
    )
    assert "Traceback" not in ended.err and "never" not in ended.err
    assert place.entries()[-1]["kind"] == "intent"
    place.write("go-on", "")
    assert place.durable("--host", "slow.py").code == 0
    assert (place.count(), len(set(place.keys()))) == (2, 1)
    return place


@pytest.mark.parametrize("options", [(), ("--tool-timeout", "20s")], ids=["", "limit"])
@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_a_signal_cancels_the_call_in_flight_and_the_next_process_settles_it(
    tmp_path: Path, signal: str, options: tuple[str, ...]
) -> None:
    place = interrupted(tmp_path, "endless()", signal, "pass", *options)
    assert place.count("torn-down") == 1


def test_a_second_signal_does_not_wait_for_a_call_that_will_not_be_torn_down(tmp_path: Path) -> None:
    again = "asyncio.get_running_loop().call_later(0.3, os.kill, os.getpid(), signal.SIGINT)"
    assert interrupted(tmp_path, "stubborn()", "SIGINT", again).count("torn-down") >= 1


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_a_signal_reaches_a_call_that_holds_up_the_loop(tmp_path: Path, signal: str) -> None:
    """The first cancels nothing, because nothing gets a turn."""
    interrupted(tmp_path, "blocking()", signal, f"os.kill(os.getpid(), signal.{signal})")


@pytest.mark.parametrize("wait", ["asyncio.to_thread(time.sleep, 60)", "stubborn()"])
def test_a_call_past_its_time_does_not_keep_the_process(tmp_path: Path, wait: str) -> None:
    place = Place(tmp_path)
    place.write(
        "slow.py",
        "import agentl.durable.driver as d\n\nd.GRACE_S = 0.05\n"
        + SLOW.replace("WAIT", wait).replace("SIGNAL", "SIGWINCH").replace("BEFORE", "pass"),
    )
    root = str(Path(__file__).parents[2])
    arguments = ("run", "desk.agent", "--host", "slow.py", "--durable", "run", "--tool-timeout", "60ms")
    ended = subprocess.run(
        command(*arguments), cwd=tmp_path, env=env(PYTHONPATH=root), capture_output=True, text=True, timeout=30
    )
    assert ended.returncode == 75, ended.stderr
    assert "still under way" in ended.stderr
    assert place.count() == 1
