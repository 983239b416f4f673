"""Persons, tables, seats, the log, signs of life."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The first form."""
    op.create_table(
        "players",
        sa.Column("player", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "rooms",
        sa.Column("room", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("stage", sa.String(12), nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("rooms_by_stage", "rooms", ["stage", "changed"])
    op.create_table(
        "seats",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("player", sa.String(24), sa.ForeignKey("players.player"), primary_key=True),
    )
    op.create_index("seats_by_player", "seats", ["player"])
    op.create_table(
        "log",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mark", sa.String(70)),
        sa.Column("event", sa.Text, nullable=False),
        sa.UniqueConstraint("room", "mark", name="log_marks"),
    )
    op.create_table(
        "beats",
        sa.Column("process", sa.String(24), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("since", sa.BigInteger, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """An empty database."""
    for table in ("outages", "beats", "log", "seats", "rooms", "players"):
        op.drop_table(table)
