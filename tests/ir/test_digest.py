"""Digests: what never changes them, what always does, and that they stay what they were (decisions 15, 17)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Source
from agentl.ir.digest import canonical_text, program_digest, run_digest
from agentl.ir.versions import IR_VERSION
from agentl.syntax.parser import parse_file, parse_source
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import tokenize

FOLDER = Path(__file__).parent
PROGRAMS = sorted((FOLDER / "programs").glob("*.agent"))
EXAMPLES = FOLDER.parent.parent / "examples"
GOLDEN = FOLDER / "golden_digests.json"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def digest(text: str) -> str:
    return program_digest(parse_source(text))


def pieces(text: str) -> list[str]:
    return [part for part in tokenize(Source(text)).texts if part]


# --- What they were -------------------------------------------------------------------------------------------------


def test_digests_are_what_they_were_for_this_version_of_the_ir() -> None:
    """When this fails the IR has changed: step IR_VERSION, then write the new values down."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert golden["ir_version"] == IR_VERSION
    found = {}
    for path in PROGRAMS:
        program = parse_file(path)
        found[path.name] = {"program": program_digest(program), "run": run_digest(program)}
    assert found == golden["digests"]


# --- What never changes them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n\t ",
        lambda text: "// first\n" + text + "# last",
        lambda text: re.sub(r"^//.*|^#.*", "", text),
    ],
    ids=["crlf", "cr", "bom", "no last line end", "blanks", "comments", "no comments"],
)
def test_layout_changes_no_digest(path: Path, change: object) -> None:
    assert digest(change(read(path))) == digest(read(path))  # type: ignore[operator]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@given(data=st.data())
def test_blanks_and_comments_between_tokens_change_no_digest(path: Path, data: st.DataObject) -> None:
    text = read(path)
    between = st.sampled_from([" ", "\n", "\t", "\n\n  ", ' /* x " */ ', " // { \n", " # } \n"])
    parts = pieces(text)
    glue = data.draw(st.lists(between, min_size=len(parts), max_size=len(parts)))
    assert digest("".join(part + blank for part, blank in zip(parts, glue, strict=True))) == digest(text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_optional_commas_change_no_digest(path: Path) -> None:
    """A comma after each closing bracket of an item, where the parser takes one; and none anywhere."""
    text = read(path)
    parts = pieces(text)
    without = " ".join(part for part in parts if part != ",")
    # A comma between two texts, or between an item and a minus, is not optional: these programs have none.
    assert digest(without) == digest(text)
    changed = 0
    for index, part in enumerate(parts):
        if part in ("}", ")") and index + 1 < len(parts):
            candidate = " ".join([*parts[: index + 1], ",", *parts[index + 1 :]])
            try:
                assert digest(candidate) == digest(text)
            except Exception as error:
                if isinstance(error, AssertionError):
                    raise
                continue
            changed += 1
    assert changed > 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("VERSION 1", "VERSION: 1"),
        ("VERSION = 1", "VERSION 1,"),
        ("GOAL g { ACHIEVE a WEIGHT 2 }", "GOAL g { ACHIEVE: a, WEIGHT = 2, }"),
        ("BELIEF { a 1 b 2 }", "BELIEF { a = 1, b: 2 }"),
        ("OBSERVE a WHEN b", "OBSERVE { a WHEN: b }"),
        ("TOOL t { SIDE_EFFECT { a b } }", "TOOL t { SIDE_EFFECT { b a } }"),
        ("TOOL t { RISK HIGH }", "TOOL t { RISK: { x = high } }"),
        ("MEMORY { SHARED { a b } }", "MEMORY { SHARED { b, a } }"),
        ("POLICY { NEVER SEND a, b }", "POLICY { NEVER SEND b NEVER SEND a }"),
        ("POLICY { ALLOW f IF a }", "POLICY { ALLOW f WHEN: a }"),
        ("POLICY { REQUIRE FOR f }", "POLICY { REQUIRE APPROVAL FOR f }"),
        ("PLAN p { f() }", "PLAN p { STEP main { f() } }"),
        ("PLAN p { SET a 1 }", "PLAN p { a = 1 }"),
        ("PLAN p { IF a THEN f() }", "PLAN p { IF a THEN { f() } ELSE { } }"),
        ("PLAN p { f(x = 1) }", "PLAN p { f(x: 1,) }"),
        ("PLAN p { VERIFY a }", "PLAN p { VERIFY { CONDITION a } }"),
        ("GOAL g { ((a)) AND (b) }", "GOAL g { a AND b }"),
        ("GOAL g { a > 4min }", "GOAL g { a > 4m }"),
        ('GOAL g { "a\\tb" }', 'GOAL g { "a\tb" }'),
    ],
)
def test_two_ways_to_write_one_thing_have_one_digest(one: str, other: str) -> None:
    assert digest(f"AGENT a {{ {one} }}") == digest(f"AGENT a {{ {other} }}")


def test_the_hash_seed_changes_no_digest_and_no_finding() -> None:
    """Of the programs here and of the examples, and of each with a piece cut out of it."""
    code = (
        "import sys\n"
        "from agentl.syntax.parser import parse, read_source\n"
        "from agentl.diagnostics import Source\n"
        "from agentl.diagnostics.render.text import render_text\n"
        "from agentl.ir.digest import program_digest\n"
        "for path in sys.argv[1:]:\n"
        "    source = read_source(path)\n"
        "    print(program_digest(parse(source).program))\n"
        "    for start in range(0, len(source.text), 600):\n"
        "        broken = Source(source.text[:start] + source.text[start + 40:])\n"
        "        print(render_text(parse(broken).diagnostics))\n"
    )
    files = [*PROGRAMS, *sorted(EXAMPLES.glob("*/*.agent"))]
    assert len(files) > 5
    said = set()
    for seed in range(10):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", code, *map(str, files)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said.add(run.stdout)
    assert len(said) == 1


# --- What always changes them ---------------------------------------------------------------------------------------


def test_any_change_of_a_name_number_or_text_changes_the_digest() -> None:
    """Each token that carries meaning is changed, one after the other."""
    text = read(FOLDER / "programs" / "everything.agent")
    tokens = tokenize(Source(text))
    names = load_tables().terminals
    before, changed = digest(text), 0
    for index, kind in enumerate(tokens.kinds[:-1]):
        other = {"IDENT": "zebra", "NUM": "97", "PCT": "97%", "STR": '"zebra"'}.get(names[kind])
        # The category of a RISK entry says nothing (syntax.md §3.7); EXPECT words are read as names.
        if other is None or tokens.texts[index] == "CALL":
            continue
        start, end = tokens.span(index)
        assert digest(text[:start] + other + text[end:]) != before, text[start:end]
        changed += 1
    assert changed > 100


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GOAL g { a AND b }", "GOAL g { b AND a }"),
        ("GOAL g { a AND b }", "GOAL g { a OR b }"),
        ("GOAL g { a == 5 }", "GOAL g { a == 5.0 }"),
        ("GOAL g { a == 5 }", 'GOAL g { a == "5" }'),
        ("GOAL g { a == x }", 'GOAL g { a == "x" }'),
        ("GOAL g { a < b }", "GOAL g { a <= b }"),
        ("GOAL g { NOT a == b }", "GOAL g { (NOT a) == b }"),
        ("GOAL g { a - (b - c) > 0 }", "GOAL g { a - b - c > 0 }"),
        ("GOAL g { MAINTAIN a }", "GOAL g { ACHIEVE a }"),
        ("GOAL { a }", "GOAL main2 { a }"),
        ("POLICY { ALLOW f DENY g }", "POLICY { DENY g ALLOW f }"),
        ("POLICY { NEVER f }", "POLICY { DENY f }"),
        ("POLICY { DEFAULT ALLOW }", "POLICY { }"),
        ("TOOL t { INPUT { a b } }", "TOOL t { INPUT { b a } }"),
        ("TOOL t { EFFECT { a = 1 } }", "TOOL t { EFFECT { a = 1 INTERNAL } }"),
        ("PLAN p { f() g() }", "PLAN p { g() f() }"),
        ("PLAN p { f() }", "PLAN p { f }"),
        ("PLAN p { RETRY }", "PLAN p { RETRY 2 }"),
        ("PLAN p { VERIFY a }", 'PLAN p { VERIFY "x" a }'),
        ("PLAN p { VERIFY { a } }", "PLAN p { VERIFY { a ON FAIL { } } }"),
        ("PLAN p { THEN { f() } }", "PLAN p { THEN f() }"),
        ("PLAN p { PARALLEL { BRANCH a { f() } } }", "PLAN p { PARALLEL { BRANCH b { f() } } }"),
        ("PLAN p { PARALLEL { BRANCH a { f() } } }", "PLAN p { PARALLEL MAX 1 { BRANCH a { f() } } }"),
        (
            "PLAN p { PARALLEL { BRANCH a { f() } BRANCH b { g() } } }",
            "PLAN p { PARALLEL { BRANCH b { g() } BRANCH a { f() } } }",
        ),
        ("PLAN p { GIVE a }", "PLAN p { GIVE { a = a } }"),
        ("PLAN p { GIVE { a = 1 b = 2 } }", "PLAN p { GIVE { b = 2 a = 1 } }"),
        ("PLAN p { GIVE a }", "PLAN p { STOP }"),
        ("PLAN p { STOP }", 'PLAN p { STOP "" }'),
        ("LOOP { }", "LOOP MAX 10 { }"),
        ("", "LOOP { }"),
        ("OBSERVE a", "OBSERVE a ON UNKNOWN ESCALATE"),
        ("VERSION 1", "VERSION 2"),
    ],
)
def test_a_change_of_meaning_changes_the_digest(one: str, other: str) -> None:
    assert digest(f"AGENT a {{ {one} }}") != digest(f"AGENT a {{ {other} }}")


@pytest.mark.parametrize(
    ("one", "other", "same_run"),
    [
        ("VERSION 1", "VERSION 2", True),
        ('DESCRIPTION "a"', 'DESCRIPTION "b"', True),
        ("SCENARIO s { EXPECT { a } }", "", True),
        ('TOOL t { DESCRIPTION "a" }', "TOOL t { }", True),
        ('HYPOTHESIS h { DESCRIPTION "a" }', "HYPOTHESIS h { }", True),
        ("GOAL { a }", "GOAL { b }", False),
        ("TOOL t { RISK LOW }", "TOOL t { RISK HIGH }", False),
    ],
)
def test_the_run_digest_leaves_out_what_a_run_does_not_use(one: str, other: str, same_run: bool) -> None:
    first, second = parse_source(f"AGENT a {{ {one} }}"), parse_source(f"AGENT a {{ {other} }}")
    assert (run_digest(first) == run_digest(second)) is same_run
    assert program_digest(first) != program_digest(second)


def test_the_canonical_text_is_json_with_sorted_keys_and_non_ascii_kept() -> None:
    text = canonical_text(parse_source('AGENT a { DESCRIPTION "é" }'))
    assert "é" in text and " " not in text
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text
