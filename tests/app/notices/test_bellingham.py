"""The real thing: Bellingham from both of its files, every list held against measuring every parcel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import pytest
import shapely

from app.notices.asking import question_of
from app.notices.ground import fabric_of, surroundings_of
from app.notices.making import Stamp, make
from app.notices.tax_book import TaxBook
from app.schemas.abutter_requests import ListRequest
from app.schemas.abutters import AbutterList
from app.service import Service
from app.settings import Settings
from app.store.tax_lists import TaxLists
from layers.ingest.request import AddRequest
from layers.library import Library
from layers.notice_rules import load_notice_rules
from spatial.abutters import abutters
from spatial.fabric import ParcelFabric
from spatial.fabric.land import land_of
from spatial.fabric.loc_ids import place_of
from spatial.units import FOOT_M

pytestmark = [pytest.mark.shared, pytest.mark.slow]
FILES = ("L3_SHP_M025_BELLINGHAM.zip", "M025_parcels_gdb.zip")
ON = date(2026, 11, 30)
Ask = Callable[..., AbutterList]


@pytest.fixture(scope="module", params=FILES)
def service(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Return a service on one town, loaded from one of its two files, and the outlines of all towns."""
    data = tmp_path_factory.mktemp("bellingham")
    library = Library(data)
    library.add(AddRequest("parcels", shared / "data" / "parcels" / request.param, on=ON))
    library.add(AddRequest("towns", shared / "data" / "ma_towns_watersheds" / "massgis_towns.zip", on=ON))
    with Service(Settings(data=data)) as made:
        yield made


@pytest.fixture(scope="module")
def fabric(service: Service) -> ParcelFabric:
    return fabric_of(service.library.snapshot())


@pytest.fixture(scope="module")
def ask(service: Service) -> Ask:
    """Return a function that makes a list without keeping it."""
    snapshot, kept = service.library.snapshot(), TaxLists(service.records)

    def made(*loc_ids: str, **more: object) -> AbutterList:
        question = question_of(service, snapshot, ListRequest(parcels=loc_ids, **more))
        return make(question, snapshot, kept, Stamp("x", "2026-11-30T12:00:00Z", ON)).told

    return made


def test_two_hundred_random_subjects_row_for_row(service: Service, fabric: ParcelFabric) -> None:
    snapshot = service.library.snapshot()
    around = surroundings_of(snapshot, TaxBook(snapshot, fabric, TaxLists(service.records)))
    rule = load_notice_rules().rule("distance")
    land = np.flatnonzero(fabric.poly_type == "FEE")
    seconds = []
    for row in np.random.default_rng(25).choice(land, 200, replace=False):
        start = perf_counter()
        found = abutters(land_of(fabric, [fabric.ids[row]]), rule, fabric, around)
        seconds.append(perf_counter() - start)
        distance_ft = shapely.distance(fabric.geometry[row], fabric.geometry) / FOOT_M
        near = {fabric.ids[i]: distance_ft[i] for i in np.flatnonzero(distance_ft <= 100.005) if i != row}
        told = {a.loc_id: a.distance_ft for a in found.abutters}
        left = {e.loc_id for e in found.excluded} - {fabric.ids[row]}
        assert set(told) | left == set(near)
        assert not set(told) & left
        assert all(abs(told[i] - near[i]) < 1e-6 for i in told)
    assert median(seconds) < 0.1


def test_a_condominium_of_two_hundred_and_fifty_units(ask: Ask) -> None:
    beside = ask("F_667198_2853392", rule="lynnfield-320")
    assert len(beside.subject[0].owners) == 250
    neighbour = next(a.loc_id for a in beside.abutters if a.relation == "direct")
    told = ask(neighbour, rule="lynnfield-320")
    row = next(a for a in told.abutters if a.loc_id == "F_667198_2853392")
    assert len(row.owners) == 250
    assert sum("F_667198_2853392" in n.parcels for n in told.notices) <= 250
    alone = ask(neighbour, rule="lynnfield-320", condominium="association")
    row = next(a for a in alone.abutters if a.loc_id == "F_667198_2853392")
    assert [o.owner for o in row.owners if o.writes_to] == ["KELLEN DENRO CONDO TRUST"]


def test_a_subject_on_a_private_way_lists_the_way_for_the_assessor(ask: Ask, fabric: ParcelFabric) -> None:
    way = next(i for i in np.flatnonzero(fabric.poly_type == "PRIV_ROW") if fabric.geometry[i].area > 500)
    beside = fabric.near(fabric.geometry[way], 1.0).rows
    lot = next(str(fabric.ids[i]) for i in beside if fabric.poly_type[i] == "FEE")
    told = ask(lot, rule="ma-131-40")
    row = next(a for a in told.abutters if a.loc_id == fabric.ids[way])
    assert row.owners == ()
    assert "owner_to_be_determined_by_the_assessor" in row.flags
    assert "owner_to_be_determined_by_the_assessor" in {w.code for w in told.warnings if w.blocks}


def test_a_subject_on_the_town_line_names_the_other_town(ask: Ask, fabric: ParcelFabric) -> None:
    edge = shapely.boundary(fabric.coverage)
    rows = [i for i in np.flatnonzero(fabric.poly_type == "FEE") if fabric.geometry[i].distance(edge) < 1.0]
    told = ask(str(fabric.ids[rows[0]]), rule="lynnfield-320")
    asked = [w.message for w in told.warnings if w.code == "ask_other_town"]
    assert asked
    assert not any("BELLINGHAM (town 25)" in message for message in asked)


def test_three_lots_are_measured_from_all_of_them(ask: Ask, fabric: ParcelFabric) -> None:
    first = next(i for i in np.flatnonzero(fabric.poly_type == "FEE") if fabric.geometry[i].area < 3000)
    beside = [
        r for r in fabric.near(fabric.geometry[first], 0.1).rows if fabric.poly_type[r] == "FEE" and r != first
    ]
    lots = [str(fabric.ids[r]) for r in (first, *beside[:2])]
    told = ask(*lots)
    singles = {a.loc_id: a.distance_ft for one in lots for a in ask(one).abutters}
    assert {a.loc_id for a in told.abutters} == set(singles) - set(lots)
    assert {e.loc_id for e in told.excluded if e.reason == "subject land"} == set(lots)


def test_a_multipart_subject_is_measured_from_every_part(ask: Ask, fabric: ParcelFabric) -> None:
    parts = shapely.get_num_geometries(fabric.geometry)
    row = next(i for i in np.flatnonzero(parts > 1) if fabric.poly_type[i] == "FEE")
    told = {a.loc_id for a in ask(str(fabric.ids[row])).abutters}
    for part in shapely.get_parts(fabric.geometry[row]):
        near = fabric.near(part, 100.0).rows
        wanted = {str(fabric.ids[i]) for i in near if i != row and fabric.poly_type[i] in ("FEE", "TAX")}
        assert wanted <= told


def test_the_owners_other_lots_are_offered(ask: Ask, fabric: ParcelFabric) -> None:
    rng = np.random.default_rng(5)
    for row in rng.choice(np.flatnonzero(fabric.poly_type == "FEE"), 400, replace=False):
        told = ask(str(fabric.ids[row]), rule="ma-131-40")
        offered = next((w.message for w in told.warnings if w.code == "same_owner_next_to_the_land"), None)
        if offered:
            same = [a for a in told.abutters if "same_owner" in a.flags and a.relation == "direct"]
            assert same
            assert all(a.loc_id in offered for a in same)
            return
    pytest.fail("no lot with a neighbour of the same owner among 400")


def test_a_tax_row_that_points_at_ground_without_its_parcel_stands_against_the_lists_around_it(
    ask: Ask, fabric: ParcelFabric
) -> None:
    """The list has an owner for F_656594_2833130 on Essex St; the map has no such parcel."""
    place = place_of("F_656594_2833130")
    assert place is not None
    around = [r for r in fabric.near(place.buffer(0.1), 300.0).rows if fabric.poly_type[r] == "FEE"]
    assert around
    for row in around:
        warning = next(w for w in ask(str(fabric.ids[row])).warnings if w.code == "tax_rows_without_parcel_here")
        assert warning.blocks
        assert "0094-0017-0001" in warning.message


def test_who_is_added_across_water_is_seen_over_water(ask: Ask, fabric: ParcelFabric) -> None:
    """Whoever the wetlands rule names beyond what the street rule does lies over a pond or river, no farther."""
    water = shapely.union_all(fabric.geometry[fabric.poly_type == "WATER"])
    shores = [r for r in fabric.near(water, 0.1).rows if fabric.poly_type[r] == "FEE"]
    added = 0
    for row in np.random.default_rng(3).choice(shores, 40, replace=False):
        by_street, by_water = (ask(str(fabric.ids[row]), rule=r) for r in ("lynnfield-320", "ma-131-40"))
        known = {a.loc_id for a in by_street.abutters}
        assert known <= {a.loc_id for a in by_water.abutters}
        for one in (a for a in by_water.abutters if a.loc_id not in known):
            added += 1
            sight = shapely.shortest_line(fabric.geometry[row], fabric.geometry[fabric.places[one.loc_id][0]])
            assert (one.relation, 100.0 < one.distance_ft <= 300.0) == ("directly_opposite", True)
            assert shapely.convex_hull(sight.buffer(60.0)).intersects(water)
    assert added
