from __future__ import annotations

import pytest

from layers.catalog import load_specs, read_spec
from layers.spec import THEME_ORDER
from layers.towns import load_towns
from spatial.errors import ParameterRefused

CONTRACT_THEMES = [
    *("wetlands", "buffer_zone", "riverfront", "priority_habitat", "estimated_habitat", "vernal_pools"),
    *("floodplain", "huc10", "huc12", "outstanding_resource_waters", "impaired_waters", "water_supply"),
    *("impervious", "slope"),
]

MINIMAL = """
id = "ponds"
title = "Ponds"
kind = "polygon"
publisher = "town"
licence = "public"
native_crs = "EPSG:26986"
accuracy_ft = 10
accuracy_note = "assumed"
complete = false
label = "{name}"
[fields.name]
columns = ["NAME"]
"""


def test_every_theme_of_the_contract_has_a_layer() -> None:
    assert list(THEME_ORDER) == CONTRACT_THEMES
    assert {t.theme for t in load_specs().themes} == set(CONTRACT_THEMES)


def test_themes_stand_in_the_order_of_answers() -> None:
    places = [CONTRACT_THEMES.index(t.theme) for t in load_specs().themes]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("layer_id", "complete"),
    [
        ("wetlands", False),
        ("streams", False),
        ("water_bodies", False),
        ("certified_vernal_pools", False),
        ("potential_vernal_pools", False),
        ("priority_habitat", True),
        ("estimated_habitat", True),
        ("floodplain", True),
        ("huc12", True),
    ],
)
def test_only_regulatory_maps_are_complete(layer_id: str, complete: bool) -> None:
    assert load_specs().spec(layer_id).complete is complete


@pytest.mark.parametrize(
    ("layer_id", "scale", "accuracy_ft"),
    [("wetlands", 12_000, 33.3), ("streams", 25_000, 41.7), ("huc12", 24_000, 40.0)],
)
def test_accuracy_is_that_of_the_map_scale(layer_id: str, scale: int, accuracy_ft: float) -> None:
    spec = load_specs().spec(layer_id)
    assert (spec.scale, spec.accuracy_ft) == (scale, accuracy_ft)


def test_buffer_zones_are_covered_as_far_as_their_rings() -> None:
    theme = next(t for t in load_specs().themes if (t.theme, t.layer_id) == ("buffer_zone", "wetlands"))
    assert theme.bands_ft == (25, 50, 100, 150, 200)
    assert (theme.within_ft, theme.coverage_ft) == (100, 200)


def test_the_storm_line_reaches_farther_than_the_floodplain() -> None:
    theme = next(t for t in load_specs().themes if t.theme == "floodplain")
    assert (theme.within_ft, theme.coverage_ft) == (0, 100)
    assert set(theme.where["sfha"]) == {"T", "unknown"}


def test_a_layer_is_found_by_its_agency_name_in_any_case() -> None:
    assert load_specs().spec("wetlandsdep_poly").id == "wetlands"


def test_an_unknown_layer_is_refused_with_the_names() -> None:
    with pytest.raises(ParameterRefused, match="wetlandz.*priority_habitat") as caught:
        load_specs().spec("wetlandz")
    assert caught.value.code == "layer_unknown"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("complete = false", "complete = false\ncolour = 'red'"), "colour"),
        (("{name}", "{nome}"), "nome"),
        (('id = "ponds"', 'id = "lakes"'), "calls itself 'lakes'"),
        (("accuracy_ft = 10", "accuracy_ft = -1"), "accuracy_ft"),
        (("complete = false", ""), "complete"),
        (('"EPSG:26986"', '"26986"'), "native_crs"),
        (("title", "title ="), "not TOML"),
        (
            (
                "[fields.name]",
                "[[themes]]\ntheme = 'wetlands'\ntitle = 'w'\nwithin_ft = 0\nbands_ft = [50, 25]\n[fields.name]",
            ),
            "bands_ft",
        ),
        (
            ("[fields.name]", "[[themes]]\ntheme = 'ponds'\ntitle = 'w'\nwithin_ft = 0\n[fields.name]"),
            "theme",
        ),
    ],
)
def test_a_wrong_specification_is_refused_with_the_place(change: tuple[str, str], told: str) -> None:
    with pytest.raises(ParameterRefused, match=told):
        read_spec(MINIMAL.replace(*change, 1), "ponds")


def test_a_right_specification_is_read() -> None:
    assert read_spec(MINIMAL, "ponds").questions() == ()


def test_unverified_sources_are_marked() -> None:
    assert any(s.unverified for s in load_specs().spec("outstanding_resource_waters").sources)
    assert not any(s.unverified for s in load_specs().spec("wetlands").sources)


def test_there_are_351_towns() -> None:
    book = load_towns()
    assert sorted(book.by_id) == list(range(1, 352))
    assert len(book.by_slug) == 351


@pytest.mark.parametrize("name", ["dover", "78", "Dover", " DOVER "])
def test_a_town_is_found_by_slug_or_number(name: str) -> None:
    dover = load_towns().find(name)
    assert (dover.id, dover.bylaws) == (78, ("dover-159", "dover-181"))


@pytest.mark.parametrize("name", ["", "0", "352", "dovr", "²"])
def test_an_unknown_town_is_refused(name: str) -> None:
    with pytest.raises(ParameterRefused) as caught:
        load_towns().find(name)
    assert caught.value.code == "town_unknown"


def test_staff_add_an_invented_town_and_override_bylaws(tmp_path) -> None:
    (tmp_path / "hollow.toml").write_text(
        '[town]\nid = 901\nname = "Hollow"\nbylaws = ["dover-159"]\ninvented = true\n'
    )
    (tmp_path / "dover.toml").write_text(
        '[town]\nid = 78\nname = "Dover"\nbylaws = []\n[setbacks]\nfront_ft = 40\n'
    )
    (tmp_path / "needham.toml").write_text("[setbacks]\nfront_ft = 20\n")
    book = load_towns(tmp_path)
    assert book.find("hollow").invented
    assert book.find("dover").bylaws == ()
    assert book.find("needham").id == 199


def test_a_town_file_that_says_nothing_of_bylaws_takes_none_away(tmp_path) -> None:
    (tmp_path / "dover.toml").write_text('[town]\nid = 78\nname = "Dover"\n')
    assert load_towns(tmp_path).find("dover").bylaws == ("dover-159", "dover-181")


def test_a_wrong_town_file_is_refused_by_name(tmp_path) -> None:
    (tmp_path / "hollow.toml").write_text('[town]\nid = "many"\nname = "Hollow"\n')
    with pytest.raises(ParameterRefused, match=r"hollow\.toml.*town\.id"):
        load_towns(tmp_path)
