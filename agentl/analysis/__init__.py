"""Static checks that protect a run: facts computed once, one rule a file."""
