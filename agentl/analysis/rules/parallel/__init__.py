"""Branches that run at the same time, and the ends of plans."""
