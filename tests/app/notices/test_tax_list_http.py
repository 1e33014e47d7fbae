"""A town's own tax list over HTTP: it takes the place of the published one, and says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

Listed = Callable[..., dict[str, Any]]
Parcel = Callable[[str], str]
HOUSE = "408 MILL ST"


def test_a_towns_own_tax_list_takes_the_place_of_the_published_one(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    first, second = body["abutters"][:2]
    export = (
        "Lot,Owner Name,Mail Addr,Mail City,Mail State,Mail Zip,Sale Date\r\n"
        f"{first['map_par_id']},BUYER NEW,7 ELM ST,DOVERBROOK,MA,2030,3/1/2026\r\n"
        f"{first['map_par_id']},SECOND OWNER,7 ELM ST,DOVERBROOK,MA,2030,\r\n"
    )
    sent = {"town": "doverbrook", "fiscal_year": "2027", "map": "map_par_id=Lot", "reason": "newer"}
    answer = web.post("/v1/tax-lists", files={"file": ("cama.csv", export)}, data=sent, headers=staff)
    assert answer.status_code == 201, answer.text
    assert answer.json()["mapping"]["map_par_id"] == "Lot"
    again = listed(parcel(HOUSE), rule="lynnfield-320")
    assert [(t["fiscal_year"], t["source"]) for t in again["tax_list"]] == [(2027, "the town's own tax list")]
    row = next(a for a in again["abutters"] if a["loc_id"] == first["loc_id"])
    assert [o["owner"] for o in row["owners"]] == ["BUYER NEW", "SECOND OWNER"]
    assert row["owners"][0]["zip"] == "02030"
    assert "sold_after_the_list" in row["flags"]
    assert "no_assessor_row" in next(a for a in again["abutters"] if a["loc_id"] == second["loc_id"])["flags"]
    changed = web.get(f"{body['url']}/changes", headers=staff).json()
    assert first["loc_id"] in {c["loc_id"] for c in changed["owners_changed"]}
    assert changed["unchanged"] is False
    kept = web.post(
        "/v1/tax-lists",
        files={"file": ("next.csv", export)},
        data={"town": "901", "fiscal_year": "2028"},
        headers=staff,
    )
    assert kept.json()["mapping"]["map_par_id"] == "Lot"


def test_units_named_in_another_way_than_their_master_row_are_not_lost(
    web: TestClient, staff: dict[str, str], assessor: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    """One row has the LOC_ID, one only the map-lot, one a LOC_ID of another edition, one a map-lot of its own."""
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    web.post(f"{body['url']}/review", json={}, headers=staff)
    lot = body["abutters"][0]
    number = lot["map_par_id"]
    rows = [
        f"{lot['loc_id']},,M,MASTER ASSN,1 A ST,DOVERBROOK,MA,02030",
        f",{number},U1,UNIT ONE,1 A ST,DOVERBROOK,MA,02030",
        f"F_1_1,{number},U2,UNIT TWO,1 A ST,DOVERBROOK,MA,02030",
        f",{number}-3,U3,UNIT THREE,1 A ST,DOVERBROOK,MA,02030",
        f"{parcel(HOUSE)},{number},H,HOUSE,9 A ST,DOVERBROOK,MA,02030",
    ]
    export = "\r\n".join(["loc_id,map_par_id,prop_id,owner,address,city,state,zip", *rows])
    sent = {"town": "doverbrook", "fiscal_year": "2027", "map": ["loc_id=loc_id", "map_par_id=map_par_id"]}
    answer = web.post("/v1/tax-lists", files={"file": ("cama.csv", export)}, data=sent, headers=staff)
    assert answer.status_code == 201, answer.text
    now = listed(parcel(HOUSE), rule="lynnfield-320")
    row = next(a for a in now["abutters"] if a["loc_id"] == lot["loc_id"])
    assert [o["owner"] for o in row["owners"]] == ["MASTER ASSN", "UNIT ONE", "UNIT TWO"]
    assert [o["owner"] for o in now["subject"][0]["owners"]] == ["HOUSE"]
    stray = next(w for w in now["warnings"] if w["code"] == "tax_rows_without_parcel_here")
    assert (stray["blocks"], "U3" in stray["message"], "UNIT THREE" in stray["message"]) == (True, True, False)
    seal = {"name": "A. Sessor", "title": "Assessor", "on": "2026-11-30"}
    stopped = web.post(f"{body['url']}/certify", json=seal, headers=assessor)
    assert stopped.status_code == 409
    assert "made_on_older_editions" in stopped.json()["detail"]


@pytest.mark.parametrize(
    ("content", "form", "code"),
    [
        ("a,b\r\n1,2\r\n", {"town": "doverbrook", "fiscal_year": "2027"}, "bad_parameter"),
        ("loc_id,owner,address\r\n", {"town": "doverbrook", "fiscal_year": "2027"}, "no_features"),
        ("loc_id,owner,address\r\n1,2,3", {"town": "atlantis", "fiscal_year": "2027"}, "town_unknown"),
        ("loc_id,owner,address\r\n1,2,3", {"town": "doverbrook", "fiscal_year": "26"}, "bad_parameter"),
        (
            "loc_id,owner,address\r\n1,2,3",
            {"town": "doverbrook", "fiscal_year": "2027", "map": "zip=PLZ"},
            "bad_parameter",
        ),
        (
            "loc_id,owner,address\r\n1,2,3",
            {"town": "doverbrook", "fiscal_year": "2027", "map": "zip"},
            "bad_parameter",
        ),
        ("", {"town": "doverbrook", "fiscal_year": "2027"}, "no_features"),
    ],
)
def test_a_tax_list_that_cannot_be_used_is_refused(
    web: TestClient, staff: dict[str, str], content: str, form: dict[str, str], code: str
) -> None:
    answer = web.post("/v1/tax-lists", files={"file": ("cama.csv", content)}, data=form, headers=staff)
    assert answer.json()["code"] == code, answer.text
    assert web.post("/v1/tax-lists", files={"file": ("cama.csv", content)}, data=form).status_code == 401
