from __future__ import annotations

import numpy as np
import pytest

from layers.catalog import load_specs
from layers.ingest.columns import check_mapping, map_columns
from layers.ingest.tables import Rows
from layers.spec import FieldSpec
from spatial.errors import FormatRefused, ParameterRefused


def rows(driver: str = "GPKG", **columns: list[object]) -> Rows:
    size = len(next(iter(columns.values())))
    held = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return Rows("layer", driver, None, held, np.full(size, None, dtype=object))


def mapped(name: str, field: FieldSpec, table: Rows, mapping: dict[str, str] | None = None) -> list[object]:
    return map_columns(table, {name: field}, mapping or {})[0][name].tolist()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (6064.0, "6064"),
        (6064, "6064"),
        ("0190", "0190"),
        ("  a \n b ", "a b"),
        ("", None),
        (float("nan"), None),
        (1.5, "1.5"),
    ],
)
def test_values_become_text_without_losing_zeros(value: object, told: str | None) -> None:
    assert mapped("code", FieldSpec(columns=("CODE",)), rows(code=[value])) == [told]


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("number", "-9999.0", None),
        ("number", -9999.0, None),
        ("number", 12.5, 12.5),
        ("integer", 2026.0, 2026),
        ("number", "high", None),
    ],
)
def test_the_sentinel_of_fema_is_not_a_number(kind: str, value: object, told: object) -> None:
    field = FieldSpec(columns=("STATIC_BFE",), type=kind, nulls=("-9999",))
    assert mapped("bfe", field, rows(STATIC_BFE=[value])) == [told]


def test_the_first_agency_name_there_is_read_in_any_case() -> None:
    field = FieldSpec(columns=("IT_VALC", "IT_VAL"))
    assert mapped("code", field, rows(it_val=["SS"])) == ["SS"]
    assert mapped("code", field, rows(it_val=["SS"], It_ValC=["DM"])) == ["DM"]


def test_a_required_column_that_is_missing_is_refused_with_what_there_is() -> None:
    with pytest.raises(FormatRefused, match=r"--map kind=COLUMN.*Name, description"):
        mapped("kind", FieldSpec(columns=("IT_VALDESC",), required=True), rows(Name=["x"], description=["y"]))


def test_a_mapping_names_the_column() -> None:
    field = FieldSpec(columns=("IT_VALDESC",), aliases=("class",), required=True)
    assert mapped("kind", field, rows(Name=["BOG"]), {"kind": "name"}) == ["BOG"]
    assert mapped("kind", field, rows(Name=["BOG"]), {"class": "Name"}) == ["BOG"]


def test_a_mapping_to_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(FormatRefused, match="no column 'ZONE'"):
        mapped("kind", FieldSpec(columns=("K",)), rows(K=["x"]), {"kind": "ZONE"})


def test_a_mapping_of_a_column_that_is_not_ours_is_refused() -> None:
    parcels = load_specs().spec("parcels")
    check_mapping({"loc_id": "P", "owner": "MAIL"}, parcels.fields, *parcels.tables.values())
    with pytest.raises(ParameterRefused, match="'lot_id'"):
        check_mapping({"lot_id": "P"}, parcels.fields)


def test_flood_flags_are_told_and_what_is_not_said_is_unknown() -> None:
    field = load_specs().spec("floodplain").fields["sfha"]
    table = rows(SFHA_TF=["T", "f", None, "U", "1"])
    held, (account,) = map_columns(table, {"sfha": field}, {})
    assert held["sfha"].tolist() == ["T", "F", "unknown", "unknown", "T"]
    assert account.unlisted == {"U": 1, "(empty)": 1}


def test_a_flood_zone_nobody_studied_is_unknown_whatever_its_flag() -> None:
    fields = load_specs().spec("floodplain").fields
    table = rows(SFHA_TF=["F", "F", "F", "T"], FLD_ZONE=["X", "D", "AREA NOT INCLUDED", "AE"])
    held, _ = map_columns(table, {name: fields[name] for name in ("zone", "sfha")}, {})
    assert held["sfha"].tolist() == ["F", "unknown", "unknown", "T"]


def test_a_column_the_file_lacks_is_unknown_not_no() -> None:
    field = load_specs().spec("streams").fields["perennial"]
    assert mapped("perennial", field, rows(ARC_CODE=[1, 2])) == ["unknown", "unknown"]


def test_a_parcel_type_that_is_missing_is_a_lot_but_an_odd_one_stays() -> None:
    field = load_specs().spec("parcels").fields["poly_type"]
    assert mapped("poly_type", field, rows(POLY_TYPE=["ROW", None, "EASE"])) == ["ROW", "FEE", "EASE"]


def test_the_cover_code_is_told_from_its_words() -> None:
    fields = load_specs().spec("wetlands").fields
    held, _ = map_columns(rows(IT_VALDESC=["SHRUB SWAMP", "Deep Marsh", "LAGOON"]), fields, {})
    assert held["code"].tolist() == ["SS", "DM", None]


def test_a_code_in_the_file_beats_its_words() -> None:
    fields = load_specs().spec("wetlands").fields
    held, _ = map_columns(rows(IT_VALDESC=["SHRUB SWAMP"], IT_VALC=["WS1"]), fields, {})
    assert held["code"].tolist() == ["WS1"]
