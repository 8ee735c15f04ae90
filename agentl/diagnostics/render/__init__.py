"""Findings as text for people."""
