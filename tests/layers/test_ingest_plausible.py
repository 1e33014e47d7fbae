"""A file that is not the layer it is given as is refused by what the specifications say."""

from __future__ import annotations

from pathlib import Path

import pytest
from layer_files import ON, box_ft, write

from layers.catalog import load_specs
from layers.library import AddRequest, Library
from layers.manifest import Manifest
from spatial.errors import FormatRefused

SHAPES = [box_ft(0, 0, 100, 100), box_ft(200, 0, 300, 100), box_ft(400, 0, 500, 100)]


def add(
    tmp_path: Path,
    layer: str,
    columns: dict[str, list[object]],
    *,
    name: str = "sent",
    mapping: dict[str, str] | None = None,
) -> Manifest:
    file = write(tmp_path / f"{name}.geojson", SHAPES, columns, crs="EPSG:26986")
    request = AddRequest(layer, file, ON, crs="EPSG:26986", covers="bounds", mapping=mapping or {})
    return Library(tmp_path / "data").add(request)


@pytest.mark.parametrize(
    ("layer", "columns", "said"),
    [
        ("huc10", {"HUC10": ["010900030204", "010900030205", "010900030206"]}, "3 of 3.*10 digits.*layer huc12"),
        ("huc12", {"HUC12": ["0109000302", "0109000303", "010900030204"]}, "2 of 3.*12 digits.*layer huc10"),
        ("huc10", {"HUC_10": ["0109000302"] * 3, "HUC_12": ["010900030204"] * 3}, "HUC_12, as the layer huc12"),
        ("huc10", {"HUC10": [109000302, 109000303, 109000304]}, "'109000302'"),  # a number lost its leading zero
        ("zoning", {"LOC_ID": ["F_1_1", "F_1_2", "F_1_3"], "ZONING": ["R-1", "R-1", "R-2"]}, "add it as that"),
        ("zoning", {"PWS_ID": ["1", "2", "3"], "ZONE_TYPE": ["Zone II"] * 3}, "iwpa or zone2"),
        ("estimated_habitat", {"PRIHAB_ID": ["PH 1", "PH 2", "PH 3"]}, "priority_habitat"),
        ("water_bodies", {"IT_VALDESC": ["DEEP MARSH"] * 3, "POLY_CODE": ["1"] * 3}, "as the layer wetlands"),
        ("outstanding_resource_waters", {"OWNER": ["a", "b", "c"]}, "none of the columns"),
        ("acec", {"FLD_ZONE": ["A", "AE", "X"], "NAME": ["a", "b", "c"]}, "as the layer floodplain"),
    ],
)
def test_a_file_of_another_layer_is_refused(
    tmp_path: Path, layer: str, columns: dict[str, list[object]], said: str
) -> None:
    with pytest.raises(FormatRefused, match=said) as refused:
        add(tmp_path, layer, columns)
    assert refused.value.code == "bad_parameter"
    assert Library(tmp_path / "data").current(layer) == ()


def test_staff_may_say_that_it_is_the_layer_all_the_same(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"LOC_ID": ["F_1_1", "F_1_2", "F_1_3"], "ZONING": ["R-1", "R-1", "R-2"]}
    made = add(tmp_path, "zoning", columns, mapping={"code": "ZONING"})
    assert made.count_kept == 3
    (remark,) = [r.message for r in made.remarks if r.code == "looks_like_another"]
    assert "the column LOC_ID, as the layer parcels has" in remark


def test_a_layer_that_says_what_it_is_may_carry_columns_of_others(tmp_path: Path) -> None:
    made = add(tmp_path, "parcels", {"LOC_ID": ["F_1_1", "F_1_2", "F_1_3"], "FLD_ZONE": ["A", "X", "X"]})
    assert made.count_kept == 3
    work = add(tmp_path, "disturbances", {"LOC_ID": ["F_1_1", "F_1_2", "F_1_3"]}, name="work")
    assert work.count_kept == 3


def test_a_file_without_columns_may_be_called_what_it_is(tmp_path: Path) -> None:
    assert add(tmp_path, "zone2", {"Shape_Area": [1.0, 2.0, 3.0]}, name="ZONE2_POLY_DOVER").count_kept == 3


def test_what_a_mixed_file_holds_besides_is_told_with_the_layers_that_take_it(tmp_path: Path) -> None:
    kinds: list[object] = ["Zone II (approved)", "IWPA", "Surface"]
    made = add(tmp_path, "zone2", {"ZONE_TYPE": kinds, "SUPPLIER": ["a", "b", "c"]})
    assert made.count_kept == 1
    (dropped,) = made.dropped
    assert dropped.count == 2
    assert "ZONE_TYPE IWPA (1, add the file as iwpa too), Surface (1, which no layer takes)" in dropped.reason


def test_a_file_with_nothing_of_the_layer_is_refused_and_never_reads_as_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(FormatRefused, match=r"IWPA \(3, add the file as iwpa too\)") as refused:
        add(tmp_path, "zone2", {"ZONE_TYPE": ["IWPA"] * 3, "SUPPLIER": ["a", "b", "c"]})
    assert refused.value.code == "no_features"


def test_marks_tell_layers_apart() -> None:
    """A mark is no column that another layer reads, but for the two kinds of wellhead areas in one file."""
    specs = load_specs().specs
    for one in specs.values():
        for other in specs.values():
            read = {c for field in other.fields.values() for c in field.columns}
            shared = read.intersection(one.marks) if other.id not in (one.id, *one.may_carry) else set()
            assert not shared or {one.id, other.id} == {"zone2", "iwpa"}, (one.id, other.id, shared)
