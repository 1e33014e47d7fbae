"""A list as GeoJSON (EPSG:4326, longitude first): land, ring and parcels. Names stay out: a map is passed on."""

from __future__ import annotations

import json

import shapely

from app.reports.abutters.shapes import Shape, Shapes
from app.reports.abutters.standing import marks
from app.schemas.abutters import AbutterList, AbutterTold
from spatial.crs import DISPLAY_CRS, WORKING_CRS, reproject


def abutters_geojson(told: AbutterList, shapes: Shapes) -> str:
    """Return a FeatureCollection; every feature says its role, an abutter its distance, relation and rules."""
    by_id = {a.loc_id: a for a in told.abutters}
    kept = [s for s in shapes.shapes if s.role != "abutter" or s.loc_id in by_id]
    features = [_feature(s, by_id.get(s.loc_id or "")) for s in kept]
    return json.dumps(
        {"type": "FeatureCollection", "id": told.id, "status": marks(told) or told.status, "features": features}
    )


def _feature(shape: Shape, abutter: AbutterTold | None) -> dict[str, object]:
    properties: dict[str, object] = {"role": shape.role, "loc_id": shape.loc_id}
    if abutter is not None and shape.role == "abutter":
        properties |= {
            "map_par_id": abutter.map_par_id,
            "site_address": abutter.site_address,
            "distance_ft": abutter.distance_ft,
            "relation": abutter.relation,
            "rules": list(abutter.rules),
            "flags": list(abutter.flags),
        }
    degrees = reproject(shape.geometry, WORKING_CRS, DISPLAY_CRS)
    rounded = shapely.orient_polygons(shapely.transform(degrees, lambda xy: xy.round(8)))
    geometry = json.loads(shapely.to_geojson(rounded))
    return {"type": "Feature", "id": shape.loc_id or shape.role, "properties": properties, "geometry": geometry}
