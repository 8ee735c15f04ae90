"""Bayesian hypotheses: priors, evidence, posteriors, and how far evidence can carry them (semantics.md §19)."""
