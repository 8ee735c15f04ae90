"""What people and programs are told about one operation."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agentl.cli import console
from agentl.cli.exits import Exit
from agentl.diagnostics.render.text import visible
from agentl.messages import operating as messages
from agentl.messages.operations import WIRE
from agentl.operations.places import states_home
from agentl.operations.problems import Problem

_CODES = {"completed": Exit.DONE, "stopped": Exit.PROGRAM, "failed": Exit.PROGRAM, "cancelled": Exit.PROGRAM}


def code_of(state: str) -> int:
    """The exit code of a drive by the state it led to (operations-contract.md §1)."""
    return _CODES.get(state, Exit.STOPPED)


def answered(work: Callable[[], int], *, as_json: bool) -> int:
    """Do the work; a refusal of it is printed as data where data is wanted: `{code, message, details}`."""
    try:
        return work()
    except Problem as problem:
        if not as_json:
            raise
        print_json(problem.to_data())
        return problem.exit_code


def print_json(data: object) -> None:
    """Print a projection."""
    console.result(json.dumps(data, ensure_ascii=False, indent=2))


def state_word(state: str) -> str:
    """A state in the reader's language."""
    return messages.STATE_WORDS[state].text()


def tell_view(view: Mapping[str, Any], *, with_reasons: bool = True) -> None:
    """Print `GET /operations/{id}` for people; `with_reasons`, those an error lists, as they are stored."""
    lines = [messages.L_STATE.text(state=state_word(view["state"]))]
    if "result" in view:
        lines.append(messages.L_RESULT.text(result=visible(json.dumps(view["result"], ensure_ascii=False))))
    if "stop_reason" in view:
        lines.append(messages.L_STOP.text(reason=visible(str(view["stop_reason"]))))
    if "error" in view:
        lines += error_lines(view["error"], with_reasons=with_reasons)
    if view.get("cancel_requested"):
        lines.append(messages.L_CANCEL_ASKED.text())
    if "budget" in view:
        lines.append(messages.L_BUDGET.text(**view["budget"]))
    console.result("\n".join(lines))


def error_lines(error: Mapping[str, Any], *, with_reasons: bool) -> list[str]:
    """The error of an operation, and every reason it gives with its place in the program."""
    lines = [messages.L_ERROR.text(code=error["code"], text=visible(_said(error)))]
    for reason in error.get("details", {}).get("reasons", ()) if with_reasons else ():
        place = f"{reason['file']}:{reason['line']}:{reason['column']}: " if reason.get("file") else ""
        lines.append(messages.L_REASON.text(place=place, code=reason["code"], text=visible(reason["message"])))
    return lines


def _said(error: Mapping[str, Any]) -> str:
    """The stored error in the reader's language; as it is stored (in English) where its details do not suffice."""
    try:
        details = error.get("details", {})
        return WIRE[error["code"]].text(**{"count": len(details.get("reasons", ())), **details})
    except KeyError:
        return str(error["message"])


def tell_recovery(seen: Mapping[str, Any], refusal: Problem | None, repeated: Sequence[str]) -> None:
    """Print `touba-operation-recovery-v1` for people, with the commands that go on from it.

    `repeated`: the options of those commands that were given here.
    """
    effects = seen["effects"]
    lines = [
        messages.L_OPERATION.text(operation_id=seen["operation_id"]),
        messages.L_STATE.text(state=state_word(seen["state"])),
        messages.L_PROFILE.text(profile=seen["profile"] or "-"),
        *_checkpoint_lines(seen["freshness"]),
        messages.L_EFFECTS.text(**effects),
    ]
    if effects["in_flight"] == "yes":
        lines.append(messages.L_IN_FLIGHT.text())
    word = messages.RECONCILIATION_WORDS.get(effects["reconciliation"])
    if word is not None:
        lines.append(word.text())
    if refusal is not None:
        lines += _refusal_lines(refusal)
    actions = ", ".join(seen["actions"])
    lines.append(messages.L_ACTIONS.text(actions=actions) if actions else messages.L_NO_ACTIONS.text())
    for action, text in (("resume", messages.L_TO_RESUME), ("reconcile", messages.L_TO_RECONCILE)):
        if action in seen["actions"]:
            lines += [text.text(), f"  {command_for(action, seen, repeated)}"]
    console.result("\n".join(lines))


def _checkpoint_lines(freshness: Mapping[str, Any]) -> list[str]:
    revision, digest = freshness["checkpoint_revision"], freshness["checkpoint_digest"]
    seen = messages.L_SEEN.text(at=freshness["observed_at"])
    if revision is None:
        return [messages.L_NO_CHECKPOINT.text(), seen]
    return [messages.L_CHECKPOINT.text(revision=revision, digest=digest), seen]


def _refusal_lines(refusal: Problem) -> list[str]:
    finding = refusal.diagnostics[0]
    lines = [messages.L_REFUSED.text(code=f"{refusal.wire} ({finding.code})", text=visible(finding.text()))]
    help_text = finding.help()
    return [*lines, messages.L_HELP.text(text=help_text)] if help_text else lines


def command_for(action: str, seen: Mapping[str, Any], repeated: Sequence[str]) -> str:
    """The exact command that resumes or reconciles from what was seen."""
    freshness = seen["freshness"]
    words = ["agentl", "operation", action, seen["operation_id"]]
    words += ["--revision", str(freshness["checkpoint_revision"]), "--digest", freshness["checkpoint_digest"]]
    return shlex.join([*words, *repeated])


def recovery_command(operation_id: str, state: Path) -> str:
    """The command that shows where an operation stands."""
    return shlex.join(["agentl", "operation", "recovery", operation_id, *state_words(state)])


def state_words(state: Path) -> list[str]:
    """`--state`, where an operation's id alone does not lead there."""
    is_usual = state.resolve().parent == states_home().resolve()
    return [] if is_usual else ["--state", str(state)]
