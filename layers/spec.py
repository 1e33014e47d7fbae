"""What a specification of a layer says, as its TOML file has it.

It says what a layer is and where it comes from, which columns we keep and under which agency names they may stand,
how true it is, and which questions (themes) it answers. It holds no geometry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from spatial.model import Theme

ThemeName = Literal[
    "wetlands", "buffer_zone", "riverfront", "priority_habitat", "estimated_habitat", "vernal_pools", "floodplain",
    "huc10", "huc12", "outstanding_resource_waters", "impaired_waters", "water_supply", "impervious", "slope",
]  # fmt: skip
THEME_ORDER: tuple[str, ...] = get_args(ThemeName)
LayerKind = Literal["polygon", "line", "point", "raster", "table"]
ValueType = Literal["text", "number", "integer"]
_NAME = r"^[a-z][a-z0-9_]*$"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ThemeSpec(_Strict):
    """One question the layer answers. ``where`` names our own columns; lengths in US survey feet."""

    theme: ThemeName
    title: str
    within_ft: float = Field(ge=0)
    reach_ft: float = Field(default=0.0, ge=0)
    where: dict[str, tuple[str, ...]] = {}
    bands_ft: tuple[float, ...] = ()
    share: bool = False
    report: tuple[str, ...] = ()

    @field_validator("bands_ft")
    @classmethod
    def _rising(cls, bands_ft: tuple[float, ...]) -> tuple[float, ...]:
        if any(b <= a for a, b in zip((0.0, *bands_ft), bands_ft, strict=False)):
            raise ValueError("bands_ft must rise from above 0")
        return bands_ft


class SourceSpec(_Strict):
    """Where the agency offers the layer. ``{town_id}``, ``{town_id:03d}`` and ``{TOWN}`` may stand in ``url``.

    Sources are alternatives, best first, but for one that is ``beside``: it holds features of another kind (lakes
    beside rivers) and is fetched too. ``layer``, ``crs``, ``mapping`` and ``covers`` say of what is fetched what
    ``metes layers add`` says of a file (``covers`` may hold the town's words too); None: the file or the ground
    asked for says it.
    """

    kind: Literal["arcgis", "zip"]
    url: str = Field(pattern=r"^https://")
    where: str | None = None
    per_town: bool = False
    tables: dict[str, str] = {}
    unverified: bool = False
    beside: bool = False
    layer: str | None = None
    crs: str | None = None
    mapping: dict[str, str] = {}
    covers: str | None = None
    note: str | None = None


class FieldSpec(_Strict):
    """One column of ours and the agency names it may have, in any case, best first.

    ``accept`` maps our value to the agency's; a value not listed becomes ``otherwise`` (or stays as it is) and an
    empty one ``missing`` (or ``otherwise``); both are counted.
    ``pattern`` is how every value looks (a regular expression for the whole of it), ``looks`` the same in words; a
    file with other values is not this layer.
    ``nulls`` are values that mean "not known". ``derive_from`` names one of our text columns whose value, through
    ``derive``, fills this one where it is empty. ``aliases`` are other names staff may give it in a mapping.
    ``unsure_when`` names our columns and the values of theirs at which this one says nothing: ``otherwise`` then.
    """

    columns: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    type: ValueType = "text"
    required: bool = False
    nulls: tuple[str, ...] = ()
    accept: dict[str, tuple[str, ...]] = {}
    otherwise: str | None = None
    missing: str | None = None
    derive_from: str | None = None
    derive: dict[str, str] = {}
    unsure_when: dict[str, tuple[str, ...]] = {}
    pattern: str | None = None
    looks: str | None = None
    unverified: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.derive and self.derive_from is None:
            raise ValueError("derive needs derive_from")
        if (self.pattern is None) != (self.looks is None):
            raise ValueError("pattern and looks go together")
        re.compile(self.pattern or "")
        return self


class SelectSpec(_Strict):
    """Of a file that mixes layers, the features whose column begins with one of ``starts``, in any case."""

    columns: tuple[str, ...]
    starts: tuple[str, ...]

    def column_of(self, names: Iterable[str]) -> str | None:
        """Return which of a file's columns tells the layers apart; None when none does."""
        found = {name.casefold(): name for name in names}
        return next((found[c.casefold()] for c in self.columns if c.casefold() in found), None)

    def takes(self, value: object) -> bool:
        """Return whether a feature with this value counts; one that does not say may be one, and does."""
        text = "" if value is None else str(value).strip().casefold()
        return not text or text.startswith(tuple(word.casefold() for word in self.starts))


class RasterSpec(_Strict):
    """What the cells of a raster hold: a class (those that count are ``classes``) or a height in ``unit``."""

    holds: Literal["class", "height"]
    classes: tuple[int, ...] = ()
    unit: Literal["m", "ft", "international_ft"] = "m"

    @model_validator(mode="after")
    def _counts(self) -> Self:
        if (self.holds == "class") != bool(self.classes):
            raise ValueError("classes are needed where cells hold a class, and only there")
        return self


class Spec(_Strict):
    """One layer. ``complete`` False: public maps are known to miss things the law protects.

    ``also`` are kinds of geometry an edition may have instead of ``kind`` (rivers as lines, lakes as areas).
    ``covers = "features"``: the features tile the ground, so their union is what an edition answers for.
    ``id_from`` are our columns that identify a feature; without them, or without a value, its shape does.
    ``marks`` are columns that only files of this layer have: a file with one of them is no other layer, but for
    those that name this one in ``may_carry``. ``any_columns``: a file may have none of the columns of ``fields``.
    ``class_from`` is the column by whose values a change log sums areas.
    """

    id: str = Field(pattern=_NAME)
    aliases: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    may_carry: tuple[str, ...] = ()
    any_columns: bool = False
    title: str
    kind: LayerKind
    also: tuple[LayerKind, ...] = ()
    publisher: str
    licence: str
    native_crs: str = Field(pattern=r"^EPSG:\d+$")
    scale: int | None = Field(default=None, gt=0)
    accuracy_ft: float = Field(gt=0)
    accuracy_note: str
    complete: bool
    stale_after_days: int | None = Field(default=None, gt=0)
    covers: Literal["features"] | None = None
    dissolve_by: str | None = None
    select: SelectSpec | None = None
    id_from: tuple[str, ...] = ()
    class_from: str | None = None
    label: str
    about: str = ""
    themes: tuple[ThemeSpec, ...] = ()
    sources: tuple[SourceSpec, ...] = ()
    fields: dict[str, FieldSpec] = {}
    tables: dict[str, dict[str, FieldSpec]] = {}
    raster: RasterSpec | None = None

    @model_validator(mode="after")
    def _names_known(self) -> Self:
        named = [*re.findall(r"{(\w+)}", self.label), *self.id_from]
        named += [name for name in (self.dissolve_by, self.class_from) if name]
        for theme in self.themes:
            named += [*theme.where, *theme.report]
        named += [f.derive_from for f in self.fields.values() if f.derive_from]
        named += [column for f in self.fields.values() for column in f.unsure_when]
        unknown = sorted(set(named) - set(self.fields))
        if unknown:
            raise ValueError(f"columns not in [fields]: {', '.join(unknown)}")
        if self.covers == "features" and self.kind != "polygon":
            raise ValueError("covers = 'features' needs polygons")
        if (self.kind == "raster") != (self.raster is not None):
            raise ValueError("a raster says what its cells hold in [raster], and no other layer does")
        return self

    @property
    def required(self) -> tuple[str, ...]:
        """The columns without which a file is not this layer."""
        return tuple(name for name, column in self.fields.items() if column.required)

    def questions(self) -> tuple[Theme, ...]:
        """Return the layer's themes in the words of the engine; empty for layers that only support others."""
        return tuple(
            Theme(
                theme=t.theme,
                title=t.title,
                layer_id=self.id,
                within_ft=t.within_ft,
                where=t.where,
                bands_ft=t.bands_ft,
                share=t.share,
                report=t.report,
                reach_ft=t.reach_ft,
            )
            for t in self.themes
        )
