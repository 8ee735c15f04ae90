"""What `agentl operation` does, on a folder and without a server (operations-contract.md §1)."""
