"""Lists over HTTP on the invented towns: made, told, exported, guarded, logged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from app_service import square
from openpyxl import load_workbook
from pypdf import PdfReader
from starlette.testclient import TestClient

Listed = Callable[..., dict[str, Any]]
Parcel = Callable[[str], str]
HOUSE = "408 MILL ST"
CONDOMINIUM = "8 HERON LN"


def owners(body: dict[str, Any]) -> list[str]:
    return [o["owner"] for a in body["abutters"] for o in a["owners"]]


def test_a_list_says_who_how_far_by_which_rule_and_from_which_editions(listed: Listed, parcel: Parcel) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-14", filed_on="2026-11-30")
    assert body["status"] == "draft"
    assert body["rule"]["citation"].startswith("Lynnfield")
    assert body["measured_from"] == "property_line"
    assert [s["site_address"] for s in body["subject"]] == [HOUSE]
    assert body["abutters"]
    for row in body["abutters"]:
        assert row["rules"]
        assert row["relation"] in {"direct", "across_way", "within", "directly_opposite"}
        assert row["distance_ft"] <= 100 or row["relation"] == "directly_opposite"
    assert [t["fiscal_year"] for t in body["tax_list"]] == [2026]
    assert body["tax_list"][0]["edition"].startswith("doverbrook/")
    assert body["counts"]["parcels"] == len(body["abutters"])
    assert {d["citation"] for d in body["deadlines"]}
    assert body["near_misses"] == [] or body["near_misses"][0]["distance_ft"] > 100


def test_every_unit_of_a_condominium_is_listed_and_the_association_alone_on_request(
    listed: Listed, parcel: Parcel
) -> None:
    condominium = parcel(CONDOMINIUM)
    subject = listed(condominium, within_ft=60)["abutters"][0]["loc_id"]
    units = listed(subject, within_ft=60)
    row = next(a for a in units["abutters"] if a["loc_id"] == condominium)
    assert len(row["owners"]) == 12
    assert "several_owners" in row["flags"]
    alone = listed(subject, within_ft=60, condominium="association")
    row = next(a for a in alone["abutters"] if a["loc_id"] == condominium)
    written = [o["owner"] for o in row["owners"] if o["writes_to"]]
    assert len(row["owners"]) == 12
    assert written == ["HERON COURT CONDOMINIUM TRUST"]
    assert alone["counts"]["notices"] < units["counts"]["notices"]
    letter = next(n for n in alone["notices"] if condominium in n["parcels"])
    assert letter["lines"][1] == "C/O MARLPIT MANAGEMENT"


def test_without_a_rule_the_list_says_that_no_law_stands_behind_it(listed: Listed, parcel: Parcel) -> None:
    body = listed(parcel(HOUSE))
    assert body["rule"]["id"] == "distance"
    assert {w["code"]: w["blocks"] for w in body["warnings"]}["no_legal_rule"] is True


def test_a_screening_is_listed_by_its_lots_and_not_from_its_work(
    web: TestClient, mill: bytes, listed: Listed, parcel: Parcel
) -> None:
    screening = web.post("/v1/screenings", content=mill).json()
    by_work = listed(screening=screening["id"], rule="ma-131-40")
    by_lot = listed(*(p["loc_id"] for p in screening["parcels"]), rule="ma-131-40")
    assert by_work["screening"] == screening["id"]
    assert [(a["loc_id"], a["distance_ft"]) for a in by_work["abutters"]] == [
        (a["loc_id"], a["distance_ft"]) for a in by_lot["abutters"]
    ]


def test_a_drawn_area_warns_of_the_parcel_it_lies_on(web: TestClient, listed: Listed, parcel: Parcel) -> None:
    ring = web.get(f"/v1/parcels/{parcel(HOUSE)}").json()["geometry"]["coordinates"][0]
    lon, lat = (sum(axis) / len(ring) for axis in zip(*ring, strict=True))
    body = listed(geometry=square(lon, lat, 0.00005)["geometry"], within_ft=100)
    assert body["drawn"] is True
    assert body["subject"] == []
    warning = next(w for w in body["warnings"] if w["code"] == "work_outside_subject")
    assert parcel(HOUSE) in warning["message"]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({}, 422, "bad_parameter"),
        ({"parcels": ["F_1_2"]}, 422, "parcel_unknown"),
        ({"parcels": ["HOUSE"], "rule": "lynfield"}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "rule": "dover-159"}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "rule": "lynnfield-320", "within_ft": 50}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "within_ft": 0}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "hearing_on": "2026-02-30"}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "dates": {"hearing_shut_on": "2026-02-03"}}, 422, "bad_parameter"),
        ({"parcels": ["HOUSE"], "owner": "x"}, 422, "bad_parameter"),
        ({"screening": "nosuch"}, 404, "not_found"),
        ({"screening": "x", "geometry": {"type": "Point", "coordinates": [0, 0]}}, 422, "bad_parameter"),
        ({"geometry": {"type": "Point", "coordinates": [-71.1, 42.3]}}, 422, "no_polygon"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    web: TestClient, staff: dict[str, str], parcel: Parcel, asked: dict[str, Any], status: int, code: str
) -> None:
    sent = json.loads(json.dumps(asked).replace("HOUSE", parcel(HOUSE)))
    answer = web.post("/v1/abutter-lists", json=sent, headers=staff)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_dover_159_with_a_distance_lists_and_says_that_no_notice_is_required(
    listed: Listed, parcel: Parcel, web: TestClient, staff: dict[str, str]
) -> None:
    body = listed(parcel(HOUSE), rule="dover-159", within_ft=100, filed_on="2026-11-30")
    assert "no_notice_required" in {w["code"] for w in body["warnings"]}
    dates = web.get(f"{body['url']}/deadlines", headers=staff).json()
    assert "requires no notice" in dates["how"]
    assert [w["code"] for w in dates["warnings"]] == ["no_notice_required"]


def test_every_export_opens_with_its_own_reader(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-14", hearing={"place": "TOWN HALL"})

    def got(path: str) -> bytes:
        answer = web.get(body["url"] + path, headers=staff)
        assert answer.status_code == 200, (path, answer.text)
        assert body["id"] in answer.headers["content-disposition"]
        return answer.content

    rows = list(csv.DictReader(io.StringIO(got(".csv").decode("utf-8-sig")), strict=True))
    assert [r["owner"] for r in rows if r["owner"]] == owners(body)
    merged = list(csv.DictReader(io.StringIO(got("/notices.csv").decode("utf-8-sig")), strict=True))
    assert {r["hearing_place"] for r in merged} == {"TOWN HALL"}
    assert len(merged) == body["counts"]["notices"]
    direct = list(csv.DictReader(io.StringIO(got("/direct.csv").decode("utf-8-sig")), strict=True))
    assert [r["loc_id"] for r in direct] == [a["loc_id"] for a in body["abutters"] if a["relation"] == "direct"]
    book = load_workbook(io.BytesIO(got(".xlsx")))
    assert book.sheetnames == ["Parcels", "Notices"]
    features = json.loads(got(".geojson"))["features"]
    assert {f["properties"]["role"] for f in features} >= {"ring", "subject", "abutter"}
    assert not any(owner in json.dumps(features) for owner in owners(body) if owner)
    for path in (".pdf", "/labels.pdf?sheet=5161", "/mailing.pdf?form=3877", "/affidavit.pdf"):
        assert len(PdfReader(io.BytesIO(got(path))).pages) >= 1


@pytest.mark.parametrize("path", ["/labels.pdf?sheet=5159", "/labels.pdf?start=31", "/mailing.pdf?form=3817"])
def test_a_sheet_we_do_not_know_is_refused(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel, path: str
) -> None:
    answer = web.get(listed(parcel(HOUSE))["url"] + path, headers=staff)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_parameter")


EXPORTS = (
    "", ".csv", ".xlsx", ".geojson", ".pdf", "/labels.pdf", "/mailing.pdf", "/affidavit.pdf", "/notices.csv",
    "/direct.csv", "/deadlines", "/changes",
)  # fmt: skip


def test_no_key_a_wrong_key_a_revoked_key_a_wrong_role_and_a_guessed_id(
    web: TestClient,
    key: Callable[[str], dict[str, str]],
    listed: Listed,
    parcel: Parcel,
    caplog: pytest.LogCaptureFixture,
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    keys = web.app.state.service.keys  # type: ignore[attr-defined]
    revoked, secret = keys.create("staff", "gone")
    keys.revoke(revoked.id)
    callers: list[tuple[dict[str, str], int]] = [
        ({}, 401),
        ({"X-API-Key": "metes_0000_wrong"}, 401),
        ({"X-API-Key": secret}, 401),
        (key("portal"), 403),
        (key("admin"), 403),
    ]
    for path in EXPORTS:
        for headers, status in callers:
            answer = web.get(body["url"] + path, headers=headers)
            assert answer.status_code == status, (path, headers)
            assert not any(owner in answer.text for owner in owners(body))
        guessed = web.get(f"/v1/abutter-lists/{'0' * 24}{path}", headers=key("staff"))
        assert guessed.status_code == 404, path
    for act in ("review", "certify", "supersede", "mailings"):
        answer = web.post(f"{body['url']}/{act}", json={}, headers=key("portal"))
        assert answer.status_code == 403, act


def test_names_are_in_no_log_no_metric_no_error_and_no_public_answer(
    web: TestClient,
    key: Callable[[str], dict[str, str]],
    listed: Listed,
    parcel: Parcel,
    staff: dict[str, str],
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    body = listed(parcel(HOUSE), rule="ma-40a-11", reason="a hearing")
    for path in EXPORTS:
        web.get(body["url"] + path, headers=staff)
    refused = web.post(
        f"{body['url']}/review", json={"drop": [{"loc_id": "F_9_9", "reason": "none"}]}, headers=staff
    )
    assert refused.status_code == 422
    public = web.get(f"/v1/parcels/{parcel(HOUSE)}/neighbors").text + web.get("/v1/parcels?q=MILL").text
    metrics = web.get("/metrics", headers=key("admin")).text
    out, err = capfdbinary.readouterr()
    written = out.decode() + err.decode()
    assert "/v1/abutter-lists/{list_id}" in written
    assert body["id"] not in written
    for owner in owners(body):
        assert owner not in written + public + metrics + refused.text


def test_every_list_and_export_is_logged_with_who_which_parcels_why_and_when(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), reason="hearing 12")
    web.get(f"{body['url']}.csv?reason=mailing", headers=staff)
    entries = web.app.state.service.audit.recent(2)  # type: ignore[attr-defined]
    assert [(e.action, e.reason) for e in entries] == [
        ("abutters.export.csv", "mailing"),
        ("abutters.list", "hearing 12"),
    ]
    for entry in entries:
        assert entry.key_id == staff["Authorization"].split("_")[1]
        assert set(entry.subject) == {body["id"], parcel(HOUSE), *(a["loc_id"] for a in body["abutters"])}
        assert entry.at.endswith("Z")


def test_a_list_on_the_town_line_has_owners_of_both_towns_and_both_tax_lists(
    web: TestClient, listed: Listed
) -> None:
    near_line = _near_the_line(web)
    body = listed(near_line, rule="lynnfield-320")
    assert {a["town_id"] for a in body["abutters"]} == {901, 902}
    assert {(t["town_id"], t["fiscal_year"]) for t in body["tax_list"]} == {(901, 2026), (902, 2026)}
    assert "ask_other_town" not in {w["code"] for w in body["warnings"]}


def _near_the_line(web: TestClient) -> str:
    """Return a lot of the first town that has a lot of the second within 60 ft and lots of its own too."""
    here, there = web.app.state.service.library.snapshot().frame("parcels")  # type: ignore[attr-defined]
    for loc_id, kind, lot in zip(here.ids, here.attributes["poly_type"], here.geometry, strict=True):
        across = there.geometry[there.attributes["poly_type"] == "FEE"]
        if kind == "FEE" and min(lot.distance(other) for other in across) < 15.0:
            return str(loc_id)
    pytest.fail("no invented lot lies on the line of the two towns")
