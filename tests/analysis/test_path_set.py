"""A set of paths that branches change and take back."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from agentl.analysis.path_set import PathSet

PATHS = ("a", "a.b", "a.b.c", "a.bc", "b", "b.c")
CHANGES = st.lists(st.tuples(st.booleans(), st.sampled_from(PATHS)), max_size=6)


def change(paths: PathSet, changes: list[tuple[bool, str]]) -> None:
    for adds, path in changes:
        (paths.add if adds else paths.discard)(path)


def members(paths: PathSet) -> set[str]:
    return {path for path in PATHS if path in paths}


def after(start: set[str], changes: list[tuple[bool, str]]) -> set[str]:
    """The same with plain sets, copied for every branch."""
    paths = PathSet(start)
    change(paths, changes)
    return members(paths)


def test_related_are_what_is_equal_above_and_below() -> None:
    paths = PathSet(PATHS)
    assert paths.related("a.b") == {"a", "a.b", "a.b.c"}
    assert paths.related("b.c.d") == {"b", "b.c"}
    assert paths.related("c") == set()
    paths.discard("a")
    assert paths.related("a.b") == {"a.b", "a.b.c"}


@given(st.sets(st.sampled_from(PATHS)), CHANGES)
def test_what_was_done_aside_is_taken_back(start: set[str], changes: list[tuple[bool, str]]) -> None:
    paths = PathSet(start)
    paths.aside(partial(change, paths, changes))
    assert members(paths) == start
    assert {path for path in PATHS if path in paths.related("a")} == {p for p in start if p == "a" or p[:2] == "a."}


@given(st.sets(st.sampled_from(PATHS)), st.lists(CHANGES, min_size=1, max_size=3))
def test_after_one_of_several_branches_stays_what_all_of_them_have(
    start: set[str], branches: list[list[tuple[bool, str]]]
) -> None:
    paths = PathSet(start)
    paths.one_of([partial(change, paths, changes) for changes in branches])
    assert members(paths) == set.intersection(*(after(start, changes) for changes in branches))


@given(st.sets(st.sampled_from(PATHS)), st.lists(CHANGES, max_size=3))
def test_after_all_of_several_branches_every_change_of_one_of_them_is_made(
    start: set[str], branches: list[list[tuple[bool, str]]]
) -> None:
    paths = PathSet(start)
    paths.all_of([partial(change, paths, changes) for changes in branches])
    ends = [after(start, changes) for changes in branches]
    removed = {path for end in ends for path in start - end}
    added = {path for end in ends for path in end - start}
    assert members(paths) == (start - removed) | added


@given(CHANGES, CHANGES)
def test_branches_may_stand_inside_branches(outer: list[tuple[bool, str]], inner: list[tuple[bool, str]]) -> None:
    paths = PathSet()

    def both() -> None:
        change(paths, outer)
        paths.one_of([partial(change, paths, inner), lambda: None])

    paths.aside(both)
    assert members(paths) == set()
    both()
    assert members(paths) == after(set(), outer) & after(after(set(), outer), inner)
