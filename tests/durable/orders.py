"""Driving branches in an order that a test chooses, in one thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentl.durable.branches import Branches, Job
from agentl.durable.crossings import Outcome
from agentl.durable.driver import Driver
from agentl.runtime.answers import Joined
from agentl.runtime.requests import Parallel


def shuffled(order: Iterator[int]) -> Any:
    """A method for Driver: what is performed next, and what is heard of next, is up to `order`.

    Only zeros: all that can be performed is, before anything is heard of.
    """

    def drive(driver: Driver, request: Parallel) -> Joined:
        branches = Branches(driver.ctx, request)
        out: list[Job] = []
        heard: list[tuple[Job, Outcome | Exception]] = []
        while True:
            out += branches.jobs()
            if not out and not heard:
                branches.check_ended()
                return Joined()
            place = next(order) % (len(out) + len(heard))
            if place < len(out):
                job = out.pop(place)
                driver.ctx.log.assert_owner()
                try:
                    heard.append((job, driver.boundary.perform(job.wanted)))
                except Exception as error:
                    heard.append((job, error))
            else:
                job, outcome = heard.pop(place - len(out))
                if isinstance(outcome, Exception):
                    branches.failed(job, outcome)
                else:
                    branches.ended(job, outcome)

    return drive
