from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from subprocess import run

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.store.records import Records, moment
from app.store.tables import AuditRow, Base
from spatial.errors import ParameterRefused


def test_migrations_make_exactly_the_tables_the_code_speaks_of(records: Records) -> None:
    with records.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_opening_twice_leaves_what_was_kept(records: Records, url: str) -> None:
    with records.begin() as session:
        session.add(AuditRow(at=moment(), key_id=None, action="x", subject="[]", reason=None))
    again = Records(url)
    with again.begin() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(AuditRow)) == 1
    assert again.alive()
    again.close()


def test_work_that_raises_is_not_kept(records: Records) -> None:
    with pytest.raises(RuntimeError), records.begin() as session:
        session.add(AuditRow(at=moment(), key_id=None, action="x", subject="[]", reason=None))
        session.flush()
        raise RuntimeError
    with records.begin() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(AuditRow)) == 0


def test_processes_that_start_together_wait_for_one_another(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'metes.db'}"
    code = f"from app.store.records import Records; r = Records({url!r}); print(r.alive()); r.close()"
    with ThreadPoolExecutor(3) as pool:
        command = [sys.executable, "-c", code]
        runs = list(pool.map(lambda _: run(command, capture_output=True, text=True, check=False), range(3)))
    assert [(r.returncode, r.stdout.strip(), r.stderr) for r in runs] == [(0, "True", "")] * 3


def test_sqlite_keeps_foreign_keys_and_overwrites_what_is_deleted(tmp_path: Path) -> None:
    records = Records(f"sqlite:///{tmp_path / 'metes.db'}")
    with records.engine.connect() as connection:
        said = [connection.execute(sa.text(f"pragma {p}")).scalar() for p in ("foreign_keys", "secure_delete")]
    records.close()
    assert said == [1, 1]
    assert (tmp_path / "metes.db").stat().st_mode & 0o077 == 0


def test_a_moment_is_utc_to_the_second() -> None:
    at = datetime(2026, 11, 30, 22, 15, 9, 900, tzinfo=timezone(timedelta(hours=-5)))
    assert moment(at) == "2026-12-01T03:15:09Z"
    assert moment() >= moment(datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("metes.db", "names no database we can open"),
        ("nowhere://host/metes", "names no database we can open"),
        ("mssql+pymssql://secret:word@host/metes", "needs pymssql, which is not installed"),
    ],
)
def test_a_database_nobody_can_open_is_refused_by_its_setting_and_without_its_password(url: str, said: str) -> None:
    with pytest.raises(ParameterRefused, match=said) as refused:
        Records(url)
    assert "METES_DATABASE_URL" in str(refused.value) and "word" not in str(refused.value)
