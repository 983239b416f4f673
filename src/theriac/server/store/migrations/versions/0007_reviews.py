"""Reviews of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "reviews",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("method", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("process", sa.String(24)),
        sa.Column("review", sa.LargeBinary),
    )


def downgrade() -> None:
    """Drop it again: reviews can be made anew."""
    op.drop_table("reviews")
