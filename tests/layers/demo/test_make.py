"""The demo folder: made by the main path, once, in a folder of its own, and answering what was drawn."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely import box

from layers.demo import make
from layers.demo.lots import SAMPLE_LOT
from layers.demo.make import FRESH_DAYS, MARK, Demo, make_demo
from layers.demo.plan import DOVERBROOK, LYNNMERE, placed
from layers.demo.samples import sample_sites
from layers.library import AddRequest, Library, Manifest
from spatial.errors import ParameterRefused
from spatial.model import Parcel
from spatial.units import FOOT_M, sqft_from_sqm

MADE_ON = date(2026, 11, 30)
LOADED = {
    "certified_vernal_pools": 2,
    "estimated_habitat": 2,
    "floodplain": 6,
    "huc10": 2,
    "huc12": 3,
    "impaired_waters": 2,
    "iwpa": 1,
    "outstanding_resource_waters": 1,
    "potential_vernal_pools": 2,
    "priority_habitat": 2,
    "roads": 6,
    "streams": 2,
    "towns": 2,
    "water_bodies": 3,
    "wetlands": 6,
    "zone2": 1,
    "zoning": 6,
}


def _only(library: Library, layer_id: str) -> Manifest:
    (manifest,) = library.current(layer_id)
    return manifest


def _at(library: Library, x_ft: float, y_ft: float) -> Parcel:
    """Return the parcel at a point of the plan."""
    bounds = placed(box(x_ft, y_ft, x_ft + 0.1, y_ft + 0.1)).bounds
    (found,) = library.snapshot().parcels.search(bbox=bounds)
    return found


def test_every_layer_came_in_whole_and_nothing_was_mended(library: Library) -> None:
    assert {layer: _only(library, layer).count_kept for layer in LOADED} == LOADED
    for layer in LOADED:
        manifest = _only(library, layer)
        assert manifest.count_in == manifest.count_kept
        assert (manifest.dropped, manifest.repaired) == ((), ())
        assert manifest.invented
        assert [column.name for column in manifest.columns if column.read_from is None] == []
        assert [column.unlisted for column in manifest.columns if column.unlisted] == []


def test_every_edition_stands_its_checks(library: Library) -> None:
    assert [check for check in library.verify() if not check.ok] == []


def test_parcels_of_both_towns_lie_side_by_side(library: Library) -> None:
    parts = {manifest.part: manifest for manifest in library.current("parcels")}
    assert set(parts) == {"doverbrook", "lynnmere"}
    dover = parts["doverbrook"]
    assert dover.merged == 1  # the stacked condominium
    assert dover.assess is not None
    assert (dover.assess.unmatched, dover.assess.parcels_without_row, dover.published) == (1, 4, "FY2026")
    assert dover.assess.lot_sizes_refused == 0


def test_sample_lot_is_found_as_it_was_drawn(library: Library) -> None:
    lot = _at(library, *np.add(SAMPLE_LOT.bounds[:2], 10.0))
    assert (lot.site_address, lot.town_id, lot.poly_type, lot.zoning) == ("408 MILL ST", 901, "FEE", "R-1")
    assert sqft_from_sqm(lot.geometry.area) == pytest.approx(40_000.0, abs=0.01)
    assert lot.lot_size_sqft == pytest.approx(40_000.0, rel=1e-4)


def test_condominium_has_twelve_owners_on_one_lot(library: Library) -> None:
    lot = _at(library, 1_700.0, 3_000.0)
    rows = library.snapshot().parcels.assess(lot.loc_id)
    assert len(rows) == 12
    assert len({row.prop_id for row in rows}) == 12


def test_private_way_has_an_owner_and_public_way_none(library: Library) -> None:
    parcels = library.snapshot().parcels
    private, public = _at(library, 1_520.0, 3_000.0), _at(library, 3_020.0, 3_000.0)
    assert (private.poly_type, len(parcels.assess(private.loc_id))) == ("PRIV_ROW", 1)
    assert (public.poly_type, len(parcels.assess(public.loc_id))) == ("ROW", 0)


def test_mill_street_is_a_gap_that_the_towns_still_answer_for(library: Library) -> None:
    street = placed(box(100.0, 2_510.0, 200.0, 2_540.0))
    snapshot = library.snapshot()
    assert snapshot.parcels.search(bbox=street.bounds) == ()
    assert any(frame.coverage.covers(street) for frame in snapshot.frame("parcels"))


def test_towns_carry_the_bylaws_and_say_they_are_invented(library: Library) -> None:
    towns = library.snapshot().towns
    dover, lynn = towns.find("doverbrook"), towns.find("902")
    assert (dover.name, dover.bylaws, dover.invented) == (DOVERBROOK.name, ("dover-159", "dover-181"), True)
    assert (lynn.name, lynn.bylaws, lynn.invented) == (LYNNMERE.name, ("lynnfield-320",), True)


def test_staffs_own_entries_are_read_and_say_they_are_invented(library: Library) -> None:
    towns = library.snapshot().law.towns
    yards = {s.district: (s.front_ft, s.side_ft, s.rear_ft) for s in towns["doverbrook"].setbacks}
    assert yards["R-1"] == (40, 20, 30)
    entries = [e for town in towns.values() for e in (*town.entries, *town.setbacks)]
    assert entries
    assert all("Invented" in entry.citation for entry in entries)
    rate = (
        library.snapshot().law.bylaw("dover-159").filled(towns["doverbrook"], 901).rule("dover-159.tree_mitigation")
    )
    assert rate.numbers["contribution_usd_per_in"].value == 250.0


@pytest.mark.parametrize(("x_ft", "y_ft", "north_ft"), [(4_070.0, 2_700.0, 60.0)])
def test_swamp_lies_sixty_feet_north_of_the_work(
    library: Library, x_ft: float, y_ft: float, north_ft: float
) -> None:
    (wetlands,) = library.snapshot().frame("wetlands")
    distance_m = shapely.distance(wetlands.geometry, placed(shapely.Point(x_ft, y_ft))).min()
    assert distance_m / FOOT_M == pytest.approx(north_ft, abs=0.001)
    assert wetlands.accuracy_ft[0] == pytest.approx(13.9, abs=0.05)


def test_second_call_makes_nothing(made: Demo) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.data.rglob("*") if path.is_file()}
    again = make_demo(made.data, on=MADE_ON)
    assert (made.made, again.made) == (True, False)
    assert {path: path.stat().st_mtime_ns for path in made.data.rglob("*") if path.is_file()} == before


def test_samples_are_there_in_three_formats(made: Demo) -> None:
    names = sorted(path.name for path in (made.data / "samples").iterdir())
    stems = [site.stem for site in sample_sites()]
    assert names == sorted(f"{stem}{end}" for stem in stems for end in (".geojson", ".zip", "-2249.zip"))
    assert all(made.sample(site).is_file() for site in made.sites)


@pytest.mark.parametrize("name", ["layers", "towns", "metes.db"])
def test_a_folder_with_other_data_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(ParameterRefused, match="not the demo's") as refused:
        make_demo(tmp_path, on=MADE_ON)
    assert refused.value.code == "conflict"
    assert str(tmp_path.parent) not in refused.value.detail
    assert [path.name for path in tmp_path.iterdir()] == [name]


class _NoLibrary:
    """Stands where the library does, to see what would be loaded."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def add(self, request: AddRequest) -> Manifest:
        raise InterruptedError(request.layer_id)


@pytest.mark.parametrize("days", [0, FRESH_DAYS - 1])
def test_a_fresh_demo_is_kept(made: Demo, days: int) -> None:
    assert not make_demo(made.data, on=MADE_ON + timedelta(days=days)).made


def test_an_unfinished_or_old_demo_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "Library", _NoLibrary)
    for _ in range(2):  # the first call is cut short, the second starts over instead of stumbling on what is there
        with pytest.raises(InterruptedError, match="towns"):
            make_demo(tmp_path, on=MADE_ON)
        assert "finished = false" in (tmp_path / MARK).read_text()
    (tmp_path / MARK).write_text(
        f"seed = {make.SEED}\ndrawing = {make.DRAWING}\nmade_on = 2025-01-01\nfinished = true\n"
    )
    with pytest.raises(InterruptedError, match="towns"):
        make_demo(tmp_path, on=MADE_ON)
