"""Declarations that cannot mean what they say."""
