"""Settings of the service: read from ``METES_*`` only when somebody makes a ``Settings``, never at import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, IPvAnyNetwork
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

MEBIBYTE = 1024 * 1024
MASSGIS_TILES = (
    "https://tiles.arcgis.com/tiles/hGdibHYSPO59RG1h/arcgis/rest/services/"
    "MassGIS_Topographic_Features_for_Basemap/MapServer/tile/{z}/{y}/{x}"
)


def _listed(value: object) -> object:
    """Return the items of a comma-separated text; anything else unchanged."""
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


Origins = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
Networks = Annotated[tuple[IPvAnyNetwork, ...], NoDecode, BeforeValidator(_listed)]


class Settings(BaseSettings):
    """What an operator may set. Lists are comma-separated in the environment."""

    model_config = SettingsConfigDict(env_prefix="METES_", frozen=True, extra="ignore")

    data: Path = Field(default=Path("data"), description="Folder of layer editions, town entries and records.")
    database_url: str | None = Field(
        default=None, description="SQLAlchemy URL of the records; default SQLite in the data folder."
    )
    cors_origins: Origins = Field(default=(), description="Web origins that may call the API from a browser.")
    trusted_proxies: Networks = Field(
        default=(), description="Networks whose X-Forwarded-For, -Proto and -Host are believed."
    )
    public_rate: str = Field(default="60/minute", description="Posts a client without a key may make.")
    keyed_rate: str = Field(default="600/minute", description="Posts a client with a key may make.")
    refused_key_rate: str = Field(default="10/minute", description="Wrong keys a client may try.")
    body_limit_bytes: int = Field(default=50 * MEBIBYTE, gt=0, description="Largest request body.")
    edition_limit_bytes: int = Field(
        default=4096 * MEBIBYTE, gt=0, description="Largest body an admin may send as a layer edition."
    )
    max_parts: int = Field(default=12, gt=0, description="Most files in one multipart request.")
    max_fields: int = Field(default=100, gt=0, description="Most form fields in one multipart request.")
    retention_days: int = Field(default=730, ge=0, description="Days a screening is kept; 0 keeps for ever.")
    allow_stale: bool = Field(default=False, description="Answer from layers past their refresh date.")
    readers: int = Field(default=2, gt=0, description="Uploads read at the same time.")
    upload_features: int = Field(default=5_000, gt=0, description="Most features in one upload.")
    upload_vertices: int = Field(default=100_000, gt=0, description="Most vertices in one upload.")
    upload_nesting: int = Field(default=64, gt=8, description="Deepest nesting of JSON or XML in an upload.")
    archive_entries: int = Field(default=2_000, gt=0, description="Most entries in an archive.")
    archive_bytes: int = Field(default=200 * MEBIBYTE, gt=0, description="Most bytes an archive may unpack to.")
    site_acres: float = Field(default=10_000.0, gt=0, description="Largest ground taken as one site.")
    reading_seconds: float = Field(default=10.0, gt=0, description="Longest time one upload may be read.")
    reading_bytes: int = Field(default=2048 * MEBIBYTE, gt=0, description="Most memory one upload may take.")
    spool_bytes: int = Field(default=2048 * MEBIBYTE, gt=0, description="Most disk all uploads together may take.")
    uploads_waiting: int = Field(default=30, ge=0, description="Uploads that may wait in line; more are told busy.")
    nearby_ft: float = Field(default=1000.0, gt=0, description="How far to look for other kept screenings.")
    source_plain_http_hosts: Origins = Field(
        default=(), description="Loopback hosts that sources may be fetched from over plain HTTP; for tests only."
    )
    basemap: str = Field(
        default=MASSGIS_TILES,
        description="URL template of background tiles: MassGIS's by default; empty for none.",
    )
    log_format: Literal["json", "console"] = Field(default="json", description="How log lines look.")

    @property
    def records_url(self) -> str:
        """Return the SQLAlchemy URL of the records."""
        return self.database_url or f"sqlite:///{self.data / 'metes.db'}"
