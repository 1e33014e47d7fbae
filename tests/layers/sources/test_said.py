"""What an operator says of a source: taken as ``layers add`` takes it of a file, or refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from layers.catalog import load_specs
from layers.sources.ground import WHOLE_STATE, Ground
from layers.sources.said import Said, said_of
from layers.sources.sync import sync
from spatial.errors import ParameterRefused

sys.path.insert(0, str(Path(__file__).parent))
from brought import errand
from standin import Service, rows, running

HERE = Ground("dover", (), (217_000.0, 888_000.0, 218_000.0, 889_000.0))
FILE = "https://gis.town.example/wetlands.kml"


def test_nothing_said_changes_nothing() -> None:
    assert said_of(load_specs(), [], Said()) is load_specs()


def test_an_address_says_itself_whether_it_is_a_service() -> None:
    known = said_of(load_specs(), ["wetlands"], Said(FILE, covers="town:dover", mapping={"kind": "Name"}))
    (file,) = known.spec("wetlands").sources
    assert (file.kind, file.url, file.covers, file.mapping) == ("zip", FILE, "town:dover", {"kind": "Name"})
    (service,) = (Said("https://gis.town.example/arcgis/rest/services/w/MapServer/3/").source(),)
    assert (service.kind, service.url[-12:]) == ("arcgis", "/MapServer/3")
    (of_towns,) = (Said("https://gis.town.example/M{town_id:03d}.zip").source(),)
    assert of_towns.per_town


def test_what_is_said_without_an_address_is_said_of_the_known_sources() -> None:
    known = said_of(load_specs(), ["zoning"], Said(mapping={"code": "ZO_USETY"}))
    before = load_specs().spec("zoning").sources
    assert [one.url for one in known.spec("zoning").sources] == [one.url for one in before]
    assert all(one.mapping == {"code": "ZO_USETY"} for one in known.spec("zoning").sources)


@pytest.mark.parametrize(
    ("layers", "said", "words"),
    [
        ([], Said(FILE, covers="state"), "name just that one"),
        (["wetlands", "roads"], Said(covers="state"), "name just that one"),
        (["wetlands"], Said(FILE), "--covers"),
        (["wetlands"], Said("wetlands.kml", covers="state"), "no web address.*metes layers add ID FILE"),
        (["wetlands"], Said("file:///etc/passwd", covers="state"), "no web address"),
        (["swamps"], Said(FILE, covers="state"), "no layer 'swamps'"),
    ],
)
def test_what_cannot_be_is_refused(layers: list[str], said: Said, words: str) -> None:
    with pytest.raises(ParameterRefused, match=words):
        said_of(load_specs(), layers, said)


def test_a_service_with_columns_of_its_own_is_mapped_and_covers_what_was_asked(tmp_path: Path) -> None:
    with running(Service(rows(3))) as url:
        said = Said(url, mapping={"habitat_id": "NAME"})
        with errand(tmp_path, said_of(load_specs(), ["priority_habitat"], said)) as run:
            (told,) = sync(run, ["priority_habitat"], HERE)
            (again,) = sync(run, ["priority_habitat"], HERE)
            (frame,) = run.library.frame("priority_habitat")
    assert (told.outcome, told.part, told.rows) == ("new", "dover", 3), told.why
    assert again.outcome == "new", again.why  # the mapped column is not missed where it is still there
    assert sorted(frame.attributes["habitat_id"]) == ["lot 10", "lot 13", "lot 7"]


def test_a_service_may_be_said_to_cover_something_else(tmp_path: Path) -> None:
    with running(Service(rows(3))) as url:
        said = Said(url, covers="bounds", mapping={"habitat_id": "NAME"})
        with errand(tmp_path, said_of(load_specs(), ["priority_habitat"], said)) as run:
            (told,) = sync(run, ["priority_habitat"], WHOLE_STATE)
            (made,) = run.library.current("priority_habitat")
    assert told.outcome == "new", told.why
    assert made.coverage.area_sqft < 20_000
