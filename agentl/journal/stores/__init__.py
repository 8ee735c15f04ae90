"""Where journals are kept. Every store obeys one contract (`contract.Store`), held by one set of tests."""

from agentl.journal.stores.contract import Holder, Store, StoredRun
from agentl.journal.stores.file import FileStore
from agentl.journal.stores.memory import MemoryStore
from agentl.journal.stores.null import NullStore
from agentl.journal.stores.sqlite import SQLiteStore

__all__ = ["FileStore", "Holder", "MemoryStore", "NullStore", "SQLiteStore", "Store", "StoredRun"]
