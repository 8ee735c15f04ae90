"""Recorded errors, raised again under the class name they had (durable.md §2.2)."""

from __future__ import annotations

import builtins

from agentl.kernel.errors import ActionInDoubt


def rebuild(class_name: str, text: str) -> Exception:
    """Return an exception that prints as the recorded one: same class name, same text.

    ActionInDoubt is itself; a built-in of that name is used when it is an Exception and prints the text unchanged; else
    a class of that name is made, below the built-in where there is one.
    """
    if class_name == "ActionInDoubt":
        return ActionInDoubt(text)
    base = getattr(builtins, class_name, None)
    if not (isinstance(base, type) and issubclass(base, Exception)):
        base = Exception
    elif _prints(base, text):
        return base(text)
    made = type(class_name, (base,), {"__init__": _keep, "__str__": _text, "__module__": "builtins"})
    error: Exception = made(text)
    return error


def _prints(kind: type[Exception], text: str) -> bool:
    try:
        return str(kind(text)) == text
    except TypeError:  # UnicodeDecodeError and its like want more than a text
        return False


def _keep(self: Exception, text: str) -> None:
    self.args = (text,)


def _text(self: Exception) -> str:
    return str(self.args[0])
