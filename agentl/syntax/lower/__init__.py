"""Lowering: one function a grammar alias builds the IR node while the parser reduces; no tree stands between."""
