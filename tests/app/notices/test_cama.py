from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from openpyxl import Workbook

from app.notices.cama import read_export
from spatial.errors import FormatRefused, ParameterRefused, Refused

CSV = (
    "LOC_ID,Owner Name,Owner 2,Mail Addr,Mail City,Mail State,Mail Zip\r\nF_1_2,SMITH,JONES,1 B,DOVER,MA,02030\r\n"
)


def sheet(*rows: tuple[object, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_usual_headings_are_known() -> None:
    found = read_export("cama.csv", CSV.encode(), {})
    assert found.mapping["owner"] == "Owner Name"
    assert found.rows == (
        {
            "loc_id": "F_1_2",
            "owner": "SMITH",
            "co_owner": "JONES",
            "address": "1 B",
            "city": "DOVER",
            "state": "MA",
            "zip": "02030",
        },
    )


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (CSV.encode("utf-8-sig"), "SMITH"),
        (CSV.replace(",", ";").encode(), "SMITH"),
        (CSV.replace(",", "\t").encode(), "SMITH"),
        (CSV.replace("SMITH", "NÚÑEZ").encode("cp1252"), "NÚÑEZ"),
        (CSV.replace("SMITH", '"SMITH, ""PAT"""').encode(), 'SMITH, "PAT"'),
    ],
)
def test_csv_as_towns_write_it(content: bytes, name: str) -> None:
    assert read_export("cama.csv", content, {}).rows[0]["owner"] == name


def test_a_workbook_with_numbers_and_days() -> None:
    content = sheet(
        ("Parcel", "Who", "Where", "Zip", "Sale Date"),
        ("12-3", "SMITH", "1 B", 2030, date(2026, 3, 1)),
        (None, None, None, None, None),
        ("12-4", "LEE", "2 B", 2030.0, None),
    )
    found = read_export("cama.xlsx", content, {"owner": "who", "address": "Where"})
    assert [(r["map_par_id"], r["owner"], r["zip"], r["sale_date"]) for r in found.rows] == [
        ("12-3", "SMITH", "2030", "2026-03-01"),
        ("12-4", "LEE", "2030", ""),
    ]


def test_the_mapping_used_before_stands_where_the_file_has_its_columns() -> None:
    content = b"LOC_ID,Holder,Street,Owner\r\nF_1_2,SMITH,1 B,X\r\n"
    usual = {"owner": "Holder", "address": "Street", "zip": "Postcode"}
    assert read_export("next.csv", content, {}, usual=usual).rows[0]["owner"] == "SMITH"
    assert read_export("next.csv", content, {"owner": "Owner"}, usual=usual).rows[0]["owner"] == "X"


@pytest.mark.parametrize(
    ("content", "mapping", "said"),
    [
        (b"LOC_ID,Mail Addr\r\n", {}, "which column is owner"),
        (b"Owner,Mail Addr\r\n", {}, "loc_id or map_par_id"),
        (CSV.encode(), {"owner": "Holder"}, "no column 'Holder'"),
        (CSV.encode(), {"holder": "Owner"}, "no column of ours"),
    ],
)
def test_columns_that_are_not_there_are_named(content: bytes, mapping: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterRefused, match=said):
        read_export("cama.csv", content, mapping)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_features"),
        (b"\r\n\r\n", "no_features"),
        (b"PK\x03\x04 not a workbook", "corrupt_file"),
        (b"\x00\x01\x02\x03" * 10, "unsupported_format"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_export("cama", content, {})
    assert refusal.value.code == code


def test_a_workbook_that_is_no_workbook_inside_is_refused() -> None:
    whole = sheet(("LOC_ID", "Owner", "Address"), ("F_1_2", "A", "B"))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<worksheet><sheetData><row>" if "sheet1" in name else old.read(name))
    with pytest.raises(FormatRefused):
        read_export("cama.xlsx", out.getvalue(), {})
