"""Example programs with their hosts. Each folder has a README; `make demo` shows two of them."""
