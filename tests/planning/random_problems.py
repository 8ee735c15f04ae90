"""Random small problems as text for the planner, and as data for a judge that knows nothing of it.

Facts are words that are yes, no or unknown at the start. Everything an operator does depends on facts alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

FACTS = ("f.a", "f.b", "f.c", "f.d")
WORDS = ("yes", "no")

World = tuple[str | None, ...]
Beliefs = dict[World, float]


@dataclass(frozen=True)
class Guard:
    """`fact == word` or `fact != word`."""

    fact: int
    op: str
    word: str

    def text(self) -> str:
        return f"{FACTS[self.fact]} {self.op} {self.word}"

    def known(self, world: World) -> bool | None:
        """Three-valued: None when the fact is unknown."""
        value = world[self.fact]
        return None if value is None else (value == self.word) is (self.op == "==")

    def holds(self, world: World) -> bool:
        """Two-valued: something unknown is equal to nothing."""
        return (world[self.fact] == self.word) is (self.op == "==")


@dataclass(frozen=True)
class Tool:
    """`ends` are (weight, facts set); one end alone is an EFFECT. `rules` are (effect, guard)."""

    name: str
    cost: int
    duration: int
    requires: Guard | None
    ends: tuple[tuple[int, tuple[tuple[int, str], ...]], ...]
    rules: tuple[tuple[str, Guard], ...]

    def text(self) -> str:
        requires = f"REQUIRES {{ {self.requires.text()} }}" if self.requires else ""
        ends = [" ".join(f"{FACTS[fact]} = {word}" for fact, word in effects) for _, effects in self.ends]
        if len(ends) == 1:
            body = f"EFFECT {{ {ends[0]} }}"
        else:
            weights = [weight for weight, _ in self.ends]
            body = " ".join(
                f"OUTCOME o{number} WITH {weight}% {{ {end} }}"
                for number, (weight, end) in enumerate(zip(weights, ends, strict=True))
            )
        return f"TOOL {self.name} {{ COST {self.cost} DURATION {self.duration}s {requires} {body} }}"

    def policy(self) -> str:
        words = {"APPROVAL": "REQUIRE APPROVAL FOR"}
        return " ".join(
            f"{words.get(effect, effect)} {self.name} {'IF' if effect == 'ALLOW' else 'WHEN'} {guard.text()}"
            for effect, guard in self.rules
        )

    def forbidden(self, world: World) -> bool:
        """Whether some NEVER is true or unknown."""
        return any(effect == "NEVER" and guard.known(world) is not False for effect, guard in self.rules)

    def fires(self, world: World) -> bool:
        """Whether the tool is applicable, no NEVER being in the way."""
        if self.requires is not None and not self.requires.holds(world):
            return False
        if any(effect == "DENY" and guard.known(world) is not False for effect, guard in self.rules):
            return False
        allows = [guard.known(world) for effect, guard in self.rules if effect == "ALLOW"]
        return not allows or True in allows

    def needs_approval(self, world: World) -> bool:
        return any(effect == "APPROVAL" and guard.known(world) is not False for effect, guard in self.rules)

    def ends_in(self, world: World) -> Iterator[tuple[float, World]]:
        whole = sum(weight for weight, _ in self.ends)
        for weight, effects in self.ends:
            changed = list(world)
            for fact, word in effects:
                changed[fact] = word
            yield weight / whole, tuple(changed)


@dataclass(frozen=True)
class Verdicts:
    """What a sequence of steps is worth, found by following it in every state it may be in."""

    probability: float
    cost: float
    duration: float
    utility: float

    @property
    def score(self) -> float:
        return self.utility - self.cost


@dataclass(frozen=True)
class Problem:
    tools: tuple[Tool, ...]
    start: World
    goals: tuple[Guard, ...]
    utility: tuple[tuple[Guard, int], ...]
    depth: int
    approval_cost: int
    deadline: int | None

    def text(self) -> str:
        goals = " ".join(f"ACHIEVE {goal.text()}" for goal in self.goals)
        bounds = f"MAX_DEPTH {self.depth} MAX_NODES 100000 APPROVAL_COST {self.approval_cost}"
        deadline = "" if self.deadline is None else f"DEADLINE {self.deadline}s"
        terms = " ".join(f"{guard.text()} VALUE {value}" for guard, value in self.utility)
        return " ".join(
            [
                *(tool.text() for tool in self.tools),
                f"POLICY {{ {' '.join(tool.policy() for tool in self.tools)} }}",
                f"UTILITY {{ {terms} }}" if terms else "",
                f"PLANNER {{ {goals} {bounds} {deadline} }}",
            ]
        )

    def facts(self) -> dict[str, str]:
        return {fact: word for fact, word in zip(FACTS, self.start, strict=True) if word is not None}

    def is_goal(self, world: World) -> bool:
        return all(goal.holds(world) for goal in self.goals)

    def follow(self, names: tuple[str, ...]) -> Verdicts | None:
        """What a sequence is worth; None when it is forbidden, too long, or has a step that never fires."""
        by_name = {tool.name: tool for tool in self.tools}
        beliefs: Beliefs = {self.start: 1.0}
        cost = duration = 0.0
        for name in names:
            tool = by_name[name]
            firing = {world for world in beliefs if tool.fires(world)}
            if not firing or any(tool.forbidden(world) for world in beliefs):
                return None
            approval = self.approval_cost * any(tool.needs_approval(world) for world in firing)
            cost += (tool.cost + approval) * sum(beliefs[world] for world in firing)
            duration += tool.duration
            beliefs = self._after(tool, beliefs, firing)
        if self.deadline is not None and duration > self.deadline:
            return None
        return Verdicts(
            sum(chance for world, chance in beliefs.items() if self.is_goal(world)),
            cost,
            duration,
            sum(
                chance * value
                for world, chance in beliefs.items()
                for guard, value in self.utility
                if guard.holds(world)
            ),
        )

    def _after(self, tool: Tool, beliefs: Beliefs, firing: set[World]) -> Beliefs:
        after: Beliefs = {}
        for world, chance in beliefs.items():
            ends = tool.ends_in(world) if world in firing else [(1.0, world)]
            for share, end in ends:
                after[end] = after.get(end, 0.0) + chance * share
        return after

    def sequences(self) -> Iterator[tuple[tuple[str, ...], Verdicts]]:
        """Every sequence that may be followed, shorter ones first."""
        names = [tool.name for tool in self.tools]
        for length in range(1, self.depth + 1):
            for sequence in product(names, repeat=length):
                worth = self.follow(sequence)
                if worth is not None:
                    yield sequence, worth


facts = st.integers(0, len(FACTS) - 1)
# WHY so uneven: most problems are to have a plan, some of several steps, and some none.
words = st.sampled_from(("yes", "yes", "yes", "no"))
guards = st.builds(Guard, facts, st.sampled_from(("==", "==", "==", "!=")), words)
starts = st.tuples(*[st.sampled_from(("no", "no", "no", "yes", None)) for _ in FACTS])
goals = st.builds(Guard, facts, st.just("=="), st.sampled_from(("yes", "yes", "yes", "no")))
effects = st.lists(st.tuples(facts, words), min_size=1, max_size=2, unique_by=lambda one: one[0]).map(tuple)
ends = st.lists(st.tuples(st.integers(1, 9), effects), min_size=1, max_size=3).map(tuple)
rule_lists = st.lists(st.tuples(st.sampled_from(("NEVER", "DENY", "ALLOW", "APPROVAL")), guards), max_size=1).map(tuple)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Two to five tools over four facts, followed to a depth of up to three."""
    tools = [
        Tool(
            name=f"t{number}",
            cost=draw(st.integers(0, 9)),
            duration=draw(st.integers(0, 30)),
            requires=draw(st.none() | guards),
            ends=draw(ends),
            rules=draw(st.just(()) | rule_lists),
        )
        for number in range(draw(st.sampled_from((2, 4, 4, 5))))
    ]
    return Problem(
        tools=tuple(tools),
        start=draw(starts),
        goals=tuple(draw(st.lists(goals, min_size=1, max_size=2, unique_by=lambda goal: goal.fact))),
        utility=tuple(draw(st.lists(st.tuples(guards, st.integers(-9, 30)), max_size=2))),
        depth=draw(st.sampled_from((2, 3, 3))),
        approval_cost=draw(st.integers(0, 12)),
        deadline=draw(st.none() | st.integers(20, 80)),
    )
