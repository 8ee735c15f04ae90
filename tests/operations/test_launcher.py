"""The launcher: whatever a handler does there is one answer, and nothing of it lives afterwards."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentl.operations.launching import Ended, Launch, Launcher, WorkingFolder
from agentl.operations.processes import descendants, process

SH = "/bin/sh"
NOTHING = Path("/dev/null")


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    started = Launcher()
    started.start()
    yield started
    started.close()


def of(
    script: str, *, stdin: bytes = b"", timeout_ms: int = 10_000, bound: int = 1 << 20, call_id: str = "c:1"
) -> Launch:
    return Launch(call_id, (SH, "-c", script), {"PATH": "/usr/bin:/bin"}, stdin, timeout_ms, bound)


def python(code: str, *, timeout_ms: int = 10_000, bound: int = 1 << 20, lock: int | None = None) -> Launch:
    return Launch("c:py", (sys.executable, "-I", "-S", "-c", code), {}, b"", timeout_ms, bound, lock=lock)


def eventually(holds: Callable[[], bool], within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def is_alive(pid: int) -> bool:
    known = process(pid)
    return known is not None and known.is_alive


def test_streams_and_exit_code_come_back(launcher: Launcher) -> None:
    ended = launcher.launch(of("cat; echo beside >&2; exit 3", stdin=b"in"))
    assert (ended.how, ended.status, ended.stdout, ended.stderr) == ("exited", 3, b"in", b"beside\n")
    assert ended.elapsed_ms >= 1


def test_a_handler_sees_its_environment_and_nothing_of_ours(launcher: Launcher) -> None:
    ended = launcher.launch(Launch("c", ("/usr/bin/env",), {"A": "1"}, b"", 5000, 1000))
    assert ended.stdout == b"A=1\n"


def test_a_handler_inherits_three_streams_and_the_lock(launcher: Launcher, tmp_path: Path) -> None:
    lock = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    seen = launcher.launch(python("import os; print(sorted(os.listdir('/proc/self/fd'))[:-1])", lock=lock))
    os.close(lock)
    assert seen.stdout == b"['0', '1', '2', '3']\n"


def test_a_handler_has_its_own_session_and_no_ignored_or_blocked_signal(launcher: Launcher) -> None:
    ended = launcher.launch(
        python("import os, signal; print(os.getsid(0) == os.getpid(), signal.pthread_sigmask(0, []))")
    )
    assert ended.stdout == b"True set()\n"
    status = launcher.launch(of("grep SigIgn /proc/self/status")).stdout
    ours = ~(0b11 << 31)  # 32 and 33 are the C library's own: nobody can set them back
    assert int(status.split()[1], 16) & ours == 0


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 5 << 20])
def test_payloads_of_any_size_pass_in_and_out(launcher: Launcher, size: int) -> None:
    data = b"x" * size
    assert launcher.launch(of("cat", stdin=data, bound=size)).stdout == data


def test_a_handler_need_not_read_its_input(launcher: Launcher) -> None:
    ended = launcher.launch(of("echo done", stdin=b"x" * (4 << 20)))
    assert (ended.how, ended.stdout) == ("exited", b"done\n")


def test_a_handler_may_close_its_streams_early(launcher: Launcher) -> None:
    ended = launcher.launch(of("echo said; exec <&- >&- 2>&-; sleep 0.2; exit 4"))
    assert (ended.how, ended.status, ended.stdout) == ("exited", 4, b"said\n")


def test_a_call_is_over_when_the_handler_has_exited_though_a_child_holds_its_output(launcher: Launcher) -> None:
    ended = launcher.launch(of("sleep 60 & echo $!"))
    assert ended.how == "exited" and ended.elapsed_ms < 20_000
    assert not is_alive(int(ended.stdout))


def test_what_a_child_writes_after_the_exit_is_not_waited_for(launcher: Launcher) -> None:
    ended = launcher.launch(of("(sleep 0.5; echo late) & echo first"))
    assert ended.stdout == b"first\n"


def test_a_child_that_left_the_session_is_killed_with_its_call(launcher: Launcher, tmp_path: Path) -> None:
    up = tmp_path / "up"
    ended = launcher.launch(of(f"setsid sh -c 'echo $$; touch {up}; exec sleep 60' & {until(up)}"))
    assert ended.how == "exited"
    assert not is_alive(int(ended.stdout))


def test_a_daemon_of_a_call_that_runs_on_is_left_alone_until_its_end(launcher: Launcher, tmp_path: Path) -> None:
    go = tmp_path / "go"
    with ThreadPoolExecutor() as pool:
        script = f"(setsid sh -c 'echo $$; exec sleep 60' &) ; {until(go)}"
        long = pool.submit(launcher.launch, of(script, call_id="long"))
        assert eventually(lambda: bool(daemons(launcher)))
        assert launcher.launch(of("true", call_id="short")).how == "exited"
        (daemon,) = daemons(launcher)
        go.touch()
        assert int(long.result(20).stdout) == daemon
    assert not is_alive(daemon)


def test_the_time_out_kills_everything_below_with_no_grace(launcher: Launcher) -> None:
    ended = launcher.launch(of("trap '' TERM INT HUP; sleep 60 & echo $!; wait", timeout_ms=300))
    assert (ended.how, ended.status) == ("timed_out", None)
    assert 300 <= ended.elapsed_ms < 10_000
    assert not is_alive(int(ended.stdout))


def test_a_storm_of_processes_ends_at_the_time_out(launcher: Launcher) -> None:
    storm = "while :; do setsid sleep 5 & done"
    ended = launcher.launch(of(storm, timeout_ms=300))
    assert ended.how == "timed_out" and ended.elapsed_ms < 10_000
    assert descendants(launcher.pid or 0) == []
    assert launcher.launch(of("echo on")).stdout == b"on\n"


def test_a_stopped_handler_times_out_as_well(launcher: Launcher) -> None:
    assert launcher.launch(of("kill -STOP $$", timeout_ms=200)).how == "timed_out"


@pytest.mark.parametrize(("size", "how"), [(1000, "exited"), (1001, "too_large")])
def test_the_bound_of_the_output_is_exact(launcher: Launcher, size: int, how: str) -> None:
    ended = launcher.launch(of(f"head -c {size} /dev/zero", bound=1000))
    assert (ended.how, len(ended.stdout)) == (how, size if how == "exited" else 0)


def test_endless_output_is_killed_while_it_is_written(launcher: Launcher) -> None:
    ended = launcher.launch(of("cat /dev/zero", bound=1 << 20))
    assert ended.how == "too_large" and ended.elapsed_ms < 20_000


def test_of_stderr_the_last_16_kib_are_kept(launcher: Launcher) -> None:
    ended = launcher.launch(of("head -c 300000 /dev/zero >&2; printf end >&2"))
    assert len(ended.stderr) == 16 * 1024 and ended.stderr.endswith(b"\0end")


def test_death_by_signal_is_told_as_such(launcher: Launcher) -> None:
    ended = launcher.launch(of("kill -SEGV $$"))
    assert (ended.how, ended.status) == ("signalled", signal.SIGSEGV)


@pytest.mark.parametrize("code", [1, 126, 127, 255])
def test_any_exit_code_comes_back(launcher: Launcher, code: int) -> None:
    assert launcher.launch(of(f"exit {code}")).status == code


def test_what_cannot_be_run_was_not_started(launcher: Launcher, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    for program in ("/no/such/program", str(tmp_path), str(broken)):
        ended = launcher.launch(Launch("c", (program,), {}, b"", 1000, 10))
        assert ended.how == "not_started" and ended.status
    assert launcher.launch(of("echo on")).stdout == b"on\n"


def test_the_working_folder_is_the_one_that_was_opened(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    folder = WorkingFolder.open(tmp_path / "here")
    launch = Launch("c", (SH, "-c", "pwd"), {"PATH": "/bin"}, b"", 1000, 1000, cwd=folder)
    assert launcher.launch(launch).stdout.decode().strip() == str(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "away")
    (tmp_path / "here").mkdir()
    assert launcher.launch(launch) == Ended("not_started", errno.ESTALE)
    folder.close()


def test_several_calls_are_served_at_once(launcher: Launcher) -> None:
    start = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(launcher.launch, of(f"sleep 1; echo {n}", call_id=f"c:{n}")) for n in range(8)]
        answers = [call.result().stdout for call in calls]
    assert answers == [f"{n}\n".encode() for n in range(8)]
    assert time.monotonic() - start < 7


def test_a_call_can_be_killed_by_its_id(launcher: Launcher) -> None:
    assert launcher.kill("c:1") is False
    with ThreadPoolExecutor() as pool:
        call = pool.submit(launcher.launch, of("sleep 60"))
        assert eventually(lambda: bool(descendants(launcher.pid or 0)))
        assert launcher.kill("c:other") is False
        assert launcher.kill("c:1") is True
        ended = call.result(20)
    assert (ended.how, ended.status) == ("signalled", signal.SIGKILL)


def test_when_the_launcher_dies_its_calls_are_lost_and_another_one_is_started(launcher: Launcher) -> None:
    with ThreadPoolExecutor() as pool:
        call = pool.submit(launcher.launch, of("exec sleep 60"))
        assert eventually(lambda: bool(descendants(launcher.pid or 0)))
        first = launcher.pid
        assert first is not None
        (handler, *_) = [each.pid for each in descendants(first)]
        os.kill(first, signal.SIGKILL)
        assert call.result(20).how == "lost"
    assert eventually(lambda: not is_alive(handler))
    assert launcher.launch(of("echo again")).stdout == b"again\n"
    assert launcher.pid != first


@pytest.mark.parametrize("size", [0, 8 << 20])
def test_a_launcher_that_hangs_is_replaced_and_holds_nobody_up(size: int) -> None:
    launcher = Launcher(silence_s=0.3)
    launcher.start()
    first = launcher.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    assert launcher.launch(of("cat", stdin=b"x" * size, timeout_ms=100)).how == "lost"
    assert launcher.launch(of("echo again")).stdout == b"again\n"
    assert launcher.pid != first
    launcher.close()


def test_a_signal_to_every_process_is_left_to_the_server(launcher: Launcher) -> None:
    with ThreadPoolExecutor() as pool:
        call = pool.submit(launcher.launch, of("sleep 0.5; echo ended in order"))
        assert eventually(lambda: bool(descendants(launcher.pid or 0)))
        assert launcher.pid is not None
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.kill(launcher.pid, name)
        assert call.result(20).stdout == b"ended in order\n"


def test_closing_ends_what_runs(launcher: Launcher) -> None:
    with ThreadPoolExecutor() as pool:
        call = pool.submit(launcher.launch, of("setsid sleep 60 & sleep 60"))
        assert eventually(lambda: len(descendants(launcher.pid or 0)) >= 3)
        assert launcher.pid is not None
        below = [each.pid for each in descendants(launcher.pid)]
        launcher.close()
        assert call.result(20).how == "lost"
    assert not any(is_alive(pid) for pid in below)
    assert launcher.launch(of("echo no")) == Ended("not_started")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_when_the_owner_is_killed_nothing_of_it_lives(end: signal.Signals, tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    script = f"setsid sh -c 'echo $$ >> {marker}; exec sleep 60' & echo $$ >> {marker}; sleep 60"
    code = (
        "from agentl.operations.launching import Launch, Launcher\n"
        f"Launcher().launch(Launch('c', ('/bin/sh', '-c', {script!r}), {{'PATH': '/usr/bin:/bin'}}, b'', 60000, 100))"
    )
    owner = subprocess.Popen([sys.executable, "-c", code])
    assert eventually(lambda: marker.exists() and len(marker.read_text().split()) == 2)
    pids = [int(line) for line in marker.read_text().split()] + [each.pid for each in descendants(owner.pid)]
    assert len(set(pids)) >= 4
    owner.send_signal(end)
    owner.wait()
    assert eventually(lambda: not any(is_alive(pid) for pid in pids))


def test_the_launcher_loads_the_standard_library_only(launcher: Launcher) -> None:
    assert launcher.pid is not None
    maps = Path(f"/proc/{launcher.pid}/maps").read_text()
    assert "pydantic" not in maps
    code = "import sys, agentl.operations.launcher; print(*(n for n in sys.modules if n.startswith('agentl')))"
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"agentl", "agentl.operations"} | {
        f"agentl.operations.{name}" for name in ("calls", "frames", "launcher", "processes", "spawning")
    }


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def daemons(launcher: Launcher) -> list[int]:
    """The processes below the launcher that sleep in a session of their own."""
    assert launcher.pid is not None
    below = descendants(launcher.pid)
    return [each.pid for each in below if each.session == each.pid and _command(each.pid).startswith("sleep")]


def until(file: Path) -> str:
    """A line of the shell that waits for a file."""
    return f"while [ ! -e {file} ]; do sleep 0.02; done"
