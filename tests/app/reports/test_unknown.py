"""What is not known, printed: short, each map still named, and nowhere to be read as an all-clear."""

from __future__ import annotations

import re

from told import determination, finding, layer, screening

from app.reports.table import screening_table
from app.schemas.screening import Screening

NO_EDITION = "was not checked: no edition is loaded. Nobody knows what lies here until it is."


def unloaded(title: str, layer_id: str) -> object:
    absent = layer(layer_id, edition=None, title=None, coverage="none")
    return finding("riverfront", "not_checked", title=title, layer=absent, why=f"{title} {NO_EDITION}")


def uncovered(title: str, of: str) -> object:
    here = "what is loaded does not cover this place, so nothing is known of it here"
    why = f"{title}: {here}. The nearest of {of} ends 3 miles away."
    return finding("wetlands", "no_data", title=title, layer=layer("wetlands", edition=None), why=why)


def test_maps_of_one_reason_stand_together_and_each_is_named_once() -> None:
    told = screening_table(
        screening(findings=[unloaded("Stream bank", "streams"), unloaded("Flood", "floodplain")])
    )
    assert told.count("No edition is loaded") == 1
    assert told.count("Nobody knows what lies here until it is.") == 1
    assert "Stream bank; Flood. Nobody knows" in told
    assert "Layers wanting: streams, floodplain" in told
    assert "2 maps could not be checked" in told


def test_what_differs_within_a_reason_stays_with_its_maps() -> None:
    maps = [uncovered("Wetland", "MassDEP"), uncovered("Buffer", "MassDEP"), uncovered("Habitat", "NHESP")]
    told = screening_table(screening(findings=maps), width=200)
    assert told.count("What is loaded does not cover this place") == 1
    assert "Wetland; Buffer. The nearest of MassDEP ends 3 miles away." in told
    assert "Habitat. The nearest of NHESP ends 3 miles away." in told
    assert "Layers wanting" not in told


def test_an_edition_that_does_not_cover_the_site_is_nothing_the_answer_rests_on() -> None:
    told = screening_table(screening(findings=[uncovered("Wetland", "MassDEP")]))
    assert "wetlands" not in told.split("WHAT THIS RESTS ON", 1)[1]


def test_parcels_and_towns_are_told_as_what_the_answer_rests_on() -> None:
    parcels = {"layer": "parcels", "part": "dover", "edition": "2026-02", "sha256": "0" * 64}
    told = screening_table(screening(editions=[parcels]))
    assert "parcels (dover): edition 2026-02" in told.split("WHAT THIS RESTS ON", 1)[1]


def test_the_fiscal_year_of_the_lots_is_told_with_them() -> None:
    parcels = {
        "layer": "parcels",
        "part": "dover",
        "edition": "2026-02",
        "sha256": "0" * 64,
        "published": "FY2016",
        "retrieved": "2026-11-30",
    }
    told = " ".join(screening_table(screening(editions=[parcels])).split())
    assert "parcels (dover): edition 2026-02, fiscal year 2016, added 2026-11-30" in told


def test_nothing_triggered_while_rules_wait_is_no_all_clear() -> None:
    told = screening_table(screening(determinations=[determination("a", "indeterminate")]))
    assert "0 rules are triggered so far; 1 rule cannot be answered yet." in told
    assert "unknown is not a no" in told
    assert "None so far; 1 rule is not decided yet, and may still be triggered." in told
    assert "unknown is not a no" not in screening_table(screening())


def test_a_negative_that_rests_on_a_delineation_names_it() -> None:
    clear = finding(
        "wetlands",
        "not_affected",
        title="Wet",
        nearest_ft=98.1,
        delineation="A. Walker, 2026-05-14",
        delineation_measured=True,
        layer=layer(part="delineation"),
    )
    assert "Wet: nearest 98.1 ft away (as delineated: A. Walker, 2026-05-14)" in screening_table(
        screening(findings=[clear])
    )


def test_a_map_no_law_speaks_of_says_so_and_a_nameless_feature_has_no_name() -> None:
    feature = {
        "id": "g11659af3bc",
        "label": "g11659af3bc",
        "attributes": {"category": "unknown"},
        "overlap_sqft": 10.0,
        "length_ft": 0.0,
        "nearest_ft": 0.0,
        "accuracy_ft": 41.7,
    }
    zone = finding("water_supply", "affected", title="Zone II", relation="within", features=[feature])
    told = screening_table(screening(findings=[zone]), width=200)
    assert "Law: none held here speaks of this map" in told
    assert "The map does not give: category." in told
    assert "g11659af3bc" not in told


def test_a_date_that_is_past_sends_the_reader_to_the_board_and_promises_nothing() -> None:
    deadline = {
        "what": "The board decides; silence lets the applicant proceed",
        "citation": "§ 159-9",
        "raw": "2025-04-21",
        "rolled": "2025-04-22",
        "board_act_by": "2025-04-18",
        "applicant_may_rely_from": "2025-04-23",
    }
    told = screening_table(screening(deadlines=[deadline]), width=300)
    assert (
        "if the board has not acted and nothing was extended, the applicant may rely on that from 2025-04-23"
        in told
    )
    assert "past on 2026-01-02: ask the board what it did" in told


def test_a_code_of_a_reading_is_told_in_words_where_it_is_named_and_only_there() -> None:
    policies = [
        {"id": "AMB-05", "question": "Which lot?", "reading": "Each by itself."},
        {"id": "AMB-07", "question": "How wide?", "reading": "150 feet.", "unverified": True},
    ]
    rule = determination("r", "indeterminate", why="The widest drives (AMB-07).", policies=["AMB-05", "AMB-07"])
    told = screening_table(screening(determinations=[rule], policies=policies), width=200)
    assert "AMB-07  How wide?" in told and "We read: 150 feet. (nobody has verified this reading yet)" in told
    assert "AMB-05" not in told


def test_rules_that_wait_for_the_same_stand_together_and_each_is_named() -> None:
    same = [
        determination(f"r{n}", "indeterminate", title=f"Cause {n}", why="Not followed.", needs=["discharges_to"])
        for n in range(3)
    ]
    other = determination("s", "indeterminate", title="Cause 9", why="Not followed.")
    told = screening_table(screening(determinations=[*same, other]))
    assert all(f"Cause {n} (§ 1): cannot be decided" in told for n in (0, 1, 2, 9))
    assert (told.count("Not followed."), told.count("--fact discharges_to=...")) == (2, 1)


def test_a_distance_to_mapped_ground_beyond_a_delineated_lot_is_the_maps() -> None:
    off = finding("wetlands", "not_affected", nearest_ft=98.1, delineation="A. Walker", delineation_measured=True)
    told = screening_table(screening(findings=[off]), width=200)
    assert "nearest 98.1 ft away (as mapped, off the lots delineated: A. Walker)" in told
    assert "(as delineated" not in told


WALKER = "A. Walker found wetland 10 ft from the work, 2026"
BY_WORD = "RESTS ON THE DELINEATION NAMED; NOT SEEN HERE"


def told_by_word() -> Screening:
    near = finding(
        "wetlands", "not_affected", title="Mapped wetland", within_ft=0.0, nearest_ft=33.0, delineation=WALKER
    )
    rule = determination(
        "ma-310cmr10.resource_area",
        "not_triggered",
        title="Work in a wetland",
        measured=33.0,
        threshold=0.0,
        unit="ft",
        why=f"Delineated: {WALKER}; what it found was not seen here, and any distance told is the map's.",
        delineation=WALKER,
    )
    return screening(findings=[near], determinations=[rule])


def test_a_delineation_that_is_words_is_never_clear_and_never_given_the_maps_distance() -> None:
    told = screening_table(told_by_word(), width=200)
    assert "CLEAR" not in told
    below = told.split(BY_WORD, 1)[1]
    assert "Mapped wetland: on the map nearest 33 ft away; what was delineated is not known here" in below
    assert "Work in a wetland (§ 1): not triggered by its word" in below
    assert "(as delineated" not in told


def test_an_answer_by_word_alone_is_no_all_clear() -> None:
    told = screening_table(told_by_word(), width=200)
    assert "0 rules are triggered so far; 1 rule and 1 map are answered by the word of a delineation" in told
    assert "unknown is not a no" in told
    assert "None so far." in told


def test_work_where_no_parcels_are_loaded_lies_on_lots_nobody_knows() -> None:
    why = "The parcels under the work are not known: no parcel edition is loaded."
    work = screening().disturbance.model_copy(update={"outside_parcels_sqft": 9000.0})
    told = screening_table(
        screening(disturbance=work, warnings=[{"code": "parcels_unknown", "message": why}]), width=200
    )
    assert "Outside any lot" not in told
    assert re.search(r"Lot not known +9,000 sq ft: no parcels are loaded there", told)
    assert "Layers wanting: parcels" in told


def test_what_is_outside_lots_and_what_is_on_lots_nobody_holds_are_told_apart() -> None:
    changes = {"outside_parcels_sqft": 1000.0, "lots_unknown_sqft": 400.0}
    told = screening_table(screening(disturbance=screening().disturbance.model_copy(update=changes)), width=200)
    assert re.search(r"Outside any lot +600 sq ft", told)
    assert re.search(r"Lot not known +400 sq ft", told)


def test_what_a_screening_does_not_look_at_is_named() -> None:
    told = screening_table(screening(not_looked_at=["federal permits", "septic systems (Title 5)"]), width=200)
    assert re.search(r"Not looked at here +federal permits; septic systems \(Title 5\)", told)
