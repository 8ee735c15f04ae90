"""The words that a program compares with a path, or gives it: what its values are, as far as the text says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agentl.lsp.tree import Branch, Tree

# Rules with a path on the left, and the position of what stands on the right.
_RIGHT = {"assignment": 2, "assignment_set": 3, "belief": 2, "comparison": 2, "effect": 2}


def words_of(trees: Iterable[Tree]) -> dict[str, list[str]]:
    """Return the words by path, sorted."""
    found: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        stack = list(tree.roots)
        while stack:
            branch = stack.pop()
            stack.extend(branch)
            if branch.kind in _RIGHT:
                left = branch.parts[1 if branch.kind == "assignment_set" else 0]
                if isinstance(left, Branch) and left.kind == "path":
                    found[tree.path(left)].update(_bare(tree, branch.parts[_RIGHT[branch.kind]]))
    return {path: sorted(words) for path, words in found.items()}


def _bare(tree: Tree, value: object) -> Iterable[str]:
    """Yield the names of one segment that a value is, or lists."""
    if not isinstance(value, Branch):
        return
    each = list(value) if value.kind == "list_literal" else [value]
    for item in each:
        if item.kind == "path" and len(item.parts) == 1:
            yield tree.path(item)
