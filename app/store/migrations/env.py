"""Run migrations on the connection the service hands over."""

from __future__ import annotations

from alembic import context

from app.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
