"""One file a statement kind: its `translate`, and its instructions. A file here is a kind that runs."""
