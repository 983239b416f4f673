"""What an operator needs: bans and mutes, the audit log, reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_PLAYER_COLUMNS = ("seen", "muted_until", "banned_until")


def upgrade() -> None:
    """Add the columns and tables."""
    for name in _PLAYER_COLUMNS:
        op.add_column("players", sa.Column(name, sa.BigInteger))
    op.create_index("rooms_by_opener", "rooms", ["opener"])
    op.create_table(
        "actions",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("person", sa.String(24)),
        sa.Column("room", sa.String(24)),
        sa.Column("details", sa.Text, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(24), nullable=False),
        sa.Column("room", sa.String(24), nullable=False),
        sa.Column("person", sa.String(24)),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("copy", sa.Text, nullable=False),
        sa.Column("closed", sa.BigInteger),
    )


def downgrade() -> None:
    """Drop them again: bans, mutes, reports and the audit log are lost."""
    op.drop_table("reports")
    op.drop_table("actions")
    op.drop_index("rooms_by_opener", "rooms")
    for name in _PLAYER_COLUMNS:
        op.drop_column("players", name)
