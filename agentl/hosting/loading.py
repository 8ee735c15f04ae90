"""Finding and loading the host module of a program (host-api.md §1)."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from agentl.diagnostics import AgentLError, Source, Span
from agentl.hosting.asynchronous import is_async_host, is_async_model
from agentl.hosting.classification import is_about_the_call
from agentl.hosting.host import Host
from agentl.hosting.llm import MockLLM
from agentl.messages import host as messages

MODULE_NAME = "agentl_host"  # what a host module is called while it is executed
MEMBERS = ("read", "invoke", "ask", "approve", "drain")

WaitFor = Callable[[Awaitable[Any]], Any]


class HostError(AgentLError):
    """The host module is missing, broken or incomplete: something wrong in the command (exit 2, decision 31)."""


@dataclass(frozen=True, slots=True)
class HostModule:
    """What a host module gave.

    One host and one model for everything (`host`, `model`), or one for an agent (`hosts`, `models`), by agent name;
    `is_society` when the hosts are given by name. A model that was not given is None. `extra` is what came after the
    model: only Limits mean something there, to whoever drives the run.
    """

    path: Path | None = None
    host: Any = None
    model: Any = None
    hosts: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)
    is_society: bool = False
    extra: Any = None

    @property
    def is_async(self) -> bool:
        """Whether some host or model has to be awaited."""
        hosts, models = (self.host, *self.hosts.values()), (self.model, *self.models.values())
        return any(map(is_async_host, hosts)) or any(map(is_async_model, models))

    def assign(self, agents: Sequence[str]) -> dict[str, tuple[Any, Any]]:
        """Return (host, model) for each agent; an agent without entry gets an empty Host and its own MockLLM().

        HostError when the module names an agent the program does not have.
        """
        for given, message in (
            (self.hosts, messages.HOST_FOR_UNKNOWN_AGENT),
            (self.models, messages.MODEL_FOR_UNKNOWN_AGENT),
        ):
            unknown = next((name for name in given if name not in agents), None)
            if unknown is not None:
                raise HostError.of(message, agent=unknown, agents=", ".join(agents))
        return {name: (self._host_of(name), self._model_of(name)) for name in agents}

    def _host_of(self, agent: str) -> Any:
        host = self.hosts.get(agent) if self.is_society else self.host
        return Host() if host is None else host

    def _model_of(self, agent: str) -> Any:
        model = self.models.get(agent, self.model)
        return MockLLM() if model is None else model


def host_path_of(program_path: str | Path) -> Path:
    """Return where the host module of a program is looked for: same folder, same stem, `.py`."""
    return Path(program_path).with_suffix(".py")


def load_host(
    program_path: str | Path, host_path: str | Path | None = None, *, wait_for: WaitFor | None = None
) -> HostModule:
    """Execute the host module of a program and return what it gave.

    The module is executed under one fixed name, known before it runs; its folder is searched for what it imports.
    `wait_for` gets what an async `build()` returns and waits for it, in the loop the run is then driven in.
    HostError: no such file, unreadable, an exception while loading, a value that is no host, or an async `build()`
    without `wait_for`.
    """
    path = Path(host_path) if host_path is not None else host_path_of(program_path)
    if not path.exists():
        raise HostError.of(messages.HOST_MISSING, program=str(program_path), host=str(path))
    try:
        text = importlib.util.decode_source(path.read_bytes())
    except (OSError, UnicodeDecodeError, SyntaxError) as error:
        raise HostError.of(messages.HOST_UNREADABLE, host=str(path), reason=_one_line(error)) from None
    _make_neighbours_importable(path)
    return _interpret(_given_by(text, path, wait_for), path)


def _make_neighbours_importable(path: Path) -> None:
    folder = str(path.resolve().parent)
    if folder in sys.path:
        return
    # WHY before installed packages and after the standard library: a host's neighbour wins over a package of its name,
    # and a host called calendar.py or signal.py does not take the place of the standard module.
    installed = (at for at, entry in enumerate(sys.path) if "site-packages" in entry or "dist-packages" in entry)
    sys.path.insert(next(installed, len(sys.path)), folder)


def _given_by(text: str, path: Path, wait_for: WaitFor | None) -> Any:
    """Execute the module; return what `build()` returns, else its `host`, `llm` and `limits`."""
    source = Source(text, str(path))
    module = ModuleType(MODULE_NAME)
    module.__file__ = str(path)
    before = sys.modules.get(MODULE_NAME)
    sys.modules[MODULE_NAME] = module
    try:
        # WHY not the import system: it would trust a compiled file beside the module that may be older than its text.
        exec(compile(text, str(path), "exec", dont_inherit=True), module.__dict__)
        build = getattr(module, "build", None)
        if build is None:
            host = getattr(module, "host", None)
            return (Host() if host is None else host, getattr(module, "llm", None), getattr(module, "limits", None))
        if not callable(build):
            raise HostError.of(messages.BUILD_NOT_CALLABLE, host=str(path))
        return _awaited(build(), path, wait_for)
    except BaseException as error:
        _forget(before)
        if isinstance(error, HostError) or not is_about_the_call(error):
            raise
        raise _broken(error, source, module) from None


def _awaited(given: Any, path: Path, wait_for: WaitFor | None) -> Any:
    if not inspect.isawaitable(given):
        return given
    if wait_for is None:
        if inspect.iscoroutine(given):
            given.close()
        raise HostError.of(messages.HOST_ASYNC, host=str(path))
    return wait_for(given)


def _forget(before: ModuleType | None) -> None:
    if before is None:
        sys.modules.pop(MODULE_NAME, None)
    else:
        sys.modules[MODULE_NAME] = before


def _broken(error: BaseException, source: Source, module: ModuleType) -> HostError:
    build = getattr(getattr(module, "build", None), "__code__", None)  # where a call of build() itself is at fault
    line = _line_in(error, source.name) or getattr(build, "co_firstlineno", 0)
    reason = error.msg if isinstance(error, SyntaxError) else _one_line(error)
    return HostError.of(
        messages.HOST_BROKEN,
        source=source,
        span=_span_of_line(source, line),
        error_class=type(error).__name__,
        reason=reason,
    )


def _line_in(error: BaseException, filename: str) -> int:
    """Return the line of the host file the error came through last; 0 when it came through none."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno or 0
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _span_of_line(source: Source, number: int) -> Span | None:
    if number < 1:
        return None
    text = source.line(number)
    start = sum(len(source.line(before)) + 1 for before in range(1, number)) + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _interpret(given: Any, path: Path) -> HostModule:
    """Read what build() returned (host-api.md §1.2): only a tuple is unpacked."""
    parts = given if isinstance(given, tuple) else (given,)
    first, model, extra = (*parts, None, None, None)[:3]
    for each in (*_all(first), *_all(model)):
        if isinstance(each, type):
            raise HostError.of(messages.HOST_IS_A_CLASS, host=str(path), name=each.__name__)
    if any(each is not None and not _asks(each) for each in _all(model)):
        raise HostError.of(messages.MODEL_INCOMPLETE, host=str(path))
    models = MappingProxyType(dict(model)) if isinstance(model, dict) else MappingProxyType({})
    shared_model = None if isinstance(model, dict) else model
    if not isinstance(first, dict):
        lacking = _lacking_members(first)
        if lacking:
            raise HostError.of(messages.HOST_INCOMPLETE, host=str(path), members=lacking)
        return HostModule(path, host=first, model=shared_model, models=models, extra=extra)
    for agent, host in first.items():
        lacking = _lacking_members(host)
        if lacking:
            raise HostError.of(messages.HOST_OF_AGENT_INCOMPLETE, host=str(path), agent=agent, members=lacking)
    hosts = MappingProxyType(dict(first))
    return HostModule(path, model=shared_model, hosts=hosts, models=models, is_society=True, extra=extra)


def _all(given: Any) -> tuple[Any, ...]:
    return tuple(given.values()) if isinstance(given, dict) else (given,)


def _asks(model: Any) -> bool:
    return any(callable(getattr(model, name, None)) for name in ("reason", "judge", "select_plan"))


def _lacking_members(host: Any) -> str:
    return ", ".join(name for name in MEMBERS if not callable(getattr(host, name, None)))
