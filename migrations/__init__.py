"""The schema's history, one chain for PostgreSQL and SQLite."""
