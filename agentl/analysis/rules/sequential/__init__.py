"""What keeps a plan from being run as an operation that is resumed (operations-contract.md §1)."""
