"""The lots of the invented towns: rows along streets, and by hand the shapes that make work for an engine.

By hand: a corner lot, a flag lot, a through lot, a landlocked lot, a farm with an enclave, a condominium, ways
drawn as polygons and ways left as gaps, a pond with its own polygon, and the lots of the sample sites.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import shapely
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from layers.demo.plan import DOVERBROOK, LYNNMERE, InventedTown, ellipse

LOT_WIDTHS_FT = (100.0, 110.0, 120.0, 140.0, 160.0)
SAMPLE_LOT = box(4_000.0, 2_550.0, 4_160.0, 2_800.0)
"""160 x 250 ft = 40,000 sq ft on Mill Street in Doverbrook: the site ``metes demo`` screens."""
QUARRY_LOT = box(9_060.0, 2_600.0, 9_560.0, 3_100.0)
"""500 x 500 ft on Quarry Road in Lynnmere: the second sample site."""
ENCLAVE = box(1_150.0, 3_950.0, 1_250.0, 4_050.0)
POND = ellipse((1_500.0, 900.0), (420.0, 260.0))


@dataclass(frozen=True, slots=True, eq=False)
class Lot:
    """One parcel polygon in plan feet. ``trait`` names what it was drawn for; None for an ordinary lot."""

    town: InventedTown
    shape: BaseGeometry
    map_no: str
    number: int
    site_address: str | None
    use_code: str = "101"
    zoning: str = "R-1"
    poly_type: str = "FEE"
    trait: str | None = None
    rows: int = 1

    @property
    def map_par_id(self) -> str:
        """Map and lot as the assessors write it: ``"14-0007"``."""
        return f"{self.map_no}-{self.number:04d}"


@dataclass(frozen=True, slots=True)
class Frontage:
    """A row of lots along a street: from ``west_ft`` to ``east_ft``, ``south_ft`` to ``north_ft``."""

    town: InventedTown
    map_no: str
    street: str
    west_ft: float
    east_ft: float
    south_ft: float
    north_ft: float
    zoning: str
    odd: bool


FRONTAGES = (
    Frontage(DOVERBROOK, "11", "MILL ST", 0.0, 1_500.0, 2_550.0, 2_800.0, "R-1", False),
    Frontage(DOVERBROOK, "12", "MILL ST", 1_540.0, 3_000.0, 2_550.0, 2_800.0, "R-1", False),
    Frontage(DOVERBROOK, "13", "MILL ST", 3_290.0, 4_000.0, 2_550.0, 2_800.0, "R-1", False),
    Frontage(DOVERBROOK, "14", "MILL ST", 4_160.0, 6_000.0, 2_550.0, 2_800.0, "R-1", False),
    Frontage(DOVERBROOK, "21", "MILL ST", 0.0, 400.0, 2_300.0, 2_500.0, "R", True),
    Frontage(DOVERBROOK, "21", "MILL ST", 520.0, 3_000.0, 2_300.0, 2_500.0, "R", True),
    Frontage(DOVERBROOK, "22", "MILL ST", 3_050.0, 6_000.0, 2_300.0, 2_500.0, "R", True),
    Frontage(DOVERBROOK, "31", "BACK ST", 0.0, 400.0, 2_100.0, 2_300.0, "R", False),
    Frontage(DOVERBROOK, "31", "BACK ST", 520.0, 3_000.0, 2_100.0, 2_300.0, "R", False),
    Frontage(DOVERBROOK, "32", "BACK ST", 3_050.0, 6_000.0, 2_100.0, 2_300.0, "R", False),
    Frontage(DOVERBROOK, "33", "BACK ST", 0.0, 3_000.0, 1_850.0, 2_050.0, "R-1", True),
    Frontage(DOVERBROOK, "34", "BACK ST", 3_050.0, 6_000.0, 1_850.0, 2_050.0, "R-1", True),
    Frontage(LYNNMERE, "1", "MILL ST", 6_000.0, 9_000.0, 2_550.0, 2_750.0, "RB", False),
    Frontage(LYNNMERE, "2", "MILL ST", 6_000.0, 9_000.0, 2_250.0, 2_500.0, "RB", True),
    Frontage(LYNNMERE, "3", "SHORE ST", 6_000.0, 9_000.0, 1_850.0, 2_250.0, "RC", False),
    Frontage(LYNNMERE, "4", "SHORE ST", 9_060.0, 12_000.0, 1_850.0, 2_200.0, "RC", False),
    Frontage(LYNNMERE, "5", "MILL ST", 9_060.0, 12_000.0, 2_200.0, 2_500.0, "RB", True),
)


def draw_lots(rng: random.Random) -> tuple[Lot, ...]:
    """Return every parcel polygon of both towns, in a fixed order; only widths and uses follow ``rng``."""
    rows = [lot for frontage in FRONTAGES for lot in _along(frontage, rng)]
    drawn = (*rows, *_by_hand(), *_ways(), *_big_land())
    return _numbered(drawn)


def _along(frontage: Frontage, rng: random.Random) -> Iterator[Lot]:
    west = frontage.west_ft
    for width in _widths(frontage.east_ft - frontage.west_ft, rng):
        shape = box(west, frontage.south_ft, west + width, frontage.north_ft)
        number = _house_number(west + width / 2.0, odd=frontage.odd)
        use = rng.choices(("101", "104", "130"), weights=(8, 1, 1))[0]
        yield Lot(frontage.town, shape, frontage.map_no, 0, f"{number} {frontage.street}", use, frontage.zoning)
        west += width


def _widths(length_ft: float, rng: random.Random) -> Iterator[float]:
    left = length_ft
    while left >= 2.0 * max(LOT_WIDTHS_FT):
        width = rng.choice(LOT_WIDTHS_FT)
        yield width
        left -= width
    yield from (left / 2.0, left / 2.0) if left > max(LOT_WIDTHS_FT) else (left,)


def _house_number(x_ft: float, *, odd: bool) -> int:
    number = int(x_ft // 10)
    return number + (number % 2 == 0) if odd else number + number % 2


def _by_hand() -> tuple[Lot, ...]:
    d, m = DOVERBROOK, LYNNMERE
    flag = Polygon([(3_160, 2_550), (3_180, 2_550), (3_180, 2_700), (3_290, 2_700), (3_290, 2_800), (3_160, 2_800)])
    return (
        Lot(d, box(3_050, 2_550, 3_160, 2_800), "13", 0, "310 MILL ST", trait="corner lot"),
        Lot(d, flag, "13", 0, "316 MILL ST", trait="flag lot"),
        Lot(d, box(3_180, 2_550, 3_290, 2_700), "13", 0, "324 MILL ST", trait="before the flag lot"),
        Lot(d, SAMPLE_LOT, "14", 0, "408 MILL ST", trait="sample lot"),
        Lot(d, box(400, 2_100, 520, 2_500), "21", 0, "47 MILL ST", zoning="R", trait="through lot"),
        Lot(d, box(2_200, 3_000, 2_400, 3_250), "15", 0, "0 OFF HERON LN", "132", trait="landlocked lot"),
        Lot(d, ENCLAVE, "16", 0, "0 OFF HERON LN", "132", trait="enclave"),
        Lot(d, box(1_540, 2_800, 1_840, 3_300), "15", 0, "8 HERON LN", "102", trait="condominium", rows=12),
        Lot(m, QUARRY_LOT, "6", 0, "280 QUARRY RD", "130", "RC", trait="second sample lot"),
    )


def _ways() -> tuple[Lot, ...]:
    """Return ways drawn as polygons. Mill Street, Back Street and Quarry Road are gaps, as most ways are."""
    d, m = DOVERBROOK, LYNNMERE
    way = Lot(d, box(3_000, 0, 3_050, 2_050), "", 0, None, "", "", "ROW", rows=0)
    return (
        way,
        replace(way, shape=box(3_000, 2_100, 3_050, 2_500)),
        replace(way, shape=box(3_000, 2_550, 3_050, 5_000)),
        replace(way, town=m, shape=box(6_000, 1_800, 9_000, 1_850)),
        replace(way, town=m, shape=box(9_060, 1_800, 12_000, 1_850)),
        replace(way, town=m, shape=box(6_000, 600, 12_000, 660), poly_type="RAIL_ROW"),
        Lot(
            d,
            box(1_500, 2_550, 1_540, 3_300),
            "15",
            0,
            "0 HERON LN",
            "995",
            poly_type="PRIV_ROW",
            trait="private way",
        ),
        Lot(d, POND, "", 0, None, "", "", "WATER", rows=0),
    )


def _big_land() -> tuple[Lot, ...]:
    """Return farms and town land that fill the rest, with holes where other lots lie inside."""
    d, m = DOVERBROOK, LYNNMERE
    farm = box(0, 2_800, 1_500, 5_000).difference(ENCLAVE)
    woods = shapely.difference(box(1_500, 2_800, 3_000, 5_000), _union(_by_hand(), _ways()))
    return (
        Lot(d, farm, "16", 0, "0 OFF HERON LN", "713", "R-2", trait="farm around the enclave"),
        Lot(d, _largest(woods), "15", 0, "90 ORCHARD RD", "930", "R-2"),
        Lot(d, box(3_050, 2_800, 6_000, 5_000), "17", 0, "91 ORCHARD RD", "930", "R-2"),
        Lot(d, box(0, 0, 3_000, 1_850).difference(POND), "35", 0, "10 ORCHARD RD", "931", "R-2"),
        Lot(d, box(3_050, 0, 6_000, 1_850), "36", 0, "11 ORCHARD RD", "601", "R-2"),
        Lot(m, box(6_000, 2_750, 9_000, 5_000), "7", 0, "300 QUARRY RD", "930", "RD"),
        Lot(m, box(9_060, 3_100, 12_000, 5_000), "8", 0, "320 QUARRY RD", "601", "RD"),
        Lot(m, box(9_560, 2_550, 12_000, 3_100), "8", 0, "1000 MILL ST", "713", "RD"),
        Lot(m, box(9_060, 2_550, 9_560, 2_600), "6", 0, "0 QUARRY RD", "132", "RC", trait="sliver of a lot"),
        Lot(m, box(6_000, 660, 9_000, 1_800), "9", 0, "701 SHORE ST", "930", "RD"),
        Lot(m, box(9_060, 660, 12_000, 1_800), "9", 0, "1001 SHORE ST", "400", "LI"),
        Lot(m, box(6_000, 0, 12_000, 600), "9", 0, "901 SHORE ST", "931", "RD"),
    )


def _union(*groups: Sequence[Lot]) -> BaseGeometry:
    return shapely.union_all([lot.shape for group in groups for lot in group])


def _largest(shape: BaseGeometry) -> BaseGeometry:
    parts: list[BaseGeometry] = list(shapely.get_parts(shape))
    return max(parts, key=lambda part: part.area)


def _numbered(lots: Sequence[Lot]) -> tuple[Lot, ...]:
    seen: dict[tuple[int, str], int] = {}
    numbered = []
    for lot in lots:
        key = (lot.town.id, lot.map_no)
        seen[key] = seen.get(key, 0) + 1
        numbered.append(replace(lot, number=seen[key]))
    return tuple(numbered)
