"""What differs between two programs, by declaration and statement. Nothing differs iff their digests are equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from agentl.ir.node import Node, to_data
from agentl.ir.program import Agent, Program
from agentl.ir.shape import parts, title, title_fields, values
from agentl.values import canonical_json

# From here on difflib may leave out what occurs very often: its work would grow with the square of the length.
_LONG = 1000


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of a node that is another one now; None where there is none."""

    field: str
    old: object
    new: object


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `trail` leads from the program to the node: (field of its parent, node) each, parents first.

    It holds the new nodes, or the old ones of what was removed. `old` and `new` are the node itself on either side.
    `values` are only of what changed; a node that has another place among its neighbours and is otherwise equal has
    "moved", and one that was changed as well has `moved` set.
    """

    kind: Literal["added", "removed", "changed", "moved"]
    trail: tuple[tuple[str, Node], ...]
    old: Node | None = None
    new: Node | None = None
    values: tuple[ValueChange, ...] = ()
    moved: bool = False


def diff(old: Program, new: Program) -> tuple[Change, ...]:
    """Return every difference, in the order of the new program; what was removed stands where it was.

    Members that agents have from a MODULE of the same file are reported once, with the module.
    """
    return tuple(_between(old, new, (), moved=False, skipped=_shared(old) | _shared(new)))


def _shared(program: Program) -> frozenset[int]:
    """The members of the program's modules, which stand in the agents that use them as well: their identities."""
    return frozenset(id(each) for module in program.modules for _, members in parts(module) for each in members)


def _parts_of(node: Node, skipped: frozenset[int]) -> dict[str, tuple[Node, ...]]:
    found = parts(node)
    if not isinstance(node, Agent) or not skipped:
        return dict(found)
    return {name: tuple(each for each in nodes if id(each) not in skipped) for name, nodes in found}


def _between(
    old: Node, new: Node, trail: tuple[tuple[str, Node], ...], *, moved: bool, skipped: frozenset[int]
) -> Iterator[Change]:
    """Yield what differs in two nodes that stand for each other, and below them."""
    before, after = _carried(old), _carried(new)
    names = [name for name in new.field_names if name in before or name in after]
    changed = [
        ValueChange(name, before.get(name), after.get(name))
        for name in names
        if _identity(before.get(name)) != _identity(after.get(name))
    ]
    # A list that has become empty, or is no longer, is told by its parts.
    olds, news = _parts_of(old, skipped), _parts_of(new, skipped)
    told = {*olds, *news}
    own = tuple(change for change in changed if change.field not in told)
    if own or moved:
        yield Change("changed" if own else "moved", trail, old, new, own, moved=moved and bool(own))
    for name in new.field_names:
        if name in olds or name in news:
            yield from _lists(name, olds.get(name, ()), news.get(name, ()), trail, skipped)


def _carried(node: Node) -> dict[str, object]:
    """Title and values of a node by field."""
    return {**{name: getattr(node, name) for name in title_fields(type(node))}, **dict(values(node))}


@dataclass(slots=True)
class _Pairs:
    """Which old node each new one stands for; what is in neither was removed or added."""

    olds: list[Node]
    news: list[Node]
    new_of: dict[int, int]
    old_of: dict[int, int]
    moved: set[int]

    def match(self, old: int, new: int, *, moved: bool = False) -> None:
        self.new_of[old] = new
        self.old_of[new] = old
        if moved:
            self.moved.add(new)

    def free_olds(self, within: range | None = None) -> list[int]:
        return [index for index in within or range(len(self.olds)) if index not in self.new_of]

    def free_news(self, within: range | None = None) -> list[int]:
        return [index for index in within or range(len(self.news)) if index not in self.old_of]


def _lists(
    field: str,
    olds: Sequence[Node],
    news: Sequence[Node],
    trail: tuple[tuple[str, Node], ...],
    skipped: frozenset[int],
) -> Iterator[Change]:
    """Yield what differs between two lists of parts."""
    pairs = _paired(list(olds), list(news))
    gone = iter(pairs.free_olds())
    next_gone = next(gone, None)
    for index, node in enumerate(news):
        partner = pairs.old_of.get(index)
        while next_gone is not None and partner is not None and index not in pairs.moved and next_gone < partner:
            yield _removed(field, olds[next_gone], trail)
            next_gone = next(gone, None)
        here = (*trail, (field, node))
        if partner is None:
            yield Change("added", here, None, node)
        else:
            yield from _between(olds[partner], node, here, moved=index in pairs.moved, skipped=skipped)
    while next_gone is not None:
        yield _removed(field, olds[next_gone], trail)
        next_gone = next(gone, None)


def _removed(field: str, node: Node, trail: tuple[tuple[str, Node], ...]) -> Change:
    return Change("removed", (*trail, (field, node)), node, None)


def _paired(olds: list[Node], news: list[Node]) -> _Pairs:
    """Pair equal nodes, then in the gaps those of one title, then both across the whole list, then what was renamed."""
    before, after = [_identity(node) for node in olds], [_identity(node) for node in news]
    pairs = _Pairs(olds, news, {}, {}, set())
    matcher = SequenceMatcher(None, before, after, autojunk=max(len(before), len(after)) > _LONG)
    for tag, old, old_end, new, new_end in matcher.get_opcodes():
        if tag == "equal":
            for offset in range(old_end - old):
                pairs.match(old + offset, new + offset)
        elif tag == "replace":
            _pair_by_title(pairs, range(old, old_end), range(new, new_end), moved=False)
    _pair_across(pairs, before, after)
    _pair_by_title(pairs, None, None, moved=True)
    _pair_renamed(pairs)
    return pairs


def _pair_by_title(pairs: _Pairs, olds: range | None, news: range | None, *, moved: bool) -> None:
    """Pair what has one title, in order. Across a whole list, only what has a name: any IF looks like another."""
    waiting: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for old in reversed(pairs.free_olds(olds)):
        waiting[title(pairs.olds[old])].append(old)
    last = -1
    for new in pairs.free_news(news):
        key = title(pairs.news[new])
        if not waiting[key] or (moved and len(key) == 1):
            continue
        if not moved and waiting[key][-1] < last:
            continue  # would cross another pair: it has moved, and is paired as such
        last = waiting[key].pop()
        pairs.match(last, new, moved=moved)


def _pair_across(pairs: _Pairs, before: list[str], after: list[str]) -> None:
    """Pair equal nodes that have another place among their neighbours."""
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    for old in reversed(pairs.free_olds()):
        waiting[before[old]].append(old)
    for new in pairs.free_news():
        if waiting[after[new]]:
            pairs.match(waiting[after[new]].pop(), new, moved=True)


def _pair_renamed(pairs: _Pairs) -> None:
    """Pair what has another title but mostly the same content."""
    olds, news = pairs.free_olds(), pairs.free_news()
    if len(olds) * len(news) > _LONG:
        return
    contents = {old: _content(pairs.olds[old]) for old in olds}
    for new in news:
        content = _content(pairs.news[new])
        alike = {old: len(content & other) / max(1, len(content | other)) for old, other in contents.items()}
        best = max(alike, key=lambda old: alike[old], default=None)
        if best is not None and alike[best] > 0.5:
            del contents[best]
            pairs.match(best, new, moved=_crosses(pairs, best, new))


def _content(node: Node) -> set[str]:
    """What a node holds besides its title, as texts to compare; its kind is part of each."""
    carried = {f"{node.kind}.{name}:{_identity(value)}" for name, value in values(node) if value}
    return carried | {f"{node.kind}.{name}:{_identity(part)}" for name, nodes in parts(node) for part in nodes}


def _crosses(pairs: _Pairs, old: int, new: int) -> bool:
    """True when a pair changes the order of what kept it."""
    kept = ((a, b) for a, b in pairs.new_of.items() if b not in pairs.moved)
    return any((a < old) != (b < new) for a, b in kept)


def _identity(value: object) -> str:
    """A text that is equal iff two values, or two nodes with all below them, are."""
    if isinstance(value, tuple):
        return canonical_json([_data(item) for item in value])
    return canonical_json(_data(value))


def _data(value: object) -> object:
    return to_data(value, canonical=True) if isinstance(value, Node) else value
