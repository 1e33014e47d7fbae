"""The yards of towns' zoning: what our files hold, what staff entered, and what nobody knows."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from layers.catalog import load_specs
from layers.towns import load_towns
from layers.zoning import Zoning, load_zoning
from spatial.errors import ParameterRefused
from spatial.rules.town_entries import SetbackEntry, TownEntries, TownEntry

BOOK = load_zoning()


def entry(district: str, front: float | None = 35.0) -> TownEntries:
    said = SetbackEntry(district, front, 15.0, 15.0, None, "§ 185-17 as printed", date(2026, 5, 4))
    return TownEntries("dover", "0" * 64, setbacks=(said,))


@pytest.mark.parametrize(
    ("name", "front", "centre", "side", "rear"),
    [
        ("SRA", 30, 50, 15, 20),
        ("Single Residence B", 40, 60, 20, 20),
        ("srC", 40, 60, 25, 20),
        ("single residence d", 40, 60, 30, 20),
        ("LB", 40, 60, 15, 20),
        ("Commercial", 40, 60, 15, 20),
        ("LI", 100, 100, 100, 40),
        ("EH", 50, 70, 25, 30),
        ("Office Park", 50, 75, 50, 50),
    ],
)
def test_lynnfields_table(name, front, centre, side, rear):
    found = BOOK.depths("lynnfield", name)
    assert (found.front_ft, found.centerline_ft, found.side_ft, found.rear_ft) == (front, centre, side, rear)
    assert "§ 260-4.1.2" in (found.citation or "")


def test_dovers_districts_are_known_and_their_yards_are_not():
    assert [d.code for d in BOOK.towns["dover"].district] == ["R", "R-1", "R-2", "C", "O", "B", "M", "M-P", "R-M"]
    for district in BOOK.towns["dover"].district:
        found = BOOK.depths("dover", district.code)
        assert (found.front_ft, found.side_ft, found.rear_ft, found.centerline_ft) == (None, None, None, None)


def test_what_staff_entered_stands_before_our_file():
    found = BOOK.depths("dover", "r-1", entry("R-1"))
    assert (found.front_ft, found.side_ft) == (35.0, 15.0)
    assert found.citation == "§ 185-17 as printed (entered by the town's staff on 2026-05-04)"
    assert BOOK.depths("dover", "R-2", entry("R-1")).front_ft is None
    assert BOOK.depths("dover", "R", entry("Residence, half acre")).front_ft == 35.0


def test_a_town_without_a_file_has_what_its_staff_entered():
    assert BOOK.depths("bellingham", "S", entry("S")).front_ft == 35.0
    with pytest.raises(ParameterRefused, match="No zoning table is held for bellingham"):
        BOOK.depths("bellingham", "S")


def test_an_unknown_district_is_refused_with_those_known():
    with pytest.raises(ParameterRefused, match="no zoning district 'XX' here; it has EH, GB, LB") as refused:
        BOOK.depths("lynnfield", "XX")
    assert "SRA" in refused.value.suggestions


def test_every_file_names_a_town_and_layers_that_exist_and_cites_each_number():
    specs = load_specs()
    for slug, zoning in BOOK.towns.items():
        assert load_towns().find(slug).slug == slug
        assert all(d.citation for d in zoning.district)
        for rule in zoning.no_disturb:
            assert [specs.spec(layer).id for layer in rule.layers] == list(rule.layers)


def test_no_disturb_widths():
    assert [r.width_ft for r in BOOK.no_disturb("lynnfield")] == [100.0, 25.0]
    assert BOOK.no_disturb("dover") == BOOK.no_disturb("bellingham") == ()


def test_no_disturb_widths_that_staff_entered_stand_beside_ours():
    entry = TownEntry("no_disturb_other_ft", 50.0, "ft", "Regulations of 2026, § 4", date(2026, 3, 4))
    (of_bellingham,) = BOOK.no_disturb("bellingham", TownEntries("bellingham", "0" * 64, (entry,)))
    assert (of_bellingham.width_ft, of_bellingham.citation) == (50.0, "Regulations of 2026, § 4")
    assert of_bellingham.name == "50 ft from another resource area"
    widths = [r.width_ft for r in BOOK.no_disturb("lynnfield", TownEntries("lynnfield", "0" * 64, (entry,)))]
    assert widths == [100.0, 25.0, 50.0]


@pytest.mark.parametrize(
    "change",
    [{"front_ft": -1}, {"frontage": 100}, {"citation": ""}, {"side_ft": float("nan")}],
    ids=["negative", "unknown key", "no citation", "not a number"],
)
def test_a_file_that_is_wrong_is_refused(change):
    district = {"code": "A", "citation": "§ 1", **change}
    whole = {"town": "x", "title": "X", "citation": "§ 1", "corner_citation": "§ 2", "district": [district]}
    with pytest.raises(ValidationError):
        Zoning.model_validate(whole)
