"""What a Runtime shows of its agent (host-api.md §4)."""

from __future__ import annotations

from typing import Any

from agentl import Belief, DurableRun, Host, Inference, Runtime, Society, infer, parse_source
from agentl.durable import MemoryStore, resolutions_of, state_digest
from agentl.journal.inspection import inspect
from agentl.journal.reading import fields_of
from agentl.kernel import current_action
from agentl.values import Symbol
from tests.durable.kit import Desk, Killed, World, host_of

DESK = """\
AGENT desk {
    GOAL done { ACHIEVE claim.state == paid }
    BELIEF { claim.state = open }
    OBSERVE { orders.refunds  vault.key }
    HYPOTHESIS abuse { PRIOR 0.5 EVIDENCE { orders.refunds > 4 LIKELIHOOD 0.8 GIVEN_NOT 0.1 } THRESHOLD 0.8 }
    POLICY { DEFAULT ALLOW  NEVER SEND vault }
    LOOP MAX 2 { OBSERVE UPDATE_BELIEFS UPDATE_HYPOTHESES }
}
"""


def desk() -> Runtime:
    host = Host()
    host.sensors["orders.refunds"] = lambda: 6
    host.sensors["vault.key"] = lambda: "s3cret"
    return Runtime(parse_source(DESK).agents[0], host)


def test_inferences_are_those_of_the_last_tick() -> None:
    runtime = desk()
    assert runtime.inferences == {}
    runtime.run(1)
    found = runtime.inferences["abuse"]
    assert isinstance(found, Inference)
    assert (round(found.posterior, 3), found.supported) == (0.889, True)
    assert runtime.state.get("abuse.posterior") == found.posterior
    assert infer(runtime.agent.hypotheses[0], runtime.state) == found


def test_the_context_of_a_model_is_shown_without_a_trace_of_it() -> None:
    runtime, unasked = desk().run(1), desk().run(1)
    whole = runtime.llm_context()
    assert set(whole) == {"tick", "goals", "beliefs", "tools", "plans"}
    assert whole["beliefs"]["vault.key"]["value"] == "[withheld]"
    focus = runtime.llm_context(["orders.refunds", "vault.key", "no.such"])
    assert focus == {"tick": 1, "focus": {"orders.refunds": "6", "vault.key": "[withheld]", "no.such": "UNDEFINED"}}
    for each in (runtime, unasked):
        each.tick()
    assert runtime.metrics == unasked.metrics
    assert runtime.state.trace_digest == unasked.state.trace_digest


def test_a_member_knows_its_society_and_others_have_none() -> None:
    society = Society(parse_source("AGENT a { LOOP { OBSERVE } } AGENT b { LOOP { OBSERVE } }"))
    assert [runtime.society for runtime in society.runtimes.values()] == [society, society]
    assert desk().society is None


def test_the_digest_of_a_state_is_that_of_its_checkpoint() -> None:
    store = MemoryStore()
    run = DurableRun(parse_source(DESK), store=store)
    runtime = run.run(1)
    (checkpoint,) = [entry for entry in inspect(store).entries if entry["kind"] == "checkpoint"]
    assert fields_of(checkpoint)["state"] == state_digest(runtime.state)


def test_resolutions_are_found_in_a_journal_and_in_its_export() -> None:
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R"}]}))
    for _ in range(2):
        run = desk.process(host_of(desk.world, idempotent=True))
    (settled,) = resolutions_of(run.journal)
    assert (settled["tool"], settled["how"], settled["attempt"]) == ("pay", "retry", 2)
    assert resolutions_of(run.export()) == [settled]


def test_a_belief_is_rendered_in_one_line() -> None:
    assert Belief(Symbol("open"), 0.95, "observation", 3).render() == "open (confidence=0.95 source=observation)"


def test_the_kernel_judges_by_the_policy_of_the_agent_and_its_calls_have_keys_of_their_own() -> None:
    agent = parse_source(
        "AGENT A { TOOL go { INPUT { x: Number } } POLICY { DEFAULT ALLOW NEVER go WHEN x > 3 } "
        "PLAN p WHEN TRUE { go(x = 1) } LOOP MAX 1 { SELECT_PLAN EXECUTE } }"
    ).agents[0]
    host, keys = Host(), []  # type: ignore[var-annotated]

    @host.tool("go")
    def go(x: int) -> None:
        action = current_action()
        assert action is not None
        keys.append(action.idempotency_key)

    runtime = Runtime(agent, host, run_id="r")
    runtime.run()
    kernel = runtime.kernel
    assert (kernel is runtime.kernel, kernel.agent, kernel.stats["permits"]) == (True, agent, 0)

    def authorized(x: int) -> Any:
        request, problem = kernel.propose_tool("go", {"x": x})
        assert request is not None, problem
        return kernel.authorize(request, runtime.state, approve=lambda shown: False)

    assert authorized(4).permit is None
    kernel.execute(authorized(1).permit, host)
    assert len(set(keys)) == 2
