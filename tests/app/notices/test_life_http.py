"""The life of a list over HTTP: draft to certified and beyond; its mailings; what changed since."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from pypdf import PdfReader
from starlette.testclient import TestClient

from app.notices.doubts import BLOCKING
from app.notices.life import status_on
from app.schemas.abutters import AbutterList
from app.screening import today

Listed = Callable[..., dict[str, Any]]
Parcel = Callable[[str], str]
ItIs = Callable[[str], None]
HOUSE = "408 MILL ST"
SEAL = {"name": "A. Sessor", "title": "Principal Assessor", "on": "2026-11-01"}


@pytest.fixture
def act(web: TestClient) -> Callable[..., Any]:
    """Return a function that takes a step of a list's life and gives the answer."""

    def done(body: dict[str, Any], step: str, headers: dict[str, str], **sent: object) -> Any:
        return web.post(f"{body['url']}/{step}", json=sent, headers=headers)

    return done


def pages(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def answered(body: dict[str, Any]) -> dict[str, str]:
    return {"despite": "asked and settled"} if any(w["blocks"] for w in body["warnings"]) else {}


def test_from_draft_to_certified_and_on_to_superseded(
    web: TestClient,
    act: Callable[..., Any],
    staff: dict[str, str],
    assessor: dict[str, str],
    listed: Listed,
    parcel: Parcel,
    it_is: ItIs,
) -> None:
    it_is("2026-11-30")
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    assert "DRAFT, not certified" in pages(web.get(f"{body['url']}.pdf", headers=staff).content)
    early = act(body, "certify", assessor, **SEAL)
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    reviewed = act(body, "review", staff).json()
    assert reviewed["status"] == "reviewed"
    assert (reviewed["abutters"], reviewed["notices"]) == (body["abutters"], body["notices"])
    assert act(body, "certify", staff, **SEAL).status_code == 403
    certified = act(body, "certify", assessor, **SEAL, **answered(reviewed)).json()
    assert certified["certified"]["wording"] == "We certify that this list is invented and names nobody."
    assert certified["certified"]["expires_on"] == "2026-12-01"
    text = pages(web.get(f"{body['url']}.pdf", headers=staff).content)
    assert "invented and names nobody" in text
    assert "Principal Assessor" in text
    frozen = act(body, "review", staff)
    assert (frozen.status_code, frozen.json()["code"]) == (409, "conflict")
    other = listed(parcel(HOUSE), rule="ma-131-40")
    early = act(body, "supersede", staff, successor=other["id"])
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    assert f"List {other['id']} cannot take the place" in early.json()["detail"]
    assert "it is draft, not certified" in early.json()["detail"]
    act(other, "review", staff)
    assert act(other, "certify", assessor, **SEAL, despite="asked and settled").status_code == 200
    ended = act(body, "supersede", staff, reason="land added", successor=other["id"]).json()
    assert (ended["status"], ended["superseded"]["successor"]) == ("superseded", other["id"])
    assert "SUPERSEDED" in pages(web.get(f"{body['url']}.pdf", headers=staff).content)
    assert act(body, "supersede", staff).status_code == 409
    assert act(other, "supersede", staff, successor="none").status_code == 404


def test_a_certified_list_expires_when_the_town_says(
    act: Callable[..., Any], staff: dict[str, str], assessor: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    reviewed = act(body, "review", staff).json()
    seal = {**SEAL, "on": (today() - timedelta(days=31)).isoformat()}
    certified = act(body, "certify", assessor, **seal, **answered(reviewed)).json()
    assert certified["status"] == "expired"
    told = AbutterList.model_validate({**certified, "status": "certified"})
    last = date.fromisoformat(certified["certified"]["expires_on"])
    assert (status_on(told, last), status_on(told, last + timedelta(days=1))) == ("certified", "expired")
    tomorrow = {**SEAL, "on": (today() + timedelta(days=1)).isoformat()}
    again = listed(parcel(HOUSE), rule="lynnfield-320")
    act(again, "review", staff)
    assert act(again, "certify", assessor, **tomorrow, despite="x").status_code == 422


def test_warnings_that_stand_against_a_list_must_be_answered(
    act: Callable[..., Any], staff: dict[str, str], assessor: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE))
    act(body, "review", staff)
    refused = act(body, "certify", assessor, **SEAL)
    assert refused.status_code == 409
    assert "no_legal_rule" in refused.json()["detail"]
    certified = act(body, "certify", assessor, **SEAL, despite="for information only")
    assert certified.json()["certified"]["despite"] == "for information only"


def test_only_owners_opposite_beyond_the_distance_are_dropped_and_the_reason_is_kept(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed
) -> None:
    body = _with_an_opposite(web, listed)
    far = next(a["loc_id"] for a in body["abutters"] if a["relation"] == "directly_opposite")
    near = next(a["loc_id"] for a in body["abutters"] if a["relation"] == "direct")
    refused = act(body, "review", staff, drop=[{"loc_id": near, "reason": "a friend"}])
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_parameter")
    after = act(body, "review", staff, drop=[{"loc_id": far, "reason": "the board reads it so"}]).json()
    assert far not in {a["loc_id"] for a in after["abutters"]}
    assert {"loc_id": far, "reason": "dropped in review: the board reads it so"} in after["excluded"]
    assert after["reviewed"]["dropped"][0]["loc_id"] == far
    assert after["counts"]["parcels"] == body["counts"]["parcels"] - 1


def test_a_dropped_row_is_restored_as_the_rule_named_it(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed
) -> None:
    body = _with_an_opposite(web, listed)
    far = next(a for a in body["abutters"] if a["relation"] == "directly_opposite")
    back = [{"loc_id": far["loc_id"], "reason": "counsel reads it otherwise"}]
    early = act(body, "review", staff, restore=back)
    assert (early.status_code, early.json()["code"]) == (422, "parcel_unknown")
    act(body, "review", staff, drop=[{"loc_id": far["loc_id"], "reason": "the board reads it so"}])
    after = act(body, "review", staff, restore=back).json()
    row = next(a for a in after["abutters"] if a["loc_id"] == far["loc_id"])
    assert row == far | {"rules": [*far["rules"], "restored in review: counsel reads it otherwise"]}
    assert sorted(n["prop_ids"] for n in after["notices"]) == sorted(n["prop_ids"] for n in body["notices"])
    assert far["loc_id"] not in {e["loc_id"] for e in after["excluded"]}
    assert [d["loc_id"] for d in after["reviewed"]["dropped"]] == [far["loc_id"]]
    assert after["reviewed"]["restored"] == back
    again = act(body, "review", staff, drop=[{"loc_id": far["loc_id"], "reason": "the board again"}])
    assert again.status_code == 200


def test_a_parcel_is_added_and_an_owner_entered_by_hand(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    wide = listed(parcel(HOUSE), within_ft=600)
    known = {a["loc_id"] for a in body["abutters"]}
    other = next(a["loc_id"] for a in wide["abutters"] if a["loc_id"] not in known)
    owner = {
        "loc_id": other,
        "owner": "NEW OWNER LLC",
        "address": "1 NEW ST",
        "city": "X",
        "state": "MA",
        "zip": "2030",
    }
    after = act(
        body,
        "review",
        staff,
        add=[{"loc_id": other, "reason": "asked for by the board"}],
        owners=[{**owner, "reason": "deed of 2026-10-01"}],
    ).json()
    row = next(a for a in after["abutters"] if a["loc_id"] == other)
    assert row["rules"] == ["added by hand: asked for by the board"]
    assert row["owners"][-1]["entered_by_hand"] == "deed of 2026-10-01"
    assert ["NEW OWNER LLC", "1 NEW ST", "X MA 02030"] in [n["lines"] for n in after["notices"]]
    assert after["reviewed"]["owners_entered"] == [other]
    for loc_id in (other, "F_9_9"):
        again = act(body, "review", staff, add=[{"loc_id": loc_id, "reason": "twice"}])
        assert (again.status_code, again.json()["code"]) == (422, "parcel_unknown")


def test_a_parcel_added_by_hand_is_not_gone_and_its_reason_stands_in_every_paper(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-20")
    known = {a["loc_id"] for a in body["abutters"]}
    other = next(a for a in listed(parcel(HOUSE), within_ft=600)["abutters"] if a["loc_id"] not in known)
    act(body, "review", staff, add=[{"loc_id": other["loc_id"], "reason": "the map errs"}])
    changed = web.get(f"{body['url']}/changes", headers=staff).json()
    assert (changed["gone"], changed["unchanged"]) == ([], True)
    for paper in (".pdf", "/affidavit.pdf"):
        text = " ".join(pages(web.get(f"{body['url']}{paper}", headers=staff).content).split())
        assert "added by hand: the map errs" in text, paper
    for paper in (".csv", "/notices.csv"):
        line = next(
            t for t in web.get(f"{body['url']}{paper}", headers=staff).text.splitlines() if other["loc_id"] in t
        )
        assert "added by hand: the map errs" in line, paper


def test_a_hearing_on_a_sunday_is_said_and_the_last_days_are_told_apart(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-20")
    told = web.get(f"{body['url']}/deadlines", headers=staff).json()
    assert (told["mail_by"], told["mail_by_law"]) == ("2026-12-12", "2026-12-13")
    assert [w["code"] for w in told["warnings"]] == ["hearing_on_closed_day"]
    mail = next(d for d in told["deadlines"] if "Mail" in d["what"])
    assert (mail["raw"], mail["rolled"], mail["practical"]) == ("2026-12-13", "2026-12-13", "2026-12-12")
    assert mail["closed"] == "2026-12-13 is a Sunday."


def test_the_warnings_that_stand_against_certifying_are_named_in_the_description(web: TestClient) -> None:
    paths = web.get("/openapi.json").json()["paths"]
    said = paths["/v1/abutter-lists/{list_id}/certify"]["post"]["description"]
    assert all(code in said for code in BLOCKING)


def test_letters_of_a_day_to_come_are_refused_whole(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    sent = [{"notice": 0, "mailed_on": str(today())}, {"notice": 1, "mailed_on": str(today() + timedelta(days=1))}]
    refused = act(body, "mailings", staff, mailings=sent)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_parameter")
    assert refused.json()["detail"].startswith("Letter no. 2 cannot be mailed on")
    kept = web.get(body["url"], headers=staff).json()
    assert all(n["mailed_on"] is None for n in kept["notices"])
    beyond = act(body, "mailings", staff, mailings=[{"notice": 999}]).json()["detail"]
    assert beyond.startswith(f"The list has letters 1 to {len(body['notices'])}; there is no letter 1000")


def test_mailings_are_kept_and_sworn_to(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel, it_is: ItIs
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-14")
    it_is("2026-12-21")
    report = {"notice": 0, "article_number": "9407 1000 0000 0000 0000 01", "mailed_on": "2026-12-04"}
    act(body, "mailings", staff, mailings=[{**report, "mailed_on": "2026-12-03"}])
    after = act(body, "mailings", staff, mailings=[{**report, "returned_on": "2026-12-20"}]).json()
    assert after["notices"][0]["article_number"] == report["article_number"]
    assert after["notices"][0]["returned_on"] == "2026-12-20"
    assert after["notices"][1]["mailed_on"] is None
    text = pages(web.get(f"{body['url']}/affidavit.pdf", headers=staff).content)
    assert report["article_number"] in text
    assert "2026-12-04" in text
    assert "2026-12-03" not in text
    assert f"{len(body['notices']) - 1} letters are not reported as mailed" in text
    assert act(body, "mailings", staff, mailings=[{"notice": 999}]).status_code == 422
    assert act(body, "review", staff).status_code == 422


def test_a_report_of_one_thing_forgets_no_other_and_null_takes_it_back(
    act: Callable[..., Any], staff: dict[str, str], listed: Listed, parcel: Parcel, it_is: ItIs
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-14")
    it_is("2026-12-21")

    def reported(**sent: object) -> tuple[Any, ...]:
        answer = act(body, "mailings", staff, mailings=[{"notice": 0, **sent}])
        assert answer.status_code == 200, answer.text
        return tuple(answer.json()["notices"][0][name] for name in ("article_number", "mailed_on", "returned_on"))

    assert reported(article_number="9407", mailed_on="2026-12-04") == ("9407", "2026-12-04", None)
    assert reported(returned_on="2026-12-20") == ("9407", "2026-12-04", "2026-12-20")
    assert reported(returned_on=None) == ("9407", "2026-12-04", None)
    early = act(body, "mailings", staff, mailings=[{"notice": 0, "returned_on": "2026-12-01"}])
    assert (early.status_code, early.json()["code"]) == (422, "bad_parameter")
    never = act(body, "mailings", staff, mailings=[{"notice": 1, "returned_on": "2026-12-20"}])
    assert never.status_code == 422


def test_a_letter_mailed_too_late_is_said_and_sworn_to(
    act: Callable[..., Any], web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel, it_is: ItIs
) -> None:
    """Seven days before 14 December is the 7th."""
    body = listed(parcel(HOUSE), rule="lynnfield-320", hearing_on="2026-12-14")
    it_is("2026-12-21")
    assert body["mail_by"] == "2026-12-07"
    days = [{"notice": n, "mailed_on": "2026-12-07"} for n in range(len(body["notices"]))]
    timely = act(body, "mailings", staff, mailings=days).json()
    assert "mailed_late" not in {w["code"] for w in timely["warnings"]}
    late = act(body, "mailings", staff, mailings=[{"notice": 1, "mailed_on": "2026-12-08"}]).json()
    told = next(w["message"] for w in late["warnings"] if w["code"] == "mailed_late")
    assert told.startswith("Letters 2 were mailed after 2026-12-07")
    text = pages(web.get(f"{body['url']}/affidavit.pdf", headers=staff).content)
    assert "1 letters were mailed after 2026-12-07" in " ".join(text.split())
    assert listed(parcel(HOUSE), rule="lynnfield-320")["mail_by"] is None


def test_the_lists_made_last_are_found_again_without_an_owner(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    first, second = (listed(parcel(HOUSE), rule=rule) for rule in ("lynnfield-320", "ma-131-40"))
    told = web.get("/v1/abutter-lists?limit=2", headers=staff).json()
    assert [one["id"] for one in told["lists"]] == [second["id"], first["id"]]
    assert told["lists"][0]["rule"] == "ma-131-40"
    assert told["lists"][0]["counts"] == second["counts"]
    assert told["more"] is True
    names = [o["owner"] for a in first["abutters"] for o in a["owners"] if o["owner"]]
    assert not any(name in str(told) for name in names)
    assert web.get("/v1/abutter-lists").status_code == 401


def test_a_list_that_nothing_changed_under_is_unchanged(
    web: TestClient, staff: dict[str, str], listed: Listed, parcel: Parcel
) -> None:
    body = listed(parcel(HOUSE), rule="lynnfield-320")
    told = web.get(f"{body['url']}/changes", headers=staff).json()
    assert told["unchanged"] is True
    assert told["parcels_editions"] == body["parcels_editions"]


def _with_an_opposite(web: TestClient, listed: Listed) -> dict[str, Any]:
    """Return a list with an owner directly opposite beyond the distance, found among the invented lots."""
    frames = web.app.state.service.library.snapshot().frame("parcels")  # type: ignore[attr-defined]
    for frame in frames:
        for loc_id, kind in zip(frame.ids.tolist(), frame.attributes["poly_type"].tolist(), strict=True):
            if kind == "FEE":
                body = listed(loc_id, rule="lynnfield-320")
                relations = {a["relation"] for a in body["abutters"]}
                if {"direct", "directly_opposite"} <= relations:
                    return body
    pytest.fail("no invented lot has an owner opposite beyond 100 ft")
