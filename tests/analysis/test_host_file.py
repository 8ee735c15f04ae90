"""What can be read off the Python file beside a program, and what only running it could tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.analysis.files import check_bytes
from agentl.analysis.host_file import HostFile, unpromised_in

REGISTRATIONS = """
def build():
    host = Host()

    @host.tool("plain")
    def plain(): ...

    @host.tool("keyed", idempotent=True)
    def keyed(): ...

    @host.tool("perhaps", idempotent=WITH_KEYS)
    def perhaps(): ...

    @host.tool("open", **options)
    def opened(): ...

    @host.tool("asked")
    def asked(): ...

    @host.reconciler("asked")
    def was_asked(args, context): ...

    host.tools["assigned"] = lambda: None
    host.tools["looked_up"] = lambda: None
    host.reconcilers["looked_up"] = lambda args, context: None
    host.tools["late"] = lambda: None
    host.idempotent_tools.add("late")
    host.sensors["disk.free"] = lambda: 3
    return host
"""


def test_tools_without_a_promise_are_those_registered_by_name_with_neither_key_nor_look_up() -> None:
    assert unpromised_in(REGISTRATIONS) == {"plain", "assigned"}


@pytest.mark.parametrize(
    "line",
    [
        "host.tool(name)(f)",
        "host.reconciler(f'{name}')(f)",
        "host.tools.update(shared)",
        "host.tools = shared",
        "host.reconcilers[name] = f",
        "host.idempotent_tools.update(names)",
        "host.idempotent_tools = names",
    ],
)
def test_a_registration_that_only_running_could_tell_makes_the_host_unknown(line: str) -> None:
    assert unpromised_in(f'host.tool("plain")(f)\n{line}\n') is None


@pytest.mark.parametrize("source", ["def (", "x = \x00", b"\xff\xfe", "("])
def test_what_is_no_python_is_unknown(source: str | bytes) -> None:
    assert unpromised_in(source) is None


def test_the_file_beside_the_program_is_read_and_never_run(tmp_path: Path) -> None:
    host = 'raise SystemExit\nhost.tool("pay")(f)\n'
    (tmp_path / "desk.py").write_text(host, encoding="utf-8")
    text = "AGENT desk { GOAL { a.b } TOOL pay { SIDE_EFFECT { till } } EVENT e { pay() } }"
    found = check_bytes(text.encode(), str(tmp_path / "desk.agent"))
    assert [finding.code for finding in found.diagnostics] == ["W240"]
    assert check_bytes(text.encode(), str(tmp_path / "alone.agent")).diagnostics == ()
    assert HostFile(str(tmp_path / "alone.agent")).unpromised is None
