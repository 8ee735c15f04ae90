"""The sandbox: what a handler cannot see, cannot reach and cannot outlive (contract §6, Handler)."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting.manifest import Binding
from agentl.operations.handler_errors import HandlersRefused, SandboxMissing
from agentl.operations.handlers import Handlers
from agentl.operations.launching import Launch, Launcher
from agentl.operations.processes import descendants, process
from agentl.operations.sandbox import View, choose_sandbox, reachable
from agentl.operations.secrets import DirectorySecrets
from agentl.operations.tool_calls import Applied
from tests.operations.handler_folder import Place, call, needs_bwrap, place, python, shell

LOOK = """
import os, socket, subprocess, resource, sys

def probe(paths=(), write=(), port=0, run=""):
    seen = {path: _listed(path) for path in paths}
    written = {path: _wrote(path) for path in write}
    return {
        "seen": seen, "written": written, "env": dict(os.environ), "connected": bool(port) and _connected(port),
        "run": subprocess.run(run, shell=True, capture_output=True, text=True).stdout if run else "",
        "limits": [resource.getrlimit(getattr(resource, "RLIMIT_" + n))[0] for n in ("NPROC", "NOFILE", "CORE")],
        "fds": sorted(os.listdir("/proc/self/fd"))[:-1],
        "caps": [l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff")][0],
        "pids": sorted(int(n) for n in os.listdir("/proc") if n.isdigit()), "uid": os.getuid(), "cwd": os.getcwd(),
    }

def _listed(path):
    try:
        return sorted(os.listdir(path)) if os.path.isdir(path) else open(path, "rb").read().decode("utf-8", "replace")
    except OSError:
        return None

def _wrote(path):
    try:
        with open(path, "w") as file:
            file.write("written")
        return True
    except OSError:
        return False

def _connected(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
        return True
    except OSError:
        return False
"""

pytestmark = needs_bwrap


@pytest.fixture
def here(tmp_path: Path) -> Place:
    made = place(tmp_path / "place")
    made.program("look.py", LOOK)
    return made


def probe(here: Place, *grants: str, others: tuple[Binding, ...] = (), **asked: Any) -> dict[str, Any]:
    """What a handler with these grants finds."""
    look = python("look:probe", grants=grants)
    handlers = here.handlers(look, *others, sandbox="require", environ={"SERVER_KEY": "of-the-server"})
    handlers.check()
    assert handlers.sandbox_mode == "enforced" and handlers.why_declared is None
    answer = handlers.launch(look, call(**asked)).answer
    said = handlers.stderr(call().call_id)
    handlers.close()
    assert isinstance(answer, Applied), f"{answer} {said}"
    return answer.output


def seen(here: Place, *paths: Path | str, grants: tuple[str, ...] = (), others: tuple[Binding, ...] = ()) -> list[Any]:
    found = probe(here, *grants, others=others, paths=[str(path) for path in paths])["seen"]
    return [found[str(path)] for path in paths]


def test_a_handler_cannot_read_the_state_folder(here: Place) -> None:
    here.secret("api_key", "value")
    (here.state / "journal.db").write_text("entries")
    assert seen(here, here.state, here.state / "journal.db") == [None, None]


def test_a_handler_cannot_read_a_secret_it_was_not_granted(here: Place) -> None:
    here.secret("api_key", "granted")
    here.secret("other", "other-value")
    found = probe(here, "secret:api_key", paths=[str(here.secrets / "other"), str(here.secrets)])
    assert found["seen"] == {str(here.secrets / "other"): None, str(here.secrets): None}


def test_a_handler_has_the_secret_it_was_granted(here: Place) -> None:
    here.secret("api_key", "granted")  # too short to be refused in the output
    assert probe(here, "secret:api_key")["env"]["SECRET_API_KEY"] == "granted"


def test_a_handler_cannot_read_the_environment_of_the_server(here: Place) -> None:
    found = probe(here, paths=[f"/proc/{os.getpid()}/environ", f"/proc/{os.getppid()}/environ"])
    assert set(found["env"]) == {"PATH", "LANG", "PWD"}
    assert list(found["seen"].values()) == [None, None]
    assert len(found["pids"]) <= 3 and os.getpid() not in found["pids"]
    assert "of-the-server" not in json.dumps(found)


@pytest.mark.parametrize("network", [False, True])
def test_there_is_no_network_unless_it_is_granted(here: Place, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = probe(here, *(["network"] if network else []), port=server.getsockname()[1])
    assert found["connected"] is network


def test_a_handler_sees_no_home_no_run_and_no_other_root(here: Place) -> None:
    assert seen(here, "/home", "/run", "/var", "/srv", "/etc/shadow", "/sys", "/tmp/..")[:-1] == [None] * 6
    assert not seen(here, "/etc/ssl/private")[0]
    (root,) = seen(here, "/")
    assert set(root) & {"home", "run", "var", "srv", "mnt", "media", "boot", "sys"} == set()


def test_nothing_can_be_written_but_in_an_empty_tmp(here: Place) -> None:
    paths = [str(here.folder / "new"), "/usr/new", "/new", "/etc/new", "/tmp/new"]
    assert list(probe(here, write=paths)["written"].values()) == [False, False, False, False, True]
    assert not Path("/tmp/new").exists()
    assert str(here.folder) not in seen(here, "/tmp")


def test_paths_are_readable_or_writable_as_granted(here: Place, tmp_path: Path) -> None:
    for name in ("inputs", "outputs"):
        (tmp_path / name).mkdir()
    (tmp_path / "inputs" / "a").write_text("text")
    (here.folder / "data").mkdir()
    grants = [f"fs-read:{tmp_path}/inputs", f"fs-write:{tmp_path}/outputs", "fs-write:data"]
    write = [str(tmp_path / "inputs" / "b"), str(tmp_path / "outputs" / "b"), str(here.folder / "data" / "b")]
    found = probe(here, *grants, paths=[str(tmp_path / "inputs" / "a")], write=write)
    assert list(found["seen"].values()) == ["text"]
    assert list(found["written"].values()) == [False, True, True]
    assert (tmp_path / "outputs" / "b").read_text() == "written"


def test_a_handler_cannot_see_what_another_one_is_granted(here: Place, tmp_path: Path) -> None:
    for folder in (here.folder / "ours", here.folder / "theirs", tmp_path / "theirs"):
        folder.mkdir()
        (folder / "file").write_text("x")
    (here.folder / "one").write_text("theirs as well")
    other = shell("true", name="Other", grants=["fs-write:theirs", f"fs-read:{tmp_path}/theirs", "fs-write:one"])
    found = seen(here, "ours", "theirs", tmp_path / "theirs", "one", grants=("fs-read:ours",), others=(other,))
    assert found == [["file"], [], None, None]


def test_limits_and_privileges_are_those_of_the_contract(here: Place) -> None:
    found = probe(here)
    assert found["limits"] == [128, 256, 0]
    assert int(found["caps"], 16) == 0
    assert set(found["fds"]) <= {"0", "1", "2", "3"}
    assert found["cwd"] == str(here.folder)


def test_a_python_handler_runs_in_it_with_its_own_packages_only(here: Place) -> None:
    found = probe(here, run=f"{sys.executable} -I -c 'import agentl; print(agentl.__file__)'")
    assert found["run"].strip().endswith("agentl/__init__.py")


def test_the_state_folder_is_hidden_even_where_its_parent_is_shown(here: Place, tmp_path: Path) -> None:
    with pytest.raises(HandlersRefused) as refused:
        probe(here, f"fs-read:{here.state.parent}")
    assert refused.value.code == "O208"


@pytest.mark.parametrize("grant", ["fs-read:/", "fs-read:/run", "fs-write:/run/lock", f"fs-read:{Path.home()}"])
def test_what_no_handler_may_see_cannot_be_granted(here: Place, grant: str) -> None:
    if not Path(grant.partition(":")[2]).exists():
        grant = "fs-read:/run"
    with pytest.raises(HandlersRefused) as refused:
        probe(here, grant)
    assert refused.value.code == "O208"


def test_what_is_ours_is_hidden_wherever_it_lies(here: Place, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    (installed / "state").mkdir(parents=True)
    for name in ("token", "state/journal.db", "program"):
        (installed / name).write_text(name)
    hidden = (installed / "token", installed / "state", installed / "not-yet")
    view = View(here.folder, here.folder, programs=(installed,), hidden=hidden)
    argv = ("/bin/sh", "-c", f"cd {installed}; ls; ls state; cat token program 2>&1")
    launcher = Launcher()
    confined = choose_sandbox("require", launcher, "/usr/bin:/bin").wrap(argv, view, locked=False)
    ended = launcher.launch(Launch("c", confined, {"PATH": "/usr/bin:/bin"}, b"", 10_000, 1000, sandboxed=True))
    launcher.close()
    shown = ended.stdout.decode()
    assert shown.startswith("program\nstate\ntoken\ncat: token: ") and shown.endswith("program")
    assert "journal.db" not in shown


def test_neither_state_nor_token_file_may_lie_in_the_folder(here: Place) -> None:
    (here.folder / "token").touch()
    provider = DirectorySecrets(here.secrets)
    handlers = Handlers(here.folder, [], here.state, provider, "require", hidden=[here.folder / "token"])
    with pytest.raises(HandlersRefused) as refused:
        handlers.check()
    assert refused.value.code == "O210"


def test_a_home_is_not_served_as_a_folder_of_handlers(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here.folder))
    with pytest.raises(HandlersRefused) as refused:
        probe(here)
    assert refused.value.code == "O210"
    here.handlers(sandbox="off").check()


def test_everything_in_it_dies_with_the_handler_and_with_the_time_out(here: Place) -> None:
    for timeout_ms, script in ((10_000, "setsid sleep 61 & exit 0"), (300, "setsid sleep 61 & sleep 61")):
        leaves = shell(script, timeout_ms=timeout_ms)
        handlers = here.handlers(leaves, sandbox="require")
        handlers.check()
        handlers.launch(leaves, call())
        pid = handlers._launcher.pid
        assert pid is not None and descendants(pid) == []
        handlers.close()


OWNER = """
import sys
from pathlib import Path
from tests.operations.handler_folder import Place, call, shell
here = Place.__new__(Place)
here.folder, here.state, here.secrets = map(Path, sys.argv[1:4])
sleeps = shell("setsid sleep 62 & sleep 62", timeout_ms=60000)
handlers = here.handlers(sleeps, sandbox="require")
handlers.check()
handlers.launch(sleeps, call())
"""


@pytest.mark.parametrize("victim", ["owner", "launcher"])
def test_a_handler_dies_with_its_parent(here: Place, victim: str) -> None:
    arguments = [str(here.folder), str(here.state), str(here.secrets)]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, *arguments], cwd=Path(__file__).parents[2], stderr=-3)
    try:
        assert _eventually(lambda: len(_sleepers(owner.pid)) == 2)
        sleepers = _sleepers(owner.pid)
        (launcher,) = (each for each in descendants(owner.pid) if each.parent == owner.pid)
        os.kill(owner.pid if victim == "owner" else launcher.pid, 9)
        assert _eventually(lambda: not any((known := process(pid)) and known.is_alive for pid in sleepers))
    finally:
        owner.kill()
        owner.wait()


def test_what_bwrap_cannot_do_is_found_at_start(tmp_path: Path) -> None:
    launcher = Launcher()
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")
    fake.chmod(0o755)
    for path, said in ((str(tmp_path / "empty"), "not in PATH"), (str(tmp_path), "No permissions")):
        declared = choose_sandbox("auto", launcher, path)
        assert declared.mode == "declared" and said in str(declared.why)
        assert declared.wrap(("a", "b"), View(tmp_path, tmp_path)) == ("a", "b")
        with pytest.raises(SandboxMissing, match=said):
            choose_sandbox("require", launcher, path)
    assert choose_sandbox("off", launcher, "/usr/bin").mode == "declared"
    assert choose_sandbox("auto", launcher, "/usr/bin:/bin").mode == "enforced"
    launcher.close()


def test_a_program_behind_a_link_that_is_not_there_goes_by_its_own_name(tmp_path: Path) -> None:
    usr, alternatives = tmp_path / "usr", tmp_path / "etc"
    for folder in (usr, alternatives):
        folder.mkdir()
    (usr / "real").touch()
    (usr / "near").symlink_to("real")
    (alternatives / "tool").symlink_to(usr / "real")
    (usr / "far").symlink_to(alternatives / "tool")
    assert [reachable(str(usr / name), [usr]) for name in ("real", "near", "far")] == [
        str(usr / name) for name in ("real", "near", "real")
    ]


def _sleepers(pid: int) -> list[int]:
    found = []
    for each in descendants(pid):
        try:
            if b"sleep\x0062" in Path(f"/proc/{each.pid}/cmdline").read_bytes():
                found.append(each.pid)
        except OSError:
            continue
    return found


def _eventually(holds: Callable[[], bool], within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()
