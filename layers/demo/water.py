"""Waters of the invented towns: wetlands, brook, ponds, flood zones, watersheds, and what protects them.

Near the sample lot (plan x 3,600 to 4,600) every line runs straight, so that distances can be worked out by
hand; elsewhere lines wander by the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import shapely
from shapely import LineString, Polygon, box

from layers.demo.lots import POND
from layers.demo.plan import COVERED, Sheet, band, ellipse

STRAIGHT_FT = (3_600.0, 4_600.0)
SWAMP_SOUTH_FT = 2_760.0
BROOK_FT = 2_960.0
FLOOD_SOUTH_FT = 2_725.0
RARE_FLOOD_SOUTH_FT = 2_712.0
DIVIDE_FT = 4_075.0
"""The sample site straddles this line between two HUC12s."""
BASE_FLOOD_FT = 142.0
CUT_GRID_FT = 0.001
"""Cut shapes are put on this grid, so that no cut leaves two edges a hair apart."""
STATIONS = tuple(float(x) for x in range(-1_000, 13_001, 100))


def draw_waters(rng: random.Random) -> tuple[Sheet, ...]:
    """Return the sheets of every water layer, drawn in plan feet."""
    return (
        _wetlands(rng), _streams(rng), _water_bodies(), _floodplain(rng), *_watersheds(), _impaired_waters(),
        _outstanding_waters(), _zone2(), _wellhead_protection(),
    )  # fmt: skip


def _wandering(rng: random.Random, at_ft: float, by_ft: float) -> Callable[[float], float]:
    def y(x: float) -> float:
        shift = rng.uniform(-by_ft, by_ft)
        return at_ft if STRAIGHT_FT[0] <= x <= STRAIGHT_FT[1] else at_ft + shift

    return y


def _between(rng: random.Random, south_ft: float, north_ft: float, *, west: float, east: float) -> Polygon:
    by_ft = min(30.0, (north_ft - south_ft) / 5.0)
    south, north = _wandering(rng, south_ft, by_ft / 3.0), _wandering(rng, north_ft, by_ft)
    stations = [x for x in STATIONS if west <= x <= east]
    return band(stations, [south(x) for x in stations], [north(x) for x in stations])


def _wetlands(rng: random.Random) -> Sheet:
    swamp = _between(rng, SWAMP_SOUTH_FT, 2_930.0, west=3_900.0, east=4_400.0)
    wooded = _between(rng, 2_990.0, 3_120.0, west=4_800.0, east=5_900.0)
    marsh = _between(rng, 2_850.0, 2_940.0, west=7_000.0, east=8_600.0)
    bog = ellipse((2_300.0, 4_200.0), (160.0, 110.0))
    drawn = (
        ("SS", "SHRUB SWAMP", swamp), ("WS1", "WOODED SWAMP DECIDUOUS", wooded),
        ("M", "SHALLOW MARSH MEADOW OR FEN", marsh), ("BG", "BOG", bog), ("OW", "OPEN WATER", POND),
        ("DM", "DEEP MARSH", ellipse((10_600.0, 4_300.0), (300.0, 180.0))),
    )  # fmt: skip
    rows = tuple((i, i, code, text, "2005 CIR (INVENTED)", 5_000) for i, (code, text, _) in enumerate(drawn, 1))
    fields = ("WETCODE", "POLY_CODE", "IT_VALC", "IT_VALDESC", "SOURCE", "SOURCE_SCA")
    return Sheet("wetlands", "WETLANDSDEP_POLY.shp", "Polygon", fields, rows, tuple(s for _, _, s in drawn))


def _streams(rng: random.Random) -> Sheet:
    line = _wandering(rng, BROOK_FT, 25.0)
    brook = LineString([(x, line(x)) for x in STATIONS if 0.0 <= x <= 11_000.0])
    run = LineString([(700.0, 4_900.0), (820.0, 4_300.0), (760.0, 3_600.0), (900.0, 2_960.0)])
    rows = (("HERON BROOK", 9_900_001, 1, "Y"), (None, 0, 2, "N"))
    fields = ("NAME", "SARISCODE", "ARC_CODE", "PERENNIAL")
    return Sheet("streams", "HYDRO25K_ARC.shp", "LineString", fields, rows, (brook, run))


def _water_bodies() -> Sheet:
    river = box(11_000.0, 2_900.0, 12_000.0, 3_020.0)
    lake = ellipse((10_600.0, 1_200.0), (380.0, 300.0))
    rows = (("ALDER POND", 1, "N"), ("LYNNMERE RIVER", 8, "Y"), ("QUARRY LAKE", 1, "N"))
    return Sheet(
        "water_bodies",
        "HYDRO25K_POLY.shp",
        "Polygon",
        ("NAME", "POLY_CODE", "PERENNIAL"),
        rows,
        (POND, river, lake),
    )


def _floodplain(rng: random.Random) -> Sheet:
    islands = (box(1_900.0, 2_880.0, 2_050.0, 2_920.0), box(5_200.0, 2_880.0, 5_320.0, 2_930.0))
    hundred = _between(rng, FLOOD_SOUTH_FT, 3_140.0, west=0.0, east=12_000.0)
    wider = _between(rng, RARE_FLOOD_SOUTH_FT, 3_190.0, west=0.0, east=12_000.0).union(hundred)
    floodway = _between(rng, 2_945.0, 2_975.0, west=0.0, east=11_000.0).intersection(hundred)
    base = hundred.difference(floodway)
    for island in islands:
        base = base.difference(island)
    rare = wider.difference(hundred)
    dry = COVERED.difference(wider)
    low = "0.2 PCT ANNUAL CHANCE FLOOD HAZARD"
    drawn = (
        ("AE", None, "T", BASE_FLOOD_FT, base), ("AE", "FLOODWAY", "T", BASE_FLOOD_FT, floodway),
        ("X", low, "F", -9_999.0, rare), ("X", "AREA OF MINIMAL FLOOD HAZARD", "F", -9_999.0, dry),
        *(("X", "AREA OF MINIMAL FLOOD HAZARD", "F", -9_999.0, island) for island in islands),
    )  # fmt: skip
    rows = tuple((f"99001C_{i}", zone, kind, sfha, bfe) for i, (zone, kind, sfha, bfe, _) in enumerate(drawn, 1))
    shapes = tuple(shapely.set_precision(d[-1], CUT_GRID_FT) for d in drawn)
    fields = ("FLD_AR_ID", "FLD_ZONE", "ZONE_SUBTY", "SFHA_TF", "STATIC_BFE")
    return Sheet("floodplain", "S_FLD_HAZ_AR.gpkg", "MultiPolygon", fields, rows, shapes)


def _watersheds() -> tuple[Sheet, Sheet]:
    west, south, east, north = COVERED.bounds
    upper = box(west, south, DIVIDE_FT, north)
    middle = box(DIVIDE_FT, south, 9_000.0, north)
    lower = box(9_000.0, south, east, north)
    twelve = (
        ("019900010101", "Upper Heron Brook (invented)", "019900010102"),
        ("019900010102", "Lower Heron Brook (invented)", "019900010201"),
        ("019900010201", "Lynnmere River (invented)", "OCEAN"),
    )
    ten = (
        ("0199000101", "Heron Brook (invented)", "0199000102"),
        ("0199000102", "Lynnmere River (invented)", "OCEAN"),
    )
    return (
        Sheet("huc12", "WBDHU12.gpkg", "Polygon", ("huc12", "name", "tohuc"), twelve, (upper, middle, lower)),
        Sheet("huc10", "WBDHU10.gpkg", "Polygon", ("huc10", "name", "tohuc"), ten, (upper.union(middle), lower)),
    )


def _impaired_waters() -> Sheet:
    rows = (
        ("MA99-02", "Lynnmere River (invented)", "5", "PHOSPHORUS, TOTAL; CHLORIDE", None),
        ("MA99901", "Quarry Lake (invented)", "4A", "PHOSPHORUS, TOTAL", "INVENTED-TMDL-1"),
    )
    shapes = (box(11_000.0, 2_900.0, 12_000.0, 3_020.0), ellipse((10_600.0, 1_200.0), (380.0, 300.0)))
    fields = ("AU_ID", "AU_NAME", "CATEGORY", "CAUSES", "TMDL")
    return Sheet("impaired_waters", "IMPAIRED.gpkg", "Polygon", fields, rows, shapes)


def _outstanding_waters() -> Sheet:
    rows = (("QUARRY LAKE SUPPLY (INVENTED)", "PWS"),)
    return Sheet(
        "outstanding_resource_waters", "ORW_POLY.gpkg", "Polygon", ("NAME", "CODE"), rows,
        (ellipse((10_600.0, 1_200.0), (900.0, 700.0)),),
    )  # fmt: skip


def _zone2() -> Sheet:
    rows = (("QUARRY WELL (INVENTED)", "902-01G"),)
    return Sheet(
        "zone2",
        "ZONE2_POLY.gpkg",
        "Polygon",
        ("SUPPLIER", "ZII_NUM"),
        rows,
        (ellipse((9_900, 3_700), (1_000, 800)),),
    )


def _wellhead_protection() -> Sheet:
    rows = (("ORCHARD WELL (INVENTED)", "901-01G"),)
    return Sheet(
        "iwpa", "IWPA_POLY.gpkg", "Polygon", ("SUPPLIER", "IWPA_ID"), rows, (ellipse((2_000, 1_500), (500, 500)),)
    )
