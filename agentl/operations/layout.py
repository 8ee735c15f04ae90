"""The tables of a state folder (operations-contract.md §3, §7 Store)."""

from __future__ import annotations

LAYOUT = 1
DATABASE = "operations.sqlite3"
LOCK = "owner.lock"
KEY = "key"

TABLES = """
CREATE TABLE IF NOT EXISTS folder (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS operations (
    operation_id TEXT PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, number INTEGER NOT NULL UNIQUE,
    created INTEGER NOT NULL, ended TEXT, entries INTEGER NOT NULL, head_seq INTEGER, head_h TEXT,
    checkpoint BLOB NOT NULL, digest TEXT NOT NULL, signature TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unended ON operations (number) WHERE ended IS NULL;
CREATE TABLE IF NOT EXISTS entries (run_id TEXT, seq INTEGER, body BLOB NOT NULL, PRIMARY KEY (run_id, seq))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS artifacts (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (run_id TEXT, name TEXT, digest TEXT NOT NULL, PRIMARY KEY (run_id, name))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
    session TEXT, message_id TEXT, body TEXT NOT NULL, operation_id TEXT NOT NULL, PRIMARY KEY (session, message_id))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS decisions (
    decision_id TEXT PRIMARY KEY, body TEXT NOT NULL, tool TEXT NOT NULL, action TEXT NOT NULL, verdict TEXT NOT NULL,
    expires INTEGER NOT NULL, subject TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0, operation_id TEXT,
    used TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    operation_id TEXT, number INTEGER, at INTEGER NOT NULL, name TEXT NOT NULL, details TEXT NOT NULL,
    PRIMARY KEY (operation_id, number)) WITHOUT ROWID;
"""
