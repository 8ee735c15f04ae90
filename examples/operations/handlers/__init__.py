"""The handlers of the stay: one JSON object in, one out."""
