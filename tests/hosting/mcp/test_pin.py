"""The pin a program holds: what it says, and how what changed is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import Catalogue, CatalogueError
from agentl.hosting.mcp.pin import Pin, changes, pin_from, pin_lines, pin_of, pinned_in

PAY: dict[str, Any] = {"name": "pay", "description": "Pays.", "inputSchema": {"type": "object"}}
ASK: dict[str, Any] = {"name": "ask", "inputSchema": {"type": "object"}}
BOTH = Catalogue.of("bank", [PAY, ASK])


def said(pin: Pin, *tools: dict[str, Any]) -> str:
    return "; ".join(change.text("en") for change in changes(pin, Catalogue.of("bank", tools)))


def test_what_changed_is_told_by_the_names_of_the_tools() -> None:
    pin = pin_of(BOTH)
    assert said(pin, {**PAY, "description": "Pays twice."}, ASK) == 'changed: "pay"'
    assert said(pin, ASK) == 'gone: "pay"'
    assert said(pin, PAY, ASK, {"name": "new\u202e"}) == 'new: "new\\u202e"'
    assert said(pin, {**ASK, "title": "?"}, {"name": "c"}) == 'changed: "ask"; gone: "pay"; new: "c"'


def test_of_many_changed_tools_the_first_are_named() -> None:
    many = [{"name": f"t{number:02}"} for number in range(12)]
    assert said(pin_of(BOTH), PAY, ASK, *many).endswith('"t09" (+2)')


def test_without_the_lines_of_the_tools_it_says_that_it_cannot_tell() -> None:
    assert "cannot be told" in said(Pin(BOTH.digest), ASK)
    edited = Pin("0" * 64, pin_of(BOTH).tools)
    assert "cannot be told" in said(edited, PAY, ASK)


@given(
    st.text(max_size=20),
    st.text(max_size=20),
    st.lists(st.text(min_size=1, max_size=12) | st.sampled_from(['x" sha256:' + "0" * 64, "a\nb", "\u2028"])),
)
def test_a_pinned_catalogue_is_found_under_its_server_and_no_other(server: str, other: str, names: list[str]) -> None:
    try:
        catalogue = Catalogue.of(server, [{"name": name} for name in names])
    except CatalogueError:
        return
    text = "\n".join(["# before", *pin_lines(catalogue), "AGENT A { }", ""])
    assert pinned_in(text, server) == pin_of(catalogue)
    assert other == server or pinned_in(text, other) is None


def test_the_first_line_of_a_thing_counts() -> None:
    later = "\n".join([*pin_lines(BOTH), *pin_lines(Catalogue.of("bank", [{**PAY, "title": "x"}, ASK]))])
    assert pinned_in(later, "bank") == pin_of(BOTH)


def test_a_pin_is_a_digest_or_the_program_that_holds_it(tmp_path: Path) -> None:
    assert pin_from(BOTH.digest, "bank") == Pin(BOTH.digest)
    program = tmp_path / "bank.agent"
    program.write_text("\n".join(pin_lines(BOTH)), encoding="utf-8")
    assert pin_from(program, "bank") == pin_from(str(program), "bank") == pin_of(BOTH)
    with pytest.raises(HostError, match="names no catalogue"):
        pin_from(program, "post")
