"""Handlers: everything between "a launch was decided" and "its answer was judged" (contract §6, §7)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from agentl.diagnostics import Diagnostic
from agentl.hosting.manifest import Binding
from agentl.messages import Phrase
from agentl.messages import handlers as say
from agentl.operations.attempts import Attempts
from agentl.operations.commands import Command, find_command, named_files
from agentl.operations.environment import HandlerEnvironment
from agentl.operations.granted_paths import Forbidden, GrantedPaths, resolve_paths
from agentl.operations.handler_digest import handler_digest
from agentl.operations.handler_errors import HandlersRefused, SecretUnavailable
from agentl.operations.launching import Ended, Launch, Launcher, WorkingFolder
from agentl.operations.problems import NotLaunched, Problem
from agentl.operations.protocol import Judge, call_bytes, how_it_ended, reconciliation_bytes
from agentl.operations.sandbox import InForce, Mode, Sandbox, View, choose_sandbox
from agentl.operations.secrets import DirectorySecrets, KnownSecrets, SecretsProvider
from agentl.operations.stderr_files import STDERR, StderrFiles
from agentl.operations.tool_calls import EarlierAttempt, Launched, ToolCall


@dataclass(frozen=True, slots=True)
class _Bound:
    """One binding, with all that was found and opened for it at start."""

    binding: Binding
    command: Command
    paths: GrantedPaths
    cwd: WorkingFolder


class Handlers:
    """The handlers of one manifest. Safe to use from several threads; `check` comes first, `close` last.

    folder: the manifest's. state: the state folder; attempts, stderr and secrets stand in it. secrets: where they come
    from. sandbox: `require`, `auto` or `off`. hidden: further files no handler may see, such as the token file.
    environ: the environment as it is now, by default this process's.
    """

    def __init__(
        self,
        folder: Path,
        bindings: Iterable[Binding],
        state: Path,
        secrets: SecretsProvider,
        sandbox: Mode = "auto",
        *,
        hidden: Iterable[Path] = (),
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.known_secrets = KnownSecrets()
        self._folder = Path(folder).resolve()
        self._bindings = tuple(bindings)
        self._secrets = secrets
        self._mode: Mode = sandbox
        self._environment = HandlerEnvironment(os.environ if environ is None else environ)
        own = [secrets.folder] if isinstance(secrets, DirectorySecrets) else []
        self._forbidden = Forbidden([Path(state), *own, *hidden])
        self._attempts = Attempts(Path(state).resolve() / "attempts")
        self._stderr = StderrFiles(Path(state).resolve() / STDERR, self.known_secrets)
        self._launcher = Launcher()
        self._bound: dict[str, _Bound] = {}
        self._sandbox = Sandbox()

    def check(self) -> None:
        """Find and open everything once, at start; starts the launcher and probes the sandbox, but runs no handler.

        HandlersRefused with every problem: commands, folders, grants, variables. SandboxMissing when it is required.
        """
        self._sandbox = choose_sandbox(self._mode, self._launcher, self._environment.path)
        problems = self._folder_problems()
        for binding in self._bindings:
            try:
                problems += self._environment.problems(binding)
                self._bound[binding.tool] = self._bind(binding)
            except HandlersRefused as refused:
                problems += refused.diagnostics
        if problems:
            self.close()
            raise HandlersRefused(*problems)

    def sweep(self) -> None:
        """Remove the files of attempts of which nothing lives, and old stderr; for the owner of the state folder."""
        self._attempts.sweep()
        self._stderr.sweep()

    @property
    def sandbox_mode(self) -> InForce:
        """Whether grants are `enforced`, or only `declared`."""
        return self._sandbox.mode

    @property
    def why_declared(self) -> Phrase | None:
        """Why grants are only declared, to be said once at start; None when they are enforced."""
        return self._sandbox.why

    def digest(self, binding: Binding) -> str:
        """Return `sha256:` and the digest of what would be launched now."""
        return handler_digest(binding, self._of(binding).command)

    def resolved_paths(self, binding: Binding) -> Mapping[str, str]:
        """Return what the path grants mean here: grant as written → absolute path."""
        return self._of(binding).paths.resolved

    def granted(self, binding: Binding) -> Sequence[str]:
        """Return the grants as they hold here, paths resolved, sorted."""
        resolved = self.resolved_paths(binding)
        return sorted(
            f"{grant.partition(':')[0]}:{resolved[grant]}" if grant in resolved else grant for grant in binding.grants
        )

    def prepare(self, binding: Binding, call: ToolCall) -> None:
        """Refuse what can be refused before a reservation; starts nothing.

        Problem SecretUnavailable or PayloadTooLarge; BorderError for an input that is no I-JSON.
        """
        self._of(binding)
        self._resolve_secrets(binding)
        self._stdin(binding, call_bytes(binding, call))

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        """Launch the handler of an attempt, wait for its end and judge it.

        NotLaunched: nothing has run, for certain; its problem is that of `prepare`, or HandlerError for a program, a
        folder or a sandbox that cannot be entered.
        """
        try:
            ended = self._run(binding, call.call_id, call.call_id, call_bytes(binding, call))
        except Problem as problem:
            raise NotLaunched(problem) from problem
        if ended.how == "not_started":
            raise NotLaunched(Problem("HandlerError", {"tool": binding.name}, reason=how_it_ended(ended, binding)))
        return Launched(self._judge(binding).call(ended), ended.elapsed_ms)

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        """Ask the package about an effect: the same handler, with `mode: reconcile`.

        Applied or Withheld: it took place. NotApplied: it did not, and it will not. Unknown: still unknown.
        Problem SecretUnavailable or PayloadTooLarge: nothing was asked.
        """
        stdin = reconciliation_bytes(binding, call, attempts)
        ended = self._run(binding, call.call_id, question_id(call.call_id), stdin)
        return Launched(self._judge(binding).reconciliation(ended), ended.elapsed_ms)

    def in_flight(self, call_id: str) -> bool:
        """Whether something of an attempt lives, started by this process or an earlier one."""
        return self._attempts.in_flight(call_id)

    def clear(self, call_id: str) -> bool:
        """Kill what is left of an attempt; False when something of it still lives after two seconds."""
        return self._attempts.clear(call_id) and self._attempts.clear(question_id(call_id))

    def kill(self, call_id: str) -> bool:
        """Kill the handler of a call under way in this process: its outcome is then unknown. False: there is none."""
        return self._launcher.kill(call_id)

    def stderr(self, call_id: str) -> str | None:
        """Return what an attempt wrote to stderr, as far as it is kept; for people on this machine only."""
        return self._stderr.read(call_id)

    def close(self) -> None:
        """End the launcher, and with it every handler."""
        self._launcher.close()
        for bound in self._bound.values():
            with suppress(OSError):
                bound.cwd.close()
        self._bound.clear()

    def _folder_problems(self) -> list[Diagnostic]:
        if self._sandbox.mode == "declared":
            return []  # there it shows no more than all else does
        shown = self._forbidden.shown_by(self._folder)
        if shown is None:
            return []
        return [Diagnostic(say.FOLDER_FORBIDDEN, {"folder": str(self._folder), "path": str(shown)})]

    def _bind(self, binding: Binding) -> _Bound:
        command = find_command(binding, self._folder, self._environment.path)
        paths = resolve_paths(binding, self._folder, self._environment.variables, self._forbidden)
        return _Bound(binding, command, paths, WorkingFolder.open(command.cwd))

    def _of(self, binding: Binding) -> _Bound:
        bound = self._bound.get(binding.tool)
        if bound is None:
            raise HandlersRefused.of(say.TOOL_NOT_BOUND, tool=binding.tool)
        return bound

    def _run(self, binding: Binding, call_id: str, attempt_id: str, stdin: bytes) -> Ended:
        bound = self._of(binding)
        secrets = self._resolve_secrets(binding)
        stdin = self._stdin(binding, stdin)
        try:
            attempt = self._attempts.open(attempt_id)
        except OSError as error:
            return Ended("not_started", error.errno)
        try:
            ended = self._launcher.launch(
                Launch(
                    call_id,
                    self._sandbox.wrap(bound.command.argv, self._view(bound)),
                    self._environment.of(binding, secrets),
                    stdin,
                    binding.timeout_ms,
                    binding.max_payload_bytes,
                    cwd=bound.cwd,
                    lock=attempt.descriptor,
                    sandboxed=self._sandbox.mode == "enforced",
                )
            )
        finally:
            attempt.close()
        if ended.how == "lost":
            self._attempts.clear(attempt_id)  # the launcher could not
        self._stderr.keep(attempt_id, ended.stderr)
        return ended

    def _view(self, bound: _Bound) -> View:
        others = [path for other in self._bound.values() if other is not bound for path in other.paths.writes]
        return View(
            self._folder,
            bound.command.cwd,
            network=bound.binding.has_network,
            reads=bound.paths.reads,
            writes=bound.paths.writes,
            programs=(*bound.command.needs, *named_files(bound.binding, bound.command)),
            hidden=self._forbidden.ours,
            others=tuple(others),
        )

    def _resolve_secrets(self, binding: Binding) -> dict[str, str]:
        values = {}
        for handle in binding.secret_handles:
            values[handle] = self._secret(binding, handle)
            self.known_secrets.remember(handle, values[handle])
        return values

    def _secret(self, binding: Binding, handle: str) -> str:
        try:
            return self._secrets.value(handle)
        except SecretUnavailable as error:
            told = error.diagnostics[0]
            reason = Phrase(told.definition, **told.arguments)
            raise Problem("SecretUnavailable", {"tool": binding.name, "handle": handle}, reason=reason) from None

    def _stdin(self, binding: Binding, stdin: bytes) -> bytes:
        if len(stdin) > binding.max_payload_bytes:
            details = {"tool": binding.name, "size": len(stdin), "max_payload_bytes": binding.max_payload_bytes}
            raise Problem("PayloadTooLarge", details)
        return stdin

    def _judge(self, binding: Binding) -> Judge:
        return Judge(binding, self.known_secrets)


def question_id(call_id: str) -> str:
    """Return the name under which a question about an attempt is locked: it is a launch of its own."""
    return f"{call_id}:reconcile"
