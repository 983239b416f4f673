"""Migrations of the store, for Alembic."""
