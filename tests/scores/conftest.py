"""Both databases for these tests."""

from tests.databases import database, database_url, migrated_file, migrated_name

__all__ = ["database", "database_url", "migrated_file", "migrated_name"]
