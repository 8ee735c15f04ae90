"""Twin test: every example, killed at every write and every flush, ends as its twin that was not (decision 38)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agentl.testing.crash import cuts
from tests.crashes.stage import PROGRAMS, VARIANTS, Theatre, Variant, theatre
from tests.crashes.twins import check_killed, twin_of


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with theatre(tmp_path_factory.mktemp("worlds")) as made:
        yield made


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_killed_at_every_write_and_flush_it_ends_as_its_twin(stages: Theatre, name: str, variant: Variant) -> None:
    twin = twin_of(stages, name, variant)
    for cut in twin.cuts():
        left = check_killed(stages, name, variant, twin, [cut])
        if left.data != left.durable:
            check_killed(stages, name, variant, twin, [cut], lost=True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_killed_inside_a_write_it_ends_as_its_twin(stages: Theatre, variant: Variant) -> None:
    twin = twin_of(stages, "payments", variant)
    for cut in twin.torn():
        check_killed(stages, "payments", variant, twin, [cut])
