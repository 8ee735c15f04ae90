"""The barrier of a synchronised round: what agents send and share while they tick is seen by the others after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentl.durable.member import Member
from agentl.durable.post import PostOffice
from agentl.logic.shared import SharedMemory
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Post


class Outbox:
    """What one agent sends in a round, in order; it stands where the post office of a society in turns would."""

    def __init__(self, member: Member, office: PostOffice) -> None:
        self._sender = member.agent.name
        self._office = office
        self._waiting: list[Post] = []
        member.ctx.post = self.put
        member.ctx.reach = self.reach

    def put(self, post: Post) -> int:
        """Keep a message until the barrier; returns for how many it is. Whether there is room is known only then."""
        self._waiting.append(post)
        return self.reach(post)

    def reach(self, post: Post) -> int:
        """For how many a message is."""
        return len(self._office.recipients(self._sender, post))

    def deliver(self) -> None:
        """Hand the round's messages over."""
        sent, self._waiting = self._waiting, []
        for post in sent:
            self._office.deliver(self._sender, post)


class RoundView(SharedMemory):
    """SHARED as it stood when a round began, with what one agent has added since."""

    __slots__ = ("added", "base")

    def __init__(self, base: SharedMemory) -> None:
        super().__init__()
        self.declared = base.declared
        self.records = dict(base.records)
        self.versions = dict(base.versions)
        self.base = dict(base.versions)
        self.added: dict[str, list[Any]] = {}

    def write(self, key: str, record: Any) -> int:
        if key not in self.added:
            self.added[key] = []
            self.records[key] = list(self.records.get(key, ()))  # the lists of other keys are read only
        self.added[key].append(record)
        return super().write(key, record)


class SharedRounds:
    """The SHARED memory of a society, and the view each agent has of it."""

    def __init__(self, machines: Sequence[Machine]) -> None:
        self.memory = SharedMemory()
        self._machines = machines
        for machine in machines:
            self.memory.declared.update(machine.state.shared.declared)
        self._views = self._fresh_views()

    def _fresh_views(self) -> list[RoundView]:
        views = [RoundView(self.memory) for _ in self._machines]
        for machine, view in zip(self._machines, views, strict=True):
            machine.state.shared = view
        return views

    def merge(self) -> None:
        """Take in what was added, in the order of the agents; each later writer of a key has a conflict."""
        for machine, view in zip(self._machines, self._views, strict=True):
            for key, records in view.added.items():
                found, own = self.memory.versions.get(key, 0), view.base.get(key, 0)
                if found != own:
                    machine.count("shared_conflicts")
                    machine.log("SHARED", "conflict", key=key, own=own, found=found)
                for record in records:
                    self.memory.write(key, record)
                _correct_version(machine, key, self.memory.versions[key])
        self._views = self._fresh_views()


def _correct_version(machine: Machine, key: str, version: int) -> None:
    """The version an agent knows its record by is the one it has got: by it later conflicts are judged (§18.2)."""
    state, path = machine.state, f"shared.{key}.version"
    if state.world.get(path) != version:
        state.set_world(path, version, state.labels["world"].get(path, frozenset()))
