"""Formats of a Report, one file each, named as `--format` names it; each holds `render(report) -> str`."""
