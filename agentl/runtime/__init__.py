"""The interpreter: a machine over flat instruction lists whose stack is plain data (decision 11)."""
