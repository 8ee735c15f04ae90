"""How tools are called."""
