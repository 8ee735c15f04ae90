"""`agentl mcp` with the address of a server, and runs whose tools are there: as real processes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.running import agentl
from tests.hosting.mcp.kit import TRANSFER, Bank, Served

TOKEN = "marker-5e1f0c9a7d"
HOST = """\
from pathlib import Path
from agentl.hosting.mcp import mcp_host

def build():
    entry = {{"url": "{url}", "headers": {{"Authorization": "Bearer ${{BANK_TOKEN}}"}}}}
    return mcp_host(entry, "bank", pinned=Path(__file__).with_suffix(".agent"))
"""


ASYNC_HOST = """\
from pathlib import Path
from agentl.hosting.mcp import AsyncMCPHost

async def build():
    host = AsyncMCPHost()
    entry = {{"url": "{url}", "headers": {{"Authorization": "Bearer ${{BANK_TOKEN}}"}}}}
    host.connect(entry, "bank", pinned=Path(__file__).with_suffix(".agent"))
    return host
"""


def imported(served: Served, plan: str, host: str = HOST) -> Path:
    """Import the tools, judge them as a person would, and put a host beside the program."""
    folder = served.bank.folder
    done = agentl("mcp", "import", served.url, "--server", "bank", *AUTHORIZED, cwd=folder, BANK_TOKEN=TOKEN)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    program = folder / "bank.agent"
    rest = f"POLICY {{ DEFAULT ALLOW }} PLAN work WHEN 1 == 1 {{ {plan} }} LOOP MAX 1 {{ SELECT_PLAN EXECUTE }}"
    text = program.read_text(encoding="utf-8").replace("RISK UNSET", "RISK LOW")
    program.write_text(text.replace("POLICY { DEFAULT DENY }", rest), encoding="utf-8")
    (folder / "bank.py").write_text(host.format(url=served.url), encoding="utf-8")
    return program


def run(program: Path, folder: str = "run") -> subprocess.CompletedProcess[str]:
    return agentl("run", str(program), "--durable", str(program.parent / folder), BANK_TOKEN=TOKEN)


AUTHORIZED = ("--bearer-env", "BANK_TOKEN")


def test_the_tools_at_an_address_are_listed_under_its_host_or_the_name_given(tmp_path: Path) -> None:
    with Bank(tmp_path).served("http") as served:
        listed = agentl("mcp", "list", served.url)
        named = agentl("mcp", "list", served.url, "--server", "bank", "--transport", "http")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.startswith('server "127.0.0.1": 9 tools, catalogue sha256:')
    assert "\n  transfer\n" in listed.stdout
    assert named.stdout == listed.stdout.replace("127.0.0.1", "bank")


def test_an_older_server_is_listed_over_sse(tmp_path: Path) -> None:
    with Bank(tmp_path).served("sse") as served:
        done = agentl("mcp", "list", served.url, "--transport", "sse")
    assert (done.returncode, done.stderr) == (0, "") and "transfer" in done.stdout


def test_headers_come_from_the_environment_by_name(tmp_path: Path) -> None:
    with Bank(tmp_path).served("http", BANK_TOKEN=TOKEN) as served:
        kept_out = agentl("mcp", "list", served.url, BANK_TOKEN=TOKEN)
        let_in = agentl("mcp", "list", served.url, *AUTHORIZED, BANK_TOKEN=TOKEN)
        by_header = agentl(
            "mcp", "list", served.url, "--header-env", "Authorization=BANK_HEADER", BANK_HEADER=f"Bearer {TOKEN}"
        )
    assert kept_out.returncode == 2 and "H043" in kept_out.stderr and "--bearer-env NAME" in kept_out.stderr
    assert (let_in.returncode, by_header.returncode) == (0, 0)


def test_imported_tools_run_once_a_person_has_judged_them_and_never_after_the_server_changed(tmp_path: Path) -> None:
    bank = Bank(tmp_path)
    with bank.served("http", BANK_TOKEN=TOKEN) as served:
        program = imported(served, TRANSFER)
        done = run(program)
        assert done.returncode == 0 and len(done.stderr.splitlines()) == 1, done.stderr
        assert len(bank.calls("transfer")) == 1
        served.kill()
        served.start("drifted")
        changed = run(program)
    assert changed.returncode == 3 and "H035" in changed.stderr and 'changed: "transfer"' in changed.stderr
    assert len(bank.calls("transfer")) == 1


@pytest.mark.parametrize("host", [HOST, ASYNC_HOST], ids=["called", "awaited"])
def test_a_server_that_dies_in_a_call_ends_with_75_and_is_not_called_again(host: str, tmp_path: Path) -> None:
    bank = Bank(tmp_path)
    with bank.served("http", BANK_TOKEN=TOKEN) as served:
        program = imported(served, f"{TRANSFER} bank__die()", host)
        first = run(program)
        served.start()
        again = run(program)
    assert (first.returncode, again.returncode) == (75, 75), first.stderr + again.stderr
    assert "Traceback" not in first.stderr + again.stderr and "never retrieved" not in first.stderr
    assert "H050" in (tmp_path / "run" / "wal.jsonl").read_text(encoding="utf-8")
    assert (len(bank.calls("transfer")), len(bank.calls("die"))) == (1, 1)


def test_a_server_that_is_away_stops_a_resume_before_anything(tmp_path: Path) -> None:
    bank = Bank(tmp_path)
    with bank.served("http", BANK_TOKEN=TOKEN) as served:
        program = imported(served, TRANSFER)
    done = run(program)
    assert (done.returncode, done.stdout) == (2, "") and "H041" in done.stderr
    assert "Traceback" not in done.stderr
    assert bank.calls("transfer") == []


def test_no_token_is_found_in_anything_that_is_written(tmp_path: Path) -> None:
    """Case P-R1: also where the server itself repeats it, in descriptions, results and errors."""
    bank = Bank(tmp_path)
    refused = {"status": 403, "body": "{given} may not"}
    broken = {"status": 500, "body": "it broke on {given}"}
    onward = {"status": 307, "headers": {"location": f"http://127.0.0.1:1/{TOKEN}?token={TOKEN}"}}
    said: list[str] = []

    def note(done: subprocess.CompletedProcess[str], code: int) -> None:
        assert done.returncode == code, done.stderr
        said.append(done.stdout + done.stderr)

    with bank.served("http", "leaky", BANK_TOKEN=TOKEN) as served:
        address = ("mcp", "list", served.url, *AUTHORIZED)
        program = imported(served, f"bank__environment() bank__refuse(why = kept) {TRANSFER} bank__die()")
        unsafe = ("mcp", "import", served.url, "-o", str(tmp_path / "told.agent"), "--unsafe-import-descriptions")
        note(agentl(*unsafe, *AUTHORIZED, BANK_TOKEN=TOKEN), 0)
        note(agentl(*address, "--format", "json", BANK_TOKEN=TOKEN), 0)
        note(agentl(*address, BANK_TOKEN=f"{TOKEN}\n"), 2)
        for fault, language in ((refused, "en"), (broken, "fr"), (onward, "en")):
            with bank.faulty(any=fault):
                note(agentl(*address, BANK_TOKEN=TOKEN, AGENTL_LANG=language), 2)
        note(agentl("mcp", "list", served.url.replace("//", f"//somebody:{TOKEN}@")), 2)
        with bank.faulty(tools_call=broken):
            note(run(program, "broken"), 75)
        note(run(program), 75)
    note(run(program), 2)
    said += [agentl("durable", what, str(tmp_path / "run")).stdout for what in ("status", "verify")]
    said += [file.read_text(encoding="utf-8", errors="replace") for file in tmp_path.rglob("*") if file.is_file()]
    assert any("[secret]" in text for text in said) and any("BANK_TOKEN" in text for text in said)
    assert [text for text in said if TOKEN in text] == []


@pytest.mark.parametrize(
    ("source", "options", "code"),
    [
        ("http://192.0.2.1/mcp", (), "H040"),
        ("https://[::1/mcp", (), "H031"),
        ("https://example.org/mcp", ("--bearer-env", "BANK_NOT_SET"), "H031"),
        ("https://example.org/mcp", ("--header-env", "X-Key"), "C085"),
        ("https://example.org/mcp", ("--header-env", "X-Key=not a name"), "C085"),
        ("https://example.org/mcp", ("--header-env", "Host=HOME"), "H031"),
        ("source.json", ("--bearer-env", "HOME"), "C084"),
        ("source.json", ("--header-env", "A=HOME"), "C084"),
        ("source.json", ("--transport", "sse"), "C084"),
    ],
)
def test_what_cannot_be_listed_ends_with_2(source: str, options: tuple[str, ...], code: str, tmp_path: Path) -> None:
    (tmp_path / "source.json").write_text('{"servers": {"a": {"command": "x"}}}', encoding="utf-8")
    done = agentl("mcp", "list", source, *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "") and code in done.stderr


def test_plain_http_to_another_machine_is_tried_once_it_is_allowed(tmp_path: Path) -> None:
    entry = '{"servers": {"a": {"url": "http://no-such-host.invalid/mcp"}}}'
    (tmp_path / "source.json").write_text(entry, encoding="utf-8")
    for source in ("http://no-such-host.invalid/mcp", "source.json"):
        assert "H040" in agentl("mcp", "list", source, cwd=tmp_path).stderr
        assert "H041" in agentl("mcp", "list", source, "--allow-http", cwd=tmp_path).stderr
