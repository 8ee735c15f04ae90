"""One file a kind of request. HANDLERS maps each method to its answer and to what is announced about it."""
