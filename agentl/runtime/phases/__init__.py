"""One file a phase of a tick: its `translate`, and its instructions. A file here is a phase that runs."""
