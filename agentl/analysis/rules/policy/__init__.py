"""Rules about policy rules."""
