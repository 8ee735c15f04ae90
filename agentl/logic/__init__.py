"""Truth, path resolution, and expressions compiled to closures (semantics.md §2, §4-§6, §23)."""
