"""``metes abutters``: every form of a list from the command line, logged as the system's user."""

from __future__ import annotations

import csv
import getpass
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from app_service import Said, square
from openpyxl import load_workbook
from pypdf import PdfReader

from app.settings import Settings
from app.store.audit import Audit
from app.store.records import Records
from layers.demo.make import Demo
from layers.library import Library

Metes = Callable[..., Said]
HOUSE = "408 MILL ST"


@pytest.fixture
def house(metes: Metes, demo: Demo) -> str:
    """Return the LOC_ID of a house of the invented town."""
    snapshot = Library(demo.data).snapshot()
    return next(p.loc_id for p in snapshot.parcels.search(HOUSE) if p.site_address == HOUSE)


def test_a_table_and_the_same_list_again(metes: Metes, house: str, settings: Settings) -> None:
    first = metes("abutters", house, "--rule", "lynnfield-320", "--reason", "hearing 7")
    assert (first.code, first.err) == (0, "")
    assert "DRAFT, not certified" in first.out
    assert HOUSE in first.out
    records = Records(settings.records_url)
    entry = Audit(records).recent(1)[0]
    records.close()
    assert (entry.action, entry.key_id, entry.reason) == (
        "abutters.list",
        f"system:{getpass.getuser()}",
        "hearing 7",
    )
    assert house in entry.subject
    again = metes("abutters", "--list", entry.subject[0], "--format", "json")
    assert again.json()["id"] == entry.subject[0]
    assert metes("abutters", "--list", "0" * 24).err.startswith("not_found: ")


def test_every_form_can_be_read_back(metes: Metes, house: str, tmp_path: Path) -> None:
    made = metes("abutters", house, "--within", "100", "--format", "json").json()

    def got(form: str, *more: str) -> bytes:
        path = tmp_path / form
        said = metes("abutters", "--list", made["id"], "--format", form, "--out", str(path), *more)
        assert (said.code, said.out) == (0, ""), said.err
        return path.read_bytes()

    rows = list(csv.DictReader(io.StringIO(got("csv").decode("utf-8-sig")), strict=True))
    assert {r["loc_id"] for r in rows} == {a["loc_id"] for a in made["abutters"]}
    assert len(list(csv.reader(io.StringIO(got("notices").decode("utf-8-sig"))))) == made["counts"]["notices"] + 1
    assert got("direct").startswith(b"\xef\xbb\xbf")
    assert load_workbook(io.BytesIO(got("xlsx")))["Notices"].max_row == made["counts"]["notices"] + 1
    assert json.loads(got("geojson"))["type"] == "FeatureCollection"
    for form, more in (
        ("pdf", ()),
        ("labels", ("--sheet", "5163", "--start", "2", "--sort", "street")),
        ("mailing", ("--form", "3877")),
        ("affidavit", ()),
    ):
        assert len(PdfReader(io.BytesIO(got(form, *more))).pages) >= 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("F_1_2",), "parcel_unknown: "),
        ((), "bad_parameter: Name parcels"),
        (("HOUSE", "--within", "0"), "bad_parameter: --within 0"),
        (("HOUSE", "--within", "nan"), "bad_parameter: --within nan"),
        (("HOUSE", "--rule", "x"), "bad_parameter: There is no notice rule"),
        (("HOUSE", "--sheet", "1"), "bad_parameter: There is no label sheet"),
        (("HOUSE", "--hearing-on", "tomorrow"), "bad_parameter: "),
        (("HOUSE", "--geometry", "nosuch.geojson"), "bad_parameter: nosuch.geojson"),
        (("HOUSE", "--tax-list", "nosuch.csv"), "bad_parameter: --tax-list needs"),
        (
            ("HOUSE", "--tax-list", "nosuch.csv", "--town", "901", "--fiscal-year", "2027"),
            "bad_parameter: There is no file",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_nothing_on_standard_output(
    metes: Metes, house: str, words: tuple[str, ...], said: str
) -> None:
    answer = metes("abutters", *(house if w == "HOUSE" else w for w in words))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(said)


def test_a_drawn_strip_and_a_town_own_list(
    metes: Metes, house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METES_DATABASE_URL", f"sqlite:///{tmp_path / 'own.db'}")
    feature = square(-71.2, 42.24, 0.0003)
    strip, own = tmp_path / "strip.geojson", tmp_path / "cama.csv"
    strip.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    far = metes("abutters", "--geometry", str(strip), "--within", "50")
    assert (far.code, "No parcel is named by the rule." in far.out) == (0, True)
    assert "reach beyond" in far.out
    own.write_text(f"LOC_ID,Owner,Mail Addr\n{house},X,1 B\n")
    made = metes(
        *("abutters", house, "--tax-list", str(own), "--town", "doverbrook", "--fiscal-year", "2027"),
        *("--map", "address=Mail Addr", "--format", "json"),
    ).json()
    assert made["tax_list"][0]["source"] == "the town's own tax list"
    assert made["subject"][0]["owners"][0]["owner"] == "X"


@pytest.mark.shared
def test_the_shared_case_of_mixed_traps(metes: Metes, shared: Path, tmp_path: Path) -> None:
    case = next(c for c in json.loads((shared / "cases" / "cases.json").read_text()) if c["id"] == "abut-01")
    expected = case["expected"]
    added = metes(
        *("layers", "add", "parcels", str(shared / "cases" / case["file"]), "--covers", "bounds"),
        *("--map", "owner=OWNER1", "--map", "owner_address=MAIL"),
        data=tmp_path / "data",
    )
    assert added.code == 0, added.err
    told = metes(
        "abutters",
        expected["subject"],
        "--within",
        str(expected["distance_ft"]),
        "--format",
        "json",
        data=tmp_path / "data",
    ).json()
    found = {a["loc_id"]: a for a in told["abutters"]}
    assert sorted(found) == expected["ids"]
    for loc_id, distance_ft in expected["distances_ft"].items():
        if loc_id in found:
            assert found[loc_id]["distance_ft"] == pytest.approx(distance_ft, abs=0.01)
    assert [(m["loc_id"], m["distance_ft"]) for m in told["near_misses"]] == [("A6", 100.02)]
    letters = [n["parcels"] for n in told["notices"]]
    assert len(letters) == expected["labels"]
    assert expected["merged_labels"][0] in letters
    assert not any(set(expected["not_merged"][0]) <= set(parcels) for parcels in letters)
    assert not any("A14" in parcels for parcels in letters)
    assert "no_owner_name" in found["A14"]["flags"]
