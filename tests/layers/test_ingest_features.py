from __future__ import annotations

import numpy as np
import pytest
import shapely
from layer_files import box_ft

from layers.catalog import load_specs
from layers.ingest.features import (
    Features,
    accuracies_ft,
    counting_for,
    dissolved,
    ids_of,
    labels_of,
    map_accuracy_ft,
    near_each_other,
    selected,
)
from layers.ingest.tables import Rows
from layers.spec import SelectSpec


def features(shapes: list[shapely.Polygon], **columns: list[object]) -> Features:
    return Features(
        np.array(shapes, dtype=object), {n: np.array([*v, None], dtype=object)[:-1] for n, v in columns.items()}
    )


@pytest.mark.parametrize(
    ("scale", "accuracy_ft"), [(1_200, 3.333), (5_000, 13.889), (12_000, 33.333), (24_000, 40.0), (25_000, 41.667)]
)
def test_map_accuracy_by_the_national_standard(scale: int, accuracy_ft: float) -> None:
    assert map_accuracy_ft(scale) == pytest.approx(accuracy_ft, abs=5e-4)


@pytest.mark.parametrize(
    ("text", "accuracy_ft"),
    [("5000", 13.889), ("1:5,000", 13.889), ("1:12000", 33.333), (None, 33.3), ("aerial", 33.3), ("0000", 33.3)],
)
def test_a_features_own_scale_beats_the_layers(text: str | None, accuracy_ft: float) -> None:
    held = features([box_ft(0, 0, 1, 1)], source_scale=[text])
    assert accuracies_ft(held, load_specs().spec("wetlands"))[0] == pytest.approx(accuracy_ft, abs=5e-4)


def test_stacked_copies_become_one_with_the_very_same_shape() -> None:
    lot = shapely.Polygon([(210_000.1, 890_000.2), (210_033.3, 890_000.1), (210_031.7, 890_044.4)])
    held = features([lot, shapely.reverse(lot), lot], loc_id=["A", "A", "A"], use=[None, "102", "103"])
    merged, gone, united = dissolved(held, "loc_id")
    assert (len(merged), gone, united) == (1, 2, 0)
    assert merged.geometry[0].equals_exact(lot, 0.0)
    assert merged.values["use"].tolist() == ["102"]


def test_copies_of_other_shape_are_united_and_counted() -> None:
    held = features([box_ft(0, 0, 10, 10), box_ft(20, 0, 30, 10)], loc_id=["A", "A"])
    merged, gone, united = dissolved(held, "loc_id")
    assert (gone, united, merged.geometry[0].geom_type) == (1, 1, "MultiPolygon")


def test_rows_without_a_key_are_never_merged() -> None:
    held = features([box_ft(0, 0, 10, 10), box_ft(20, 0, 30, 10)], loc_id=[None, None])
    assert dissolved(held, "loc_id")[1:] == (0, 0)


def test_ids_are_all_different() -> None:
    held = features([box_ft(0, 0, 1, 1), box_ft(2, 0, 3, 1)], habitat_id=["PH 1", "PH 1"])
    assert ids_of(held, load_specs().spec("priority_habitat")).tolist() == ["PH 1", "PH 1#2"]


def test_an_id_made_of_the_shape_does_not_hang_on_order_or_ring_start() -> None:
    spec = load_specs().spec("wetlands")
    one, two = box_ft(0, 0, 10, 10), box_ft(20, 0, 30, 10)
    turned = shapely.Polygon(list(one.exterior.coords)[2:-1] + list(one.exterior.coords)[:2])
    first = ids_of(features([one, two]), spec).tolist()
    second = ids_of(features([two, turned]), spec).tolist()
    assert first == second[::-1]


def test_labels_say_what_is_known() -> None:
    held = features([box_ft(0, 0, 1, 1)] * 3, zone=["AE", "X", None], subtype=["FLOODWAY", None, None])
    labels = labels_of(held, np.array(["a", "b", "c"], dtype=object), load_specs().spec("floodplain"))
    assert labels.tolist() == ["Zone AE FLOODWAY", "Zone X", "c"]


def test_neighbours_stand_near_each_other_whatever_the_order_of_the_file() -> None:
    shapes = [box_ft(x, y, x + 5, y + 5) for x in range(0, 400, 40) for y in range(0, 400, 40)]
    forth, back = (near_each_other(features(s)).geometry for s in (shapes, shapes[::-1]))
    assert [g.wkb for g in forth] == [g.wkb for g in back]
    steps = shapely.distance(forth[:-1], forth[1:])
    assert np.median(steps) <= shapely.distance(shapes[0], shapes[1]) * 1.01


def test_a_theme_counts_unknown_flood_flags() -> None:
    theme = next(t for t in load_specs().themes if t.theme == "floodplain")
    held = features([box_ft(0, 0, 1, 1)] * 4, sfha=["T", "F", "unknown", None])
    assert counting_for(held, theme).tolist() == [True, False, True, True]


def test_a_mixed_file_gives_each_layer_its_own() -> None:
    held = features([box_ft(0, 0, 1, 1)] * 3)
    table = Rows(
        "w",
        "GeoJSON",
        None,
        {"ZONE_TYPE": np.array(["Zone II (a)", "IWPA", "zone ii"], dtype=object)},
        held.geometry,
    )
    kept = np.arange(3)
    assert len(selected(held, table, kept, SelectSpec(columns=("zone_type",), starts=("Zone II",)))) == 2
    assert len(selected(held, table, kept, SelectSpec(columns=("OTHER",), starts=("Zone II",)))) == 3
    assert len(selected(held, table, kept, None)) == 3


def test_a_feature_that_does_not_say_which_it_is_may_be_either() -> None:
    held = features([box_ft(0, 0, 1, 1)] * 3)
    column = np.array(["IWPA", None, " "], dtype=object)
    table = Rows("w", "GeoJSON", None, {"ZONE_TYPE": column}, held.geometry)
    assert len(selected(held, table, np.arange(3), SelectSpec(columns=("zone_type",), starts=("Zone II",)))) == 2
