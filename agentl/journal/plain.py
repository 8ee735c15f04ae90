"""Journal: a finished run as one JSON file, for replay (durable.md §12, host-api.md §8)."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentl.journal.chain import ChainReport, chain_hashes, chain_head, verify_chain
from agentl.journal.entries import RawEntry
from agentl.journal.errors import ReplayDivergence, ReplayError
from agentl.journal.kinds import ANNOTATIONS, CROSSINGS, KINDS
from agentl.journal.machine import comparable
from agentl.journal.raised import rebuild
from agentl.journal.reading import decoded, fields_of
from agentl.journal.seal import SignatureReport, SigningKey, sign, verify_signature
from agentl.messages import durable as say
from agentl.messages.message import Message
from agentl.values import encode

PLAIN_FORMAT = 2
READABLE_FORMATS = frozenset({1, PLAIN_FORMAT})
# In a plain journal an approval is told apart by its key alone (durable.md §1).
_COMPARED = frozenset({"invoke", "ask", "delegate"})


class Journal:
    """Crossings in order, to be recorded or served. Annotations are kept and passed over.

    `entries` are raw entries as in durable.md §2; their numbers are given anew. `meta` says what was run.
    """

    def __init__(self, entries: Iterable[Mapping[str, Any]] = (), meta: Mapping[str, Any] | None = None) -> None:
        self.entries: list[RawEntry] = [
            {**{name: item for name, item in entry.items() if name != "h"}, "seq": seq}
            for seq, entry in enumerate(entries)
        ]
        self.meta: dict[str, Any] = dict(meta or {})
        self._cursor = 0
        self._loaded: ChainReport | None = None

    # --- recording

    def record(
        self,
        kind: str,
        key: str,
        *,
        args: Mapping[str, object] | None = None,
        value: object = None,
        error: BaseException | None = None,
    ) -> RawEntry:
        """Append a crossing with what came back or was raised. ReplayError for an unknown kind, NotStorable."""
        if kind not in CROSSINGS:
            raise ReplayError.of(say.REPLAY_KIND, kind=kind)
        entry: RawEntry = {"seq": len(self.entries), "kind": kind, "key": key}
        if args is not None:
            entry["args"] = encode(dict(args))
        if error is not None:
            entry["error"] = [type(error).__name__, str(error)]
        else:
            entry["value"] = encode(value)
        self.entries.append(entry)
        self._loaded = None
        return entry

    def note(self, kind: str, key: str, fields: Mapping[str, object]) -> RawEntry:
        """Append an annotation, for `noted`. ReplayError when the kind is a crossing or unknown, NotStorable."""
        if kind not in ANNOTATIONS:
            raise ReplayError.of(say.REPLAY_KIND, kind=kind)
        args = encode(dict(fields))
        entry: RawEntry = {"seq": len(self.entries), "kind": kind, "key": key, "args": args, "value": None}
        self.entries.append(entry)
        self._loaded = None
        return entry

    # --- replay

    def noted(self, kind: str, key: str) -> dict[str, Any]:
        """Take the annotation that stands before the next crossing; ReplayDivergence when there is none."""
        at = self._cursor
        while at < len(self.entries) and self.entries[at]["kind"] in ANNOTATIONS:
            entry = self.entries[at]
            at += 1
            if entry["kind"] == kind and entry["key"] == key:
                self._cursor = at
                return fields_of(entry)
        raise _divergence(say.REPLAY_EXHAUSTED, self._cursor, requested=f"{kind} {key}".rstrip())

    def next(self, kind: str, key: str) -> RawEntry:
        """Take the next crossing; ReplayDivergence when it is of another kind or key, or when there is none."""
        self._pass_annotations()
        if self._cursor >= len(self.entries):
            raise _divergence(say.REPLAY_EXHAUSTED, self._cursor, requested=f"{kind} {key}".rstrip())
        entry = self.entries[self._cursor]
        if entry["kind"] != kind or entry["key"] != key:
            raise _divergence(
                say.DIVERGED,
                self._cursor,
                recorded=f"{entry['kind']} {entry['key']}".rstrip(),
                requested=f"{kind} {key}".rstrip(),
            )
        self._cursor += 1
        return entry

    def replay_value(self, kind: str, key: str, args: Mapping[str, object] | None = None) -> Any:
        """Serve the next crossing: return its value, or raise the error it recorded.

        Arguments of invoke, ask and delegate must be those recorded; ReplayDivergence otherwise.
        """
        entry = self.next(kind, key)
        if kind in _COMPARED:
            requested = None if args is None else comparable(encode(dict(args)))
            recorded = None if entry.get("args") is None else comparable(entry["args"])
            if requested != recorded:
                raise _divergence(
                    say.DIVERGED,
                    int(entry["seq"]),
                    recorded=f"{kind} {key} {recorded}",
                    requested=f"{kind} {key} {requested}",
                )
        if "error" in entry:
            raise rebuild(*entry["error"])
        return decoded(entry, "value")

    def rewind(self) -> None:
        """Begin again at the first entry."""
        self._cursor = 0

    @property
    def remaining(self) -> int:
        """How many crossings are still to be served."""
        return sum(1 for entry in self.entries[self._cursor :] if entry["kind"] not in ANNOTATIONS)

    @property
    def exhausted(self) -> bool:
        """True when every crossing was served."""
        return self.remaining == 0

    def _pass_annotations(self) -> None:
        while self._cursor < len(self.entries) and self.entries[self._cursor]["kind"] in ANNOTATIONS:
            self._cursor += 1

    # --- integrity

    @property
    def head(self) -> str:
        """The head of the chain over the entries as they are now."""
        return chain_head(self.entries)

    @property
    def chain_report(self) -> ChainReport:
        """What the chain said when the journal was loaded; for one just made: intact."""
        return self._loaded or ChainReport(True, "intact", None, None, self.head)

    @property
    def lossy(self) -> list[str]:
        """Places of values an older release could not write: entry number and field."""
        return [
            f"#{entry['seq']} {name}"
            for entry in self.entries
            for name in ("args", "value")
            if _holds_opaque(entry.get(name))
        ]

    def seal(self, trace_text: str, *, key: SigningKey | None = None, **extra: Any) -> None:
        """Note the fingerprints of the rendered trace and of the chain, and what else is to be said in the meta.

        With a `key` all of that is signed; an earlier signature is gone in any case. SealError.
        """
        self.meta.update(extra)
        self.meta.pop("signature", None)
        self.meta["format"] = PLAIN_FORMAT
        self.meta["trace_sha256"] = hashlib.sha256(trace_text.encode("utf-8")).hexdigest()
        self.meta["chain_sha256"] = self.head
        if self.lossy:
            self.meta["lossy"] = self.lossy
        if key is not None:
            self.meta["signature"] = sign(self.meta, key)

    @property
    def signed(self) -> bool:
        """Whether the meta holds a signature; `verify_seal` says what it is worth."""
        return "signature" in self.meta

    def verify_seal(self, key: SigningKey | None) -> SignatureReport:
        """Whether the seal holds under this key, and the entries are those it was made over (reason `entries`)."""
        report = verify_signature(self.meta, key)
        is_theirs = self.meta.get("chain_sha256") == self.head and self.chain_report.ok
        return replace(report, ok=False, reason="entries") if report.ok and not is_theirs else report

    # --- file

    def dumps(self) -> str:
        """The journal as indented JSON, each entry with its hash."""
        entries = [{**entry, "h": h} for entry, h in zip(self.entries, chain_hashes(self.entries), strict=True)]
        document = {"meta": {**self.meta, "format": self.meta.get("format", PLAIN_FORMAT)}, "entries": entries}
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file: the old or the new one is there, never a part. OSError."""
        temporary = Path(f"{os.fspath(path)}.tmp")
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(self.dumps())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, strict: bool = True) -> Journal:
        """Read a file. OSError; else as `loads`."""
        data = Path(path).read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ReplayError.of(say.REPLAY_UNREADABLE, detail=f"byte {error.start} is not UTF-8") from error
        return cls.loads(text, strict=strict)

    @classmethod
    def loads(cls, text: str, *, strict: bool = True) -> Journal:
        """Read a text. ReplayError when it is no journal, of an unknown format, or, with `strict`, when it was altered.

        Without `strict` look at `chain_report`.
        """
        document = _document(text)
        entries, meta = document["entries"], document["meta"]
        made = cls(entries, meta)
        head = meta.get("chain_sha256")
        report = verify_chain(entries, head=head if isinstance(head, str) else None)
        made._loaded = report
        if strict and not report.ok and report.reason != "unestablished":
            if report.reason == "head":
                raise ReplayError.of(say.REPLAY_HEAD)
            raise ReplayError.of(say.REPLAY_CHAIN, seq=report.first_bad)
        return made


def verify_trace(journal: Journal, trace_text: str) -> bool:
    """True when a rendered trace is the one the journal was sealed with. ReplayError when it was not sealed."""
    recorded = journal.meta.get("trace_sha256")
    if not recorded:
        raise ReplayError.of(say.REPLAY_NO_TRACE)
    return bool(hashlib.sha256(trace_text.encode("utf-8")).hexdigest() == recorded)


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(str(error)) from error
    if not isinstance(document, dict) or not isinstance(document.get("meta"), dict):
        raise _unreadable("no meta")
    recorded = document["meta"].get("format", 1)
    if recorded not in READABLE_FORMATS:
        raise _unreadable(f"format {recorded!r}")
    if not isinstance(document.get("entries"), list):
        raise _unreadable("no entries")
    for seq, entry in enumerate(document["entries"]):
        if not isinstance(entry, dict) or not isinstance(entry.get("key"), str) or entry.get("seq", seq) != seq:
            raise _unreadable(f"entry {seq}")
        if entry.get("kind") not in KINDS:
            raise ReplayError.of(say.REPLAY_KIND, kind=entry.get("kind"))
        raised = entry.get("error")
        if raised is not None and not (isinstance(raised, list) and len(raised) == 2):
            raise _unreadable(f"entry {seq}")
    return document


def _unreadable(detail: str) -> ReplayError:
    return ReplayError.of(say.REPLAY_UNREADABLE, detail=detail)


def _divergence(message: Message, seq: int, *, requested: str, recorded: str = "") -> ReplayDivergence:
    error = ReplayDivergence.of(message, seq=seq, recorded=recorded, requested=requested)
    error.seq = seq
    return error


def _holds_opaque(data: Any) -> bool:
    if isinstance(data, dict):
        return "$opaque" in data or any(_holds_opaque(item) for item in data.values())
    return isinstance(data, list) and any(_holds_opaque(item) for item in data)
