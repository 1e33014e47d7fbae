"""Abutters' lists, what became of their letters, and towns' own tax lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    _lists()
    op.create_table(
        "abutter_mailings",
        sa.Column("list_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("article_number", sa.String(), nullable=True),
        sa.Column("mailed_on", sa.String(), nullable=True),
        sa.Column("returned_on", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["list_id"],
            ["abutter_lists.id"],
            name="fk_abutter_mailings_list_id_abutter_lists",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("list_id", "position", name="pk_abutter_mailings"),
    )
    op.create_table(
        "tax_lists",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("town_id", sa.Integer(), nullable=False),
        sa.Column("received", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("fiscal_year", sa.Integer(), nullable=True),
        sa.Column("mapping", sa.Text(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_tax_lists"),
    )
    op.create_index("ix_tax_lists_town_id", "tax_lists", ["town_id"])


def _lists() -> None:
    op.create_table(
        "abutter_lists",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("drawing", sa.Text(), nullable=False),
        sa.Column("life", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_abutter_lists"),
        sa.UniqueConstraint("id", name="uq_abutter_lists_id"),
    )
    op.create_index("ix_abutter_lists_created", "abutter_lists", ["created"])


def downgrade() -> None:
    """Drop the tables."""
    for name in ("tax_lists", "abutter_mailings", "abutter_lists"):
        op.drop_table(name)
