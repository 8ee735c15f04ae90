"""Finding, loading and reading a host module (host-api.md §1)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.hosting import Host, HostError, MockLLM, host_path_of, load_host
from agentl.hosting.loading import MODULE_NAME
from agentl.messages import use_language


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if not name.startswith("agentl."):
            del sys.modules[name]


def written(folder: Path, text: str, name: str = "depot.py") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / "depot.agent"


HEAD = "from agentl.hosting import Host, MockLLM\n"


def test_the_host_has_the_stem_of_the_program() -> None:
    assert host_path_of("a/depot.agent") == Path("a/depot.py")


@pytest.mark.parametrize("returned", ["host", "(host,)", "(host, None)"])
def test_a_host_alone_or_without_model_gets_a_mock(tmp_path: Path, returned: str) -> None:
    module = load_host(written(tmp_path, f"{HEAD}host = Host()\ndef build(): return {returned}\n"))
    ((name, (host, model)),) = module.assign(["DEPOT"]).items()
    assert (name, type(host), type(model), module.is_society) == ("DEPOT", Host, MockLLM, False)


@pytest.mark.parametrize("returned", ["(Host(), model)", "(Host(), model, 'extra')"])
def test_a_model_is_used_and_what_follows_is_ignored(tmp_path: Path, returned: str) -> None:
    module = load_host(written(tmp_path, f"{HEAD}model = MockLLM()\ndef build(): return {returned}\n"))
    assert module.assign(["A"])["A"][1] is module.model is not None


def test_without_build_the_attributes_count(tmp_path: Path) -> None:
    module = load_host(written(tmp_path, f"{HEAD}host = Host()\nhost.tools['t'] = print\nllm = MockLLM()\n"))
    host, model = module.assign(["A"])["A"]
    assert host.tools == {"t": print} and model is module.model
    empty = load_host(written(tmp_path, "x = 1\n"))
    assert isinstance(empty.host, Host) and empty.model is None


def test_hosts_and_models_by_name_make_a_society(tmp_path: Path) -> None:
    text = f"{HEAD}m = MockLLM()\ndef build(): return {{'A': Host(), 'B': Host()}}, {{'A': m}}\n"
    module = load_host(written(tmp_path, text))
    given = module.assign(["A", "B", "C"])
    assert module.is_society and given["A"][0] is module.hosts["A"] is not given["B"][0]
    assert given["A"][1] is module.models["A"] is not given["B"][1]
    assert isinstance(given["C"][0], Host) and isinstance(given["C"][1], MockLLM)


@pytest.mark.parametrize("returned", ["{'A': Host()}", "({'A': Host()},)", "({'A': Host()}, m)"])
def test_one_host_by_name_is_a_society_too(tmp_path: Path, returned: str) -> None:
    module = load_host(written(tmp_path, f"{HEAD}m = MockLLM()\ndef build(): return {returned}\n"))
    assert module.is_society and list(module.assign(["A"])) == ["A"]


def test_one_host_and_one_model_are_shared_by_all(tmp_path: Path) -> None:
    module = load_host(written(tmp_path, f"{HEAD}def build(): return Host(), MockLLM()\n"))
    given = module.assign(["A", "B"])
    assert given["A"][0] is given["B"][0] and given["A"][1] is given["B"][1]
    alone = load_host(written(tmp_path, f"{HEAD}def build(): return Host()\n")).assign(["A", "B"])
    assert alone["A"][1] is not alone["B"][1]


def test_the_module_is_known_by_its_fixed_name_before_it_runs(tmp_path: Path) -> None:
    text = (
        f"from __future__ import annotations\nfrom dataclasses import dataclass\nimport sys\n{HEAD}"
        "@dataclass\nclass Card:\n    number: 'str' = ''\n"
        "host = Host()\nhost.sensors['card'] = lambda: Card('1')\nname, known = __name__, __name__ in sys.modules\n"
    )
    module = load_host(written(tmp_path, text))
    assert module.host.read("card").number == "1"
    loaded: Any = sys.modules[MODULE_NAME]
    assert (loaded.name, loaded.known, Path(loaded.__file__)) == (MODULE_NAME, True, tmp_path / "depot.py")


def test_annotations_of_the_host_are_its_own_business(tmp_path: Path) -> None:
    module = load_host(written(tmp_path, f"{HEAD}host = Host()\ndef f(x: 1 + 1): ...\nhost.tools['f'] = f\n"))
    assert module.host.tools["f"].__annotations__ == {"x": 2}


def test_a_host_imports_its_neighbours_also_later(tmp_path: Path) -> None:
    (tmp_path / "bank_of_depot.py").write_text("BALANCE = 7\n")
    (tmp_path / "shop_of_depot.py").write_text("OPEN = True\n")
    text = f"""{HEAD}
import bank_of_depot
host = Host()
host.sensors["b"] = lambda: bank_of_depot.BALANCE
@host.sensor("s")
def late():
    import shop_of_depot
    return shop_of_depot.OPEN
"""
    module = load_host(written(tmp_path, text))
    assert (module.host.read("b"), module.host.read("s")) == (7, True)


def test_a_neighbour_does_not_take_the_place_of_a_standard_module(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("raise RuntimeError\n")
    load_host(written(tmp_path, f"import colorsys\n{HEAD}host = Host()\nassert colorsys.rgb_to_hsv\n"))


def test_a_changed_host_is_never_taken_from_an_old_compiled_file(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        module = load_host(written(tmp_path, f"{HEAD}host = Host()\nhost.sensors['n'] = lambda: {number}\n"))
        assert module.host.read("n") == number
    assert list(tmp_path.rglob("*.pyc")) == []


def test_another_host_file_can_be_named(tmp_path: Path) -> None:
    program = written(tmp_path, f"{HEAD}host = Host()\n", name="other.py")
    assert load_host(program, tmp_path / "other.py").path == tmp_path / "other.py"


BROKEN = {
    "missing": None,
    "not_text": b"\xff\xfe\xfa host",
    "syntax": "def build(:\n    pass\n",
    "name": f"{HEAD}\n\nbank.open()\n",
    "build_raises": f"{HEAD}def build():\n    host = Host()\n    raise RuntimeError('no\\n  network')\n",
    "build_wants_more": f"{HEAD}def build(config): return Host()\n",
    "build_is_a_value": f"{HEAD}build = Host()\n",
    "exits": "import sys\nsys.exit(3)\n",
    "import": "import no_such_module_anywhere\n",
    "neighbour": "import breaking_neighbour\n",
    "bad_option": f"{HEAD}host = Host()\n@host.tool('t', on_error='retry')\ndef t(): ...\n",
    "returns_nothing": "def build(): pass\n",
    "empty_tuple": "def build(): return ()\n",
    "a_list": f"{HEAD}def build(): return [Host(), None]\n",
    "half_a_host": "class Half:\n    def read(self, path): ...\n    invoke = 5\nhost = Half()\n",
    "async_build": f"{HEAD}async def build(): return Host()\n",
    "a_class": f"{HEAD}def build(): return Host\n",
    "a_class_by_name": f"{HEAD}def build(): return {{'A': Host}}\n",
    "a_class_of_models": f"{HEAD}def build(): return Host(), {{'A': MockLLM}}\n",
    "no_model": f"{HEAD}def build(): return Host(), object()\n",
    "no_model_by_name": f"{HEAD}def build(): return Host(), {{'A': None, 'B': 'gpt'}}\n",
    "cancelled": "import asyncio\nraise asyncio.CancelledError('stopped')\n",
    "half_a_host_by_name": f"{HEAD}def build(): return {{'A': Host(), 'B': None}}\n",
}


def failing(folder: Path, text: str | bytes | None) -> HostError:
    (folder / "breaking_neighbour.py").write_text("x = 1\nraise LookupError('neighbour')\n")
    if isinstance(text, str):
        written(folder, text)
    elif text is not None:
        (folder / "depot.py").write_bytes(text)
    with pytest.raises(HostError) as caught:
        load_host(folder / "depot.agent")
    return caught.value


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_with_a_host_is_said_with_its_line(
    tmp_path: Path, kind: str, language: str, snapshot: SnapshotAssertion
) -> None:
    error = failing(tmp_path, BROKEN[kind])
    (diagnostic,) = error.diagnostics
    lines = [diagnostic.render(language), diagnostic.help(language)]
    assert "\n".join(lines).strip().replace(str(tmp_path), "FOLDER") == snapshot
    assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)


def test_a_host_that_failed_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, MODULE_NAME, raising=False)
    failing(tmp_path, "raise ValueError\n")
    assert MODULE_NAME not in sys.modules
    load_host(written(tmp_path, f"{HEAD}host = Host()\n"))
    before = sys.modules[MODULE_NAME]
    failing(tmp_path, "raise ValueError\n")
    assert sys.modules[MODULE_NAME] is before


def test_an_interruption_while_loading_is_not_an_error_of_the_host(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_host(written(tmp_path, "raise KeyboardInterrupt\n"))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("returned", ["{'A': Host(), 'C': Host()}", "({'A': Host()}, {'a': MockLLM()})"])
def test_a_name_the_program_does_not_have_is_an_error(
    tmp_path: Path, returned: str, language: str, snapshot: SnapshotAssertion
) -> None:
    module = load_host(written(tmp_path, f"{HEAD}def build(): return {returned}\n"))
    with pytest.raises(HostError) as caught:
        module.assign(["A", "B"])
    (diagnostic,) = caught.value.diagnostics
    assert f"{diagnostic.render(language)}\n{diagnostic.help(language)}" == snapshot


def test_an_async_build_is_handed_to_whoever_waits_for_it(tmp_path: Path) -> None:
    host = written(tmp_path, f"{HEAD}async def build(): return Host(), None, 'limits'\n")
    module = load_host(host, wait_for=asyncio.run)  # type: ignore[arg-type]  # a coroutine is what build() returns
    assert (type(module.host), module.extra, module.is_async) == (Host, "limits", False)


@pytest.mark.parametrize(
    "given", ["(AsyncHost(), None)", "{'A': Host(), 'B': AsyncHost()}", "(Host(), {'A': Model()})"]
)
def test_one_async_host_or_model_makes_the_module_async(tmp_path: Path, given: str) -> None:
    head = "from agentl.aio import AsyncHost\nclass Model:\n    async def reason(self, task, context, produce): ...\n"
    assert load_host(written(tmp_path, f"{HEAD}{head}def build(): return {given}\n")).is_async


def test_the_text_of_the_error_follows_the_language(tmp_path: Path) -> None:
    error = failing(tmp_path, None)
    try:
        use_language("fr")
        assert "n'existe pas" in str(error)
    finally:
        use_language(None)
    assert "does not exist" in str(error)
