"""A lot of 200 x 300 ft near Dover, written by the tests themselves into every format and system."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio.raw
import shapely
from pyproj import CRS, Transformer
from shapely import MultiPolygon, Polygon

from spatial.crs import WORKING_CRS
from spatial.units import FOOT_M

WEST_M, SOUTH_M = 217_500.0, 888_000.0
WIDTH_FT, DEPTH_FT = 200.0, 300.0
AREA_SQFT = 60_000.0
CENTROID = (WEST_M + WIDTH_FT * FOOT_M / 2, SOUTH_M + DEPTH_FT * FOOT_M / 2)

INTERNATIONAL_FEET = CRS.from_wkt(
    'PROJCS["Mainland_FeetIntl",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",'
    'SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],'
    'PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",656167.979002625],'
    'PARAMETER["False_Northing",2460629.92125984],PARAMETER["Central_Meridian",-71.5],'
    'PARAMETER["Standard_Parallel_1",41.7166666666667],PARAMETER["Standard_Parallel_2",42.6833333333333],'
    'PARAMETER["Latitude_Of_Origin",41.0],UNIT["Foot",0.3048]]'
)


def box_ft(west: float = 0.0, south: float = 0.0, width: float = WIDTH_FT, depth: float = DEPTH_FT) -> Polygon:
    """A box by feet from the lot's south-west corner, in EPSG:26986."""
    x, y = WEST_M + west * FOOT_M, SOUTH_M + south * FOOT_M
    return shapely.box(x, y, x + width * FOOT_M, y + depth * FOOT_M, ccw=False)


LOT = box_ft()


def moved(geometry: Any, crs: CRS | str) -> Any:
    """The geometry in another system."""
    move = Transformer.from_crs(WORKING_CRS, crs, always_xy=True)
    return shapely.transform(geometry, lambda xy: np.column_stack(move.transform(xy[:, 0], xy[:, 1])))


def moved_from(geometry: Any, crs: CRS | str) -> Any:
    """The geometry of another system in EPSG:26986."""
    move = Transformer.from_crs(crs, WORKING_CRS, always_xy=True)
    return shapely.transform(geometry, lambda xy: np.column_stack(move.transform(xy[:, 0], xy[:, 1])))


def geojson(*features: tuple[Any, dict[str, Any]], crs: str | None = "EPSG:26986", **members: Any) -> bytes:
    """A FeatureCollection of geometries in EPSG:26986, moved to ``crs``; degrees without a crs member for None."""
    listed = []
    for geometry, properties in features:
        shape = None if geometry is None else moved(geometry, crs or "EPSG:4326")
        listed.append(
            {
                "type": "Feature",
                "properties": properties,
                "geometry": None if shape is None else shapely.geometry.mapping(shape),
            }
        )
    document: dict[str, Any] = {"type": "FeatureCollection", "features": listed, **members}
    if crs is not None:
        document["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{crs.replace(':', '::')}"}}
    return json.dumps(document).encode()


def esri_json(geometry: Any, reference: dict[str, Any] | None, crs: CRS | str, **members: Any) -> bytes:
    """A feature set of one polygon."""
    rings = [
        shapely.get_coordinates(ring).tolist()
        for ring in shapely.get_rings(shapely.get_parts(moved(geometry, crs)))
    ]
    shape: dict[str, Any] = {"rings": rings}
    document: dict[str, Any] = {
        "geometryType": "esriGeometryPolygon",
        "features": [{"attributes": {"ID": 1}, "geometry": shape}],
    }
    if reference is not None:
        document["spatialReference"] = reference
    return json.dumps(document | members).encode()


def kml(*placemarks: str, head: str = "") -> bytes:
    """A KML document around placemarks."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}'
        f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{"".join(placemarks)}</Document></kml>'
    ).encode()


def kml_polygon(geometry: Polygon = LOT, name: str = "lot") -> str:
    """A placemark of a polygon with its holes."""
    shell, *holes = (
        "<LinearRing><coordinates>"
        + " ".join(f"{x:.10f},{y:.10f},0" for x, y in shapely.get_coordinates(ring))
        + "</coordinates></LinearRing>"
        for ring in shapely.get_rings(moved(geometry, "EPSG:4326"))
    )
    inner = "".join(f"<innerBoundaryIs>{hole}</innerBoundaryIs>" for hole in holes)
    rings = f"<outerBoundaryIs>{shell}</outerBoundaryIs>{inner}"
    return f"<Placemark><name>{name}</name><Polygon>{rings}</Polygon></Placemark>"


def zipped(**files: bytes) -> bytes:
    """A zip archive; ``__`` in a keyword stands for a dot."""
    return packed({name.replace("__", "."): content for name, content in files.items()})


def packed(files: dict[str, bytes]) -> bytes:
    """A zip archive of named files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def folder_packed(folder: Path, prefix: str = "") -> bytes:
    """A zip archive of a folder's files, without entries for folders."""
    return packed({f"{prefix}{file.name}": file.read_bytes() for file in sorted(folder.iterdir())})


def ogr_files(
    folder: Path,
    driver: str,
    crs: CRS | str | None,
    *geometries: Any,
    layer: str = "lot",
    name: str | None = None,
    fields: dict[str, list[Any]] | None = None,
    **options: Any,
) -> Path:
    """Write polygons of EPSG:26986 with GDAL in a given system; return what was written."""
    suffix = {"ESRI Shapefile": ".shp", "GPKG": ".gpkg", "OpenFileGDB": ".gdb", "DXF": ".dxf"}[driver]
    path = folder / f"{name or layer}{suffix}"
    shapes = [None if g is None else moved(g, crs or WORKING_CRS) for g in geometries]
    columns = fields or {"PARCEL_ID": [f"P{i}" for i in range(len(shapes))]}
    multi = any(isinstance(s, MultiPolygon) for s in shapes)
    arrays = [
        np.array(values, dtype=object if isinstance(values[0], str | type(None)) else None)
        for values in columns.values()
    ]
    pyogrio.raw.write(
        str(path),
        np.array(shapely.to_wkb(shapes), dtype=object),
        arrays if driver != "DXF" else [],
        list(columns) if driver != "DXF" else [],
        geometry_type=options.pop("geometry_type", "MultiPolygon" if multi else "Polygon"),
        crs=None if crs is None else CRS(crs).to_wkt("WKT1_ESRI" if driver == "ESRI Shapefile" else "WKT2_2019"),
        driver=driver,
        layer=layer if driver in ("GPKG", "OpenFileGDB") else None,
        **options,
    )
    return path


def dxf(*entities: str, units: int | None = 6, blocks: str = "") -> bytes:
    """An R12-like drawing of entities."""
    header = "" if units is None else f"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n{units}\n0\nENDSEC\n"
    middle = f"0\nSECTION\n2\nBLOCKS\n{blocks}0\nENDSEC\n" if blocks else ""
    return f"{header}{middle}0\nSECTION\n2\nENTITIES\n{''.join(entities)}0\nENDSEC\n0\nEOF\n".encode()


def polyline(
    xy: Any,
    layer: str = "SITE",
    *,
    closed: bool = True,
    bulges: dict[int, float] | None = None,
    paper: bool = False,
) -> str:
    """A lightweight polyline through positions."""
    points = "".join(
        f"10\n{x!r}\n20\n{y!r}\n" + (f"42\n{bulges[i]}\n" if bulges and i in bulges else "")
        for i, (x, y) in enumerate(np.asarray(xy, dtype=float).tolist())
    )
    space = "67\n1\n" if paper else ""
    return f"0\nLWPOLYLINE\n8\n{layer}\n{space}90\n{len(xy)}\n70\n{1 if closed else 0}\n{points}"
