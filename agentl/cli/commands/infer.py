"""`agentl infer`: what each agent thinks of its hypotheses, and why; nothing acts unless --live (tooling.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentl.cli.exits import Exit
from agentl.cli.formats import Format
from agentl.messages import inspecting as messages

if TYPE_CHECKING:
    from agentl.cli.inspecting import Perceived

Option = typer.Option


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.INSPECT_FILE.text())],
    ticks: Annotated[int, Option("--ticks", metavar="N", help=messages.INSPECT_TICKS.text())] = 0,
    live: Annotated[bool, Option("--live", help=messages.INSPECT_LIVE.text())] = False,
    host: Annotated[str | None, Option("--host", metavar="FILE", help=messages.INSPECT_HOST.text())] = None,
    state: Annotated[str | None, Option("--state", metavar="FILE", help=messages.INSPECT_STATE.text())] = None,
    format: Annotated[Format, Option("--format", help=messages.INSPECT_FORMAT.text())] = Format.TEXT,
) -> int:
    """Perceive, then print prior, posterior and evidence of every hypothesis. Exit codes: decision 31."""
    from agentl.cli import console
    from agentl.cli.inspecting import Asked, inspect

    inspection = inspect(Asked(file, ticks, live, host, state))
    if inspection is None:
        return Exit.STOPPED
    found = [described(perceived) for perceived in inspection.agents]
    if format is Format.JSON:
        console.result(inspection.document("agentl.infer/1", found))
    else:
        console.result("\n".join(line for agent in found for line in _lines(agent)))
    return inspection.code


def described(perceived: Perceived) -> dict[str, Any]:
    """What the phase UPDATE_HYPOTHESES found, as JSON data: evidence by decreasing weight, `true` null if undetermined.

    Taken from the trace: inferring once more would see what the hypotheses have published since.
    """
    inferred = (event.facts for event in perceived.events if event.kind == "BAYES")
    pairs = zip(perceived.agent.hypotheses, inferred, strict=True)
    return {
        "agent": perceived.agent.name,
        "hypotheses": [_hypothesis(declared, facts) for declared, facts in pairs],
    }


def _hypothesis(declared: Any, facts: Any) -> dict[str, Any]:
    from agentl.inference.bits import shifted
    from agentl.inference.reachable import reachable_shift

    low, high = (shifted(facts["prior"], shift) for shift in reachable_shift(declared))
    names = ("prior", "posterior", "threshold", "supported", "bits", "capped", "naive")
    return {
        "name": declared.name,
        **{name: facts[name] for name in names},
        "reachable": {"lowest": low, "highest": high},
        "evidence": sorted(_evidence(declared, facts), key=lambda item: -abs(item["bits"])),
    }


def _evidence(declared: Any, facts: Any) -> list[dict[str, Any]]:
    from agentl.logic.render import render_expression

    return [
        {
            "test": render_expression(item.test),
            "true": outcome,
            "bits": bits,
            "counted": counted,
            "group": item.group,
            "absorbed": absorbed_by is not None,
        }
        for item, (outcome, bits, counted, absorbed_by) in zip(declared.evidence, facts["contributions"], strict=True)
    ]


def _lines(agent: dict[str, Any]) -> list[str]:
    lines = [messages.AGENT.text(name=agent["agent"])]
    for found in agent["hypotheses"]:
        lines += _hypothesis_lines(found)
    if not agent["hypotheses"]:
        lines.append(messages.NO_HYPOTHESES.text())
    return lines


def _hypothesis_lines(found: dict[str, Any]) -> list[str]:
    text = messages.ABOVE if found["supported"] else messages.BELOW
    prior, posterior, threshold, naive = (
        _probability(found[name]) for name in ("prior", "posterior", "threshold", "naive")
    )
    lines = [text.text(name=found["name"], prior=prior, posterior=posterior, threshold=threshold)]
    if abs(found["naive"] - found["posterior"]) > 1e-9:
        lines.append(messages.NAIVE.text(naive=naive))
    low, high = map(_probability, found["reachable"].values())
    shift = messages.SHIFT_CAPPED if found["capped"] else messages.SHIFT
    lines.append(shift.text(bits=f"{found['bits']:+.3f}", low=low, high=high))
    return lines + [_item_line(item) for item in found["evidence"]]


def _item_line(item: dict[str, Any]) -> str:
    outcome = messages.UNDETERMINED if item["true"] is None else messages.TRUE if item["true"] else messages.FALSE
    said = {"bits": f"{item['bits']:+.3f}", "outcome": outcome.text(), "test": item["test"]}
    return messages.ABSORBED.text(group=item["group"], **said) if item["absorbed"] else messages.ITEM.text(**said)


def _probability(value: float) -> str:
    """Three decimals; near 0 and 1, where they would say too little, six digits."""
    return f"{value:.3f}" if 0.001 <= value <= 0.999 else f"{value:.6g}"
