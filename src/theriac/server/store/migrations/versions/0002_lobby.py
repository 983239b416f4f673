"""Who opened a table, and how late its spectators see it: the lobby needs both."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Two columns, filled from the first event of each log."""
    op.add_column("rooms", sa.Column("opener", sa.String(24)))
    op.add_column("rooms", sa.Column("delay", sa.Integer, nullable=False, server_default="0"))
    log = sa.table("log", sa.column("room"), sa.column("number"), sa.column("event"))
    rooms = sa.table("rooms", sa.column("room"), sa.column("opener"), sa.column("delay"))
    connection = op.get_bind()
    for room, event in connection.execute(
        sa.select(log.c.room, log.c.event).where(log.c.number == 1)
    ):
        opened = json.loads(event)
        values = {"opener": opened["by"], "delay": opened.get("delay", 0)}
        connection.execute(sa.update(rooms).where(rooms.c.room == room).values(**values))


def downgrade() -> None:
    """Drop the columns: the logs have what they held."""
    op.drop_column("rooms", "delay")
    op.drop_column("rooms", "opener")
