"""Tools for the checkout; not in the wheel."""
