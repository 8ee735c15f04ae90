"""Whatever stands on standard input: no crash, no hang, an exit code of the table, documents that can be read back."""

from __future__ import annotations

import faulthandler
import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from xml.etree import ElementTree

import pytest

from agentl.cli.app import main
from agentl.cli.exits import Exit
from agentl.diagnostics import ParseError
from agentl.linting.rendering import format_names
from agentl.syntax.reading import decode_source, read_text
from tests.fuzzing import program

QUICK, MANY = 90, 10_000
SECONDS = 30  # far more than any of these texts takes, even on a machine that is busy with something else

READERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "sarif": json.loads,
    "gitlab": json.loads,
    "jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
    "junit": ElementTree.fromstring,
}


@contextmanager
def streams(data: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard input with `data`; the two others kept."""
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", newline="")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", newline="")
    try:
        yield out, err
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def run(data: bytes, *arguments: str) -> tuple[int, str]:
    """Run a command line in this process. Returns exit code and standard output."""
    with streams(data) as (out, err):
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        text, said = out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8")
    told = f"{' '.join(arguments)} on {data!r}\n{said}"
    assert code in (Exit.DONE, Exit.PROGRAM), told
    assert "Traceback" not in said, told
    return code, text


def try_everything(seed: int) -> None:
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    try:
        try_on_every_command(seed, program(seed))
    finally:
        faulthandler.cancel_dump_traceback_later()  # armed after a failure, it would end the tests behind this one


def try_on_every_command(seed: int, data: bytes) -> None:
    formats = format_names()
    form = formats[seed % len(formats)]
    profile = ("reference", "strict", "compat", "sequential")[seed % 4]
    code, text = run(data, "check", "-", "--format", form, "--profile", profile)
    if form in READERS:
        READERS[form](text)
    code_as_json, document = run(data, "check", "-", "--format", "json", "--profile", profile)
    assert code_as_json == code == json.loads(document)["summary"]["exit"]
    compiled, _ = run(data, "compile", "-", *(("--digest",) if seed % 2 else ("--format", "text")))
    assert compiled == Exit.DONE or code == Exit.PROGRAM, f"{seed}: no program, and check finds nothing wrong"
    laid_out, layout = run(data, "fmt", "-")
    assert laid_out == (Exit.DONE if is_text_of_program(data) else Exit.PROGRAM)
    if laid_out == Exit.DONE:
        assert run(layout.encode(), "fmt", "-", "--check")[0] == Exit.DONE
    else:
        assert not layout.strip(), f"{seed}: a layout of what is no program"


def is_text_of_program(data: bytes) -> bool:
    """Whether a text is a program by itself: what it imports need not be there for a layout."""
    try:
        return read_text(decode_source(data, "<stdin>")).program is not None
    except ParseError:
        return False


@pytest.mark.parametrize("part", range(3))
def test_a_few_texts(part: int) -> None:
    for seed in range(part, QUICK, 3):
        try_everything(seed)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_texts(part: int) -> None:
    for seed in range(part, MANY, 20):
        try_everything(seed)
