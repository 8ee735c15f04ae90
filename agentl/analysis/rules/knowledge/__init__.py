"""Rules about what is observed and believed."""
