"""Rules about scenarios: what they pose, what they expect, how long they run."""
