"""Spelling hints: the declared name that a wrong one most resembles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from agentl.analysis.model import Hint
from agentl.messages import lint

_LIKENESS = 0.7
# WHY: a file with thousands of names may have thousands of slips in it. So a name is compared letter by letter with so
# many candidates at most, and to find those that share most pieces with it, this many are looked at.
_COMPARED, _LOOKED_AT = 16, 512


class Spelling:
    """The names that may have been meant, made ready once for all wrong names of a program.

    Nothing is made before the first wrong name: a program without a finding pays nothing.
    """

    def __init__(self, candidates: Iterable[str]) -> None:
        self._candidates = candidates
        self._found: dict[str, tuple[str, ...]] = {}

    def closest(self, name: str) -> str | None:
        """Return the candidate most like `name`, upper and lower case being equal, or None when none is near.

        Among many candidates one that is a single slip away goes before all others. Ties never depend on set order.
        """
        return next(iter(self._nearest(name)), None)

    def did_you_mean(self, name: str) -> Hint | None:
        """Return the hint "did you mean …", of one name or of two that are as near; None leaves the message's help."""
        match self._nearest(name):
            case (near,):
                return lint.DID_YOU_MEAN, {"name": near}
            case (one, other):
                return lint.DID_YOU_MEAN_ONE_OF, {"one": one, "other": other}
        return None

    def _nearest(self, name: str) -> tuple[str, ...]:
        """The nearest candidate, or two when they are equally near."""
        if name not in self._found:
            self._found[name] = tuple(self._by_lower[near] for near in self._compared(name.lower()))
        return self._found[name]

    def _compared(self, lowered: str) -> Sequence[str]:
        from difflib import SequenceMatcher, get_close_matches  # only a program with a finding pays for it

        near = get_close_matches(lowered, self._resembling(lowered), n=2, cutoff=_LIKENESS)
        if lowered in near:
            return (lowered,)
        matcher = SequenceMatcher()
        matcher.set_seq2(lowered)
        likeness = []
        for candidate in near:
            matcher.set_seq1(candidate)
            likeness.append(matcher.ratio())
        return sorted(near) if len(set(likeness)) == 1 else near[:1]

    def _resembling(self, lowered: str) -> Sequence[str]:
        """The candidates worth comparing with a name."""
        if len(self._by_lower) <= _COMPARED:
            return tuple(self._by_lower)
        one_slip = (near for key in _shortened(lowered) for near in self._by_shortened.get(key, ()))
        near = tuple(dict.fromkeys(one_slip))[:_COMPARED]
        return near or self._sharing_pieces(lowered)

    def _sharing_pieces(self, lowered: str) -> Sequence[str]:
        """The rarest pieces tell most, and are asked first."""
        shared: Counter[str] = Counter()
        left = _LOOKED_AT
        for holders in sorted(filter(None, map(self._by_piece.get, dict.fromkeys(_pieces(lowered)))), key=len):
            shared.update(holders[:left])
            left -= len(holders)
            if left <= 0:
                break
        return [candidate for candidate, _ in shared.most_common(_COMPARED)]

    @cached_property
    def _by_lower(self) -> Mapping[str, str]:
        by_lower = {candidate.lower(): candidate for candidate in sorted(self._candidates, reverse=True)}
        by_lower.pop("", None)
        return by_lower

    @cached_property
    def _by_shortened(self) -> Mapping[str, list[str]]:
        return _index(self._by_lower, _shortened)

    @cached_property
    def _by_piece(self) -> Mapping[str, list[str]]:
        return _index(self._by_lower, _pieces)


def _index(names: Iterable[str], parts: Callable[[str], Iterator[str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for part in dict.fromkeys(parts(name)):
            found[part].append(name)
    return found


def _shortened(name: str) -> Iterator[str]:
    """The name, and the name without each of its letters: two names a single slip apart have one of these in common."""
    yield name
    yield from (name[:at] + name[at + 1 :] for at in range(len(name)))


def _pieces(name: str) -> Iterator[str]:
    """Two or three letters that stand together; the ends of the name count as letters."""
    ends = f" {name} "
    return (ends[at : at + size] for size in (2, 3) for at in range(len(ends) - size + 1))
