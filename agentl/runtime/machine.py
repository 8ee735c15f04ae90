"""Machine: one agent as a machine that asks and is answered (decision 11). It touches nothing but its own state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from agentl.diagnostics import AgentLError
from agentl.inference.inference import Inference
from agentl.ir.program import Agent
from agentl.kernel.request import CONTROL, ActionRequest
from agentl.logic.errors import EvalError
from agentl.logic.scope import BUCKETS, Belief
from agentl.logic.shared import SharedMemory
from agentl.messages import runtime as messages
from agentl.policy.engine import PolicyEngine
from agentl.runtime.answers import Answer
from agentl.runtime.compiler import Compiler, canonical_phase
from agentl.runtime.conditions import Condition
from agentl.runtime.constants import constants_of
from agentl.runtime.drift import KEY as DRIFT_KEY
from agentl.runtime.drift import load_drift, save_drift
from agentl.runtime.ending import Ending, ending_from_data, ending_to_data
from agentl.runtime.frames import BASE_CONTROL, Frame, Unit, frame_from_data, frame_to_data
from agentl.runtime.model_context import ModelContext
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Branch, Request, TickDone
from agentl.runtime.start import prepare
from agentl.runtime.state import SYNTHESISED, State
from agentl.runtime.tables import contracts_of, effects_of
from agentl.runtime.trace import Shown, Trace, TraceEvent
from agentl.runtime.unsupported import unsupported_in
from agentl.values import Label

DEFAULT_TICKS = 10
MEMORY: Label = frozenset({"MEMORY"})
EXTERNAL: Label = frozenset({"EXTERNAL"})


class Machine:
    """Runs one agent. A driver calls `begin_tick` (or `begin_phase`, `begin_call`), then `step` until TickDone.

    `step(None)` starts; each further call brings the answer to the request the last one returned. Between ticks no
    frame lives: a Machine built with a `state` goes on from it. `shared` is the SHARED memory of a society, one object
    for all its machines. AgentLError for constructs that cannot run.
    `watcher` is called after every statement, phases included; it may only look.
    """

    def __init__(
        self,
        agent: Agent,
        options: MachineOptions | None = None,
        *,
        state: State | None = None,
        trace: Trace | None = None,
        shared: SharedMemory | None = None,
        watcher: Callable[[], None] | None = None,
    ) -> None:
        problems = tuple(unsupported_in(agent))
        if problems:
            raise AgentLError(*problems)
        self.agent = agent
        self.options = options or MachineOptions()
        self.policy = PolicyEngine(agent, self.options.compat)
        self.contracts = contracts_of(agent)
        self.effects = effects_of(agent)
        self.model_context = ModelContext(agent)
        self.call_result: dict[str, Any] | None = None
        self.inferences: dict[str, Inference] = {}  # of the last UPDATE_HYPOTHESES, for people
        self._watcher = watcher
        compiler = Compiler(agent, compat=self.options.compat, watched=watcher is not None)
        self._codes = {code.id: code.instructions for code in compiler.codes.values()}
        until = agent.loop.until if agent.loop is not None else None
        self._until = Condition.of(until) if until is not None else None
        self._frames: list[Frame] = []
        self._waiting = False
        self._below = 0
        self.branch = ""  # the path of this branch of a PARALLEL, "" for the main line
        self.branches: tuple[Branch, ...] = ()  # those a PARALLEL under way waits for
        self.ending: Ending | None = None  # how a branch ended, None when it ran to its end
        self.trace = trace or Trace()
        self.state = State(shared) if state is None else state
        if not self.options.compat:
            self.state.constants = constants_of(agent)
        if shared is not None:
            self.state.shared = shared
        if agent.memory is not None:
            self.state.shared.declared.update(agent.memory.shared)
        if state is None:
            prepare(self)
        else:
            self.trace.digest = state.trace_digest or self.trace.digest

    # -- what a driver calls

    @property
    def metrics(self) -> dict[str, int]:
        """The counters of semantics.md §27."""
        return self.state.metrics

    @property
    def tick_limit(self) -> int:
        """LOOP MAX, or 10 without one."""
        limit = self.agent.loop.limit if self.agent.loop is not None else None
        return limit if limit is not None and limit > 0 else DEFAULT_TICKS

    def begin_tick(self) -> None:
        """Start the next tick: the LOOP body, or the default cycle."""
        self._must_be_idle()
        state = self.state
        state.tick += 1
        state.fresh.clear()
        self.count("ticks")
        self.log("TICK", "start")
        self.enter("cycle", "cycle", BASE_CONTROL)

    def begin_phase(self, word: str) -> None:
        """Start a single phase; DECIDE and ACT are read as aliases. AgentLError when there is no such phase."""
        self._must_be_idle()
        code = f"phase:{canonical_phase(word)}"
        if code not in self._codes:
            raise AgentLError.of(messages.UNKNOWN_PHASE, phase=word)
        self.enter(code, "phase", BASE_CONTROL)

    def begin_plan(self, plan: str) -> None:
        """Start one declared plan as the whole of a tick, queued by the runtime (operations-contract.md §7).

        KeyError when the agent has no such plan.
        """
        self._must_be_idle()
        code = f"plan:{plan}"
        if code not in self._codes:
            raise KeyError(plan)
        self.state.tick += 1
        self.state.fresh.clear()
        self.count("ticks")
        self.log("TICK", "start")
        self.enter(code, "plan", BASE_CONTROL, plan=plan)

    def begin_call(
        self, tool: str, args: Mapping[str, Any], labels: Mapping[str, Label] | None = None, *, origin: str = "plan"
    ) -> None:
        """Start one governed call that no statement makes; after TickDone `call_result` is its reduced result or None.

        Without labels every argument counts as UNKNOWN (host-api §4).
        """
        self._must_be_idle()
        self.call_result = None
        given = {name: frozenset(sources) for name, sources in (labels or {}).items()}
        given.setdefault(CONTROL, frozenset())
        if tool not in self.contracts:
            self.count("blocked")
            self.log("BLOCKED", "undeclared", target=tool, args=dict(args))
            return
        self.enter_call(tool, dict(args), given, origin=origin)

    def step(self, answer: Answer | None) -> Request | TickDone:
        """Go on until the world is needed or the tick is done. `answer` is None exactly when nothing was asked."""
        if (answer is None) == self._waiting:
            raise ValueError("step takes the answer to the last request, and None when there was none")
        frames, codes = self._frames, self._codes
        while frames:
            frame = frames[-1]
            instructions = codes[frame.code]
            step: Any = None
            while step is None:
                if answer is None:
                    at = frame.at
                    frame.at = at + 1
                    step = instructions[at].execute(self, frame)
                else:
                    given, answer = answer, None
                    step = instructions[frame.at - 1].resume(self, frame, given)
            if isinstance(step, Request):
                self._waiting = True
                return step
            self._waiting = False
        self._waiting = False
        return self._tick_done()

    def frames_to_data(self) -> dict[str, Any]:
        """The stack as JSON data, at any request (decision 11), with the stacks of the branches it waits for.

        NotStorable when an argument cannot be written down.
        """
        return {
            "waiting": self._waiting,
            "frames": [frame_to_data(frame) for frame in self._frames],
            "ending": None if self.ending is None else ending_to_data(self.ending),
            "branches": {branch.path: branch.machine.frames_to_data() for branch in self.branches},
        }

    def load_frames(self, data: dict[str, Any]) -> None:
        """Take a stack over in place of this machine's own; it must wait for the same branches."""
        self._waiting = data["waiting"]
        self._frames = [frame_from_data(frame) for frame in data["frames"]]
        self.ending = None if data["ending"] is None else ending_from_data(data["ending"])
        for branch in self.branches:
            branch.machine.load_frames(data["branches"][branch.path])

    def until_holds(self) -> bool:
        """Whether LOOP UNTIL says that the run is over; an error counts as false. Asked after a tick."""
        if self._until is None or not self.holds(self._until, "LOOP UNTIL"):
            self._close_trace()
            return False
        self.log("INFO", "until")
        self._close_trace()
        return True

    def seed_memory(self, bucket: str, key: str, records: list[Any]) -> None:
        """Give memory of an earlier run, labelled MEMORY. AgentLError for an unknown bucket."""
        if bucket not in BUCKETS:
            raise AgentLError.of(messages.UNKNOWN_BUCKET, bucket=bucket)
        self.state.seed(bucket, key, records, MEMORY)
        if (bucket, key) == ("LONG_TERM", DRIFT_KEY):
            load_drift(self.state, records)

    def set_input(self, name: str, value: Any) -> None:
        """Bind an input of the run: a belief of source `input`, labelled EXTERNAL. AgentLError after tick 1 began."""
        if self.state.tick:
            raise AgentLError.of(messages.TOO_LATE, what=name)
        self.state.set_belief(name, Belief(value, source="input"), EXTERNAL)

    def note_approval(
        self, request: ActionRequest, stage: Literal["pending", "granted"], rule: str | None = None
    ) -> None:
        """The driver says that an approval is asked for, or was given (policy.md §15)."""
        if stage == "pending":
            self.count("approvals")
        self.log("APPROVAL", stage, target=request.tool, args=dict(request.args), rule=rule)

    def note_approver_failed(self, request: ActionRequest, error_class: str, text: str) -> None:
        """The driver says that the approver raised; the action is then refused."""
        self.log("ERROR", "approver", target=request.tool, args=dict(request.args), error=error_class, message=text)

    def note_shadowed(self, request: ActionRequest, names: tuple[str, ...]) -> None:
        """The driver says that arguments hid other values while the policy judged (policy.md §4.1)."""
        self.log("POLICY", "shadowed", target=request.tool, args=dict(request.args), names=list(names))

    # -- what instructions call

    def watched(self) -> None:
        """A statement has ended, also by failing."""
        if self._watcher is not None:
            self._watcher()

    def adopt(self, state: State, trace: Trace, branch: str) -> None:
        """Become the idle machine of a branch (branching.fork); its frames stand on those it was forked from."""
        self._below = self.depth
        self.state, self.trace, self.branch = state, trace, branch
        self._frames, self._waiting, self.branches, self.ending = [], False, (), None

    @property
    def depth(self) -> int:
        """How many frames there are, with those below a branch."""
        return self._below + len(self._frames)

    def enter(self, code: str, unit: Unit, control: Label, plan: str = "") -> Frame:
        """Push a frame; the instruction that did so returns SWITCHED."""
        frame = Frame(code, unit, [control], plan=plan)
        self._frames.append(frame)
        return frame

    def enter_call(
        self, tool: str, args: dict[str, Any], labels: dict[str, Label], *, origin: str = "plan", node: str = ""
    ) -> None:
        """Push the gates of a declared tool for a call that no statement makes."""
        frame = self.enter(f"call:{tool}", "phase", labels[CONTROL])
        frame.registers.update(args=args, labels=labels, origin=origin, node=node)

    def enter_body(self, code: str, control: Label) -> bool:
        """Push the body of a handler or rule; False when a sticky failure of `--compat` keeps it from running."""
        if self.state.failed:
            return False
        self.enter(code, "body", control)
        return True

    def leave(self, frame: Frame) -> None:
        """Pop a frame, which must be the top one."""
        assert self._frames[-1] is frame
        self._frames.pop()

    def outermost(self, code: str) -> Frame:
        """The lowest frame of this code: an EXECUTE inside an EXECUTE counts as one."""
        return next(frame for frame in self._frames if frame.code == code)

    def holds(self, condition: Condition, where: str) -> bool:
        """Evaluate a condition; one that cannot be evaluated counts as false and is traced."""
        try:
            return condition.test(self.state)
        except EvalError as problem:
            self.unevaluable(where, problem)
            return False

    def unevaluable(self, where: str, problem: EvalError) -> None:
        """Trace an expression that has no value."""
        self.log("ERROR", "expression", error="EvalError", where=where, shown={"message": str(problem)})

    def queue_plan(self, plan: str, label: Label, reason: str) -> None:
        """Queue a plan once; a second time only joins the labels (semantics.md §12, §23)."""
        if self.code_of(plan) not in self._codes:
            self.log("ERROR", "unknown_plan", plan=plan, reason=reason)
            return
        if self.state.enqueue(plan, label):
            self.log("PLAN", "queued", plan=plan, reason=reason)

    def code_of(self, plan: str) -> str:
        """The code of a plan; all that the planner made share one."""
        return SYNTHESISED if plan in self.state.synthesised else f"plan:{plan}"

    def publish_drift(self) -> None:
        """Rewrite the drift registry in memory where LONG_TERM declares it."""
        memory = self.agent.memory
        if memory is not None and DRIFT_KEY in memory.long_term:
            save_drift(self.state)

    def log(self, kind: str, name: str, *, shown: Mapping[str, Shown] | None = None, **facts: Any) -> None:
        """Trace an event of this tick; what is only `shown` is wording and enters no digest."""
        self.trace.add(TraceEvent(self.state.tick, kind, name, facts, self.agent.name, shown))

    def count(self, metric: str, by: int = 1) -> None:
        """Add to a metric."""
        self.state.metrics[metric] += by

    def _must_be_idle(self) -> None:
        if self._frames:
            raise ValueError("a tick, phase or call is under way")

    def _close_trace(self) -> None:
        self.state.trace_digest = self.trace.close_tick()

    def _tick_done(self) -> TickDone:
        if self.branch:
            return TickDone(self.state.tick, "", "")
        if self.options.clear_payloads:
            self.state.forget_payloads()
        self.state.forget_run_plans()
        self._close_trace()
        return TickDone(self.state.tick, self.state.close_tick(), self.state.trace_digest)
