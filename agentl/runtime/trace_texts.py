"""How trace events read: one fixed English form each, never translated (decision 27).

A form is (text, detail); `{fact}` is the fact rendered by `render_value`. Texts are made on demand; what is hashed is
the event's kind, name and facts, so wording can improve without touching a digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.values import UNDEFINED, Symbol

FORMS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("TICK", "start"): ("", ""),
    ("MESSAGE", "dropped"): ("{message} from {sender}: no handler", "{payload}"),
    ("MESSAGE", "received"): ("{message} from {sender}", "{payload}"),
    ("MESSAGE", "filtered"): ("{message} from {sender}: WHEN does not hold", "{payload}"),
    ("MESSAGE", "sent"): ("{message} to {to}", "{payload} recipients={recipients}"),
    ("MESSAGE", "carried"): ("{message} from {sender} to {to}", "{payload}"),
    ("ERROR", "unknown_recipient"): ("{message} from {sender}: there is no agent {to}", ""),
    ("ERROR", "inbox_full"): ("{message} from {sender}: the inbox of {to} is full", "refused"),
    ("MESSAGE", "undelivered"): ("{message} to {to}: not delivered", "{payload}"),
    ("OBSERVE", "reading"): ("{path} = {value}", ""),
    ("OBSERVE", "silent"): ("{path} is silent", "{conduct}"),
    ("OBSERVE", "silent_reread"): ("{path} is silent at re-reading", ""),
    ("BELIEF", "changed"): ("{path}: {old} -> {new}", "confidence={confidence} source={source}"),
    ("BAYES", "inferred"): (
        "{hypothesis}: {prior} -> {posterior}",
        "{evidence}; bits={bits} capped={capped} threshold={threshold} supported={supported} naive={naive}",
    ),
    ("GOAL", "evaluated"): ("{goal}: {score}", "{mode}"),
    ("GOAL", "overall"): ("goal.score = {score}", "satisfied={satisfied}"),
    ("EVENT", "handled"): ("{source}", "{payload}"),
    ("EVENT", "filtered"): ("{source}: WHEN does not hold", "{payload}"),
    ("PLANNER", "excluded"): ("{tool} excluded", "{stage}: {reason}"),
    ("PLANNER", "exhausted"): ("no permitted sequence reaches the goals", "nodes={nodes} cut_off={cut_off}"),
    ("PLANNER", "planned"): ("{plan}: {calls}", "P={probability} cost={cost} duration={duration} score={score}"),
    ("PLANNER", "partial"): (
        "{plan}, partial: {calls}",
        "P={probability} cost={cost} duration={duration} score={score}",
    ),
    ("PLAN", "queued"): ("{plan} queued", "{reason}"),
    ("PLAN", "started"): ("{plan} started", "attempt {attempt}"),
    ("PLAN", "given"): ("{plan} gives {value}", ""),
    ("PLAN", "stopped"): ("{plan} stops", "{reason}"),
    ("STEP", "started"): ("{step}", ""),
    ("TOOL", "succeeded"): ("{call}", "risk={risk}"),
    ("BLOCKED", "refused"): ("{call}", "{stage}: {reason}"),
    ("BLOCKED", "arguments"): ("{call}", "arguments: {reason}"),
    ("BLOCKED", "undeclared"): ("{call}", "undeclared: no TOOL of this name"),
    ("BLOCKED", "payload_name"): ("{key} of {origin} is hidden by a name that exists", "read payload.{key}"),
    ("BLOCKED", "withheld"): ("{path} is withheld from the model", "NEVER SEND"),
    ("BLOCKED", "model_value"): ("{field} = {answer} is not used", "taken instead: {value}"),
    ("BLOCKED", "addressee"): ("MESSAGE {message} is not sent", "neither TO nor BROADCAST"),
    ("BLOCKED", "plan_choice"): ("plan {plan} does not exist", "proposed by the model"),
    ("BLOCKED", "result_name"): ("{path} of {origin} is hidden by a name that exists", "name it in EXPECT"),
    ("POLICY", "shadowed"): ("{call}", "arguments hide other values: {names}"),
    ("APPROVAL", "pending"): ("{call}", "pending: {rule}"),
    ("APPROVAL", "granted"): ("{call}", "granted: {rule}"),
    ("VERIFY_OK", "verified"): ("{condition}", "{label}"),
    ("VERIFY_FAIL", "refuted"): ("{condition}", "{label}"),
    ("RETRY", "again"): ("{plan}", "retry {retry} of {allowed}"),
    ("ASK", "asked"): ("{who}: {question}", "{reason}"),
    ("ASK", "answered"): ("{who} answers {answer}", ""),
    ("ASK", "no_answer"): ("{who} does not answer", "taken instead: {answer}"),
    ("ASK", "escalated"): ("{who}: {question}", "{reason}"),
    ("DELEGATE", "requested"): ("{call}", "{task}"),
    ("DELEGATE", "returned"): ("{target}: {fields}", ""),
    ("LLM", "answered"): ("{task}: {fields}", "missing={missing}"),
    ("LLM", "judged"): ("{task}: {fields}", "p={p} missing={missing}"),
    ("LLM", "silent"): ("{task}: no answer", "missing={missing}"),
    ("LLM", "failed"): ("{task}: the model failed", "{error}: {message}"),
    ("LLM", "abstained"): ("{task}: {field} abstains", "p={p}, below {below}"),
    ("LLM", "plan_proposed"): ("plan {plan}", "chosen by the model"),
    ("LLM", "no_plan"): ("no plan", "chosen by the model"),
    ("LLM", "choice_failed"): ("no plan: the model failed", "{error}: {message}"),
    ("MEMORY", "written"): ("{bucket}.{key}", "{record}"),
    ("SHARED", "written"): ("{key} version {version}", "{record}"),
    ("SHARED", "conflict"): ("{key}: last written here as version {own}, stood at {found}", "the write counts"),
    ("INFO", "set"): ("{path} = {value}", ""),
    ("INFO", "foreach"): ("FOREACH {variable}: {count} elements", ""),
    ("INFO", "foreach_truncated"): ("FOREACH {variable}: {count} of {total} elements", "truncated by MAX"),
    ("INFO", "parallel"): ("branches {branches}", ""),
    ("INFO", "branches_disagree"): ("branches wrote {paths} differently", "the last one counts"),
    ("INFO", "requires"): ("{call} skipped", "REQUIRES does not hold"),
    ("INFO", "outputs_dropped"): ("{tool} returned undeclared keys", "dropped: {names}"),
    ("INFO", "until"): ("stop", "LOOP UNTIL holds"),
    ("INFO", "rollback"): ("ROLLBACK", "a mark only: nothing is undone"),
    ("INFO", "handler"): ("failure handler", "{where}"),
    ("ERROR", "sensor"): ("{error}: {message}", "sensor {path}"),
    ("ERROR", "expression"): ("{error}: {message}", "{where}"),
    ("ERROR", "tool"): ("{error}: {message}", "{call}"),
    ("ERROR", "output"): ("OutputViolation: {message}", "{call}"),
    ("ERROR", "in_doubt"): ("ActionInDoubt: {message}", "{call}"),
    ("ERROR", "subagent"): ("{error}: {message}", "sub-agent {call}"),
    ("ERROR", "no_subagent"): ("there is no sub-agent {target}", "{call}"),
    ("ERROR", "subagent_result"): ("the result of {target} must be a dict, not {found}", "sub-agent {call}"),
    ("ERROR", "expected"): ("{target} did not return what is expected: {names}", "sub-agent {call}"),
    ("ERROR", "approver"): ("{error}: {message}", "approver, {call}"),
    ("ERROR", "drain"): ("{error}: {message}", "event queue"),
    ("ERROR", "event_shape"): ("an event is not {{source, payload}}", "{event}"),
    ("ERROR", "asker"): ("{error}: {message}", "question to {who}"),
    ("ERROR", "unknown_bucket"): ("there is no memory {bucket}", "WRITE into {bucket}.{key} skipped"),
    ("ERROR", "unknown_plan"): ("unknown plan {plan}", "{reason}"),
    ("ERROR", "plan_limit"): ("plan {plan} ran {limit} times in one EXECUTE", "not run again in this phase"),
    ("ERROR", "nesting"): ("phases nested deeper than {limit}", "{phase} skipped"),
    ("ERROR", "not_a_collection"): ("FOREACH {variable}: {found} is no collection", "collections: {collections}"),
    ("ERROR", "drift"): ("{tool} promised {path} = {declared}, observed {observed}", "effect refuted"),
}

NOTE = "note"  # a line of the host's own, under any kind
NOTE_FORM = ("{text}", "{detail}")


def render_value(value: object) -> str:
    """One line for a value: symbols and texts bare, control characters escaped, yes/no for booleans."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, Symbol)):
        return _one_line(str(value))
    if value is None:
        return "None"
    if value is UNDEFINED:
        return "UNDEFINED"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{render_value(key)}: {render_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(render_value(item) for item in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(render_value(item) for item in value) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    return _one_line(str(value))


def _one_line(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def render_call(tool: str, args: Mapping[str, Any]) -> str:
    """`tool(a=1, b=x)`, as in every trace line about a call."""
    return f"{tool}({', '.join(f'{name}={render_value(value)}' for name, value in args.items())})"


def text_of(kind: str, name: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return (text, detail) of an event; `{call}` is made of the facts `target` and `args`."""
    text, detail = NOTE_FORM if name == NOTE else FORMS[kind, name]
    shown = {fact: render_value(value) for fact, value in facts.items()}
    if "args" in facts:
        shown["call"] = render_call(facts["target"], facts["args"])
    return text.format(**shown), detail.format(**shown)
