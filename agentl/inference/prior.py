"""PRIOR FROM: a prior measured from remembered records, (k + ½)/(n + 1) (semantics.md §19, step 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from agentl.ir.declarations import Hypothesis
from agentl.logic.compile import compile_label, compile_test
from agentl.logic.errors import EvalError
from agentl.logic.render import render_expression
from agentl.logic.scope import SHARED, UNKNOWN, Scope
from agentl.values import EMPTY_LABEL, UNDEFINED, Label


class Measured(NamedTuple):
    """A measured prior, where it came from, and each reason why WHERE could not be evaluated for a record."""

    prior: float
    label: Label
    faults: tuple[tuple[str, str], ...] = ()


class MeasuredPrior:
    """PRIOR FROM of one hypothesis, compiled."""

    __slots__ = ("_label", "_test", "_text", "bucket", "key")

    def __init__(self, hypothesis: Hypothesis) -> None:
        assert hypothesis.prior_bucket is not None
        self.bucket = hypothesis.prior_bucket
        self.key = hypothesis.prior_key or "records"
        where = hypothesis.prior_where
        self._text = "" if where is None else render_expression(where)
        self._test: Callable[[Scope], bool] | None = None if where is None else compile_test(where)
        self._label: Callable[[Scope], Label] | None = None if where is None else compile_label(where)

    def measure(self, scope: Scope, records: Sequence[Any] | None = None) -> Measured | None:
        """Measure over `records`, or over what the memory of the scope holds; None when there are no records.

        All records count in n, those in k that are dicts and for which WHERE holds with their fields as locals.
        """
        found = self._remembered(scope) if records is None else records
        if not found:
            return None
        sources = self._sources(scope)
        faults: dict[tuple[str, str], None] = {}
        readable = [record for record in found if isinstance(record, dict)]
        matching = sum(self._holds(scope, record, sources, faults) for record in readable)
        label = sources | self._where_sources(scope, readable, sources)
        return Measured((matching + 0.5) / (len(found) + 1), label, tuple(faults))

    def _remembered(self, scope: Scope) -> Sequence[Any]:
        if self.bucket == "SHARED":
            stored = scope.shared.read(self.key)
        else:
            stored = scope.memory.get(self.bucket, {}).get(self.key)
        return stored if isinstance(stored, list | tuple) else ()

    def _sources(self, scope: Scope) -> Label:
        if self.bucket == "SHARED":
            return SHARED
        return scope.labels.get(self.bucket, {}).get(self.key) or UNKNOWN

    def _holds(self, scope: Scope, record: dict[Any, Any], sources: Label, faults: dict[tuple[str, str], None]) -> bool:
        if self._test is None:
            return True
        try:
            return self._test(scope.overlaid(record, dict.fromkeys(record, sources)))
        except EvalError as problem:
            faults[self._text, str(problem)] = None
            return False

    def _where_sources(self, scope: Scope, records: Sequence[dict[Any, Any]], sources: Label) -> Label:
        """What WHERE reads beside the records; a field of any record has the sources of the records."""
        if self._label is None:
            return EMPTY_LABEL
        fields = {name: value for record in records for name, value in record.items() if value is not UNDEFINED}
        return self._label(scope.overlaid(fields, dict.fromkeys(fields, sources)))
