"""The problem document (RFC 9457, ``application/problem+json``) in which every refusal is told."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Problem(BaseModel):
    """Why a request was refused, in one sentence that names the thing and the remedy."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:metes:problem:crs_missing",
                    "title": "Coordinate system missing",
                    "status": 422,
                    "code": "crs_missing",
                    "detail": "site.shp has no .prj; say which system it is in with crs=EPSG:n.",
                    "file": "site.shp",
                    "suggestions": ["EPSG:26986", "EPSG:2249"],
                }
            ]
        },
    )

    type: str = Field(description="A name for this kind of problem.")
    title: str
    status: int
    code: str = Field(description="The fixed word a program can test.")
    detail: str
    file: str | None = None
    layer: str | None = None
    feature: str | None = None
    ring: int | None = None
    position: list[float] | None = None
    suggestions: list[str] | None = None
    correlation_id: str | None = Field(default=None, description="The number under which our log holds the rest.")

    def to_json(self) -> str:
        """Return the document as JSON text without empty members."""
        return self.model_dump_json(exclude_none=True)
