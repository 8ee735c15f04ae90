"""Calls inside expressions."""
