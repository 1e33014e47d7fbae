from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.settings import Settings


def test_lists_are_comma_separated_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METES_CORS_ORIGINS", "https://maps.example.org, https://town.example.org")
    monkeypatch.setenv("METES_TRUSTED_PROXIES", "10.0.0.0/8,::1")
    read = Settings()
    assert read.cors_origins == ("https://maps.example.org", "https://town.example.org")
    assert read.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1/128"))


def test_the_records_lie_in_the_data_folder_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METES_DATA", "/srv/metes")
    assert Settings().records_url == "sqlite:////srv/metes/metes.db"
    assert Settings(data=Path("data")).records_url == "sqlite:///data/metes.db"
    assert Settings(database_url="postgresql+psycopg://h/d").records_url == "postgresql+psycopg://h/d"


@pytest.mark.parametrize(
    ("name", "value"),
    [("body_limit_bytes", 0), ("retention_days", -1), ("readers", 0), ("trusted_proxies", "here")],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        Settings(**{name: value})  # type: ignore[arg-type]
