"""Key life: a service that forgets a key takes a repeated call for a new one, so the key is used in time or not at all.

A tool states it (`key_life_s`); the intent keeps what was stated then, and the shorter of then and now holds.
"""

from __future__ import annotations

from agentl.durable.context import RunContext
from agentl.hosting.options import options_of
from agentl.journal.actions import Action

HOUR_S = 3600


def outlived(ctx: RunContext, action: Action) -> str:
    """Why the key of an action may be forgotten by now; "" while it is known, and for a tool that states no life.

    The age is that of the first call under the key. A call that may take until its time limit counts as late as that.
    """
    first = ctx.line.actions.first_of(action)
    options = options_of(ctx.host, action.tool)
    stated = [action.fields.get("key_life_s"), first.fields.get("key_life_s"), options.key_life_s]
    life_s = min((float(life) for life in stated if life is not None), default=None)
    if life_s is None:
        return ""
    age_s = _age_s(ctx, first)
    if age_s is None:
        return f"nobody can tell how old its key is, and the service knows it for {_shown(life_s)} only"
    limit_s = options.timeout_s or ctx.options.tool_timeout_s or 0.0
    if age_s + limit_s <= life_s:
        return ""
    return f"its key is {_shown(age_s)} old, and the service knows it for {_shown(life_s)} only"


def _age_s(ctx: RunContext, first: Action) -> float | None:
    """Seconds since the intent, by the clock that gives more; None when no clock can tell.

    After a restart of the machine only the wall clock is left, and it is not believed where it has been set back.
    """
    clocks, wall_ms = ctx.clocks, ctx.clocks.wall_ms()
    by_wall = (max(wall_ms, ctx.journal.latest_ms) - first.at) / 1000
    if first.fields.get("boot_id") == clocks.boot_id:
        return max(by_wall, clocks.boot_s() - float(first.fields["boot_clock"]))
    return by_wall if wall_ms >= ctx.journal.latest_ms else None


def _shown(seconds: float) -> str:
    return f"{round(seconds / HOUR_S, 1):g} h" if seconds >= HOUR_S else f"{round(seconds, 1):g} s"
