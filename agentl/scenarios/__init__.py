"""Scenarios: runs of an agent against its declared world alone, and what they show (scenario.md)."""
