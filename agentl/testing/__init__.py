"""What tests of durable runs need: processes that die at a chosen write, an outside that counts, the twin to compare.

Nothing here is imported by a run, and nothing in a run knows of it.
"""
