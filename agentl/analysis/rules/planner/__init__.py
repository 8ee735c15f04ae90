"""Rules about the planner and its operators."""
