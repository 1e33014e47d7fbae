"""The door to the records: an engine, its migrations, and a session for each piece of work."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session, sessionmaker

from spatial.errors import ParameterRefused

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 20_260_986
"""Any number of our own: PostgreSQL's advisory lock while tables change."""


class Records:
    """An open database of records, brought to the newest tables.

    Parameters
    ----------
    url
        SQLAlchemy URL; the folder of a SQLite file is made when it is missing.

    Raises
    ------
    ParameterRefused
        ``bad_parameter``: the URL is none, or names a database whose driver is not installed.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        _migrate(self.engine)
        self._session = sessionmaker(self.engine, expire_on_commit=False)

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """Give a session whose work is kept as a whole, or not at all when it raises."""
        with self._session.begin() as session:
            yield session

    def alive(self) -> bool:
        """Return whether the database answers."""
        with self.engine.connect() as connection:
            return bool(connection.execute(text("select 1")).scalar_one() == 1)

    def close(self) -> None:
        """Let go of the connections."""
        self.engine.dispose()


def moment(at: datetime | None = None) -> str:
    """Return a moment as the tables hold it: ISO, UTC, to the second; now when none is given."""
    return (at or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _engine(url: str) -> Engine:
    try:
        return _engine_of(make_url(url))
    except ArgumentError as error:
        raise ParameterRefused(
            "The setting METES_DATABASE_URL names no database we can open; "
            "give one like postgresql+psycopg://user@host/metes."
        ) from error
    except ModuleNotFoundError as error:
        raise ParameterRefused(
            f"The setting METES_DATABASE_URL needs {error.name}, which is not installed; for PostgreSQL install "
            "psycopg[binary] beside Metes and begin the setting with postgresql+psycopg://."
        ) from error


def _engine_of(parsed: URL) -> Engine:
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True, hide_parameters=True)
    if parsed.database and parsed.database != ":memory:":
        _only_ours(Path(parsed.database))
    engine = create_engine(parsed, connect_args={"timeout": 30}, hide_parameters=True)
    event.listen(engine, "connect", _sqlite_habits)
    return engine


def _only_ours(database: Path) -> None:
    """Make the file, with its folder, for nobody else to read: lists of owners are kept in it."""
    database.parent.mkdir(parents=True, exist_ok=True)
    database.touch(mode=0o600, exist_ok=True)


def _sqlite_habits(connection: object, _record: object) -> None:
    """Readers beside one writer, foreign keys held, and freed pages overwritten (deleted means gone)."""
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(engine: Engine) -> None:
    """Bring the tables to the newest form; processes that start together wait for one another."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with _one_at_a_time(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


@contextmanager
def _one_at_a_time(engine: Engine) -> Iterator[Connection]:
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:n)"), {"n": MIGRATION_LOCK})
            yield connection
        return
    with _file_lock(engine.url.database), engine.connect() as connection:
        yield connection


@contextmanager
def _file_lock(database: str | None) -> Iterator[None]:
    if not database or database == ":memory:":
        yield
        return
    handle = os.open(f"{database}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
