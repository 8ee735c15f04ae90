"""Whatever a handler does: no hang, no crash, and the outcome that the contract names, as real processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agentl.operations.handlers import Handlers
from agentl.operations.sandbox import Mode
from agentl.operations.tool_calls import Applied, Unknown, Withheld
from tests.operations.handler_folder import call, needs_bwrap, place, shell

WRITE_SURROGATE = r"""printf '{"output": {"a": "\\ud800"}}'"""
CORPUS = {
    "nothing": ("", Unknown),
    "half a line": ("""printf '{"output": {"a'""", Unknown),
    "two values": ("""echo '{"output": {}}'; echo '{"output": {}}'""", Unknown),
    "not a number": ("""echo '{"output": {"a": NaN}}'""", Unknown),
    "no UTF-8": (r"""printf '{"output": {"a": "\377"}}'""", Unknown),
    "a log before it": ("""echo starting; echo '{"output": {}}'""", Unknown),
    "half a surrogate": (WRITE_SURROGATE, Withheld),
    "an integer beyond": ("""echo '{"output": {"a": 1152921504606846976}}'""", Withheld),
    "a key twice": ("""echo '{"output": {"a": 1, "a": 2}}'""", Withheld),
    "too deep": (
        """printf '{"output": '; yes '[' | head -100000 | tr -d '\n'; yes ']' | head -100000; echo '}'""",
        Withheld,
    ),
    "64 MiB": ("head -c 67108864 /dev/zero", Unknown),
    "endless": ("yes", Unknown),
    "exit 1 after the answer": ("""echo '{"output": {}}'; exit 1""", Unknown),
    "exit 126": ("exit 126", Unknown),
    "death by signal": ("""echo '{"output": {}}'; kill -SEGV $$""", Unknown),
    "deaf to signals": ("trap '' TERM INT HUP; while :; do sleep 1; done", Unknown),
    "stopped": ("kill -STOP $$", Unknown),
    "answers and stays": ("""echo '{"output": {}}'; sleep 60""", Unknown),
    "a child holds stdout": ("""sleep 60 & echo '{"output": {}}'""", Applied),
    "forks away": ("""(setsid sleep 60 &); (sleep 60 &); echo '{"output": {}}'""", Applied),
    "closes everything": ("""echo '{"output": {}}'; exec <&- >&- 2>&-; sleep 0.1""", Applied),
    "floods stderr": ("""yes >&2 & sleep 0.1; echo '{"output": {}}'""", Applied),
    "never reads": ("""exec <&-; echo '{"output": {}}'""", Applied),
}


HANGS = ("deaf to signals", "stopped", "answers and stays")
SCRIPTS = {
    what: shell(script, name=f"H{number}", timeout_ms=600 if what in HANGS else 20_000)
    for number, (what, (script, _)) in enumerate(CORPUS.items())
}
WELL = shell("""echo '{"output": {}}'""", name="Well")


@pytest.fixture(scope="module", params=["off", pytest.param("require", marks=needs_bwrap)])
def handlers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Handlers]:
    mode: Mode = request.param
    made = place(tmp_path_factory.mktemp("answers") / "place").handlers(*SCRIPTS.values(), WELL, sandbox=mode)
    made.check()
    yield made
    made.close()


@pytest.mark.parametrize("what", CORPUS)
def test_whatever_a_handler_does_its_outcome_is_the_one_of_the_contract(handlers: Handlers, what: str) -> None:
    launched = handlers.launch(SCRIPTS[what], call(text="x" * 200_000))
    assert isinstance(launched.answer, CORPUS[what][1]), launched
    assert launched.elapsed_ms < 15_000
    assert handlers.in_flight(call().call_id) is False
    assert handlers.launch(WELL, call(2)).answer == Applied({})  # the launcher serves on
