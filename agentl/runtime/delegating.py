"""How a DELEGATE ended: what a sub-agent's answer binds, and what it never hides (semantics.md §16, policy.md §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.kernel.provenance import unwrap
from agentl.runtime.acting import STAGES_BEFORE_POLICY
from agentl.runtime.answers import Absent, Answer, Done, Doubt, Failure, Refused
from agentl.runtime.frames import BASE_CONTROL
from agentl.runtime.owned import bare
from agentl.runtime.payload import is_defined_elsewhere
from agentl.values import Label, Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

DELEGATE: Label = frozenset({"DELEGATE"})


class Delegation:
    """One DELEGATE whose answer has come. No contract, no EFFECT, no dirty marks, no breaker, no attestation."""

    def __init__(
        self, machine: Machine, name: str, expect: tuple[str, ...], payload: dict[str, Any], control: Label
    ) -> None:
        self.machine = machine
        self.state = machine.state
        self.name = name
        self.expect = expect
        self.payload = payload
        self.control = control

    def settle(self, answer: Answer) -> None:
        """Take in how it ended."""
        if isinstance(answer, Refused):
            self._refused(answer)
            return
        self._blocked(False)
        if isinstance(answer, Done):
            self._done(answer)
        elif isinstance(answer, Absent):
            self._log("ERROR", "no_subagent")
        elif isinstance(answer, Failure):
            self._log("ERROR", "subagent", error=answer.error_class, message=answer.text)
        else:
            assert isinstance(answer, Doubt)
            runtime = BASE_CONTROL | self.control
            self.state.set_own_fact(f"tools.{self.name}.in_doubt", True, runtime)
            self.state.set_local("last_action.in_doubt", True, runtime)
            self._log("ERROR", "in_doubt", shown={"message": answer.text})

    def _refused(self, answer: Refused) -> None:
        if answer.stage not in STAGES_BEFORE_POLICY:
            self._blocked(True)
        self.machine.count("blocked")
        self._log("BLOCKED", "refused", stage=answer.stage, rule=answer.rule, shown={"reason": answer.text})

    def _done(self, answer: Done) -> None:
        value, sources = unwrap(answer.value)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            self._log("ERROR", "subagent_result", found=type(value).__name__)
            return
        label = DELEGATE | sources | self.control
        fields, dropped = self._chosen(value)
        for key, item in fields.items():
            self._bind(key, *bare(item), label)
        missing = [key for key in self.expect if key not in fields]
        if missing:
            self._log("ERROR", "expected", names=missing)
        if dropped:
            self.machine.log("INFO", "outputs_dropped", tool=self.name, names=dropped)
        self._log("DELEGATE", "returned", fields={key: bare(item)[0] for key, item in fields.items()})

    def _chosen(self, value: dict[Any, Any]) -> tuple[dict[str, Any], list[str]]:
        """The keys to bind, and the names of the others: with EXPECT only what is expected gets in."""
        named = {str(key): item for key, item in value.items() if isinstance(key, (str, Symbol))}
        fields = {key: item for key, item in named.items() if not self.expect or key in self.expect}
        return fields, sorted(str(key) for key in value if str(key) not in fields)

    def _bind(self, key: str, value: Any, sources: Label, label: Label) -> None:
        """Bind `<name>.<key>` and the bare key.

        A key the program expects is a local. A key the sub-agent chose, and what lies inside a dict, must hide no name
        that exists, now or later: it is read last of all (policy.md §13).
        """
        state = self.state
        path = f"{self.name}.{key}"
        label |= sources
        expected = key in self.expect
        if expected and not isinstance(value, dict):
            state.set_local(path, value, label)
        else:
            if expected:
                state.remove_local(path)
            elif is_defined_elsewhere(state, path):
                self.machine.log("BLOCKED", "result_name", path=path, origin=self.name)
            state.set_untrusted(path, value, label)
        state.set_untrusted(key, value, label)

    def _blocked(self, blocked: bool) -> None:
        self.state.set_local("last_action.blocked", blocked, BASE_CONTROL | self.control)

    def _log(self, kind: str, event: str, **facts: Any) -> None:
        self.machine.log(kind, event, target=self.name, args=self.payload, **facts)
