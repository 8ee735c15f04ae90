"""Rules about hypotheses and their evidence."""
