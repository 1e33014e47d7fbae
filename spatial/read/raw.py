"""Reading: what every reader is asked for and what every reader gives back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import shapely
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from spatial.errors import GeometryRefused
from spatial.model import Note, Scalar, SourceFeature
from spatial.read.limits import ReadLimits

Purpose = Literal["site", "trees"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the applicant asked for: a layer by name, and polygons of a site or points of trees."""

    layer: str | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
    purpose: Purpose = "site"
    name: str = "upload"


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What stood in the file, before the coordinate system is settled.

    ``crs`` is what the file itself states (``stated_in`` says where), ``crs_of_format`` what its format
    prescribes when it says nothing; both None when neither speaks. ``no_crs`` words a refusal then.
    ``unit_m`` is the unit a drawing says, in metres.
    """

    format: str
    driver: str
    layer: str
    layers: tuple[str, ...]
    columns: tuple[str, ...]
    features: tuple[SourceFeature, ...]
    crs: CRS | None = None
    stated_in: str = "the file"
    crs_of_format: CRS | None = None
    no_crs: str = "The file does not say its coordinate system"
    unit_m: float | None = None
    notes: tuple[Note, ...] = ()


class Gathering:
    """Features collected under the limits; the count is checked as they come, not when memory is full."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._features: list[SourceFeature] = []
        self._columns: dict[str, None] = {}
        self._ids: set[str] = set()
        self._vertices = 0
        self._notes: list[Note] = []
        self._heights: dict[str, None] = {}

    @property
    def most_rings(self) -> int:
        """Return how many rings one feature may have."""
        return self._limits.rings

    def next_number(self) -> str:
        """Return the place of the next feature in the file, counted from one."""
        return str(len(self._features) + 1)

    def add(self, geometry: BaseGeometry | None, attributes: Mapping[str, Scalar], own_id: object = None) -> None:
        """Take one feature; its own id is kept when it has one and no other feature bears it.

        Raises
        ------
        GeometryRefused
            ``too_complex`` at the first feature or vertex over the limit.
        """
        number = self.next_number()
        if geometry is not None:
            geometry = self._flat(geometry, number)
        self._columns.update(dict.fromkeys(attributes))
        self._check(len(self._features) + 1)
        self._features.append(SourceFeature(self._identity(own_id, number), geometry, dict(attributes)))

    def _flat(self, geometry: BaseGeometry, number: str) -> BaseGeometry:
        self._vertices += int(shapely.get_num_coordinates(geometry))
        if not (shapely.has_z(geometry) or shapely.has_m(geometry)):
            return geometry
        self.height_dropped(number)
        return shapely.force_2d(geometry)

    def _identity(self, own_id: object, number: str) -> str:
        text = str(own_id)[:80] if isinstance(own_id, str | int) and not isinstance(own_id, bool) else ""
        if text and text in self._ids:
            self.note(
                "duplicate_ids", f"Feature {number} bears the id {text!r} of another; it is called {number} here."
            )
        identity = text if text and text not in self._ids else number
        while identity in self._ids:
            identity += "+"
        self._ids.add(identity)
        return identity

    def note(self, code: str, message: str, feature: str | None = None) -> None:
        """Keep a note of something changed, ignored or assumed."""
        self._notes.append(Note(code, message, feature))

    def height_dropped(self, feature: str) -> None:
        """Remember that heights or measures of a feature were left out."""
        self._heights[feature] = None

    def _check(self, features: int) -> None:
        limits = self._limits
        if features > limits.features:
            raise too_many("features", limits.features)
        if self._vertices > limits.vertices:
            raise too_many("vertices", limits.vertices)
        if len(self._columns) > limits.columns:
            raise too_many("attribute columns", limits.columns)

    @property
    def features(self) -> tuple[SourceFeature, ...]:
        """Return what was taken so far."""
        return tuple(self._features)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the attribute names in the order first met."""
        return tuple(self._columns)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Return the notes so far, heights left out summed up in one."""
        return (*self._notes, *heights_note(len(self._heights)))


def heights_note(features: int) -> tuple[Note, ...]:
    """Return the note on heights left out of so many features; none for none."""
    if not features:
        return ()
    return (
        Note("z_dropped", f"Heights or measures of {features} feature(s) were left out; areas are of the plan."),
    )


def too_many(what: str, most: int) -> GeometryRefused:
    """Return the refusal of a file that holds more of something than its limit."""
    return GeometryRefused(
        f"The file holds more than {most:,} {what}, the most that is taken for one site; send only the site.",
        code="too_complex",
    )


def several_layers(names: Iterable[str], what: str = "layers with polygons") -> GeometryRefused:
    """Return the refusal that lists the layers to choose from."""
    listed = tuple(names)
    shown = ", ".join(listed[:20]) + (" …" if len(listed) > 20 else "")
    return GeometryRefused(
        f"The file holds {len(listed)} {what}: {shown}. Name the one that is the site with layer=….",
        code="several_layers",
        suggestions=listed[:20],
    )


def check_only_layer(wanted: Wanted) -> None:
    """Raise ``layer_unknown`` when a layer is asked of a file that has only itself."""
    if wanted.layer is not None and wanted.layer != wanted.name:
        raise layer_unknown(wanted.layer, [wanted.name])


def layer_unknown(layer: str, names: Iterable[str]) -> GeometryRefused:
    """Return the refusal of a layer that the file does not hold."""
    listed = tuple(names)
    shown = "".join(c if c.isprintable() else "?" for c in layer[:60])
    return GeometryRefused(
        f"The file has no layer {shown!r}; it holds {', '.join(listed[:20]) or 'none'}.",
        code="layer_unknown",
        suggestions=listed[:20],
    )
