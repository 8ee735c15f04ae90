"""The host's side of a literate case: a few lines say what it answers, and a log says what it was asked.

    sensor tank.level: 40, None, OSError("cut off")     one reading after the other, the last one stays
    tool fill: {"ok": Symbol("yes")}                     as sensors; a function is called with the arguments
    subagent auditor: {"verdict": "fine"}
    approver: "yes", lambda request: request.args["sum"] < 5
    operator: "carry on"
    model "triage": {"kind": "late"}                     for tasks that contain the text; `model:` for every task
    missing: ["kind"]                                    what the adapter says it has no answer for
    chooses: "copy"                                      the plan the model chooses
    event 2 bell.rung: {"floor": 3}                      in the queue when tick 2 begins
    message 1 hello from bob: {"n": 1}                   in the inbox when tick 1 begins
    queue: [], 5, OSError("down")                        what the queue of events gives, in place of `event`
    without judge:                                       the model can only `reason`
    agent desk:                                          what follows belongs to this agent of a society

Of the run: `ticks: 3`, `until: desk`, `input rate: 5`, `memory LONG_TERM.cases: [...]`, `options: compat=True`.
What stands behind the colon is Python; a line that begins with a blank goes on with the one before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from agentl.durable.options import RunOptions
from agentl.hosting.host import Host
from agentl.hosting.llm import LLM, MockLLM
from agentl.hosting.outcomes import NotApplied, OutcomeUnknown
from agentl.kernel.provenance import untrusted
from agentl.values import UNDEFINED, Symbol
from tests.language.showing import shown, shown_call

LINE = re.compile(r"(?P<word>\w+)(?: (?P<rest>[^:]*))?:(?: (?P<value>.*))?", re.DOTALL)
NAMES = {
    "Symbol": Symbol,
    "UNDEFINED": UNDEFINED,
    "untrusted": untrusted,
    "NotApplied": NotApplied,
    "OutcomeUnknown": OutcomeUnknown,
    "nan": math.nan,
    "inf": math.inf,
    "dict": dict,
    "range": range,
    "list": list,
    **{error.__name__: error for error in (OSError, ValueError, RuntimeError, TimeoutError, ConnectionError)},
}


@dataclass
class Answers:
    """Answers one after the other; the last one stays. An exception is raised."""

    items: list[Any]

    def take(self) -> Any:
        item = self.items.pop(0) if len(self.items) > 1 else self.items[0]
        if isinstance(item, BaseException):
            raise item
        return deepcopy(item)


class Log:
    """What the host's side was asked, in order, each time one or more lines. Branches of PARALLEL ask at once."""

    def __init__(self) -> None:
        self._asked: list[tuple[str, ...]] = []

    def asked(self, *lines: str) -> None:
        self._asked.append(lines)

    def lines(self, *, in_order: bool) -> list[str]:
        """Everything that was asked; readings that follow one another stand in one line, unless order means nothing."""
        found: list[str] = []
        is_reading = False
        for lines in self._asked if in_order else sorted(self._asked):
            reads = lines[0].startswith("read ")
            if reads and is_reading:
                found[-1] += lines[0].removeprefix("read")
            else:
                found += lines
            is_reading = reads and in_order
        return found


class StagedModel(LLM):
    """Gives the answers of the script the way MockLLM gives them, and notes what it was shown."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.log = log
        self.answers: dict[str, Answers] = {}
        self.missing: Answers | None = None
        self.chooses: Answers | None = None

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> Any:
        self.log.asked(f"reason {shown(task)}", *_context(context), f"  wanted {shown(dict(produce))}")
        mock = self._mock(task)
        if mock is None:
            return self._raw
        answer = mock.reason(task, context, produce)
        self.last_reason_missing = self.missing.take() if self.missing is not None else mock.last_reason_missing
        return answer

    def judge(self, task: str, context: Any, questions: Mapping[str, Mapping[str, Any]]) -> Any:
        asked = [f"  {name}: {shown(dict(question))}" for name, question in questions.items()]
        self.log.asked(f"judge {shown(task)}", *_context(context), *asked)
        mock = self._mock(task)
        return self._raw if mock is None else mock.judge(task, context, questions)

    def select_plan(self, context: Any, candidates: Sequence[str]) -> Any:
        self.log.asked(f"choose from {shown(list(candidates))}", *_context(context))
        if self.chooses is None:
            return MockLLM().select_plan(context, candidates)
        return self.chooses.take()

    def _mock(self, task: str) -> MockLLM | None:
        """MockLLM with the next answer to the task; None for an answer that is no dict, which goes out as it is."""
        key = next((key for key in self.answers if key.lower() in task.lower()), None)
        self._raw = {} if key is None else self.answers[key].take()
        return MockLLM({"": self._raw}) if isinstance(self._raw, dict) else None


class PlainModel(StagedModel):
    """A model that can only `reason`: JUDGE is served through it, without probabilities."""

    judge = LLM.judge


class StagedHost(Host):
    """The real host; it notes what is read, and its queue can be broken."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.log = log
        self.queue: Answers | None = None

    def read(self, path: str) -> Any:
        self.log.asked(f"read {path}")
        return super().read(path)

    def drain(self) -> Any:
        return super().drain() if self.queue is None else self.queue.take()


@dataclass
class Stage:
    """One agent's host and model, and what happens when a tick begins."""

    log: Log = field(default_factory=Log)
    host: StagedHost = field(init=False)
    model: StagedModel = field(init=False)
    at_tick: dict[int, list[Callable[[], None]]] = field(default_factory=dict)
    inbox: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.host = StagedHost(self.log)
        self.model = StagedModel(self.log)
        self.host.trace_sink = self._watch

    def _watch(self, event: Any) -> None:
        if event.kind == "TICK":
            for happen in self.at_tick.get(event.tick, ()):
                happen()

    # -- one method a word of the script

    def sensor(self, path: str, answers: Answers) -> None:
        self.host.sensors[path] = answers.take

    def tool(self, name: str, answers: Answers) -> None:
        def called(**args: Any) -> Any:
            self.log.asked(shown_call(name, args))
            item = answers.take()
            return item(**args) if callable(item) else item

        self.host.tools[name] = called

    def subagent(self, name: str, answers: Answers) -> None:
        def called(payload: dict[str, Any]) -> Any:
            self.log.asked(f"sub-agent {shown_call(name, payload)}")
            return answers.take()

        self.host.subagents[name] = called

    def approver(self, _: str, answers: Answers) -> None:
        def asked(request: Any) -> Any:
            self.log.asked(f"approve {shown_call(request.tool, request.args)}, risk {request.risk}")
            item = answers.take()
            return item(request) if callable(item) else item

        self.host.approver = asked

    def operator(self, _: str, answers: Answers) -> None:
        def asked(question: str, reason: str = "") -> Any:
            self.log.asked(f"ask {shown(question)}" + (f", {reason}" if reason else ""))
            return answers.take()

        self.host.asker = asked

    def model_(self, words: str, answers: Answers) -> None:
        self.model.answers[words.strip('"')] = answers

    def missing(self, _: str, answers: Answers) -> None:
        self.model.missing = answers

    def chooses(self, _: str, answers: Answers) -> None:
        self.model.chooses = answers

    def without(self, what: str, _: Answers) -> None:
        assert what == "judge", what
        self.model.__class__ = PlainModel

    def event(self, at: str, payloads: Answers) -> None:
        tick, _, source = at.partition(" ")
        for payload in payloads.items:
            self._at(int(tick), lambda payload=payload: self.host.emit(source, **deepcopy(payload)))

    def queue(self, _: str, raw: Answers) -> None:
        """What the event queue gives, whatever it is."""
        self.host.queue = raw

    def message(self, at: str, payloads: Answers) -> None:
        tick, name, _, sender = at.split(" ")
        for payload in payloads.items:
            letter = {"name": name, "from": sender, "payload": deepcopy(payload)}
            self._at(int(tick), lambda letter=letter: self.inbox.append(letter))

    def _at(self, tick: int, happen: Callable[[], None]) -> None:
        self.at_tick.setdefault(tick, []).append(happen)


@dataclass
class Staging:
    """A whole script: a stage for each agent (by name, "" for the only one), and how the run is to go."""

    stages: dict[str, Stage] = field(default_factory=dict)
    ticks: int | None = None
    until: str | None = None
    inputs: dict[str, Any] = field(default_factory=dict)
    memory: list[tuple[str, str, list[Any]]] = field(default_factory=list)
    options: RunOptions = field(default_factory=RunOptions)

    def stage(self, agent: str) -> Stage:
        return self.stages.setdefault(agent, Stage())


def stage(script: str) -> Staging:
    """Set up what a script says."""
    staging = Staging()
    agent = ""
    for line in re.sub(r"\n[ \t]+", " ", script).splitlines():
        match = LINE.fullmatch(line)
        assert match is not None, f"no line of a host script: {line!r}"
        word, rest, value = match["word"], match["rest"] or "", match["value"] or ""
        if word == "agent":
            agent = rest
            staging.stage(agent)
        elif word == "options":
            staging.options = RunOptions.of(**eval(f"dict({value})", {"__builtins__": {}, **NAMES}))
        elif word == "until":
            staging.until = value
        else:
            _said(staging, agent, word, rest, Answers(list(eval(f"({value},)" if value else "()", NAMES))))
    return staging


def _said(staging: Staging, agent: str, word: str, rest: str, answers: Answers) -> None:
    if word == "ticks":
        (staging.ticks,) = answers.items
    elif word == "input":
        (staging.inputs[rest],) = answers.items
    elif word == "memory":
        bucket, _, key = rest.partition(".")
        staging.memory += [(bucket, key, records) for records in answers.items]
    else:
        method = getattr(staging.stage(agent), {"model": "model_"}.get(word, word), None)
        assert method is not None, f"no word of a host script: {word!r}"
        method(rest, answers)


def _context(context: Mapping[str, Any]) -> list[str]:
    """What the model sees, one line for each part but the tick."""
    return [f"  sees {part} {shown(value)}" for part, value in context.items() if part != "tick"]
