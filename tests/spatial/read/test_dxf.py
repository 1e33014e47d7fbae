"""Drawings: units, outlines, layers, blocks."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import lots
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from read_files import BIG, codes, refused

from spatial.normalise import normalise
from spatial.read.dxf import unit_of
from spatial.read.upload import read

EXAMPLES = int(os.environ.get("METES_FUZZ_EXAMPLES", "100"))
CORNERS = shapely.get_coordinates(lots.LOT)[:-1]


def drawing(tmp_path: Path, *entities: str, **options: Any) -> Path:
    path = tmp_path / "upload.dxf"
    path.write_bytes(lots.dxf(*entities, **options))
    return path


def test_a_drawing_must_be_placed_by_who_sends_it(tmp_path: Path) -> None:
    path = drawing(tmp_path, lots.polyline(CORNERS))
    assert refused(path).code == "crs_missing"
    assert normalise(read(path, crs="EPSG:26986")).area.area == pytest.approx(lots.LOT.area)


def test_an_open_line_is_no_outline_but_one_that_ends_where_it_began_is(tmp_path: Path) -> None:
    assert refused(drawing(tmp_path, lots.polyline(CORNERS, closed=False)), crs="EPSG:26986").code == "no_polygon"


def test_a_bulge_is_an_arc_and_said(tmp_path: Path) -> None:
    """A half disc of radius 30.48 m outward on the south side: half of pi r^2."""
    west, south, east, north = lots.LOT.bounds
    corners = [(west, south), (east, south), (east, north), (west, north)]
    found = read(drawing(tmp_path, lots.polyline(corners, bulges={0: 1.0})), crs="EPSG:26986")
    radius = (east - west) / 2
    assert normalise(found).area.area == pytest.approx(lots.LOT.area + np.pi * radius**2 / 2, rel=2e-5)
    assert "curve_linearised" in codes(found)


def test_outlines_on_several_drawing_layers_are_never_mixed(tmp_path: Path) -> None:
    other = shapely.get_coordinates(BIG)[:-1]
    path = drawing(tmp_path, lots.polyline(CORNERS, "LOT"), lots.polyline(other, "LIMIT OF WORK"))
    error = refused(path, crs="EPSG:26986")
    assert (error.code, error.suggestions) == ("several_layers", ("LOT", "LIMIT OF WORK"))
    found = read(path, crs="EPSG:26986", layer="LIMIT OF WORK")
    assert normalise(found).area.area == pytest.approx(BIG.area)
    assert any(n.code == "layers_ignored" and "LOT (1)" in n.message for n in found.notes)


def test_the_paper_sheet_is_not_the_ground(tmp_path: Path) -> None:
    frame = lots.polyline([(0, 0), (0, 1), (1, 1), (1, 0)], "BORDER", paper=True)
    found = read(drawing(tmp_path, lots.polyline(CORNERS), frame), crs="EPSG:26986")
    assert normalise(found).area.area == pytest.approx(lots.LOT.area)
    assert "paper_space_ignored" in codes(found)


@pytest.mark.parametrize(("units", "contradicts"), [(6, False), (2, True), (0, False), (None, False), (21, True)])
def test_the_unit_of_a_drawing_is_told_and_the_place_decides(
    tmp_path: Path, units: int | None, contradicts: bool
) -> None:
    found = read(drawing(tmp_path, lots.polyline(CORNERS), units=units), crs="EPSG:26986")
    assert ("unit_contradicts" in codes(found)) is contradicts
    assert normalise(found).area.area == pytest.approx(lots.LOT.area)


def test_circles_ellipses_and_lines_drawn_round_are_outlines(tmp_path: Path) -> None:
    circle = "0\nCIRCLE\n8\nA\n10\n217500\n20\n888000\n40\n50\n"
    ellipse = "0\nELLIPSE\n8\nA\n10\n217500\n20\n888000\n11\n50\n21\n0\n40\n0.5\n41\n0\n42\n6.283185307179586\n"
    round_again = lots.polyline([*CORNERS.tolist(), CORNERS[0].tolist()], closed=False)
    for entity, area in ((circle, np.pi * 2500), (ellipse, np.pi * 1250), (round_again, lots.LOT.area)):
        site = normalise(read(drawing(tmp_path, entity), crs="EPSG:26986"))
        assert site.area.area == pytest.approx(area, rel=3e-5)


def test_separate_lines_are_not_joined_by_guess(tmp_path: Path) -> None:
    corners = [*CORNERS.tolist(), CORNERS[0].tolist()]
    lines = [f"0\nLINE\n8\nA\n10\n{a[0]}\n20\n{a[1]}\n11\n{b[0]}\n21\n{b[1]}\n" for a, b in pairwise(corners)]
    error = refused(drawing(tmp_path, *lines), crs="EPSG:26986")
    assert (error.code, "closed polyline" in error.detail) == ("no_polygon", True)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=80), st.integers(-(2**40), 2**40))
def test_any_header_has_a_unit_or_none(noise: bytes, number: int) -> None:
    for content in (noise, b"$INSUNITS\n70\n%d\n" % number + noise, b"AutoCAD Binary DXF$INSUNITS\0" + noise):
        unit = unit_of(content)
        assert unit is None or unit[1] > 0


def test_a_block_scaled_and_turned(tmp_path: Path) -> None:
    """A box of 1 x 2 in a block, inserted at ten times its size and turned 30 degrees: 200 square metres."""
    block = (
        "0\nBLOCK\n8\n0\n2\nHOUSE\n10\n0\n20\n0\n"
        + lots.polyline([(0, 0), (1, 0), (1, 2), (0, 2)], "0")
        + "0\nENDBLK\n"
    )
    insert = "0\nINSERT\n8\nPLAN\n2\nHOUSE\n10\n217500\n20\n888000\n41\n10\n42\n10\n50\n30\n"
    found = read(drawing(tmp_path, insert, blocks=block), crs="EPSG:26986")
    assert normalise(found).area.area == pytest.approx(200.0)


def test_a_hatch_is_ground(tmp_path: Path) -> None:
    edges = "".join(f"10\n{x!r}\n20\n{y!r}\n" for x, y in CORNERS.tolist())
    head = "0\nHATCH\n8\nWORK\n10\n0\n20\n0\n30\n0\n2\nSOLID\n70\n1\n71\n0\n91\n1\n92\n2\n72\n0\n73\n1\n93\n4\n"
    hatch = f"{head}{edges}97\n0\n75\n0\n76\n1\n98\n0\n"
    assert normalise(read(drawing(tmp_path, hatch), crs="EPSG:26986")).area.area == pytest.approx(lots.LOT.area)
