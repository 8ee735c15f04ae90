"""The language server: documents as an editor has them, and an answer for each request about them."""
