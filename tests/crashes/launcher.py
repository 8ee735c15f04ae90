"""Starts real processes that kill themselves: one warmed parent with an environment of its own, one child a process.

`python launcher.py` reads one request a line (JSON) from its input and answers each with a line. A request names the
example, the variant of its host, the folders, and the cut; the child is the process under test, and its SIGKILL is a
real one, sent to itself inside the system call that is cut.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import asdict
from typing import Any

from agentl.journal.clocks import SystemClocks
from agentl.journal.errors import OwnedElsewhere, StorageFailure
from agentl.journal.stores import FileStore
from agentl.testing.crash import Cut, Knife
from agentl.testing.disk import CuttingCalls
from agentl.testing.outside import Ledger
from agentl.testing.twin import run_once
from tests.crashes.stage import PROGRAMS, Stage, program_of


def kill_oneself(operation: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def process(request: dict[str, Any]) -> dict[str, Any]:
    """The process under test: start or resume the run, and say how it ended."""
    os.environ["AGENTL_EFFECTS"] = request["effects"]
    os.environ["AGENTL_BANK"] = request["bank"]
    stage = Stage(request["name"], request["variant"], Ledger(request["ledger"]))
    cut = Cut(*request["cut"]) if request["cut"] else None
    knife = Knife(cut, kill_oneself)
    touched: list[int] = []
    host, llm = stage.cast(lambda effect: touched.append(len(knife.operations)))
    for one in host.values() if isinstance(host, dict) else [host]:
        one.reconciler_after_s.update(dict.fromkeys(one.reconcilers, 0.0))
    store = FileStore(request["folder"], syscalls=CuttingCalls(knife))
    ending = run_once(program_of(request["name"]), host, store, clocks=SystemClocks(), run_id="twin", llm=llm)
    assert ending is not None
    return {
        **asdict(ending),
        "operations": len(knife.operations),
        "touched": touched,
    }


def launch(request: dict[str, Any]) -> dict[str, Any]:
    """Fork the process and wait for its end: {"code": …, "ending": …}; a signal is a negative code."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            os.close(reading)
            answer = json.dumps(process(request)).encode()
            while answer:
                answer = answer[os.write(writing, answer) :]
            code = 0
        except OwnedElsewhere as error:
            print(error, file=sys.stderr)
            code = 4
        except StorageFailure as error:
            print(error, file=sys.stderr)
            code = 5
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        text = answers.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {"code": code, "ending": json.loads(text) if text else None}


def main() -> None:
    for name in PROGRAMS:
        program_of(name)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(launch(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
