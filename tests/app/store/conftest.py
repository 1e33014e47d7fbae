"""Records on SQLite in a folder of the test's own; on PostgreSQL in a schema of its own, where there is one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store.records import Records


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'records' / 'metes.db'}"
        return
    server = sa.make_url(os.environ["METES_TEST_POSTGRES"])
    schema = f"metes_test_{secrets.token_hex(4)}"
    engine = sa.create_engine(server)
    with engine.begin() as connection:
        connection.execute(sa.text(f"create schema {schema}"))
    own = server.update_query_dict({"options": f"-csearch_path={schema}"})
    yield own.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(sa.text(f"drop schema {schema} cascade"))
    engine.dispose()


@pytest.fixture
def records(url: str) -> Iterator[Records]:
    """Return open records with nothing in them."""
    opened = Records(url)
    yield opened
    opened.close()
