"""What a manifest says, and what is told of one that says something else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from agentl.diagnostics import Source
from agentl.diagnostics.render.text import render_text
from agentl.hosting.manifest import Manifest, ManifestError, parse_manifest

SEED = """{
  "manifest_version": "touba-manifest-v1",
  "bindings": {
    "tool:examples.orders/CreateOrder": {
      "handler": {
        "kind": "process",
        "command": "node",
        "args": ["handlers/create-order.handler.mjs"],
        "cwd": "."
      },
      "grants": ["network"],
      "timeout_ms": 5000,
      "max_payload_bytes": 1048576,
      "effect_contract": {
        "kind": "external_write",
        "retry_mode": "idempotency_key"
      }
    }
  }
}
"""
TOOL = "tool:DESK/pay"


def binding(**changes: Any) -> dict[str, Any]:
    """A good binding with some fields changed; a field that is None is left out."""
    whole = {
        "handler": {"kind": "process", "command": "pay"},
        "timeout_ms": 1000,
        "max_payload_bytes": 4096,
        "effect_contract": {"kind": "none"},
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def text(bindings: Any, **top: Any) -> str:
    return json.dumps({"manifest_version": "touba-manifest-v1", "bindings": bindings} | top, indent=2)


def read(data: str, name: str = "touba.manifest.json") -> Manifest:
    return parse_manifest(Source(data, name))


def refused(data: str, name: str = "touba.manifest.json") -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        read(data, name)
    return caught.value


def codes(data: str, name: str = "touba.manifest.json") -> list[str]:
    return [each.code for each in refused(data, name).diagnostics]


def pointed(data: str, name: str = "touba.manifest.json") -> list[tuple[str, str]]:
    """The codes and the text each one points at."""
    found = refused(data, name).diagnostics
    return [(each.code, data[slice(*each.span)] if each.span else "") for each in found]


# ---- what is read ----


def test_the_seeds_manifest_is_read() -> None:
    manifest = read(SEED, "shop/touba.manifest.json")
    assert manifest.path == "shop/touba.manifest.json"
    bound = manifest.binding("examples.orders", "CreateOrder")
    assert bound is manifest.bindings["tool:examples.orders/CreateOrder"]
    assert (bound.agent, bound.name) == ("examples.orders", "CreateOrder")
    assert (bound.handler.kind, bound.handler.command) == ("process", "node")
    assert bound.handler.args == ("handlers/create-order.handler.mjs",)
    assert (bound.grants, bound.has_network) == (("network",), True)
    assert (bound.timeout_ms, bound.max_payload_bytes) == (5000, 1048576)
    assert (bound.effect_contract.kind, bound.effect_contract.retry_mode) == ("external_write", "idempotency_key")
    assert bound.effect_contract.key_life_ms is None
    assert manifest.contracts("examples.orders") == {"CreateOrder"}
    assert manifest.binding("examples.orders", "createorder") is None


def test_what_may_be_left_out_has_its_usual_value() -> None:
    bound = read(text({TOOL: binding()})).bindings[TOOL]
    assert (bound.handler.args, bound.handler.cwd, bound.grants) == ((), ".", ())
    assert bound.effect_contract.retry_mode == "none"


def test_a_namespace_ends_at_the_last_slash() -> None:
    bound = read(text({"tool:desk/of/payments/pay": binding()})).bindings["tool:desk/of/payments/pay"]
    assert (bound.agent, bound.name) == ("desk/of/payments", "pay")


def test_a_python_handler_names_a_function() -> None:
    handler = {"kind": "python", "function": "shop.orders:Orders.create"}
    assert read(text({TOOL: binding(handler=handler)})).bindings[TOOL].handler.function == "shop.orders:Orders.create"


def test_grants_are_read_by_kind() -> None:
    grants = ["network", "env:DATA", "fs-read:$DATA/in", "fs-write:/var/out", "fs-read:../in", "secret:bank_key"]
    bound = read(text({TOOL: binding(grants=grants)})).bindings[TOOL]
    assert bound.has_network
    assert (bound.env_names, bound.secret_handles) == (("DATA",), ("bank_key",))
    assert (bound.readable, bound.writable) == (("$DATA/in", "../in"), ("/var/out",))


def test_key_life_is_read_in_a_file_of_ours_only() -> None:
    data = text({TOOL: binding(effect_contract={"kind": "none", "key_life_ms": 86_400_000})})
    assert read(data, "shop/agentl.manifest.json").bindings[TOOL].effect_contract.key_life_ms == 86_400_000
    assert pointed(data, "shop/touba.manifest.json") == [("O322", '"key_life_ms"')]


def test_layout_and_order_of_keys_are_no_change_and_every_value_is() -> None:
    digest = read(SEED).digest
    assert digest.startswith("sha256:") and len(digest) == 71
    document = json.loads(SEED)
    assert read(json.dumps(document, sort_keys=True)).digest == digest
    document["bindings"]["tool:examples.orders/CreateOrder"]["timeout_ms"] += 1
    assert read(json.dumps(document)).digest != digest


# ---- what is refused ----

NUMBERS = [True, False, "5000", 5000.0, 0, -1, None, [], 86_400_001]


@pytest.mark.parametrize("value", NUMBERS)
def test_a_number_is_a_whole_number_within_its_bounds(value: Any) -> None:
    data = text({TOOL: binding() | {"timeout_ms": value}})
    assert pointed(data) == [("O314", json.dumps(value))]


def test_the_bounds_of_numbers_are_allowed() -> None:
    for timeout, payload in ((1, 1), (86_400_000, 67_108_864)):
        assert read(text({TOOL: binding(timeout_ms=timeout, max_payload_bytes=payload)}))
    assert codes(text({TOOL: binding(max_payload_bytes=67_108_865)})) == ["O314"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"handler": []}, [("O314", "[]")]),
        ({"handler": {}}, [("O313", '"handler"')]),
        ({"handler": {"kind": "wasm"}}, [("O314", '"wasm"')]),
        ({"handler": {"kind": "process"}}, [("O313", '"handler"')]),
        ({"handler": {"kind": "process", "command": ""}}, [("O314", '""')]),
        ({"handler": {"kind": "process", "command": "a\0b"}}, [("O314", '"a\\u0000b"')]),
        ({"handler": {"kind": "process", "command": "a", "args": "b"}}, [("O314", '"b"')]),
        (
            {"handler": {"kind": "process", "command": "a", "args": ["b", 1, "\0"]}},
            [("O314", "1"), ("O314", '"\\u0000"')],
        ),
        ({"handler": {"kind": "process", "command": "a", "function": "b:c"}}, [("O312", '"function"')]),
        ({"handler": {"kind": "process", "command": "/bin/sh"}}, [("O321", '"/bin/sh"')]),
        ({"handler": {"kind": "process", "command": "../run", "cwd": "."}}, [("O321", '"../run"')]),
        ({"handler": {"kind": "process", "command": "a", "cwd": "in/../.."}}, [("O321", '"in/../.."')]),
        ({"handler": {"kind": "process", "command": "a", "cwd": "/srv"}}, [("O321", '"/srv"')]),
        ({"handler": {"kind": "python", "command": "a"}}, [("O313", '"handler"'), ("O312", '"command"')]),
        ({"handler": {"kind": "python", "function": "orders.create"}}, [("O314", '"orders.create"')]),
        ({"handler": {"kind": "python", "function": "os:sys tem"}}, [("O314", '"os:sys tem"')]),
        ({"effect_contract": {"kind": "write"}}, [("O314", '"write"')]),
        ({"effect_contract": {"kind": "external_write"}}, [("O313", '"effect_contract"')]),
        ({"effect_contract": {"kind": "external_write", "retry_mode": "twice"}}, [("O314", '"twice"')]),
        ({"effect_contract": {"retry_mode": "none"}}, [("O313", '"effect_contract"')]),
        ({"effect_contract": None}, [("O313", f'"{TOOL}"')]),
        ({"grants": "network"}, [("O314", '"network"')]),
        ({"grants": [7]}, [("O314", "7")]),
        ({"grants": ["net"]}, [("O316", '"net"')]),
        ({"grants": ["network:all"]}, [("O316", '"network:all"')]),
        ({"grants": ["env:1A"]}, [("O316", '"env:1A"')]),
        ({"grants": ["env:"]}, [("O316", '"env:"')]),
        ({"grants": ["secret:Bank"]}, [("O316", '"secret:Bank"')]),
        ({"grants": ["secret:" + "a" * 65]}, [("O316", '"secret:' + "a" * 65 + '"')]),
        ({"grants": ["fs-read:"]}, [("O316", '"fs-read:"')]),
        ({"grants": ["fs-read:$1/x"]}, [("O316", '"fs-read:$1/x"')]),
        ({"grants": ["fs-read:$DATAx-y"]}, [("O316", '"fs-read:$DATAx-y"')]),
        ({"grants": ["fs-read:a", "fs-read:a"]}, [("O317", '"fs-read:a"')]),
        ({"grants": ["env:LD_PRELOAD"]}, [("O318", '"env:LD_PRELOAD"')]),
        ({"grants": ["env:AGENTL_HOME"]}, [("O318", '"env:AGENTL_HOME"')]),
        ({"grants": ["env:PATH"]}, [("O318", '"env:PATH"')]),
        ({"grants": ["fs-write:$DATA/x"]}, [("O319", '"fs-write:$DATA/x"')]),
        ({"grants": ["env:SECRET_BANK", "secret:bank"]}, [("O320", '"secret:bank"')]),
        ({"timeout": 5}, [("O312", '"timeout"')]),
    ],
    ids=str,
)
def test_a_wrong_field_is_told_at_its_place(changes: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert pointed(text({TOOL: binding(**changes)})) == expected


@pytest.mark.parametrize("tool", ["pay", "tool:pay", "tool:/pay", "tool:DESK/", "Tool:DESK/pay", "tool:DE\nSK/pay", ""])
def test_a_name_that_names_no_tool_is_told(tool: str) -> None:
    assert pointed(text({tool: binding()})) == [("O315", json.dumps(tool))]


def test_a_tool_bound_twice_is_told_with_both_places() -> None:
    one = json.dumps(binding())
    data = f'{{"manifest_version": "touba-manifest-v1", "bindings": {{"{TOOL}": {one},\n "{TOOL}": {one}}}}}'
    (found,) = refused(data).diagnostics
    assert (found.code, found.line, [data[slice(*each.span)] for each in found.related]) == ("O310", 2, [f'"{TOOL}"'])


def test_names_of_agents_that_differ_in_case_only_are_one_agent_and_names_of_tools_are_two() -> None:
    assert pointed(text({"tool:DESK/pay": binding(), "tool:Desk/pay": binding()})) == [("O310", '"tool:Desk/pay"')]
    assert len(read(text({"tool:DESK/pay": binding(), "tool:DESK/Pay": binding()})).bindings) == 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("[]", [("O323", "[]")]),
        ("7", [("O323", "7")]),
        ("{}", [("O313", "{"), ("O313", "{")]),
        ('{"manifest_version": "touba-manifest-v2", "bindings": {}}', [("O311", '"touba-manifest-v2"')]),
        ('{"manifest_version": 1, "bindings": {}}', [("O311", "1")]),
        ('{"manifest_version": "touba-manifest-v1", "bindings": []}', [("O314", "[]")]),
        ('{"manifest_version": "touba-manifest-v1", "bindings": {"tool:A/b": 1}}', [("O323", "1")]),
        ('{"version": "touba-manifest-v1", "bindings": {}}', [("O313", "{"), ("O312", '"version"')]),
    ],
)
def test_a_wrong_frame_is_told(data: str, expected: list[tuple[str, str]]) -> None:
    assert pointed(data) == expected


def test_a_manifest_without_bindings_says_so() -> None:
    assert read(text({})).bindings == {}


def test_a_field_under_a_wrong_name_is_told_once_and_the_right_one_is_named() -> None:
    data = text({TOOL: binding(timeout_ms=None, max_payload_bytes=None) | {"timeout": 5, "maxPayloadBytes": 7}})
    found = refused(data).diagnostics
    assert [(each.code, each.help()) for each in found] == [
        ("O312", "did you mean `timeout_ms`?"),
        ("O312", "did you mean `max_payload_bytes`?"),
    ]


def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_the_text(snapshot: SnapshotAssertion) -> None:
    data = EVERYTHING
    found = refused(data).diagnostics
    assert [each.span.start for each in found if each.span] == sorted(each.span.start for each in found if each.span)
    for language in ("en", "fr"):
        assert render_text(found, language=language) == snapshot(name=language)


EVERYTHING = """{
  "manifest_version": "touba-manifest-v2",
  "bindings": {
    "tool:examples.orders/CreateOrder": {
      "handler": {"kind": "process", "command": "../node", "arg": ["a"], "cwd": "/srv"},
      "grants": ["network", "network", "disk", "env:LD_PRELOAD", "fs-read:$DATA/in", "env:SECRET_A", "secret:a"],
      "timeout": 5000,
      "max_payload_bytes": true,
      "effect_contract": {"kind": "external_write", "key_life_ms": 1000}
    },
    "tool:examples.orders/ReadOrder": {
      "handler": {"kind": "python", "function": "orders.create", "command": "node"},
      "grants": 7,
      "timeout_ms": "5000",
      "max_payload_bytes": 67108865,
      "effect_contract": {"kind": "external_reed"}
    },
    "CancelOrder": {"handler": {"kind": "wasm"}, "handler": {}},
    "tool:Examples.Orders/CreateOrder": [],
    "tool:examples.orders/CreateOrder": {
      "handler": {"kind": "process", "command": "node", "arg": ["a"], "cwd": "/srv"},
      "grants": ["network", "network", "disk", "env:LD_PRELOAD", "fs-read:$DATA/in", "env:SECRET_A", "secret:a"],
      "timeout": 5000,
      "max_payload_bytes": true,
      "effect_contract": {"kind": "external_write", "key_life_ms": 1000}
    }
  },
  "comment": "none"
}
"""


# ---- no JSON, or JSON that is not allowed ----


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "O307"),
        ("   \n", "O307"),
        ("{", "O307"),
        ("{} {}", "O307"),
        ('{"a": NaN}', "O307"),
        ("{'a': 1}", "O307"),
        ("// manifest\n{}", "O307"),
        ("[" * 10_000, "O307"),
        ("[" * 10_000 + "]" * 10_000, "O308"),
        ("[" * 65 + "]" * 65, "O308"),
        (SEED.replace("5000", str(2**60)), "O308"),
        (SEED.replace("5000", "1e999"), "O308"),
        (SEED.replace('"node"', '"\\ud800"'), "O308"),
        (SEED.replace('"cwd": "."', '"kind": "process"'), "O309"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_json_of_ours_has_one_code(data: str, code: str) -> None:
    assert codes(data) == [code]


def test_the_place_of_a_slip_in_the_json_is_told() -> None:
    data = SEED.replace('"cwd": "."', '"cwd": ".",')
    (found,) = refused(data).diagnostics
    assert (found.line, found.start and found.start.column) == (10, 7)
    (found,) = refused(SEED.replace("5000", str(2**60))).diagnostics
    assert found.line == 12


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-5, 5)
        | st.sampled_from(["process", "network", "tool:A/b", "", "none"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "manifest_version",
                        "bindings",
                        "tool:A/b",
                        "handler",
                        "kind",
                        "grants",
                        "effect_contract",
                        "args",
                        "x",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_manifest_or_refused_with_a_place_for_every_problem(document: Any) -> None:
    data = json.dumps(document)
    try:
        read(data)
    except ManifestError as error:
        assert error.diagnostics
        assert all(each.span is not None and each.text("fr") for each in error.diagnostics)
