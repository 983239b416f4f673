"""One B-tree for the logs instead of three: a third of the pages that a move writes in SQLite.

The key (room, number) already keeps a request from being stored twice: who writes a number has
read all entries before it, with their marks. So the index of marks is not needed.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Drop the index of marks; in SQLite, keep the rows in the index of the key."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(with_rowid=False)
    else:
        op.drop_constraint("log_marks", "log", type_="unique")


def downgrade() -> None:
    """The table of before."""
    marks = sa.UniqueConstraint("room", "mark", name="log_marks")
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(marks, with_rowid=True)
    else:
        op.create_unique_constraint("log_marks", "log", ["room", "mark"])


def _rebuild(*constraints: sa.Constraint, with_rowid: bool) -> None:
    """SQLite changes neither of the two in a table that exists."""
    op.create_table(
        "new_log",
        sa.Column("room", sa.String(24), sa.ForeignKey("rooms.room"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mark", sa.String(70)),
        sa.Column("event", sa.Text, nullable=False),
        *constraints,
        sqlite_with_rowid=with_rowid,
    )
    op.execute("INSERT INTO new_log SELECT room, number, at, mark, event FROM log")
    op.drop_table("log")
    op.rename_table("new_log", "log")
