"""`python -I -m agentl.operations.call module:function FOLDER`: carries out one call of a python handler.

It reads the call on stdin and answers on stdout, as every handler does (contract §7, Handlers of kind python). The
folder comes first on the module path. The function is called with the input as keywords and returns its output, a dict;
`current_action()` works in it, and whatever it prints goes to stderr. `NotApplied` is the only exception that says that
nothing happened. A reconciliation calls the function `reconcile_<function>` of the same module with the input and the
action; it returns the output of an effect that took place, `NOT_EXECUTED` for one that did not and will not, and raises
or returns None when it cannot tell.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from agentl.hosting.outcomes import NOT_EXECUTED, NotApplied
from agentl.kernel.dispatch import ActionContext, ActiveDispatch, activated
from agentl.kernel.errors import PermitError
from agentl.messages import kernel as messages
from agentl.values.border import BorderError, border_value


class CarriedDispatch(ActiveDispatch):
    """A dispatch whose permit was used up in the server: here it says what is carried out, and lets nothing through."""

    __slots__ = ()

    def __init__(self, context: ActionContext) -> None:
        self.context = context

    def present(self, kind: str, target: str, args: Mapping[str, object]) -> ActionContext:
        """PermitError: the one call was let through in the server."""
        raise PermitError.of(messages.PERMIT_PRESENTED_TWICE, target=target)


def answer(target: str, call: Mapping[str, Any]) -> dict[str, object]:
    """Carry out one call of `module:function` and return what is to be answered. Raises nothing a function raises."""
    context = _context(call)
    try:
        with activated(CarriedDispatch(context)):
            if call.get("mode") == "reconcile":
                return _reconciled(_awaited(_function(target, "reconcile_")(call["input"], context)))
            return {"output": _output(_awaited(_function(target)(**call["input"])))}
    except NotApplied as error:
        return _error(error, "not_applied")
    except Exception as error:
        traceback.print_exc()
        return _error(error, "unknown")


def _function(target: str, prefix: str = "") -> Callable[..., Any]:
    module, _, name = target.partition(":")
    *owners, last = name.split(".")
    found: Any = importlib.import_module(module)
    for each in (*owners, prefix + last):
        found = getattr(found, each)
    function: Callable[..., Any] = found
    return function


def _awaited(result: Any) -> Any:
    if not inspect.isawaitable(result):
        return result

    import asyncio  # as heavy as all else together, and few functions need it

    async def wait() -> Any:
        return await result

    return asyncio.run(wait())


def _output(result: Any) -> object:
    """The effect has taken place: an output that cannot be written is told as one that is none, which is refused."""
    try:
        return border_value({} if result is None else result)
    except BorderError:
        traceback.print_exc()
        return None


def _reconciled(result: Any) -> dict[str, object]:
    if result is NOT_EXECUTED:
        return {"applied": False}
    if result is None:
        return {"error": {"code": "Undecided", "message": "", "outcome": "unknown"}}
    output = _output(result)
    return {"applied": True} if output is None else {"applied": True, "output": output}


def _error(error: Exception, outcome: str) -> dict[str, object]:
    message = str(error).encode("utf-8", "replace").decode()
    return {"error": {"code": type(error).__name__, "message": message, "outcome": outcome}}


def _context(call: Mapping[str, Any]) -> ActionContext:
    attempt = call["attempt"]
    action_id = call["call_id"].removesuffix(f":n{attempt}")
    return ActionContext("invoke", call["tool"].rpartition("/")[2], action_id, call["effect_id"], attempt)


def main(target: str, folder: str) -> None:
    """Read the call, carry it out, write the answer."""
    stdout = os.dup(1)
    os.dup2(2, 1)  # what the function prints is no part of the answer
    sys.path.insert(0, folder)
    told = answer(target, json.loads(sys.stdin.buffer.read()))
    with os.fdopen(stdout, "wb") as file:
        file.write(json.dumps(told).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
