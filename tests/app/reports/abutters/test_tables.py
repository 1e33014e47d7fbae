from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest
from abutter_lists import many, row, told
from openpyxl import load_workbook

from app.notices.addresses import addressee
from app.reports.abutters.cells import harmless
from app.reports.abutters.tables import abutters_csv, direct_csv, mail_merge_csv
from app.reports.abutters.workbook import abutters_xlsx

HOSTILE = (
    '=HYPERLINK("http://x","a")',
    "+1 TRUST",
    "-5 ELM",
    "@SUM(A1)",
    "\tTAB",
    "\rCR",
    "\nLF",
    "＝1＋1",
    "＠SUM",
    "  =1+1",
)


def read(content: bytes) -> list[dict[str, str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_is_a_formula(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert harmless(f"x{text}") == f"x{text}"


def test_a_csv_row_per_owner_with_the_letter_it_got() -> None:
    one = addressee("SMITH JOHN", "8 FARM ST", city="DOVER", state="MA", zip_code="2030")
    other = addressee('O\'BRIEN "PAT", JR', "7, OAK", city="DOVER", state="MA", zip_code="02030-1111")
    rows = read(abutters_csv(told([row("A", one, other), row("B", one), row("C")])))
    assert [(r["loc_id"], r["owner"], r["owner_zip"], r["letter"]) for r in rows] == [
        ("A", "SMITH JOHN", "02030", "1"),
        ("A", 'O\'BRIEN "PAT", JR', "02030-1111", "2"),
        ("B", "SMITH JOHN", "02030", "1"),
        ("C", "", "", ""),
    ]


def test_two_rows_of_one_number_keep_each_its_own_letter() -> None:
    """Some towns have one PROP_ID with two owners."""
    one, other = (addressee(n, "8 FARM ST", city="DOVER", state="MA", zip_code="02030") for n in ("ANN A", "BOB B"))
    twice = row("A", one, other)
    same = twice.model_copy(update={"owners": tuple(o.model_copy(update={"prop_id": "7"}) for o in twice.owners)})
    rows = read(abutters_csv(told([same])))
    assert [(r["prop_id"], r["owner"], r["letter"]) for r in rows] == [("7", "ANN A", "1"), ("7", "BOB B", "2")]


def test_every_cell_is_quoted_and_a_break_in_a_name_makes_no_row() -> None:
    content = abutters_csv(told([row("A", addressee("LINE\nBREAK", "6 OAK", city="X"))])).decode("utf-8-sig")
    lines = content.split("\r\n")
    assert len(lines) == 3
    assert all(line.startswith('"') and line.endswith('"') for line in lines[:2])


def test_mail_merge_has_the_hearing_beside_every_letter() -> None:
    body = told(many(3))
    rows = read(mail_merge_csv(body))
    assert [r["line1"] for r in rows] == ["OWNER 0001", "OWNER 0002", "OWNER 0003"]
    assert {(r["hearing_on"], r["hearing_time"], r["hearing_place"], r["project"]) for r in rows} == {
        ("2026-12-14", "7:00 PM", "Town Hall", "Drainage")
    }
    assert rows[0]["site_addresses"] == "1 ELM ST"


def test_a_letter_of_seven_lines_loses_none() -> None:
    long = addressee("A|B|C", "1 X|2 Y|3 Z", city="DOVER", state="MA", zip_code="02030")
    line = read(mail_merge_csv(told([row("A", long)])))[0]
    assert line["line6"] == "3 Z, DOVER MA 02030"


def test_only_direct_abutters_stand_on_the_plan_sheet() -> None:
    body = told([row("A", addressee("ANN", "1 B")), row("B", addressee("BOB", "1 B"), relation="across_way")])
    assert [(r["loc_id"], r["owners"]) for r in read(direct_csv(body))] == [("A", "ANN")]


def test_the_workbook_read_back_has_text_cells_and_a_header_that_stays() -> None:
    owner = addressee('=HYPERLINK("http://x","a")', "-5 ELM ST", city="DOVER", state="MA", zip_code="2030")
    book = load_workbook(io.BytesIO(abutters_xlsx(told([row("A", owner, owner), row("B")]))))
    sheet = book["Parcels"]
    header = [c.value for c in sheet[1]]
    cells = {name: sheet[2][i] for i, name in enumerate(header)}
    assert (cells["owner"].value, cells["owner"].data_type) == ('=HYPERLINK("http://x","a")', "s")
    assert (cells["owner_zip"].value, cells["owner_zip"].data_type) == ("02030", "s")
    assert cells["distance_ft"].value == 0
    assert (sheet.freeze_panes, sheet.max_row) == ("A2", 4)
    assert book["Notices"].freeze_panes == "A2"
    assert [c.value for c in book["Notices"][2]][1:4] == [
        '=HYPERLINK("http://x","a")',
        "-5 ELM ST",
        "DOVER MA 02030",
    ]


def test_the_same_list_gives_the_same_workbook() -> None:
    assert abutters_xlsx(told(many(5))) == abutters_xlsx(told(many(5)))


def test_mailing_facts_go_into_the_tables() -> None:
    body = told(many(1))
    notice = body.notices[0].model_copy(update={"article_number": "70", "mailed_on": date(2026, 12, 1)})
    line = read(mail_merge_csv(body.model_copy(update={"notices": (notice,)})))[0]
    assert (line["article_number"], line["mailed_on"], line["returned_on"]) == ("70", "2026-12-01", "")


@pytest.mark.shared
def test_the_hostile_owners_of_the_shared_case(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "files" / "out01_labels.json").read_text())["rows"]
    owners = {
        c["id"]: addressee(c["owner"], c["addr"], city=c["city"], state=c["state"], zip_code=c["zip"])
        for c in cases
    }
    rows = {r["loc_id"]: r for r in read(abutters_csv(told([row(i, o) for i, o in owners.items()])))}
    for case in cases:
        line = rows[case["id"]]
        assert line["owner"] == case.get("csv_owner", " ".join(case["owner"].split()))
        assert line["owner_address"] == case.get("csv_addr", case["addr"])
        assert line["owner_zip"] == case.get("out_zip", "02030")


def test_every_table_names_its_list_and_where_it_stands() -> None:
    body = told([row("A", addressee("ANN", "1 B"))])
    for content in (abutters_csv(body), mail_merge_csv(body), direct_csv(body)):
        (line,) = read(content)
        assert (line["list_id"], line["list_status"], line["by_hand"]) == ("abc123", "DRAFT, not certified", "")
