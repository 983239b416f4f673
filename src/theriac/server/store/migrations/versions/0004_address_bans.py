"""Bans of addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "address_bans",
        sa.Column("ban", sa.String(24), primary_key=True),
        sa.Column("network", sa.String(50), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("network", name="address_bans_networks"),
    )


def downgrade() -> None:
    """Drop it again: the bans of addresses are lost."""
    op.drop_table("address_bans")
