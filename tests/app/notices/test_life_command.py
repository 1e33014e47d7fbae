"""The life of a list at a terminal: the same use cases as over HTTP, the same refusals, the same log."""

from __future__ import annotations

import csv
import getpass
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_service import Said

from app.notices.doubts import BLOCKING
from app.settings import Settings
from app.store.audit import Audit, Entry
from app.store.keys import Keys
from app.store.records import Records
from layers.demo.make import Demo
from layers.library import Library

Metes = Callable[..., Said]
HOUSE = "408 MILL ST"
SEAL = ("--name", "A. Sessor", "--title", "Principal Assessor", "--on", "2026-11-30")


@pytest.fixture
def made(metes: Metes, demo: Demo) -> dict[str, Any]:
    """Return a new draft of an invented house."""
    parcels = Library(demo.data).snapshot().parcels
    house = next(p.loc_id for p in parcels.search(HOUSE) if p.site_address == HOUSE)
    words = ("--rule", "lynnfield-320", "--hearing-on", "2026-12-14", "--applicant", "Invented Applicant")
    body: dict[str, Any] = metes("abutters", house, *words, "--format", "json").json()
    return body


@pytest.fixture
def key(settings: Settings) -> Callable[[str], str]:
    """Return a function that makes a key of a role and gives its secret."""

    def secret(role: str) -> str:
        records = Records(settings.records_url)
        _, made = Keys(records).create(role, "at a terminal")
        records.close()
        return made

    return secret


def logged(settings: Settings, count: int) -> tuple[Entry, ...]:
    records = Records(settings.records_url)
    entries = Audit(records).recent(count)
    records.close()
    return entries


def test_from_draft_to_superseded(
    metes: Metes, made: dict[str, Any], key: Callable[[str], str], settings: Settings
) -> None:
    listed = metes("abutters", "lists", "--limit", "1", "--json").json()
    assert [(one["id"], one["status"]) for one in listed["lists"]] == [(made["id"], "draft")]
    assert not any(o["owner"] in str(listed) for a in made["abutters"] for o in a["owners"])
    assert "is reviewed" in metes("abutters", "review", made["id"], "--reason", "hearing 7").out
    despite = ("--despite", "asked and settled") if any(w["blocks"] for w in made["warnings"]) else ()
    sealed = metes("abutters", "certify", made["id"], *SEAL, *despite, "--key", key("assessor"))
    assert (sealed.code, "certified by A. Sessor, Principal Assessor" in sealed.out) == (0, True), sealed.err
    assert "Nothing is different" in metes("abutters", "changes", made["id"]).out
    assert "is superseded" in metes("abutters", "supersede", made["id"], "--reason", "land added").out
    steps = [(e.action, e.reason) for e in reversed(logged(settings, 4))]
    assert [action for action, _ in steps] == [
        "abutters.review", "abutters.certify", "abutters.changes", "abutters.supersede",
    ]  # fmt: skip
    assert (steps[0][1], steps[3][1]) == ("hearing 7", "land added")
    assert logged(settings, 1)[0].key_id == f"system:{getpass.getuser()}"


def test_only_an_assessors_key_certifies_and_the_log_names_it(
    metes: Metes, made: dict[str, Any], key: Callable[[str], str], settings: Settings
) -> None:
    metes("abutters", "review", made["id"])
    for given in ((), ("--key", "metes_0000_wrong"), ("--key", key("staff")), ("--key", key("admin"))):
        refused = metes("abutters", "certify", made["id"], *SEAL, *given)
        assert (refused.code, refused.out, refused.err.startswith("forbidden: ")) == (2, "", True)
    secret = key("assessor")
    despite = ("--despite", "asked and settled") if any(w["blocks"] for w in made["warnings"]) else ()
    assert metes("abutters", "certify", made["id"], *SEAL, *despite, "--key", secret).code == 0
    entry = logged(settings, 1)[0]
    assert (entry.action, entry.key_id) == ("abutters.certify", secret.split("_")[1])


def test_land_of_two_towns_is_certified_for_the_shorter_of_their_validities(
    metes: Metes, key: Callable[[str], str], demo: Demo, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(demo.data, data)
    entries = data / "towns" / "lynnmere.toml"
    text = entries.read_text()
    assert text.count("value = 30\n") == 1
    entries.write_text(text.replace("value = 30\n", "value = 10\n"))
    frames = Library(data).snapshot().frame("parcels")
    lots = [next(i for i, k in zip(f.ids, f.attributes["poly_type"], strict=True) if k == "FEE") for f in frames]
    body = metes("abutters", *lots, "--rule", "ma-131-40", "--format", "json", data=data).json()
    assert [s["town_id"] for s in body["subject"]] == [901, 902]
    metes("abutters", "review", body["id"], data=data)
    words = (*SEAL, "--despite", "asked and settled", "--key", key("assessor"), "--json")
    sealed = metes("abutters", "certify", body["id"], *words, data=data).json()
    assert sealed["certified"]["expires_on"] == "2026-12-10"


def test_the_filled_in_sheet_reports_what_was_mailed(
    metes: Metes, made: dict[str, Any], tmp_path: Path, it_is: Callable[[str], None]
) -> None:
    it_is("2026-12-21")
    sheet = tmp_path / "notices.csv"
    metes("abutters", "--list", made["id"], "--format", "notices", "--out", str(sheet))
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    rows[0] |= {"article_number": "9407 1000 0000 0000 0000 01", "mailed_on": "12/4/2026"}
    sheet.write_text(_csv(rows), "utf-8")
    told = metes("abutters", "mailings", made["id"], str(sheet), "--json").json()
    assert told["notices"][0]["mailed_on"] == "2026-12-04"
    assert told["notices"][1]["mailed_on"] is None
    rows[0] |= {"article_number": "", "mailed_on": "", "returned_on": "2026-12-20"}
    sheet.write_text(_csv(rows), "utf-8")
    after = metes("abutters", "mailings", made["id"], str(sheet), "--mailed-on", "2026-12-10", "--json").json()
    assert after["notices"][0] | {"returned_on": None} == told["notices"][0]
    assert after["notices"][0]["returned_on"] == "2026-12-20"
    assert {n["mailed_on"] for n in after["notices"][1:]} == {"2026-12-10"}
    late = next(w["message"] for w in after["warnings"] if w["code"] == "mailed_late")
    assert made["mail_by"] == "2026-12-07"
    assert "2026-12-07" in late
    assert "Letters 2, " in late


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("no", "99", "bad_parameter: The list has letters 1 to "),
        ("no", "first", "bad_parameter: The list has letters 1 to "),
        ("line1", "SOMEBODY ELSE", "bad_parameter: Row 1 is not addressed as letter 1"),
        ("mailed_on", "yesterday", "bad_parameter: Letter 1 has mailed_on 'yesterday'"),
        ("article_number", "9.40711E+21", "bad_parameter: The article number of letter 1 reads 9.40711E+21"),
        ("returned_on", "2026-12-20", "bad_parameter: Letter no. 1 came back"),
    ],
)
def test_a_sheet_that_cannot_be_right_is_refused_whole(
    metes: Metes, made: dict[str, Any], tmp_path: Path, column: str, cell: str, said: str
) -> None:
    sheet = tmp_path / "notices.csv"
    row = {"no": "1", "line1": made["notices"][0]["lines"][0], "article_number": "", "mailed_on": ""}
    sheet.write_text(_csv([{"returned_on": "", **row, column: cell}]), "utf-8")
    refused = metes("abutters", "mailings", made["id"], str(sheet))
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(said)
    kept = metes("abutters", "--list", made["id"], "--format", "json").json()
    assert all(n["mailed_on"] is None for n in kept["notices"])


def test_owners_of_a_parcel_are_entered_from_a_sheet_and_all_are_written_to(
    metes: Metes, made: dict[str, Any], tmp_path: Path
) -> None:
    lot = made["abutters"][0]["loc_id"]
    heirs = tmp_path / "heirs.csv"
    heirs.write_text(
        "loc_id,owner,address,city,state,zip,reason\n"
        f"{lot},ONE HEIR,1 NEW ST,X,MA,2030,probate of 2026\n{lot},OTHER HEIR,2 NEW ST,X,MA,2030,probate of 2026\n"
    )
    told = metes("abutters", "review", made["id"], "--owners", str(heirs), "--json").json()
    assert [n["lines"] for n in told["notices"] if "NEW ST" in n["lines"][1]] == [
        ["ONE HEIR", "1 NEW ST", "X MA 02030"],
        ["OTHER HEIR", "2 NEW ST", "X MA 02030"],
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("review", "0" * 24), "not_found: "),
        (("review", "ID", "--drop", "F_1_2"), "bad_parameter: --drop 'F_1_2' is not LOC_ID=REASON"),
        (("review", "ID", "--drop", "F_1_2=x"), "bad_parameter: reason: "),
        (("review", "ID", "--drop", "F_1_2=the board"), "parcel_unknown: "),
        (("review", "ID", "--restore", "F_1_2=the board"), "parcel_unknown: "),
        (("review", "ID", "--owners", "nosuch.csv"), "bad_parameter: There is no file"),
        (("mailings", "ID"), "bad_parameter: Nothing is reported"),
        (("mailings", "ID", "--mailed-on", "soon"), "bad_parameter: "),
        (("supersede", "ID", "--successor", "0" * 24), "not_found: "),
        (("certify", "ID"), "bad_parameter: Missing option"),
        (("F_1_2", "--hearing", "town=Dover"), "bad_parameter: --hearing knows no 'town'"),
    ],
)
def test_what_cannot_be_done_is_refused_with_nothing_on_standard_output(
    metes: Metes, made: dict[str, Any], words: tuple[str, ...], said: str
) -> None:
    answer = metes("abutters", *(made["id"] if w == "ID" else w for w in words))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(said), answer.err


def test_help_names_every_step(metes: Metes) -> None:
    told = metes("abutters", "--help").out
    assert all(step in told for step in ("lists", "review", "certify", "mailings", "changes", "supersede", "make"))


def _csv(rows: list[dict[str, str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def test_letters_are_not_mailed_on_a_day_to_come_and_a_wrong_day_is_corrected_by_the_same_option(
    metes: Metes, made: dict[str, Any], it_is: Callable[[str], None]
) -> None:
    it_is("2026-12-07")
    early = metes("abutters", "mailings", made["id"], "--mailed-on", "2026-12-08")
    assert (early.code, early.out) == (2, "")
    assert early.err.startswith("bad_parameter: Letter no. 1 cannot be mailed on 2026-12-08, a day to come")
    metes("abutters", "mailings", made["id"], "--mailed-on", "2026-12-02")
    said = metes("abutters", "mailings", made["id"], "--mailed-on", "2026-12-03")
    assert (said.code, f"{len(made['notices'])} mailed on 2026-12-03" in said.out) == (0, True), said.err
    kept = metes("abutters", "--list", made["id"], "--format", "json").json()
    assert {n["mailed_on"] for n in kept["notices"]} == {"2026-12-03"}
    none = metes("abutters", "mailings", made["id"], "--mailed-on", "2026-12-04", "--instead-of", "2026-12-01")
    assert (none.code, "none is reported as mailed on 2026-12-01" in none.err) == (2, True)


def test_a_list_written_to_a_file_says_its_id(metes: Metes, made: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / "labels.pdf"
    said = metes(
        "abutters", made["subject"][0]["loc_id"], "--within", "50", "--format", "labels", "--out", str(out)
    )
    listed = metes("abutters", "lists", "--limit", "1", "--json").json()["lists"][0]["id"]
    assert (said.code, said.out) == (0, "")
    assert said.err.startswith(
        f"List {listed} is made and kept as a draft; print it again with: metes abutters --list"
    )


def test_the_sheet_of_another_list_is_refused_by_its_id(metes: Metes, made: dict[str, Any], tmp_path: Path) -> None:
    sheet = tmp_path / "notices.csv"
    other = metes("abutters", made["subject"][0]["loc_id"], "--rule", "ma-131-40", "--format", "json").json()
    metes("abutters", "--list", other["id"], "--format", "notices", "--out", str(sheet))
    refused = metes("abutters", "mailings", made["id"], str(sheet), "--mailed-on", "2026-11-01")
    assert (refused.code, refused.out) == (2, "")
    assert f"is the sheet of list {other['id']}, not of list {made['id']}" in refused.err


def test_help_names_the_warnings_that_stand_against_certifying_and_a_list_says_it_of_its_own(
    metes: Metes, made: dict[str, Any]
) -> None:
    told = " ".join(metes("abutters", "certify", "--help").out.replace("│", " ").split())
    assert all(code in told for code in BLOCKING)
    assert "tax_list_of_last_year" not in told
    shown = metes("abutters", made["subject"][0]["loc_id"], "--within", "100").out
    needed, _, only = shown.partition("TO KNOW: TOLD, AND NO ANSWER IS ASKED")
    assert "AGAINST CERTIFYING: EACH NEEDS AN ANSWER" in needed
    assert "[no_legal_rule]" in needed
    assert "[no_legal_rule]" not in only


def test_labels_of_a_superseded_list_are_printed_only_when_asked_for_all_the_same(
    metes: Metes, made: dict[str, Any], tmp_path: Path
) -> None:
    ended = metes("abutters", "supersede", made["id"], "--reason", "land added").out
    assert "no list is named to take its place" in ended
    assert "reason: land added" in ended
    words = ("abutters", "--list", made["id"], "--format", "labels", "--out", str(tmp_path / "labels.pdf"))
    refused = metes(*words)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"conflict: List {made['id']} is SUPERSEDED, no longer to be used")
    assert metes(*words, "--anyway").code == 0
    itself = metes("abutters", "supersede", made["id"], "--successor", made["id"])
    assert itself.err.startswith("conflict: ")
