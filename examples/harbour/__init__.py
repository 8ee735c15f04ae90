"""Example: see README.md."""
