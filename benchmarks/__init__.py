"""Measurements: `make bench` runs them all. Compare ratios measured in one run, never the absolute figures."""
