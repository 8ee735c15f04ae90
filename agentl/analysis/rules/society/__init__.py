"""Rules about several agents."""
