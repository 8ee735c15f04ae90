"""PARALLEL: branches that run at the same time, each on a copy of the state (operations.md §2, decision 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Parallel
from agentl.runtime import requests
from agentl.runtime.answers import Answer, Joined
from agentl.runtime.branching import fork, merge, path_of
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.compiler import Handler
from agentl.runtime.ending import end
from agentl.runtime.failing import fail
from agentl.runtime.frames import SWITCHED, Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class RunBranches(Instruction):
    """Hand the branches to the driver; when all have ended, merge them and go on, or end as the first of them did."""

    __slots__ = ("branches", "limit", "pointer")

    def __init__(self, branches: tuple[tuple[str, str], ...], limit: int | None, pointer: str) -> None:
        self.branches = branches
        self.limit = limit
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        number = machine.state.parallels
        machine.state.parallels += 1
        made = []
        for name, code in self.branches:
            path = path_of(machine, frame.plan or frame.code, number, name)
            branch = fork(machine, path)
            branch.enter(code, "branch", frame.control, plan=frame.plan)
            made.append(requests.Branch(path, branch))
        machine.branches = tuple(made)
        machine.log("INFO", "parallel", branches=[name for name, _ in self.branches])
        return requests.Parallel(machine.branches, self.limit, self.pointer)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        assert isinstance(answer, Joined)
        branches = [branch.machine for branch in machine.branches]
        machine.branches = ()
        merge(machine, branches)
        ending = next((branch.ending for branch in branches if branch.ending is not None), None)
        if ending is None:
            return None
        if ending.how == "failed":
            fail(machine, frame, Handler(ending.retries, ending.code))
        else:
            end(machine, frame, ending)
        return SWITCHED


def translate(builder: Builder, statement: Parallel, pointer: str) -> None:
    compiler = builder.compiler
    branches = tuple(
        (branch.name, compiler.body(f"branch:{pointer}/{index}", branch.body, f"{pointer}/branches/{index}/body"))
        for index, branch in enumerate(statement.branches)
    )
    builder.emit(RunBranches(branches, statement.limit, pointer))
