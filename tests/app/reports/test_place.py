"""Whose ground, whose rules, which lot: told so that nobody files with the wrong town."""

from __future__ import annotations

from typing import Any

from told import determination, screening

from app.reports.place import as_if, lot, place
from app.reports.table import screening_table
from app.schemas.screening import ParcelTold, Screening

DOVER = {"id": 78, "name": "Dover"}
BELLINGHAM = {"id": 25, "name": "Bellingham"}
PLAN = determination("dover-159.plan", "triggered", approval="a plan", authority="Dover's board")


def asked_as(town: dict[str, Any] | None, *ground: dict[str, Any]) -> Screening:
    steps = [{"text": "File the plan.", "because": ["dover-159.plan"]}]
    return screening(town=town, lies_in=list(ground), determinations=[PLAN], next_steps=steps)


def parcel(**changes: Any) -> ParcelTold:
    told = {
        "loc_id": "F_1_2",
        "map_par_id": "9-1",
        "town_id": 25,
        "site_address": "1 ELM ST",
        "area_sqft": 20_000.0,
        "lot_size_sqft": None,
        "disturbed_sqft": 5_000.0,
        "disturbed_percent": 25.0,
        "poly_type": "FEE",
    }
    return ParcelTold.model_validate({**told, **changes})


def test_the_headline_names_the_ground_before_the_rules_read_onto_it() -> None:
    elsewhere = asked_as(DOVER, BELLINGHAM)
    assert place(elsewhere) == "Bellingham, by the rules of Dover as asked"
    assert "Screening of site.geojson: Bellingham, by the rules of Dover as asked" in screening_table(elsewhere)


def test_what_follows_from_rules_read_onto_other_ground_is_said_to_bind_nobody_there() -> None:
    told = screening_table(asked_as(DOVER, BELLINGHAM), width=200)
    assert told.count("As if the ground lay in Dover. It lies in Bellingham") == 2


def test_a_town_on_its_own_ground_or_on_nobodys_is_told_plainly() -> None:
    for told in (asked_as(DOVER, DOVER), asked_as(DOVER, BELLINGHAM, DOVER), asked_as(DOVER)):
        assert (place(told), as_if(told)) == ("Dover", "")
    assert place(asked_as(None)) == "no town named"


def test_a_way_is_no_lot_and_a_little_is_not_nothing() -> None:
    assert lot(parcel()) == (
        "Lot",
        "1 ELM ST, 9-1, F_1_2: 20,000 sq ft (0.46 acres), 5,000 sq ft of it disturbed (25 %)",
    )
    name, text = lot(parcel(poly_type="ROW", area_sqft=23_797_404.0, disturbed_sqft=50.8, disturbed_percent=0.0))
    assert name == "Way, no lot"
    assert text.endswith("50.8 sq ft of it disturbed (less than 0.01 %)")
