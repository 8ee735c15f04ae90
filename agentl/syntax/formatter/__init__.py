"""The formatter: a program text to its one canonical layout. `formatting` is the way in."""
