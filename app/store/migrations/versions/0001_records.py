"""Screenings with their input, keys, the audit log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    _screenings()
    op.create_table(
        "input_parts",
        sa.Column("screening_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["screening_id"],
            ["screenings.id"],
            name="fk_input_parts_screening_id_screenings",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("screening_id", "position", name="pk_input_parts"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("revoked", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])


def _screenings() -> None:
    op.create_table(
        "screenings",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("input_sha256", sa.String(), nullable=False),
        sa.Column("drawing", sa.Text(), nullable=False),
        sa.Column("area_wkb", sa.LargeBinary(), nullable=False),
        sa.Column("area_sqft", sa.Double(), nullable=False),
        sa.Column("min_x", sa.Double(), nullable=False),
        sa.Column("min_y", sa.Double(), nullable=False),
        sa.Column("max_x", sa.Double(), nullable=False),
        sa.Column("max_y", sa.Double(), nullable=False),
        sa.Column("common_plan", sa.String(), nullable=True),
        sa.Column("loc_ids", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_screenings"),
        sa.UniqueConstraint("id", name="uq_screenings_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_screenings_created", "screenings", ["created"])
    op.create_index("ix_screenings_input_sha256", "screenings", ["input_sha256"])


def downgrade() -> None:
    """Drop the tables."""
    for name in ("audit", "keys", "input_parts", "screenings"):
        op.drop_table(name)
