"""The change log: what a newer edition added, lost, redrew and reworded, and how much of each class there is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
import shapely
from layer_files import ON, box_ft, write
from raster_files import drawn, write_raster

from layers.changes import Changes
from layers.ingest.request import AddRequest
from layers.library import Library

FIELD = box_ft(-100, -100, 2_000, 2_000)


def flood(folder: Path, zones: dict[str, tuple[str, shapely.Polygon]]) -> Path:
    """Write a floodplain layer: id to zone and shape."""
    ids, values = list(zones), list(zones.values())
    columns = {"FLD_AR_ID": ids, "FLD_ZONE": [v[0] for v in values], "SFHA_TF": ["T"] * len(ids)}
    path = folder / f"flood-{len(list(folder.glob('flood-*')))}.geojson"
    return write(path, [v[1] for v in values], columns)


def add(library: Library, layer_id: str, path: Path, day: int = 0, **how: object) -> str:
    on = ON + timedelta(days=day)
    return library.add(AddRequest(layer_id, path, on, part="here", **how)).edition  # type: ignore[arg-type]


def covering(folder: Path) -> str:
    return str(write(folder / "field.geojson", [FIELD], {"n": [1]}))


OLD = {
    "A": ("AE", box_ft(0, 0, 100, 100)),
    "B": ("AE", box_ft(200, 0, 300, 100)),
    "C": ("X", box_ft(400, 0, 500, 100)),
    "D": ("X", box_ft(600, 0, 700, 100)),
}


def changed(library: Library, tmp_path: Path, new: dict[str, tuple[str, shapely.Polygon]]) -> Changes:
    covers = covering(tmp_path)
    add(library, "floodplain", flood(tmp_path, OLD), covers=covers)
    add(library, "floodplain", flood(tmp_path, new), 1, covers=covers)
    (found,) = library.changes("floodplain")
    return found


def test_features_added_gone_redrawn_and_reworded(library: Library, tmp_path: Path) -> None:
    new = OLD | {
        "B": ("VE", OLD["B"][1]),
        "C": ("X", box_ft(400, 0, 550, 100)),
        "E": ("AE", box_ft(800, 0, 820, 100)),
    }
    del new["D"]
    found = changed(library, tmp_path, new)
    assert (found.added.ids, found.gone.ids, found.changed.ids) == (("E",), ("D",), ("B", "C"))
    assert (found.redrawn, found.reworded, found.same) == (1, 1, 1)
    assert found.unit == "sqft"
    told = {c.name: (c.before, c.after) for c in found.classes}
    assert told["AE"] == pytest.approx((20_000, 12_000), abs=0.01)
    assert told["VE"] == pytest.approx((0, 10_000), abs=0.01)
    assert told["X"] == pytest.approx((20_000, 15_000), abs=0.01)


def test_a_ring_that_begins_elsewhere_or_is_rounded_is_the_same_shape(library: Library, tmp_path: Path) -> None:
    ring = list(OLD["A"][1].exterior.coords)[:-1]
    turned = shapely.Polygon([(x + 0.0002, y) for x, y in ring[2:] + ring[:2]])
    found = changed(library, tmp_path, OLD | {"A": ("AE", turned)})
    assert (found.changed.count, found.same) == (0, 4)


def test_nothing_changed_is_said(library: Library, tmp_path: Path) -> None:
    covers = covering(tmp_path)
    first = add(library, "floodplain", flood(tmp_path, OLD), covers=covers)
    second = add(library, "floodplain", flood(tmp_path, OLD), 1, covers=covers)
    (found,) = library.changes("floodplain")
    assert (found.before, found.after) == (first, second)
    assert (found.added.count, found.gone.count, found.changed.count, found.same) == (0, 0, 0, 4)


def test_one_edition_has_no_change_and_no_layer_has_none(library: Library, tmp_path: Path) -> None:
    assert library.changes("floodplain") == ()
    add(library, "floodplain", flood(tmp_path, OLD), covers=covering(tmp_path))
    assert library.changes("floodplain") == ()


def test_three_editions_are_told_newest_first_however_they_are_named(library: Library, tmp_path: Path) -> None:
    covers = covering(tmp_path)
    for day, name in enumerate(("z-first", "m-second", "a-third")):
        shapes = dict(list(OLD.items())[: day + 2])
        add(library, "floodplain", flood(tmp_path, shapes), day, covers=covers, edition=name)
    told = [(c.before, c.after, c.added.ids) for c in library.changes("floodplain")]
    assert told == [("m-second", "a-third", ("D",)), ("z-first", "m-second", ("C",))]


def test_two_editions_of_one_day_stand_in_the_order_they_were_made(library: Library, tmp_path: Path) -> None:
    covers = covering(tmp_path)
    add(library, "floodplain", flood(tmp_path, OLD), covers=covers, edition="b")
    add(library, "floodplain", flood(tmp_path, {"A": OLD["A"]}), covers=covers, edition="a")
    (found,) = library.changes("floodplain")
    assert (found.before, found.after, found.gone.count) == ("b", "a", 3)


def test_a_comparison_is_kept_and_not_made_again(library: Library, tmp_path: Path) -> None:
    found = changed(library, tmp_path, {"A": OLD["A"]})
    part = tmp_path / "data" / "layers" / "floodplain" / "here"
    (kept,) = (part / ".changes").iterdir()
    kept.write_text(found.model_copy(update={"same": 77}).model_dump_json())
    assert library.changes("floodplain")[0].same == 77
    kept.write_text("{ half of it")
    assert library.changes("floodplain") == (found,)
    assert {m.edition for m in library.editions("floodplain")} == {found.before, found.after}


def test_lines_are_told_in_feet_and_points_are_counted(library: Library, tmp_path: Path) -> None:
    covers = covering(tmp_path)
    for day, east in enumerate((100, 300)):
        stream = shapely.LineString(
            [box_ft(0, 0, 1, 1).exterior.coords[3], box_ft(east, 0, east + 1, 1).exterior.coords[3]]
        )
        line = write(
            tmp_path / f"s{day}.geojson", [stream], {"NAME": ["BROOK"], "ARC_CODE": [1], "PERENNIAL": ["Y"]}
        )
        add(library, "streams", line, day, covers=covers)
        pools = [shapely.Point(shape.centroid) for _, shape in list(OLD.values())[: day + 2]]
        point = write(tmp_path / f"p{day}.geojson", pools, {"CVP_NUM": [str(n) for n in range(len(pools))]})
        add(library, "certified_vernal_pools", point, day, covers=covers)
    (stream_told,), (pools_told,) = library.changes("streams"), library.changes("certified_vernal_pools")
    assert stream_told.unit == "ft"
    (brook,) = stream_told.classes
    assert (brook.after - brook.before) == pytest.approx(200, abs=0.01)
    assert [(c.name, c.before, c.after) for c in pools_told.classes] == [("all", 2.0, 3.0)]


def test_cells_of_a_raster_are_counted(library: Library, tmp_path: Path) -> None:
    first = write_raster(tmp_path / "a.tif", drawn(["##..", "..  "]))
    second = write_raster(tmp_path / "b.tif", drawn(["#...", " .. "]))
    add(library, "impervious", first)
    add(library, "impervious", second, 1)
    (found,) = library.changes("impervious")
    assert (found.changed.count, found.added.count, found.gone.count, found.same) == (1, 1, 1, 4)
    assert {c.name: (c.before, c.after) for c in found.classes} == {"1": (4, 5), "2": (2, 1)}
    assert found.unit == "cells"


def test_rasters_of_another_grid_are_not_compared(library: Library, tmp_path: Path) -> None:
    add(library, "impervious", write_raster(tmp_path / "a.tif", drawn(["##..", "...."])))
    add(library, "impervious", write_raster(tmp_path / "b.tif", drawn(["##..", "...."]), cell_ft=5.0), 1)
    (found,) = library.changes("impervious")
    assert not found.comparable
    assert "lie elsewhere or are of another size" in found.why


def test_a_damaged_edition_is_no_change(library: Library, tmp_path: Path) -> None:
    found = changed(library, tmp_path, {"A": OLD["A"]})
    part = tmp_path / "data" / "layers" / "floodplain" / "here"
    for kept in (part / ".changes").iterdir():
        kept.unlink()
    (part / found.after / "features.parquet").write_bytes(b"PAR1")
    (told,) = library.changes("floodplain")
    assert not told.comparable
    assert "could not be read" in told.why


def test_many_features_are_counted_and_the_first_hundred_named(library: Library, tmp_path: Path) -> None:
    many = {f"N{n:03d}": ("X", box_ft(2 * n, 500, 2 * n + 1, 501)) for n in range(250)}
    found = changed(library, tmp_path, OLD | many)
    assert (found.added.count, len(found.added.ids)) == (250, 100)
    assert np.isclose(sum(c.after - c.before for c in found.classes), 250, atol=0.01)
