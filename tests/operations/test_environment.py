"""The environment of a handler: two fixed variables, what is granted, nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from agentl.operations.environment import HandlerEnvironment
from agentl.operations.tool_calls import Applied
from tests.operations.handler_folder import call, place, shell


def codes(environment: HandlerEnvironment, *grants: str) -> list[str]:
    return [problem.code for problem in environment.problems(shell("true", grants=grants))]


def test_a_handler_is_given_path_lang_granted_names_and_secrets() -> None:
    environment = HandlerEnvironment({"PATH": "/usr/bin:/bin", "REGION": "eu", "TOKEN": "t", "LANG": "fr_FR"})
    granted = environment.of(shell("true", grants=["env:REGION", "secret:api_key"]), {"api_key": "v"})
    assert granted == {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "REGION": "eu", "SECRET_API_KEY": "v"}


def test_of_path_only_absolute_entries_hold() -> None:
    assert HandlerEnvironment({"PATH": ".:/usr/bin::bin:/bin"}).path == "/usr/bin:/bin"
    assert HandlerEnvironment({}).path


def test_a_later_change_of_our_environment_reaches_no_handler() -> None:
    ours = {"PATH": "/bin", "REGION": "eu"}
    environment = HandlerEnvironment(ours)
    ours |= {"PATH": "/evil", "REGION": "us"}
    assert environment.of(shell("true", grants=["env:REGION"]), {}) == {
        "PATH": "/bin",
        "LANG": "C.UTF-8",
        "REGION": "eu",
    }


def test_names_that_are_not_set_or_reserved_are_problems_of_the_start() -> None:
    environment = HandlerEnvironment({"REGION": "eu", "EMPTY": "", "AGENTL_X": "1", "LD_PRELOAD": "/x.so"})
    assert codes(environment, "env:REGION", "env:EMPTY") == []
    assert codes(environment, "env:ABSENT") == ["O205"]
    assert codes(environment, "env:AGENTL_X", "env:LD_PRELOAD", "env:LD_LIBRARY_PATH") == ["O206"] * 3


def test_a_real_handler_finds_exactly_that(tmp_path: Path) -> None:
    here = place(tmp_path / "place")
    here.secret("api_key", "v")
    show = shell(
        """printf '{"output": {"env": "%s"}}' "$(env | grep -v '^_=' | sort | tr '\\n' ' ')" """,
        grants=["secret:api_key", "env:REGION"],
    )
    handlers = here.handlers(show, environ={"REGION": "eu", "HOME": "/root", "OTHER": "x"})
    handlers.check()
    answer = handlers.launch(show, call()).answer
    handlers.close()
    assert isinstance(answer, Applied), json.dumps(str(answer))
    names = [item.split("=")[0] for item in answer.output["env"].split()]
    assert names == ["LANG", "PATH", "PWD", "REGION", "SECRET_API_KEY"]  # PWD is the shell's own
