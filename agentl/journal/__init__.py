"""The journal of a run: entries, hash chain, the pure journal machine, and the stores it is kept in."""
