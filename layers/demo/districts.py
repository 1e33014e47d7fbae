"""Town bounds, zoning districts and roads of the invented towns."""

from __future__ import annotations

from shapely import LineString, box

from layers.demo.plan import TOWNS, Sheet


def draw_districts() -> tuple[Sheet, ...]:
    """Return towns, zoning and road centre lines, drawn in plan feet."""
    return _towns(), _zoning(), _roads()


def _towns() -> Sheet:
    rows = tuple((town.name, town.id) for town in TOWNS)
    return Sheet(
        "towns", "TOWNSSURVEY_POLYM.shp", "Polygon", ("TOWN", "TOWN_ID"), rows, tuple(t.ground for t in TOWNS)
    )


def _zoning() -> Sheet:
    drawn = (
        ("R", "Residence half acre (invented)", 901, box(0, 1_800, 6_000, 2_525)),
        ("R-1", "Residence one acre (invented)", 901, box(0, 2_525, 6_000, 2_800)),
        ("R-2", "Residence two acres (invented)", 901, box(0, 0, 6_000, 1_800).union(box(0, 2_800, 6_000, 5_000))),
        ("RB", "Single Residence B (invented)", 902, box(6_000, 2_200, 12_000, 2_575)),
        ("RC", "Single Residence C (invented)", 902, box(6_000, 1_800, 12_000, 2_200)),
        (
            "RD",
            "Single Residence D (invented)",
            902,
            box(6_000, 0, 12_000, 1_800).union(box(6_000, 2_575, 12_000, 5_000)),
        ),
    )
    rows = tuple((code, name, town) for code, name, town, _ in drawn)
    return Sheet(
        "zoning",
        "ZONING.gpkg",
        "MultiPolygon",
        ("ZONECODE", "ZONE_NAME", "TOWN_ID"),
        rows,
        tuple(d[-1] for d in drawn),
    )


def _roads() -> Sheet:
    drawn = (
        ("MILL STREET", 3, LineString([(0, 2_525), (12_000, 2_525)])),
        ("BACK STREET", 5, LineString([(0, 2_075), (6_000, 2_075)])),
        ("ORCHARD ROAD", 5, LineString([(3_025, 0), (3_025, 5_000)])),
        ("HERON LANE", 6, LineString([(1_520, 2_525), (1_520, 3_300)])),
        ("QUARRY ROAD", 5, LineString([(9_030, 660), (9_030, 5_000)])),
        ("SHORE STREET", 5, LineString([(6_000, 1_825), (12_000, 1_825)])),
    )
    rows = tuple((name, kind) for name, kind, _ in drawn)
    return Sheet(
        "roads", "EOTROADS_ARC.shp", "LineString", ("STREETNAME", "CLASS"), rows, tuple(d[-1] for d in drawn)
    )
