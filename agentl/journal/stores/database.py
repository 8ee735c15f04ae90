"""What the stores on SQLite have in common: the address of a database, and one flushed transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def address_of(path: str, mode: str) -> str:
    """The address of a database file, opened with `mode` `ro` or `rw`: never made where there is none."""
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{escaped}?mode={mode}"


@contextmanager
def committed(connection: sqlite3.Connection, last: Callable[[], None] | None = None) -> Iterator[None]:
    """All that is executed inside is on disk when it ends, or nothing of it is. `last` is done before the commit.

    sqlite3.Error passes through, after a rollback.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        if last is not None:
            last()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
