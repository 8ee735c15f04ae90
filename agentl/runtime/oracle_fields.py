"""The fields a REASON or JUDGE fills: what a model is told of them, what becomes of its answers (semantics.md §14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentl.ir.expressions import Expression
from agentl.ir.statements import Domain as WrittenDomain
from agentl.ir.statements import ProducedField
from agentl.logic.compile import compile_value
from agentl.logic.errors import EvalError
from agentl.logic.render import render_expression
from agentl.logic.scope import Scope
from agentl.runtime.conditions import Evaluated
from agentl.runtime.model_values import Domain, Enumeration, Range, coerce
from agentl.runtime.owned import bare, owned
from agentl.runtime.tables import type_named
from agentl.values import EMPTY_LABEL, UNDEFINED, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

LLM: Label = frozenset({"LLM"})
FLAGS: Label = frozenset({"RUNTIME", "LLM"})


@dataclass(frozen=True, slots=True)
class Settled:
    """What a field is worth. `sources` come on top of LLM and the control label.

    `corrected`: the model answered, and something else stands in the place of its answer.
    """

    value: Any
    sources: Label = EMPTY_LABEL
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `schema` is the text the model is given: type, domain, DEFAULT."""

    name: str
    type: str
    schema: str
    domain: Domain | None
    default: Evaluated | None

    @classmethod
    def of(cls, field: ProducedField) -> Field:
        """Compile a PRODUCE field."""
        domain = None if field.domain is None else _domain(field.type, field.domain)
        listed = "" if field.domain is None else ", ".join(map(render_expression, field.domain.items))
        return cls.made(field.name, field.type, domain, listed, field.default)

    @classmethod
    def made(cls, name: str, written: str, domain: Domain | None, listed: str, default: Expression | None) -> Field:
        """Put a field together; `listed` is the domain as text, `written` the type as the program has it."""
        schema = written
        if domain is not None:
            schema += f" IN [{listed}]"
        if default is not None:
            schema += f" DEFAULT {render_expression(default)}"
        evaluated = None if default is None else Evaluated.of(default)
        return cls(name, type_named(written), schema, domain, evaluated)

    def unanswered(self, machine: Machine) -> Settled:
        """The DEFAULT, or UNDEFINED: silence is never made into a value by a domain."""
        if self.default is None:
            return Settled(UNDEFINED)
        try:
            value = owned(self.default.value(machine.state))
        except EvalError as problem:
            machine.unevaluable(f"DEFAULT of {self.name}", problem)
            return Settled(UNDEFINED)
        return Settled(value, self.default.label(machine.state))

    def answered(self, machine: Machine, answer: Any) -> Settled:
        """The answer as a value of the type and the domain, or what stands in its place."""
        raw, sources = bare(answer)
        if raw is None or raw is UNDEFINED:
            return self.unanswered(machine)
        value = coerce(self.type, raw)
        if value is not UNDEFINED if self.domain is None else self.domain.holds(value):
            return Settled(value, sources)
        default = self.unanswered(machine)
        instead = default.value
        if self.domain is not None:
            machine.count("domain_clamps")
            if self.default is None:
                instead = self.domain.instead(value)
            elif not self.domain.accepts_default(instead):
                instead = UNDEFINED
        machine.log("BLOCKED", "model_value", field=self.name, answer=raw, value=instead)
        return Settled(instead, default.sources | sources, corrected=True)


def _domain(written: str, domain: WrittenDomain) -> Domain:
    # WHY an empty scope: a name in a domain is that word, whatever the state calls so.
    items = tuple(compile_value(item)(Scope()) for item in domain.items)
    named = type_named(written)
    if domain.form == "range":
        return Range(min(items), max(items), whole=named == "Int")
    return Enumeration(named, items)


def bind_field(machine: Machine, name: str, value: Any, label: Label) -> None:
    """Bind `<name>` and `reason.<name>`.

    A dict is bound so that it is read last of all: keys the model chose must not hide a name that exists, now or later
    (policy.md §13). Whole it stays readable as `reason.<name>`.
    """
    state = machine.state
    if isinstance(value, dict):
        state.remove_local(name)
        state.set_untrusted(name, value, label)
    else:
        state.set_local(name, value, label)
    state.set_local(f"reason.{name}", value, label)


def bind_flags(machine: Machine, fields: int, missing: int, control: Label) -> None:
    """`reason.missing` counts the fields without answer, `reason.degraded` says that all of them had none."""
    degraded = 0 < fields == missing
    if degraded:
        machine.count("reason_degraded")
    machine.state.set_local("reason.missing", missing, FLAGS | control)
    machine.state.set_local("reason.degraded", degraded, FLAGS | control)
