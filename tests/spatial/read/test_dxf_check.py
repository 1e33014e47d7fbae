"""Drawings: what GDAL passes over without a word is told or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from spatial.errors import MetesError
from spatial.normalise import normalise
from spatial.read.dxf_check import check
from spatial.read.upload import read

CORNERS = [(217_500, 888_000), (217_600, 888_000), (217_600, 888_100), (217_500, 888_100)]
"""A square of 100 m."""


def polyline(corners: list[tuple[object, object]], *, said: int | None = None, bulge: float = 0.0) -> str:
    points = "".join(f"10\n{x}\n20\n{y}\n42\n{bulge}\n" for x, y in corners)
    return f"0\nLWPOLYLINE\n8\n0\n90\n{len(corners) if said is None else said}\n70\n1\n{points}"


def drawing(entities: str, blocks: str = "") -> str:
    held = f"0\nSECTION\n2\nBLOCKS\n{blocks}0\nENDSEC\n" if blocks else ""
    header = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n"
    return f"{header}{held}0\nSECTION\n2\nENTITIES\n{entities}0\nENDSEC\n0\nEOF\n"


def block(name: str, flags: int = 0) -> str:
    return f"0\nBLOCK\n8\n0\n2\n{name}\n70\n{flags}\n10\n0\n20\n0\n3\n{name}\n0\nENDBLK\n8\n0\n"


def insert(name: str) -> str:
    return f"0\nINSERT\n8\n0\n2\n{name}\n10\n217500\n20\n888000\n"


def codes(text: str) -> list[str]:
    return [note.code for note in check(text).notes]


@pytest.mark.parametrize(
    ("corners", "said", "code"),
    [
        ([("nan", 888_000), *CORNERS[1:]], None, "bad_coordinates"),
        ([(217_500, "1e999"), *CORNERS[1:]], None, "bad_coordinates"),
        ([("12abc", 888_000), *CORNERS[1:]], None, "bad_coordinates"),
        (CORNERS, 5, "corrupt_file"),
    ],
)
def test_corners_that_are_not_all_there_are_refused(
    tmp_path: Path, corners: list[tuple[object, object]], said: int | None, code: str
) -> None:
    path = tmp_path / "upload.dxf"
    path.write_text(drawing(polyline(CORNERS) + polyline(corners, said=said)))
    with pytest.raises(MetesError) as caught:
        read(path, crs="EPSG:26986")
    assert caught.value.code == code


def test_a_corner_without_its_second_coordinate_is_refused() -> None:
    with pytest.raises(MetesError) as caught:
        check(drawing(polyline(CORNERS).replace("20\n888000\n", "", 1)))
    assert caught.value.code == "corrupt_file"


def test_a_sound_drawing_is_read_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "upload.dxf"
    path.write_bytes(drawing(polyline(CORNERS)).replace("\n", "\r\n").encode())
    site = normalise(read(path, crs="EPSG:26986"))
    assert site.area.area == pytest.approx(10_000.0)
    assert {n.code for n in site.notes} == {"crs_declared_by_user", "drawing_unit"}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (drawing(insert("HOUSE"), block("House")), False),
        (drawing(insert("HOUSE")), True),
        (drawing(insert("HOUSE"), block("HOUSE", flags=4)), True),
        (drawing(polyline(CORNERS), block("HOUSE", flags=4)), False),
    ],
)
def test_blocks_that_are_placed_and_not_held_are_named(text: str, missing: bool) -> None:
    assert ("block_missing" in codes(text)) is missing
    assert not missing or "'house'" in check(text).notes[-1].message


@pytest.mark.parametrize(
    ("bulge", "curved"), [(0.0, False), (-0.0, False), (1.0, True), (-0.25, True), (1e-3, True)]
)
def test_a_bulge_is_told_on_the_layer_named_nought_too(bulge: float, curved: bool) -> None:
    assert codes(drawing(polyline(CORNERS, bulge=bulge))) == (["curve_linearised"] if curved else [])


@pytest.mark.parametrize("text", ["", "0", "\n\n\n", "999\nremark", "a\nb\nc"])
def test_what_is_no_drawing_says_nothing(text: str) -> None:
    assert codes(text) == []
