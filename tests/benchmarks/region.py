"""A region invented from a seed: parcels with street gaps, wetlands, habitat, flood zones, watersheds, pools.

At scale 1: 240,000 parcels, 60,000 wetlands of 30-5,000 vertices, 600 large habitats, 6,000 flood polygons (three
of more than 100,000 vertices with a hundred holes), 25 HUC12 in 5 HUC10 and 800 pools on 31 by 31 km. A smaller
scale has fewer of each on less ground, at the same density. EPSG:26986.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.units import FOOT_M

WEST_M, SOUTH_M = 190_000.0, 860_000.0
LOT_FT, STREET_FT, BLOCK = 200.0, 50.0, 8
WINDOWS = 8
"""Where work is drawn on a share of the ground only, it is drawn in this many by this many places."""
FULL = {
    "parcels": 240_000,
    "wetlands": 60_000,
    "priority_habitat": 600,
    "floodplain": 6_000,
    "certified_vernal_pools": 800,
}

Geometries = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Region:
    """Features by layer id, the ground they lie on, and columns that the layers need."""

    features: dict[str, Geometries]
    ground: shapely.Polygon
    columns: dict[str, dict[str, list[object]]]

    def window(self, share: float) -> shapely.Polygon | shapely.MultiPolygon:
        """Return squares spread evenly over the ground, together some share of its area; all of it for 1."""
        if share >= 1.0:
            return self.ground
        west, south, east, north = self.ground.bounds
        wide, high, side = (east - west) / WINDOWS, (north - south) / WINDOWS, math.sqrt(share) / 2.0
        middles = [
            (west + wide * (column + 0.5), south + high * (row + 0.5))
            for column in range(WINDOWS)
            for row in range(WINDOWS)
        ]
        return shapely.MultiPolygon(
            [shapely.box(x - wide * side, y - high * side, x + wide * side, y + high * side) for x, y in middles]
        )


def make_region(scale: float, seed: int = 2026) -> Region:
    """Return the region of a scale; the same scale and seed give the same region."""
    rng = np.random.default_rng(seed)
    parcels = _parcels(max(64, round(FULL["parcels"] * scale)), rng)
    west, south, east, north = shapely.total_bounds(parcels).tolist()
    ground = shapely.box(west - 2_000, south - 2_000, east + 2_000, north + 2_000)
    size = (west, south, east - west, north - south)
    huc12, huc10 = _watersheds(ground, rng)
    features = {
        "parcels": parcels,
        "wetlands": _blobs(_count("wetlands", scale), (30, 5_000), (10.0, 150.0), size, rng),
        "priority_habitat": _blobs(_count("priority_habitat", scale), (500, 12_000), (400.0, 2_000.0), size, rng),
        "floodplain": _flood(_count("floodplain", scale), size, rng),
        "huc12": huc12,
        "huc10": huc10,
        "certified_vernal_pools": shapely.points(_scatter(_count("certified_vernal_pools", scale), size, rng)),
    }
    return Region(features, ground, _columns(features))


def _count(layer: str, scale: float) -> int:
    return max(4, round(FULL[layer] * scale))


def _columns(features: dict[str, Geometries]) -> dict[str, dict[str, list[object]]]:
    parcels, huc12 = len(features["parcels"]), len(features["huc12"])
    codes = [f"0109000{n // 5 + 1:03d}{n % 5 + 1:02d}" for n in range(huc12)]
    return {
        "parcels": {
            "LOC_ID": [f"F_{n}" for n in range(parcels)],
            "town_id": [78] * parcels,
            "poly_type": ["FEE"] * parcels,
        },
        "wetlands": {"kind": ["SHRUB SWAMP"] * len(features["wetlands"])},
        "priority_habitat": {"habitat_id": [f"PH {n}" for n in range(len(features["priority_habitat"]))]},
        "floodplain": {"zone": ["AE"] * len(features["floodplain"]), "sfha": ["T"] * len(features["floodplain"])},
        "huc12": {"code": codes, "name": codes, "to_code": [*codes[1:], "OCEAN"]},
        "huc10": {"code": sorted({c[:10] for c in codes}), "name": sorted({c[:10] for c in codes})},
        "certified_vernal_pools": {"pool_id": [str(n) for n in range(len(features["certified_vernal_pools"]))]},
    }


def _parcels(count: int, rng: np.random.Generator) -> Geometries:
    """Return crooked lots of about an acre, sharing their lines, a street gap after every eighth row and column."""
    side = math.ceil(math.sqrt(count))
    line = np.arange(side + 1)
    at = (line * LOT_FT + (line // BLOCK) * STREET_FT) * FOOT_M
    x, y = np.meshgrid(WEST_M + at, SOUTH_M + at)
    x = x + rng.uniform(-20, 20, x.shape) * FOOT_M
    y = y + rng.uniform(-20, 20, y.shape) * FOOT_M
    corner = np.stack([x, y], axis=-1)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    ring = np.stack([a, (a + b) / 2, b, (b + c) / 2, c, (c + d) / 2, d, (d + a) / 2, a], axis=2)
    ring = ring.reshape(-1, 9, 2)
    row, column = np.divmod(np.arange(side * side), side)
    street = STREET_FT * FOOT_M
    # lots before a street end on its near side: their far line moves back by the width of the street
    after = (column % BLOCK == BLOCK - 1)[:, None] & np.isin(np.arange(9), [2, 3, 4])
    ring[:, :, 0] -= np.where(after, street, 0.0)
    above = (row % BLOCK == BLOCK - 1)[:, None] & np.isin(np.arange(9), [4, 5, 6])
    ring[:, :, 1] -= np.where(above, street, 0.0)
    return shapely.polygons(ring[:count])


def _scatter(count: int, size: tuple[float, float, float, float], rng: np.random.Generator) -> NDArray[np.float64]:
    west, south, width, height = size
    return np.column_stack([west + rng.random(count) * width, south + rng.random(count) * height])


def _blobs(
    count: int,
    vertices: tuple[int, int],
    radius_m: tuple[float, float],
    size: tuple[float, float, float, float],
    rng: np.random.Generator,
) -> Geometries:
    """Return crooked areas, small ones the most; the large ones have the most vertices."""
    made = []
    for centre, draw in zip(_scatter(count, size, rng), rng.random(count) ** 6, strict=True):
        n = round(vertices[0] * (vertices[1] / vertices[0]) ** draw)
        radius = radius_m[0] * (radius_m[1] / radius_m[0]) ** draw
        made.append(_star(centre, radius, n, rng))
    return np.array(made, dtype=object)


def _star(centre: NDArray[np.float64], radius: float, vertices: int, rng: np.random.Generator) -> shapely.Polygon:
    turn = np.linspace(0.0, 2 * np.pi, vertices, endpoint=False)
    waves = sum(rng.uniform(0, 0.15) * np.sin(k * turn + rng.uniform(0, 6)) for k in (2, 3, 5, 11))
    reach = radius * (1.0 + waves)
    return shapely.Polygon(centre + np.column_stack([reach * np.cos(turn), reach * np.sin(turn)]))


def _flood(count: int, size: tuple[float, float, float, float], rng: np.random.Generator) -> Geometries:
    """Return three river systems of 100,000 vertices and more, with islands, and many small areas."""
    share = min(1.0, count / FULL["floodplain"])
    systems = [_river_system(k, size, max(0.02, share), rng) for k in range(3)]
    return np.array([*systems, *_blobs(count - 3, (30, 2_000), (15.0, 200.0), size, rng)], dtype=object)


def _river_system(
    number: int, size: tuple[float, float, float, float], share: float, rng: np.random.Generator
) -> shapely.Polygon:
    """Return a winding main stem across the region with brooks on both sides and islands in the stem."""
    west, south, width, height = size
    x = np.linspace(west, west + width, round(24_000 * share))
    middle = height * (0.17 + 0.33 * number) + 0.05 * height * np.sin((x - west) / width * (9 + 4 * number))
    stem = _ribbon(x, south + middle, 60.0)
    brooks = []
    for at in np.linspace(0.04, 0.96, 14):
        foot = int(at * (len(x) - 1))
        t = np.linspace(0.0, 0.15 * height, round(2_600 * share))
        side = 1.0 if rng.random() > 0.5 else -1.0
        bend = x[foot] + 0.008 * width * np.sin(t / height * 60 + rng.uniform(0, 6))
        brook = _ribbon(t, bend - bend[0] + x[foot], 25.0)
        place = np.column_stack([brook[:, 1], south + middle[foot] + side * brook[:, 0]])
        brooks.append(shapely.Polygon(place))
    land = [
        shapely.Point(x[i], south + middle[i] + rng.uniform(-12, 12)).buffer(rng.uniform(2, 7))
        for i in np.linspace(0, len(x) - 1, round(600 * share) + 4).astype(int)
    ]
    whole = shapely.union_all([shapely.Polygon(stem), *(shapely.make_valid(b, method="structure") for b in brooks)])
    parts = shapely.get_parts(shapely.difference(whole, shapely.union_all(land)))
    return parts[np.argmax(shapely.area(parts))]


def _ribbon(along: NDArray[np.float64], across: NDArray[np.float64], wide: float) -> NDArray[np.float64]:
    """Return the ring around a line that runs along the first axis, of a width that changes as banks do."""
    half = wide * (1.0 + 0.5 * np.sin(along / 170.0) + 0.15 * np.sin(along / 31.0))
    near, far = np.column_stack([along, across + half]), np.column_stack([along, across - half])
    return np.vstack([near, far[::-1]])


def _watersheds(ground: shapely.Polygon, rng: np.random.Generator) -> tuple[Geometries, Geometries]:
    """Return 25 watersheds of wavy divides that tile the ground, and the five bands they drain in."""
    west, south, east, north = ground.bounds
    divides: list[shapely.LineString] = [ground.exterior]
    for k in range(1, 5):
        t = np.linspace(0.0, 1.0, 2_000)
        phase = rng.uniform(0, 6)
        wave = 0.01 * np.sin(t * 40 + phase) + 0.001 * np.sin(t * 210 + phase)
        along = np.column_stack([west + (east - west) * (k / 5 + wave), south + (north - south) * t])
        across = np.column_stack([west + (east - west) * t, south + (north - south) * (k / 5 + wave)])
        divides += [shapely.LineString(along), shapely.LineString(across)]
    cells = shapely.get_parts(shapely.polygonize([shapely.union_all(divides)]))
    cells = sorted((c for c in cells if ground.covers(c.representative_point())), key=_place(ground))
    huc12 = np.array(cells, dtype=object)
    return huc12, np.array([shapely.union_all(band) for band in _bands(huc12)], dtype=object)


def _place(ground: shapely.Polygon) -> Callable[[shapely.Polygon], tuple[int, float]]:
    _, south, _, north = ground.bounds
    return lambda c: (int((c.centroid.y - south) / (north - south) * 5), c.centroid.x)


def _bands(huc12: Geometries) -> Iterator[Geometries]:
    for k in range(0, len(huc12), 5):
        yield huc12[k : k + 5]


def make_work(region: Region, count: int, *, share: float = 1.0, seed: int = 7) -> list[shapely.Polygon]:
    """Return limits of work on lots drawn by chance, of 4 to 12 corners; one in five leaves its lot."""
    rng = np.random.default_rng(seed)
    lots = region.features["parcels"]
    window = region.window(share)
    shapely.prepare(window)
    lots = lots[shapely.covers(window, lots)]
    chosen = lots[rng.integers(0, len(lots), count)]
    made = []
    for lot in chosen:
        centre, reach = lot.centroid, rng.uniform(20, 85) if rng.random() > 0.2 else rng.uniform(90, 200)
        n = int(rng.integers(4, 13))
        turn = np.sort(rng.uniform(0, 2 * np.pi, n))
        radius = reach * FOOT_M * rng.uniform(0.6, 1.0, n)
        work = shapely.Polygon(
            np.column_stack([centre.x + radius * np.cos(turn), centre.y + radius * np.sin(turn)])
        )
        made.append(work.convex_hull if work.area < 5 or not work.is_valid else work)
    return made
