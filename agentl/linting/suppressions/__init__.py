"""Suppressions: comments that answer findings with a reason (tooling.md §14), and what is wrong with them."""
