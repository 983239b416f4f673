"""From which network a listed table was opened: the lobby gives each network its share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """A column; nobody knows where tables of before were opened."""
    op.add_column("rooms", sa.Column("network", sa.String(24)))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("rooms", "network")
