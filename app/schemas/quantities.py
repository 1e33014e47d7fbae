"""Numbers as they are told. Rounding lives here and nowhere else: shares come from unrounded numbers before."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, Field

from spatial.facts import FIRST_DAY, LAST_DAY


def _to(places: int) -> BeforeValidator:
    def rounded(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return round(float(value), places) + 0.0

    return BeforeValidator(rounded)


_FINITE = Field(allow_inf_nan=False)

Sqft = Annotated[float, _to(1), _FINITE, Field(description="Square feet (US survey), to 0.1.")]
Acres = Annotated[float, _to(4), _FINITE, Field(description="Acres (US survey), to 0.0001.")]
Feet = Annotated[float, _to(2), _FINITE, Field(description="US survey feet, to 0.01.")]
Percent = Annotated[float, _to(2), _FINITE, Field(description="0 to 100, to 0.01.")]
Amount = Annotated[float, _to(2), _FINITE, Field(description="In the unit named beside it, to 0.01.")]
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)]
