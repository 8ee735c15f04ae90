"""The trusted kernel: decides whether an action may go out, and is the only road to the host (decision 13)."""
