from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
import shapely
import sqlalchemy as sa

from app.store.nearby import Nearby
from app.store.records import Records, moment
from app.store.screenings import Kept, Screenings
from app.store.tables import InputPart
from spatial.errors import NotFound
from spatial.units import m_from_ft

SQUARE = shapely.box(220_000, 880_000, 220_010, 880_010)


def kept(name: str = "a", *, area: shapely.Polygon = SQUARE, created: str = "2026-11-30T12:00:00Z") -> Kept:
    return Kept(
        id=name,
        created=created,
        body='{"id": "' + name + '"}',
        question="{}",
        input_sha256=f"sha-{name}",
        drawing="[]",
        area_wkb=shapely.to_wkb(area),
        area_sqft=1076.39,
        bounds=area.bounds,
        common_plan="yes" if name == "plan" else None,
        loc_ids=("F_1_2",),
        parts=(("site.shp", b"\x00\x01"), ("site.dbf", b"\x02")),
    )


def moved(east_ft: float) -> shapely.Polygon:
    return shapely.affinity.translate(SQUARE, m_from_ft(east_ft))


def test_a_screening_comes_back_word_for_word_with_its_input(records: Records) -> None:
    store = Screenings(records)
    assert store.keep(kept())
    assert store.body("a") == '{"id": "a"}'
    assert store.drawing("a") == "[]"
    assert store.parts("a") == (("site.shp", b"\x00\x01"), ("site.dbf", b"\x02"))


def test_the_first_answer_stays(records: Records) -> None:
    store = Screenings(records)
    assert store.keep(kept())
    assert not store.keep(replace(kept(), body="other"))
    assert store.body("a") == '{"id": "a"}'


def test_deleting_takes_the_input_along(records: Records) -> None:
    store = Screenings(records)
    store.keep(kept())
    store.delete("a")
    with records.begin() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(InputPart)) == 0
    with pytest.raises(NotFound, match="no screening 'a'"):
        store.delete("a")
    with pytest.raises(NotFound):
        store.body("a")
    with pytest.raises(NotFound):
        store.drawing("a")
    assert store.parts("a") == ()


def test_what_is_past_its_time_is_gone_before_and_after_the_sweep(records: Records) -> None:
    store = Screenings(records, retention_days=30)
    now = datetime.now(UTC)
    store.keep(kept("new", created=moment(now)))
    store.keep(kept("old", created="2020-01-01T00:00:00Z"))
    assert store.find("old") is None
    assert store.parts("old") != ()
    assert store.sweep(now) == 1
    assert store.parts("old") == ()
    assert store.find("new") is not None
    assert store.sweep(now) == 0


def test_an_answer_may_be_given_anew_after_its_time(records: Records) -> None:
    store = Screenings(records, retention_days=30)
    store.keep(kept("a", created="2020-01-01T00:00:00Z"))
    assert store.keep(kept("a", created=moment()))
    assert store.find("a") is not None


def test_without_a_retention_time_nothing_goes(records: Records) -> None:
    store = Screenings(records, retention_days=0)
    store.keep(kept("old", created="2000-01-01T00:00:00Z"))
    assert store.sweep() == 0
    assert store.find("old") is not None


def test_sites_are_found_by_place_nearest_first(records: Records) -> None:
    store, nearby = Screenings(records), Nearby(records)
    side_ft = 10 / m_from_ft(1)
    for name, gap in (("far", 101.0), ("plan", 100.0), ("touching", 0.0)):
        store.keep(kept(name, area=moved(side_ft + gap)))
    found = nearby.sites(SQUARE, within_ft=100.0005)
    assert [site.id for site in found] == ["touching", "plan"]
    assert [site.distance_ft for site in found] == pytest.approx([0.0, 100.0], abs=1e-6)
    assert (found[1].common_plan, found[1].loc_ids) == ("yes", ("F_1_2",))
    assert found[1].area_sqft == pytest.approx(1076.3867)
    assert nearby.sites(moved(5000), within_ft=10) == ()


def test_a_plan_drawn_anew_counts_only_the_ground_it_adds(records: Records) -> None:
    store, nearby = Screenings(records), Nearby(records)
    half_ft = 5 / m_from_ft(1)
    store.keep(kept("first", area=moved(half_ft)))
    store.keep(kept("second", area=moved(half_ft)))
    store.keep(kept("plan", area=moved(half_ft)))
    added = {site.id: site.area_sqft for site in nearby.sites(SQUARE, within_ft=10)}
    assert added == pytest.approx({"first": 1076.3867 / 2, "second": 0.0, "plan": 1076.3867 / 2}, abs=1e-3)


def test_a_site_near_in_its_box_but_not_in_its_shape_is_not_named(records: Records) -> None:
    Screenings(records).keep(kept("ring", area=SQUARE.buffer(500).difference(SQUARE.buffer(400))))
    assert Nearby(records).sites(SQUARE, within_ft=100) == ()


def test_the_same_plan_is_no_neighbour_of_itself(records: Records) -> None:
    Screenings(records).keep(kept("a"))
    nearby = Nearby(records)
    assert nearby.sites(SQUARE, within_ft=10, other_than="sha-a") == ()
    assert len(nearby.sites(SQUARE, within_ft=10, other_than="sha-b")) == 1


def test_the_index_is_rebuilt_at_start_and_catches_up_with_others(records: Records) -> None:
    store = Screenings(records)
    store.keep(kept("before"))
    nearby = Nearby(records)
    assert len(nearby) == 1
    store.keep(kept("after", area=moved(50)))
    assert {site.id for site in nearby.sites(SQUARE, within_ft=1000)} == {"before", "after"}
    store.delete("before")
    assert [site.id for site in nearby.sites(SQUARE, within_ft=1000)] == ["after"]
