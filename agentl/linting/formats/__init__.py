"""Formats of a Report, one file each, named as `--format` names it; each holds `render(report, look) -> str`.

A format changes how things are said, never what is said: the exit code and the counts are the report's.
"""
