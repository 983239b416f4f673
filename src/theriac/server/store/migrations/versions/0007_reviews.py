"""Reviews of finished games, and the tables that have the deal of such a game."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the tables; the logs say which tables have a deal that was known."""
    op.create_table(
        "reviews",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("method", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("process", sa.String(24)),
        sa.Column("review", sa.LargeBinary),
    )
    deals = op.create_table(
        "known_deals",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("seed", sa.String(64), nullable=False),
    )
    op.create_index("known_deals_by_seed", "known_deals", ["seed"])
    log = sa.table("log", *map(sa.column, ("room", "number", "event")))
    known = log.c.event.contains('"known_deal":')
    connection = op.get_bind()
    for row in list(connection.execute(sa.select(log).where(log.c.number == 1, known))):
        seed = json.loads(row.event)["known_deal"]["seed"]
        connection.execute(sa.insert(deals).values(room=row.room, seed=seed))


def downgrade() -> None:
    """Drop them again: reviews can be made again, and the logs have the deals."""
    op.drop_table("known_deals")
    op.drop_table("reviews")
