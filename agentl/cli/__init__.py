"""The command line: one file a command, loaded on use (decisions 31-35)."""
