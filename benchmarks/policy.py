"""Policy decisions against hand-written closures, and load time (decision 40).

The floor is what a careful person would write for one policy: three-valued closures over a plain dict of facts, sorted
by tool beforehand, that say the verdict and nothing else. Ours names the rule and gives the reason. Both answer the
same requests in the same states, alternately, and must agree on every one. Times are of the processor, the best of all
rounds: what other programs do on the machine does not count.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from agentl.ir.declarations import Rule
from agentl.ir.expressions import And, Comparison, Expression, ListLiteral, Not, Number, Or, Path
from agentl.ir.program import Agent
from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Belief, Scope
from agentl.policy import PolicyEngine
from agentl.values import Symbol
from benchmarks.table import Table

SIZES = (10, 100, 1_000)
RATIO, GROWTH, LOAD = 3, 1.5, 20  # goals: times the floor, from 10 to 1,000 rules when tools grow too, ms at 1,000
RULES_A_TOOL = 10
TOOLS = [f"tool{number}" for number in range(50)]
FACTS = [f"{'number' if number % 2 else 'word'}{number // 4}.f{number}" for number in range(40)]
MISSING_FACTS = set(FACTS[18:20])  # 5 %, one of each kind
WORDS = ("yes", "no", "open", "closed")
ALARM = "alarm"  # what restrictions mostly ask for; one fact in twenty says it
EFFECTS = ("ALLOW", "ALLOW", "ALLOW", "NEVER", "REQUIRE_APPROVAL")  # 60 %, 20 %, 20 %
ROUNDS = 41

Facts = dict[str, Any]
Test = Callable[[Facts, Facts], bool | None]
_ABSENT = object()


@dataclass
class Case:
    """One leaf or connective, from which both sides are built."""

    op: str
    path: str = ""
    operand: Any = None
    parts: list[Case] = field(default_factory=list)


def make_guard(chance: random.Random, *, restricts: bool, anywhere: bool) -> Case:
    """A guard of one to three comparisons; restrictions are mostly false, as in real policies."""
    leaves = [_leaf(chance, restricts, anywhere) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    if len(leaves) == 1:
        return Case("NOT", parts=leaves) if not restricts and chance.random() < 0.1 else leaves[0]
    return Case("AND" if restricts or chance.random() < 0.5 else "OR", parts=leaves)


def _leaf(chance: random.Random, restricts: bool, anywhere: bool) -> Case:
    if chance.random() < 0.2:
        return Case(">", "amount", chance.choice((90, 97)) if restricts else chance.choice((50, 80)))
    path = chance.choice([fact for fact in FACTS if fact not in MISSING_FACTS] if anywhere else FACTS)
    if path.startswith("number"):
        return Case(">", path, chance.choice((90, 97))) if restricts else Case("<", path, chance.choice((20, 50)))
    if restricts:
        return Case("==", path, ALARM)
    if chance.random() < 0.15:
        return Case("IN", path, list(chance.sample(WORDS, 2)))
    return Case("==" if chance.random() < 0.8 else "!=", path, chance.choice(WORDS))


@dataclass
class PlainRule:
    effect: str
    target: str
    guard: Case


def make_rules(size: int, tools: list[str]) -> list[PlainRule]:
    """A policy of `size` rules over `tools`; two to four of them concern every tool."""
    chance = random.Random(size)
    made = []
    for number in range(size):
        effect = EFFECTS[number % len(EFFECTS)]
        anywhere = number in (3, 4, 28, 29)
        target = "*" if anywhere else chance.choice(tools)
        made.append(PlainRule(effect, target, make_guard(chance, restricts=effect != "ALLOW", anywhere=anywhere)))
    return made


def make_states(count: int = 20) -> list[Facts]:
    chance = random.Random(7)
    states: list[Facts] = []
    for _ in range(count):
        state: Facts = {}
        for path in FACTS:
            if path not in MISSING_FACTS:
                word = ALARM if chance.random() < 0.05 else chance.choice(WORDS)
                state[path] = chance.randint(0, 100) if path.startswith("number") else word
        states.append(state)
    return states


# --- the floor ---


def floor_test(case: Case) -> Test:
    """A three-valued closure as one writes it by hand."""
    if case.op in ("AND", "OR"):
        return _floor_connective(case.op == "OR", [floor_test(part) for part in case.parts])
    if case.op == "NOT":
        return _floor_not(floor_test(case.parts[0]))
    return _FLOOR_LEAVES[case.op](case.path, case.operand)


def _floor_not(inner: Test) -> Test:
    def negated(facts: Facts, args: Facts) -> bool | None:
        value = inner(facts, args)
        return None if value is None else not value

    return negated


def _floor_connective(decisive: bool, parts: list[Test]) -> Test:
    def connective(facts: Facts, args: Facts) -> bool | None:
        result: bool | None = not decisive
        for part in parts:
            value = part(facts, args)
            if value is decisive:
                return decisive
            if value is None:
                result = None
        return result

    return connective


def _floor_equals(path: str, word: str) -> Test:
    def equals(facts: Facts, args: Facts) -> bool | None:
        value = facts.get(path, _ABSENT)
        return None if value is _ABSENT else bool(value == word)

    return equals


def _floor_differs(path: str, word: str) -> Test:
    def differs(facts: Facts, args: Facts) -> bool | None:
        value = facts.get(path, _ABSENT)
        return None if value is _ABSENT else bool(value != word)

    return differs


def _floor_above(path: str, limit: float) -> Test:
    if path == "amount":

        def argument_above(facts: Facts, args: Facts) -> bool | None:
            value = args.get(path)
            return bool(value > limit) if isinstance(value, int | float) else None

        return argument_above

    def above(facts: Facts, args: Facts) -> bool | None:
        value = facts.get(path)
        return bool(value > limit) if isinstance(value, int | float) else None

    return above


def _floor_below(path: str, limit: float) -> Test:
    def below(facts: Facts, args: Facts) -> bool | None:
        value = facts.get(path)
        return bool(value < limit) if isinstance(value, int | float) else None

    return below


def _floor_inside(path: str, words: list[str]) -> Test:
    def inside(facts: Facts, args: Facts) -> bool | None:
        value = facts.get(path, _ABSENT)
        return None if value is _ABSENT else value in words

    return inside


_FLOOR_LEAVES: dict[str, Callable[[str, Any], Test]] = {
    "==": _floor_equals,
    "!=": _floor_differs,
    ">": _floor_above,
    "<": _floor_below,
    "IN": _floor_inside,
}


class Floor:
    """The policy by tool: prohibitions, permissions, approvals."""

    def __init__(self, rules: list[PlainRule], tools: list[str]) -> None:
        tests = [(rule, floor_test(rule.guard)) for rule in rules]
        self.by_tool = {
            tool: tuple(
                [test for rule, test in tests if rule.effect == effect and rule.target in (tool, "*")]
                for effect in ("NEVER", "ALLOW", "REQUIRE_APPROVAL")
            )
            for tool in tools
        }

    def decide(self, tool: str, facts: Facts, args: Facts) -> str:
        never, allow, approve = self.by_tool[tool]
        for test in never:
            if test(facts, args) is not False:
                return "DENIED"
        for test in allow:
            if test(facts, args) is True:
                break
        else:
            if allow:
                return "DENIED"
        for test in approve:
            if test(facts, args) is not False:
                return "APPROVAL_REQUIRED"
        return "ALLOWED"


# --- the same in agentl ---


def to_expression(case: Case) -> Expression:
    if case.op in ("AND", "OR"):
        return (And if case.op == "AND" else Or).make(items=tuple(to_expression(part) for part in case.parts))
    if case.op == "NOT":
        return Not.make(operand=to_expression(case.parts[0]))
    right: Expression
    if isinstance(case.operand, list):
        right = ListLiteral.make(items=tuple(Path.make(path=word) for word in case.operand))
    elif isinstance(case.operand, str):
        right = Path.make(path=case.operand)
    else:
        right = Number.make(type="int", text=str(case.operand))
    return Comparison.make(op=case.op, left=Path.make(path=case.path), right=right)


def to_agent(rules: list[PlainRule]) -> Agent:
    made = tuple(Rule.make(effect=rule.effect, target=rule.target, guard=to_expression(rule.guard)) for rule in rules)
    return Agent.make(name="bench", rules=made)


def to_scope(facts: Facts) -> Scope:
    """The state after OBSERVE and UPDATE_BELIEFS: every fact observed and believed, and a few locals."""
    scope = Scope()
    for path, value in facts.items():
        scope.world[path] = Symbol(value) if isinstance(value, str) else value
        scope.beliefs[path] = Belief(scope.world[path], 0.95, "observation")
    scope.locals.update({f"local{number}": number for number in range(10)})
    scope.untrusted.update({f"payload{number}": number for number in range(10)})
    return scope


# --- measuring ---


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


Asked = list[tuple[str, Facts, Facts, ActionRequest, Scope]]


def make_requests(seed: int, tools: list[str]) -> Asked:
    """A thousand requests, each in one of the states."""
    chance = random.Random(seed)
    pairs = [(facts, to_scope(facts)) for facts in make_states()]
    asked: Asked = []
    for _ in range(1_000):
        facts, scope = chance.choice(pairs)
        args = {"amount": chance.randint(0, 100), "note": "x"}
        tool = chance.choice(tools)
        asked.append((tool, facts, args, ActionRequest(tool, MappingProxyType(args)), scope))
    return asked


def measure(size: int, tools: list[str]) -> tuple[float, float, float]:
    """Return microseconds a decision (floor, agentl) and milliseconds of a load."""
    rules = make_rules(size, tools)
    floor, agent = Floor(rules, tools), to_agent(rules)
    engine, asked = PolicyEngine(agent), make_requests(size + 1, tools)
    for tool, facts, args, request, scope in asked:
        assert floor.decide(tool, facts, args) == engine.decide(request, scope).verdict

    def run_floor() -> None:
        for tool, facts, args, _, _ in asked:
            floor.decide(tool, facts, args)

    def run_engine() -> None:
        for _, _, _, request, scope in asked:
            _ = engine.decide(request, scope).reason

    times = [(seconds(run_floor), seconds(run_engine)) for _ in range(ROUNDS)]
    load = min(seconds(lambda: PolicyEngine(agent)) for _ in range(ROUNDS))
    scale = 1e6 / len(asked)
    return min(floor for floor, _ in times) * scale, min(ours for _, ours in times) * scale, load * 1e3


def main() -> Table:
    table = Table("Policy decisions", ("rules", "tools", "floor µs", "agentl µs", "× floor", "a second", "load ms"))
    for size in SIZES:
        floor, ours, load = measure(size, TOOLS)
        table.add(size, len(TOOLS), floor, ours, ours / floor, f"{1e6 / ours:,.0f}", load)
        table.goal(f"{size} rules: within {RATIO} × the floor ({ours / floor:.2f})", ours <= RATIO * floor)
        if size == max(SIZES):
            table.goal(f"{size} rules load in {LOAD} ms ({load:.1f})", load < LOAD)
    grown = []
    for size in SIZES:
        tools = [f"tool{number}" for number in range(size // RULES_A_TOOL)]
        floor, ours, load = measure(size, tools)
        table.add(size, len(tools), floor, ours, ours / floor, f"{1e6 / ours:,.0f}", load)
        grown.append(ours)
    growth = grown[-1] / grown[0]
    table.goal(
        f"{RULES_A_TOOL} rules a tool: within {GROWTH} × from {SIZES[0]} to {SIZES[-1]} rules ({growth:.2f})",
        growth <= GROWTH,
    )
    return table


if __name__ == "__main__":
    print(main().render())
