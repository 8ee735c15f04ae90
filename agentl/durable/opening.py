"""Opening: what goes in before tick 1, and whether a run may be resumed with what is given now (decisions 17, 21)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from agentl import __version__
from agentl.diagnostics import Source
from agentl.durable.options import RunOptions
from agentl.ir.digest import canonical_text, run_digest
from agentl.ir.program import Program
from agentl.ir.versions import IR_VERSION
from agentl.journal import entries
from agentl.journal.clocks import Clocks, iso
from agentl.journal.entries import RawEntry
from agentl.journal.errors import DurableError, UnknownFormat
from agentl.journal.inspection import Inspection
from agentl.journal.kinds import FORMAT
from agentl.journal.stores.contract import Store
from agentl.messages import Phrase
from agentl.messages import durable as say
from agentl.syntax.module_files import KeptModules, ShippedAsKept, folder_of
from agentl.syntax.parser import parse
from agentl.values import canonical_json, encode

ENGINE = 1  # steps when behaviour that old journals depend on changes (decision 17)
SOURCE_FILE = "program/main.agent"
IR_FILE = "program/ir.json"
MODULES_FILE = "program/modules.json"
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Given:
    """What a start or a resume brings. None: not given. `modules`: the texts the source imports, by name.

    `any_program`: another program than the run's is not refused, so that what it derives is compared. `keeps_modules`:
    the program was joined with the modules kept with the run.
    """

    program: Program
    options: RunOptions
    run_id: str | None = None
    tick_bound: int | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    memory: Mapping[str, Mapping[str, list[Any]]] = field(default_factory=dict)
    source: Source | None = None
    modules: Mapping[str, Source] = field(default_factory=dict)
    any_program: bool = False
    keeps_modules: bool = False

    @property
    def agents(self) -> list[str]:
        return [agent.name for agent in self.program.agents]


def new_run_id() -> str:
    """12 random hex digits (durable.md §4)."""
    return secrets.token_hex(6)


def opening_entry(given: Given, run_id: str, clocks: Clocks) -> RawEntry:
    """Make `open`. The key space is the run id that was given, else 128 random bits (decision 7)."""
    return entries.opening(
        release=__version__,
        run_id=run_id,
        key_space=given.run_id or secrets.token_hex(16),
        run_digest=run_digest(given.program),
        ir_version=IR_VERSION,
        agents=given.agents,
        options=given.options.kept(),
        tick_bound=given.tick_bound,
        inputs=given.inputs,
        memory=given.memory,
        engine=ENGINE,
        at=clocks.wall_ms(),
    )


def new_meta(given: Given, run_id: str, clocks: Clocks) -> dict[str, Any]:
    """The copy for people (durable.md §9)."""
    meta: dict[str, Any] = {
        "format": FORMAT,
        "run_id": run_id,
        "agents": given.agents,
        "run_digest": run_digest(given.program),
        "status": "running",
        "created": iso(clocks.wall_ms()),
        "max_ticks": given.tick_bound,
    }
    if given.source is not None:
        meta["source"] = given.source.name
        meta["source_sha256"] = sha256(given.source.text.encode()).hexdigest()
    return meta


def keep_program(store: Store, given: Given) -> None:
    """Keep the program beside the journal, so that a later release can still say what changed."""
    if given.source is not None:
        store.write_file(SOURCE_FILE, given.source.text.encode())
    if given.modules:
        texts = {name: source.text for name, source in given.modules.items()}
        store.write_file(MODULES_FILE, canonical_json(texts).encode())
    store.write_file(IR_FILE, canonical_text(given.program).encode())


def kept_program(store: Store) -> tuple[Program, Source | None] | None:
    """Read the program a run was begun with; None when none was kept."""
    text = store.read_file(SOURCE_FILE)
    if text is not None:
        source = Source(text.decode("utf-8", errors="replace"), SOURCE_FILE)
        parsed = parse(source, KeptModules(_kept_modules(store)))
        if parsed.program is not None:
            return parsed.program, source
    data = store.read_file(IR_FILE)
    if data is None:
        return None
    return Program.model_validate(json.loads(data)), None


def _kept_modules(store: Store) -> dict[str, str]:
    data = store.read_file(MODULES_FILE)
    texts: dict[str, str] = json.loads(data) if data is not None else {}
    return texts


def same_program(opening: Mapping[str, Any], given: Given, store: Store) -> Given:
    """Return what is given if it is the program the run began with; DurableError otherwise.

    Decided between programs made by this release (decision 17). A source that imports shipped modules which have
    changed since goes on under the modules that were kept.
    """
    recorded = opening["run_digest"]
    if given.any_program or run_digest(given.program) == recorded or _is_older(opening, given, store):
        return given
    kept = _under_kept_modules(given, store)
    if kept is not None and run_digest(kept) == recorded:
        return replace(given, program=kept, keeps_modules=True)
    raise DurableError.of(say.PROGRAM_CHANGED)


def _under_kept_modules(given: Given, store: Store) -> Program | None:
    texts = _kept_modules(store)
    if given.source is None or not texts:
        return None
    return parse(given.source, ShippedAsKept(texts, folder_of(given.source))).program


def is_of_older_ir(opening: Mapping[str, Any], given: Given) -> bool:
    """True when the journal names the same program by the digest of another IR version."""
    return not given.any_program and opening["run_digest"] != run_digest(given.program)


def _is_older(opening: Mapping[str, Any], given: Given, store: Store) -> bool:
    if opening["ir_version"] == IR_VERSION:
        return False
    kept = kept_program(store)
    return kept is not None and run_digest(kept[0]) == run_digest(given.program)


def check_engine(opening: Mapping[str, Any]) -> None:
    """Refuse a journal that depends on behaviour a later release brought. UnknownFormat."""
    engine = opening.get("engine", ENGINE)
    if engine > ENGINE:
        raise UnknownFormat.of(say.UNKNOWN_ENGINE, engine=engine, known=ENGINE, release=opening.get("release", "?"))


def check_attempts(inspection: Inspection, limit: int | None) -> None:
    """Refuse a run that so many processes have taken over without getting any further; an ended one is never refused.

    Each has noted itself in the chain before it did anything, so that one which takes its process down is counted.
    """
    if not limit or inspection.attempts < limit:
        return
    places = [Phrase(say.AT_ACTION, tool=each.tool, action_id=each.action_id) for each in inspection.pending]
    place = tuple(places) or Phrase(say.AT_ENTRY, seq=len(inspection.entries))
    raise DurableError.of(say.QUARANTINED, run_id=inspection.run_id, count=inspection.attempts, place=place)


def check_run_id(opening: Mapping[str, Any], given: Given) -> None:
    """Refuse a run id that is not the run's."""
    if given.run_id is not None and given.run_id != opening["run_id"]:
        raise DurableError.of(say.OTHER_RUN_ID, recorded=opening["run_id"], given=given.run_id)


def check_settings(opening: Mapping[str, Any], given: Given) -> None:
    """Refuse another tick bound, option or input than the run began with, naming the field and both values.

    What is not given is taken from the opening.
    """
    if given.tick_bound is not None:
        _same("max_ticks", opening["tick_bound"], given.tick_bound)
    for name, value in given.options.given().items():
        _same(name, opening["options"].get(name), value)
    if given.inputs:
        for name in sorted({*opening["inputs"], *given.inputs}):
            _same(f"input {name}", opening["inputs"].get(name, _ABSENT), given.inputs.get(name, _ABSENT))
    if given.memory:
        _same("memory", opening["memory"], {bucket: dict(keys) for bucket, keys in given.memory.items()})


def _same(what: str, recorded: object, now: object) -> None:
    """Compared as written down: 1, 1.0, true and `yes` differ at any depth, the order of names does not count."""
    if recorded is not now and (recorded is _ABSENT or now is _ABSENT or _written(recorded) != _written(now)):
        raise DurableError.of(say.OPTION_DIFFERS, field=what, recorded=_shown(recorded), given=_shown(now))


def _written(value: object) -> str:
    return canonical_json(encode(value, sort_dicts=True))


def _shown(value: object) -> str:
    return "none" if value is None or value is _ABSENT else str(value)
