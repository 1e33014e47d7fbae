"""Cover: what ground an edition answers for. Never inferred from where features happen to be missing."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from layers.editions import pointers
from layers.frames import open_frame
from layers.ingest.choice import the_only
from layers.ingest.features import Features
from layers.ingest.mend import mend, source_crs
from layers.ingest.tables import read_rows, tables_in
from layers.manifest import CoverageNote
from layers.towns import TownBook
from spatial.dust import without_dust
from spatial.errors import ParameterRefused
from spatial.model import Area, LayerFrame, Town
from spatial.units import FOOT_M, m_from_ft

GAP_FT = 200.0
"""Ways are gaps between parcels: gaps narrower than this count as covered. An interstate's may stay open."""

_CIRCLE = 8


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Ground, the name of the part it makes, and how it was decided."""

    area: Area
    part: str
    how: str

    def note(self) -> CoverageNote:
        """Return it in the words of a manifest."""
        west, south, east, north = self.area.bounds
        return CoverageNote(how=self.how, area_sqft=self.area.area / FOOT_M**2, bounds=(west, south, east, north))


@dataclass(frozen=True, slots=True)
class Places:
    """What the library already knows of towns: their names and, when the layer is loaded, their ground."""

    book: TownBook
    root: Path

    def ground(self, town: Town | None) -> Area | None:
        """Return a town's polygon (None: all towns together), or None when the layer 'towns' does not have it."""
        frames = [open_frame(p.folder) for p in pointers(self.root) if p.layer_id == "towns"]
        shapes = [shape for frame in frames for shape in _of_town(frame, town)]
        if not shapes:
            return None
        return _as_area(shapely.union_all(np.array(shapes, dtype=object)))


def _of_town(frame: LayerFrame, town: Town | None) -> list[shapely.Geometry]:
    ids = frame.attributes["town_id"].tolist()
    return [g for g, i in zip(frame.geometry, ids, strict=True) if town is None or i == town.id]


def _as_area(geometry: shapely.Geometry) -> Area:
    parts = [p for p in shapely.get_parts(geometry) if p.geom_type == "Polygon" and not p.is_empty]
    return without_dust(parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts))


def stated(covers: str, features: Features, places: Places, name: str) -> Coverage:
    """Return the coverage staff named: ``town:NAME``, ``state``, ``bounds``, ``features`` or a file of polygons.

    Raises
    ------
    ParameterRefused
        The town has no polygon loaded, there is nothing to bound, or the file cannot be used.
    """
    kind, _, rest = covers.partition(":")
    if kind == "town":
        return _town(places.book.find(rest), places)
    if covers == "state":
        ground = _needed(places.ground(None), "the whole state")
        return Coverage(ground, "state", "the union of all towns of the layer 'towns'")
    if covers in ("bounds", "features"):
        return _of_features(covers, features, slug(name))
    return _of_file(Path(covers))


def _town(town: Town, places: Places) -> Coverage:
    ground = _needed(places.ground(town), town.name)
    return Coverage(ground, town.slug, f"the polygon of {town.name} in the layer 'towns'")


def _needed(ground: Area | None, what: str) -> Area:
    if ground is None:
        raise ParameterRefused(
            f"The layer 'towns' does not hold the ground of {what}; add it first, or give --covers a file."
        )
    return ground


def _of_features(how: str, features: Features, part: str) -> Coverage:
    if not len(features):
        raise ParameterRefused(
            f"A file without features cannot say its own coverage ('{how}'); name a town or a file."
        )
    if how == "bounds":
        west, south, east, north = shapely.total_bounds(features.geometry)
        if not (east > west and north > south):
            raise ParameterRefused("The box around the features has no area; name a town or a file of polygons.")
        return Coverage(shapely.box(west, south, east, north), part, "the box around its features, as staff said")
    return Coverage(_as_area(shapely.union_all(features.geometry)), part, "the union of its features")


def _of_file(path: Path) -> Coverage:
    if not path.exists():
        raise ParameterRefused(
            f"--covers is '{path.name}', which is no file and none of town:NAME, state, bounds; say one of them."
        )
    with tempfile.TemporaryDirectory() as workspace:
        shaped = [t for t in tables_in(path, Path(workspace)) if t.geometry_type is not None]
        rows = read_rows(the_only(shaped, f"coverage '{path.name}'"))
        ground = mend(rows, source_crs(rows, None), ("polygon",)).geometry
    if not len(ground):
        raise ParameterRefused(f"The coverage file '{path.name}' holds no polygon.")
    return Coverage(_as_area(shapely.union_all(ground)), slug(path.stem), f"the polygons of the file '{path.name}'")


def of_level3(features: Features, town: Town, places: Places) -> Coverage:
    """Return the ground a Level 3 town answers for: its parcels with the ways between them, and its polygon.

    Public ways are gaps, so the parcels are closed over gaps narrower than ``GAP_FT``, and enclosed holes filled:
    the assessors map the whole town, and a hole inside it is a way, a pond or an interchange, not another town.
    """
    parcels = closed_over_ways(features)
    ground = places.ground(town)
    if ground is None:
        return Coverage(
            parcels, town.slug, f"the parcels of {town.name}, closed over gaps of up to {GAP_FT:.0f} ft"
        )
    how = f"the polygon of {town.name} in the layer 'towns' and its parcels with the ways between them"
    return Coverage(_as_area(shapely.union_all([ground, parcels])), town.slug, how)


def closed_over_ways(features: Features) -> Area:
    """Return the union of lots without the gaps that ways leave; it reaches past no lot but across such a gap."""
    half_m = m_from_ft(GAP_FT / 2.0)
    union = shapely.union_all(features.geometry)
    closing = union.buffer(half_m, quad_segs=_CIRCLE).buffer(-half_m, quad_segs=_CIRCLE)
    whole = shapely.union_all([union, closing])
    return _as_area(shapely.union_all([shapely.Polygon(p.exterior) for p in shapely.get_parts(whole)]))


def slug(name: str) -> str:
    """Return a name as one folder: lower case, letters, digits and hyphens.

    >>> slug("Amherst & Hadley (2024).geojson")
    'amherst-hadley-2024-geojson'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60] or "part"
