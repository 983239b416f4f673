"""The store: every table's log of events, in SQLite or PostgreSQL."""
