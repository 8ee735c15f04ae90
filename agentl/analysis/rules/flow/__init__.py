"""Rules about the order of statements."""
