"""What a screening does not look at: named in a file of ours, so that silence is not taken for an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from layers.law.reading import validated

NOT_LOOKED_AT = Path(__file__).parents[1] / "not_looked_at.toml"
FROM_MEMORY = " (from memory, not verified)"


class _Matter(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    what: str = Field(min_length=1)
    tag: Literal["S", "V", "K"]
    source: str | None = None

    @model_validator(mode="after")
    def _sourced(self) -> Self:
        if (self.source is None) != (self.tag == "K"):
            raise ValueError("what is named from memory ('K') has no source, and everything else has one")
        return self


class _MattersFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    matter: tuple[_Matter, ...] = Field(min_length=1)


def read_not_looked_at(path: Path = NOT_LOOKED_AT) -> tuple[str, ...]:
    """Return the matters of the file in words; raises ``internal`` when the file is wrong."""
    return tuple(
        f"{matter.what}{FROM_MEMORY if matter.tag == 'K' else ''}"
        for matter in validated(_MattersFile, path).matter
    )
