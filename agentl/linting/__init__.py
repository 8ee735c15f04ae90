"""Linting: checks paths as teams want it, with their settings, suppressions and baseline, into one Report."""
