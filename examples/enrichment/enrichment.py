"""The host of enrichment.agent: five applicants, three registers, a core system and an outbox.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import NOT_EXECUTED, Host, Symbol
from examples.effects import Effects

# id: name, in the register, on a sanctions list, credit score
APPLICANTS: dict[str, tuple[str, str, str, int]] = {
    "c1": ("Aster Optics", "yes", "no", 74),
    "c2": ("Borealis Trading", "yes", "yes", 91),
    "c3": ("Cinder & Sons", "no", "no", 66),
    "c4": ("Delta Bakery", "yes", "no", 22),
    "c5": ("Elm Carpentry", "yes", "no", 48),
}


def build() -> Host:
    host, effects = Host(), Effects()

    def waiting() -> list[str]:
        done = {line["id"] for line in effects.of("open_account", "write_letter")}
        return [applicant for applicant in APPLICANTS if applicant not in done]

    host.sensors["desk.waiting"] = lambda: len(waiting())
    host.sensors["applicant.id"] = lambda: Symbol(waiting()[0]) if waiting() else None
    host.sensors["applicant.name"] = lambda: APPLICANTS[waiting()[0]][0] if waiting() else None

    @host.tool("ask_register", idempotent=True)
    def ask_register(company: Symbol) -> dict[str, Any]:
        return {"company": company, "active": Symbol(APPLICANTS[str(company)][1])}

    @host.tool("ask_sanctions", idempotent=True)
    def ask_sanctions(subject: str) -> dict[str, Any]:
        listed = next(row[2] for row in APPLICANTS.values() if row[0] == subject)
        return {"subject": subject, "listed": Symbol(listed)}

    @host.tool("ask_bureau", idempotent=True)
    def ask_bureau(debtor: Symbol) -> dict[str, Any]:
        effects.add_once("ask_bureau", debtor=str(debtor))
        return {"debtor": debtor, "score": APPLICANTS[str(debtor)][3]}

    @host.tool("open_account", idempotent=True)
    def open_account(id: Symbol, limit: float) -> dict[str, Any]:
        effects.add_once("open_account", id=str(id), limit=limit)
        return {"opened": id}

    @host.tool("write_letter")
    def write_letter(id: Symbol, text: str) -> dict[str, Any]:
        effects.add("write_letter", id=str(id), text=text)
        return {"sent": Symbol("yes")}

    @host.reconciler("write_letter", after_s=0)
    def was_written(args: dict[str, Any], context: Any) -> Any:
        return {"sent": Symbol("yes")} if effects.has("write_letter", context.idempotency_key) else NOT_EXECUTED

    return host
