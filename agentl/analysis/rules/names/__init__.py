"""Names that must be declared."""
